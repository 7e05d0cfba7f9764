"""Identifiers that answers have named, to put where a path or a body asks for one."""

from collections import defaultdict
from random import Random
from typing import Any

import httpx

from config.tests.outils import chemins

# What `id` is, by where an answer comes from; the longest beginning wins.
D_OU = {
    "/api/v1/signalements": ("signalement_id", "alert_id"),
    "/api/v1/stats/dashboard/alerts": ("alert_id", "signalement_id"),
    "/api/v1/stats/dashboard/cases": ("signalement_id",),
    "/api/v1/comptes": ("compte_id",),
    "/api/v1/comptes/invitations": ("invitation_id",),
    "/api/v1/discussions": ("discussion_id",),
    "/api/v1/calendriers": ("evenement_id",),
    "/api/v1/calendriers/participants": ("participant_id",),
    "/api/v1/postes": ("poste_id",),
    "/api/v1/ressources": ("resource_id",),
}
NOMMES = {
    "signalementId": ("signalement_id", "alert_id"),
    "discussionId": ("discussion_id",),
    "gestionnaireId": ("compte_id",),
    "userId": ("compte_id",),
    "acteurId": ("compte_id",),
    "fileId": ("file_id",),
    "invitationId": ("invitation_id",),
    "exportId": ("export_id",),
    "guestId": ("guestId",),
    "reference": ("reference",),
    "eventId": ("evenement_id",),
    "posteId": ("poste_id",),
}
# A body or a question names them as an answer does.
ALIAS = {"guestEntityId": "signalement_id", "targetEntityId": "signalement_id", "piecesJointes": "file_id"}
CONSTANTES = {"nom": ["ADMIN_SYSTEME", "GESTIONNAIRE"], "target_date": ["2026-11-23", "2026-12-01"]}
# What an actor reads and makes at first, where it may.
AMORCES: list[tuple[str, dict[str, Any] | None]] = [
    ("/signalements/", {"titre": "Vol", "description": "Un sac, à l'amphi.", "type": "VOL"}),
    ("/discussions/", {"titre": "Suites"}),
    ("/postes/", {"contenu": "Qui vient à la chorale jeudi ?"}),
    ("/ressources/", {"titre": "Guide", "publicUrl": "https://campus.example.org/guide.pdf"}),
    (
        "/calendriers/",
        {
            "titre": "Premiers secours",
            "type": "ATELIER",
            "dateDebut": "2027-03-01T14:00:00Z",
            "dateFin": "2027-03-01T16:00:00Z",
        },
    ),
    ("/stats/signalements/export", {}),
    ("/signalements/?size=20", None),
    ("/signalements/me", None),
    ("/signalements/guest/me", None),
    ("/comptes/", None),
    ("/comptes/invitations", None),
    ("/calendriers/", None),
    ("/postes/", None),
    ("/ressources/", None),
    ("/discussions/", None),
    ("/discussions/guest/me", None),
]
GARDES = 40  # of each kind, the latest


class Reserve:
    def __init__(self) -> None:
        self._valeurs: dict[str, list[str]] = defaultdict(list)
        for nom, valeurs in CONSTANTES.items():
            self._valeurs[nom] = list(valeurs)

    def apprendre(self, chemin: str, reponse: httpx.Response) -> None:
        if reponse.is_success and reponse.content and reponse.headers.get("Content-Type") == "application/json":
            decrit = next((c for motif, c in chemins() if motif.fullmatch(chemin)), "")
            self._lire(reponse.json().get("data"), _noms_de_id(decrit))

    def tirer(self, nom: str, hasard: Random) -> str | None:
        """One that is known for this name, as a path, a question or a body writes it."""
        cle = ALIAS.get(nom) or next(iter(NOMMES.get(nom, ())), nom)
        connues = self._valeurs.get(cle)
        return hasard.choice(connues) if connues else None

    def _lire(self, noeud: Any, noms_de_id: tuple[str, ...]) -> None:
        if isinstance(noeud, list):
            for element in noeud:
                self._lire(element, noms_de_id)
        elif isinstance(noeud, dict):
            for cle, valeur in noeud.items():
                if isinstance(valeur, str):
                    for nom in noms_de_id if cle == "id" else NOMMES.get(cle, ()):
                        self._retenir(nom, valeur)
                else:
                    self._lire(valeur, noms_de_id if cle == "items" else ())

    def _retenir(self, nom: str, valeur: str) -> None:
        connues = self._valeurs[nom]
        if valeur not in connues:
            connues.append(valeur)
            del connues[:-GARDES]


def _noms_de_id(chemin: str) -> tuple[str, ...]:
    if "/commentaires" in chemin or "/reactions" in chemin:
        return ("commentaire_id",) if "/commentaires" in chemin else ("reaction_id",)
    if chemin.endswith(("/participants", "/inscription")):
        return ("participant_id",)
    debuts = [debut for debut in D_OU if chemin.startswith(debut)]
    return D_OU[max(debuts, key=len)] if debuts else ()


def semer(reserve: Reserve, http: httpx.Client, entetes: dict[str, str]) -> None:
    """Read every list that this actor may read, and make what it has none of."""
    for chemin, corps in AMORCES:
        methode = "POST" if corps is not None else "GET"
        reponse = http.request(methode, chemin, json=corps, headers=entetes)
        reserve.apprendre(f"/api/v1{chemin.partition('?')[0]}", reponse)
