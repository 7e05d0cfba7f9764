"""Events as an iCalendar file (RFC 5545): the library escapes and folds; no byte depends on the time of reading."""

from collections.abc import Iterable
from datetime import UTC, datetime
from email.utils import parseaddr
from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _
from icalendar import Calendar, Event, vCalAddress, vDuration

from calendrier.models import EvenementCampus, Participation
from calendrier.vocabulaire import FLUX_RELU, StatutParticipation

PRODUIT = "-//Campus//Calendrier//FR"


def fichier(evenement: EvenementCampus) -> bytes:
    """The file of one event, to import in a calendar."""
    return _calendrier([_vevent(evenement)])


def flux(participations: Iterable[Participation]) -> bytes:
    """The file of one person's registrations, which a calendar subscribes to."""
    nom = _("Mes événements du campus")
    relu = vDuration(FLUX_RELU, params={"VALUE": "DURATION"})
    # Each client reads one of the two properties for the name, and one of the two for the refresh interval.
    return _calendrier(
        [_vevent(participation.evenement, participation) for participation in participations],
        ("name", nom),
        ("x-wr-calname", nom),
        ("refresh-interval", relu),
        ("x-published-ttl", relu.to_ical().decode()),
    )


def publication(participations: Iterable[Participation]) -> bytes:
    """The file that a mail about these registrations brings (RFC 5546, PUBLISH), from the service, not a person."""
    expediteur = vCalAddress(f"mailto:{parseaddr(settings.DEFAULT_FROM_EMAIL)[1]}")
    vevents = [_vevent(participation.evenement, participation) for participation in participations]
    for vevent in vevents:
        vevent.add("organizer", expediteur)
    return _calendrier(vevents, ("method", "PUBLISH"))


def _calendrier(vevents: Iterable[Event], *proprietes: tuple[str, Any]) -> bytes:
    calendrier = Calendar()
    calendrier.add("prodid", PRODUIT)
    calendrier.add("version", "2.0")
    for nom, valeur in proprietes:
        calendrier.add(nom, valeur)
    for vevent in vevents:
        calendrier.add_component(vevent)
    return bytes(calendrier.to_ical())


def _vevent(evenement: EvenementCampus, participation: Participation | None = None) -> Event:
    """VEVENT of an event; with a registration, TENTATIVE while its place is not certain."""
    modifie = max(evenement.date_modification, participation.date_modification if participation else _JAMAIS)
    vevent = Event()
    vevent.add("uid", str(evenement.pk))
    vevent.add("dtstamp", modifie)
    vevent.add("created", evenement.date_creation)
    vevent.add("last-modified", modifie)
    vevent.add("sequence", evenement.revision)
    vevent.add("dtstart", evenement.date_debut.astimezone(UTC))
    vevent.add("dtend", evenement.date_fin.astimezone(UTC))
    vevent.add("summary", _resume(evenement, participation))
    attente = _attente(participation)
    textes = {
        "description": "\n\n".join(texte for texte in (attente, evenement.description) if texte),
        "location": evenement.lieu or evenement.lien_en_ligne,
        "url": evenement.lien_en_ligne,
    }
    for nom, texte in textes.items():
        if texte:
            vevent.add(nom, texte)
    vevent.add("categories", [evenement.type, *evenement.tags])
    if evenement.est_annule:
        vevent.add("status", "CANCELLED")
    else:
        vevent.add("status", "TENTATIVE" if attente else "CONFIRMED")
    vevent.add("transp", "TRANSPARENT" if attente or evenement.est_annule else "OPAQUE")
    return vevent


def _resume(evenement: EvenementCampus, participation: Participation | None) -> str:
    """The title; many programs show neither STATUS nor DESCRIPTION in a day's list, so it says both."""
    if evenement.est_annule:
        return _("Annulé : %(titre)s") % {"titre": evenement.titre}
    if participation is not None and participation.statut == StatutParticipation.WAITLISTED:
        return _("%(titre)s (liste d'attente)") % {"titre": evenement.titre}
    return evenement.titre


def _attente(participation: Participation | None) -> str:
    """Sentence on a place that is not certain yet; empty for any other status, or no registration."""
    if participation is None:
        return ""
    return {
        StatutParticipation.WAITLISTED: _("Vous êtes en liste d'attente."),
        StatutParticipation.PENDING: _("Votre inscription reste à confirmer."),
    }.get(participation.statut, "")  # type: ignore[call-overload]


_JAMAIS = datetime.min.replace(tzinfo=UTC)
