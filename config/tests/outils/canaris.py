"""Over the whole suite: what must never come out does not, whatever a test is about.

Each guest id, e-mail, phone, account of facts, message, note and six-word code that a test makes is looked for in every
line that is logged, every mail, every key of the cache, every event and every answer that it causes; and who wrote
anonymously alone, in what others are answered or told of cases.
"""

import json
import logging
from base64 import urlsafe_b64decode
from collections import defaultdict
from collections.abc import Iterator
from html import unescape
from typing import Any

import pytest
from django.core.cache.backends.base import BaseCache
from django.core.mail.backends.locmem import EmailBackend
from django.db.models.signals import post_init
from django.test import Client

from accounts.models import Compte
from avis.models import AdresseInvitee
from discussions.models import Discussion, Message
from guests.models import SessionInvitee
from portail.services import code
from signalements.models import EntreeTimeline, Signalement
from signalements.vocabulaire import TypeEntree
from socle.domaine.chiffrement import Illisible
from socle.domaine.droits import Role
from socle.journal import Lignes
from socle.realtime import diffusion

SUIVIS = (AdresseInvitee, Compte, Discussion, EntreeTimeline, Message, SessionInvitee, Signalement)
ASSEZ_LONG = 9  # a shorter text is in many others
# What is answered and told of cases, by who handles them or not.
DES_DOSSIERS = ("/api/v1/signalements", "/api/v1/stats", "/api/v1/guest", "/equipe/")


class Voliere(logging.Handler):
    """What was made since the test began, and where some of it came out."""

    def __init__(self) -> None:
        super().__init__()
        self.guest_ids: set[str] = set()
        self.personnes: set[str] = set()  # e-mails and phones
        self.textes: set[str] = set()
        self.codes: set[str] = set()
        self.comptes: dict[Any, dict[str, Any]] = {}
        self.modes: dict[Any, set[str]] = defaultdict(set)  # of each account, and of each channel of a case
        self.dossiers: dict[str, str] = {}  # channel of a conversation -> that of its case
        self.fautes: list[str] = []
        self.setFormatter(Lignes())

    def emit(self, record: logging.LogRecord) -> None:
        if record.name.partition(".")[0] not in ("httpx", "asyncio"):  # the tests' own clients
            self.chercher("une ligne du journal", self.format(record), self.caches)

    def chercher(self, ou: str, texte: str, quoi: set[str]) -> None:
        self.fautes += [f"{un!r} dans {ou} : {texte[:400]}" for un in quoi if un in texte]

    def oublier(self) -> None:
        for garde in (
            self.guest_ids,
            self.personnes,
            self.textes,
            self.codes,
            self.comptes,
            self.modes,
            self.dossiers,
            self.fautes,
        ):
            garde.clear()

    @property
    def caches(self) -> set[str]:
        return self.guest_ids | self.personnes | self.textes | self.codes

    def anonymes(self, lecteur: str = "") -> set[str]:
        """What names who has reported as ANONYME alone, but for this reader: id, e-mail, name where no other has it."""
        noms = [compte.get("nom") for compte in self.comptes.values()]
        trouves = set()
        for pk, compte in self.comptes.items():
            est_un_auteur = self.modes.get(pk) == {"ANONYME"} and compte["type_utilisateur"] == Role.UTILISATEUR
            if est_un_auteur and str(pk) != lecteur:
                nom = str(compte.get("nom"))
                trouves |= {str(pk), str(compte.get("email"))} | ({nom} if noms.count(nom) == 1 else set())
        ecrits = "\n".join(self.textes)
        return {un for un in trouves if un not in ecrits}

    def retenir(self, sender: Any, instance: Any, **kwargs: Any) -> None:
        """Once a row is made or read; a column that was left out is not asked for."""
        la = instance.__dict__
        if sender in (Compte, SessionInvitee):
            self.personnes.update({la.get("email"), la.get("telephone")} - {"", None, Illisible.SANS_CLE})
            if sender is Compte and "type_utilisateur" in la:
                self.comptes[la.get("id")] = la
        elif sender is AdresseInvitee:
            self.personnes.add(str(la.get("adresse")))
        elif sender is Signalement:
            self._retenir_un_texte(la.get("description"))
            for qui in (la.get("compte_id"), f"signalement:{la.get('id')}"):
                self.modes[qui].add(str(la.get("mode_identification")))
        elif sender is Discussion:
            self.dossiers[f"discussion:{la.get('id')}"] = f"signalement:{la.get('signalement_id')}"
        elif sender is Message or la.get("type") == TypeEntree.NOTE:
            self._retenir_un_texte(la.get("contenu"))

    def _retenir_un_texte(self, texte: str | None) -> None:
        for ligne in (texte or "").splitlines():
            if len(ligne) >= ASSEZ_LONG and ligne.isprintable():
                self.textes.add(json.dumps(ligne, ensure_ascii=False)[1:-1])


VOLIERE = Voliere()


@pytest.fixture(autouse=True)
def rien_ne_s_echappe() -> Iterator[None]:
    VOLIERE.oublier()
    logging.getLogger().addHandler(VOLIERE)
    yield
    logging.getLogger().removeHandler(VOLIERE)
    if VOLIERE.fautes:
        pytest.fail("\n".join(VOLIERE.fautes))


@pytest.fixture(scope="session", autouse=True)
def ecoute() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as remplacements:
        for modele in SUIVIS:
            post_init.connect(VOLIERE.retenir, sender=modele)
        remplacements.setattr(SessionInvitee, "__setattr__", _poser, raising=False)
        remplacements.setattr(code, "tirer", _tirer(code.tirer))
        remplacements.setattr(Client, "request", _repondre(Client.request))
        remplacements.setattr(EmailBackend, "send_messages", _envoyer(EmailBackend.send_messages))
        remplacements.setattr(BaseCache, "make_key", _nommer(BaseCache.make_key))
        remplacements.setattr(diffusion.Annonce, "__new__", _annoncer(diffusion.Annonce.__new__))
        yield
        for modele in SUIVIS:
            post_init.disconnect(VOLIERE.retenir, sender=modele)


def _poser(session: SessionInvitee, nom: str, valeur: Any) -> None:
    if nom == "guest_id" and valeur is not None:
        VOLIERE.guest_ids.add(str(valeur))
    object.__setattr__(session, nom, valeur)


def _repondre(vraie: Any) -> Any:
    """A guest id is in an answer to who gave it, and to who opens the session."""

    def request(client: Client, **environ: Any) -> Any:
        reponse = vraie(client, **environ)
        ouvre = environ.get("REQUEST_METHOD") == "POST" and environ.get("PATH_INFO", "").endswith("/guest/sessions")
        if not reponse.streaming and not ouvre:
            donne = _sans_tirets(str({nom: v for nom, v in environ.items() if nom.isupper()}) + _corps(environ))
            inconnus = {un for un in VOLIERE.guest_ids if _sans_tirets(un) not in donne}
            texte = reponse.content.decode(errors="replace")
            VOLIERE.chercher(f"la réponse de {environ.get('PATH_INFO')}", texte, inconnus)
            if environ.get("PATH_INFO") == "/metrics":
                VOLIERE.chercher("les mesures", texte, VOLIERE.caches)
            if _parle_d_un_anonyme(environ.get("PATH_INFO", "")):
                VOLIERE.chercher(f"la réponse de {environ['PATH_INFO']}", texte, VOLIERE.anonymes(_lecteur(environ)))
            if environ.get("PATH_INFO", "").startswith(("/api/", "/admin/", "/equipe/")):
                VOLIERE.chercher(f"la réponse de {environ['PATH_INFO']}", texte, VOLIERE.codes)
        return reponse

    return request


def _parle_d_un_anonyme(chemin: str) -> bool:
    if chemin.startswith("/api/v1/discussions/"):
        return _est_d_un_anonyme(f"discussion:{chemin.split('/')[4]}")
    return chemin.startswith(DES_DOSSIERS)


def _lecteur(environ: dict[str, Any]) -> str:
    """The account of a token, which no one has verified here."""
    parties = str(environ.get("HTTP_AUTHORIZATION", "")).split(".")
    try:
        return str(json.loads(urlsafe_b64decode(parties[1] + "=="))["sub"])
    except (IndexError, ValueError, KeyError):
        return ""


def _tirer(vraie: Any) -> Any:
    def tirer(langue: str) -> str:
        six_mots = str(vraie(langue))
        VOLIERE.codes.add(six_mots)
        return six_mots

    return tirer


def _corps(environ: dict[str, Any]) -> str:
    lu = environ.get("wsgi.input")
    return lu._FakePayload__content.getvalue().decode(errors="replace") if lu is not None else ""


def _sans_tirets(texte: str) -> str:
    return texte.replace("-", "").lower()


def _envoyer(vraie: Any) -> Any:
    def send_messages(depart: EmailBackend, messages: Any) -> int:
        for message in messages:
            parties = [message.subject, message.body, *(unescape(une.content) for une in message.alternatives)]
            etrangers = {une for une in VOLIERE.personnes if une not in message.to and une not in parties[0]}
            VOLIERE.chercher(
                "un courriel", "\n".join(parties), VOLIERE.guest_ids | VOLIERE.textes | VOLIERE.codes | etrangers
            )
        return int(vraie(depart, messages))

    return send_messages


def _nommer(vraie: Any) -> Any:
    def make_key(cache: BaseCache, key: Any, version: int | None = None) -> str:
        nom = str(vraie(cache, key, version))
        VOLIERE.chercher("une clé du cache", nom, VOLIERE.caches)
        return nom

    return make_key


def _est_d_un_anonyme(canal: str) -> bool:
    """False where it is told in one's own name: of such a case, or in a conversation about none."""
    if canal == "signalements":
        return True
    return VOLIERE.modes.get(VOLIERE.dossiers.get(canal, canal)) == {"ANONYME"}


def _annoncer(vraie: Any) -> Any:
    def __new__(cls: Any, *args: Any, **kwargs: Any) -> Any:
        annonce = vraie(cls, *args, **kwargs)
        dit = json.dumps(annonce.payload, default=str, ensure_ascii=False)
        VOLIERE.chercher("un événement", dit, VOLIERE.guest_ids | VOLIERE.codes)
        if _est_d_un_anonyme(annonce.canal):
            VOLIERE.chercher("un événement", dit, VOLIERE.anonymes())
        return annonce

    return __new__
