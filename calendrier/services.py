"""Events and registrations. Every act decides under the lock of the event's row."""

from collections.abc import Iterable
from contextlib import suppress
from datetime import date, datetime
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.erreurs import CompteDesactive, CompteInactif
from accounts.models import Compte
from accounts.services.comptes import a_rendre
from accounts.services.sessions import autres_acces
from calendrier.erreurs import DejaInscrit, EvenementAnnule, EvenementComplet, EvenementTermine
from calendrier.models import EvenementCampus, FluxCalendrier, Participation
from calendrier.signals import evenement_annule, evenement_cree, evenement_modifie, participations_changees
from calendrier.vocabulaire import INSCRIT, StatutEvenement, StatutParticipation
from socle.audit.registre import consigner
from socle.audit.vocabulaire import Acte, Sorte
from socle.erreurs import ChampsInvalides, Conflit, Details, Introuvable, detail
from socle.idempotence.creation import creation

CONFIRMED, CANCELLED, WAITLISTED = (
    StatutParticipation.CONFIRMED,
    StatutParticipation.CANCELLED,
    StatutParticipation.WAITLISTED,
)


@creation
def creer(*, organisateur: Compte, **champs: Any) -> EvenementCampus:
    evenement = EvenementCampus(organisateur=organisateur, **champs)
    ChampsInvalides.exiger_aucun(refus_des_dates(evenement.date_debut, evenement.date_fin))
    evenement.indexer()
    evenement.save(force_insert=True)
    _consigner(evenement, Acte.EVENEMENT_CHANGE, par=organisateur, quoi="CREE")
    evenement_cree.send(EvenementCampus, evenement=evenement)
    return evenement


@transaction.atomic
def modifier(*, evenement: EvenementCampus, par: Compte | None = None, **champs: Any) -> None:
    """Write the fields that differ; new places go to those who wait; 409 for fewer than taken, or once cancelled."""
    _tenir(evenement)
    changes = {nom: valeur for nom, valeur in champs.items() if getattr(evenement, nom) != valeur}
    for nom, valeur in changes.items():
        setattr(evenement, nom, valeur)
    champ = "dateFin" if "date_fin" in champs else "dateDebut"
    ChampsInvalides.exiger_aucun(refus_des_dates(evenement.date_debut, evenement.date_fin, champ=champ))
    if evenement.est_annule:
        raise EvenementAnnule
    verifier_les_places(evenement.nb_max_participants, evenement.nb_confirmes)
    if not changes:
        return
    promus = _pourvoir(evenement)
    evenement.revision += 1
    evenement.indexer()
    evenement.enregistrer(*changes, "recherche", "revision", "nb_confirmes")
    _consigner(evenement, Acte.EVENEMENT_CHANGE, par=par, quoi="CHANGE", champs=sorted(changes))
    _annoncer(evenement, (CONFIRMED, promus), modifie=True, champs=changes, par=par)


@transaction.atomic
def annuler(*, evenement: EvenementCampus, par: Compte | None = None) -> None:
    """Set ANNULE for good; the event and its registrations stay readable; idempotent."""
    _tenir(evenement)
    if evenement.est_annule:
        return
    evenement.statut = StatutEvenement.ANNULE
    evenement.revision += 1
    evenement.enregistrer("statut", "revision")
    _consigner(evenement, Acte.EVENEMENT_CHANGE, par=par, quoi="ANNULE")
    inscrits = evenement.participations.order_by().actives().comptes()
    evenement_annule.send(EvenementCampus, evenement=evenement, comptes=inscrits, par=par and par.pk)


@creation
def inscrire(*, evenement: EvenementCampus, compte: Compte) -> Participation:
    """CONFIRMED while there is a place, else the end of the waiting list, which is served first; 409 once closed.

    The account is locked first: one that is being deactivated at this moment has freed its places, or takes none (403).
    """
    compte.verrouiller()
    if not compte.est_actif:
        raise CompteDesactive
    avant = _tenir(evenement)
    if evenement.est_annule:
        raise EvenementAnnule
    if evenement.est_termine:
        raise EvenementTermine
    participation = evenement.participations.filter(compte=compte).first()
    if participation is not None and participation.est_active:
        raise DejaInscrit
    promus = _pourvoir(evenement)
    statut = WAITLISTED if evenement.est_complet else CONFIRMED
    if participation is None:
        participation = Participation(evenement=evenement, compte=compte, statut=statut)
        participation.save(force_insert=True)
    else:
        participation.statut, participation.date_inscription = statut, timezone.now()
        participation.enregistrer("statut", "date_inscription")
    evenement.nb_confirmes += statut == CONFIRMED
    _annoncer(evenement, (CONFIRMED, promus), modifie=_ecrire_les_places(evenement, avant))
    return participation


@transaction.atomic
def desinscrire(*, evenement: EvenementCampus, compte: Compte) -> None:
    """Set CANCELLED, at any time; the place goes to the first who waits, unless the event is over or cancelled."""
    avant = _tenir(evenement)
    participation = evenement.participations.actives().filter(compte=compte).first()
    if participation is None:
        raise Introuvable(_("Vous n'avez pas d'inscription à cet événement."))
    evenement.nb_confirmes -= participation.statut == CONFIRMED
    participation.statut = CANCELLED
    participation.enregistrer("statut")
    promus = _pourvoir(evenement)
    _annoncer(evenement, (CONFIRMED, promus), modifie=_ecrire_les_places(evenement, avant))


@transaction.atomic
def changer_statut(*, participation: Participation, statut: str, par: Compte | None = None) -> None:
    """Set any status, by staff; 409 for CONFIRMED without a free place. A freed place goes to the next who waits.

    409 also for all but CANCELLED where the account is deactivated, whose row is locked before that of the event.
    """
    evenement, compte = participation.evenement, participation.compte
    if statut != CANCELLED:
        compte.verrouiller()
    avant = _tenir(evenement)
    participation.refresh_from_db(fields=["statut", "date_inscription"])
    ancien = participation.statut
    if evenement.est_annule:
        raise EvenementAnnule
    if statut == ancien:
        return
    if statut != CANCELLED and not compte.est_actif:
        raise CompteInactif
    if statut == CONFIRMED and evenement.est_complet:
        raise EvenementComplet
    participation.statut = statut
    if statut == WAITLISTED or ancien == CANCELLED:
        participation.date_inscription = timezone.now()
    participation.enregistrer("statut", "date_inscription")
    evenement.nb_confirmes += (statut == CONFIRMED) - (ancien == CONFIRMED)
    promus, elle = _pourvoir(evenement, sauf=participation), [participation.compte_id]
    modifie = _ecrire_les_places(evenement, avant)
    details = {"participation": participation.pk, "avant": ancien, "apres": statut}
    _consigner(evenement, Acte.INSCRIPTION_CHANGEE, par=par, **details)
    _annoncer(evenement, (CONFIRMED, promus), (statut, elle), modifie=modifie, par=par)


@a_rendre("places")
@transaction.atomic
def liberer_les_places(*, compte: Compte) -> int:
    """Withdraw the account from all that is still to come, in the order of the events; return from how many.

    Call with its row held, deactivated: the places go to who waits, as when one leaves.
    """
    a_venir = Participation.objects.actives().filter(compte=compte, evenement__date_fin__gt=timezone.now())
    a_venir = a_venir.exclude(evenement__statut=StatutEvenement.ANNULE)
    nombre = 0
    for participation in a_venir.select_related("evenement").order_by("evenement"):
        with suppress(Introuvable):  # withdrawn meanwhile
            desinscrire(evenement=participation.evenement, compte=compte)
            nombre += 1
    return nombre


@transaction.atomic
def marquer_la_veille(cle: UUID, demain: date) -> bool:
    """Set, once a day of an event, that its eve is told of; False where it was, or it is not on that day any more."""
    return bool(EvenementCampus.objects.a_rappeler(demain).filter(pk=cle).update(veille_dite=demain))


@creation
def ouvrir_flux(*, compte: Compte) -> FluxCalendrier:
    """Replace the account's subscription by a new one: the address before it stops working."""
    compte.verrouiller()
    FluxCalendrier.objects.filter(compte=compte).delete()
    return FluxCalendrier.objects.create(compte=compte)


@autres_acces("abonnement au calendrier")
@transaction.atomic
def fermer_flux(*, compte: Compte) -> None:
    compte.verrouiller()
    FluxCalendrier.objects.filter(compte=compte).delete()


def _consigner(evenement: EvenementCampus, acte: Acte, *, par: Compte | None, **details: Any) -> None:
    """Into the register, as an act of the team: nothing where nobody of it did it (None), as in a shell."""
    if par is not None:
        consigner(acte, par=par, objet=evenement.pk, sorte=Sorte.EVENEMENT, **details)


def _tenir(evenement: EvenementCampus) -> int:
    """Lock the event, store its legacy INSCRIT rows as CONFIRMED, and return how many are CONFIRMED.

    They may be more than the places: nobody loses theirs, the limit is raised.
    """
    evenement.verrouiller()
    evenement.inscrits_herites = 0
    if evenement.participations.filter(statut=INSCRIT).update(statut=CONFIRMED):
        evenement.nb_confirmes = evenement.participations.filter(statut=CONFIRMED).count()
        if evenement.nb_max_participants is not None:
            evenement.nb_max_participants = max(evenement.nb_max_participants, evenement.nb_confirmes)
        evenement.save(update_fields=["nb_confirmes", "nb_max_participants"])
    return evenement.nb_confirmes


def _pourvoir(evenement: EvenementCampus, *, sauf: Participation | None = None) -> list[UUID]:
    """Give the free places to those who wait, in their order; return the accounts that got one.

    Deactivated accounts are passed over: they would hold a place that nobody uses.
    """
    if evenement.est_complet or evenement.est_annule or evenement.est_termine:
        return []
    file = evenement.participations.file_d_attente().filter(compte__est_actif=True)
    premiers = (file.exclude(pk=sauf.pk) if sauf else file)[: evenement.places_restantes]
    if comptes := premiers.comptes():
        # The same ones: nobody joins or leaves the list under the lock.
        elues = Participation.objects.filter(pk__in=premiers.values("pk"))
        evenement.nb_confirmes += elues.update(statut=CONFIRMED, date_modification=timezone.now())
    return comptes


def _ecrire_les_places(evenement: EvenementCampus, avant: int) -> bool:
    """Save `nb_confirmes`, True where it changed; not `date_modification`: the event itself was not modified."""
    if evenement.nb_confirmes == avant:
        return False
    evenement.save(update_fields=["nb_confirmes"])
    return True


def _annoncer(
    evenement: EvenementCampus,
    *prevenus: tuple[str, list[UUID]],
    modifie: bool,
    champs: Iterable[str] = (),
    par: Compte | None = None,
) -> None:
    """Send `evenement_modifie` to all where `modifie`; to each (status, accounts) the status that another act gave."""
    qui = par and par.pk
    if modifie:
        evenement_modifie.send(EvenementCampus, evenement=evenement, champs=frozenset(champs), par=qui)
    for statut, comptes in prevenus:
        if comptes:
            participations_changees.send(Participation, evenement=evenement, statut=statut, comptes=comptes, par=qui)


def refus_des_dates(debut: datetime | None, fin: datetime | None, *, champ: str = "dateFin") -> Details:
    """List the refusal of an end not after the start, filed under `champ`; empty where one of the two is None."""
    if debut is None or fin is None or fin > debut:
        return []
    return [detail(champ, _("La fin doit venir après le début."))]


def verifier_les_places(limite: int | None, confirmes: int) -> None:
    """409 for a limit below the number of CONFIRMED: no place is taken back."""
    if limite is not None and limite < confirmes:
        texte = ngettext(
            "%(n)d personne est déjà confirmée : il faut au moins autant de places.",
            "%(n)d personnes sont déjà confirmées : il faut au moins autant de places.",
            confirmes,
        )
        raise Conflit(texte % {"n": confirmes})
