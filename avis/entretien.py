import logging
from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.db import Error as ErreurDeBase
from django.utils import timezone

from avis.models import AdresseInvitee, Avis, Cadence
from avis.services import adresser, noter_la_veille, partir, partir_la_suite
from avis.vocabulaire import NatureSuite
from calendrier.models import EvenementCampus
from socle.courriel import est_remis
from socle.domaine.temps import jour_du_campus
from socle.taches.entretien import chaque_minute, purges, supprimer

journal = logging.getLogger("campus.avis")
LOT = 500  # acts, or people, of one minute: what is left waits for the next


@chaque_minute("Événements du lendemain")
def dire_la_veille() -> None:
    demain = jour_du_campus() + timedelta(days=1)
    for cle in list(EvenementCampus.objects.a_rappeler(demain).values_list("pk", flat=True)[:LOT]):
        noter_la_veille(cle, demain)


@chaque_minute("Avis adressés et envoyés")
def dire_ce_qui_s_est_passe() -> None:
    """Each act and each person apart: one that fails is tried again, and holds nobody else's back.

    Where no mail is delivered, none is made: its rows are read in the workspace, for as long as others.
    """
    for ligne in list(Avis.objects.a_adresser()[:LOT]):
        _sans_retenir(adresser, ligne)
    if not est_remis():
        return
    for modele, cle in _a_qui_la_suite():  # first: the others leave more than once a day
        _sans_retenir(partir_la_suite, modele, cle)
    for compte_id in _a_prevenir():
        _sans_retenir(partir, compte_id)


def _sans_retenir(acte: Callable[..., None], *arguments: Any) -> None:
    """Do it, and note the name of an error alone; that of a database, which is everybody's, ends the minute."""
    try:
        acte(*arguments)
    except ErreurDeBase:
        raise
    except Exception as panne:
        journal.error("avis : %s a échoué (%s)", acte.__name__, type(panne).__name__)


def _a_prevenir() -> list[UUID]:
    """Accounts with due rows, that no mail has reached too recently."""
    maintenant = timezone.now()
    dus = Avis.objects.dus(maintenant).exclude(nature__in=NatureSuite.values)
    libres = dus.filter(destinataire__cadence_des_avis__prochain__lte=maintenant)
    return list(libres.order_by("destinataire").values_list("destinataire", flat=True).distinct()[:LOT])


def _a_qui_la_suite() -> list[tuple[type[Cadence] | type[AdresseInvitee], UUID]]:
    """Paces, by their keys, of the authors who have due rows and were mailed none since yesterday."""
    maintenant = timezone.now()
    dus = Avis.objects.dus(maintenant).filter(nature__in=NatureSuite.values)
    moments = {f"destinataire__cadence_des_avis__{moment}__lte": maintenant for moment in Cadence.MOMENTS}
    comptes = dus.filter(**moments).order_by("destinataire")
    invites = dus.filter(invite__adresse_d_avis__prochaine_suite__lte=maintenant).order_by("invite__adresse_d_avis")
    return [
        *((Cadence, cle) for cle in comptes.values_list("destinataire", flat=True).distinct()[:LOT]),
        *((AdresseInvitee, cle) for cle in invites.values_list("invite__adresse_d_avis", flat=True).distinct()[:LOT]),
    ]


@purges("Adresses d'invités jamais confirmées, ou de dossiers clos depuis un mois")
def adresses_perimees(*, simulation: bool) -> int:
    perimees = AdresseInvitee.objects.perimees(timezone.now())
    if not simulation:
        Avis.objects.filter(invite__in=perimees.values("session")).delete()
    return supprimer(perimees, simulation=simulation)


@purges("Avis dits, ou que personne n'attend plus")
def avis_perimes(*, simulation: bool) -> int:
    return supprimer(Avis.objects.perimes(timezone.now()), simulation=simulation)
