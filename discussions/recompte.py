"""What a discussion keeps of its messages and marks, made anew: the unread count, and who may be among them."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, TypeVar
from uuid import UUID

from django.db import transaction
from django.db.models import BigIntegerField, Case, F, OuterRef, QuerySet, Subquery, Value, When
from django.db.models.functions import Coalesce

from discussions.models import Discussion, Lecture, Message
from discussions.participants import TOUS, de_la_cle, en_est_peut_etre, traits
from socle.domaine.conditions import NombreDe

LOT = 5_000
LIGNES_MAX = 500  # that one statement writes, each with its own value
T = TypeVar("T")
PERSONNE = Coalesce("compte", "invite")  # of an owned row, whichever it has


def recompter(cles: Iterable[UUID], *, devient: tuple[UUID, UUID] | None = None) -> None:
    """Write `non_lus` anew on these discussions, which the caller has locked: one statement for LOT of them.

    `devient`: where the first person may be a participant, the second is one too.
    """
    comptees = _comptees(Discussion._base_manager.filter(pk=OuterRef("pk")))
    champs: dict[str, Any] = {"non_lus": Subquery(comptees.values("comptes"))}
    if devient is not None:
        ancien, nouveau = devient
        les_deux = When(en_est_peut_etre(ancien), then=F("participants").bitor(de_la_cle(nouveau)))
        champs["participants"] = Case(les_deux, default=F("participants"), output_field=BigIntegerField())
    for lot in _par_lots(cles, LOT):
        Discussion.objects.vivants().filter(pk__in=lot).update(**champs)


def recenser(discussions: Iterable[Discussion]) -> None:
    """Write `participants` anew on these rows, which the caller has locked: no more than there are."""
    for lot in _par_lots(discussions, LIGNES_MAX):
        participants = _participants([une.pk for une in lot])
        for une in lot:
            une.participants = participants[une.pk]
        Discussion.objects.bulk_update(lot, ["participants"])


def ecarts() -> set[UUID]:
    """The discussions whose kept count is not what their messages and marks say, or that lack a participant."""
    comptees = _comptees(Discussion.objects.vivants()).exclude(non_lus=F("comptes"))
    return {*comptees.values_list("pk", flat=True), *_a_qui_il_en_manque()}


def corriger() -> int:
    """Recount where there is a difference, under locks, while others write; return how many differed.

    Participants are told apart again where an older version had taken everybody for one.
    """
    faux = ecarts()
    for lot in _par_lots([*faux, *_sans_distinction()], LIGNES_MAX):
        with transaction.atomic():
            verrouillees = Discussion.objects.vivants().select_for_update(no_key=True).order_by("pk")
            lignes = {ligne.pk: ligne for ligne in verrouillees.filter(pk__in=lot)}
            recompter(lignes)
            recenser(lignes.values())
    return len(faux)


def _comptees(discussions: QuerySet[Any]) -> QuerySet[Any]:
    """Annotate `comptes`, the unread count of the person whose case it is."""
    proprietaire = Coalesce("signalement__compte", "signalement__invite", "compte", "invite")
    marque = Lecture.objects.order_by().annotate(lecteur=PERSONNE)
    marque = marque.filter(discussion=OuterRef("origine"), lecteur=OuterRef(OuterRef("proprietaire")))
    messages = Message.objects.order_by().annotate(auteur=PERSONNE).filter(discussion=OuterRef("pk"))
    messages = messages.exclude(auteur=OuterRef("proprietaire"))
    messages = messages.filter(numero_origine__gt=Coalesce(Subquery(marque.values("numero")), Value(0)))
    comptees: QuerySet[Any] = discussions.annotate(proprietaire=proprietaire)
    comptees = comptees.annotate(comptes=NombreDe(messages.values("pk")))
    return comptees


def _sans_distinction() -> Iterator[UUID]:
    """The discussions that have everybody for a participant, and that no merge has joined another to."""
    seules = Discussion.objects.vivants().filter(participants=TOUS, absorbes__isnull=True).order_by()
    return seules.values_list("pk", flat=True).iterator()


def _a_qui_il_en_manque() -> Iterator[UUID]:
    for cle, qui, tenus in _presences(Discussion.objects.vivants().exclude(participants=TOUS)):
        if traits(qui) & ~tenus:
            yield cle
    joignent = Discussion.objects.vivants().exclude(participants=TOUS).filter(absorbes__isnull=False)
    yield from joignent.order_by().values_list("pk", flat=True)


def _participants(cles: list[UUID]) -> dict[UUID, int]:
    """The bits of those who wrote in each of these discussions, or marked it as read; TOUS where it absorbed one."""
    discussions = Discussion.objects.filter(pk__in=cles)
    participants = dict.fromkeys(cles, 0)
    for cle, qui, _tenus in _presences(discussions):
        participants[cle] |= traits(qui)
    joignent = discussions.filter(absorbes__isnull=False).order_by()
    return participants | dict.fromkeys(joignent.values_list("pk", flat=True), TOUS)


def _presences(discussions: QuerySet[Any]) -> Iterator[tuple[UUID, UUID, int]]:
    """Discussion, person, participants kept, of each who wrote there or has a mark there."""
    for modele in (Message, Lecture):
        lignes = modele.objects.order_by().filter(discussion__in=discussions.order_by().values("pk"))
        lignes = lignes.annotate(qui=PERSONNE).values_list("discussion", "qui", "discussion__participants")
        yield from lignes.distinct().iterator()


def _par_lots(elements: Iterable[T], taille: int) -> Iterator[list[T]]:
    suite = iter(elements)
    while lot := list(islice(suite, taille)):
        yield lot
