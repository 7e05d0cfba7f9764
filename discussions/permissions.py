from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django.db.models import Exists, OuterRef
from django.db.models.functions import Coalesce

from discussions.lectures import accessible, des_dossiers_ouverts
from discussions.models import Discussion, Message
from discussions.vocabulaire import PIECE_DE_MESSAGE
from resources.lecteurs import dossiers_de, fermes, lecteurs, ouverts_sur_motif
from signalements.lecteurs import ouverts_a
from signalements.models import Signalement
from socle.audit.models import objets_caches
from socle.audit.registre import consulter, est_surveille
from socle.audit.vocabulaire import Acte, Sorte
from socle.domaine.acteurs import Acteur
from socle.domaine.droits import Droit
from socle.erreurs import AccesRefuse, Introuvable


def discussion_accessible(
    acteur: Acteur, pk: UUID | str, *, a_rendre: bool = False, motivee: bool = False
) -> Discussion:
    """The only door to a discussion: return it, or the one it was joined to; 404 unknown, 403 not visible.

    `a_rendre` adds the annotations of a response, as its unread count. `motivee`: a reading, which the opening of its
    case for a reason lets in too.
    """
    discussion: Discussion | None = accessible(acteur, pk, a_rendre).premiere()
    if discussion is None and motivee:
        discussion = des_dossiers_ouverts(acteur).menant_a(pk).first()
    if discussion is not None:
        if est_surveille(acteur) and not discussion.est_de(acteur):
            sorte = Sorte.SIGNALEMENT if discussion.signalement_id else Sorte.DISCUSSION
            objet = discussion.signalement_id or discussion.pk
            consulter(acteur, Acte.DISCUSSION_OUVERTE, objet, sorte, discussion=discussion.pk)
        return discussion
    # Whoever is shut out of its case is told no more than of one that never was.
    if acteur.peut(Droit.DISCUSSIONS_CONSULTER_TOUTES) or not Discussion.objects.filter(pk=pk).exists():
        raise Introuvable
    raise AccesRefuse.pour(acteur)


def sont_d_un_dossier_ouvert(acteur: Acteur, signalement_id: UUID | None) -> bool:
    """True where discussions are asked for of a case that this administrator has opened for a reason."""
    return signalement_id is not None and bool(ouverts_a(acteur).filter(pk=signalement_id).exists())


def message_accessible(acteur: Acteur, pk: UUID | str) -> Message:
    """Fetch a message through the door of its discussion; 404 or 403."""
    message: Message | None = Message.objects.pour_lecture().filter(pk=pk).first()
    if message is None:
        raise Introuvable
    message.discussion = discussion_accessible(acteur, message.discussion_id)
    return message


@objets_caches("ses propres discussions")
def ses_discussions(acteur: Acteur) -> Any:
    return Discussion.objects.filter(compte=acteur.compte, signalement__isnull=True).order_by().values("pk")


@ouverts_sur_motif(PIECE_DE_MESSAGE)
def messages_ouverts(acteur: Acteur) -> Any:
    return Message.objects.filter(discussion__signalement__in=ouverts_a(acteur).values("pk")).order_by()


@lecteurs(PIECE_DE_MESSAGE)
def discussions_lisibles(acteur: Acteur, ids: Iterable[UUID]) -> Any:
    """Queryset of the discussions of these messages that the actor may see, and so whose files they may read."""
    des_messages = Message.objects.order_by().filter(pk__in=ids).values("discussion")
    return Discussion.objects.visibles_par(acteur, par_cle=True).filter(pk__in=des_messages)


@fermes(PIECE_DE_MESSAGE)
def messages_fermes(acteur: Acteur) -> Any:
    ferme = Signalement.objects.fermes_un_a_un(acteur).filter(pk=OuterRef("discussion__signalement"))
    return Message.objects.filter(Exists(ferme)).order_by()


@dossiers_de(PIECE_DE_MESSAGE)
def dossiers_des_messages(ids: Iterable[UUID]) -> Any:
    """Ids of the cases that these messages are about."""
    lies = Message.objects.filter(pk__in=ids, discussion__signalement__isnull=False)
    cas = Coalesce("discussion__signalement__absorbe_par_id", "discussion__signalement_id")
    return lies.values_list(cas, flat=True)
