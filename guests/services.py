from collections.abc import Callable, Iterable
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

from django.conf import settings
from django.db import connection, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.journal import noter
from guests.erreurs import (
    ModeInviteFerme,
    SansSessionInvitee,
    SessionEffacee,
    SessionIntrouvable,
    SessionInvalide,
    SessionRattachee,
)
from guests.lectures import session_par_empreinte
from guests.models import AuditFusion, SessionInvitee, lire_guest_id
from guests.signals import session_desactivee, statut_decide
from guests.vocabulaire import ETAPES, StatutInvite
from signalements.fusion import se_cache
from signalements.models import Signalement
from socle.audit.registre import consigner
from socle.audit.vocabulaire import Acte, Sorte
from socle.domaine.acteurs import Acteur, SourceActeur, verrou_acteur
from socle.domaine.identite import empreinte_guest_id, guest_ids_connus
from socle.domaine.langue import en_francais
from socle.domaine.registre import Registre
from socle.moteur.delais import SONDE_SECONDES
from socle.moteur.ecritures import inserer

DELAI_ACTIVITE = timedelta(minutes=1)
# name -> (session) -> None: ends what opens a session beside its id, in the transaction that closes or merges it.
autres_acces: Registre[Callable[[SessionInvitee], None]] = Registre("autres accès d'une session invitée")


def est_ouverte(etape: str) -> bool:
    """True where GUEST_MODE_ENABLED is set and GUEST_MODE_STAGE has come to this stage."""
    return bool(settings.GUEST_MODE_ENABLED) and etape in ETAPES[: ETAPES.index(settings.GUEST_MODE_STAGE) + 1]


def exiger_etape(etape: str) -> None:
    if not est_ouverte(etape):
        raise ModeInviteFerme


def session_de(guest_id: UUID | str | None) -> SessionInvitee:
    """The session an id opens, in whatever state; 404 for a malformed or unknown one."""
    lu = lire_guest_id(guest_id)
    session: SessionInvitee | None = None
    if lu is not None:
        # By its keyed hash: the id itself is set on the instance alone.
        session = session_par_empreinte(empreinte_guest_id(lu)).premiere(preuve_de_connexion=SONDE_SECONDES)
    if session is None:
        raise SessionIntrouvable
    session.guest_id = lu
    return session


def ouvrir(*, telephone: str | None) -> SessionInvitee:
    """Insert a new session, with one statement: a phone number never opens an existing one; a page may have none."""
    guest_id = uuid4()
    session = SessionInvitee(guest_id_empreinte=empreinte_guest_id(guest_id), telephone=telephone)
    est_seule = not connection.in_atomic_block
    # Nothing but itself, sent again, is under its key.
    inserer(session, sauf_conflit=est_seule, preuve_de_connexion=SONDE_SECONDES if est_seule else None)
    session.guest_id = guest_id
    return session


@transaction.atomic
def changer_telephone(*, session: SessionInvitee, telephone: str) -> None:
    session.verrouiller()
    session.exiger_active()
    session.telephone = telephone
    session.enregistrer("telephone")


@transaction.atomic
def changer_statut(*, session: SessionInvitee, statut: str, motif: str, acteur: Acteur) -> None:
    """Set ACTIVE or DISABLED from the list of sessions: the journal names the session, and no case; 409 once merged."""
    session.verrouiller()
    if session.statut == StatutInvite.MERGED:
        raise SessionRattachee
    coupee = _poser_statut(session, statut)
    _consigner(session, statut, motif, acteur)
    _annoncer(coupee, statut=statut, acteur=acteur, signalement=None)


@transaction.atomic
def changer_statut_derriere(*, signalement: Signalement, statut: str, motif: str, acteur: Acteur) -> None:
    """The same from a case: the journal names the case, and no session, so that neither leads to the other.

    409 without a guest session, or for a merged one; but on a case that hides its author a merge must not show: the
    decision on a merged session is journaled as any other, and the session stays MERGED.
    """
    cle = signalement.invite_id or signalement.fusionne_de_id
    session = SessionInvitee.objects.filter(pk=cle).first() if cle else None
    if session is None:
        raise SansSessionInvitee
    session.verrouiller()
    coupee = None
    if session.statut != StatutInvite.MERGED:
        coupee = _poser_statut(session, statut)
    elif not se_cache(signalement):
        raise SansSessionInvitee
    _consigner(signalement, statut, motif, acteur)
    _annoncer(coupee, statut=statut, acteur=acteur, signalement=signalement)


def effacer(session: SessionInvitee) -> None:
    """Take away the number and the id of this session, and close it; call inside a transaction that holds its row.

    A merged one stays MERGED: its cases are the account's.
    """
    if session.statut == StatutInvite.ACTIVE:
        session.statut = StatutInvite.DISABLED
    session.telephone, session.date_derniere_activite = None, session.date_creation
    session.guest_id_empreinte = empreinte_guest_id(uuid4())  # of an id that nobody has
    session.date_effacement = timezone.now()
    session.enregistrer("statut", "telephone", "date_derniere_activite", "guest_id_empreinte", "date_effacement")
    AuditFusion.objects.filter(session=session).update(cle="")  # a client may have put anything into it
    fermer_les_acces(session)
    session_desactivee.send(SessionInvitee, session=session)


def _poser_statut(session: SessionInvitee, statut: str) -> SessionInvitee | None:
    """Write the status where it differs; return the session where this disables it, else None; 409 once erased."""
    if session.date_effacement is not None:
        raise SessionEffacee
    if session.statut == statut:
        return None
    session.statut = statut
    session.enregistrer("statut")
    if statut != StatutInvite.DISABLED:
        return None
    fermer_les_acces(session)
    return session


def fermer_les_acces(session: SessionInvitee) -> None:
    """End what opens this session beside its id; call inside a transaction that holds its row."""
    for _nom, fermer in autres_acces.items():
        fermer(session)


def _annoncer(coupee: SessionInvitee | None, **decision: Any) -> None:
    if coupee is not None:
        session_desactivee.send(SessionInvitee, session=coupee)
    statut_decide.send(SessionInvitee, **decision)


def _consigner(objet: Any, statut: str, motif: str, acteur: Acteur) -> None:
    """Journal every decision, effective or not: only noting effective ones would tell of a merge."""
    with en_francais():
        nom = str(SessionInvitee._meta.verbose_name)
        valeurs = {nom: (None, str(StatutInvite(statut).label)), _("motif"): (None, motif)}
    noter(objet, valeurs, par=acteur.compte)
    sorte = Sorte.SIGNALEMENT if isinstance(objet, Signalement) else Sorte.SESSION_INVITEE
    consigner(Acte.SESSION_INVITEE_CHANGEE, par=acteur, objet=objet.pk, sorte=sorte, statut=statut)


def noter_activite(session: SessionInvitee) -> None:
    """Move `lastSeenAt`, at most once a minute, in a transaction of its own; a locked row is left as it is."""
    if timezone.now() - session.date_derniere_activite < DELAI_ACTIVITE:
        return
    with transaction.atomic():
        lignes = SessionInvitee.objects.select_for_update(
            skip_locked=connection.features.has_select_for_update_skip_locked
        )
        if lignes.filter(pk=session.pk).values_list("pk").first():
            SessionInvitee.objects.filter(pk=session.pk).update(date_derniere_activite=timezone.now())


@verrou_acteur(SourceActeur.GUEST)
def verrouiller_invite(acteur: Acteur, *, exclusif: bool = False) -> None:
    """Hold the session row, shared among writers, against a merge; refuse where it is no longer ACTIVE."""
    session: Any = acteur.invite
    if connection.vendor == "postgresql":
        force = "UPDATE" if exclusif else "SHARE"
        with connection.cursor() as curseur:
            curseur.execute(f"SELECT statut FROM guests_sessioninvitee WHERE id = %s FOR {force}", [session.pk])  # noqa: S608
            ligne = curseur.fetchone()
    else:
        # An immediate transaction is alone in the database.
        ligne = SessionInvitee.objects.filter(pk=session.pk).values_list("statut").first()
    if ligne is None:
        raise SessionInvalide
    session.statut = ligne[0]
    session.exiger_active()


def actives_parmi(cles: Iterable[UUID]) -> Iterable[UUID]:
    """Ids of the ACTIVE sessions among these; none while the reading stage of the guest mode is closed."""
    if not est_ouverte("read"):
        return []
    return SessionInvitee.objects.filter(pk__in=cles, statut=StatutInvite.ACTIVE).values_list("pk", flat=True)


@guest_ids_connus("connus")
def guest_ids_parmi(empreintes: set[str]) -> set[str]:
    sessions = SessionInvitee.objects.filter(guest_id_empreinte__in=empreintes)
    return set(sessions.values_list("guest_id_empreinte", flat=True))
