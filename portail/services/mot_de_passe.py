"""Proof of the password: from the pages of the campus, which one shows around, one's cases ask for it again.

A page of the campus marks the access, and a case that opens takes the mark away: staying on one's cases asks nothing,
and who came to report never meets it. An access ends at the fifth wrong try, as at the six words.
"""

from datetime import timedelta

from django.db.models import F
from django.utils import timezone

from accounts.erreurs import IdentifiantsInvalides
from accounts.services.sessions import identifier
from portail.erreurs import AccesTermine, MotDePasseDemande, MotDePasseFaux, MotsDePasseEpuises
from portail.models import Acces
from portail.services.acces import terminer_celui_du_compte
from portail.vocabulaire import ESSAIS, PREUVE
from socle.erreurs import ErreurMetier

DELAI_CAMPUS = timedelta(minutes=1)


def noter_le_campus(acces: Acces) -> None:
    """Mark this account's access, at most once a minute."""
    maintenant = timezone.now()
    if acces.date_campus is None or maintenant - acces.date_campus >= DELAI_CAMPUS:
        Acces.objects.filter(pk=acces.pk, date_fin=None).update(date_campus=maintenant)
        acces.date_campus = maintenant


def noter_les_dossiers(acces: Acces) -> None:
    """Take the mark away, where there is one."""
    if acces.date_campus is not None:
        Acces.objects.filter(pk=acces.pk).update(date_campus=None)
        acces.date_campus = None


def est_recent(acces: Acces) -> bool:
    """True where the password of this account's access was given less than PREUVE ago."""
    return timezone.now() - acces.prouve_le < PREUVE


def est_demande(acces: Acces) -> bool:
    """True of an access that was last on the pages of the campus, its password given longer ago than PREUVE."""
    return acces.date_campus is not None and not est_recent(acces)


def exiger(acces: Acces) -> None:
    if est_demande(acces):
        raise MotDePasseDemande


def prouver(acces: Acces, *, mot_de_passe: str, adresse: str) -> None:
    """Note that the password was given now, counted as at the sign-in: 429; MotDePasseFaux, MotsDePasseEpuises at last.

    CompteDesactive as there; AccesTermine where something ended the access meanwhile.
    """
    if acces.session is None:
        return
    try:
        identifier(email=acces.session.compte.email, mot_de_passe=mot_de_passe, adresse=adresse)
    except IdentifiantsInvalides:
        raise _compter(acces) from None
    juste = {"date_mot_de_passe": timezone.now(), "date_campus": None, "preuves_fausses": 0}
    if not Acces.objects.filter(pk=acces.pk, date_fin=None).update(**juste):
        raise AccesTermine


def _compter(acces: Acces) -> ErreurMetier:
    """One more wrong try, and the refusal: the session ends before its access, so the row is not held meanwhile."""
    ouvert = Acces.objects.filter(pk=acces.pk, date_fin=None)
    ouvert.update(preuves_fausses=F("preuves_fausses") + 1)
    fausses = ouvert.values_list("preuves_fausses", flat=True).first()
    if fausses is None:
        return AccesTermine()
    if fausses < ESSAIS:
        return MotDePasseFaux()
    terminer_celui_du_compte(acces)
    return MotsDePasseEpuises()
