"""Vocabularies as a client shows them: the values that this service admits, each with its word."""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any, NamedTuple

from django.conf import settings
from django.db.models import TextChoices

from socle.domaine.registre import Registre
from socle.domaine.texte import mot_lisible


class VocabulaireMontre(NamedTuple):
    """Values with their words, lazy; `ouvert`: any other value is taken too."""

    ouvert: bool
    valeurs: list[tuple[str, Any]]


# Seam: name -> what a client shows of it.
montres: Registre[Callable[[], VocabulaireMontre]] = Registre("vocabulaires montrés")


def montrer_des_mots(nom: str, reglage: str, connus: Iterable[str], libelles: Mapping[str, Any]) -> None:
    """Show the known values, or those alone that the operator names under this key of VOCABULAIRES."""
    montres.inscrire(nom, partial(_lire, reglage, tuple(connus), libelles))


def montrer_des_choix(nom: str, choix: type[TextChoices]) -> None:
    montres.inscrire(nom, lambda: VocabulaireMontre(False, list(choix.choices)))


def _lire(reglage: str, connus: tuple[str, ...], libelles: Mapping[str, Any]) -> VocabulaireMontre:
    admis = settings.VOCABULAIRES[reglage]
    return VocabulaireMontre(not admis, [(un, mot_lisible(un, libelles)) for un in admis or connus])
