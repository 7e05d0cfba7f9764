"""Access and refresh tokens: JWT (HS256) with sub, sid, typ, jti, iat, exp."""

import time
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING, Any
from uuid import UUID

from rest_framework_simplejwt.exceptions import TokenError
from rest_framework_simplejwt.tokens import AccessToken, RefreshToken, Token

from socle.erreurs import JetonInvalide

if TYPE_CHECKING:
    from accounts.models import Session


@dataclass(frozen=True)
class Contenu:
    compte_id: UUID
    session_id: UUID
    expire: datetime


def emettre_acces(session: "Session") -> str:
    return _emettre(AccessToken(), session)


def emettre_renouvellement(session: "Session") -> str:
    """Issue a refresh token that expires with its session."""
    jeton = RefreshToken()
    jeton.set_exp(from_time=session.date_expiration, lifetime=timedelta())
    return _emettre(jeton, session)


def lire_acces(jeton: str, *, quand: float | None = None) -> Contenu:
    """The content of a valid access token, or JetonInvalide; `quand`: the moment that counts, now without it.

    It was valid then where it was read then: its signature is in the cache, or is verified again, its end too.
    """
    return _non_expire(_acces_verifie(jeton), quand)


def lire_renouvellement(jeton: str) -> Contenu:
    return _non_expire(_verifier(RefreshToken, jeton))


def _non_expire(contenu: Contenu, quand: float | None = None) -> Contenu:
    """Judged here, to the second: the leeway of the library is for the clocks that issue, not for what is over."""
    if contenu.expire.timestamp() <= (time.time() if quand is None else quand):
        raise JetonInvalide
    return contenu


def _emettre(jeton: Token, session: "Session") -> str:
    jeton["sub"] = str(session.compte_id)
    jeton["sid"] = str(session.pk)
    return str(jeton)


# Cache of verified signatures: a good one stays good; `lire_acces` checks the expiry on each use.
@lru_cache(maxsize=4096)
def _acces_verifie(jeton: str) -> Contenu:
    return _verifier(AccessToken, jeton)


def _verifier(classe: type[Token], jeton: str) -> Contenu:
    try:
        lu: Any = classe(jeton)  # type: ignore[arg-type]
        return Contenu(UUID(lu["sub"]), UUID(lu["sid"]), datetime.fromtimestamp(lu["exp"], UTC))
    except (TokenError, KeyError, ValueError, TypeError, AttributeError, OverflowError, OSError) as erreur:
        raise JetonInvalide from erreur
