"""The rows of `data/permission-matrix.csv`, and the people and things that each can name."""

import csv
from collections.abc import Callable
from datetime import timedelta
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple
from uuid import uuid4

import pytest
from django.conf import settings
from django.db import transaction
from django.urls import resolve
from django.utils import timezone

from accounts.models import DemandeMotDePasse, SecondFacteur, Session
from accounts.services import comptes as services_comptes
from accounts.services import sessions as services_sessions
from accounts.services.sessions import _ouvrir
from accounts.tests import fabriques as comptes
from accounts.tests.fabriques import MOT_DE_PASSE
from accounts.tests.outils import demander_une_adresse, munir
from calendrier import services as services_calendrier
from calendrier.models import FluxCalendrier
from calendrier.tests import fabriques as calendrier
from config.tests.outils.clients import ClientApi, acteur_de
from discussions.tests import fabriques as discussions
from echeances.models import ChoixDesDates
from echeances.tests.fabriques import dans_un_mois, promettre
from equipes.tests import fabriques as equipes
from forum.tests import fabriques as forum
from guests.tests.fabriques import desactiver, fusionner, session_invitee
from homonymes.models import Homonyme
from reponses.tests import fabriques as reponses
from resources.services import ressources as bibliotheque
from resources.stockage import lien
from resources.tests import fabriques as fichiers
from signalements.tests import fabriques as signalements
from socle.api import views
from socle.domaine.acteurs import ActeurCompte
from socle.realtime import canaux
from stats.exports.liens import lien_de_l_export
from stats.tests import fabriques as exports

MATRICE = Path(__file__).parents[1] / "data" / "permission-matrix.csv"
INVITES = {"guest_owner", "guest_stranger", "merged_guest", "disabled_guest", "bad_bearer_good_guest"}


class Ligne(NamedTuple):
    methode: str
    chemin: str
    acteur: str
    attendu: str

    def __str__(self) -> str:
        return f"{self.methode} {self.chemin.removeprefix('/api/v1')} {self.acteur}"


def lignes() -> list[Ligne]:
    with MATRICE.open(newline="", encoding="utf-8") as fichier:
        return [Ligne(*ligne) for ligne in list(csv.reader(fichier))[1:]]


def exemple_de(chemin: str) -> str:
    """The path with its variables filled so that a route of that shape takes it."""
    valeurs = {"nom": "ADMIN_SYSTEME", "reference": "SIG-2026-7K3M9QXT", "target_date": "2026-03-01"}
    for nom in variables(chemin):
        chemin = chemin.replace(f"{{{nom}}}", valeurs.get(nom) or str(uuid4()))
    return chemin


def variables(chemin: str) -> list[str]:
    return [morceau.partition("}")[0] for morceau in chemin.split("{")[1:]]


def methodes_de(vue: Any) -> set[str]:
    """The methods a view answers, in capitals; none for the handler of unknown routes."""
    if vue is views.inconnu:
        return set()
    noms = vue.actions if hasattr(vue, "actions") else [m for m in ("get", "post") if hasattr(vue.view_class, m)]
    return {nom.upper() for nom in noms} - {"HEAD", "OPTIONS"}


def operation_de(ligne: Ligne) -> tuple[str, str] | None:
    """`(method, route)` that serves this row, or None while no app does."""
    trouvee = resolve(exemple_de(ligne.chemin))
    return (ligne.methode, trouvee.route) if ligne.methode in methodes_de(trouvee.func) else None


def nom_de_canal(ligne: Ligne) -> str:
    return ligne.chemin.rpartition("/")[2].partition(":")[0]


LIGNES = lignes()
HTTP = [ligne for ligne in LIGNES if ligne.methode != "WS" and operation_de(ligne)]


WS = [ligne for ligne in LIGNES if ligne.methode == "WS"]


# A channel that lets somebody in waits for the app that registers it; one that is closed to all is closed today.
OUVERTS_A_QUELQU_UN = {nom_de_canal(ligne) for ligne in WS if ligne.attendu == "connected"}
WS_EXISTANTS = [
    ligne for ligne in WS if nom_de_canal(ligne) in canaux._regles or nom_de_canal(ligne) not in OUVERTS_A_QUELQU_UN
]


def en_parametres(choisies: list[Ligne]) -> list[Any]:
    return [pytest.param(ligne, id=str(ligne)) for ligne in choisies]


class Scene:
    """Everyone and everything a row can name, made when first asked for; clients are of the class that is given."""

    def __init__(self, client_api: type[ClientApi] = ClientApi) -> None:
        self._client_api = client_api

    @cached_property
    def user_owner(self) -> Any:
        return comptes.compte(email="awa@campus.test", nom="Diop", prenom="Awa")

    @cached_property
    def user_stranger(self) -> Any:
        return comptes.compte(email="lea@campus.test", nom="Moreau", prenom="Léa")

    @cached_property
    def gestionnaire(self) -> Any:
        return comptes.gestionnaire(email="paul@campus.test")

    @cached_property
    def admin(self) -> Any:
        return comptes.admin(email="rose@campus.test")

    @cached_property
    def deactivated_user(self) -> Any:
        return comptes.compte(email="partie@campus.test")

    @cached_property
    def revoked_session(self) -> Any:
        return comptes.compte(email="deconnectee@campus.test")

    @cached_property
    def guest_owner(self) -> Any:
        return session_invitee("+243812345621")

    @cached_property
    def guest_stranger(self) -> Any:
        return session_invitee("+243898765432")

    @cached_property
    def merged_guest(self) -> Any:
        session = session_invitee("+243811111111")
        fusionner(session, self.user_owner)
        return session

    @cached_property
    def disabled_guest(self) -> Any:
        session = session_invitee("+243822222222")
        desactiver(session)
        return session

    @cached_property
    def signalement_du_compte(self) -> Any:
        return signalements.signalement(acteur_de(self.user_owner))

    @cached_property
    def signalement_de_l_invite(self) -> Any:
        return signalements.signalement(acteur_de(self.guest_owner))

    @cached_property
    def discussion_du_compte(self) -> Any:
        return discussions.discussion(acteur_de(self.user_owner), signalement=self.signalement_du_compte)

    @cached_property
    def discussion_de_l_invite(self) -> Any:
        return discussions.discussion(acteur_de(self.guest_owner), signalement=self.signalement_de_l_invite)

    @cached_property
    def fichier_du_compte(self) -> Any:
        return fichiers.fichier(acteur_de(self.user_owner))

    @cached_property
    def fichier_de_l_invite(self) -> Any:
        return fichiers.fichier(acteur_de(self.guest_owner))

    @cached_property
    def fichier_joint(self) -> Any:
        """One that the library had: until it is joined a file is its sender's alone; now staff read it, and by their
        right to read files alone.
        """
        fichier = fichiers.fichier(acteur_de(self.user_owner))
        bibliotheque.supprimer(ressource=fichiers.ressource(self.user_owner, file_id=fichier.pk))
        return fichier

    @cached_property
    def evenement(self) -> Any:
        return calendrier.evenement(self.gestionnaire)

    @cached_property
    def participation(self) -> Any:
        return calendrier.participation(self.evenement, self.user_owner)

    @cached_property
    def orientation(self) -> Any:
        return reponses.orientation(texte_en="Keep what proves it.")

    @cached_property
    def poste_du_compte(self) -> Any:
        """Approved: everybody with an account may see it."""
        return forum.poste(acteur_de(self.user_owner), par=acteur_de(self.gestionnaire))

    @cached_property
    def export(self) -> Any:
        return exports.export(self.gestionnaire)

    @cached_property
    def connexions(self) -> dict[str, Any]:
        return {}

    def connexion(self, acteur: str) -> Any:
        """The session and tokens of a bearer actor; those of the last two have just stopped being good."""
        if acteur not in self.connexions:
            compte = getattr(self, acteur)
            ouverte = self.connexions[acteur] = _ouvrir(Session(compte=compte))
            if acteur == "deactivated_user":
                services_comptes.desactiver(compte=compte, acteur=ActeurCompte(compte=self.admin))
            if acteur == "revoked_session":
                services_sessions.deconnecter(acteur=ActeurCompte(compte=compte, session_id=ouverte.session_id))
        return self.connexions[acteur]

    def guest_id(self, acteur: str) -> str:
        invite = self.guest_owner if acteur == "bad_bearer_good_guest" else getattr(self, acteur)
        return str(invite.guest_id)

    def client_de(self, ligne: Ligne) -> ClientApi:
        """A session that is over is named by the path of a merge, which is the act of an account."""
        fusion = ligne.chemin.endswith("/merge") and ligne.acteur in ("merged_guest", "disabled_guest")
        return self.client("user_owner" if fusion else ligne.acteur)

    def client(self, acteur: str) -> ClientApi:
        if acteur == "anonymous":
            return self._client_api()
        if acteur == "exploitant":
            return self._client_api(jeton=settings.METRICS_TOKEN)
        if acteur in INVITES:
            jeton = "un.mauvais.jeton" if acteur == "bad_bearer_good_guest" else ""
            return self._client_api(jeton=jeton, guest_id=self.guest_id(acteur))
        return self._client_api(jeton=self.connexion(acteur).token)

    def identifiants(self, acteur: str) -> str:
        """The same credentials, as a socket sends them."""
        if acteur == "anonymous":
            return ""
        return f"guestId={self.guest_id(acteur)}" if acteur in INVITES else f"token={self.connexion(acteur).token}"

    # --- Paths

    def valeur(self, nom: str, acteur: str) -> str:
        """What stands for `{nom}` in a path: the owner's, on this actor's side."""
        faire = getattr(self, f"_{nom}", None)
        assert faire is not None, f"Scene ne sait pas encore quel objet mettre à la place de {{{nom}}}."
        return str(faire(acteur))

    def entretien(self, acteur: str) -> Any:
        """A meeting that is promised on the owner's case."""
        return promettre(self.dossier(acteur), "ENTRETIEN")

    def a_prevoir(self) -> dict[str, str]:
        """The day of a meeting, where an administrator has said yes to dates."""
        ChoixDesDates.objects.update_or_create(pk=ChoixDesDates.UNIQUE, defaults={"accepte": True})
        return {"pourLe": dans_un_mois()}

    def prolongation(self, acteur: str) -> dict[str, str]:
        """A later day for the feedback, which is promised first."""
        promettre(self.dossier(acteur), "RETOUR")
        return {"pourLe": dans_un_mois(jours=60), "motif": "Enquête en cours."}

    def dossier(self, acteur: str) -> Any:
        return self.signalement_de_l_invite if acteur in INVITES else self.signalement_du_compte

    def _compte_id(self, acteur: str) -> Any:
        return self.user_owner.pk

    @cached_property
    def equipe(self) -> Any:
        """A team of the manager's, which somebody waits to be accepted in."""
        return equipes.equipe(self.gestionnaire)

    def _equipe_id(self, acteur: str) -> Any:
        return self.equipe.pk

    def _membre_id(self, acteur: str) -> Any:
        leo = comptes.gestionnaire(email="leo@campus.test")
        return equipes.MembreDEquipe.objects.create(equipe=self.equipe, compte=leo).compte_id

    def _homonyme_id(self, acteur: str) -> Any:
        """A name of the case that its manager bears, for somebody else to decide of."""
        homonyme, _neuf = Homonyme.objects.get_or_create(
            signalement=self.signalement_du_compte,
            compte=self.gestionnaire,
            defaults={"jusqu_au": timezone.localdate()},
        )
        return homonyme.pk

    def _regle_id(self, acteur: str) -> Any:
        return equipes.regle(self.equipe, types=["VOL"]).pk

    def _invitation_id(self, acteur: str) -> Any:
        return comptes.invitation(self.admin).pk

    def _signalement_id(self, acteur: str) -> Any:
        return self.dossier(acteur).pk

    def _alert_id(self, acteur: str) -> Any:
        return self._signalement_id(acteur)

    def _discussion_id(self, acteur: str) -> Any:
        return (self.discussion_de_l_invite if acteur in INVITES else self.discussion_du_compte).pk

    def _file_id(self, acteur: str) -> Any:
        return self.fichier(acteur).pk

    def fichier(self, acteur: str) -> Any:
        if acteur in INVITES:
            return self.fichier_de_l_invite
        return self.fichier_joint if acteur in ("gestionnaire", "admin") else self.fichier_du_compte

    def _resource_id(self, acteur: str) -> Any:
        return fichiers.ressource(self.user_owner).pk

    def _evenement_id(self, acteur: str) -> Any:
        return self.evenement.pk

    def _participant_id(self, acteur: str) -> Any:
        return self.participation.pk

    def _modele_id(self, acteur: str) -> Any:
        return reponses.modele(texte_en="We have read it.").pk

    def _orientation_id(self, acteur: str) -> Any:
        return self.orientation.pk

    def _echeance_id(self, acteur: str) -> Any:
        return self.entretien(acteur).pk

    def _target_date(self, acteur: str) -> str:
        return "2026-03-01"

    def _poste_id(self, acteur: str) -> Any:
        return self.poste_du_compte.pk

    def _commentaire_id(self, acteur: str) -> Any:
        return forum.commentaire(acteur_de(self.user_owner), self.poste_du_compte).pk

    def _export_id(self, acteur: str) -> Any:
        return self.export.pk

    def _reaction_id(self, acteur: str) -> Any:
        return forum.reaction(acteur_de(self.user_owner), self.poste_du_compte).pk

    def _reference(self, acteur: str) -> str:
        return self.signalement_de_l_invite.reference

    def _guestId(self, acteur: str) -> str:
        return self.guest_id(acteur if acteur in ("merged_guest", "disabled_guest") else "guest_owner")

    def _nom(self, acteur: str) -> str:
        return "ADMIN_SYSTEME"

    def _unknown(self, acteur: str) -> str:
        return f"inconnu:{uuid4()}"

    def chemin(self, ligne: Ligne) -> str:
        chemin = ligne.chemin
        for nom in variables(chemin):
            a_qui = "guest_owner" if ligne.chemin.endswith("/session-invitee") else ligne.acteur
            chemin = chemin.replace(f"{{{nom}}}", self.valeur(nom, a_qui))
        PREALABLES.get((ligne.methode, ligne.chemin.rstrip("/")), lambda *_qui: None)(self, ligne.acteur)
        question = QUESTIONS.get((ligne.methode, ligne.chemin.rstrip("/")), lambda *_qui: "")(self, ligne.acteur)
        return f"{chemin}?{question}" if question else chemin

    def canal(self, ligne: Ligne) -> str:
        """The address of a channel, whose `{id}` is named after the channel."""
        nom = {"user": "compte_id"}.get(nom_de_canal(ligne), f"{nom_de_canal(ligne)}_id")
        return self.chemin(ligne._replace(chemin=ligne.chemin.replace(":{id}", f":{{{nom}}}")))

    # --- Headers and bodies

    def entetes(self, methode: str, chemin: str) -> dict[str, str]:
        """The headers that this operation requires beside credentials."""
        return ENTETES.get((methode, chemin.removeprefix("/api/v1").rstrip("/")), {})

    def corps(self, methode: str, chemin: str, acteur: str) -> dict[str, Any] | None:
        """A valid body for this operation, None where it takes none."""
        faire = CORPS.get((methode, chemin.removeprefix("/api/v1").rstrip("/")))
        return faire(self, acteur) if faire else None

    def compte_vise(self, acteur: str) -> str:
        """Who presents no bearer says for whom a merge is previewed."""
        return f"userId={self.user_owner.pk}" if acteur in INVITES or acteur == "anonymous" else ""

    def jeton_de_fichier(self, acteur: str) -> str:
        return lien(self.fichier(acteur)).partition("?")[2]

    def inscrire(self, acteur: str) -> None:
        if acteur in PORTEURS:
            calendrier.participation(self.evenement, getattr(self, acteur))

    def flux(self, acteur: str) -> Any:
        """The subscription of an account; None for who has none."""
        if acteur not in (*PORTEURS, "deactivated_user", "revoked_session"):
            return None
        compte = getattr(self, acteur)
        existant = FluxCalendrier.objects.filter(compte=compte).first()
        return existant or services_calendrier.ouvrir_flux(compte=compte)

    def cle_de_flux(self, acteur: str) -> str:
        flux = self.flux(acteur)
        if flux and acteur not in PORTEURS:
            self.connexion(acteur)
        return f"cle={flux.cle}" if flux else ""

    def code(self, acteur: str, *, actif: bool = True) -> str:
        """A code of the application that this account has, or has begun to have; any six digits for the others."""
        if acteur not in PORTEURS:
            return "123456"
        application, _codes = munir(getattr(self, acteur))
        if not actif:
            SecondFacteur.objects.update(date_activation=None)
        return application.code()

    def jeton_de_reinitialisation(self) -> str:
        fin = timezone.now() + timedelta(hours=1)
        return DemandeMotDePasse.objects.create(compte=self.user_owner, date_expiration=fin).jeton

    def courriel_de_connexion(self, acteur: str) -> str:
        qui = "user_owner" if acteur in INVITES or acteur == "anonymous" else acteur
        if qui == "deactivated_user":
            self.connexion(qui)
        return getattr(self, qui).email

    def renouvellement(self, acteur: str) -> str:
        return "inventé" if acteur in INVITES or acteur == "anonymous" else self.connexion(acteur).refresh_token


def statut_de(ligne: Ligne) -> str:
    """What the row answers to its actor, in a world of its own."""
    avant = transaction.savepoint()
    scene = Scene()
    client, url = scene.client_de(ligne), scene.chemin(ligne)
    corps = scene.corps(ligne.methode, ligne.chemin, ligne.acteur)
    reponse = client.envoyer(ligne.methode, url, corps, headers=scene.entetes(ligne.methode, ligne.chemin))
    transaction.savepoint_rollback(avant)
    return str(reponse.status_code)


PORTEURS = ("user_owner", "user_stranger", "gestionnaire", "admin")
NOUVEAU = "Amphi-B-2027-rive"
NOMS = {"nom": "Okello", "prenom": "Ruth"}
EVENEMENT = {"titre": "Premiers secours", "dateDebut": "2027-03-01T14:00:00Z", "dateFin": "2027-03-01T16:00:00Z"}
CORPS: dict[tuple[str, str], Callable[[Scene, str], dict[str, Any]]] = {
    ("POST", "/auth/signup"): lambda s, a: {"email": "ruth@campus.test", "motDePasse": MOT_DE_PASSE, **NOMS},
    ("POST", "/auth/login"): lambda s, a: {"email": s.courriel_de_connexion(a), "motDePasse": MOT_DE_PASSE},
    ("POST", "/auth/refresh"): lambda s, a: {"refreshToken": s.renouvellement(a)},
    ("POST", "/auth/forgot-password"): lambda s, a: {"email": s.user_owner.email},
    ("POST", "/auth/reset-password"): lambda s, a: {
        "token": s.jeton_de_reinitialisation(),
        "nouveauMotDePasse": NOUVEAU,
    },
    ("PUT", "/comptes/me"): lambda s, a: NOMS,
    ("POST", "/comptes/me/second-facteur"): lambda s, a: {"motDePasse": MOT_DE_PASSE},
    ("POST", "/comptes/me/second-facteur/confirmer"): lambda s, a: {"otp": s.code(a, actif=False)},
    ("POST", "/comptes/me/second-facteur/codes"): lambda s, a: {"motDePasse": MOT_DE_PASSE, "otp": s.code(a)},
    ("POST", "/comptes/me/second-facteur/retirer"): lambda s, a: {"motDePasse": MOT_DE_PASSE, "otp": s.code(a)},
    ("PUT", "/comptes/me/password"): lambda s, a: {"ancienMotDePasse": MOT_DE_PASSE, "nouveauMotDePasse": NOUVEAU},
    ("POST", "/comptes"): lambda s, a: {
        "email": "ruth@campus.test",
        "motDePasse": MOT_DE_PASSE,
        "typeUtilisateur": "GESTIONNAIRE",
        **NOMS,
    },
    ("PUT", "/comptes/{compte_id}"): lambda s, a: NOMS,
    ("PUT", "/comptes/{compte_id}/reset-password"): lambda s, a: {"nouveauMotDePasse": NOUVEAU},
    ("POST", "/comptes/invitations"): lambda s, a: {
        "email": "ruth@campus.test",
        "typeUtilisateur": "GESTIONNAIRE",
        "mot": "À lundi.",
    },
    ("PUT", "/preferences"): lambda s, a: {"langue": "en", "parametres": {"accueil": "dossiers"}},
    ("POST", "/guest/sessions"): lambda s, a: {"telephone": "+243899999999"},
    ("PATCH", "/guest/sessions/{guestId}/telephone"): lambda s, a: {"telephone": "+243899999999"},
    ("PUT", "/guest/avis"): lambda s, a: {"email": "canari@boite.example.org"},
    ("POST", "/signalements"): lambda s, a: {"titre": "Vol", "description": "Un sac, à l'amphi.", "type": "VOL"},
    ("PUT", "/signalements/{signalement_id}/statut"): lambda s, a: {"statut": "EN_COURS"},
    ("PUT", "/signalements/{signalement_id}/assigner"): lambda s, a: {"gestionnaireId": str(s.gestionnaire.pk)},
    ("PUT", "/signalements/{signalement_id}/priorite"): lambda s, a: {"priorite": "HIGH"},
    ("PUT", "/signalements/{signalement_id}/session-invitee"): lambda s, a: {"statut": "DISABLED", "motif": "Menaces."},
    ("POST", "/calendriers"): lambda s, a: {"type": "ATELIER", **EVENEMENT},
    ("PUT", "/calendriers/{evenement_id}"): lambda s, a: EVENEMENT,
    ("PUT", "/calendriers/participants/{participant_id}/statut"): lambda s, a: {"statut": "PENDING"},
    ("POST", "/discussions"): lambda s, a: {"titre": "Mon dossier"},
    ("POST", "/discussions/{discussion_id}/messages"): lambda s, a: {"contenu": "Bonjour."},
    ("POST", "/modeles-reponse"): lambda s, a: {"titre": "Bien reçu", "texteFr": "Lu.", "texteEn": "Read."},
    ("PUT", "/modeles-reponse/{modele_id}"): lambda s, a: {"texteFr": "Nous avons lu {reference}."},
    ("POST", "/orientations"): lambda s, a: {"type": "VIOLENCE", "texteFr": "Appelez.", "texteEn": "Call."},
    ("PUT", "/orientations/{orientation_id}"): lambda s, a: {"texteFr": "Appelez."},
    ("POST", "/fichiers/upload"): lambda s, a: {"file": fichiers.envoi()},
    ("POST", "/ressources/upload"): lambda s, a: {"file": fichiers.envoi_d_image()},
    ("POST", "/ressources"): lambda s, a: {"titre": "Guide", "publicUrl": "https://campus.example.org/guide.pdf"},
    ("POST", "/postes"): lambda s, a: {"contenu": "Qui vient à la chorale jeudi ?"},
    ("PATCH", "/postes/{poste_id}/statut"): lambda s, a: {"statut": "ARCHIVER"},
    ("POST", "/postes/{poste_id}/commentaires"): lambda s, a: {"contenu": "Moi !"},
    ("POST", "/postes/{poste_id}/reactions"): lambda s, a: {"type": "SOUTIEN"},
    ("PUT", "/signalements/{signalement_id}/lecteurs"): lambda s, a: {"ecartes": []},
    ("PUT", "/signalements/{signalement_id}/ne-pas-montrer"): lambda s, a: {"nePasMontrerA": []},
    ("PUT", "/signalements/{signalement_id}/gel"): lambda s, a: {"gele": True, "motif": "Enquête en cours."},
    ("POST", "/equipes"): lambda s, a: {"nom": "Cellule", "description": "Trois personnes tenues au secret."},
    ("PUT", "/equipes/{equipe_id}"): lambda s, a: {"description": "Deux personnes.", "active": False},
    ("POST", "/equipes/{equipe_id}/membres"): lambda s, a: {"compteId": str(s.admin.pk)},
    ("POST", "/regles-routage"): lambda s, a: {"types": ["VOL"], "bureaux": ["nord"], "equipeId": str(s.equipe.pk)},
    ("POST", "/regles-routage/essai"): lambda s, a: {"type": "VOL"},
    ("PUT", "/homonymes/{homonyme_id}"): lambda s, a: {"estLaPersonne": True},
    ("PUT", "/regles-routage/{regle_id}"): lambda s, a: {"types": [], "active": True},
    ("POST", "/signalements/{signalement_id}/ouverture"): lambda s, a: {"motif": "Une plainte est déposée."},
    ("PUT", "/signalements/{signalement_id}/equipe"): lambda s, a: {
        "equipeId": str(s.equipe.pk),
        "motif": "Elle connaît la personne.",
    },
    ("PUT", "/delais/choix"): lambda s, a: {"accepte": True},
    ("POST", "/signalements/{signalement_id}/echeances"): lambda s, a: s.a_prevoir(),
    ("PUT", "/signalements/{signalement_id}/echeances/{echeance_id}/faite"): lambda s, a: {
        "faiteLe": dans_un_mois(jours=0)
    },
    ("PUT", "/signalements/{signalement_id}/echeances/prolongation"): lambda s, a: s.prolongation(a),
    ("POST", "/signalements/{signalement_id}/notes"): lambda s, a: {"contenu": "À rappeler lundi."},
    ("POST", "/guest/sessions/{guestId}/merge"): lambda s, a: {"acceptPolicy": "MERGE_ALL"},
    ("POST", "/stats/signalements/export"): lambda s, a: {"format": "csv", "statut": "NOUVEAU"},
}
ENTETES: dict[tuple[str, str], dict[str, str]] = {
    ("POST", "/guest/sessions/{guestId}/merge"): {"Idempotency-Key": "fusion-de-la-matrice"},
}
QUESTIONS: dict[tuple[str, str], Callable[[Scene, str], str]] = {
    ("GET", "/api/v1/evenements"): lambda s, a: f"canal=signalement:{s.valeur('signalement_id', a)}",
    ("GET", "/api/v1/fichiers/{file_id}/contenu"): lambda s, a: s.jeton_de_fichier(a),
    ("GET", "/api/v1/stats/exports/{export_id}/fichier"): lambda s, a: lien_de_l_export(s.export).partition("?")[2],
    ("GET", "/api/v1/guest/sessions/{guestId}/merge-preview"): lambda s, a: s.compte_vise(a),
    ("GET", "/api/v1/calendriers/range"): lambda s, a: "debut=2026-03-01&fin=2026-03-31",
    ("GET", "/api/v1/calendriers/flux.ics"): lambda s, a: s.cle_de_flux(a),
}


# What must be there before, for this row alone.
PREALABLES: dict[tuple[str, str], Callable[[Scene, str], Any]] = {
    ("DELETE", "/api/v1/calendriers/{evenement_id}/inscription"): lambda s, a: s.inscrire(a),
    ("DELETE", "/api/v1/comptes/{compte_id}/email-en-attente"): lambda s, a: demander_une_adresse(s.user_owner),
    ("DELETE", "/api/v1/comptes/{compte_id}/second-facteur"): lambda s, a: munir(s.user_owner),
    ("GET", "/api/v1/calendriers/flux"): lambda s, a: s.flux(a),
    ("POST", "/api/v1/signalements/{signalement_id}/ouverture"): lambda s, a: equipes.confier(s.dossier(a), s.equipe),
    # Somebody is left to read it.
    ("PUT", "/api/v1/signalements/{signalement_id}/retrait"): lambda s, a: (s.gestionnaire, s.admin),
}
