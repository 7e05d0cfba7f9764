from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Compte, DemandeMotDePasse, Preferences
from accounts.tests import fabriques
from accounts.tests.fabriques import MOT_DE_PASSE
from accounts.tests.outils import AUTH, hors_surete, jeton_recu, lien_recu, renouveler, se_connecter, statut_du_jeton
from config.tests.outils import ClientApi, champs_refuses
from config.tests.outils.typographie import ordinaire
from socle.domaine.limites import Taux
from socle.taches.tests.outils import faire_les_taches

pytestmark = pytest.mark.django_db
NOUVEAU = "Baobab-penché-77"


def oublier(email, **extra):
    return ClientApi().post(f"{AUTH}forgot-password", {"email": email}, **extra)


def choisir(jeton, mot_de_passe=NOUVEAU):
    return ClientApi().post(f"{AUTH}reset-password", {"token": jeton, "nouveauMotDePasse": mot_de_passe})


@pytest.fixture
def jeton(etudiante, mailoutbox):
    """The token that was mailed to the student."""
    oublier(etudiante.email)
    faire_les_taches()
    return jeton_recu(mailoutbox[-1])


# --- Forgotten ------------------------------------------------------------------------------------------------------


def test_une_adresse_connue_et_une_inconnue_ont_la_meme_reponse(etudiante):
    connue, inconnue = oublier(etudiante.email), oublier("personne@campus.test")

    for reponse in (connue, inconnue):
        assert (reponse.status_code, reponse.json()["data"]) == (200, None)
    assert connue.json()["message"] == inconnue.json()["message"]


def test_une_adresse_connue_et_une_inconnue_coutent_autant_de_requetes(etudiante):
    couts = []
    for email in (etudiante.email, "personne@campus.test"):
        with CaptureQueriesContext(connection) as requetes:
            oublier(email)
        couts.append([r["sql"].split(" ", 1)[0] for r in requetes])

    assert couts[0] == couts[1]


def test_le_lien_vient_du_reglage_et_jamais_de_l_hote(etudiante, settings, mailoutbox):
    settings.RESET_URL = "https://front.campus.test/choisir"
    settings.ALLOWED_HOSTS = ["*"]

    oublier(etudiante.email, headers={"Host": "pirate.test", "X-Forwarded-Host": "pirate.test"})
    faire_les_taches()

    (message,) = mailoutbox
    html = message.alternatives[0][0]
    assert lien_recu(message).startswith("https://front.campus.test/choisir?token=")
    assert lien_recu(message) in html
    assert "pirate" not in message.body + html


def test_le_courriel_est_en_francais_en_texte_et_en_html(etudiante, mailoutbox):
    Compte.objects.update(email_verifie=True)

    oublier(etudiante.email)
    faire_les_taches()

    (message,) = mailoutbox
    html, type_ = message.alternatives[0]
    assert (message.to, message.subject) == (["awa@campus.test"], "Votre nouveau mot de passe")
    assert "Bonjour Awa," in message.body
    assert "Bonjour <bdi>Awa</bdi>," in html
    assert "Ce lien est valable une heure et ne sert qu'une fois." in ordinaire(message.body)
    assert (type_, '<html lang="fr">' in html) == ("text/html", True)


def test_le_courriel_suit_la_langue_des_preferences(etudiante, mailoutbox):
    Preferences.objects.create(compte=etudiante, langue="en")

    oublier(etudiante.email)
    faire_les_taches()

    (message,) = mailoutbox
    assert '<html lang="en">' in message.alternatives[0][0]
    assert "Bonjour" not in message.body


def test_une_apostrophe_dans_le_prenom_reste_une_apostrophe(mailoutbox):
    oublier(fabriques.compte(prenom="N'Golo", email_verifie=True).email)
    faire_les_taches()

    assert "Bonjour N'Golo," in mailoutbox[0].body


def test_le_courriel_ne_nomme_personne_a_une_adresse_que_rien_n_a_prouvee(etudiante, mailoutbox):
    oublier(etudiante.email)
    faire_les_taches()

    (message,) = mailoutbox
    for texte in (message.body, message.alternatives[0][0]):
        assert "Bonjour," in texte
        assert "Awa" not in texte


@pytest.mark.parametrize("qui", ["inconnue", "désactivé"])
def test_rien_ne_part_sans_compte_actif_et_rien_n_en_reste(etudiante, mailoutbox, qui):
    Compte.objects.update(est_actif=False)

    oublier(etudiante.email if qui == "désactivé" else "personne@campus.test")
    faire_les_taches()

    assert mailoutbox == []
    assert not DemandeMotDePasse.objects.exists()


def test_deux_clics_sont_un_courriel_et_une_demande_d_apres_un_autre(
    etudiante, autre_etudiante, mailoutbox, time_machine
):
    for secondes, qui in enumerate((etudiante, etudiante, autre_etudiante)):
        time_machine.move_to(f"2026-03-02T10:00:{secondes:02}Z", tick=False)
        oublier(qui.email)
    faire_les_taches()
    oublier(etudiante.email)
    faire_les_taches()

    assert sorted(message.to[0] for message in mailoutbox) == sorted([etudiante.email, autre_etudiante.email])
    assert choisir(jeton_recu(next(un for un in mailoutbox if un.to == [etudiante.email]))).status_code == 200

    time_machine.move_to("2026-03-02T10:00:21Z", tick=False)
    oublier(etudiante.email)
    faire_les_taches()

    assert [message.to for message in hors_surete(mailoutbox)].count([etudiante.email]) == 2


def test_un_lien_expire_avant_de_partir_ne_part_plus(etudiante, mailoutbox):
    oublier(etudiante.email)
    DemandeMotDePasse.objects.update(date_expiration=timezone.now())

    faire_les_taches()

    assert mailoutbox == []


def test_un_lien_deja_remplace_ne_part_plus(etudiante, mailoutbox):
    oublier(etudiante.email)
    oublier(etudiante.email)
    choisir(DemandeMotDePasse.objects.first().jeton)

    faire_les_taches()

    assert hors_surete(mailoutbox) == []


@pytest.mark.parametrize("email", ["awa@campus.test", "personne@campus.test"])
def test_cinq_demandes_par_heure_et_par_adresse_connue_ou_non(etudiante, settings, email):
    settings.THROTTLE_ENABLED = True
    settings.THROTTLES = {**settings.THROTTLES, "forgot_password_account": Taux(5, 86_400)}

    reponses = [oublier(ecrite) for ecrite in [email] * 3 + [email.upper()] * 3]

    assert [r.status_code for r in reponses] == [200] * 5 + [429]
    assert int(reponses[-1]["Retry-After"]) > 0
    assert oublier("lea@campus.test").status_code == 200
    assert oublier(email, REMOTE_ADDR="10.0.0.9").status_code == 429


# --- Chosen anew ----------------------------------------------------------------------------------------------------


def test_le_lien_change_le_mot_de_passe_et_termine_toutes_les_sessions(etudiante, jeton):
    session = se_connecter(etudiante).json()["data"]

    reponse = choisir(jeton)

    etudiante.refresh_from_db()
    assert (reponse.status_code, reponse.json()["data"]) == (200, None)
    assert etudiante.check_password(NOUVEAU)
    assert statut_du_jeton(session["token"]) == 401
    assert renouveler(session["refreshToken"]).status_code == 401
    assert se_connecter(etudiante).status_code == 401
    assert se_connecter(etudiante, motDePasse=NOUVEAU).status_code == 200


def test_le_lien_prouve_l_adresse(api, etudiante, jeton):
    avant = api(etudiante).get("/api/v1/comptes/me").json()["data"]["emailVerifie"]

    choisir(jeton)

    etudiante.refresh_from_db()
    assert (avant, etudiante.email_verifie) == (False, True)


@pytest.mark.usefixtures("sans_confirmation")
@pytest.mark.parametrize("acte", ["adresse", "mot de passe", "désactivation"])
def test_le_lien_ne_survit_pas_a_ce_que_l_administration_change(api, admin, etudiante, jeton, acte):
    url = f"/api/v1/comptes/{etudiante.pk}"
    match acte:
        case "adresse":
            api(admin).put(url, {"email": "eva@campus.test"})
        case "mot de passe":
            api(admin).put(f"{url}/reset-password", {"nouveauMotDePasse": "Manguier-droit-78"})
        case "désactivation":
            api(admin).put(f"{url}/deactivate")
            api(admin).put(f"{url}/reactivate")

    assert champs_refuses(choisir(jeton)) == {"token"}
    etudiante.refresh_from_db()
    assert (etudiante.check_password(NOUVEAU), etudiante.email_verifie) == (False, False)


def test_le_lien_sert_une_fois(etudiante, jeton):
    choisir(jeton)

    assert champs_refuses(choisir(jeton, "Manguier-droit-78")) == {"token"}
    etudiante.refresh_from_db()
    assert etudiante.check_password(NOUVEAU)


def test_les_autres_liens_du_compte_meurent_avec_celui_qui_sert(etudiante, jeton, mailoutbox):
    DemandeMotDePasse.objects.update(date_creation=timezone.now() - timedelta(minutes=1))
    oublier(etudiante.email)
    faire_les_taches()
    assert len(mailoutbox) == 2
    choisir(jeton)

    assert champs_refuses(choisir(jeton_recu(mailoutbox[-1]), "Manguier-droit-78")) == {"token"}


def test_le_lien_vaut_une_heure(etudiante, time_machine, mailoutbox):
    debut = timezone.now()
    time_machine.move_to(debut, tick=False)
    oublier(etudiante.email)
    faire_les_taches()
    jeton = jeton_recu(mailoutbox[0])

    time_machine.move_to(debut + timedelta(hours=1), tick=False)

    assert champs_refuses(choisir(jeton)) == {"token"}
    time_machine.move_to(debut + timedelta(minutes=59), tick=False)
    assert choisir(jeton).status_code == 200


@pytest.mark.parametrize("faible", ["court", "password123", "8675309867", "awa@campus.test"])
def test_un_mot_de_passe_faible_laisse_le_lien_vivant(etudiante, jeton, faible):
    assert champs_refuses(choisir(jeton, faible)) == {"nouveauMotDePasse"}

    assert choisir(jeton).status_code == 200


@pytest.mark.parametrize("corps", [{"nouveauMotDePasse": "court"}, {"nouveauMotDePasse": "court", "token": ""}])
def test_un_lien_mort_et_un_mot_de_passe_faible_se_disent_ensemble(corps):
    reponse = ClientApi().post(f"{AUTH}reset-password", {"token": "n-importe-quoi", **corps})

    assert champs_refuses(reponse) == {"token", "nouveauMotDePasse"}


def test_un_lien_mort_est_dit_meme_sans_mot_de_passe(etudiante, jeton):
    vivant, mort = (ClientApi().post(f"{AUTH}reset-password", {"token": lien}) for lien in (jeton, "n-importe-quoi"))

    assert champs_refuses(vivant) == {"nouveauMotDePasse"}
    assert champs_refuses(mort) == {"token", "nouveauMotDePasse"}


def test_un_lien_d_un_compte_desactive_depuis_ne_vaut_plus(etudiante, jeton):
    Compte.objects.update(est_actif=False)

    assert champs_refuses(choisir(jeton)) == {"token"}


@pytest.mark.parametrize("comment", ["inconnu", "falsifié", "d'une invitation", "d'une adresse sans compte"])
def test_un_jeton_qui_n_a_pas_ete_envoye_ne_change_rien(etudiante, admin, jeton, comment):
    fin = timezone.now() + timedelta(hours=1)
    mauvais = {
        "inconnu": lambda: "n-importe-quoi",
        "falsifié": lambda: jeton[:-1] + ("A" if jeton[-1] != "A" else "B"),
        "d'une invitation": lambda: fabriques.invitation(admin, email=etudiante.email).jeton,
        "d'une adresse sans compte": lambda: DemandeMotDePasse.objects.create(date_expiration=fin).jeton,
    }[comment]()

    assert champs_refuses(choisir(mauvais)) == {"token"}

    etudiante.refresh_from_db()
    assert etudiante.check_password(MOT_DE_PASSE)
