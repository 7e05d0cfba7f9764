"""Accesses of browsers to the cases of a guest session or of an account: opened, used, ended."""

from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from accounts.authentication import acteur_de_la_session
from accounts.models import Compte, Session
from accounts.services import sessions
from accounts.vocabulaire import MotifFin
from discussions.vocabulaire import DOUBLE_CLIC
from guests.models import SessionInvitee
from guests.services import autres_acces, est_ouverte, exiger_etape, noter_activite
from portail.erreurs import AccesTermine
from portail.models import Acces
from portail.services import sceau
from portail.signals import acces_fermes
from portail.vocabulaire import DUREE
from socle.domaine.acteurs import Acteur, ActeurInvite

ESPECE = "acces"
DELAI_ACTIVITE = timedelta(minutes=1)


@transaction.atomic
def ouvrir(
    *,
    invite: SessionInvitee,
    jeton: str,
    code: str = "",
    est_verifie: bool = False,
    date_preuve: datetime | None = None,
) -> Acces:
    """Open an access under this token; with a code, it shows it until its end; `est_verifie` where it was typed.

    Either proves the words now; `date_preuve` is of an access that was proved before this one took its place.
    SessionInvalide, SessionFusionnee where the session was closed, erased or merged meanwhile.
    """
    ActeurInvite(invite=invite).verrouiller()
    acces = Acces(invite=invite, jeton_empreinte=sceau.empreinte_du_jeton(ESPECE, jeton))
    maintenant = timezone.now()
    acces.date_verification = maintenant if est_verifie else None
    acces.date_preuve = maintenant if code or est_verifie else date_preuve
    acces.code_scelle = sceau.sceller(jeton, code) if code else ""
    acces.save(force_insert=True)
    return acces


def ouvrir_au_compte(
    *,
    session: Session,
    jeton: str,
    a_rattacher: SessionInvitee | None = None,
    date_preuve: datetime | None = None,
) -> Acces:
    """Open an access to the cases of an account, whose session lives as long as it."""
    acces = Acces(session=session, a_rattacher=a_rattacher, date_preuve=date_preuve)
    acces.jeton_empreinte = sceau.empreinte_du_jeton(ESPECE, jeton)
    acces.save(force_insert=True)
    return acces


@transaction.atomic
def remplacer(ancien: str, *, session: Session, jeton: str) -> None:
    """Open an account where another space may be: that one ends."""
    terminer(ancien)
    ouvrir_au_compte(session=session, jeton=jeton)


def acces_du_jeton(jeton: str) -> Acces:
    """The open access of a cookie, its guest session ACTIVE, or its account signed in; or the refusal of either.

    Of one that had ended of itself, what became of its session or of the guest mode since is nobody's to learn.
    """
    maintenant = timezone.now()
    acces = _avec_sa_personne().filter(jeton_empreinte=sceau.empreinte_du_jeton(ESPECE, jeton)).first()
    if acces is None or acces.est_echu(acces.date_fin or maintenant):
        raise AccesTermine
    if not settings.PORTAIL_ENABLED:  # its sockets and its uploads end with its pages
        raise AccesTermine
    if acces.est_d_un_compte:
        _exiger_connecte(acces.session)
    else:
        _exiger_la_session(acces)
    if not acces.est_ouvert(maintenant):
        raise AccesTermine
    return acces


def _exiger_la_session(acces: Acces) -> None:
    """The guest session ACTIVE and its stage open; where a merge or the team ended the access, the refusal says so."""
    invite: Any = acces.invite
    if acces.date_fin is None:
        exiger_etape("read")
    elif invite.date_fusion is not None and acces.date_fin < invite.date_fusion:
        raise AccesTermine
    invite.exiger_active()


def _avec_sa_personne() -> QuerySet[Any]:
    lignes = Acces.objects.select_related("invite", "session__compte")
    return lignes.defer("invite__telephone", "session__compte__recherche")


def _exiger_connecte(session: Session) -> None:
    if session.date_fin is not None or not session.compte.est_actif:
        raise AccesTermine
    acteur_de_la_session(session)  # or says what staff must do first


def etape_ouverte(acces: Acces | None, etape: str) -> bool:
    """True where whoever holds this access may do what the stage opens: stages are the guests', not the accounts'."""
    return (acces is not None and acces.est_d_un_compte) or est_ouverte(etape)


def exiger_l_etape(acces: Acces | None, etape: str) -> None:
    if acces is None or not acces.est_d_un_compte:
        exiger_etape(etape)


def noter_usage(acces: Acces) -> None:
    """Move the last use, at most once a minute, of the access and of its guest session."""
    maintenant = timezone.now()
    if maintenant - acces.date_activite >= DELAI_ACTIVITE:
        Acces.objects.filter(pk=acces.pk, date_fin=None).update(date_activite=maintenant)
        if acces.session is None:
            noter_activite(acteur_de(acces).invite)


def acteur_de(acces: Acces) -> Acteur:
    """The account, or the guest without the id of its session: nothing that a page shows may hold it."""
    if acces.session is not None:
        return acteur_de_la_session(acces.session)
    invite: Any = acces.invite  # one of the two is there
    return ActeurInvite(invite=invite)


def est_d_un_compte(jeton: str) -> bool:
    """True where the access of this cookie, ended or not, is an account's: signing in opens it again, no code does."""
    par_jeton = Acces.objects.filter(jeton_empreinte=sceau.empreinte_du_jeton(ESPECE, jeton))
    return par_jeton.filter(session__isnull=False).exists()


def est_ouvert(jeton: str, *, depuis: timedelta, compte: Compte | None = None) -> bool:
    """True where this token opened an access no longer ago, of this account, and nothing has ended it."""
    lignes = Acces.objects.filter(jeton_empreinte=sceau.empreinte_du_jeton(ESPECE, jeton), date_fin=None)
    if compte is not None:
        lignes = lignes.filter(session__compte=compte)
    return lignes.filter(date_creation__gt=timezone.now() - depuis).exists()


def invite_du_jeton(jeton: str) -> SessionInvitee | None:
    """The guest session of the access of this cookie, ended or not."""
    acces = _avec_sa_personne().filter(jeton_empreinte=sceau.empreinte_du_jeton(ESPECE, jeton)).first()
    return acces and acces.invite


def fermer(jeton: str) -> Acces | None:
    """End the guest access of a cookie, and return it as it was; None where it was open no more."""
    lignes = Acces.objects.filter(jeton_empreinte=sceau.empreinte_du_jeton(ESPECE, jeton), invite__isnull=False)
    acces: Acces | None = lignes.select_for_update().first()
    if acces is None or not acces.est_ouvert(timezone.now()):
        return None
    _fermer(lignes)
    return acces


def terminer(jeton: str) -> None:
    """End the access of a cookie, if it has one."""
    _terminer(Acces.objects.filter(jeton_empreinte=sceau.empreinte_du_jeton(ESPECE, jeton)))


def terminer_celui_du_compte(acces: Acces) -> None:
    """End this access to an account, and its session."""
    _terminer(Acces.objects.filter(pk=acces.pk))


def terminer_celui(acces: Acces) -> None:
    """End this access to a guest session."""
    _fermer(Acces.objects.filter(pk=acces.pk))


def terminer_ceux_de(invite: SessionInvitee, *, sauf: UUID | None = None) -> None:
    """End the accesses of a guest session, but the one that asks."""
    siens = Acces.objects.filter(invite=invite)
    _fermer(siens if sauf is None else siens.exclude(pk=sauf))


@transaction.atomic
def terminer_les_autres(acces: Acces) -> None:
    """End whatever else opens these cases: accesses of the guest session; of an account, all that opens it."""
    if acces.session is None:
        invite = acteur_de(acces).invite
        invite.verrouiller()  # as whatever else changes several accesses of a session
        terminer_ceux_de(invite, sauf=acces.pk)
        oublier_les_liens(invite)
    else:
        sessions.fermer_ailleurs(acteur=acteur_de(acces))


@transaction.atomic
def terminer_la_session(session: Session) -> None:
    """End one session of an account, and the access that it may have."""
    sessions.terminer([session.pk], motif=MotifFin.DECONNEXION)


@sessions.acces_des_sessions("portail")
def fermer_ceux_des_sessions(session_ids: list[UUID]) -> None:
    """End the accesses of an account's sessions, which have ended."""
    _fermer(Acces.objects.filter(session__in=session_ids))


@sessions.derniers_usages("portail")
def usages_des_sessions(session_ids: list[UUID]) -> dict[UUID, datetime]:
    ouverts = Acces.objects.filter(session__in=session_ids, date_fin=None)
    return dict(ouverts.values_list("session_id", "date_activite"))


@autres_acces("portail")
def fermer_ceux_de(invite: SessionInvitee) -> None:
    """Its code opens nothing while the session is closed or merged, and opens it again if that is taken back."""
    terminer_ceux_de(invite)
    oublier_les_liens(invite)


def oublier_les_liens(invite: SessionInvitee) -> None:
    """Nothing waits any more to be merged with this session."""
    Acces.objects.filter(a_rattacher=invite).update(a_rattacher=None)


def oublier_les_finis() -> None:
    """Delete the guests' accesses that have ended: beside an account's, the moment of one would tell whose it was."""
    Acces.objects.filter(invite__isnull=False, date_fin__lt=timezone.now() - DOUBLE_CLIC).delete()


def terminer_les_echus() -> None:
    """End the accesses of accounts that nobody uses any more, and their sessions: those of guests hold nothing else."""
    maintenant = timezone.now()
    echus = Q(date_activite__lte=maintenant - settings.PORTAIL_INACTIVITE) | Q(date_creation__lte=maintenant - DUREE)
    _terminer(Acces.objects.filter(echus, session__isnull=False))


@transaction.atomic
def _terminer(acces: QuerySet[Any]) -> None:
    """Sessions first, as whatever ends a session ends its accesses after it: two at once wait, and do not deadlock."""
    ouverts = acces.filter(date_fin=None)
    des_comptes = list(ouverts.filter(session__isnull=False).values_list("session_id", flat=True))
    sessions.terminer(des_comptes, motif=MotifFin.DECONNEXION)
    _fermer(ouverts)


@transaction.atomic
def _fermer(acces: QuerySet[Any]) -> None:
    ouverts = acces.filter(date_fin=None)
    d_invites = list(ouverts.filter(invite__isnull=False).values_list("pk", flat=True))
    ouverts.update(date_fin=timezone.now(), code_scelle="", a_rattacher=None)
    if d_invites:
        acces_fermes.send(Acces, acces_ids=d_invites)
