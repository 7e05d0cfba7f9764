"""Unread counts for one reader: exact, by subqueries of the statement that reads the rows themselves."""

from typing import Any

from django.db.models import BooleanField, Case, IntegerField, OuterRef, QuerySet, Subquery, Value, When
from django.db.models.functions import Coalesce

from discussions.models import Discussion, Lecture, Message
from discussions.querysets import annotation_lecture as d_une_discussion
from signalements.querysets import annotation_lecture as d_un_signalement
from socle.domaine.acteurs import Acteur


class _Nombre(Subquery):
    template = "(SELECT COUNT(*) FROM (%(subquery)s) AS lignes)"
    output_field = IntegerField()


class _Total(Subquery):
    template = "(SELECT COALESCE(SUM(lignes.n), 0) FROM (%(subquery)s) AS lignes)"
    output_field = IntegerField()


@d_un_signalement("messages_non_lus_count")
def du_signalement(acteur: Acteur) -> Any:
    """Unread count over the discussions of a case, absorbed ones too: they name the same case as their target."""
    return _non_lus(acteur, Discussion._base_manager.filter(signalement=OuterRef("pk")))


@d_une_discussion("messages_non_lus_count")
def de_la_discussion(acteur: Acteur) -> Any:
    """Its own messages, and those of the discussions that it absorbed: two look-ups, as an OR reads both indexes."""
    absorbees = Discussion._base_manager.filter(absorbe_par=OuterRef("pk"))
    return _Nombre(_au_dessus_de_la_marque(acteur).values("pk")) + _non_lus(acteur, absorbees)


def _non_lus(acteur: Acteur, origines: QuerySet[Discussion]) -> Subquery:
    """Sum, by discussion of origin, of others' messages above the reader's mark: an index skips the read ones."""
    au_dessus = _au_dessus_de_la_marque(acteur)
    return _Total(origines.order_by().annotate(n=_Nombre(au_dessus.values("pk"))).values("n"))


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
