"""Names that are to be compared, and what an administrator may decide of them."""

from collections.abc import Collection
from functools import cache
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db.models import Exists, OuterRef, Q

from accounts.models import Compte
from homonymes.models import BaseAnterieure, Homonyme
from homonymes.noms import en_mots, est_nomme, nommes_dans
from homonymes.vocabulaire import ECARTES_MAX, LOT, Decision
from signalements.lecteurs import deplacables, qui_ecarter
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
    ecartes_deja = Homonyme.objects.filter(signalement__in=rapports, decision=Decision.AUTRE).order_by()
    return trouves - set(ecartes_deja.values_list("compte", flat=True)) if rapports else trouves


@qui_ecarter("homonymes")
def a_ecarter(auteur_presume: str, auteur: UUID | None, rapports: Collection[UUID] = ()) -> set[UUID]:
    """The same where they are few enough to be shut out at once; else nobody."""
    trouves = nommes(auteur_presume, auteur, rapports)
    return trouves if len(trouves) <= ECARTES_MAX else set()


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


def dossiers_qui_nomment(compte: Compte, apres: UUID | None = None) -> list[UUID]:
    """Keys of the next live cases, by key after `apres`, whose text holds both names of this account: LOT at most.

    To be read: the words may stand elsewhere than where the presumed author does.
    """
    prenom, nom = (en_mots(un).strip() for un in (compte.prenom, compte.nom))
    if not (prenom and nom):
        return []
    contient = Q(recherche_auteur__contains=prenom) & Q(recherche_auteur__contains=nom)
    lignes = Signalement.objects.vivants().filter(contient).exclude(auteur_presume="").exclude(compte=compte.pk)
    if apres is not None:
        lignes = lignes.filter(pk__gt=apres)
    return list(lignes.order_by("pk").values_list("pk", flat=True)[:LOT])


def nomme(signalement: Signalement, compte: Compte) -> bool:
    """True where this case names this account as its presumed author."""
    return est_nomme(signalement.auteur_presume, compte.prenom, compte.nom)
