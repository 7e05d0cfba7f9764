"""The acts on notices: written with what happened, addressed, grouped into mails, forgotten, stopped."""

from collections.abc import Iterable
from datetime import date
from typing import Any
from uuid import UUID, uuid4

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, Min, OuterRef
from django.utils import timezone

from accounts.models import Compte
from accounts.vocabulaire import NatureAvis
from avis.cadences import prochaine_minute
from avis.destinataires import connus_par, lisibles
from avis.familles import AUTEUR, TOUTES, Famille, famille_de
from avis.models import AdresseInvitee, Avis, Cadence
from avis.tasks import envoyer_les_avis
from avis.vocabulaire import ENTRE_DEUX, EVENEMENT, NatureCampus, canal_de
from calendrier.services import marquer_la_veille
from signalements.lecteurs import Acces
from signalements.models import Signalement
from signalements.vocabulaire import Ouverture
from socle.moteur.ecritures import inserer
from socle.realtime.diffusion import oublier, oublier_le_type


def noter(nature: str, objet: UUID, *, par: UUID | None, vers: UUID | None = None) -> None:
    """Write that it happened, in the caller's transaction: whom it concerns is found within the minute."""
    inserer(Avis(nature=nature, objet=objet, par=par, vers=vers))


def noter_a_chacun(nature: str, objet: UUID, *, par: UUID | None, vers: Iterable[UUID]) -> None:
    """The same for each of these people, in one statement; whoever did it is told nothing."""
    inserer(*(Avis(nature=nature, objet=objet, par=par, vers=un) for un in vers if un != par))


@transaction.atomic
def noter_la_veille(evenement_id: UUID, demain: date) -> None:
    """Note once that an event is tomorrow, on this day: at another one, it has another eve."""
    if marquer_la_veille(evenement_id, demain):
        noter(NatureCampus.EVENEMENT_DEMAIN, evenement_id, par=None)


def adresser(ligne: Avis) -> None:
    """Replace the row by one for each person whom it concerns, under the lock of what it happened to.

    Many people take several transactions: one that is interrupted goes on where it was, the next time.
    """
    while _adresser(ligne):
        pass


@transaction.atomic
def _adresser(ligne: Avis) -> bool:
    """Address some of them, True where others are left."""
    famille = famille_de(ligne)
    objet = famille.tenir(ligne)
    tenue = Avis.objects.select_for_update().a_adresser().filter(pk=ligne.pk).first()
    if tenue is None:  # by another worker, or forgotten
        return False
    if objet is not None:
        famille.adresser(tenue, objet)
        if famille.en_reste(tenue, objet):
            return True
    tenue.delete()
    return False


@transaction.atomic
def partir(compte_id: UUID) -> None:
    """Put the person's due rows into a mail a family, and its task in the queue; no sooner than the last ones allow."""
    maintenant = timezone.now()
    cadence = Cadence.objects.select_for_update().filter(pk=compte_id, prochain__lte=maintenant).first()
    if cadence is None:
        return
    dus = Avis.objects.dus(maintenant).filter(destinataire=compte_id)
    courriers = [courrier for famille in TOUTES if (courrier := _grouper(dus.filter(nature__in=famille.natures)))]
    for courrier in courriers:
        envoyer_les_avis.enqueue(str(courrier))
    if courriers:
        cadence.prochain = maintenant + settings.AVIS_INTERVALLE
        cadence.save(update_fields=["prochain"])


@transaction.atomic
def partir_la_suite(modele: type[Cadence] | type[AdresseInvitee], cle: UUID) -> None:
    """The same of what a person is told of their own cases, whose pace this row is: at their minute, once a day.

    An account's other mails keep their distance from it: two at once are what no member of the team gets who reported
    nothing.
    """
    maintenant = timezone.now()
    tenues = modele.objects.select_for_update().only("minute", *modele.MOMENTS)  # of an address, nothing is decrypted
    tenue = tenues.filter(pk=cle, **{f"{moment}__lte": maintenant for moment in modele.MOMENTS}).first()
    if tenue is None:
        return
    siens = Avis.objects.filter(nature__in=AUTEUR.natures, **tenue.ses_avis)
    # A mail that the server delays is this day's; once given up, it holds nothing back.
    if siens.en_route(maintenant).exists() or (courrier := _grouper(siens.dus(maintenant))) is None:
        return
    envoyer_les_avis.enqueue(str(courrier))
    # Late, the next one still waits for a night.
    tenue.prochaine_suite = prochaine_minute(maintenant + ENTRE_DEUX, tenue.minute)
    if isinstance(tenue, Cadence):
        tenue.prochain = maintenant + settings.AVIS_INTERVALLE
    tenue.save(update_fields=modele.MOMENTS)


def _grouper(dus: Any) -> UUID | None:
    """Give these rows one mail; None where there are none."""
    courrier = uuid4()
    return courrier if dus.update(courrier=courrier) else None


def perdre(dossier: Signalement, comptes_id: Iterable[UUID]) -> None:
    """Forget what these people were to be told of a case that they may not read any more, and what they heard of it."""
    _perdre(comptes_id, [dossier.pk])


def perdre_l_illisible(compte: Compte) -> None:
    """Forget the notices of the cases that this member of the team does not read now, and all that was heard."""
    siens = list(Avis.objects.filter(destinataire=compte, nature__in=NatureAvis.values))
    lus = lisibles(compte, siens) | connus_par(compte, siens)
    Avis.objects.filter(pk__in=[un.pk for un in siens if un.objet not in lus]).delete()
    oublier_le_type(canal_de(compte.pk), EVENEMENT)


def oublier_les_dossiers(dossiers: Iterable[Signalement]) -> None:
    """Forget the notices of cases that are no more, and what was heard of them, in as many statements for nine."""
    lignes = list(dossiers)
    adresses = Avis.objects.filter(objet__in=[un.pk for un in lignes], est_adresse=True)
    entendus = sorted(set(adresses.exclude(destinataire=None).values_list("destinataire", flat=True)))
    oublier(map(canal_de, entendus), *(str(un.pk) for un in lignes), depuis=min(un.date_creation for un in lignes))
    adresses.delete()
    Avis.objects.filter(objet__in=[un.pk for un in lignes], est_adresse=False).delete()


def mener(chemins: dict[UUID, UUID]) -> None:
    """Lead the notices of joined reports to the case that remains, where the same does not wait there already.

    Those to be addressed are led there when they are. Who may not read the case that remains forgets both.
    """
    for de, vers in chemins.items():
        la_bas = Avis.objects.filter(
            objet=vers, destinataire=OuterRef("destinataire"), nature=OuterRef("nature"), courrier__isnull=True
        )
        adresses = Avis.objects.filter(objet=de, est_adresse=True)
        adresses.filter(Exists(la_bas), courrier__isnull=True).delete()
        adresses.filter(invite__isnull=False).delete()  # a guest's that is joined is an account's from now on
        adresses.update(objet=vers)
    cas = Signalement.objects.filter(pk__in=set(chemins.values())).exclude(ouvert_a=Ouverture.TOUS)
    for dossier in cas.order_by("pk"):
        fermes = Compte.objects.equipe_active().exclude(pk__in=Acces.de(dossier).lecteurs().values("pk"))
        _perdre(fermes.values_list("pk", flat=True), [dossier.pk, *(de for de in chemins if chemins[de] == dossier.pk)])


def quitter(compte: Compte) -> None:
    """Forget what an account was told as of the team, which it is no more."""
    Avis.objects.filter(destinataire=compte, nature__in=NatureAvis.values).delete()
    oublier_le_type(canal_de(compte.pk), EVENEMENT)


def fermer(compte: Compte) -> None:
    """Forget all that an account was told, its own cases and events too: opened again, it begins anew."""
    Avis.objects.filter(destinataire=compte).delete()
    oublier_le_type(canal_de(compte.pk), EVENEMENT)


def oublier_la_personne(compte: Compte) -> int:
    """Delete the rows of an account that is erased; return their number."""
    siens = (
        Avis.objects.filter(destinataire=compte),
        Avis.objects.filter(vers=compte.pk, est_adresse=False),
        Cadence.objects.filter(pk=compte),
    )
    return sum(lignes.delete()[0] for lignes in siens)


def oublier_l_objet(objet: UUID) -> None:
    """Forget all that was to be told of what is no more: two statements, an index each."""
    Avis.objects.filter(objet=objet, est_adresse=True).delete()
    Avis.objects.filter(objet=objet, est_adresse=False).delete()


def arreter(compte: Compte, familles: Iterable[Famille]) -> None:
    """Mail this account no more notices of these families, until its person chooses otherwise."""
    for famille in familles:
        famille.arreter(compte)
        siens = Avis.objects.filter(destinataire=compte, courrier__isnull=True)
        siens.filter(nature__in=famille.natures).update(du=None)


def _perdre(comptes_id: Iterable[UUID], objets: list[UUID]) -> None:
    cles = list(comptes_id)
    Avis.objects.filter(objet__in=objets, destinataire__in=cles, nature__in=NatureAvis.values).delete()
    depuis = Signalement._base_manager.filter(pk__in=objets).aggregate(debut=Min("date_creation"))["debut"]
    oublier(map(canal_de, cles), *map(str, objets), depuis=depuis)
