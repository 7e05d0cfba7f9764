"""The second factor in the browser: the code of a sign-in, enrolment, recovery codes; without JavaScript."""

import re
import time
from uuid import UUID

import pytest

from accounts.authentication import ATTENTE
from accounts.models import SecondFacteur
from accounts.services import comptes as services
from accounts.services.second_facteur import reinitialiser
from accounts.tests import fabriques as comptes
from accounts.tests.fabriques import MOT_DE_PASSE
from accounts.tests.outils import Application, munir, se_connecter, statut_du_jeton
from config.tests.outils import acteur_de
from espace.tests.outils import LISTE, Equipiere, texte_de
from portail.tests.outils import Visiteuse
from socle.audit.models import Trace
from socle.audit.vocabulaire import Acte

pytestmark = pytest.mark.django_db
LE_MIEN, CODE = "/equipe/second-facteur/", "/equipe/connexion/"
CODES = re.compile(r"<code>([a-z0-9]{5}-[a-z0-9]{5})</code>")


def mot_de_passe(compte, suite="/equipe/dossiers/?vue=miens", client=None):
    """A browser that has given the password at the team's sign-in, and the answer."""
    client = client or Equipiere()
    corps = {"username": compte.email, "password": MOT_DE_PASSE, "next": suite}
    return client, client.envoyer("/admin/login/", corps)


def demarrer(client, **champs):
    return client.envoyer(LE_MIEN, {"acte": "demarrer", "demarrer-mot_de_passe": MOT_DE_PASSE, **champs})


def confirmer(client, otp):
    return client.envoyer(LE_MIEN, {"acte": "confirmer", "confirmer-otp": otp})


def prouver(client, acte, otp, secret=MOT_DE_PASSE):
    return client.envoyer(LE_MIEN, {"acte": acte, f"{acte}-otp": otp, f"{acte}-mot_de_passe": secret})


def application_de(compte):
    return Application(SecondFacteur.objects.get(compte=compte).secret)


# --- Signing in


def test_le_code_vient_apres_le_mot_de_passe_et_mene_ou_l_on_allait(gestionnaire):
    comptes.gestionnaire(pk=UUID(int=0))  # whom a search without a key would find first
    application, _codes = munir(gestionnaire)
    client, premiere = mot_de_passe(gestionnaire)
    cle = client.session.session_key

    assert premiere.headers["Location"] == CODE
    assert client.get(LISTE).status_code == 302
    entree = client.envoyer(CODE, {"otp": application.code()})

    assert (entree.status_code, entree.headers["Location"]) == (303, "/equipe/dossiers/?vue=miens")
    assert client.session.session_key != cle
    assert client.lire(LISTE)
    assert Trace.objects.get(acte=Acte.CONNEXION).details == {"acces": "espace", "facteur": "application"}


def test_une_cle_posee_d_avance_n_est_celle_ni_de_l_attente_ni_de_la_session(gestionnaire):
    application, _codes = munir(gestionnaire)
    client = Equipiere()
    client.session.save()
    posee = client.session.session_key

    mot_de_passe(gestionnaire, client=client)
    attente = client.session.session_key
    client.envoyer(CODE, {"otp": application.code()})

    assert len({posee, attente, client.session.session_key}) == 3


def test_un_mauvais_mot_de_passe_ne_mene_pas_au_code(gestionnaire):
    munir(gestionnaire)
    client = Equipiere()

    reponse = client.envoyer("/admin/login/", {"username": gestionnaire.email, "password": "Faux-2026"})

    assert reponse.status_code == 200
    assert client.get(CODE).headers["Location"] == "/admin/login/"


def test_un_code_faux_se_redemande_et_s_ecrit_au_registre(gestionnaire):
    application, _codes = munir(gestionnaire)
    client, _premiere = mot_de_passe(gestionnaire)

    faux = client.envoyer(CODE, {"otp": application.faux()})
    vide = client.envoyer(CODE, {"otp": ""})

    assert (faux.status_code, vide.status_code) == (401, 401)
    assert "Ce code n'est pas le bon" in texte_de(faux)
    assert Trace.objects.get(acte=Acte.CONNEXION_REFUSEE).details == {"motif": "otp"}
    assert client.get(LISTE).status_code == 302


def test_trop_de_codes_faux_font_attendre(gestionnaire, settings):
    settings.THROTTLE_ENABLED = True
    application, _codes = munir(gestionnaire)
    client, _premiere = mot_de_passe(gestionnaire)
    for _essai in range(10):
        client.envoyer(CODE, {"otp": application.faux()})

    reponse = client.envoyer(CODE, {"otp": application.code()})

    assert reponse.status_code == 429
    assert "Retry-After" in reponse.headers


def test_l_attente_finit_apres_cinq_minutes(gestionnaire):
    application, _codes = munir(gestionnaire)
    client, _premiere = mot_de_passe(gestionnaire)
    session = client.session
    session[ATTENTE] = {**session[ATTENTE], "fin": time.time() - 1}
    session.save()

    reponse = client.envoyer(CODE, {"otp": application.code()})

    assert (client.get(CODE).status_code, reponse.headers["Location"]) == (302, "/admin/login/")
    assert client.get(LISTE).status_code == 302


@pytest.mark.parametrize("entre_temps", ["mot de passe", "reinitialisation", "desactivation"])
def test_l_attente_ne_survit_pas_a_ce_qui_change_le_compte(gestionnaire, admin, entre_temps):
    application, _codes = munir(gestionnaire)
    client, _premiere = mot_de_passe(gestionnaire)
    acteur = acteur_de(admin)
    if entre_temps == "mot de passe":
        services.imposer_mot_de_passe(compte=gestionnaire, nouveau_mot_de_passe="Baobab-penché-77", acteur=acteur)
    elif entre_temps == "reinitialisation":
        reinitialiser(compte=gestionnaire, acteur=acteur)
    else:
        services.desactiver(compte=gestionnaire, acteur=acteur)

    reponse = client.envoyer(CODE, {"otp": application.code()})

    assert (reponse.status_code, reponse.headers["Location"]) == (302, "/admin/login/")
    assert "_auth_user_id" not in client.session


@pytest.mark.parametrize("suite", ["https://ailleurs.example/", "//ailleurs.example/", "javascript:alert(1)"])
def test_le_code_ne_mene_pas_sur_un_autre_site(gestionnaire, suite):
    application, _codes = munir(gestionnaire)
    client, _premiere = mot_de_passe(gestionnaire, suite=suite)

    assert client.envoyer(CODE, {"otp": application.code()}).headers["Location"] == "/admin/"


def test_l_attente_d_un_navigateur_n_est_pas_celle_d_un_autre(gestionnaire):
    application, _codes = munir(gestionnaire)
    mot_de_passe(gestionnaire)
    autre = Equipiere()
    autre.get("/admin/login/")

    assert autre.envoyer(CODE, {"otp": application.code()}).headers["Location"] == "/admin/login/"


def test_peu_de_codes_de_secours_le_disent_a_la_connexion(gestionnaire):
    _application, codes = munir(gestionnaire)
    SecondFacteur.objects.update(codes=SecondFacteur.objects.get().codes[:4])
    client, _premiere = mot_de_passe(gestionnaire)

    entree = client.envoyer(CODE, {"otp": codes[0]})

    assert entree.headers["Location"] == LE_MIEN
    assert "Il vous reste peu de codes de secours" in client.lire(LE_MIEN)


# --- Enrolment


def test_s_enroler_montre_un_dessin_un_secret_puis_dix_codes_une_fois(gestionnaire):
    ailleurs = se_connecter(gestionnaire).json()["data"]["token"]
    client, autre_navigateur = Equipiere(gestionnaire), Equipiere(gestionnaire)

    assert demarrer(client).status_code == 303
    page = client.lire(LE_MIEN)
    cle = client.session.session_key
    donnes = confirmer(client, application_de(gestionnaire).code())

    assert "<svg" in page
    assert " style=" not in page
    assert SecondFacteur.objects.get().secret in page
    assert len(CODES.findall(texte_de(donnes))) == 10
    assert "no-store" in donnes.headers["Cache-Control"]
    assert client.session.session_key != cle
    assert not CODES.findall(client.lire(LE_MIEN))
    assert statut_du_jeton(ailleurs) == 401
    assert autre_navigateur.get(LISTE).status_code == 302
    assert client.lire(LISTE)


def test_commencer_demande_le_mot_de_passe_quand_il_n_est_pas_recent(gestionnaire):
    client = Equipiere(gestionnaire)

    refus = demarrer(client, **{"demarrer-mot_de_passe": "Faux-2026"})

    assert refus.status_code == 422
    assert "Ce n'est pas votre mot de passe actuel." in texte_de(refus)
    assert not SecondFacteur.objects.exists()


def test_le_secret_n_est_montre_qu_au_navigateur_qui_l_a_demande(gestionnaire):
    demarrer(Equipiere(gestionnaire))
    autre = Equipiere(gestionnaire)

    assert SecondFacteur.objects.get().secret not in autre.lire(LE_MIEN)
    assert confirmer(autre, application_de(gestionnaire).code()).status_code == 303
    assert SecondFacteur.objects.get().date_activation is None


def test_un_premier_code_faux_se_redemande_avec_le_meme_secret(gestionnaire):
    client = Equipiere(gestionnaire)
    demarrer(client)

    refus = confirmer(client, application_de(gestionnaire).faux())

    assert refus.status_code == 422
    assert SecondFacteur.objects.get().secret in texte_de(refus)


def test_exige_la_connexion_mene_droit_a_l_enrolement_sans_redemander_le_mot_de_passe(gestionnaire, settings):
    settings.STAFF_OTP_REQUIRED = True
    client, premiere = mot_de_passe(gestionnaire)

    page = client.lire(LE_MIEN)
    client.envoyer(LE_MIEN, {"acte": "demarrer"})
    confirmer(client, application_de(gestionnaire).code())

    assert premiere.headers["Location"] == LE_MIEN
    assert "demarrer-mot_de_passe" not in page
    assert client.lire(LISTE)
    assert client.get("/admin/").status_code == 200


def test_refaire_et_retirer_dans_la_page(gestionnaire):
    application, codes = munir(gestionnaire)
    client, _premiere = mot_de_passe(gestionnaire)
    client.envoyer(CODE, {"otp": application.code()})

    faux = prouver(client, "refaire", codes[0], secret="Faux-2026")
    nouveaux = CODES.findall(texte_de(prouver(client, "refaire", codes[0])))
    retrait = prouver(client, "retirer", nouveaux[0])

    assert faux.status_code == 422
    assert len(nouveaux) == 10
    assert retrait.status_code == 303
    assert not SecondFacteur.objects.exists()
    assert client.lire(LISTE)


def test_retirer_quand_il_est_exige_ramene_a_l_enrolement(gestionnaire, settings):
    settings.STAFF_OTP_REQUIRED = True
    application, codes = munir(gestionnaire)
    client, _premiere = mot_de_passe(gestionnaire)
    client.envoyer(CODE, {"otp": application.code()})
    assert client.lire(LISTE)

    prouver(client, "retirer", codes[0])

    assert client.get(LISTE).headers["Location"] == LE_MIEN


def test_un_acte_inconnu_ramene_a_la_page(gestionnaire):
    assert Equipiere(gestionnaire).envoyer(LE_MIEN, {"acte": "inventé"}).headers["Location"] == LE_MIEN


def test_la_page_est_a_l_equipe(etudiante):
    assert Equipiere().get(LE_MIEN).status_code == 302
    assert Equipiere(etudiante).get(LE_MIEN).status_code == 403


# --- The list of accounts, and the portal


def test_la_liste_des_comptes_dit_qui_en_a_un_et_le_reinitialise(admin, gestionnaire, django_assert_num_queries):
    munir(gestionnaire)
    client = Equipiere(admin)
    page = client.lire("/admin/accounts/compte/")
    action = {"action": "reinitialiser_le_second_facteur", "_selected_action": [str(gestionnaire.pk)], "index": "0"}

    client.envoyer("/admin/accounts/compte/", action)

    assert page.count('alt="oui"') == 3  # both are active, one has a second factor
    assert not SecondFacteur.objects.exists()
    assert Trace.objects.get(acte=Acte.SECOND_FACTEUR_REINITIALISE).acteur == admin.pk


def test_le_portail_demande_aussi_le_code(gestionnaire):
    application, _codes = munir(gestionnaire)
    corps = {"email": gestionnaire.email, "mot_de_passe": MOT_DE_PASSE}
    elle = Visiteuse()

    sans = elle.envoyer("/compte/connexion/", corps)
    faux = elle.envoyer("/compte/connexion/", {**corps, "otp": application.faux()})
    juste = elle.envoyer("/compte/connexion/", {**corps, "otp": application.code()})

    assert [reponse.status_code for reponse in (sans, faux, juste)] == [401, 401, 303]
    assert 'name="otp"' in texte_de(sans)
    assert 'name="otp"' not in elle.lire("/compte/connexion/")
    assert elle.get("/dossiers/").status_code == 200


def test_s_inscrire_au_portail_n_ouvre_pas_un_compte_qui_a_un_second_facteur(gestionnaire):
    munir(gestionnaire)
    corps = {"email": gestionnaire.email, "mot_de_passe": MOT_DE_PASSE, "prenom": "Paul", "nom": "Ilunga"}

    reponse = Visiteuse().envoyer("/compte/inscription/", corps)

    assert reponse.status_code == 409
    assert "espace" not in reponse.cookies
