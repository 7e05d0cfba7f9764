"""The address at which a guest asks to be told: wanted, confirmed from there, forgotten with what it was to hear."""

from contextlib import suppress
from typing import Any, NamedTuple
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from accounts.erreurs import MailsNonRemis
from accounts.models import ADRESSE_INVITEE, ARRET_D_INVITE, Preferences, ligne_du_jeton
from accounts.services import comptes
from avis.cadences import tirer_une_minute
from avis.models import AdresseInvitee, Avis, Cadence
from avis.tasks import confirmer_une_adresse
from avis.vocabulaire import REFUS_MAX, NatureSuite
from guests.models import SessionInvitee
from socle.courriel import est_remis
from socle.domaine.acteurs import Acteur
from socle.domaine.adresses import sans_etiquette
from socle.domaine.limites import consommer
from socle.domaine.verrous import verrouiller_dans_l_ordre
from socle.erreurs import TropDeRequetes


class Etat(NamedTuple):
    """All that is said of what a person asked for, to themself alone."""

    demande: bool = False
    confirme: bool = False
    silencieux: bool = False
    masquee: str | None = None
    refusee: bool = False


def etat_de(acteur: Acteur) -> Etat:
    """State of the address of a guest, wanted alone once it cannot be read; of an account, of its own."""
    if acteur.compte is not None:
        return _etat_du_compte(acteur.compte)
    adresse = AdresseInvitee.objects.filter(session=acteur.pk).first()
    if adresse is None:
        return Etat()
    if (masquee := adresse.masquee) is None:
        return Etat(demande=True)
    return Etat(True, adresse.est_confirmee, adresse.est_silencieuse, masquee, adresse.refus > 0)


def _etat_du_compte(compte: Any) -> Etat:
    preferences = Preferences.objects.filter(compte=compte).first() or Preferences()
    demande = preferences.avis_dossiers and preferences.admet_les_e_mails
    cadence = Cadence.objects.filter(pk=compte).first()
    return Etat(demande, compte.email_verifie, cadence is not None and cadence.se_tait(compte.email))


def se_tait(acteur: Acteur) -> bool:
    """True where the mail server has refused this person's address too often; the address is not read."""
    if acteur.compte is not None:
        return _etat_du_compte(acteur.compte).silencieux
    return AdresseInvitee.objects.filter(session=acteur.pk, refus__gte=REFUS_MAX).exists()


@transaction.atomic
def choisir(*, compte: Any, voulu: bool) -> None:
    """Tell an account of its own cases, at an address that may have refused before; or no more.

    Wanted, all mails are: an application may have cut them. 422 before the address is verified, 409 without a server.
    """
    if not voulu:
        comptes.modifier_preferences(compte=compte, avis_dossiers=False)
        Avis.objects.filter(destinataire=compte, nature__in=NatureSuite.values, courrier=None).delete()
        return
    comptes.modifier_preferences(
        compte=compte, avis_dossiers=True, notifications_activees=True, notifications_email=True
    )
    Cadence.objects.filter(pk=compte).update(refus=0, adresse_refusee="")


@transaction.atomic
def demander(*, acteur: Acteur, email: str, langue: str) -> bool:
    """Keep this address in place of any other, and mail it the link that confirms it; True where it was confirmed.

    409 where no mail leaves, 429 past the limit of the session: nothing is kept. Past that of the mailbox no link goes
    there, and nobody is told so: they would learn that somebody else has asked.
    """
    if not est_remis():
        raise MailsNonRemis
    acteur.verrouiller(exclusif=True)
    actuelle = AdresseInvitee.objects.filter(session=acteur.pk).first()
    if actuelle is not None and actuelle.lue == email and actuelle.est_confirmee and not actuelle.est_silencieuse:
        return True
    consommer("notice_session", acteur.cle)
    adresse = _garder(acteur, actuelle, email, langue)
    with suppress(TropDeRequetes):
        consommer("notice_mailbox", sans_etiquette(email))
        confirmer_une_adresse.enqueue(str(adresse.pk))
    return False


def _garder(acteur: Acteur, actuelle: AdresseInvitee | None, email: str, langue: str) -> AdresseInvitee:
    """The row to confirm: the same again, whose links of before still open, or another under a key of its own."""
    if actuelle is not None and actuelle.lue == email:
        actuelle.langue, actuelle.date_demande, actuelle.date_confirmation = langue, timezone.now(), None
        actuelle.refus = 0
        actuelle.save(update_fields=["langue", "date_demande", "date_confirmation", "refus"])
        return actuelle
    if actuelle is not None:
        actuelle.delete()
    session: Any = acteur.invite
    return AdresseInvitee.objects.create(session=session, adresse=email, langue=langue, minute=tirer_une_minute())


def confirmable(jeton: str) -> AdresseInvitee | None:
    """The address of this token, while its link is valid."""
    cle = ligne_du_jeton(ADRESSE_INVITEE, jeton)
    return AdresseInvitee.objects.a_confirmer(timezone.now()).filter(pk=cle).first() if cle else None


def de_l_arret(jeton: str) -> UUID | None:
    """Key of the address of this token of a mail, kept or not: that it was erased would tell a guest's from another."""
    return ligne_du_jeton(ARRET_D_INVITE, jeton)


@transaction.atomic
def confirmer(adresse: AdresseInvitee) -> None:
    """Let mails go there, under the lock of its session; nothing where it was replaced or forgotten meanwhile."""
    verrouiller_dans_l_ordre(SessionInvitee.objects.filter(pk=adresse.session_id).values_list("pk"))
    AdresseInvitee.objects.a_confirmer(timezone.now()).filter(pk=adresse.pk, date_confirmation=None).update(
        date_confirmation=timezone.now(), refus=0
    )


@transaction.atomic
def arreter(*, acteur: Acteur) -> None:
    """Erase the address, and what it was to be told; again changes nothing."""
    acteur.verrouiller(exclusif=True)
    oublier(acteur.pk)


@transaction.atomic
def oublier_l_adresse(cle: UUID) -> None:
    """The same, from its link; nothing where another address took its place."""
    session = AdresseInvitee.objects.filter(pk=cle).values_list("session", flat=True).first()
    if session is not None:
        verrouiller_dans_l_ordre(SessionInvitee.objects.filter(pk=session).values_list("pk"), exclusif=True)
        if AdresseInvitee.objects.filter(pk=cle).exists():
            oublier(session)


def oublier(session: Any) -> None:
    """The same, of the session of this key, whoever decides it."""
    AdresseInvitee.objects.filter(session=session).delete()
    Avis.objects.filter(invite=session).delete()
