"""Alerts beside those of a status: rows of their own, raised, dismissed and over."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any, NamedTuple, Self
from uuid import UUID, uuid5

from django.utils import timezone

from signalements.dates import objet_d_alerte
from signalements.models import AlerteDeDossier, Signalement
from signalements.vocabulaire import ALERTES, ALERTES_DE_DATE, JOURS_AVANT, NatureAlerte, Statut
from socle.domaine.temps import jour_du_campus
from socle.domaine.verrous import verrouiller_dans_l_ordre
from socle.moteur.ecritures import inserer

DEPASSEE = NatureAlerte.ECHEANCE_DEPASSEE


class UneAlerte(NamedTuple):
    """An alert as it is shown, whatever raised it."""

    id: UUID
    type: str
    titre: str
    priorite: str
    statut: str
    statut_canonique: str
    signalement_id: UUID
    reference: str
    date_creation: datetime

    @classmethod
    def de_statut(cls, dossier: Signalement) -> Self:
        """Alert of a status; its id and date are the report's."""
        return cls._de(dossier, dossier.pk, ALERTES[Statut(dossier.statut)], dossier.date_creation)

    @classmethod
    def de_dossier(cls, alerte: AlerteDeDossier) -> Self:
        return cls._de(alerte.signalement, alerte.pk, alerte.nature, alerte.date_creation)

    @classmethod
    def _de(cls, dossier: Signalement, id_: UUID, type_: str, date: datetime) -> Self:
        quoi = (dossier.titre, dossier.priorite, dossier.statut, dossier.statut_canonique)
        return cls(id_, type_, *quoi, dossier.pk, dossier.reference, date)


def cle(dossier: UUID, nature: str, objet: UUID) -> UUID:
    """Name-based id (version 5) in the namespace of the report: the same object raises the same alert."""
    return uuid5(dossier, f"{nature}:{objet}")


def lever(dossier: Signalement, nature: NatureAlerte, objet: UUID) -> AlerteDeDossier | None:
    """Insert the alert; None where one of this nature is open already, which is then held until the commit."""
    if AlerteDeDossier.objects.ouvertes().select_for_update().filter(signalement=dossier, nature=nature).first():
        return None
    alerte = AlerteDeDossier(pk=cle(dossier.pk, nature, objet), signalement=dossier, nature=nature, objet=objet)
    return alerte if inserer(alerte, sauf_conflit=True) else None


def tenir(dossier: UUID, nature: NatureAlerte) -> bool:
    """Lock those of this nature that are not over, against whoever raises one; False where there is none.

    Whether they are over is to be asked after: somebody who has just seen one open may be about to commit.
    """
    return bool(verrouiller_dans_l_ordre(_en_cours(dossier, nature).values_list("pk"), exclusif=True))


def finir(dossier: UUID, nature: NatureAlerte) -> None:
    """End the alerts of this nature, dismissed or not."""
    _en_cours(dossier, nature).update(date_fin=timezone.now())


def finir_celles_de_date(dossier: Signalement) -> None:
    """End the alerts of dates that the next day promised on this case does not bear out."""
    jour, aujourd_hui = dossier.prochaine_echeance, jour_du_campus()
    if jour is None or jour >= aujourd_hui:
        finir(dossier.pk, NatureAlerte.ECHEANCE_DEPASSEE)
    if jour is None or jour > aujourd_hui + JOURS_AVANT:
        finir(dossier.pk, NatureAlerte.ECHEANCE_PROCHE)


def accorder(dossiers: Iterable[Signalement], objets: dict[UUID, UUID], nature: NatureAlerte) -> None:
    """Of these cases, have those that `objets` names one open, raised by that object, and end those of the others."""
    en_cours = AlerteDeDossier.objects.filter(nature=nature, date_fin__isnull=True).order_by()
    des_autres = [dossier.pk for dossier in dossiers if dossier.pk not in objets]
    en_cours.filter(signalement__in=des_autres).update(date_fin=timezone.now())
    deja = set(en_cours.filter(signalement__in=list(objets)).values_list("signalement", flat=True))
    _ouvrir(
        AlerteDeDossier(pk=cle(pk, nature, objet), signalement_id=pk, nature=nature, objet=objet)
        for pk, objet in sorted(objets.items())
        if pk not in deja
    )


def ecrit_apres_cloture(dossier: UUID) -> bool:
    """True for an ended case whose author has written since, and whom nobody has read."""
    return bool(_en_cours(dossier, NatureAlerte.MESSAGE_APRES_CLOTURE).exists())


def _en_cours(dossier: UUID, nature: NatureAlerte) -> Any:
    return AlerteDeDossier.objects.filter(signalement=dossier, nature=nature, date_fin__isnull=True).order_by("pk")


def reporter(cas: dict[UUID, Signalement]) -> None:
    """Raise on the case that each of these reports was joined to what the report had open; its own rows stay."""
    ouvertes = AlerteDeDossier.objects.ouvertes().filter(signalement__in=list(cas))
    reportees = [(alerte, cas[alerte.signalement_id]) for alerte in ouvertes]
    _ouvrir(
        AlerteDeDossier(
            pk=cle(dossier.pk, alerte.nature, alerte.objet),
            signalement=dossier,
            nature=alerte.nature,
            objet=alerte.objet,
            date_creation=alerte.date_creation,
        )
        for alerte, dossier in reportees
        if dossier.est_resolu or alerte.nature in ALERTES_DE_DATE
    )


def _ouvrir(alertes: Iterable[AlerteDeDossier]) -> None:
    """Insert the first of each nature of a case that has none open; one that was there, and over, is on again.

    One that somebody dismissed stays so. The cases are locked.
    """
    voulues: dict[tuple[UUID, str], AlerteDeDossier] = {}
    for alerte in alertes:
        voulues.setdefault((alerte.signalement_id, alerte.nature), alerte)
    dossiers = {dossier for dossier, _nature in voulues}
    deja = AlerteDeDossier.objects.ouvertes().filter(signalement__in=dossiers).values_list("signalement", "nature")
    for ouverte in deja:
        voulues.pop(ouverte, None)
    AlerteDeDossier.objects.filter(pk__in=[une.pk for une in voulues.values()]).update(date_fin=None)
    AlerteDeDossier.objects.bulk_create(voulues.values(), ignore_conflicts=True)


def rendre(cas: dict[UUID, UUID], rendus: Iterable[Signalement]) -> None:
    """Raise on the late ones of these reports what the case that gives each back, by `cas`, has open of a late date.

    It was raised there alone, where the day passed while they were joined.
    """
    levees = AlerteDeDossier.objects.ouvertes().filter(nature=DEPASSEE, signalement__in=set(cas.values()))
    en_retard = set(levees.values_list("signalement", flat=True))
    objets = [
        (rendu, objet_d_alerte(next(une for une in rendu.echeances if une["faiteLe"] is None)))
        for rendu in rendus
        if rendu.est_en_retard and cas[rendu.pk] in en_retard
    ]
    _ouvrir(
        AlerteDeDossier(pk=cle(rendu.pk, DEPASSEE, objet), signalement=rendu, nature=DEPASSEE, objet=objet)
        for rendu, objet in objets
    )


def reprendre(sources: Iterable[UUID], cibles: Iterable[UUID]) -> None:
    """The way back of `reporter`: over on the cases, while the reports have their own again.

    Not that of a late date: the case may be late of its own, which `finir_celles_de_date` sees.
    """
    objets = AlerteDeDossier.objects.filter(signalement__in=list(sources)).values_list("objet", flat=True)
    reportees = AlerteDeDossier.objects.filter(signalement__in=list(cibles), objet__in=list(objets))
    reportees.exclude(nature=DEPASSEE).filter(date_fin__isnull=True).update(date_fin=timezone.now())
