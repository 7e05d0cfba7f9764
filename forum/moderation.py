"""The moderator hook, a callable that judges a post before anybody reads it, and the one that is shipped."""

import logging
import traceback
from collections.abc import Callable, Sequence

from django.conf import settings
from django.utils.module_loading import import_string

from forum.models import MotSurveille
from forum.mots import contient, forme
from forum.sosies import melange, replier
from forum.vocabulaire import AVIS, Statut

journal = logging.getLogger("campus.forum")

# The texts of a post -> APPROUVER_IA, REJETER_IA, or None for no opinion.
Moderateur = Callable[[Sequence[str]], str | None]


def par_mots(textes: Sequence[str]) -> str | None:
    """Judge by the word list: REJETER_IA on a hit, else APPROUVER_IA where FORUM_MODERATOR_APPROVES, else None.

    None too, for a person to judge, of a hit by look-alike letters alone, and of a word in two alphabets.
    """
    formes = frozenset(MotSurveille.objects.values_list("forme", flat=True))
    if any(contient(texte, formes) for texte in textes):
        return Statut.REJETER_IA
    repliees = frozenset(forme(replier(une)) for une in formes)
    if any(melange(texte) or contient(replier(texte), repliees) for texte in textes):
        return None
    return Statut.APPROUVER_IA if settings.FORUM_MODERATOR_APPROVES else None


def avis(textes: Sequence[str]) -> str | None:
    """Call the configured hook; None without one, or where it fails, logged without the texts that it read."""
    if not settings.FORUM_MODERATOR:
        return None
    try:
        moderateur: Moderateur = import_string(settings.FORUM_MODERATOR)
        reponse = moderateur(textes)
    except Exception as panne:
        dernier = traceback.extract_tb(panne.__traceback__)[-1]
        journal.error(
            "Modérateur %s en échec (%s, %s ligne %s) : la publication attend l'équipe.",
            settings.FORUM_MODERATOR,
            type(panne).__name__,
            dernier.filename,
            dernier.lineno,
        )
        return None
    if reponse is None or reponse in AVIS:
        return reponse
    journal.error("Modérateur %s : réponse inconnue ; la publication attend l'équipe.", settings.FORUM_MODERATOR)
    return None
