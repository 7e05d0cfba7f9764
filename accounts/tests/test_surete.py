"""What a person is told of that the holder of their password does, whoever it was."""

import pytest

from accounts.models import Preferences, Session
from accounts.tests.fabriques import MOT_DE_PASSE
from accounts.tests.outils import Application, jeton_lu, munir, se_connecter
from config.tests.outils import ClientApi, client_de
from config.tests.outils.typographie import ordinaire
from espace.tests.outils import Equipiere
from portail.tests.outils import Visiteuse
from socle.pages.depart import nom_du_cookie
from socle.taches.tests.outils import faire_les_taches

pytestmark = pytest.mark.django_db
LE_MIEN = "/api/v1/comptes/me/second-facteur"
NOUVEAU = "Un-autre-secret-2026"
APPAREIL = "appareil qui n'avait pas encore servi"


@pytest.fixture
def recus(mailoutbox):
    """The mails that what was done sends, as pairs of address and text."""

    def lire():
        faire_les_taches()
        lus = [(message.to[0], ordinaire(message.body)) for message in mailoutbox]
        mailoutbox.clear()
        return lus

    return lire


def activer(compte, _recus):
    client = client_de(compte)
    secret = client.post(LE_MIEN, {"motDePasse": MOT_DE_PASSE}).json()["data"]["secret"]
    return client.post(f"{LE_MIEN}/confirmer", {"otp": Application(secret).code()})


def retirer(compte, _recus):
    application, _codes = munir(compte)
    return client_de(compte).post(f"{LE_MIEN}/retirer", {"motDePasse": MOT_DE_PASSE, "otp": application.code()})


def refaire_les_codes(compte, _recus):
    application, _codes = munir(compte)
    return client_de(compte).post(f"{LE_MIEN}/codes", {"motDePasse": MOT_DE_PASSE, "otp": application.code()})


def entrer_par_un_code_de_secours(compte, recus):
    application, codes = munir(compte)
    se_connecter(compte, otp=application.code())
    recus()  # of a device that is known since
    return se_connecter(compte, otp=codes[0])


def changer_le_mot_de_passe(compte, _recus):
    corps = {"ancienMotDePasse": MOT_DE_PASSE, "nouveauMotDePasse": NOUVEAU}
    return client_de(compte).put("/api/v1/comptes/me/password", corps)


def changer_par_un_lien(compte, recus):
    ClientApi().post("/api/v1/auth/forgot-password", {"email": compte.email})
    ((_a, texte),) = recus()
    corps = {"token": jeton_lu(texte), "nouveauMotDePasse": NOUVEAU}
    return ClientApi().post("/api/v1/auth/reset-password", corps)


def changer_dans_l_espace(compte, recus):
    client = entrer(compte)
    recus()
    corps = {"old_password": MOT_DE_PASSE, "new_password1": NOUVEAU, "new_password2": NOUVEAU}
    return client.envoyer("/admin/password_change/", corps)


FAITS = [
    (activer, "Un second facteur a été activé."),
    (retirer, "Le second facteur a été retiré."),
    (refaire_les_codes, "Des codes de secours ont été demandés"),
    (entrer_par_un_code_de_secours, "Un code de secours a servi"),
    (changer_le_mot_de_passe, "Le mot de passe a été changé."),
    (changer_par_un_lien, "Le mot de passe a été changé."),
    (changer_dans_l_espace, "Le mot de passe a été changé."),
]


@pytest.mark.parametrize(("faire", "dit"), FAITS, ids=[faire.__name__ for faire, _dit in FAITS])
def test_la_personne_apprend_ce_que_son_mot_de_passe_a_permis(gestionnaire, recus, faire, dit, time_machine, settings):
    settings.TIME_ZONE_CAMPUS = "Europe/Paris"
    time_machine.move_to("2026-03-02T13:30:00Z", tick=True)
    assert faire(gestionnaire, recus).status_code in (200, 204, 302)

    ((a, texte),) = recus()
    assert a == gestionnaire.email
    assert dit in texte
    assert "2 mars 2026, 14:30" in texte
    assert "mot de passe oublié" in texte


def test_ce_qui_est_refuse_n_envoie_rien(gestionnaire, recus):
    application, _codes = munir(gestionnaire)
    client = client_de(gestionnaire)
    client.post(f"{LE_MIEN}/retirer", {"motDePasse": MOT_DE_PASSE, "otp": application.faux()})
    client.post(f"{LE_MIEN}/codes", {"motDePasse": "Faux-2026", "otp": application.code()})
    client.put("/api/v1/comptes/me/password", {"ancienMotDePasse": "Faux-2026", "nouveauMotDePasse": NOUVEAU})

    assert recus() == []


def test_le_mail_est_neutre_et_dans_la_langue_de_la_personne(etudiante, mailoutbox):
    Preferences.objects.create(compte=etudiante, langue="en", notifications_email=False)
    changer_le_mot_de_passe(etudiante, None)
    faire_les_taches()

    (message,) = mailoutbox
    assert "The password was changed." in message.body
    assert message.extra_headers["Auto-Submitted"] == "auto-generated"
    tout = f"{message.subject} {message.body} {message.alternatives[0].content}".lower()
    assert [mot for mot in ("report", "signalement", "dossier", "campus.test") if mot in tout] == []


# --- The team's door


def entrer(compte, client=None, secret=MOT_DE_PASSE, otp=""):
    """A browser that signs in at the team's door."""
    client = client or Equipiere()
    corps = {"username": compte.email, "password": secret, "next": "/equipe/dossiers/"}
    assert client.envoyer("/admin/login/", corps).status_code in (302, 303)
    if otp:
        assert client.envoyer("/equipe/connexion/", {"otp": otp}).status_code == 303
    return client


def sortir(client):
    client.envoyer("/admin/logout/", {})


def test_un_appareil_nouveau_a_la_porte_de_l_equipe_est_dit_une_fois(gestionnaire, recus):
    client = entrer(gestionnaire)
    ((a, texte),) = recus()
    sortir(client)
    entrer(gestionnaire, client)

    assert (a, APPAREIL in texte) == (gestionnaire.email, True)
    assert recus() == []
    entrer(gestionnaire)
    assert [APPAREIL in texte for _a, texte in recus()] == [True]


def test_le_mot_de_passe_seul_n_est_pas_une_entree(gestionnaire, recus):
    application, _codes = munir(gestionnaire)
    client = entrer(gestionnaire)
    assert recus() == []

    client.envoyer("/equipe/connexion/", {"otp": application.code()})

    assert [APPAREIL in texte for _a, texte in recus()] == [True]


def test_un_poste_partage_connait_chacun_de_ceux_qui_s_en_servent(gestionnaire, admin, recus):
    client = entrer(gestionnaire)
    sortir(client)
    entrer(admin, client)
    assert [a for a, _texte in recus()] == [gestionnaire.email, admin.email]
    sortir(client)

    entrer(gestionnaire, client)

    assert recus() == []


def test_l_appareil_n_est_plus_connu_apres_un_changement_de_mot_de_passe(gestionnaire, recus):
    client = entrer(gestionnaire)
    sortir(client)
    changer_le_mot_de_passe(gestionnaire, recus)
    recus()

    entrer(gestionnaire, client, secret=NOUVEAU)

    assert [APPAREIL in texte for _a, texte in recus()] == [True]


@pytest.mark.parametrize("pose", ["", "n'importe quoi", "eyJhIjoxfQ:1:2", "é" * 5000])
def test_un_cookie_qui_n_est_pas_de_nous_ne_fait_connaitre_aucun_appareil(gestionnaire, recus, pose):
    client = Equipiere()
    client.cookies[nom_du_cookie("appareil")] = pose

    entrer(gestionnaire, client)

    assert [APPAREIL in texte for _a, texte in recus()] == [True]


def test_le_cookie_de_l_appareil_ne_nomme_personne_et_n_ouvre_rien(gestionnaire):
    cookie = entrer(gestionnaire).cookies[nom_du_cookie("appareil")]

    assert (cookie["httponly"], cookie["samesite"]) == (True, "Strict")
    assert str(gestionnaire.pk) not in cookie.value
    autre = Equipiere()
    autre.cookies[nom_du_cookie("appareil")] = cookie.value
    assert autre.get("/equipe/dossiers/").status_code == 302


def test_un_mot_de_passe_que_l_on_change_soi_meme_laisse_son_navigateur_connu(gestionnaire, recus):
    client = entrer(gestionnaire)
    recus()
    champs = {"old_password": MOT_DE_PASSE, "new_password1": NOUVEAU, "new_password2": NOUVEAU}
    assert 'autocomplete="username" value="paul@campus.test"' in client.get("/equipe/compte/").content.decode()
    client.post("/admin/password_change/", champs)
    client.post("/admin/logout/")
    recus()

    client.post("/admin/login/?next=/admin/", {"username": gestionnaire.email, "password": NOUVEAU})

    assert recus() == []


# --- Where no cookie of ours is kept ----------------------------------------------------------------------------------

FIREFOX, CURL = "Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0", "curl/8.5.0"


def par_l_api(compte, *, agent=FIREFOX, appareil="Bureau", mot_de_passe=MOT_DE_PASSE, **champs):
    corps = {"email": compte.email, "motDePasse": mot_de_passe, "appareil": appareil, **champs}
    reponse = ClientApi().post("/api/v1/auth/login", corps, headers={"User-Agent": agent})
    assert reponse.status_code == 200
    return reponse.json()["data"]


def dits(recus):
    return [APPAREIL in texte for _a, texte in recus()]


def test_un_appareil_nouveau_de_l_equipe_se_dit_par_l_api_aussi_et_une_fois(gestionnaire, recus):
    for ce_qui_change, attendu in (
        ({}, [True]),
        ({}, []),
        ({"agent": FIREFOX.replace("143", "144")}, []),  # updated overnight
        ({"agent": CURL}, [True]),
        ({"appareil": "Portable"}, [True]),
        ({"agent": CURL}, []),
    ):
        par_l_api(gestionnaire, **ce_qui_change)
        assert dits(recus) == attendu, ce_qui_change


def test_un_renouvellement_garde_l_appareil_et_un_autre_mot_de_passe_l_oublie(gestionnaire, recus):
    jeton = par_l_api(gestionnaire)["refreshToken"]
    recus()
    ClientApi().post("/api/v1/auth/refresh", {"refreshToken": jeton})
    par_l_api(gestionnaire)
    assert dits(recus) == []

    changer_le_mot_de_passe(gestionnaire, recus)
    recus()
    par_l_api(gestionnaire, mot_de_passe=NOUVEAU)
    assert dits(recus) == [True]


def test_l_appareil_d_une_autre_personne_n_est_pas_connu_pour_soi(gestionnaire, admin, recus):
    par_l_api(gestionnaire)
    recus()

    par_l_api(admin)

    assert dits(recus) == [True]


def test_d_une_etudiante_rien_n_est_dit_ni_garde(etudiante, recus):
    par_l_api(etudiante)

    assert (recus(), list(Session.objects.values_list("provenance", flat=True))) == ([], [""])


def test_un_mot_de_passe_ou_un_code_faux_ne_fait_connaitre_aucun_appareil(gestionnaire, recus):
    munir(gestionnaire)
    for champs in ({"motDePasse": "faux"}, {"motDePasse": MOT_DE_PASSE, "otp": "000000"}):
        refus = ClientApi().post("/api/v1/auth/login", {"email": gestionnaire.email, **champs})
        assert refus.status_code == 401
    assert dits(recus) == []
    assert not Session.objects.exists()


def test_le_portail_le_dit_aussi(gestionnaire, recus):
    for attendu in ([True], []):
        assert Visiteuse().se_connecter(gestionnaire).status_code == 303
        assert dits(recus) == attendu
