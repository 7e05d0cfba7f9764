from collections.abc import Callable, Collection, Iterable
from typing import Any

from django.apps import apps
from django.db import connection, models
from django.db.models import Exists, F, OuterRef, Prefetch, Subquery
from django.db.models.functions import Coalesce

from accounts.models import Compte
from accounts.vocabulaire import sauf_le_nom
from signalements.models import Signalement
from signalements.querysets import hors_d_autres_equipes
from signalements.vocabulaire import RECHERCHES
from socle.domaine.acteurs import Acteur
from socle.domaine.droits import Droit
from socle.domaine.fusions import LIGNES_MAX
from socle.domaine.modeles import AbsorbableQuerySet
from socle.domaine.registre import Registre

# Column name -> expression for one reader, as for reports.
annotation_lecture: Registre[Callable[[Acteur], Any]] = Registre(
    "lecture d'une discussion", attendus=["messages_non_lus_count"]
)
VERROU_DES_RELEVES = 5_318_010  # advisory, of PostgreSQL: on SQLite one writes at a time
# Columns of the report that an answer about a discussion does not need.
_SANS = ("description", *RECHERCHES, "description_temoins", "auteur_presume")


def membre_depuis(acteur: Acteur) -> Subquery:
    """Date since which this person is of the team: nothing before is unread for them. Asked once a statement."""
    soi = Compte.objects.order_by().filter(pk=acteur.pk)
    return Subquery(soi.values(moment=Coalesce("equipe_depuis", "date_creation")))


def releve_jusqu_a(acteur: Acteur) -> Coalesce:
    """Date from which each discussion is looked at; those that moved before and hold unread are `arrieres`."""
    return Coalesce(Subquery(_releves().filter(compte=acteur.pk).values("jusqu_a")), membre_depuis(acteur))


def _releves() -> Any:
    return apps.get_model("discussions.Releve").objects.order_by()


class DiscussionQuerySet(AbsorbableQuerySet):
    def pour_lecture(self, acteur: Acteur) -> "DiscussionQuerySet":
        """All that a response needs, the latest activity first, in a number of queries that does not grow."""
        annotations = {nom: expression(acteur) for nom, expression in annotation_lecture.items()}
        messages = self.model._meta.get_field("messages").related_model
        derniers = messages.objects.filter(numero_sequence=F("discussion__dernier_numero"))
        lignes: DiscussionQuerySet = self.vivants().select_related("signalement").annotate(**annotations)
        lignes = lignes.defer(*(f"signalement__{nom}" for nom in _SANS)).order_by("-date_modification", "-id")
        return lignes.prefetch_related(Prefetch("messages", queryset=derniers, to_attr="derniers"))

    def visibles_par(self, acteur: Acteur, *, par_cle: bool = False) -> "DiscussionQuerySet":
        """Staff see all but those of cases closed to them; anyone else those on their reports, and those they opened
        that are on none.

        Having opened one on somebody else's report gives no right: the opener was staff then, and may not be any more.
        With `par_cle` the rows are found by their keys, and each is judged alone.
        """
        if not acteur.peut(Droit.DISCUSSIONS_CONSULTER_TOUTES):
            return self.siennes(acteur)
        fermes = Signalement.objects.fermes_a(acteur).order_by()
        lignes = self.vivants().filter(hors_d_autres_equipes(Signalement.objects.all(), acteur, "signalement"))
        if par_cle:
            return lignes.filter(~Exists(fermes.filter(pk=OuterRef("signalement"))))
        return lignes.exclude(signalement__in=fermes.values("pk"))

    def ouvertes_a(self, acteur: Acteur) -> "DiscussionQuerySet":
        """Of discussions found by their keys, visible ones in which the actor may write and mark as read.

        The right to read all does not suffice.
        """
        a_toutes = acteur.peut(Droit.DISCUSSIONS_PARTICIPER_A_TOUTES)
        return self.visibles_par(acteur, par_cle=True) if a_toutes else self.siennes(acteur)

    def siennes(self, acteur: Acteur) -> "DiscussionQuerySet":
        """Filter to those on the actor's own reports, and those they opened on none; of staff too, no other."""
        return self.vivants().filter(titulaire=acteur.pk)

    def non_lues_par(self, acteur: Acteur) -> "DiscussionQuerySet":
        """Filter to those that hold unread messages for this reader, annotated `n`, the latest activity first.

        Of somebody of the team those that moved since their `Releve`: the rest is `arrierees_de`.
        """
        lignes = self.order_by("-date_modification", "-id")
        if acteur.peut(Droit.DISCUSSIONS_CONSULTER_TOUTES):
            lignes = lignes.filter(date_modification__gte=releve_jusqu_a(acteur))
        return lignes._non_lues(acteur)

    def arrierees_de(self, acteur: Acteur) -> "DiscussionQuerySet":
        """Of those that had moved before, the ones that hold unread messages for this reader, as `non_lues_par`.

        One that has moved since is among both: two statements in a row then miss none that moves between them.
        """
        siennes = self.filter(arrieres__compte=acteur.pk).order_by("-arrieres__moment", "-id")
        return siennes._non_lues(acteur)

    def _non_lues(self, acteur: Acteur) -> "DiscussionQuerySet":
        comptees = self.annotate(n=annotation_lecture["messages_non_lus_count"](acteur))
        non_lues: DiscussionQuerySet = comptees.filter(n__gt=0)
        return non_lues

    def jamais_lues(self) -> "DiscussionQuerySet":
        """Filter to those with messages of the person whose case it is that nobody else has read."""
        return self.filter(jamais_lus__gt=0)

    def du_signalement(self, pk: Any) -> "DiscussionQuerySet":
        """Discussions on this report, or on the case it was joined to."""
        return self.filter(signalement__in=Signalement.objects.order_by().menant_a(pk).values("pk"))


class ReleveQuerySet(models.QuerySet[Any]):
    def recommencer(self, comptes: Collection[Any]) -> None:
        """Have all be taken down again of these accounts, who have come to read many cases; until then all is counted.

        Whoever takes something down at this moment is waited for.
        """
        self.filter(compte__in=comptes).update(jusqu_a=None, pas_avant=None)


class ArriereQuerySet(models.QuerySet[Any]):
    def reprendre(self, discussions: Collection[Any]) -> None:
        """Have everybody look again at these: old messages may have become theirs, or theirs to read.

        Whoever takes down meanwhile what it was before is waited for: their `Releve` passes these by.
        """
        if not discussions:
            return
        if connection.vendor == "postgresql":
            with connection.cursor() as curseur:
                curseur.execute("SELECT pg_advisory_xact_lock_shared(%s)", [VERROU_DES_RELEVES])
        releves = list(_releves().exclude(jusqu_a=None).values_list("compte", "jusqu_a"))
        lignes = [
            self.model(compte_id=compte, discussion_id=une.pk, moment=une.date_modification)
            for une in discussions
            for compte, jusqu_a in releves
            if une.date_modification < jusqu_a
        ]
        self.bulk_create(lignes, LIGNES_MAX, ignore_conflicts=True)


class MessageQuerySet(models.QuerySet[Any]):
    def pour_lecture(self) -> "MessageQuerySet":
        """In the order of the conversation."""
        lignes = self.select_related("compte").defer(*sauf_le_nom("compte"))
        return lignes.order_by("discussion_id", "numero_sequence")

    def d_autrui(self, acteur: Acteur) -> "MessageQuerySet":
        """Exclude the messages of this actor."""
        return self.exclude(**acteur.proprietaire)

    def de_l_equipe(self, dossiers: Iterable[Any]) -> "MessageQuerySet":
        """Of the conversations of these cases, what others than the person whose case it is have written."""
        de_l_auteur = models.Q(compte=F("discussion__titulaire")) | models.Q(invite=F("discussion__titulaire"))
        return self.filter(discussion__signalement__in=[un.pk for un in dossiers]).exclude(de_l_auteur)
