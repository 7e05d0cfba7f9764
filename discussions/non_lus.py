"""Unread counts: kept on the row for the person whose case it is, computed in the statement that reads for others."""

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import BooleanField, Case, F, IntegerField, OuterRef, Q, QuerySet, Subquery, Value, When
from django.db.models.functions import Coalesce
from django.db.models.lookups import IsNull

from discussions.models import Discussion, Lecture, Message
from discussions.querysets import annotation_lecture as d_une_discussion
from signalements.querysets import annotation_lecture as d_un_signalement
from signalements.querysets import avec_non_lus
from signalements.vocabulaire import DISCUSSIONS_SUIVIES
from socle.domaine.acteurs import Acteur
from socle.domaine.conditions import NombreDe
from socle.domaine.droits import Droit

LOT = 5_000
PERSONNE = Coalesce("compte", "invite")  # of an owned row, whichever it has


class _Total(Subquery):
    template = "(SELECT COALESCE(SUM(lignes.n), 0) FROM (%(subquery)s) AS lignes)"
    output_field = IntegerField()


@d_un_signalement("messages_non_lus_count")
def du_signalement(acteur: Acteur) -> Any:
    """Unread count over the discussions of a case, absorbed ones too: they name the same case as their target."""
    du_dossier = Discussion._base_manager.filter(signalement=OuterRef("pk"))
    if acteur.peut(Droit.SIGNALEMENTS_CONSULTER_TOUS):
        return _non_lus(acteur, du_dossier)
    vivantes = du_dossier.filter(absorbe_par__isnull=True).order_by()
    return _Total(vivantes.annotate(n=F("non_lus")).values("n"))


@d_une_discussion("messages_non_lus_count")
def de_la_discussion(acteur: Acteur) -> Any:
    """Its own messages, and those of the discussions that it absorbed: two look-ups, as an OR reads both indexes.

    Of one that absorbed none, and of which this reader has read nothing, all that others wrote: its number of messages
    less theirs, which the index on who wrote where counts. Most are so for most of a team.
    """
    if not acteur.peut(Droit.DISCUSSIONS_CONSULTER_TOUTES):
        return F("non_lus")
    absorbees = Discussion._base_manager.filter(absorbe_par=OuterRef("pk"))
    marque = Lecture.objects.order_by().filter(discussion=OuterRef("pk"), **acteur.proprietaire)
    siens = Message.objects.order_by().filter(discussion=OuterRef("pk"), **acteur.proprietaire)
    # Not as EXISTS: PostgreSQL would read every discussion once, to look these few up in memory.
    est_neuve = Q(IsNull(Subquery(marque.values("numero")), True), IsNull(Subquery(absorbees.values("pk")[:1]), True))
    comptes = NombreDe(_au_dessus_de_la_marque(acteur).values("pk")) + _non_lus(acteur, absorbees)
    return Case(When(est_neuve, then=F("dernier_numero") - NombreDe(siens.values("pk"))), default=comptes)


@avec_non_lus("cles")
def dossiers_non_lus(acteur: Acteur) -> list[UUID]:
    """Keys of the reports with unread messages for staff, among the last DISCUSSIONS_SUIVIES discussions that moved.

    Read first: told how few they are, the list looks them up instead of walking all reports in its own order.
    """
    recentes = Discussion.objects.visibles_par(acteur).order_by("-date_modification", "-id")[:DISCUSSIONS_SUIVIES]
    suivies = Discussion.objects.filter(pk__in=recentes.values("pk"), signalement__isnull=False).order_by()
    non_lues = suivies.annotate(n=de_la_discussion(acteur)).filter(n__gt=0)
    return list(non_lues.values_list("signalement", flat=True).distinct())


def recompter(cles: Iterable[UUID]) -> None:
    """Write `non_lus` anew on these discussions, which the caller has locked: one statement for LOT of them."""
    toutes = list(cles)
    comptees = _comptees(Discussion._base_manager.filter(pk=OuterRef("pk")))
    for debut in range(0, len(toutes), LOT):
        lot = Discussion.objects.vivants().filter(pk__in=toutes[debut : debut + LOT])
        lot.update(non_lus=Subquery(comptees.values("comptes")))


def ecarts() -> QuerySet[Any]:
    """The discussions whose kept count is not what their messages and marks say, by key."""
    return _comptees(Discussion.objects.vivants()).exclude(non_lus=F("comptes")).order_by("pk")


def corriger() -> int:
    """Recount where there is a difference, under locks, while others write; return how many differed."""
    faux = list(ecarts().values_list("pk", flat=True))
    for debut in range(0, len(faux), LOT):
        with transaction.atomic():
            verrouillees = Discussion.objects.select_for_update(no_key=True).order_by("pk")
            recompter(verrouillees.filter(pk__in=faux[debut : debut + LOT]).values_list("pk", flat=True))
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


def _non_lus(acteur: Acteur, origines: QuerySet[Discussion]) -> Subquery:
    """Sum, by discussion of origin, of others' messages above the reader's mark: an index skips the read ones."""
    au_dessus = _au_dessus_de_la_marque(acteur)
    return _Total(origines.order_by().annotate(n=NombreDe(au_dessus.values("pk"))).values("n"))


def _au_dessus_de_la_marque(acteur: Acteur) -> QuerySet[Message]:
    """Of one origin, the others' messages that are where it leads to: a merge may have left some behind."""
    marque = Lecture.objects.order_by().filter(discussion=OuterRef(OuterRef("pk")), **acteur.proprietaire)
    # As a CASE, so that no plan reads the index of this column beside the one that skips what is read.
    est_arrive = When(discussion=Coalesce(OuterRef("absorbe_par"), OuterRef("pk")), then=Value(True))
    messages: QuerySet[Message] = Message.objects.d_autrui(acteur).filter(
        Case(est_arrive, default=Value(False), output_field=BooleanField()),
        origine=OuterRef("pk"),
        numero_origine__gt=Coalesce(Subquery(marque.values("numero")), Value(0)),
    )
    return messages
