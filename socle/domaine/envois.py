"""Limit on the size of an upload, by its path: one file, or those of a form together."""

from django.conf import settings


def envoi_max(chemin: str) -> int | None:
    """The most bytes that the files of one upload to this path may have; None where none is uploaded."""
    chemin = chemin.rstrip("/")
    limite: int | None = settings.ENSEMBLES.get(chemin) or settings.TELEVERSEMENTS.get(chemin)
    return limite


def prend_plusieurs_fichiers(chemin: str) -> bool:
    return chemin.rstrip("/") in settings.ENSEMBLES
