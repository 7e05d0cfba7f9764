from collections.abc import Callable
from typing import Any

from django.db import models
from django.db.models import Exists, F, OuterRef, Prefetch

from accounts.vocabulaire import sauf_le_nom
from signalements.models import Signalement
from socle.domaine.acteurs import Acteur
from socle.domaine.droits import Droit
from socle.domaine.modeles import AbsorbableQuerySet
from socle.domaine.registre import Registre

# Column name -> expression for one reader, as for reports.
annotation_lecture: Registre[Callable[[Acteur], Any]] = Registre(
    "lecture d'une discussion", attendus=["messages_non_lus_count"]
)
# Columns of the report that an answer about a discussion does not need.
_SANS = ("description", "recherche", "description_temoins", "auteur_presume")


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
        if par_cle:
            return self.vivants().filter(~Exists(fermes.filter(pk=OuterRef("signalement"))))
        return self.vivants().exclude(signalement__in=fermes.values("pk"))

    def ouvertes_a(self, acteur: Acteur) -> "DiscussionQuerySet":
        """Of discussions found by their keys, visible ones in which the actor may write and mark as read.

        The right to read all does not suffice.
        """
        a_toutes = acteur.peut(Droit.DISCUSSIONS_PARTICIPER_A_TOUTES)
        return self.visibles_par(acteur, par_cle=True) if a_toutes else self.siennes(acteur)

    def siennes(self, acteur: Acteur) -> "DiscussionQuerySet":
        """Those on the actor's own reports, and those they opened that are on none; of staff too, no other."""
        return self.vivants().filter(titulaire=acteur.pk)

    def du_signalement(self, pk: Any) -> "DiscussionQuerySet":
        """Discussions on this report, or on the case it was joined to."""
        return self.filter(signalement__in=Signalement.objects.order_by().menant_a(pk).values("pk"))


class MessageQuerySet(models.QuerySet[Any]):
    def pour_lecture(self) -> "MessageQuerySet":
        """In the order of the conversation."""
        lignes = self.select_related("compte").defer(*sauf_le_nom("compte"))
        return lignes.order_by("discussion_id", "numero_sequence")

    def d_autrui(self, acteur: Acteur) -> "MessageQuerySet":
        """Exclude the messages of this actor."""
        return self.exclude(**acteur.proprietaire)
