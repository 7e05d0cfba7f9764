"""What a minute with somebody's phone does not give: the six words are asked for, all of them, and few tries."""

from datetime import timedelta

import pytest
from django.core.management import call_command
from django.utils import timezone

from accounts.models import Session
from accounts.tests.fabriques import MOT_DE_PASSE
from config.tests.outils import acteur_de
from guests.models import SessionInvitee
from guests.services import changer_statut
from guests.tests.fabriques import fusionner as fusionner_ailleurs
from personnes.services.effacements import effacer_session
from portail.models import Acces, AncienCode, CodeRetour
from portail.tests.outils import FAITS, PERSONNE, Visiteuse, cache, la_session, six_mots, texte_de
from socle.domaine.limites import Taux

pytestmark = pytest.mark.django_db
CODE, CONNEXION, INSCRIPTION = "/acces/code/", "/rattacher/connexion/", "/rattacher/inscription/"
FAUX = "abaisser abandon abdiquer abeille abolir aborder"
ETEINTS = "Ces six mots n'ouvrent plus cet espace."


def vieillir(**depuis):
    Acces.objects.update(**{nom: timezone.now() - duree for nom, duree in depuis.items()})


def garder(visiteuse, code):
    visiteuse.envoyer("/recu/verifier/", {"mot": code.split()[2]})
    assert visiteuse.envoyer("/acces/garder/").status_code == 303


def au_bout_de_dix_minutes(visiteuse, code):
    vieillir(date_preuve=timedelta(minutes=10, seconds=1))


def garde_a_l_instant(visiteuse, code):
    garder(visiteuse, code)


def rendu_a_son_heure(visiteuse, code):
    """Kept, then no longer: the ten minutes do not come back with it."""
    garder(visiteuse, code)
    assert visiteuse.envoyer("/acces/garder/fin/").status_code == 303


@pytest.fixture(params=[au_bout_de_dix_minutes, garde_a_l_instant, rendu_a_son_heure])
def sans_preuve(request, visiteuse):
    """Somebody's browser, in somebody else's hands."""
    visiteuse.code = visiteuse.signaler()
    request.param(visiteuse, visiteuse.code)
    return visiteuse


def qui(compte):
    return {"email": compte.email, "mot_de_passe": MOT_DE_PASSE}


@pytest.mark.parametrize("ecrit", [{}, {"code": ""}, {"code": "  "}, {"code": FAUX}])
def test_changer_de_code_demande_les_six_mots(sans_preuve, ecrit):
    assert f'action="{CODE}"' not in sans_preuve.lire("/acces/")
    assert 'name="code"' in sans_preuve.lire("/acces/code/?changer")
    avant = CodeRetour.objects.get().empreinte

    refus = sans_preuve.envoyer(CODE, ecrit)

    assert refus.status_code == (422 if ecrit.get("code", "").strip() else 409)
    assert 'name="code"' in texte_de(refus)
    assert "Revoir mes six mots" not in texte_de(refus)
    assert (CodeRetour.objects.get().empreinte, AncienCode.objects.count()) == (avant, 0)


def test_les_six_mots_changent_le_code(sans_preuve):
    change = sans_preuve.envoyer(CODE, {"code": sans_preuve.code.upper()})

    assert (change.status_code, change.headers["Location"]) == (303, CODE)
    nouveau = six_mots(sans_preuve.lire(CODE))
    assert nouveau != sans_preuve.code
    assert Visiteuse().revenir(nouveau).status_code == 303


@pytest.mark.parametrize(
    "devant", ["Code : ", "code ", "Mes six mots, code : ", "Dossier ", "My code: ", "Numéro secret ", "Code\n"]
)
def test_un_titre_devant_les_six_mots_n_en_fait_pas_de_faux(visiteuse, devant):
    code = visiteuse.signaler()
    au_bout_de_dix_minutes(visiteuse, code)

    assert visiteuse.envoyer(CODE, {"code": f"{devant}{code}"}).status_code == 303


@pytest.mark.parametrize("adresse", [CONNEXION, INSCRIPTION])
@pytest.mark.parametrize("ecrit", [{}, {"code": ""}, {"code": FAUX}])
def test_rattacher_demande_les_six_mots_avant_de_dire_quoi_que_ce_soit_du_compte(
    sans_preuve, etudiante, adresse, ecrit
):
    assert 'name="code"' in sans_preuve.lire(adresse)

    refus = sans_preuve.envoyer(adresse, {**PERSONNE, **qui(etudiante), **ecrit})

    assert refus.status_code == (422 if ecrit.get("code") else 409)
    assert MOT_DE_PASSE not in texte_de(refus)
    assert not Session.objects.exists()
    assert Acces.objects.get().date_fin is None


def test_les_six_mots_rattachent(sans_preuve, etudiante):
    passee = sans_preuve.envoyer(CONNEXION, {**qui(etudiante), "code": sans_preuve.code})

    assert (passee.status_code, passee.headers["Location"]) == (303, "/rattacher/apercu/")


def test_un_mot_de_passe_faux_ne_redemande_pas_les_mots_mais_a_qui_garde(sans_preuve, etudiante):
    est_garde = Acces.objects.get().est_garde

    refus = sans_preuve.envoyer(CONNEXION, {**qui(etudiante), "mot_de_passe": "faux", "code": sans_preuve.code})

    assert refus.status_code == 401
    assert ('name="code"' in texte_de(refus)) is est_garde
    assert (sans_preuve.code in texte_de(refus)) is est_garde
    assert sans_preuve.envoyer(CONNEXION, qui(etudiante)).status_code == (409 if est_garde else 303)


@pytest.mark.parametrize("acte", ["code", "rattacher", "revenue"])
def test_qui_vient_de_voir_ou_de_taper_ses_mots_ne_les_retape_pas(visiteuse, autre_visiteuse, etudiante, acte):
    code = visiteuse.signaler()
    elle = visiteuse
    if acte == "revenue":
        autre_visiteuse.revenir(code)
        elle = autre_visiteuse
    vieillir(date_preuve=timedelta(minutes=9))

    fait = elle.envoyer(CONNEXION, qui(etudiante)) if acte == "rattacher" else elle.envoyer(CODE)

    assert fait.status_code == 303


def test_des_mots_faux_ne_prolongent_pas_la_preuve(visiteuse, etudiante):
    visiteuse.signaler()
    vieillir(date_preuve=timedelta(minutes=9))

    visiteuse.envoyer(CONNEXION, {**qui(etudiante), "mot_de_passe": "faux", "code": FAUX})

    assert Acces.objects.get(session=None).date_preuve < timezone.now() - timedelta(minutes=8)


def test_le_troisieme_mot_ne_prouve_pas_les_six(visiteuse):
    code = visiteuse.signaler()
    vieillir(date_preuve=timedelta(minutes=11))

    visiteuse.envoyer("/recu/verifier/", {"mot": code.split()[2]})

    assert visiteuse.envoyer(CODE).status_code == 409


def test_cinq_essais_faux_ferment_l_acces_et_rien_d_autre(sans_preuve):
    autre = Visiteuse()
    autre.revenir(sans_preuve.code)

    statuts = [sans_preuve.envoyer(CODE, {"code": FAUX}).status_code for _fois in range(4)]
    dernier = sans_preuve.envoyer(CODE, {"code": FAUX})

    assert statuts == [422] * 4
    assert (dernier.status_code, dernier.cookies["espace"]["max-age"]) == (401, 0)
    assert "cet espace s'est fermé ici. Vos six mots l'ouvrent encore." in texte_de(dernier)
    assert "abaisser" not in texte_de(dernier)
    assert sans_preuve.get("/dossiers/").status_code == 401
    assert autre.get("/dossiers/").status_code == 200
    assert Visiteuse().revenir(sans_preuve.code).status_code == 303


def test_les_essais_comptent_ensemble_quel_que_soit_l_acte_et_les_bons_mots_les_effacent(sans_preuve, etudiante):
    ecrit = {**qui(etudiante), "code": FAUX}
    for _fois in range(2):
        assert sans_preuve.envoyer(CODE, {"code": FAUX}).status_code == 422
        assert sans_preuve.envoyer(CONNEXION, ecrit).status_code == 422
    refus = sans_preuve.envoyer(CONNEXION, {**ecrit, "mot_de_passe": "faux", "code": sans_preuve.code})
    assert refus.status_code == 401
    assert Acces.objects.get().preuves_fausses == 0
    vieillir(date_preuve=timedelta(minutes=11))

    assert sans_preuve.envoyer(CODE, {"code": FAUX}).status_code == 422
    assert Acces.objects.get().date_fin is None


CE_QUI_N_EST_PAS_SIX_MOTS = [
    (lambda six: "SIG-2026-7K3M9QXT", "SIG-2026-7K3M9QXT est la référence d'un dossier"),
    (lambda six: " ".join(six[:5]), "Nous en lisons 5."),
    (lambda six: " ".join([*six[:5], "xylophage"]), "« xylophage » n'est pas un de nos mots."),
    (lambda six: "?", "Entrez vos six mots."),
]


@pytest.mark.parametrize("adresse", [CODE, CONNEXION])
@pytest.mark.parametrize(("ecrire", "phrase"), CE_QUI_N_EST_PAS_SIX_MOTS)
def test_ce_qui_ne_peut_etre_six_mots_se_dit_et_n_est_pas_un_essai(sans_preuve, etudiante, adresse, ecrire, phrase):
    """Said by the text alone: five right words and five others are one answer."""
    pages = []
    for six in (sans_preuve.code.split(), FAUX.split()):
        ecrit = ecrire(six)
        refus = [sans_preuve.envoyer(adresse, {**qui(etudiante), "code": ecrit}) for _fois in range(3)]
        assert [un.status_code for un in refus] == [422] * 3
        page = texte_de(refus[0])
        assert phrase in page
        for change in (ecrit, *(cache(page, nom) for nom in ("csrfmiddlewaretoken", "cle_de_la_page"))):
            page = page.replace(change, "")
        pages.append(page)

    assert pages[0] == pages[1]
    assert Acces.objects.get().preuves_fausses == 0
    assert sans_preuve.envoyer(CODE, {"code": sans_preuve.code}).status_code == 303


def test_un_essai_ne_dit_rien_d_un_seul_mot(sans_preuve):
    """Five right words and none are one answer; and many words are one guess."""
    justes = sans_preuve.code.split()
    autres = [mot for mot in FAUX.split() if mot not in justes]
    presque = " ".join([*justes[:5], autres[0]])
    plusieurs = " ".join([presque, sans_preuve.code])

    pages = [texte_de(sans_preuve.envoyer(CODE, {"code": ecrit})) for ecrit in (presque, FAUX, plusieurs)]

    sans_les_mots = {page.replace(ecrit, "") for page, ecrit in zip(pages, (presque, FAUX, plusieurs), strict=True)}
    sans_jeton = {une.replace(cache(une, "csrfmiddlewaretoken"), "") for une in sans_les_mots}
    assert len(sans_jeton) == 1
    assert Acces.objects.get().preuves_fausses == 3


@pytest.mark.parametrize("acte", [CODE, CONNEXION])
def test_qui_a_perdu_ses_mots_ecrit_encore_a_l_equipe(sans_preuve, acte):
    page = sans_preuve.lire(f"{acte}?changer")
    assert 'href="/dossiers/1/#messages">Écrire à l\'équipe</a>' in page

    assert sans_preuve.envoyer("/dossiers/1/repondre/", {"contenu": "J'ai perdu mes mots."}).status_code == 303


@pytest.mark.usefixtures("numero_exige")
def test_ce_qui_ne_prend_l_espace_a_personne_ne_demande_rien(sans_preuve):
    for acte, ecrit in (
        ("/acces/numero/", {"telephone": "+33 6 39 98 00 99"}),
        ("/acces/donnees/", {}),
        ("/acces/ailleurs/", {}),
    ):
        assert sans_preuve.envoyer(acte, ecrit).status_code in {200, 303}, acte
    assert sans_preuve.envoyer("/ecrire/faits/", FAITS).status_code == 303


def test_revenir_d_un_compte_ne_prouve_rien_de_plus(visiteuse, etudiante):
    visiteuse.signaler()
    vieillir(date_preuve=timedelta(minutes=9))
    visiteuse.passer_au_compte(etudiante)
    assert visiteuse.envoyer("/rattacher/revenir/").status_code == 303
    assert visiteuse.envoyer(CONNEXION, qui(etudiante)).status_code == 303
    assert visiteuse.envoyer("/rattacher/revenir/").status_code == 303
    vieillir(date_preuve=timedelta(minutes=11))

    assert visiteuse.envoyer(CONNEXION, qui(etudiante)).status_code == 409


# --- One word, of those that the visit shows


def test_le_troisieme_mot_ne_se_cherche_pas_a_tatons(visiteuse):
    """Five wrong, and nobody is answered any more; what is shown stays shown, and nothing is lost."""
    code = visiteuse.signaler()

    statuts = [visiteuse.envoyer("/recu/verifier/", {"mot": "zzz"}).status_code for _fois in range(5)]
    ensuite = visiteuse.envoyer("/recu/verifier/", {"mot": code.split()[2]})

    assert statuts == [422] * 5
    assert (ensuite.status_code, ensuite.headers["Location"]) == (303, "/dossiers/")
    assert Acces.objects.get().date_verification is None
    assert "Cinq fois, ce n'était pas ce mot." in visiteuse.lire("/recu/verifier/")
    assert 'href="/retrouver/"' in visiteuse.lire("/acces/garder/")
    assert code == six_mots(visiteuse.lire("/dossiers/"))


def test_un_espace_garde_ne_repond_d_aucun_mot(visiteuse):
    code = visiteuse.signaler()
    garder(visiteuse, code)

    for mot in (code.split()[2], "zzz"):
        assert visiteuse.envoyer("/recu/verifier/", {"mot": mot}).headers["Location"] == "/dossiers/"


# --- Words that an application has instead


def test_une_session_d_application_n_a_pas_de_mots_son_identifiant_la_prouve(visiteuse, invite):
    visiteuse.revenir(str(invite.guest_id))
    vieillir(date_preuve=timedelta(minutes=11))
    assert "l'identifiant de 36 caractères" in visiteuse.lire("/acces/code/?changer")
    assert 'href="/ecrire/faits/">Écrire à l\'équipe</a>' in visiteuse.lire("/acces/code/?changer")
    assert visiteuse.envoyer(CODE, {"code": FAUX}).status_code == 422

    change = visiteuse.envoyer(CODE, {"code": f"{{{invite.guest_id}}}"})

    assert change.status_code == 303
    assert len(six_mots(visiteuse.lire(CODE)).split()) == 6


def test_l_identifiant_d_une_application_ne_prouve_pas_les_mots_qu_elle_a_aussi(visiteuse, autre_visiteuse, invite):
    visiteuse.revenir(str(invite.guest_id))
    assert visiteuse.envoyer(CODE).status_code == 303

    autre_visiteuse.revenir(str(invite.guest_id))

    assert autre_visiteuse.envoyer(CODE).status_code == 409
    assert autre_visiteuse.envoyer(CODE, {"code": str(invite.guest_id)}).status_code == 422


# --- Former words


@pytest.fixture
def anciens(visiteuse, etudiante, request):
    """Words that opened a space, by what has become of it."""
    code = visiteuse.signaler()
    if request.param == "changés":
        assert visiteuse.envoyer(CODE).status_code == 303
    else:
        fusionner_ailleurs(la_session(), etudiante)
    return code


LES_DEUX = pytest.mark.parametrize("anciens", ["changés", "rattachés"], indirect=True)


@LES_DEUX
def test_d_anciens_mots_disent_qu_ils_n_ouvrent_plus_et_comment_joindre_l_equipe(anciens):
    refus = Visiteuse().revenir(anciens)

    page = texte_de(refus)
    assert (refus.status_code, ETEINTS in page) == (422, True)
    assert "espace" not in refus.cookies
    for lien in ('href="/ecrire/"', 'href="/aide/"', 'href="/compte/connexion/"'):
        assert lien in page
    # What was typed is shown again, and one of the words may be « fusion ».
    dit = page.partition("<main")[2].replace(anciens, "")
    assert not [mot for mot in ("changé", "rattach", "fusion", "le 2", "hier") if mot in dit]


def test_la_reponse_est_la_meme_quelle_qu_en_soit_la_raison(etudiante):
    pages = []
    for quoi in ("changés", "rattachés"):
        visiteuse = Visiteuse()
        code = visiteuse.signaler()
        if quoi == "changés":
            visiteuse.envoyer(CODE)
        else:
            fusionner_ailleurs(SessionInvitee.objects.latest("date_creation"), etudiante)
        page = texte_de(Visiteuse().revenir(code)).replace(code, "")
        for secret in ("csrfmiddlewaretoken", "cle_de_la_page"):
            page = page.replace(cache(page, secret), "")
        pages.append(page)

    assert pages[0] == pages[1]


@LES_DEUX
def test_d_anciens_mots_comptent_comme_un_code_faux(anciens, settings):
    settings.THROTTLE_ENABLED = True
    settings.THROTTLES = {**settings.THROTTLES, "guest_unknown": Taux(2, 3600)}

    assert [Visiteuse().revenir(anciens).status_code for _fois in range(3)] == [422, 422, 429]


@LES_DEUX
def test_il_faut_les_six_anciens_mots_dans_leur_ordre(anciens):
    six = anciens.split()
    for presque in ([*six[1:], six[0]], [*six[:5], next(m for m in FAUX.split() if m != six[5])], six[:5]):
        refus = Visiteuse().revenir(" ".join(presque))

        assert (refus.status_code, ETEINTS in texte_de(refus)) == (422, False)


@LES_DEUX
def test_d_anciens_mots_ne_prouvent_rien(anciens, visiteuse):
    if visiteuse.get("/dossiers/").status_code != 200:
        return  # the takeover has closed it
    vieillir(date_preuve=timedelta(minutes=11))

    assert visiteuse.envoyer(CODE, {"code": anciens}).status_code == 422


@LES_DEUX
def test_apres_trente_jours_il_n_en_reste_rien(anciens):
    call_command("purge", verbosity=0)
    assert ETEINTS in texte_de(Visiteuse().revenir(anciens))
    il_y_a_un_mois = timezone.now() - timedelta(days=30, minutes=1)
    AncienCode.objects.update(date_fin=il_y_a_un_mois)
    SessionInvitee.objects.filter(statut="MERGED").update(date_fusion=il_y_a_un_mois)

    call_command("purge", verbosity=0)

    assert "Ces six mots n'ouvrent rien." in texte_de(Visiteuse().revenir(anciens))
    assert CodeRetour.objects.filter(invite__statut="MERGED").count() == AncienCode.objects.count() == 0


def test_d_une_personne_effacee_ses_anciens_mots_partent_aussi(visiteuse):
    visiteuse.signaler()
    visiteuse.envoyer(CODE)
    assert AncienCode.objects.count() == 1

    effacer_session(la_session().pk)

    assert AncienCode.objects.count() == 0


def test_une_session_que_l_equipe_a_fermee_se_dit_comme_avant(visiteuse, admin):
    code = visiteuse.signaler()
    changer_statut(session=la_session(), statut="DISABLED", motif="Abus.", acteur=acteur_de(admin))

    refus = Visiteuse().revenir(code)

    assert (refus.status_code, "Cet accès a été fermé." in texte_de(refus)) == (403, True)
