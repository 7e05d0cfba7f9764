"""Requests to the moderators to read a writing of the forum again: the form that stands beside each."""

from collections.abc import Callable
from typing import Any

from django.utils.translation import gettext_lazy as _

from campus.pages.forum import texte_ecrit
from forum.models import Commentaire, DemandeDeRelecture, Poste
from forum.serializers import DemandeDeRelectureCreate
from socle.domaine.acteurs import Acteur
from socle.pages.formulaires import FormulaireDeSerializer


class RelectureDemandee(FormulaireDeSerializer):
    """Reason to read a post again, or an answer: a page has such a form for each."""

    serializer = DemandeDeRelectureCreate

    motif = texte_ecrit(_("Pourquoi ? (facultatif)"), lignes=2)

    def __init__(self, vise: Poste | Commentaire, *args: Any, **options: Any) -> None:
        super().__init__(*args, auto_id=f"{vise.pk.hex}_%s", **options)
        self.pk = vise.pk


def a_signaler(
    acteur: Acteur, poste: Poste, refusee: RelectureDemandee | None
) -> Callable[[Poste | Commentaire], dict[str, Any]]:
    """For each writing of the page: its form, or that the reader has sent it; nothing for one's own."""
    siennes = DemandeDeRelecture.objects.ouvertes().filter(poste=poste, compte=acteur.compte)
    visees = {commentaire or poste.pk for commentaire in siennes.values_list("commentaire", flat=True)}

    def offrir(vise: Poste | Commentaire) -> dict[str, Any]:
        if acteur.possede(vise):
            return {}
        if vise.pk in visees:
            return {"est_signalee": True}
        est_refusee = refusee is not None and refusee.pk == vise.pk
        return {"form": refusee if est_refusee else RelectureDemandee(vise), "ouvert": est_refusee}

    return offrir
