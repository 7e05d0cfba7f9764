from datetime import timedelta

import jwt
import pytest
from django.conf import settings as reglages
from django.utils import timezone

from accounts.models import Compte, DemandeMotDePasse, Invitation, Session
from accounts.services import invitations
from accounts.tests import fabriques
from accounts.tests.fabriques import MOT_DE_PASSE
from accounts.tests.outils import AUTH, renouveler, se_connecter, statut_du_jeton
from config.tests.outils import ClientApi, champs_refuses
from socle.domaine.droits import Role
from socle.domaine.limites import Taux

pytestmark = pytest.mark.django_db
CORPS = {"email": "nadia@campus.test", "motDePasse": "Rivière-calme-42", "nom": "Kanza", "prenom": "Nadia"}


# --- Signup ---------------------------------------------------------------------------------------------------------


def test_s_inscrire_cree_un_utilisateur_sans_le_connecter(api):
    reponse = api(None).post(f"{AUTH}signup", {**CORPS, "email": " Nadia@Campus.test ", "bureauGenreId": "bg-7"})

    recu = reponse.json()["data"]
    assert reponse.status_code == 201
    assert (recu["email"], recu["typeUtilisateur"], recu["bureauGenreId"]) == (
        "nadia@campus.test",
        "UTILISATEUR",
        "bg-7",
    )
    assert (recu["estActif"], recu["telephone"], recu["derniereConnexion"]) == (True, None, None)
    assert not Session.objects.exists()
    assert Compte.objects.get().check_password(CORPS["motDePasse"])


@pytest.mark.parametrize("cle", ["typeUtilisateur", "role", "type_utilisateur", "is_superuser", "estActif", "id"])
def test_un_role_envoye_a_l_inscription_ne_change_rien(api, admin, cle):
    reponse = api(None).post(f"{AUTH}signup", {**CORPS, cle: str(admin.pk) if cle == "id" else "ADMIN_SYSTEME"})

    assert reponse.status_code == 201
    assert Compte.objects.get(email=CORPS["email"]).type_utilisateur == "UTILISATEUR"


@pytest.mark.parametrize("email", ["awa@campus.test", "AWA@Campus.TEST", "  awa@campus.test "])
def test_une_adresse_deja_prise_est_refusee_sans_regard_a_la_casse(api, etudiante, email):
    reponse = api(None).post(f"{AUTH}signup", {**CORPS, "email": email})

    assert (reponse.status_code, reponse.json()["code"]) == (409, "EMAIL_ALREADY_USED")
    assert "Connectez-vous" in reponse.json()["message"]
    assert Compte.objects.count() == 1


@pytest.mark.parametrize(
    "faible",
    ["Cour7!x", "password123", "8675309867", "nadia@campus.test", "nadiakanza", "x" * 1025, "", 1234567890, None],
)
def test_un_mot_de_passe_faible_est_refuse_sur_son_champ(api, faible):
    reponse = api(None).post(f"{AUTH}signup", {**CORPS, "nom": "Nadiakanza", "motDePasse": faible})

    assert champs_refuses(reponse) == {"motDePasse"}
    assert not Compte.objects.exists()


def test_un_mot_de_passe_garde_ses_espaces(api):
    api(None).post(f"{AUTH}signup", {**CORPS, "motDePasse": "  Rivière calme  "})

    reponse = api(None).post(f"{AUTH}login", {"email": CORPS["email"], "motDePasse": "Rivière calme"})

    assert reponse.status_code == 401
    assert Compte.objects.get().check_password("  Rivière calme  ")


@pytest.mark.parametrize("champ", ["email", "motDePasse", "nom", "prenom"])
@pytest.mark.parametrize("manque", ["absent", "null"])
def test_l_inscription_demande_ses_quatre_champs(api, champ, manque):
    corps = {**CORPS, champ: None}
    if manque == "absent":
        del corps[champ]

    assert champs_refuses(api(None).post(f"{AUTH}signup", corps)) == {champ}


@pytest.mark.parametrize(
    ("champ", "valeur"),
    [
        ("email", "nadia"),
        ("email", "n" * 250 + "@campus.test"),
        ("nom", "x" * 256),
        ("prenom", "a\x00b"),
        ("nom", "  "),
    ],
)
def test_une_valeur_mal_formee_est_refusee_sur_son_champ(api, champ, valeur):
    assert champs_refuses(api(None).post(f"{AUTH}signup", {**CORPS, champ: valeur})) == {champ}


@pytest.mark.parametrize(
    ("champs", "refuses"),
    [
        ({"email": "nadia", "motDePasse": "court"}, {"email", "motDePasse"}),
        ({"email": "nadia", "motDePasse": "Nadiakanza", "nom": "Nadiakanza"}, {"email", "motDePasse"}),
        ({"email": "nadia", "nom": None, "prenom": "a\x00b", "motDePasse": "8675309867"}, {"email", "nom", "prenom"}),
        ({"nom": "", "motDePasse": "nadia@campus.test"}, {"nom"}),
        ({"nom": "", "invitationToken": "n-importe-quoi", "motDePasse": "court"}, {"nom", "invitationToken"}),
        ({"invitationToken": "n-importe-quoi", "motDePasse": "court"}, {"invitationToken"}),
    ],
)
def test_une_inscription_apprend_d_un_coup_tout_ce_qui_est_a_corriger(api, champs, refuses):
    assert champs_refuses(api(None).post(f"{AUTH}signup", {**CORPS, **champs})) == refuses | {"motDePasse"}


@pytest.mark.parametrize("nom", ["Kanza", ""])
def test_une_adresse_d_ailleurs_est_dite_avec_le_reste(api, settings, nom):
    settings.SIGNUP_EMAIL_DOMAINS = ["univ.test"]

    reponse = api(None).post(f"{AUTH}signup", {**CORPS, "nom": nom, "motDePasse": "court"})

    assert champs_refuses(reponse) == {"email", "motDePasse"} | ({"nom"} if not nom else set())


@pytest.mark.parametrize("nom", ["Kanza", ""])
def test_une_inscription_sans_son_invitation_l_apprend_avec_le_reste(api, settings, nom):
    settings.SIGNUP_INVITATION_ONLY = True

    reponse = api(None).post(f"{AUTH}signup", {**CORPS, "nom": nom, "motDePasse": "court"})

    assert champs_refuses(reponse) == {"invitationToken", "motDePasse"} | ({"nom"} if not nom else set())


def test_l_adresse_d_une_autre_invitation_est_dite_avec_le_reste(api, admin):
    invitation = fabriques.invitation(admin, email="invitee@campus.test")
    corps = {**CORPS, "prenom": "", "motDePasse": "court", "invitationToken": invitation.jeton}

    assert champs_refuses(api(None).post(f"{AUTH}signup", corps)) == {"email", "prenom", "motDePasse"}


def test_un_champ_mal_forme_n_est_dit_qu_avec_sa_propre_raison(api, settings):
    settings.SIGNUP_EMAIL_DOMAINS = ["univ.test"]

    details = api(None).post(f"{AUTH}signup", {**CORPS, "email": "nadia", "motDePasse": "x" * 1025}).json()["details"]

    assert [(d["field"], d["code"]) for d in details] == [("email", "email"), ("motDePasse", "max_length")]


def test_une_invitation_donne_son_role_et_devient_acceptee(api, admin):
    invitation = fabriques.invitation(admin, email=CORPS["email"], type_utilisateur=Role.GESTIONNAIRE)

    reponse = api(None).post(f"{AUTH}signup", {**CORPS, "invitationToken": invitation.jeton})

    invitation.refresh_from_db()
    assert (reponse.status_code, reponse.json()["data"]["typeUtilisateur"]) == (201, "GESTIONNAIRE")
    assert (invitation.statut, invitation.acceptee_par.email) == ("ACCEPTED", CORPS["email"])


def test_une_invitation_ne_sert_qu_a_l_adresse_invitee(api, admin):
    invitation = fabriques.invitation(admin, email="invitee@campus.test")

    reponse = api(None).post(f"{AUTH}signup", {**CORPS, "invitationToken": invitation.jeton})

    assert champs_refuses(reponse) == {"email"}
    assert not Compte.objects.filter(email=CORPS["email"]).exists()
    assert Invitation.objects.get().statut == "PENDING"


MORTS = {
    "acceptée": lambda i, admin: Invitation.objects.update(statut="ACCEPTED", acceptee_par=admin),
    "révoquée": lambda i, admin: invitations.revoquer(invitation=i, par=admin),
    "expirée": lambda i, admin: Invitation.objects.update(expire_le=timezone.now()),
    "renvoyée": lambda i, admin: invitations.renvoyer(invitation=i, par=admin),
    "réinvitée": lambda i, admin: invitations.inviter(email=i.email, type_utilisateur=Role.GESTIONNAIRE, par=admin),
}
FAUX = {
    "falsifiée": lambda i, admin: i.jeton[:-1] + ("A" if i.jeton[-1] != "A" else "B"),
    "inconnue": lambda i, admin: "n-importe-quoi",
    "d'un autre usage": lambda i, admin: DemandeMotDePasse(compte=admin).jeton,
}


def jeton_mort(comment, invitation, admin):
    """The token of an invitation that opens nothing, or no longer."""
    if comment in FAUX:
        return FAUX[comment](invitation, admin)
    jeton = invitation.jeton
    MORTS[comment](invitation, admin)
    return jeton


@pytest.mark.parametrize("comment", [*MORTS, *FAUX])
def test_une_invitation_morte_ne_cree_aucun_compte(api, admin, comment):
    jeton = jeton_mort(comment, fabriques.invitation(admin, email=CORPS["email"]), admin)

    reponse = api(None).post(f"{AUTH}signup", {**CORPS, "invitationToken": jeton})

    assert champs_refuses(reponse) == {"invitationToken"}
    assert not Compte.objects.filter(email=CORPS["email"]).exists()


@pytest.mark.parametrize("email", ["nadia@campus.test", "NADIA@Campus.test"])
def test_une_adresse_invitee_ne_s_inscrit_qu_avec_son_invitation_et_sait_quoi_faire(api, admin, email):
    invitation = fabriques.invitation(admin, email=CORPS["email"])

    sans = api(None).post(f"{AUTH}signup", {**CORPS, "email": email})
    avec = api(None).post(f"{AUTH}signup", {**CORPS, "invitationToken": invitation.jeton})

    (detail,) = sans.json()["details"]
    assert (sans.status_code, detail["field"], detail["code"]) == (422, "email", "invited")
    assert "ouvrez le lien de cet e-mail, ou demandez à l'administration de le renvoyer" in detail["message"]
    assert (avec.status_code, avec.json()["data"]["emailVerifie"]) == (201, True)


@pytest.mark.parametrize("sort", ["révoquée", "expirée", "d'une autre adresse"])
def test_une_invitation_qui_n_attend_plus_n_empeche_pas_de_s_inscrire(api, admin, sort):
    invitation = fabriques.invitation(admin, email=CORPS["email"] if sort in MORTS else "zoe@campus.test")
    MORTS.get(sort, lambda *_: None)(invitation, admin)

    reponse = api(None).post(f"{AUTH}signup", CORPS)

    assert (reponse.status_code, reponse.json()["data"]["emailVerifie"]) == (201, False)


def test_une_adresse_invitee_qui_a_deja_un_compte_l_apprend_comme_une_autre(api, admin, etudiante):
    fabriques.invitation(admin, email=etudiante.email)

    reponse = api(None).post(f"{AUTH}signup", {**CORPS, "email": etudiante.email})

    assert (reponse.status_code, reponse.json()["code"]) == (409, "EMAIL_ALREADY_USED")


def test_un_mot_de_passe_faible_laisse_l_invitation_en_attente(api, admin):
    invitation = fabriques.invitation(admin, email=CORPS["email"])

    reponse = api(None).post(f"{AUTH}signup", {**CORPS, "motDePasse": "court", "invitationToken": invitation.jeton})

    assert champs_refuses(reponse) == {"motDePasse"}
    assert Invitation.objects.get().statut == "PENDING"


def test_l_inscription_peut_se_limiter_aux_adresses_du_campus(api, admin, settings):
    settings.SIGNUP_EMAIL_DOMAINS = ["univ.test"]
    invitation = fabriques.invitation(admin, email="zoe@ailleurs.test")
    inscrire = api(None).post

    ailleurs = inscrire(f"{AUTH}signup", CORPS)
    du_campus = inscrire(f"{AUTH}signup", {**CORPS, "email": "Nadia@UNIV.test"})
    invitee = inscrire(f"{AUTH}signup", {**CORPS, "email": "zoe@ailleurs.test", "invitationToken": invitation.jeton})

    assert champs_refuses(ailleurs) == {"email"}
    assert (du_campus.status_code, invitee.status_code) == (201, 201)


def test_l_inscription_peut_se_fermer_aux_seules_invitations(api, admin, settings):
    settings.SIGNUP_INVITATION_ONLY = True
    invitation = fabriques.invitation(admin, email=CORPS["email"])

    sans = api(None).post(f"{AUTH}signup", CORPS)
    avec = api(None).post(f"{AUTH}signup", {**CORPS, "invitationToken": invitation.jeton})

    assert champs_refuses(sans) == {"invitationToken"}
    assert avec.status_code == 201


def test_les_inscriptions_d_une_adresse_sont_limitees(api, settings):
    settings.THROTTLE_ENABLED = True
    settings.THROTTLES = {**settings.THROTTLES, "signup": Taux(2, 86_400)}
    statuts = [api(None).post(f"{AUTH}signup", {}).status_code for _rang in range(2)]

    reponse = api(None).post(f"{AUTH}signup", CORPS)
    d_ailleurs = api(None).post(f"{AUTH}signup", CORPS, REMOTE_ADDR="10.0.0.9")

    assert statuts == [422, 422]
    assert (reponse.status_code, reponse.json()["code"]) == (429, "RATE_LIMITED")
    assert int(reponse["Retry-After"]) > 0
    assert d_ailleurs.status_code == 201


# --- Login ----------------------------------------------------------------------------------------------------------


def test_se_connecter_ouvre_une_session(etudiante):
    reponse = se_connecter(etudiante, appareil="Pixel 8", localisation="Kinshasa")

    recu = reponse.json()["data"]
    session = Session.objects.get(pk=recu["sessionId"])
    etudiante.refresh_from_db()
    assert reponse.status_code == 200
    assert (recu["email"], recu["typeUtilisateur"], recu["expiresIn"]) == ("awa@campus.test", "UTILISATEUR", 3600)
    assert (session.compte, session.appareil, session.localisation) == (etudiante, "Pixel 8", "Kinshasa")
    assert timezone.now() - etudiante.derniere_connexion < timedelta(seconds=5)


def test_les_jetons_disent_qui_quelle_session_et_jusqu_a_quand(etudiante):
    recu = se_connecter(etudiante).json()["data"]

    acces, renouvellement = (
        jwt.decode(recu[nom], reglages.SIGNING_SECRET, algorithms=["HS256"]) for nom in ("token", "refreshToken")
    )

    for contenu in (acces, renouvellement):
        assert contenu.keys() == {"sub", "sid", "typ", "jti", "iat", "exp"}
        assert (contenu["sub"], contenu["sid"]) == (str(etudiante.pk), recu["sessionId"])
    assert acces["exp"] - acces["iat"] == 3600
    assert abs(renouvellement["exp"] - renouvellement["iat"] - 7 * 86_400) <= 1
    assert acces["jti"] != renouvellement["jti"]


@pytest.mark.parametrize(
    ("corps", "statut"),
    [
        ({"password": MOT_DE_PASSE}, 200),
        ({"motDePasse": MOT_DE_PASSE, "password": "autre chose"}, 200),
        ({"motDePasse": "autre chose", "password": MOT_DE_PASSE}, 401),
        ({"password": "autre chose"}, 401),
        ({}, 422),
    ],
)
def test_password_est_lu_la_ou_mot_de_passe_manque(api, etudiante, corps, statut):
    assert api(None).post(f"{AUTH}login", {"email": etudiante.email, **corps}).status_code == statut


@pytest.mark.parametrize("email", ["AWA@campus.test", " awa@Campus.Test  "])
def test_la_casse_de_l_adresse_ne_compte_pas(api, etudiante, email):
    assert api(None).post(f"{AUTH}login", {"email": email, "motDePasse": MOT_DE_PASSE}).status_code == 200


def test_un_mauvais_mot_de_passe_et_une_adresse_inconnue_se_ressemblent(api, etudiante):
    client = api(None)

    faux = client.post(f"{AUTH}login", {"email": etudiante.email, "motDePasse": "autre chose"})
    inconnue = client.post(f"{AUTH}login", {"email": "personne@campus.test", "motDePasse": "autre chose"})

    assert (faux.status_code, faux.json()["code"]) == (401, "INVALID_CREDENTIALS")
    assert faux["WWW-Authenticate"].startswith("Bearer")
    assert faux.json()["message"] == inconnue.json()["message"]
    assert faux.json()["code"] == inconnue.json()["code"]
    assert not Session.objects.exists()


@pytest.mark.parametrize(
    ("mot_de_passe", "attendu"), [(MOT_DE_PASSE, (403, "ACCOUNT_DISABLED")), ("faux", (401, "INVALID_CREDENTIALS"))]
)
def test_un_compte_desactive_ne_se_dit_qu_a_qui_a_le_bon_mot_de_passe(api, etudiante, mot_de_passe, attendu):
    Compte.objects.update(est_actif=False)

    reponse = api(None).post(f"{AUTH}login", {"email": etudiante.email, "motDePasse": mot_de_passe})

    assert (reponse.status_code, reponse.json()["code"]) == attendu
    assert not Session.objects.exists()


class TestEchecsLimites:
    @pytest.fixture(autouse=True)
    def _limites(self, settings):
        settings.THROTTLE_ENABLED = True
        settings.THROTTLES = {**settings.THROTTLES, "login": Taux(3, 86_400)}

    def rater(self, email, fois=3, **extra):
        corps = {"email": email, "motDePasse": "faux"}
        return [ClientApi().post(f"{AUTH}login", corps, **extra).status_code for _rang in range(fois)]

    def test_apres_trop_d_echecs_meme_le_bon_mot_de_passe_attend(self, etudiante):
        assert self.rater(etudiante.email) == [401, 401, 401]

        reponse = se_connecter(etudiante)

        assert (reponse.status_code, reponse.json()["code"]) == (429, "RATE_LIMITED")
        assert int(reponse["Retry-After"]) > 0

    def test_une_adresse_sans_compte_est_limitee_de_meme(self):
        assert self.rater("personne@campus.test", fois=4) == [401, 401, 401, 429]

    def test_ecrire_l_adresse_autrement_n_ouvre_pas_d_autres_essais(self, etudiante):
        self.rater("awa@campus.test", fois=2)
        self.rater("AWA@Campus.Test ", fois=1)

        assert se_connecter(etudiante).status_code == 429

    def test_un_succes_efface_les_echecs(self, etudiante):
        self.rater(etudiante.email, fois=2)

        assert se_connecter(etudiante).status_code == 200
        assert self.rater(etudiante.email) == [401, 401, 401]

    def test_les_autres_comptes_et_les_autres_adresses_n_attendent_pas(self, etudiante, autre_etudiante, api):
        self.rater(etudiante.email)
        corps = {"email": etudiante.email, "motDePasse": MOT_DE_PASSE}

        assert se_connecter(autre_etudiante).status_code == 200
        assert api(None).post(f"{AUTH}login", corps, REMOTE_ADDR="10.0.0.9").status_code == 200


class TestEchecsLimitesParAdresse:
    @pytest.fixture(autouse=True)
    def _limites(self, settings):
        settings.THROTTLE_ENABLED = True
        settings.THROTTLES = {**settings.THROTTLES, "login_address": Taux(3, 86_400)}

    def essayer(self, *emails):
        corps = {"motDePasse": "faux"}
        return [ClientApi().post(f"{AUTH}login", {**corps, "email": e}).status_code for e in emails]

    def test_un_mot_de_passe_essaye_sur_beaucoup_de_comptes_attend(self, etudiante):
        essais = self.essayer("un@campus.test", "deux@campus.test", "trois@campus.test", "quatre@campus.test")

        reponse = se_connecter(etudiante)

        assert essais == [401, 401, 401, 429]
        assert (reponse.status_code, reponse.json()["code"]) == (429, "RATE_LIMITED")
        assert int(reponse["Retry-After"]) > 0

    def test_un_succes_n_efface_pas_les_echecs_de_l_adresse(self, etudiante):
        self.essayer("un@campus.test", "deux@campus.test")

        assert se_connecter(etudiante).status_code == 200
        assert self.essayer("trois@campus.test", "quatre@campus.test") == [401, 429]

    def test_une_autre_adresse_n_attend_pas(self, etudiante):
        self.essayer("un@campus.test", "deux@campus.test", "trois@campus.test")

        corps = {"email": etudiante.email, "motDePasse": MOT_DE_PASSE}
        assert ClientApi().post(f"{AUTH}login", corps, REMOTE_ADDR="10.0.0.9").status_code == 200

    def test_les_reussites_ne_comptent_pas(self, etudiante):
        assert [se_connecter(etudiante).status_code for _rang in range(5)] == [200] * 5


def test_les_limites_par_defaut_sont_celles_annoncees(settings):
    annoncees = {
        "login": (10, 900),
        "login_address": (100, 900),
        "signup": (600, 3600),
        "forgot_password_account": (5, 3600),
    }
    annoncees |= {"forgot_password_address": (600, 3600), "guest_session_address": (60, 60), "merge": (30, 60)}
    annoncees |= {"guest_unknown": (30, 60), "general": (1200, 60)}

    for portee, (nombre, duree) in annoncees.items():
        assert settings.THROTTLES[portee] == Taux(nombre, duree), portee


# --- The session of a request ---------------------------------------------------------------------------------------


def test_validate_repond_le_role_de_la_base(api, etudiante):
    client = api(etudiante)
    Compte.objects.update(type_utilisateur="GESTIONNAIRE")

    recu = client.get(f"{AUTH}validate").json()["data"]

    assert recu == {"valid": True, "email": "awa@campus.test", "typeUtilisateur": "GESTIONNAIRE"}


def test_verifier_la_session_coute_une_requete(api, etudiante, django_assert_num_queries):
    client = api(etudiante)

    with django_assert_num_queries(1):
        assert client.get(f"{AUTH}validate").status_code == 200


def test_sans_jeton_la_connexion_est_demandee(api):
    reponse = api(None).get(f"{AUTH}validate")

    assert (reponse.status_code, reponse.json()["code"]) == (401, "AUTH_REQUIRED")
    assert reponse["WWW-Authenticate"].startswith("Bearer")


def jeton_refuse(comment, etudiante):
    recu = se_connecter(etudiante).json()["data"]
    contenu = jwt.decode(recu["token"], reglages.SIGNING_SECRET, algorithms=["HS256"])
    match comment:
        case "illisible":
            return "abc.def.ghi"
        case "d'une autre clé":
            return jwt.encode(contenu, "z" * 40, algorithm="HS256")
        case "sans signature":
            return jwt.encode(contenu, "", algorithm="none")
        case "de renouvellement":
            return recu["refreshToken"]
        case "expiré":
            return jwt.encode({**contenu, "exp": contenu["iat"] - 1}, reglages.SIGNING_SECRET, algorithm="HS256")
        case "d'une session inconnue" | "d'un autre compte":
            faux = {"sid": contenu["sub"]} if "session" in comment else {"sub": str(fabriques.compte().pk)}
            return jwt.encode({**contenu, **faux}, reglages.SIGNING_SECRET, algorithm="HS256")
        case "d'un compte désactivé":
            Compte.objects.filter(pk=etudiante.pk).update(est_actif=False)
            return recu["token"]
    return ""


@pytest.mark.parametrize(
    "comment",
    [
        "illisible",
        "d'une autre clé",
        "sans signature",
        "de renouvellement",
        "expiré",
        "d'une session inconnue",
        "d'un autre compte",
        "d'un compte désactivé",
        "vide",
    ],
)
def test_un_jeton_qui_ne_vaut_rien_est_refuse(api, etudiante, comment):
    jeton = jeton_refuse(comment, etudiante)

    reponse = api(None).get(f"{AUTH}validate", headers={"Authorization": f"Bearer {jeton}"})

    assert (reponse.status_code, reponse.json()["code"]) == (401, "TOKEN_INVALID")


def test_le_jeton_d_acces_vaut_une_heure(etudiante, time_machine):
    debut = timezone.now()
    time_machine.move_to(debut, tick=False)
    jeton = se_connecter(etudiante).json()["data"]["token"]
    avant = statut_du_jeton(jeton)

    time_machine.move_to(debut + timedelta(minutes=60, seconds=1), tick=False)

    assert (avant, statut_du_jeton(jeton)) == (200, 401)


def test_une_route_publique_ignore_le_jeton(api, etudiante):
    corps = {"email": etudiante.email, "motDePasse": MOT_DE_PASSE}

    reponse = api(None).post(f"{AUTH}login", corps, headers={"Authorization": "Bearer n-importe-quoi"})

    assert reponse.status_code == 200


# --- Logout ---------------------------------------------------------------------------------------------------------


def test_se_deconnecter_termine_cette_session_seule(api, etudiante):
    celle_ci, l_autre = (se_connecter(etudiante).json()["data"] for _rang in range(2))

    reponse = api(None).post(f"{AUTH}logout", headers={"Authorization": f"Bearer {celle_ci['token']}"})

    assert (reponse.status_code, reponse.json()["data"]) == (200, None)
    assert statut_du_jeton(celle_ci["token"]) == 401
    assert renouveler(celle_ci["refreshToken"]).status_code == 401
    assert statut_du_jeton(l_autre["token"]) == 200


def test_se_deconnecter_demande_une_session(api, invite):
    assert api(None).post(f"{AUTH}logout").status_code == 401
    assert api(invite).post(f"{AUTH}logout").status_code == 401
