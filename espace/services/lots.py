"""Ticked rows of a list, confided together: each by the service of the single act, in a transaction of its own.

A colleague may have taken one of them meanwhile: that one is left and said, the others are done.
"""

from collections.abc import Iterable, Sized
from contextlib import suppress
from typing import Any, NamedTuple, Self
from uuid import UUID

from django.utils.translation import gettext as _

from accounts.models import Compte
from espace.erreurs import ChangeDepuis
from espace.services import actes
from espace.vocabulaire import TAILLE
from signalements.models import Signalement
from signalements.permissions import signalement_a_traiter
from socle.domaine.acteurs import Acteur, ActeurCompte
from socle.erreurs import ChampsInvalides, Introuvable, PermissionRefusee

CONFIES_A, LOT = "confies_a", "lot"  # in the address that says what became of them


class Choisi(NamedTuple):
    """A ticked row: its case, and who the page said handles it."""

    cle: UUID
    vu: str

    @classmethod
    def lus_dans(cls, valeurs: Iterable[str]) -> list[Self]:
        """Parse the boxes, each case once, in one order; what no page of ours wrote is left out."""
        lus: dict[UUID, Self] = {}
        for valeur in valeurs:
            cle, _point, vu = valeur[:80].partition(".")
            with suppress(ValueError):
                un = cls(UUID(cle), vu)
                lus.setdefault(un.cle, un)
        return sorted(lus.values())


def refus_du_lot(choisis: Sized) -> str:
    """Refusal of this many rows, in words; "" for none."""
    if not choisis:
        return _("Cochez d'abord des dossiers de la liste.")
    return _("%(n)d dossiers au plus à la fois.") % {"n": TAILLE} if len(choisis) > TAILLE else ""


def confier(*, acteur: Acteur, choisis: Iterable[Choisi], a: UUID) -> None:
    """Assign each to this person; one that changed since, or that they may not read, stays as it is."""
    for un in choisis:
        with suppress(Introuvable, PermissionRefusee, ChangeDepuis, ChampsInvalides):
            dossier = signalement_a_traiter(acteur, un.cle)
            if dossier.pk == un.cle:  # else joined to another, which the page did not show
                actes.assigner(dossier=dossier, acteur=acteur, gestionnaire_id=a, vu=un.vu)


class Issue(NamedTuple):
    """State of the cases of a lot: those that this person handles, the others with `True` where they may read them."""

    qui: Compte
    confies: list[Signalement]
    restes: list[tuple[Signalement, bool]]
    absents: int  # that nobody can show any more: joined to another, closed to the reader

    @property
    def tous(self) -> list[Signalement]:
        return [*self.confies, *(un for un, _lisible in self.restes)]

    @property
    def cles(self) -> set[UUID]:
        """Keys of those that are left, which stay ticked."""
        return {un.pk for un, _lisible in self.restes}

    @property
    def nombre_de_restes(self) -> int:
        return len(self.restes) + self.absents


def issue(acteur: Acteur, question: Any, equipe: Iterable[Compte]) -> Issue | None:
    """Read what became of the lot that an address names, in two statements; None where it names none."""
    qui = next((un for un in equipe if str(un.pk) == question.get(CONFIES_A)), None)
    cles = [un.cle for un in Choisi.lus_dans(question.getlist(LOT))][:TAILLE]
    if qui is None or not cles:
        return None
    lignes = Signalement.objects.visibles_par(acteur).filter(pk__in=cles).exclude(compte=acteur.pk)
    lus = list(lignes.select_related("gestionnaire").order_by("-date_creation", "-id"))
    autres = [un.pk for un in lus if un.gestionnaire_id != qui.pk]
    siens = Signalement.objects.visibles_par(ActeurCompte(compte=qui)).filter(pk__in=autres).order_by()
    lisibles = set(siens.values_list("pk", flat=True))
    return Issue(
        qui,
        [un for un in lus if un.gestionnaire_id == qui.pk],
        [(un, un.pk in lisibles) for un in lus if un.pk in set(autres)],
        len(cles) - len(lus),
    )
