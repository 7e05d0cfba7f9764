"""The deletion of cases, and of guest sessions, that have been kept long enough."""

from collections.abc import Collection
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from accounts.models import Compte
from discussions import suppression as des_discussions
from discussions.models import Discussion
from discussions.vocabulaire import PIECE_DE_MESSAGE
from guests.fusion import suppression as des_fusions
from guests.fusion.verification import modeles_possedes
from guests.models import AuditFusion, SessionInvitee
from guests.vocabulaire import StatutInvite
from resources.services import retrait
from signalements import suppression as des_dossiers
from signalements.garde import clos_et_libres, effacables_avant
from signalements.lecteurs import recours_existe
from signalements.models import Signalement
from socle.domaine.temps import debut_du_jour, jour_du_campus
from socle.domaine.verrous import verrouiller_dans_l_ordre


def dossiers_echus() -> QuerySet[Any]:
    """Cases kept long enough, not held, of which notice was given to somebody."""
    return _a_leur_terme().filter(recours_existe())


def dossiers_sans_avis() -> QuerySet[Any]:
    """Cases of which nobody could have notice: all administrators are shut out of them, or have written them."""
    return _a_leur_terme().filter(~recours_existe())


def _a_leur_terme() -> QuerySet[Any]:
    """Without those of a merge that can be taken back, nor those where a message was read by nobody."""
    avant = effacables_avant(jour_du_campus())
    if avant is None:
        return Signalement.objects.none().order_by("date_cloture", "id")
    depuis = timezone.now() - timedelta(days=settings.MERGE_REVERT_DAYS)
    recentes = AuditFusion.objects.filter(date_creation__gte=depuis, date_annulation=None).order_by().values("session")
    siens = Signalement.objects.order_by().filter(fusionne_de__in=recentes)
    fils = Discussion.objects.order_by().filter(signalement=OuterRef("pk"), fusionne_de__in=recentes)
    a_lire = Discussion.objects.order_by().vivants().jamais_lues().filter(signalement=OuterRef("pk"))
    echus: QuerySet[Any] = clos_et_libres(avant).filter(
        ~Exists(siens.filter(pk=OuterRef("pk"))),
        ~Exists(siens.filter(absorbe_par=OuterRef("pk"))),
        ~Exists(fils),
        ~Exists(a_lire),
    )
    return echus


@transaction.atomic
def effacer_les_dossiers(cles: Collection[UUID], *, parmi: QuerySet[Any]) -> int:
    """Delete these cases whole, all that are still in `parmi` once locked; return how many.

    Sessions, merges and accounts are locked first: no merge plans with a case that goes, none is taken back meanwhile.
    """
    avant = dict(_proprietaires(cles))
    comptes = {compte for compte, _invite in avant.values() if compte}
    sessions = {invite for _compte, invite in avant.values() if invite} | des_fusions.compter(cles).keys()
    audits = des_fusions.tenir(sessions, comptes)
    verrouiller_dans_l_ordre(Compte.objects.filter(pk__in=comptes).values_list("pk"))
    verrouilles = des_dossiers.verrouiller(cles)
    des_discussions.verrouiller(cles)  # whoever writes in one has ended by then
    encore = set(parmi.filter(pk__in=cles).order_by().values_list("pk", flat=True))
    partent = {s.pk for s in verrouilles if s.pk in encore and avant.get(s.pk) == (s.compte_id, s.invite_id)}
    venus = des_fusions.compter(partent)
    if not partent or venus.keys() - sessions:  # one was joined to them meanwhile: the next purge knows it
        return 0
    lignes = [s for s in verrouilles if s.pk in partent or s.absorbe_par_id in partent]
    _effacer(lignes, audits, venus)
    return len(partent)


def _effacer(lignes: list[Signalement], audits: list[AuditFusion], venus: des_fusions.Comptes) -> None:
    """Everything of these locked rows; after the discussions and before the reports come their files."""
    cles = [ligne.pk for ligne in lignes]
    fils = list(Discussion.objects.filter(signalement__in=cles).values_list("pk", flat=True))
    des_fusions.oublier(audits, venus, cles, fils)
    _cles, pieces = des_discussions.retirer(cles)
    retrait.retirer({**des_dossiers.pieces_de(lignes), PIECE_DE_MESSAGE: pieces})
    des_dossiers.retirer(lignes)


def _proprietaires(cles: Collection[UUID]) -> list[tuple[UUID, tuple[UUID | None, UUID | None]]]:
    lignes = Signalement.objects.order_by().filter(pk__in=cles).values_list("pk", "compte", "invite")
    return [(pk, (compte, invite)) for pk, compte, invite in lignes]


def sessions_echues() -> QuerySet[Any]:
    """Guest sessions unused for GUEST_SESSIONS_KEPT_DAYS that hold nothing, and that no merge names, the oldest first.

    Found by the day they were opened, which has an index; their activity has none, for it is written all the time.
    """
    sessions: QuerySet[Any] = SessionInvitee.objects.exclude(statut=StatutInvite.MERGED).order_by("jour", "id")
    if not settings.GUEST_SESSIONS_KEPT_DAYS:
        return sessions.none()
    limite = jour_du_campus() - timedelta(days=settings.GUEST_SESSIONS_KEPT_DAYS)
    sessions = sessions.filter(jour__lt=limite, date_derniere_activite__lt=debut_du_jour(limite))
    for modele in modeles_possedes():
        siennes = modele._base_manager.order_by()
        sessions = sessions.filter(
            ~Exists(siennes.filter(invite=OuterRef("pk"))), ~Exists(siennes.filter(fusionne_de=OuterRef("pk")))
        )
    return sessions.filter(~Exists(AuditFusion.objects.order_by().filter(session=OuterRef("pk"))))


@transaction.atomic
def effacer_les_sessions(cles: Collection[UUID], *, parmi: QuerySet[Any]) -> int:
    """Delete these sessions, with the browsers and the code that open them, where nothing came to them meanwhile."""
    verrouiller_dans_l_ordre(SessionInvitee.objects.filter(pk__in=cles).values_list("pk"), exclusif=True)
    encore = list(parmi.filter(Q(pk__in=cles)).order_by().values_list("pk", flat=True))
    SessionInvitee.objects.filter(pk__in=encore).delete()
    return len(encore)
