"""Recount of what a discussion keeps of its case, messages and marks: its owner, their unread count, who is in it."""

from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import Any, TypeVar
from uuid import UUID

from django.db import transaction
from django.db.models import BigIntegerField, Case, Exists, F, OuterRef, QuerySet, Subquery, Value, When
from django.db.models.functions import Coalesce

from discussions.models import Discussion, Lecture, Message
from discussions.participants import TOUS, de_la_cle, en_est_peut_etre, traits
from signalements.models import Signalement
from socle.domaine.fusions import LIGNES_MAX
from socle.domaine.instant import un_instant
from socle.moteur.conditions import NombreDe

LOT = 5_000
T = TypeVar("T")
PERSONNE = Coalesce("compte", "invite")  # of an owned row, whichever it has


def recompter(cles: Iterable[UUID], *, devient: tuple[UUID, UUID] | None = None) -> None:
    """Write `titulaire` and both counts anew on these discussions, which the caller has locked: a statement for LOT.

    `devient`: where the first person may be a participant, the second is one too.
    """
    champs: dict[str, Any] = {"titulaire": _titulaire(), "non_lus": _recompte(), "jamais_lus": _jamais_lus()}
    if devient is not None:
        ancien, nouveau = devient
        les_deux = When(en_est_peut_etre(ancien), then=F("participants").bitor(de_la_cle(nouveau)))
        champs["participants"] = Case(les_deux, default=F("participants"), output_field=BigIntegerField())
    for lot in _par_lots(cles, LOT):
        Discussion.objects.filter(pk__in=lot).update(**champs)


def recenser(discussions: Iterable[Discussion]) -> None:
    """Write `participants` anew on these rows, which the caller has locked: no more than there are."""
    for lot in _par_lots(discussions, LIGNES_MAX):
        participants = _participants([une.pk for une in lot])
        for une in lot:
            une.participants = participants[une.pk]
        Discussion.objects.bulk_update(lot, ["participants"])


def ecarts() -> set[UUID]:
    """The discussions that are kept for another than whose case they are, count wrong, or lack a participant."""
    with un_instant():
        comptees = _comptees(Discussion.objects.vivants()).exclude(non_lus=F("comptes"))
        jamais = Discussion.objects.vivants().exclude(jamais_lus=_jamais_lus())
        faux = (lignes.values_list("pk", flat=True) for lignes in (mal_gardees(), comptees, jamais))
        return {*chain.from_iterable(faux), *_a_qui_il_en_manque()}


def mal_gardees() -> QuerySet[Any]:
    """Discussions, joined ones too, whose `titulaire` is not the person whose case it is."""
    lignes: QuerySet[Any] = Discussion._base_manager.exclude(titulaire=_titulaire())
    return lignes


def corriger() -> int:
    """Recount where there is a difference, under locks, while others write; return how many differed.

    Participants are told apart again where an older version had taken everybody for one.
    """
    faux = ecarts()
    for cle in sorted(faux):
        _refaire(cle)
    depuis: UUID | None = None
    while lot := _distinguer(depuis):
        depuis = lot[-1]
    return len(faux)


@transaction.atomic
def _refaire(cle: UUID) -> None:
    """Alone, and written once: whoever holds other discussions, or waits for its report, is not waited for."""
    for une in Discussion.objects.select_for_update(no_key=True).filter(pk=cle):
        justes = {"titulaire": _titulaire(), "non_lus": _recompte(), "jamais_lus": _jamais_lus()}
        Discussion.objects.filter(pk=une.pk).update(**justes, participants=_participants([cle])[cle])


@transaction.atomic
def _distinguer(depuis: UUID | None) -> list[UUID]:
    """The next discussions, by key, that have everybody for a participant; `recenser` those that nobody holds."""
    jointes = Discussion._base_manager.filter(absorbe_par=OuterRef("pk"))
    communes = Discussion.objects.vivants().filter(~Exists(jointes), participants=TOUS).order_by("pk")
    suivantes = communes if depuis is None else communes.filter(pk__gt=depuis)
    lot = list(suivantes.values_list("pk", flat=True)[:LIGNES_MAX])
    recenser(communes.select_for_update(no_key=True, skip_locked=True).filter(pk__in=lot))
    return lot


def _recompte() -> Subquery:
    return Subquery(_comptees(Discussion._base_manager.filter(pk=OuterRef("pk"))).values("comptes"))


def _jamais_lus() -> NombreDe:
    """Count of the messages of whose case it is that nobody else has read."""
    du_dossier = Signalement._base_manager.order_by().filter(pk=OuterRef("discussion__signalement"))
    auteur = Coalesce(Subquery(du_dossier.values(cle=PERSONNE)), "discussion__compte", "discussion__invite")
    messages = Message.objects.order_by().filter(discussion=OuterRef("pk"), est_lu=False)
    return NombreDe(messages.annotate(auteur=PERSONNE, titulaire=auteur).filter(auteur=F("titulaire")).values("pk"))


def _titulaire() -> Coalesce:
    """Key of whose case it is, from the rows that say so."""
    du_dossier = Signalement._base_manager.order_by().filter(pk=OuterRef("signalement")).values(cle=PERSONNE)
    return Coalesce(Subquery(du_dossier), "compte", "invite")


def _comptees(discussions: QuerySet[Any]) -> QuerySet[Any]:
    """Annotate `comptes`, the unread count of the person whose case it is."""
    marque = Lecture.objects.order_by().annotate(lecteur=PERSONNE)
    marque = marque.filter(discussion=OuterRef("origine"), lecteur=OuterRef(OuterRef("proprietaire")))
    messages = Message.objects.order_by().annotate(auteur=PERSONNE).filter(discussion=OuterRef("pk"))
    messages = messages.exclude(auteur=OuterRef("proprietaire"))
    messages = messages.filter(numero_origine__gt=Coalesce(Subquery(marque.values("numero")), Value(0)))
    comptees: QuerySet[Any] = discussions.annotate(proprietaire=_titulaire())
    comptees = comptees.annotate(comptes=NombreDe(messages.values("pk")))
    return comptees


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
