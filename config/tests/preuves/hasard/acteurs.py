"""Who sends the requests: a guest and an account of each role, with new credentials when an act has ended theirs."""

from collections.abc import Mapping
from typing import Any
from uuid import uuid4

import httpx

from config.tests.outils.serveur import Serveur
from demo.textes import MOT_DE_PASSE

ROLES = {"utilisateur": "UTILISATEUR", "gestionnaire": "GESTIONNAIRE", "admin": "ADMIN_SYSTEME"}
ACTEURS = ("invite", *ROLES)
# Run in a process of the service: an account that no request of the others can have refused.
CREER = """
from accounts.services.comptes import creer
creer(email={email!r}, mot_de_passe={secret!r}, prenom="Ruth", nom="Okello", type_utilisateur={role!r})
"""
EXIGE_UN_ROLE = ("gestionnaire", "admin")


class Actrice:
    """Credentials that work: `relire` is told each answer, and takes others after a refusal that ends these."""

    def __init__(self, serveur: Serveur, nom: str) -> None:
        self.nom = nom
        self.renouvellements = 0
        self._serveur = serveur
        self._http = httpx.Client(base_url=f"{serveur.url}/api/v1", timeout=30)
        self._email = ""
        self.entetes: dict[str, str] = {}
        self.compte_id = ""
        self._renouveler()

    @property
    def secret(self) -> str:
        return next(iter(self.entetes.values()))

    def relire(self, envoyes: Mapping[str, Any], statut: int, code: str) -> None:
        """After an answer to a request with these headers."""
        if any(envoyes.get(nom) != valeur for nom, valeur in self.entetes.items()):
            return
        perdus = code.startswith("GUEST_SESSION") if self.nom == "invite" else statut == 401
        if perdus or (statut == 403 and self.nom in EXIGE_UN_ROLE):
            self._verifier()

    def _verifier(self) -> None:
        adresse = f"/guest/sessions/{self.secret}" if self.nom == "invite" else "/auth/validate"
        reponse = self._http.get(adresse, headers=self.entetes)
        data = reponse.json().get("data") or {}
        attendu = "ACTIVE" if self.nom == "invite" else ROLES[self.nom]
        if attendu not in (data.get("statut"), data.get("typeUtilisateur")):
            self.renouvellements += 1
            self._renouveler()

    def _renouveler(self) -> None:
        if self.nom == "invite":
            telephone = f"+24381{uuid4().int % 10_000_000:07}"
            ouverte = self._http.post("/guest/sessions", json={"telephone": telephone})
            self.entetes = {"X-Guest-Id": ouverte.json()["data"]["guestId"]}
            return
        if not (self._email and self._connecter()):
            self._email = f"preuve-{self.nom}-{uuid4().hex[:12]}@campus.example"
            ordre = CREER.format(email=self._email, secret=MOT_DE_PASSE, role=ROLES[self.nom])
            self._serveur.commander("shell", "-c", ordre)
            assert self._connecter(), f"{self.nom} ne se connecte pas"

    def _connecter(self) -> bool:
        """Whether this account still lets in, in its role."""
        reponse = self._http.post("/auth/login", json={"email": self._email, "motDePasse": MOT_DE_PASSE})
        data = reponse.json().get("data") or {}
        if data.get("typeUtilisateur") != ROLES[self.nom]:
            return False
        self.entetes = {"Authorization": f"Bearer {data['token']}"}
        self.compte_id = self._http.get("/comptes/me", headers=self.entetes).json()["data"]["id"]
        return True
