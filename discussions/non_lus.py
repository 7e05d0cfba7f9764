"""Unread counts: kept on the row for the person whose case it is, computed in the statement that reads for others."""

from itertools import chain
from typing import Any
from uuid import UUID

from django.db.models import BooleanField, Case, F, IntegerField, OuterRef, QuerySet, Subquery, Value, When
from django.db.models.functions import Coalesce, Greatest
from django.db.models.lookups import LessThan

from discussions import lectures
from discussions.models import Discussion, Lecture, Message
from discussions.participants import en_est_peut_etre
from discussions.querysets import annotation_lecture as d_une_discussion
from discussions.querysets import membre_depuis
from signalements.querysets import annotation_lecture as d_un_signalement
from signalements.querysets import avec_non_lus
from signalements.vocabulaire import NON_LUS_MAX
from socle.domaine.acteurs import Acteur
from socle.domaine.droits import Droit
from socle.moteur.conditions import NombreDe
from socle.moteur.lectures import ensemble


class _Total(Subquery):
    template = "(SELECT COALESCE(SUM(lignes.n), 0) FROM (%(subquery)s) AS lignes)"
    output_field = IntegerField()


@d_un_signalement("messages_non_lus_count")
def du_signalement(acteur: Acteur) -> Any:
    """Unread count over the live discussions of a case."""
    vivantes = Discussion.objects.vivants().filter(signalement=OuterRef("pk")).order_by()
    est_d_autrui = acteur.peut(Droit.SIGNALEMENTS_CONSULTER_TOUS)
    return _Total(vivantes.annotate(n=_compte_pour(acteur) if est_d_autrui else F("non_lus")).values("n"))


@d_une_discussion("messages_non_lus_count")
def de_la_discussion(acteur: Acteur) -> Any:
    """The kept count of the person whose case it is, and for others `_compte_pour`."""
    return _compte_pour(acteur) if acteur.peut(Droit.DISCUSSIONS_CONSULTER_TOUTES) else F("non_lus")


@avec_non_lus("cles")
def dossiers_non_lus(acteur: Acteur) -> list[UUID]:
    """Keys of the reports with unread messages for staff, of any status: the NON_LUS_MAX that moved last.

    Read first: told how few they are, the list looks them up instead of walking all reports in its own order.
    """
    demandes = (lectures.dossiers_non_lus(acteur), lectures.dossiers_arrieres(acteur))
    lues = ensemble(*(demande.quelques(0, NON_LUS_MAX) for demande in demandes))
    return list(dict.fromkeys(chain.from_iterable(lues)))[:NON_LUS_MAX]


def _compte_pour(acteur: Acteur) -> Case:
    """All messages of a discussion where this reader surely wrote and read none; else those to be read, counted.

    Its own, and those of the discussions that it absorbed: two look-ups, as an OR reads both indexes. The dates of
    messages are looked at only where some may be older than this person's joining the team.
    """
    depuis = membre_depuis(acteur)
    absorbees = Discussion._base_manager.filter(absorbe_par=OuterRef("pk"))
    siens = _au_dessus_de_la_marque(acteur)
    des_absorbees = _non_lus(acteur, absorbees)
    return Case(
        When(LessThan(F("date_modification"), depuis), then=Value(0)),
        When(LessThan(F("date_creation"), depuis), then=NombreDe(_recents(siens, acteur)) + des_absorbees),
        When(en_est_peut_etre(acteur.pk), then=NombreDe(siens.values("pk")) + des_absorbees),
        default=F("dernier_numero") - F("lus_par_tous"),
        output_field=IntegerField(),
    )


def _non_lus(acteur: Acteur, origines: QuerySet[Discussion]) -> Subquery:
    """Sum, by discussion of origin, of others' messages above the reader's mark: an index skips the read ones."""
    au_dessus = _recents(_au_dessus_de_la_marque(acteur), acteur)
    return _Total(origines.order_by().annotate(n=NombreDe(au_dessus)).values("n"))


def _recents(messages: QuerySet[Message], acteur: Acteur) -> QuerySet[Any]:
    return messages.filter(date_creation__gte=membre_depuis(acteur)).values("pk")


def _au_dessus_de_la_marque(acteur: Acteur) -> QuerySet[Message]:
    """Of one origin, the others' messages that are where it leads to: a merge may have left some behind."""
    marque = Lecture.objects.order_by().filter(discussion=OuterRef(OuterRef("pk")), **acteur.proprietaire)
    lu = Greatest(Coalesce(Subquery(marque.values("numero")), Value(0)), OuterRef("lus_par_tous"))
    # As a CASE, so that no plan reads the index of this column beside the one that skips what is read.
    est_arrive = When(discussion=Coalesce(OuterRef("absorbe_par"), OuterRef("pk")), then=Value(True))
    messages: QuerySet[Message] = Message.objects.d_autrui(acteur).filter(
        Case(est_arrive, default=Value(False), output_field=BooleanField()),
        origine=OuterRef("pk"),
        numero_origine__gt=lu,
    )
    return messages
