"""The routes that are measured, on rows made by the API itself: who calls them, and how."""

import io
import json
from datetime import timedelta
from functools import cache
from typing import Any, NamedTuple

from django.utils import timezone

from config.serveur.gestionnaire import Gestionnaire, Reponse
from config.serveur.pont import environ_de
from demo.scene import installer_comptes
from demo.textes import ADMIN, ETUDIANTE, GESTIONNAIRE, MOT_DE_PASSE
from demo.volume import actualiser_statistiques

API = "/api/v1"
TELEPHONE = "+243812345621"
SIGNALEMENTS, INVITES, MESSAGES, POSTES, EVENEMENTS = 60, 3, 20, 25, 21
PAGE_LOINTAINE = 400
SIGNALEMENT = {
    "titre": "Sac volé à la bibliothèque",
    "description": "Mon sac a disparu pendant que je cherchais un livre. " * 4,
    "type": "VOL",
    "modeIdentification": "ANONYME",
    "lieuIncident": "Bibliothèque centrale",
    "aTemoins": True,
    "descriptionTemoins": "Deux personnes de la table voisine.",
}
MESSAGE = {"contenu": "Un message de mesure, ni court ni long."}


@cache
def _gestionnaire() -> Gestionnaire:
    return Gestionnaire()


class RouteMesuree(NamedTuple):
    """A request: as octets for a real server, or called in process."""

    methode: str
    chemin: str
    entetes: dict[str, str]
    corps: bytes = b""

    def octets(self) -> bytes:
        lignes = [f"{self.methode} {self.chemin} HTTP/1.1", *(f"{nom}: {dit}" for nom, dit in self._entetes().items())]
        return "\r\n".join([*lignes, "", ""]).encode() + self.corps

    def environ(self) -> dict[str, Any]:
        chemin, _, question = self.chemin.partition("?")
        return environ_de(
            {
                "method": self.methode,
                "path": chemin,
                "query_string": question.encode(),
                "headers": [(nom.lower().encode(), dit.encode()) for nom, dit in self._entetes().items()],
                "corps": io.BytesIO(self.corps),
            }
        )

    def appeler(self) -> Reponse:
        reponse = _gestionnaire().repondre(self.environ())
        if reponse.statut >= 300:
            raise RuntimeError(f"{self.methode} {self.chemin} : {reponse.statut} {reponse.corps.decode()}")
        return reponse

    def donnees(self) -> Any:
        return json.loads(self.appeler().corps)["data"]

    def _entetes(self) -> dict[str, str]:
        du_corps = {"Content-Type": "application/json", "Content-Length": str(len(self.corps))} if self.corps else {}
        return {"Host": "127.0.0.1", "Accept": "application/json", **du_corps, **self.entetes}


class Personne(NamedTuple):
    entetes: dict[str, str]

    def demande(self, methode: str, chemin: str, corps: Any = None) -> RouteMesuree:
        return RouteMesuree(methode, API + chemin, self.entetes, b"" if corps is None else json.dumps(corps).encode())

    def lire(self, chemin: str) -> Any:
        return self.demande("GET", chemin).donnees()

    def creer(self, chemin: str, corps: Any) -> Any:
        return self.demande("POST", chemin, corps).donnees()

    def changer(self, chemin: str, corps: Any) -> Any:
        return self.demande("PUT", chemin, corps).donnees()


class Campus(NamedTuple):
    """People of the measure, and rows that they see."""

    etudiante: Personne
    gestionnaire: Personne
    invite: Personne
    signalement: str
    discussion: str


ANONYME = Personne({})


def installer() -> Campus:
    """Make the rows that the routes read; each act is the API's, so that they are what a client leaves."""
    installer_comptes()
    etudiante, gestionnaire, admin = (connecter(personne.email) for personne in (ETUDIANTE, GESTIONNAIRE, ADMIN))
    guest_id = ANONYME.creer("/guest/sessions", {"telephone": TELEPHONE})["guestId"]
    invite = Personne({"X-Guest-Id": guest_id})
    for _un in range(INVITES):
        invite.creer("/signalements/", SIGNALEMENT)
    discussion = signalement = ""
    for _un in range(SIGNALEMENTS):
        signalement = etudiante.creer("/signalements/", SIGNALEMENT)["id"]
        discussion = etudiante.creer("/discussions/", {"titre": "Suite", "signalementId": signalement})["id"]
        gestionnaire.creer(f"/discussions/{discussion}/messages", MESSAGE)
    for _un in range(MESSAGES):
        gestionnaire.creer(f"/discussions/{discussion}/messages", MESSAGE)
    for numero in range(POSTES):
        poste = etudiante.creer("/postes/", {"titre": f"Annonce {numero}", "contenu": "Ce que l'on annonce. " * 10})
        admin.demande("PATCH", f"/postes/{poste['id']}/statut", {"statut": "APPROUVER"}).appeler()
    for numero in range(EVENEMENTS):
        gestionnaire.creer("/calendriers/", _evenement(numero))
    actualiser_statistiques()
    return Campus(etudiante, gestionnaire, invite, signalement, discussion)


def connecter(email: str) -> Personne:
    connexion = ANONYME.creer("/auth/login", {"email": email, "motDePasse": MOT_DE_PASSE})
    return Personne({"Authorization": f"Bearer {connexion['token']}"})


def routes(campus: Campus) -> dict[str, RouteMesuree]:
    """Name of the route -> its request."""
    etudiante, gestionnaire = campus.etudiante, campus.gestionnaire
    ecrite = etudiante.creer("/discussions/", {"titre": "Où l'on écrit"})["id"]  # no message of a reading's
    page = min(PAGE_LOINTAINE, gestionnaire.lire("/signalements/?size=20")["total"] // 20)
    semaine = f"debut={_jour(0):%Y-%m-%d}&fin={_jour(6):%Y-%m-%d}"
    return {
        "validate": etudiante.demande("GET", "/auth/validate"),
        "les siens": etudiante.demande("GET", "/signalements/me?page=0&size=20"),
        "détail": etudiante.demande("GET", f"/signalements/{campus.signalement}"),
        "messages": etudiante.demande("GET", f"/discussions/{campus.discussion}/messages?page=0&size=20"),
        "publications": etudiante.demande("GET", "/postes/approuves?page=0&size=20"),
        "suivi d'un invité": campus.invite.demande("GET", "/guest/suivi"),
        "son tableau de bord": etudiante.demande("GET", "/stats/dashboard"),
        "liste de l'équipe": gestionnaire.demande("GET", "/signalements/?page=0&size=20"),
        f"liste, page {page}": gestionnaire.demande("GET", f"/signalements/?page={page}&size=20"),
        "tableau de bord": gestionnaire.demande("GET", "/stats/dashboard"),
        "calendrier": etudiante.demande("GET", f"/calendriers/range?{semaine}"),
        "signaler": etudiante.demande("POST", "/signalements/", SIGNALEMENT),
        "écrire un message": etudiante.demande("POST", f"/discussions/{ecrite}/messages", MESSAGE),
        "ouvrir une session invitée": ANONYME.demande("POST", "/guest/sessions", {"telephone": TELEPHONE}),
        "se connecter": ANONYME.demande("POST", "/auth/login", {"email": ETUDIANTE.email, "motDePasse": MOT_DE_PASSE}),
    }


def _jour(rang: int) -> Any:
    return timezone.now() + timedelta(days=7 + rang)


def _evenement(numero: int) -> dict[str, Any]:
    debut = _jour(numero % 7).replace(hour=8 + numero % 9, minute=0, second=0, microsecond=0)
    return {
        "titre": f"Atelier {numero}",
        "description": "Ce que l'on y fera. " * 5,
        "type": "FORMATION",
        "dateDebut": debut.isoformat(),
        "dateFin": (debut + timedelta(hours=2)).isoformat(),
        "lieu": "Salle 12",
    }
