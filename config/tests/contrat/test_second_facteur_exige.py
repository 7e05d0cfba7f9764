"""STAFF_OTP_REQUIRED: staff without a second factor come in by no door, whenever their session was opened."""

import pytest

from accounts.erreurs import EnrolementExige
from accounts.models import DemandeMotDePasse, Session
from accounts.services import comptes as services
from accounts.services.sessions import connecter
from accounts.tests.fabriques import MOT_DE_PASSE
from accounts.tests.outils import entrer, munir, renouveler, se_connecter, statut_du_jeton
from config.serveur import identites
from config.tests.outils import ClientApi, acteur_de
from espace.tests.outils import Equipiere
from portail.tests.outils import Visiteuse
from socle.domaine.droits import Role
from socle.erreurs import AccesRefuse
from socle.realtime.auth import DemandeDeSocket, Identite
from socle.realtime.vocabulaire import FERMETURE_IDENTITE

pytestmark = pytest.mark.django_db
ENROLEMENT = "/equipe/second-facteur/"
PAGES = (
    "/equipe/dossiers/",
    "/equipe/tableau/",
    "/equipe/registre/",
    "/admin/",
    "/admin/accounts/compte/",
    "/admin/password_change/",
)


@pytest.fixture
def exige(settings):
    """exige(): the service is restarted with the setting."""

    def redemarrer() -> None:
        settings.STAFF_OTP_REQUIRED = True

    return redemarrer


def code_d_erreur(reponse):
    return reponse.status_code, reponse.json()["code"]


def par_socket(**parametres):
    return identites.identifier([DemandeDeSocket(parametres, {"headers": []})])[0]


@pytest.mark.parametrize("qui", ["gestionnaire", "admin"])
def test_la_connexion_par_l_api_dit_de_s_enroler(personne, exige, qui):
    compte = personne(qui)
    exige()

    assert code_d_erreur(se_connecter(compte)) == (403, "OTP_ENROLMENT_REQUIRED")
    assert code_d_erreur(se_connecter(compte, motDePasse="Faux-2026")) == (401, "INVALID_CREDENTIALS")
    assert not Session.objects.exists()


def test_les_autres_comptes_entrent_comme_avant(etudiante, exige):
    exige()

    donnees = se_connecter(etudiante).json()["data"]

    assert statut_du_jeton(donnees["token"]) == 200
    assert renouveler(donnees["refreshToken"]).status_code == 200


def test_qui_a_un_second_facteur_entre_par_toutes_les_portes(gestionnaire, exige):
    exige()
    _application, codes = munir(gestionnaire)

    donnees = se_connecter(gestionnaire, otp=codes[0]).json()["data"]

    assert ClientApi(jeton=donnees["token"]).get("/api/v1/signalements/").status_code == 200
    assert isinstance(par_socket(token=donnees["token"]), Identite)
    assert renouveler(donnees["refreshToken"]).status_code == 200


def test_une_session_ouverte_avant_n_ouvre_plus_rien(gestionnaire, exige):
    donnees = se_connecter(gestionnaire).json()["data"]
    identite = par_socket(token=donnees["token"])
    assert isinstance(identite, Identite)
    assert identites.revoir([identite]) == {identite}
    exige()

    lecture = ClientApi(jeton=donnees["token"]).get("/api/v1/signalements/")

    assert code_d_erreur(lecture) == (403, "OTP_ENROLMENT_REQUIRED")
    assert code_d_erreur(renouveler(donnees["refreshToken"])) == (403, "OTP_ENROLMENT_REQUIRED")
    assert par_socket(token=donnees["token"]).code == FERMETURE_IDENTITE
    assert identites.revoir([identite]) == set()
    assert Session.objects.actives().count() == 1  # the refusal of a refresh spends nothing


def test_une_promotion_n_ouvre_rien_a_la_session_d_avant(etudiante, admin, exige):
    exige()
    donnees = se_connecter(etudiante).json()["data"]
    assert statut_du_jeton(donnees["token"]) == 200

    services.modifier(compte=etudiante, acteur=acteur_de(admin), type_utilisateur=Role.GESTIONNAIRE)

    assert statut_du_jeton(donnees["token"]) == 403
    assert code_d_erreur(renouveler(donnees["refreshToken"])) == (403, "OTP_ENROLMENT_REQUIRED")
    assert par_socket(token=donnees["token"]).code == FERMETURE_IDENTITE


def test_un_role_perdu_rend_a_la_session_ce_qui_est_a_tous(gestionnaire, admin, exige):
    jeton = se_connecter(gestionnaire).json()["data"]["token"]
    exige()
    assert statut_du_jeton(jeton) == 403

    services.modifier(compte=gestionnaire, acteur=acteur_de(admin), type_utilisateur=Role.UTILISATEUR)

    assert statut_du_jeton(jeton) == 200


@pytest.mark.parametrize("adresse", PAGES)
def test_la_session_du_navigateur_mene_a_la_page_d_enrolement_et_nulle_part_ailleurs(admin, exige, adresse):
    navigateur = Equipiere(admin)
    assert navigateur.get(adresse, follow=True).status_code == 200
    exige()

    reponse = navigateur.get(adresse, follow=True)

    assert reponse.redirect_chain[-1][0] == ENROLEMENT
    assert reponse.status_code == 200


def test_un_formulaire_de_l_espace_envoye_sans_second_facteur_est_refuse(gestionnaire, exige, signalement):
    navigateur = Equipiere(gestionnaire)
    navigateur.get("/equipe/dossiers/")
    exige()

    reponse = navigateur.agir(signalement, "statut", statut="TRAITE")

    assert reponse.status_code == 403
    signalement.refresh_from_db()
    assert signalement.statut == "NOUVEAU"


def test_la_connexion_de_l_espace_mene_a_la_page_d_enrolement(gestionnaire, exige):
    exige()

    reponse = entrer(gestionnaire.email).get("/admin/", follow=True)

    assert reponse.redirect_chain[-1][0] == ENROLEMENT


def test_on_peut_sortir_sans_s_enroler(gestionnaire, exige):
    exige()
    navigateur = entrer(gestionnaire.email)

    navigateur.post("/admin/logout/")

    assert navigateur.get(ENROLEMENT).status_code == 302
    assert "_auth_user_id" not in navigateur.session


def test_un_socket_ne_s_ouvre_pas_par_le_cookie_de_qui_doit_s_enroler(gestionnaire, exige, rf):
    navigateur = Equipiere(gestionnaire)
    requete = rf.get("/", HTTP_COOKIE=f"sessionid={navigateur.cookies['sessionid'].value}")
    assert identites.acteur_de_l_equipe(requete).compte == gestionnaire
    exige()

    with pytest.raises(AccesRefuse):
        identites.acteur_de_l_equipe(requete)


def test_le_portail_ne_s_ouvre_ni_ne_reste_ouvert(gestionnaire, exige):
    ouverte = Visiteuse()
    corps = {"email": gestionnaire.email, "mot_de_passe": MOT_DE_PASSE}
    assert ouverte.envoyer("/compte/connexion/", corps).status_code == 303
    assert ouverte.get("/dossiers/").status_code == 200
    exige()

    nouvelle = Visiteuse().envoyer("/compte/connexion/", corps)

    assert nouvelle.status_code == 403
    assert ouverte.get("/dossiers/").status_code == 403


def test_un_lien_de_mot_de_passe_ne_contourne_pas_le_second_facteur(gestionnaire):
    application, _codes = munir(gestionnaire)
    demande = DemandeMotDePasse.objects.create(compte=gestionnaire, date_expiration="2100-01-01T00:00:00Z")
    corps = {"token": demande.jeton, "nouveauMotDePasse": "Baobab-penché-77"}
    assert ClientApi().post("/api/v1/auth/reset-password", corps).status_code == 200

    def connexion(**champs):
        return se_connecter(gestionnaire, motDePasse="Baobab-penché-77", **champs)

    assert code_d_erreur(connexion()) == (401, "OTP_REQUIRED")
    assert connexion(otp=application.code()).status_code == 200


def test_retirer_le_sien_ferme_aussi_la_session_qui_le_retire(gestionnaire, exige):
    exige()
    application, codes = munir(gestionnaire)
    jeton = se_connecter(gestionnaire, otp=codes[0]).json()["data"]["token"]
    corps = {"motDePasse": MOT_DE_PASSE, "otp": application.code()}

    ClientApi(jeton=jeton).post("/api/v1/comptes/me/second-facteur/retirer", corps)

    assert statut_du_jeton(jeton) == 403


def test_savoir_qui_demande_ne_coute_pas_une_requete_de_plus(gestionnaire, exige, django_assert_num_queries):
    exige()
    _application, codes = munir(gestionnaire)
    client = ClientApi(jeton=se_connecter(gestionnaire, otp=codes[0]).json()["data"]["token"])
    client.get("/api/v1/auth/validate")

    with django_assert_num_queries(1):
        assert client.get("/api/v1/auth/validate").status_code == 200


def test_le_service_refuse_aussi_d_ouvrir_une_session_depuis_un_shell(gestionnaire, exige):
    exige()

    with pytest.raises(EnrolementExige):
        connecter(email=gestionnaire.email, mot_de_passe=MOT_DE_PASSE, adresse="")
