"""The calendar of the demonstration, as if its people had published and registered."""

from datetime import datetime, timedelta
from typing import NamedTuple

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from accounts.models import Compte
from calendrier.models import EvenementCampus, Participation
from calendrier.vocabulaire import StatutEvenement
from demo.insertion import inserer
from demo.rendez_vous import CONFIRMED, RENDEZ_VOUS, RendezVous
from demo.scene import cle, installer_comptes
from demo.textes import AUTRE_GESTIONNAIRE, GESTIONNAIRE
from socle.domaine.temps import debut_du_jour
from socle.pages.typographie import en_francais

PUBLIES_AVANT = timedelta(days=30)  # before they begin, and before today


class _Ecrit(NamedTuple):
    evenement: EvenementCampus
    participations: list[Participation]


@transaction.atomic
def installer_evenements() -> int:
    """Create the absent events with their participants; return how many."""
    gens = {compte.email: compte for _personne, compte in installer_comptes()}
    connus = set(
        EvenementCampus.objects.filter(pk__in=[cle("evenement", n) for n in range(len(RENDEZ_VOUS))]).values_list(
            "pk", flat=True
        )
    )
    maintenant = timezone.now()
    absents = [(n, r) for n, r in enumerate(RENDEZ_VOUS) if cle("evenement", n) not in connus]
    ecrits = [_ecrire(numero, rendez_vous, gens, maintenant) for numero, rendez_vous in absents]
    inserer(EvenementCampus, [ecrit.evenement for ecrit in ecrits])
    inserer(Participation, [participation for ecrit in ecrits for participation in ecrit.participations])
    return len(ecrits)


def _ecrire(numero: int, rendez_vous: RendezVous, gens: dict[str, Compte], maintenant: datetime) -> _Ecrit:
    aujourdhui = maintenant.astimezone(settings.TIME_ZONE_CAMPUS).date()
    # Wall-clock time of the campus, whether or not its clocks change in between.
    debut = debut_du_jour(aujourdhui + timedelta(days=rendez_vous.jours)) + timedelta(hours=rendez_vous.heure)
    publie = min(debut, maintenant) - PUBLIES_AVANT
    organisateur = GESTIONNAIRE if numero % 2 else AUTRE_GESTIONNAIRE
    evenement = EvenementCampus(
        pk=cle("evenement", numero),
        titre=en_francais(rendez_vous.titre),
        description=en_francais(rendez_vous.description),
        type=rendez_vous.type,
        date_debut=debut,
        date_fin=debut + timedelta(hours=rendez_vous.duree),
        lieu=rendez_vous.lieu,
        est_en_ligne=bool(rendez_vous.lien),
        lien_en_ligne=rendez_vous.lien,
        nb_max_participants=rendez_vous.places,
        tags=list(rendez_vous.tags),
        public_cible=list(rendez_vous.public),
        statut=StatutEvenement.ANNULE if rendez_vous.annule else StatutEvenement.PUBLIE,
        organisateur=gens[organisateur.email],
        nb_confirmes=sum(statut == CONFIRMED for _personne, statut in rendez_vous.participants),
        revision=int(rendez_vous.annule),
        date_creation=publie,
        date_modification=publie,
    )
    evenement.indexer()
    return _Ecrit(evenement, _participations(numero, evenement, rendez_vous, gens))


def _participations(
    numero: int, evenement: EvenementCampus, rendez_vous: RendezVous, gens: dict[str, Compte]
) -> list[Participation]:
    dates = [evenement.date_creation + timedelta(days=1 + rang) for rang in range(len(rendez_vous.participants))]
    return [
        Participation(
            pk=cle(f"participation-{numero}", rang),
            evenement=evenement,
            compte=gens[personne.email],
            statut=statut,
            date_inscription=date,
            date_creation=date,
            date_modification=date,
        )
        for rang, ((personne, statut), date) in enumerate(zip(rendez_vous.participants, dates, strict=True))
    ]
