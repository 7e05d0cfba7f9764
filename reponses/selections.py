"""Texts as pages show them: in the reader's language, filled for one case."""

from collections.abc import Iterable
from typing import NamedTuple
from uuid import UUID

from django.db.models import Q

from reponses.accuses import rempli
from reponses.models import AccuseAutomatique, ModeleDeReponse, Orientation
from reponses.vocabulaire import MODELES_MAX, ORIENTATIONS_MAX
from signalements.models import Signalement


class Propose(NamedTuple):
    """One text that may be inserted."""

    pk: UUID
    titre: str
    langue: str


class Lue(NamedTuple):
    """An orientation in the language that it is read in."""

    type: str
    texte: str
    langue: str


def modeles_proposes(dossier: Signalement, langue: str) -> list[Propose]:
    """Each template that fits a case, first in this language, without reading its texts."""
    ecrits = {"fr": ~Q(texte_fr=""), "en": ~Q(texte_en="")}
    langues = sorted(ecrits, key=lambda une: une != langue)
    modeles = ModeleDeReponse.objects.pour_lecture().convenant_a(dossier).annotate(**ecrits)
    lignes = modeles.values("pk", "titre", *langues)[:MODELES_MAX]
    return [Propose(un["pk"], un["titre"], une) for un in lignes for une in langues if un[une]]


def texte_propose(dossier: Signalement, pk: UUID, langue: str) -> str:
    """The text in this language of one active template, filled for a case; "" where there is none, or none now."""
    modele = ModeleDeReponse.objects.pour_lecture().filter(pk=pk).first()
    dits = modele.dits(langue) if modele is not None else []
    return next((rempli(un, dossier).texte for un in dits if un.langue == langue), "")


def orientations(langue: str) -> list[Lue]:
    """The orientation of each type, in this language where it is written in it."""
    return [Lue(une.type, *une.dit(langue)) for une in Orientation.objects.pour_lecture()[:ORIENTATIONS_MAX]]


def orientation_de(dossier: Signalement | None, langue: str, accuses: Iterable[AccuseAutomatique] = ()) -> Lue | None:
    """The same of the type of this case; None where nothing is written, or these say it, or without a case."""
    une = Orientation.objects.filter(type=dossier.type).first() if dossier is not None else None
    if une is None:
        return None
    dit = une.dit(langue)
    return None if any(dit.texte in deja.dit(dit.langue).texte for deja in accuses) else Lue(une.type, *dit)


def accuses_de(dossier: Signalement | None) -> list[AccuseAutomatique]:
    """List the acknowledgements of a case, the first one first; none without a case."""
    return list(AccuseAutomatique.objects.du_dossier(dossier)) if dossier is not None else []
