"""Dates of the demonstration: somebody has said yes, and its reports have theirs, most of them kept."""

from datetime import date
from uuid import UUID

from django.db import transaction
from django.db.models import Min

from accounts.models import Compte
from demo.scene import cle
from demo.textes import ADMIN, RECITS
from echeances.en_vigueur import lire
from echeances.models import ChoixDesDates, Echeance
from echeances.services import choisir, promises, tenir
from echeances.vocabulaire import NatureDelai
from signalements.compteurs.suivi import suivre
from signalements.dates import DATES
from signalements.models import EntreeTimeline, Signalement
from signalements.vocabulaire import Statut, TypeEntree
from socle.domaine.acteurs import ActeurCompte
from socle.domaine.temps import jour_du_campus
from socle.moteur.ecritures import modifier


@transaction.atomic
def installer_dates() -> int:
    """Say yes where nobody has answered yet, and date the reports of the demonstration; return how many dates.

    What is past has been told: no alert and no notice of it comes.
    """
    if ChoixDesDates.objects.exists():
        return 0
    choisir(acteur=ActeurCompte(compte=Compte.objects.get(email=ADMIN.email)), accepte=True)
    dossiers = list(Signalement.objects.filter(pk__in=[cle("recit", numero) for numero, _recit in enumerate(RECITS)]))
    reponses, delais, aujourd_hui = _prises_en_charge(dossiers), lire(), jour_du_campus()
    lignes: list[Echeance] = []
    for dossier in dossiers:
        tenues = {NatureDelai.ACCUSE: reponses.get(dossier.pk), NatureDelai.RETOUR: _jour(dossier)}
        for ligne in promises(dossier.type, jour_du_campus(dossier.date_creation), delais):
            ligne.signalement = dossier
            ligne.passer(aujourd_hui)
            if (tenue := tenues.get(NatureDelai(ligne.nature))) is not None:
                ligne.faire(tenue)
            lignes.append(ligne)
    Echeance.objects.bulk_create(lignes)
    for dossier in dossiers:
        with suivre(dossier):
            tenir(dossier)
            modifier(dossier, *DATES)
    return len(lignes)


def _prises_en_charge(dossiers: list[Signalement]) -> dict[UUID, date]:
    """Day on which the team took up each of these cases, and is told to have answered; of those that wait, nobody."""
    pris = [un for un in dossiers if un.statut != Statut.EN_ATTENTE]
    assignations = EntreeTimeline.objects.order_by().filter(signalement__in=pris, type=TypeEntree.ASSIGNATION)
    premieres = assignations.values_list("signalement").annotate(premiere=Min("date_creation"))
    return {pk: jour_du_campus(moment) for pk, moment in premieres}


def _jour(dossier: Signalement) -> date | None:
    return jour_du_campus(dossier.date_resolution) if dossier.date_resolution is not None else None
