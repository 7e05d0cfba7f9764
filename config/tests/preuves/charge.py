"""People who use the service without pause, on several processes, whatever happens to these."""

import random
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from hashlib import sha256
from typing import Any
from uuid import uuid4

import httpx

from config.tests.outils.serveur import Serveur
from config.tests.preuves.cahier import Cahier
from demo.textes import ADMIN, GESTIONNAIRE, MOT_DE_PASSE

ESSAIS = 60  # of one write under its key, a second apart: longer than any fault lasts
ATTENTE = 30.0


class Arret(Exception):
    """The load is over."""


class Personne:
    """Somebody with a client; each call goes to any of the processes."""

    def __init__(self, serveurs: Sequence[Serveur], cahier: Cahier, fin: threading.Event, graine: int) -> None:
        self._serveurs = serveurs
        self.cahier = cahier
        self.fin = fin
        self.sort = random.Random(graine)
        self.entetes: dict[str, str] = {}
        self._clients = [httpx.Client(base_url=f"{un.url}/api/v1", timeout=ATTENTE) for un in serveurs]

    def appeler(self, methode: str, chemin: str, *, cle: str = "", **corps: Any) -> httpx.Response | None:
        """The answer, or None where there was none."""
        entetes = {**self.entetes, **({"Idempotency-Key": cle} if cle else {})}
        try:
            reponse = self.sort.choice(self._clients).request(methode, chemin, headers=entetes, **corps)
        except httpx.TransportError:
            self.cahier.compter(None, chemin)
            return None
        self.cahier.compter(reponse.status_code, f"{methode} {chemin}", reponse.text)
        return reponse

    def obtenir(self, methode: str, chemin: str, *, cle: str = "", tard: bool = False, **corps: Any) -> Any:
        """The data of an answer, asked until it comes; `tard` goes on after the end of the load."""
        for _essai in range(ESSAIS):
            reponse = self.appeler(methode, chemin, cle=cle, **corps)
            if reponse is not None and reponse.is_success:
                return reponse.json()["data"] if reponse.content else None
            if reponse is not None and reponse.status_code == 401:
                self.se_presenter()
            elif reponse is not None and reponse.status_code not in (409, 429, 503):
                self.cahier.fautes.append(f"{methode} {chemin} : {reponse.status_code} {reponse.text[:300]}")
                raise Arret
            if self.fin.is_set() and not tard:
                raise Arret
            time.sleep(1)
        self.cahier.fautes.append(f"{methode} {chemin} : rien en {ESSAIS} essais")
        raise Arret

    def ecrire(self, sorte: str, chemin: str, marque: str, *, reessaye: bool, **corps: Any) -> Any:
        """A creation; retried under its key until it is confirmed, or sent once and perhaps never answered."""
        cle = uuid4().hex
        for _essai in range(ESSAIS if reessaye else 1):
            reponse = self.appeler("POST", chemin, cle=cle if reessaye else "", **corps)
            statut = None if reponse is None else reponse.status_code
            donnees = reponse.json()["data"] if reponse is not None and reponse.is_success else None
            if statut == 401:
                self.se_presenter()
                continue
            if not reessaye or statut not in (None, 409, 429, 503):  # 409: the first try still runs
                self.cahier.noter(sorte, marque, statut, donnees)
                return donnees
            time.sleep(0.5)
        self.cahier.noter(sorte, marque, None)
        return None

    def se_presenter(self) -> None:
        """Get an identity; again where a token has run out."""

    def vivre(self) -> None:
        """One round; called again and again."""
        raise NotImplementedError

    def tourner(self) -> None:
        with suppress(Arret):
            self.se_presenter()
            while not self.fin.is_set():
                self.vivre()
        for client in self._clients:
            client.close()


class Invitee(Personne):
    """Reports, talks, attaches a file, looks; each dozen acts she is somebody else."""

    tours = 0
    dossier: Any = None
    discussion: Any = None

    def se_presenter(self) -> None:
        self.entetes = {}
        ouverte = self.obtenir("POST", "/guest/sessions", json={"telephone": f"+2438{self.sort.randrange(10**8):08d}"})
        self.entetes = {"X-Guest-Id": ouverte["guestId"]}
        self.dossier = self.discussion = None

    def vivre(self) -> None:
        self.tours += 1
        if self.dossier is None or self.tours % 12 == 0:
            self.signaler()
        elif self.tours % 12 == 6:
            self.envoyer()
        elif self.tours % 12 == 11:
            self.se_presenter()
            return
        else:
            self.dire()
        self.appeler("GET", "/guest/suivi")

    def signaler(self) -> None:
        marque = self.cahier.marque()
        corps = {"titre": "Sous charge", "description": f"Un fait, {marque}.", "type": "VOL"}
        reessaye = self.sort.random() < 0.7
        self.dossier = self.ecrire("signalement", "/signalements/", marque, reessaye=reessaye, json=corps)
        if self.dossier is not None:
            sur = {"titre": "Suites", "signalementId": self.dossier["id"]}
            self.discussion = self.obtenir("POST", "/discussions/", cle=uuid4().hex, json=sur)

    def dire(self) -> None:
        if self.discussion is None:
            return self.signaler()
        marque, ou = self.cahier.marque(), f"/discussions/{self.discussion['id']}/messages"
        self.ecrire("message", ou, marque, reessaye=self.sort.random() < 0.7, json={"contenu": f"Je dis {marque}."})
        return None

    def envoyer(self) -> None:
        marque = self.cahier.marque()
        octets = marque.encode() + self.sort.randbytes(2000)
        fichier = {"file": (f"{marque}.bin", octets, "application/octet-stream")}
        donnees = self.ecrire("fichier", "/fichiers/upload", marque, reessaye=True, files=fichier)
        if donnees is not None:
            donnees["empreinte"] = sha256(octets).hexdigest()
            donnees["guest"] = self.entetes["X-Guest-Id"]


class QuiSInscrit(Invitee):
    """A guest who takes an account, and her case with her; sometimes asks it twice at once."""

    def vivre(self) -> None:
        self.se_presenter()
        self.signaler()
        if self.dossier is None:
            return
        self.dire()
        guest, dossier = self.entetes["X-Guest-Id"], self.dossier["id"]
        marque, mot = self.cahier.marque(), "Rive-bleue-2027-champ"
        corps = {"email": f"{marque}@campus.example", "motDePasse": mot, "nom": "Okello", "prenom": "Ruth"}
        self.entetes = {}
        inscrite = self.appeler("POST", "/auth/signup", json=corps)
        if inscrite is None or inscrite.status_code == 503:
            return  # not answered: the address may be taken
        ouverte = self.obtenir("POST", "/auth/login", json={"email": corps["email"], "motDePasse": mot})
        self.entetes = {"Authorization": f"Bearer {ouverte['token']}"}
        cle, chemin, choix = uuid4().hex, f"/guest/sessions/{guest}/merge", {"acceptPolicy": "MERGE_ALL"}
        rendus: list[Any] = []
        deux = [threading.Thread(target=lambda: self._rattacher(chemin, cle, choix, rendus)) for _ in range(2)]
        for un in deux:
            un.start()
        for un in deux:
            un.join()
        if len(rendus) == 2:
            if rendus[0] != rendus[1]:
                self.cahier.fautes.append(f"deux réponses d'un rattachement diffèrent : {marque}")
            self.cahier.noter("rattachement", marque, 200, {"dossier": dossier})
        else:
            self.cahier.noter("rattachement", marque, None)
        self.entetes = {}

    def _rattacher(self, chemin: str, cle: str, choix: Any, rendus: list[Any]) -> None:
        with suppress(Arret):
            rendus.append(self.obtenir("POST", chemin, cle=cle, tard=True, json=choix))


class Membre(Personne):
    """A manager: reads the list, takes, notes, changes the state, answers."""

    email = GESTIONNAIRE.email

    def se_presenter(self) -> None:
        self.entetes = {}
        ouverte = self.obtenir("POST", "/auth/login", json={"email": self.email, "motDePasse": MOT_DE_PASSE})
        self.entetes = {"Authorization": f"Bearer {ouverte['token']}"}

    def vivre(self) -> None:
        recents = self.obtenir("GET", "/signalements/?limit=20")
        un = self.sort.choice(recents["items"])
        marque = self.cahier.marque()
        ou = f"/signalements/{un['id']}/notes"
        self.ecrire("note", ou, marque, reessaye=self.sort.random() < 0.7, json={"contenu": f"Note {marque}."})
        self.appeler("GET", f"/signalements/{un['id']}")
        statut = self.sort.choice(["EN_COURS", "EN_ATTENTE", "TRAITE"])
        self.appeler("PUT", f"/signalements/{un['id']}/statut", json={"statut": statut})
        self.appeler("GET", "/stats/dashboard")


class QuiExporte(Membre):
    """An administrator who asks for exports, and waits for each."""

    email = ADMIN.email

    def vivre(self) -> None:
        marque = self.cahier.marque()
        demande = self.appeler("POST", "/stats/signalements/export", json={"format": "csv"})
        if demande is not None and demande.is_success:
            self.cahier.noter("export", marque, demande.status_code, demande.json()["data"])
        self.fin.wait(0.5)


def lancer(especes: Sequence[type[Personne]], *contexte: Any) -> list[threading.Thread]:
    """A thread for each of these people; `contexte` is what they share."""
    fils = []
    for graine, espece in enumerate(especes):
        tourner: Callable[[], None] = espece(*contexte, graine).tourner
        fils.append(threading.Thread(target=tourner, name=f"{espece.__name__}-{graine}", daemon=True))
        fils[-1].start()
    return fils
