"""The six words: drawn, read as people write them, counted where they are wrong, kept out of texts."""

import math
import re
import unicodedata

import pytest
from django.utils import timezone

from discussions.models import Message
from portail import mots
from portail.erreurs import AccesTermine
from portail.models import Acces
from portail.services import code as code_lu
from portail.services.code import tirer
from portail.services.lecture import CANDIDATS_MAX
from portail.services.preuve import changer_de_code
from portail.tests.outils import FAITS, Visiteuse, la_session, le_dossier, six_mots, texte_de
from signalements.models import Signalement
from socle.domaine.limites import Taux

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("langue", ["fr", "en"])
def test_une_liste_a_deux_mille_quarante_huit_mots_que_quatre_lettres_distinguent(langue):
    formes = [mots.simplifier(mot) for mot in mots.liste(langue)]

    assert len({forme[:4] for forme in formes}) == len(formes) == 2_048
    assert all(mots.reconnaitre(forme, langue) == mot for forme, mot in zip(formes, mots.liste(langue), strict=True))
    assert all(
        mots.reconnaitre(forme[:4], langue) == mot for forme, mot in zip(formes, mots.liste(langue), strict=True)
    )


def test_un_code_est_tire_dans_la_langue_de_la_page():
    assert set(tirer("fr").split()) <= set(mots.liste("fr"))
    assert set(tirer("en").split()) <= set(mots.liste("en"))
    assert len({tirer("fr") for _fois in range(50)}) == 50


QUI_BLESSENT = {
    "fr": ("scélérat", "frapper", "menacer", "injure", "proie", "couteau", "prison", "cruel", "honteux", "virus"),
    "en": ("abuse", "gun", "knife", "kick", "ugly", "prison", "hurt", "victim", "blood", "sick"),
}
# Of the body, of fights, of fear: what recalls what was done to somebody, and what they were called.
QUI_RAPPELLENT = (
    *("bataille", "boxeur", "diable", "étourdir", "excitant", "fugitif", "gicler", "gorge", "gorille", "intime"),
    *("orifice", "paniquer", "ruiner", "sauvage", "tordre", "trancher", "vaincre"),
)


@pytest.mark.parametrize("langue", ["fr", "en"])
def test_un_mot_qui_blesse_ne_se_tire_plus_et_se_lit_encore(visiteuse, autre_visiteuse, langue):
    tires = mots.a_tirer(langue)
    assert not set(QUI_BLESSENT[langue]) & set(tires)
    assert set(tires) < set(mots.liste(langue))
    assert 6 * math.log2(len(tires)) >= 65
    visiteuse.signaler()
    donne = " ".join([mot for mot in QUI_BLESSENT[langue] if mot in mots.liste(langue)][:6])
    code_lu.poser(la_session(), donne, langue)

    assert autre_visiteuse.revenir(donne).status_code == 303


def test_un_mot_qui_rappelle_le_corps_ou_les_coups_ne_se_tire_plus_et_se_lit_encore():
    assert set(QUI_RAPPELLENT) <= set(mots.liste("fr"))
    assert not set(QUI_RAPPELLENT) & set(mots.a_tirer("fr"))
    assert [mots.reconnaitre(mots.simplifier(mot), "fr") for mot in QUI_RAPPELLENT] == list(QUI_RAPPELLENT)


def test_seules_des_listes_sans_ces_mots_se_tirent(monkeypatch):
    monkeypatch.setattr(mots, "a_tirer", lambda langue: (f"mot-{langue}",))

    assert (tirer("fr"), tirer("en"), tirer("de")) == ("mot-fr " * 5 + "mot-fr", "mot-en " * 5 + "mot-en", tirer("fr"))


def test_chaque_mot_retire_est_de_sa_liste():
    for langue, nom in mots.LISTES.items():
        retires = mots._lire(f"{nom}-retires")

        assert len(retires) == len(set(retires)) == len(mots.liste(langue)) - len(mots.a_tirer(langue))


RANGS_DITS = ("1ère", "2nd MOT :", "3ᵉ mot", "4eme =", "5 Mot :", "6ÈME mot -")


def variantes(code):
    six = code.split()
    sans_accents = [mots.simplifier(mot) for mot in six]
    return {
        "capitales": code.upper(),
        "sans accents": " ".join(sans_accents),
        "virgules": ", ".join(six),
        "lignes": "\r\n".join(six),
        "numéros": " ".join(f"{rang}. {mot}" for rang, mot in enumerate(six, 1)),
        "quatre lettres": " ".join(mot[:4] for mot in sans_accents),
        "accents à part": unicodedata.normalize("NFD", code),
        "espaces": f"  {'   '.join(six)}\t",
        "numéros collés": " ".join(f"{rang}){mot}" for rang, mot in enumerate(six, 1)),
        "numéros cerclés": "\n".join(f"{'①②③④⑤⑥'[rang]} {mot}" for rang, mot in enumerate(six)),
        "rangs en toutes sortes": " / ".join(f"{dit} {mot}" for dit, mot in zip(RANGS_DITS, six, strict=True)),
        "rangs": " / ".join(f"{rang}{'er' if rang == 1 else 'e'} mot : {mot}" for rang, mot in enumerate(six, 1)),
        "rangs en lignes": "\n".join(f"{n}{'er' if n == 1 else 'ème'} : {mot}" for n, mot in enumerate(six, 1)),
        "rangs en anglais": "\n".join(
            f"{n}{suffixe} word: {six[n - 1]}" for n, suffixe in enumerate(("st", "nd", "rd", "th", "th", "th"), 1)
        ),
        "numéros de mots": ", ".join(f"{rang} mot : {mot}" for rang, mot in enumerate(six, 1)),
        "deux colonnes": "\n".join(f"{n}. {six[n - 1]}    {n + 3}. {six[n + 2]}" for n in (1, 2, 3)),
        "puces": "\n".join(f"  • {mot} ;" for mot in six),
        "guillemets": f"« {' '.join(six)} »",
        "un titre": f"Mon code : {' '.join(six)}",
        "un titre fait de mots de la liste": f"Code dossier pour aide :\n{' '.join(six)}\nMerci.",
        "un titre, puis une liste": "Appareil papier liste histoire dossier code\n"
        + "\n".join(f"{rang} - {mot}" for rang, mot in enumerate(six, 1)),
        "pleine chasse": "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in " ".join(sans_accents)),
        "traits d'union": "–".join(six),
        "coupés par ce qui ne se voit pas": " ".join(f"{mot[:2]}\u00ad{mot[2:]}" for mot in six),
        "une référence devant": f"SIG-2026-7K3M9QXT\n{' '.join(six)}",
        "un identifiant devant": f"Requête 6f1c8a52-9a3f-4d7b-8f26-0c1f5e7a9b3d : {' '.join(six)}",
        "un long texte autour": f"{'Bla bli blo. ' * 400}\n{' '.join(six)}\n{'Bla bli blo. ' * 400}",
    }


@pytest.mark.parametrize("facon", variantes("a b c d e f"))
def test_un_code_se_lit_comme_les_gens_l_ecrivent(visiteuse, autre_visiteuse, facon):
    code = visiteuse.signaler()

    assert autre_visiteuse.revenir(variantes(code)[facon]).status_code == 303


@pytest.mark.parametrize("ligne", ["{n}. {mot}", "{n} {mot} -", "{n}th word: {mot}"])
def test_word_est_un_mot_de_la_liste_ou_ce_que_son_rang_annonce(visiteuse, autre_visiteuse, ligne):
    visiteuse.signaler()
    six = ["word", "abandon", "word", "bag", "box", "word"]
    code_lu.poser(la_session(), " ".join(six), "en")

    colle = "\n".join(ligne.format(n=n, mot=mot) for n, mot in enumerate(six, 1))

    assert autre_visiteuse.revenir(colle).status_code == 303


@pytest.mark.parametrize("langue", ["fr", "en"])
@pytest.mark.parametrize("avec_numeros", [False, True])
def test_le_recu_entier_colle_ouvre_l_espace(autre_visiteuse, langue, avec_numeros):
    """As « tout sélectionner » copies it: a browser writes the numbers of a list, another does not."""
    visiteuse = Visiteuse(headers={"accept-language": langue})
    visiteuse.signaler()
    page = visiteuse.lire("/recu/")
    rangs = iter(range(1, 7))
    ligne = (lambda _trouve: f"\n{next(rangs)}. ") if avec_numeros else "\n"
    mots_en_lignes = re.sub(r"(?<=[\">])<li>(?=\w+</li>)", ligne, page.partition("<body")[2])
    colle = re.sub(r"<[^>]+>", "", f"<body{mots_en_lignes}".replace("</li>", "\n"))

    assert autre_visiteuse.revenir(colle).status_code == 303


def ecritures_de(guest_id):
    nu = guest_id.replace("-", "")
    return {
        "tel quel": guest_id,
        "accolades": f"{{{guest_id}}}",
        "guillemets": f'"{guest_id}"',
        "guillemets français": f"«\u00a0{guest_id}\u00a0»",
        "sans tirets": nu,
        "majuscules": guest_id.upper(),
        "urn": f"urn:uuid:{guest_id}",
        "majuscules sans tirets entre accolades": f"{{{nu.upper()}}}",
        "tirets longs": guest_id.replace("-", "–"),
        "coupé par une fin de ligne": guest_id.replace("-", "-\r\n", 1),
        "coupé dans un groupe": f"{guest_id[:4]}\r\n{guest_id[4:]}",
        "coupé au bord d'une case": "\n".join(guest_id[debut : debut + 10] for debut in range(0, 36, 10)),
        "deux par deux": " ".join(nu[debut : debut + 2] for debut in range(0, 32, 2)),
        "coupé dans une phrase": f"Mon identifiant de\n{guest_id[:21]} {guest_id[21:]}.",
        "JSON": f'{{"guestId": "{guest_id}"}}',
        "une phrase": f"Mon identifiant est {guest_id}.",
    }


@pytest.mark.parametrize("facon", ecritures_de(""))
def test_un_identifiant_se_lit_comme_les_gens_le_collent(visiteuse, invite, facon):
    assert visiteuse.revenir(ecritures_de(str(invite.guest_id))[facon]).status_code == 303


@pytest.mark.parametrize("facon", ecritures_de(""))
def test_un_identifiant_de_personne_n_ouvre_rien_et_compte(visiteuse, facon, settings):
    settings.THROTTLE_ENABLED = True
    settings.THROTTLES = {**settings.THROTTLES, "guest_unknown": Taux(1, 3600)}
    colle = ecritures_de("6f1c8a52-9a3f-4d7b-8f26-0c1f5e7a9b3d")[facon]

    assert [visiteuse.revenir(colle).status_code for _fois in range(2)] == [422, 429]


@pytest.mark.parametrize(
    "tape",
    [
        "SIG-2026-7K3M9QXT",
        "sig 2026 7k3m9qxt",
        "#SIG–2026–7K3M 9QXT.",
        "Référence : SIG-2O26-7K3M9QXT",
        "«\u00a0sig_2026_7k3m9qxt\u00a0»",
        "2026-7K3M9QXT",
        "ＳＩＧ－２０２６－７Ｋ３Ｍ９ＱＸＴ",
    ],
)
def test_une_reference_seule_est_dite_pour_ce_qu_elle_est(visiteuse, autre_visiteuse, tape):
    """Whether there is such a case is not looked for."""
    visiteuse.signaler()
    celle_du_dossier = le_dossier().reference

    refus, de_quelqu_un = autre_visiteuse.revenir(tape), autre_visiteuse.revenir(celle_du_dossier)

    assert (refus.status_code, de_quelqu_un.status_code) == (422, 422)
    assert "SIG-2026-7K3M9QXT est la référence d'un dossier" in texte_de(refus)
    assert f"{celle_du_dossier} est la référence d'un dossier" in texte_de(de_quelqu_un)


def test_un_texte_n_est_qu_un_essai_et_n_en_fait_que_peu(visiteuse, settings):
    """Of all that a text holds a few neighbours are tried, and only neighbours."""
    code = visiteuse.signaler()
    six = code.split()
    autres = [mot for mot in mots.liste("fr") if mot not in six]

    assert len(code_lu.empreintes_lues(" ".join(autres))) <= 2 * CANDIDATS_MAX
    disperses = " ".join(f"{mot} {autre}" for mot, autre in zip(six, autres, strict=False))
    assert Visiteuse().revenir(disperses).status_code == 422
    assert Visiteuse().revenir(" ".join([*autres[:300], code])).status_code == 422
    settings.THROTTLE_ENABLED = True
    settings.THROTTLES = {**settings.THROTTLES, "guest_unknown": Taux(2, 3600)}
    statuts = [Visiteuse().revenir(" ".join(autres)).status_code for _fois in range(3)]
    assert statuts == [422, 422, 429]


@pytest.mark.parametrize(
    "tape", ["1. " * 30_000, "a1 " * 30_000, "-" * 90_000, "0123abcd " * 10_000, "\u00ad" * 90_000]
)
def test_un_long_texte_ne_se_lit_que_jusqu_a_un_terme(visiteuse, tape):
    assert visiteuse.revenir(tape).status_code == 422


def test_la_page_dit_ce_qui_suffit_avant_que_l_on_tape(visiteuse):
    assert "Les quatre premières lettres de chaque mot suffisent" in visiteuse.lire("/retrouver/")


def test_un_mot_d_aucune_liste_fait_penser_a_une_traduction(visiteuse):
    refus = texte_de(visiteuse.revenir("abaisser abandon abdiquer abeille abolir xylophage"))
    traduits = ("lower", "abandon", "abdiquer", "bee", "abolir", "xylophage")
    numerote = texte_de(visiteuse.revenir("Voici : " + " ".join(f"{n}. {mot}" for n, mot in enumerate(traduits, 1))))

    assert "« xylophage » n'est pas un de nos mots." in refus
    assert "« lower » n'est pas un de nos mots." in numerote
    for page in (refus, numerote):
        assert "Une traduction automatique de la page a peut-être changé vos mots." in page


@pytest.mark.parametrize(
    ("tape", "phrase"),
    [
        ("", "Entrez vos six mots."),
        ("abaisser abandon", "Il faut six mots. Nous en lisons 2. Vérifiez les vôtres."),
        ("abaisser abandon abdiquer abeille abolir museo", "« museo » n'est pas un de nos mots. Vouliez-vous"),
        ("abaisser abandon abdiquer abeille abolir aborder", "Ces six mots n'ouvrent rien."),
        ("abaisser abandon abdiquer abeille abolir <b>", "« b » n'est pas un de nos mots. Vérifiez vos six mots."),
        ("\x00" * 40, "Entrez vos six mots."),
        ("z" * 100_000, "Il faut six mots. Nous en lisons"),
    ],
)
def test_un_code_faux_dit_ce_qui_ne_va_pas_et_garde_ce_qui_fut_tape(visiteuse, tape, phrase):
    reponse = visiteuse.revenir(tape)

    page = texte_de(reponse)
    assert reponse.status_code == 422
    assert phrase in page
    assert "Il y a un problème" in page
    assert "<title>Erreur :" in page


def test_un_mot_mal_lu_en_propose_un_autre(visiteuse):
    proche = visiteuse.revenir("abaisser abandon abdiquer abeille abolir acsepter")

    assert "« acsepter » n'est pas un de nos mots. Vouliez-vous « accepter » ?" in texte_de(proche)


def test_les_codes_faux_sont_comptes_par_adresse_et_le_texte_reste(visiteuse, autre_visiteuse, settings):
    settings.THROTTLE_ENABLED = True
    settings.THROTTLES = {**settings.THROTTLES, "guest_unknown": Taux(3, 3600)}
    code = visiteuse.signaler()
    faux = "abaisser abandon abdiquer abeille abolir aborder"

    statuts = [autre_visiteuse.revenir(faux).status_code for _fois in range(3)]
    refus = autre_visiteuse.revenir(code)

    assert statuts == [422, 422, 422]
    assert refus.status_code == 429
    assert int(refus.headers["Retry-After"]) > 0
    assert "Rien n'est perdu." in texte_de(refus)
    assert code in texte_de(refus)


def test_changer_de_code_eteint_l_ancien_et_le_cache_ailleurs(visiteuse, autre_visiteuse):
    ancien = visiteuse.signaler()
    autre_visiteuse.revenir(ancien)

    assert autre_visiteuse.envoyer("/acces/code/").status_code == 303

    page = autre_visiteuse.lire("/acces/code/")
    assert len(six_mots(page).split()) == 6
    assert ancien not in page
    assert 'class="mots"' not in visiteuse.lire("/acces/")
    assert visiteuse.revenir(ancien).status_code == 422


def test_qui_revient_ne_revoit_pas_son_code(visiteuse, autre_visiteuse):
    code = visiteuse.signaler()
    autre_visiteuse.revenir(code)

    for adresse in ("/dossiers/", "/recu/", "/acces/", "/acces/terminer/"):
        assert code.split()[0] in visiteuse.lire(adresse)
        assert 'class="mots"' not in autre_visiteuse.lire(adresse)


def test_le_troisieme_mot_se_verifie_sans_accents(visiteuse):
    code = visiteuse.signaler()

    juste = visiteuse.envoyer("/recu/verifier/", {"mot": mots.simplifier(code.split()[2]).upper()})
    faux = visiteuse.envoyer("/recu/verifier/", {"mot": "zzz"})

    assert (juste.status_code, faux.status_code) == (200, 422)
    assert "Vos six mots sont bien notés." in texte_de(juste)


@pytest.mark.parametrize("facon", ["code", "capitales", "quatre lettres", "virgules", "accents à part"])
def test_un_texte_qui_contient_le_code_est_refuse_avant_d_etre_garde(visiteuse, facon):
    code = visiteuse.signaler()
    ecrit = {"code": code, **variantes(code)}[facon]

    reponse = visiteuse.envoyer("/dossiers/1/repondre/", {"contenu": f"Mon code est {ecrit}, gardez-le."})
    visiteuse.envoyer("/ecrire/faits/", {**FAITS, "description": f"Voici : {ecrit}."})
    visiteuse.envoyer("/ecrire/details/")
    signale = visiteuse.envoyer("/ecrire/verifier/", {"titre": "Encore"})

    assert (reponse.status_code, signale.status_code) == (422, 422)
    assert "Vos six mots sont dans ce texte. Retirez-les." in texte_de(reponse)
    assert "gardez-le" in texte_de(reponse)
    assert Signalement.objects.filter(invite=la_session()).count() == 1


def test_six_mots_de_la_liste_qui_ne_sont_pas_le_code_se_gardent(visiteuse):
    visiteuse.signaler()

    reponse = visiteuse.envoyer(
        "/dossiers/1/repondre/", {"contenu": "abaisser abandon abdiquer abeille abolir aborder"}
    )

    assert reponse.status_code == 303


@pytest.mark.parametrize(
    "ecrire",
    [
        lambda mots: "Voici mes mots :\n" + "\n".join(f"{n}. {mot}" for n, mot in enumerate(mots, 1)),
        lambda mots: " – ".join(mot.upper() for mot in mots),
        lambda mots: "\u200b".join(f" {mot[:3]}\u00ad{mot[3:]}\u2060 " for mot in mots),
        lambda mots: ", ".join("\u0301".join(unicodedata.normalize("NFD", mot)) for mot in mots),
        lambda mots: " / ".join(mot[:4] for mot in mots),
        lambda mots: "\u2068" + "\u3164 ".join(mots) + "\u2069",
    ],
)
def test_un_code_vivant_se_voit_dans_un_texte_comment_qu_il_y_soit_ecrit(visiteuse, ecrire):
    code = visiteuse.signaler()

    reponse = visiteuse.envoyer("/dossiers/1/repondre/", {"contenu": ecrire(code.split())})

    assert reponse.status_code == 422
    assert not Message.objects.exclude(contenu="").filter(contenu__contains=code.split()[0][:3]).exists()


def test_un_premier_recit_qui_contient_un_code_vivant_est_refuse_et_compte(visiteuse, autre_visiteuse, settings):
    """Six words that follow each other are a try: a report is no way round the limit."""
    code = visiteuse.signaler()
    autre_visiteuse.remplir(description=f"Mon code est {code}.")
    assert autre_visiteuse.envoyer("/ecrire/verifier/", {"titre": "Vol"}).status_code == 422
    assert Signalement.objects.count() == 1

    settings.THROTTLE_ENABLED = True
    settings.THROTTLES = {**settings.THROTTLES, "guest_unknown": Taux(2, 3600)}
    autre_visiteuse.remplir(description=" ".join(mots.liste("fr")[:60]))
    refus = autre_visiteuse.envoyer("/ecrire/verifier/", {"titre": "Vol"})

    assert refus.status_code == 429
    assert autre_visiteuse.revenir(code, laisser="1").status_code == 429


def test_changer_de_code_quand_l_acces_vient_de_finir_garde_l_ancien(visiteuse, autre_visiteuse):
    code = visiteuse.signaler()
    acces = Acces.objects.get()
    Acces.objects.update(date_fin=timezone.now())

    with pytest.raises(AccesTermine):
        changer_de_code(acces, jeton=visiteuse.cookies["espace"].value, langue="fr")

    assert autre_visiteuse.revenir(code).status_code == 303


def test_mille_codes_faux_en_une_heure_alertent_l_administration_une_fois(visiteuse, evenements, monkeypatch):
    monkeypatch.setattr("portail.services.code.CODES_FAUX", Taux(3, 3600))
    faux = "abaisser abandon abdiquer abeille abolir aborder"

    with evenements() as recus:
        for _fois in range(6):
            visiteuse.revenir(faux)

    (alerte,) = recus
    assert (alerte["type"], alerte["canal"]) == ("system_alert", "admin")
    assert alerte["payload"]["niveau"] == "SECURITE"
    assert "4 codes" in alerte["payload"]["message"]
    assert "abaisser" not in str(alerte)
