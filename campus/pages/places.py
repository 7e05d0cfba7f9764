"""The rooms that one walks to, in the order of the frame: a page that is added is a row here."""

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_lazy as _

from campus.interrupteurs import est_ouvert


@dataclass(frozen=True)
class Place:
    """A link of the frame, and a card of the front page where it says what is there."""

    nom: str  # the `place` of its pages
    mot: Any
    icone: str
    adresse: str  # name of its URL
    interrupteur: str = ""  # "": always there
    dit: Any = ""  # on the card


PLACES = (
    Place(
        "calendrier",
        _("Calendrier"),
        "cal",
        "campus:calendrier",
        "CALENDRIER_PAGES",
        _("Ce qui se passe, et comment s'y inscrire."),
    ),
    Place(
        "forum",
        _("Forum"),
        "forum",
        "campus:forum",
        "FORUM_PAGES",
        _("Demander, proposer, répondre, sous votre nom."),
    ),
    Place(
        "documents",
        _("Documents"),
        "livre",
        "campus:documents",
        "BIBLIOTHEQUE_PAGES",
        _("Guides, textes et adresses à lire ou à télécharger."),
    ),
    Place("aide", _("Aide"), "aide", "portail:aide"),
    Place("dossiers", _("Mes dossiers"), "dossier", "portail:dossiers"),
)


def places() -> list[Place]:
    """The open ones."""
    return [une for une in PLACES if not une.interrupteur or est_ouvert(une.interrupteur)]


def pieces() -> list[Place]:
    """The open ones that are the campus's own: without any, it has no front page."""
    return [une for une in places() if une.interrupteur]
