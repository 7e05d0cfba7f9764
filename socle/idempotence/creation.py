"""Creations that a client may ask for twice: one row for an Idempotency-Key, written in the same transaction."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from django.db import transaction

from socle.domaine.acteurs import Acteur
from socle.domaine.chiffrement import empreinte
from socle.erreurs import CleReutilisee
from socle.idempotence.models import CleUtilisee

P = ParamSpec("P")
R = TypeVar("R")


class DejaFaite(BaseException):
    """Unique-key conflict: another call with this key made the row meanwhile; no `except Exception` swallows it."""


@dataclass(frozen=True)
class CreationDemandee:
    """A creation under an Idempotency-Key, as keyed hashes: of the actor with the key, of the route with the body."""

    cle: str
    contenu: str

    @classmethod
    def de(cls, acteur: Acteur, cle: str, contenu: str) -> "CreationDemandee":
        return cls(empreinte("cle-de-creation", f"{acteur.cle}\x00{cle}"), empreinte("demande-de-creation", contenu))

    def deja_faite(self) -> CleUtilisee | None:
        """Look up the use of this key in the last 24 hours, None for a new one; CleReutilisee (422) if it differs."""
        utilisee = CleUtilisee.objects.filter(cle=self.cle).first()
        if utilisee is None:
            return None
        if utilisee.est_perimee:  # not purged yet
            CleUtilisee.perimees().filter(pk=utilisee.pk).delete()
            return None
        if utilisee.demande != self.contenu:
            raise CleReutilisee
        return utilisee

    def prendre(self) -> CleUtilisee:
        """Insert the key; its unique constraint waits for another holder to end, DejaFaite if that one made the row."""
        prise = CleUtilisee(cle=self.cle, demande=self.contenu)
        CleUtilisee.objects.bulk_create([prise], ignore_conflicts=True)
        if not CleUtilisee.objects.filter(pk=prise.pk).exists():
            raise DejaFaite
        return prise


_en_cours: ContextVar[CreationDemandee | None] = ContextVar("demande", default=None)


@contextmanager
def sous(demande: CreationDemandee | None) -> Iterator[None]:
    """Set the current `CreationDemandee` of this context while the block runs; `creation` reads it, None clears it."""
    jeton = _en_cours.set(demande)
    try:
        yield
    finally:
        _en_cours.reset(jeton)


def creation(service: Callable[P, R]) -> Callable[P, R]:
    """`transaction.atomic` for a service that makes a row; under an Idempotency-Key, once.

    The service answers the row, or `(row, est_nouvelle)`. The key is taken before any lock, so a waiting call holds
    nothing. Creations that the service calls are part of this one; without a key this is `transaction.atomic` alone.
    """

    @wraps(service)
    def creer(*args: P.args, **kwargs: P.kwargs) -> R:
        with transaction.atomic():
            demande = _en_cours.get()
            if demande is None:
                return service(*args, **kwargs)
            prise = demande.prendre()
            with sous(None):
                rendu = service(*args, **kwargs)
            _garder(prise, rendu)
            return rendu

    return creer


def _garder(prise: CleUtilisee, rendu: Any) -> None:
    ligne, prise.est_nouveau = rendu if isinstance(rendu, tuple) else (rendu, True)
    prise.objet = ligne.pk
    prise.save(update_fields=["objet", "est_nouveau"])
