"""Examples of the API's description: exchanged with the service, and made the same at each exchange."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import md5
from pathlib import Path
from typing import Any, NamedTuple
from uuid import UUID

from django.conf import settings
from django.core.cache import cache
from django.db import transaction

from config.tests.outils.clients import chemins, document
from config.tests.outils.scene import HTTP, Ligne, Scene, variables
from socle.domaine.memoire import MEMOIRES
from socle.domaine.provenance import requete_courante

DOSSIER = Path(settings.BASE_DIR) / "socle" / "api" / "exemples"
# Who is shown to ask: the first of these whom the matrix lets in.
D_ABORD = ("user_owner", "guest_owner", "gestionnaire", "admin", "anonymous", "exploitant")
REFUS = ("401", "403", "404", "409")
LIGNES_MAX = 3  # of a list
# Bodies that show more than the least that is asked.
PLUS_DITS: dict[tuple[str, str], dict[str, Any]] = {
    ("POST", "/api/v1/signalements"): {
        "titre": "Remarques répétées en séance de TD",
        "description": "Depuis octobre, à chaque séance, des remarques sur mon accent devant le groupe.",
        "type": "HARCELEMENT",
        "modeIdentification": "ANONYME",
        "lieuIncident": "Bâtiment C, salle 204",
        "aTemoins": True,
        "descriptionTemoins": "Deux personnes du groupe.",
    },
    # Numbers that ARCEP keeps for stories.
    ("POST", "/api/v1/guest/sessions"): {"telephone": "+33639980021"},
    ("PATCH", "/api/v1/guest/sessions/{guestId}/telephone"): {"telephone": "+33639980021"},
    ("PUT", "/api/v1/guest/avis"): {"email": "awa@example.org"},
    ("POST", "/api/v1/discussions"): {"titre": "Suite de ma demande"},
    ("POST", "/api/v1/postes"): {"titre": "Chorale du jeudi", "contenu": "Qui vient à la chorale jeudi, à 18 h ?"},
}
# What never says the same twice, by the name of its field.
SECRETS = {
    "token": "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.e30.c2lnbmF0dXJl",
    "refreshToken": "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.e30.cmVub3V2ZWxlcg",
    "secret": "JBSWY3DPEHPK3PXP",
    "otp": "123456",
    "codes": "k7m2p-x9qrt",
    "planDigest": "9f2c4e7a1b3d5f60827496a8b0c2d4e6",
    "requestId": "4f1c2d7a9b3e4c58a6d0e7f81b2c3d4e",
}
MOMENT, JOUR, MOIS = "2026-03-02T09:30:00", "2026-03-02", "2026-03"
# Those that the scene itself says.
DITS = {"2027-03-01T14:00:00", "2027-03-01T16:00:00", "2026-03-01", "2026-03-31"}
_ADRESSE = re.compile(r"(?<=[a-z])\d+@campus\.test")  # that the test data number as they go
_UUID = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}")
_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?")
_JOUR = re.compile(r"(?<!\d)\d{4}-\d\d-\d\d(?![\dT])")
_MOIS = re.compile(r"^\d{4}-\d\d$")
_REFERENCE = re.compile(r"SIG-\d{4}-[0-9A-Z]{8}")
_SIGNE = re.compile(r"\b(jeton|cle|secret)=[^&\s\"]+")


class Exemple(NamedTuple):
    """One operation: the body that was sent (None for none), and each answer by its status."""

    requete: Any
    reponses: dict[str, Any]

    @property
    def imprime(self) -> str:
        return json.dumps(self._asdict(), ensure_ascii=False, indent=2) + "\n"


def routes() -> dict[str, list[Ligne]]:
    """Rows of the matrix by the operation that serves them, which is named « GET /api/v1/… »."""
    trouvees: dict[str, list[Ligne]] = {}
    for ligne in HTTP:
        trouvees.setdefault(f"{ligne.methode} {ligne.chemin.rstrip('/')}", []).append(ligne)
    return trouvees


def description_de(route: str) -> dict[str, Any] | None:
    """The operation as the document describes it; None for the document itself and its pages."""
    methode, _espace, chemin = route.partition(" ")
    nu = re.sub(r"\{.*?\}", "x", chemin)
    decrit = next((decrit for motif, decrit in chemins() if motif.fullmatch(nu)), "")
    operation: dict[str, Any] | None = document()["paths"].get(decrit, {}).get(methode.lower())
    return operation


def exemple_de(lignes: list[Ligne], *, refuse_le_vide: bool) -> Exemple:
    """Exchange it as who is let in, then as the first who is refused with each status, then with an empty body."""
    admises = sorted((un for un in lignes if un.attendu.startswith("2")), key=_rang)
    refusees = {un.attendu: un for un in reversed(lignes) if un.attendu in REFUS}
    envoye: Any = None
    reponses: dict[str, Any] = {}
    for ligne in (*admises[:1], *(refusees[statut] for statut in sorted(refusees))):
        corps, statut, recu = echanger(ligne)
        if recu is not None:
            reponses[statut] = recu
        if ligne in admises:
            envoye = corps
    if envoye and refuse_le_vide:
        _corps, statut, recu = echanger(admises[0], vide=True)
        if statut == "422":
            reponses[statut] = recu
    return Exemple(envoye, dict(sorted(reponses.items())))


def _rang(ligne: Ligne) -> int:
    return D_ABORD.index(ligne.acteur) if ligne.acteur in D_ABORD else len(D_ABORD)


def echanger(ligne: Ligne, *, vide: bool = False) -> tuple[Any, str, Any]:
    """Send what the row says in a world of its own: the body sent, the status, the body received, None for no JSON."""
    with a_part():
        return _echanger(ligne, Scene(), vide=vide)


@contextmanager
def a_part() -> Iterator[None]:
    """Take back what the block has written, here and in every cache."""
    avant = transaction.savepoint()
    requete_courante.set(None)  # that an exchange before has left
    try:
        yield
    finally:
        transaction.savepoint_rollback(avant)
        cache.clear()
        for memoire in MEMOIRES:
            memoire.vider()


def _echanger(ligne: Ligne, scene: Scene, *, vide: bool) -> tuple[Any, str, Any]:
    meubler(scene, ligne)
    client, url = scene.client_de(ligne), scene.chemin(ligne)
    url = re.sub(r"/(?=\?|$)", "", url)  # the form of each path that the document lists
    plus_dit = PLUS_DITS.get((ligne.methode, ligne.chemin.rstrip("/")))
    corps = {} if vide else plus_dit or scene.corps(ligne.methode, ligne.chemin, ligne.acteur)
    reponse = client.envoyer(ligne.methode, url, corps, headers=scene.entetes(ligne.methode, ligne.chemin))
    neutre = Neutre()
    est_json = reponse.headers.get("Content-Type", "").startswith("application/json") and reponse.content
    est_un_envoi = corps and any(hasattr(valeur, "read") for valeur in corps.values())
    envoye = None if est_un_envoi else neutre.rendre(corps)
    return envoye, str(reponse.status_code), neutre.rendre(reponse.json()) if est_json else None


def meubler(scene: Scene, ligne: Ligne) -> None:
    """One of each, so that what is read has something to show; of what changes who reads a case, for lists alone."""
    if ligne.methode == "GET" or "{guestId}" in ligne.chemin:
        for nom in (
            "discussion_du_compte",
            "discussion_de_l_invite",
            "participation",
            "orientation",
            "poste_du_compte",
        ):
            getattr(scene, nom)
    if ligne.chemin.rstrip("/").endswith("/essai"):
        scene.valeur("regle_id", ligne.acteur)
    if ligne.methode == "GET" and not variables(ligne.chemin):
        for nom in ("resource_id", "modele_id", "regle_id", "membre_id", "invitation_id", "export_id", "homonyme_id"):
            scene.valeur(nom, "user_owner")


class Neutre:
    """Reader of one exchange that puts the same value wherever the same one stood, and the same at each exchange."""

    def __init__(self) -> None:
        self._ids: dict[str, str] = {}
        self._rangs: dict[int, int] = {}

    def rendre(self, valeur: Any, nom: str = "") -> Any:
        if isinstance(valeur, dict):
            return {_MOIS.sub(MOIS, cle): self.rendre(une, cle) for cle, une in valeur.items()}
        if isinstance(valeur, list):
            gardees = valeur[:LIGNES_MAX] if valeur and isinstance(valeur[0], dict) else valeur
            return [self.rendre(une, nom) for une in gardees]
        if nom == "id" and isinstance(valeur, int):  # of a table that numbers its rows
            return self._rangs.setdefault(valeur, len(self._rangs) + 1)
        return self._texte(valeur, nom) if isinstance(valeur, str) else valeur

    def _texte(self, texte: str, nom: str) -> str:
        if nom in SECRETS:
            return SECRETS[nom]
        texte = _MOMENT.sub(lambda dit: dit[0] if dit[0] in DITS else MOMENT, texte)
        texte = _JOUR.sub(lambda dit: dit[0] if dit[0] in DITS else JOUR, texte)
        texte = _ADRESSE.sub("@campus.test", texte).replace("http://testserver", "https://campus.example.org")
        texte = _REFERENCE.sub("SIG-2026-7K3M9QXT", _MOIS.sub(MOIS, texte))
        return _UUID.sub(lambda dit: self._id(dit[0]), _SIGNE.sub(r"\1=exemple", texte))

    def _id(self, vrai: str) -> str:
        if vrai not in self._ids:
            rang = str(len(self._ids)).encode()
            self._ids[vrai] = str(UUID(bytes=md5(rang, usedforsecurity=False).digest(), version=4))
        return self._ids[vrai]
