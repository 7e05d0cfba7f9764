"""Names that are to be compared, and what an administrator may decide of them."""

from collections.abc import Collection
from functools import cache, reduce
from operator import and_
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db.models import Exists, OuterRef, Q

from accounts.models import Compte
from homonymes.models import BaseAnterieure, Homonyme
from homonymes.noms import en_mots, est_nomme, nommes_dans
from homonymes.vocabulaire import ECARTES_MAX, LOT, Decision
from signalements.lecteurs import NomsDits, deplacables, noms_dits, qui_ecarter
from signalements.models import RegleDeLecture, Signalement
from socle.domaine.acteurs import Acteur

SIEN = ("signalement__reference", "signalement__equipe", "compte__nom", "compte__prenom")


def sont_compares() -> bool:
    """As the operator said, else in a base that has always compared them."""
    dit: bool | None = settings.ECARTER_HOMONYMES
    return _est_nouvelle() if dit is None else dit


@cache
def _est_nouvelle() -> bool:
    """True of a base that was made with names compared, False of one that was there before: it never changes."""
    return not BaseAnterieure.objects.exists()


def nommes(auteur_presume: str, auteur: UUID | None, rapports: Collection[UUID] = ()) -> set[UUID]:
    """Active staff that a case of these reports, which this account wrote, names as its presumed author.

    Without whom an administrator has said it was not, of any of the reports.
    """
    if not (auteur_presume and sont_compares()) or not (trouves := nommes_dans(auteur_presume) - {auteur}):
        return set()
    return trouves - _autres(rapports)


def _autres(rapports: Collection[UUID | None]) -> set[UUID]:
    """Accounts of which an administrator has said that one of these reports does not mean them."""
    dits = Homonyme.objects.filter(signalement__in=rapports, decision=Decision.AUTRE).order_by() if rapports else ()
    return {un.compte_id for un in dits}


@qui_ecarter("homonymes")
def a_ecarter(
    auteur_presume: str,
    auteur: UUID | None,
    cle: UUID | None = None,
    joints: Collection[UUID] = (),
    deja: Collection[UUID] = (),
) -> set[UUID]:
    """The same, and those who are by their name so far, where they are few enough; else nobody.

    `cle` is the case that `joints` lead to: of whom it was said not to mean, the word on it counts.
    """
    rapports = [cle, *joints] if cle is not None else []
    restent = set(deja) - _autres([cle]) if deja else set()
    trouves = restent | nommes(auteur_presume, auteur, rapports)
    return trouves if len(trouves) <= ECARTES_MAX else set()


@noms_dits("homonymes")
def dits_de(cle: UUID) -> NomsDits:
    dits = list(Homonyme.objects.filter(signalement=cle).order_by().values_list("compte", "decision"))
    return NomsDits(
        frozenset(compte for compte, decision in dits if decision == Decision.EN_ATTENTE),
        frozenset(compte for compte, decision in dits if decision == Decision.ECARTE),
    )


def connus_de(acteur: Acteur) -> Any:
    """Names in the cases that this administrator may know of, and that do not name them; `ecarte` while shut out.

    The first to be decided first.
    """
    cas = deplacables(Signalement.objects.vivants(), acteur)
    regle = RegleDeLecture.objects.order_by().filter(
        signalement=OuterRef("signalement"), compte=OuterRef("compte"), admis=False
    )
    lignes = Homonyme.objects.sans_ceux_qui_nomment(acteur.pk).filter(signalement__in=cas.order_by().values("pk"))
    lus = lignes.select_related("signalement", "compte").only(*_COLONNES, *SIEN)
    return lus.annotate(ecarte=Exists(regle)).order_by("jusqu_au", "id")


_COLONNES = tuple(champ.name for champ in Homonyme._meta.concrete_fields)


def dossiers_proches(compte: Compte, apres: UUID) -> list[tuple[UUID, str]]:
    """Keys and presumed authors of the next live cases, by key after `apres`, whose text holds the words of both names.

    LOT at most, to be read: the words may stand elsewhere than where the presumed author does.
    """
    mots = [mot for nom in (compte.prenom, compte.nom) for mot in en_mots(nom).split()]
    if not mots:
        return []
    contient = reduce(and_, (Q(recherche_auteur__contains=mot) for mot in mots))
    lignes = Signalement.objects.vivants().filter(contient, pk__gt=apres).exclude(auteur_presume="")
    lignes = lignes.exclude(compte=compte.pk).order_by("pk")
    return list(lignes.values_list("pk", "auteur_presume")[:LOT])


def nomme(auteur_presume: str, compte: Compte) -> bool:
    """True where a case that gives this presumed author names this account."""
    return est_nomme(auteur_presume, compte.prenom, compte.nom)
