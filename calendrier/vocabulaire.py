from datetime import timedelta
from typing import Any

from django.db import models
from django.utils.translation import gettext_lazy as _

from socle.domaine.canonique import StatutCanonique
from socle.domaine.texte import mot_lisible
from socle.domaine.vocabulaires import montrer_des_choix, montrer_des_mots


class StatutEvenement(models.TextChoices):
    PUBLIE = "PUBLIE", _("Publié")
    ANNULE = "ANNULE", _("Annulé")


class StatutParticipation(models.TextChoices):
    PENDING = "PENDING", _("À confirmer")
    CONFIRMED = "CONFIRMED", _("Confirmée")
    CANCELLED = "CANCELLED", _("Annulée")
    WAITLISTED = "WAITLISTED", _("En liste d'attente")


# Stored by an earlier system; it means CONFIRMED, and is shown so.
INSCRIT = "INSCRIT"
STATUTS_STOCKES = (*StatutParticipation.values, INSCRIT)
# Every status but CANCELLED: who is told when the event is cancelled, and whose calendar shows it.
ACTIFS = (StatutParticipation.PENDING, StatutParticipation.CONFIRMED, StatutParticipation.WAITLISTED, INSCRIT)

CANONIQUE: dict[str, StatutCanonique] = {
    StatutEvenement.PUBLIE: StatutCanonique.IN_PROGRESS,
    StatutEvenement.ANNULE: StatutCanonique.CANCELLED,
}
TYPES_CONNUS = ("ATELIER", "CONFERENCE", "FORMATION", "REUNION")
LIBELLES_DES_TYPES = {
    "ATELIER": _("Atelier"),
    "CONFERENCE": _("Conférence"),
    "EXPOSITION": _("Exposition"),
    "FORMATION": _("Formation"),
    "PROJECTION": _("Projection"),
    "REUNION": _("Réunion"),
}
PUBLICS_CONNUS = ("ETUDIANT", "PERSONNEL")
LIBELLES_DES_PUBLICS = {"ETUDIANT": _("Étudiants"), "PERSONNEL": _("Personnel")}
MOTS = 20  # tags, and publics, of one event
ETENDUE_MAX = timedelta(days=400)  # from the first to the last day of a period
EVENEMENTS_D_UNE_PERIODE = 2_000  # past it the period must be made shorter
FLUX_PASSE = timedelta(days=365)  # how far back a subscribed calendar goes
FLUX_MAX = 1_000  # events of one, the latest ones
FLUX_RELU = timedelta(hours=1)  # how often a phone is asked to read it again


def statut_montre(stocke: str | None) -> str | None:
    """The present word for a stored status, the legacy one included; None for who is not registered."""
    return StatutParticipation.CONFIRMED if stocke == INSCRIT else stocke


def statuts_stockes(statut: str) -> list[str]:
    """A status and the legacy value that means it."""
    return [statut, INSCRIT] if statut == StatutParticipation.CONFIRMED else [statut]


def type_lisible(type_: str) -> Any:
    return mot_lisible(type_, LIBELLES_DES_TYPES)


def public_lisible(public: str) -> Any:
    return mot_lisible(public, LIBELLES_DES_PUBLICS)


montrer_des_choix("statutParticipation", StatutParticipation)
montrer_des_mots("typeEvenement", "type_evenement", TYPES_CONNUS, LIBELLES_DES_TYPES)
montrer_des_mots("publicCible", "public_cible", PUBLICS_CONNUS, LIBELLES_DES_PUBLICS)
