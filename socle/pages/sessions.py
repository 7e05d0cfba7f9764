"""Session engine (`SESSION_ENGINE`): rows of django.contrib.sessions whose key is a keyed hash of the cookie's."""

from typing import Any

from django.contrib.sessions.backends.base import SessionBase
from django.contrib.sessions.backends.db import SessionStore as EnBase
from django.utils import timezone

from socle.domaine.chiffrement import empreinte

LONGUEUR = 40  # of Django's column: 160 bits of the hash


def cle_de_la_ligne(cle: str) -> str:
    """Key of the row of a browser session, from the key that its cookie holds; nothing leads back."""
    return empreinte("session-de-page", cle)[:LONGUEUR]


class SessionStore(EnBase):
    """Database store: `session_key` is the cookie's, the row has its hash, so what the base holds opens nothing.

    Its name is Django's own: the contents of rows are signed under it.
    """

    def load(self) -> dict[str, Any]:
        ouvertes = self.model.objects.filter(expire_date__gt=timezone.now())
        ligne = ouvertes.filter(session_key=cle_de_la_ligne(self.session_key or "")).first()
        if ligne is None:
            self._session_key = None  # one that came from elsewhere is never taken over
            return {}
        return self.decode(ligne.session_data)

    def exists(self, session_key: str) -> bool:
        return super().exists(cle_de_la_ligne(session_key))

    def create_model_instance(self, data: dict[str, Any]) -> Any:
        ligne = super().create_model_instance(data)
        ligne.session_key = cle_de_la_ligne(ligne.session_key)
        return ligne

    def delete(self, session_key: str | None = None) -> None:
        if cle := session_key or self.session_key:
            super().delete(cle_de_la_ligne(cle))

    # Each is the method above, in a thread: Django's own would look up the cookie's key.
    aload = SessionBase.aload
    aexists = SessionBase.aexists
    acreate = SessionBase.acreate
    asave = SessionBase.asave
    adelete = SessionBase.adelete
