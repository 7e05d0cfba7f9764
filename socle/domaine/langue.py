"""Our own words in the language of the request, and in that of what no reader asked for."""

from contextlib import AbstractContextManager, nullcontext
from functools import lru_cache

from django.utils.translation import get_language, gettext, override


def traduit(message: str) -> str:
    """`gettext`, looked up once a language; never for what somebody wrote, since it is remembered."""
    return _traduit(get_language(), message)


@lru_cache(maxsize=512)
def _traduit(_langue: str | None, message: str) -> str:
    return gettext(message)


def en_francais() -> AbstractContextManager[None]:
    """The language of what is kept, or heard by many: nobody's own could be asked."""
    return nullcontext() if get_language() == "fr" else override("fr")
