from datetime import UTC, datetime, timedelta
from typing import Any

from django.utils import timezone

from accounts.models import Compte
from accounts.tests import fabriques as comptes
from calendrier import services
from calendrier.models import EvenementCampus, Participation
from calendrier.vocabulaire import INSCRIT


def evenement(organisateur: Compte, **champs: Any) -> EvenementCampus:
    """In a month, for two hours."""
    debut = champs.pop("date_debut", timezone.now() + timedelta(days=30))
    defauts = {"titre": "Premiers secours", "type": "ATELIER", "date_debut": debut}
    defauts["date_fin"] = debut + timedelta(hours=2)
    return services.creer(organisateur=organisateur, **{**defauts, **champs})


def du(organisateur: Compte, debut: str, fin: str, **champs: Any) -> EvenementCampus:
    """From one moment to another, as ISO 8601 writes them."""
    bornes = {"date_debut": datetime.fromisoformat(debut), "date_fin": datetime.fromisoformat(fin)}
    return evenement(organisateur, **{nom: b.astimezone(UTC) for nom, b in bornes.items()}, **champs)


def participation(evenement: EvenementCampus, compte: Compte | None = None, statut: str = "") -> Participation:
    """As if registered; with a status, as if staff had set it."""
    faite = services.inscrire(evenement=EvenementCampus.objects.get(pk=evenement.pk), compte=compte or comptes.compte())
    if statut:
        services.changer_statut(participation=faite, statut=statut)
    return faite


def heritee(evenement: EvenementCampus, compte: Compte | None = None) -> Participation:
    """As an earlier system stored it: under its own word, and not counted."""
    return Participation.objects.create(evenement=evenement, compte=compte or comptes.compte(), statut=INSCRIT)


def terminer(evenement: EvenementCampus) -> None:
    """Time passes."""
    hier = timezone.now() - timedelta(days=1)
    EvenementCampus.objects.filter(pk=evenement.pk).update(date_debut=hier - timedelta(hours=2), date_fin=hier)
    evenement.refresh_from_db()
