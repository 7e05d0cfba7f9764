"""The six words: drawn, read as people write them, counted where they are wrong, kept out of texts."""

import unicodedata

import pytest
from django.utils import timezone

from portail import mots
from portail.erreurs import AccesTermine
from portail.models import Acces
from portail.services.acces import changer_de_code
from portail.services.code import tirer
from portail.tests.outils import FAITS, la_session, six_mots, texte_de
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
    }


@pytest.mark.parametrize("facon", variantes("a b c d e f"))
def test_un_code_se_lit_comme_les_gens_l_ecrivent(visiteuse, autre_visiteuse, facon):
    code = visiteuse.signaler()

    assert autre_visiteuse.revenir(variantes(code)[facon]).status_code == 303


@pytest.mark.parametrize(
    ("tape", "phrase"),
    [
        ("", "Un code a six mots. Nous en lisons 0. Vérifiez vos six mots."),
        ("abaisser abandon", "Un code a six mots. Nous en lisons 2. Vérifiez vos six mots."),
        ("abaisser abandon abdiquer abeille abolir museo", "« museo » n'est pas un mot de nos codes. Vouliez-vous"),
        ("abaisser abandon abdiquer abeille abolir aborder", "Ce code n'ouvre rien."),
        ("abaisser abandon abdiquer abeille abolir <b>", "« b » n'est pas un mot de nos codes. Vérifiez vos six mots."),
        ("\x00" * 40, "Un code a six mots."),
        ("z" * 100_000, "Un code a six mots."),
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

    assert "« acsepter » n'est pas un mot de nos codes. Vouliez-vous « accepter » ?" in texte_de(proche)


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
    assert "Votre code est bien noté." in texte_de(juste)


@pytest.mark.parametrize("facon", ["code", "capitales", "quatre lettres", "virgules", "accents à part"])
def test_un_texte_qui_contient_le_code_est_refuse_avant_d_etre_garde(visiteuse, facon):
    code = visiteuse.signaler()
    ecrit = {"code": code, **variantes(code)}[facon]

    reponse = visiteuse.envoyer("/dossiers/1/repondre/", {"contenu": f"Mon code est {ecrit}, gardez-le."})
    visiteuse.envoyer("/ecrire/faits/", {**FAITS, "description": f"Voici : {ecrit}."})
    visiteuse.envoyer("/ecrire/details/")
    signale = visiteuse.envoyer("/ecrire/verifier/", {"titre": "Encore"})

    assert (reponse.status_code, signale.status_code) == (422, 422)
    assert "Votre code est dans ce texte. Retirez-le." in texte_de(reponse)
    assert "gardez-le" in texte_de(reponse)
    assert Signalement.objects.filter(invite=la_session()).count() == 1


def test_six_mots_de_la_liste_qui_ne_sont_pas_le_code_se_gardent(visiteuse):
    visiteuse.signaler()

    reponse = visiteuse.envoyer(
        "/dossiers/1/repondre/", {"contenu": "abaisser abandon abdiquer abeille abolir aborder"}
    )

    assert reponse.status_code == 303


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
