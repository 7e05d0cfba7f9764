"""Conflicts that a merge would meet, as somebody is asked about them: the guest's thing, the account's, the choices."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from itertools import groupby
from typing import Any

from django.db.models import F, OuterRef, Subquery, TextField, Value
from django.db.models.functions import Coalesce

from discussions.models import Discussion, Message
from portail.vocabulaire import ACTIONS, GARDER_LES_DEUX_CONVERSATIONS
from signalements.models import Signalement
from socle.domaine.acteurs import Acteur
from socle.domaine.fusions import Action, Niveau

PREFIXE = "choix-"  # of the fields, then the rank of the conflict
MODELES: dict[Niveau, Any] = {Niveau.SIGNALEMENT: Signalement, Niveau.DISCUSSION: Discussion}
_ECRITS = Message.objects.filter(discussion=OuterRef("pk")).exclude(contenu="").order_by("-numero_sequence")
TEXTES: dict[Niveau, Any] = {
    Niveau.SIGNALEMENT: F("description"),
    Niveau.DISCUSSION: Coalesce(Subquery(_ECRITS.values("contenu")[:1]), Value(""), output_field=TextField()),
}


@dataclass(frozen=True)
class Carte:
    titre: str = ""
    date: datetime | None = None
    texte: str = ""  # what was written, of a report; the last that was, of a conversation


@dataclass(frozen=True)
class Choix:
    valeur: str
    texte: Any
    carte: Carte | None  # which of several it is about
    coche: bool


@dataclass(frozen=True)
class Conflit:
    """One thing of the guest: one choice settles all that it meets."""

    champ: str
    cle: str
    est_une_discussion: bool
    d_ici: Carte
    du_compte: list[Carte]
    choix: list[Choix] = field(default_factory=list)


def presenter(conflits: list[dict[str, Any]], acteurs: Iterable[Acteur], deja: Iterable[str] = ()) -> list[Conflit]:
    """One for each thing of the guest, in the order of the plan; what these two may read, and was chosen, shown."""
    cartes, gardes = _cartes(conflits, list(acteurs)), set(deja)
    groupes = groupby(conflits, key=lambda un: (un["level"], un["guestEntityId"]))
    return [_presenter(rang, list(paires), cartes, gardes) for rang, (_cle, paires) in enumerate(groupes)]


def lire_les_choix(poste: Mapping[str, Any]) -> list[dict[str, str]]:
    """The resolutions of a posted form, as FusionCreate takes them; it judges whatever was put there instead."""
    noms = ("level", "guestEntityId", "targetEntityId", "action")
    postes = [str(valeur) for nom, valeur in poste.items() if nom.startswith(PREFIXE)]
    return [dict(zip(noms, valeur.split(":"), strict=False)) for valeur in postes]


def _presenter(rang: int, paires: list[dict[str, Any]], cartes: Mapping[str, Carte], gardes: set[str]) -> Conflit:
    est_une_discussion = paires[0]["level"] == Niveau.DISCUSSION
    valeurs = _valeurs(paires)
    coche = next((valeur for valeur in valeurs if valeur in gardes), None) or _par_defaut(valeurs)
    choix = []
    for valeur, paire in valeurs.items():
        action = Action(valeur.rpartition(":")[2])
        texte = GARDER_LES_DEUX_CONVERSATIONS if (action is Action.SKIP and est_une_discussion) else ACTIONS[action]
        carte = cartes.get(paire["targetEntityId"]) if len(paires) > 1 and action is not Action.SKIP else None
        choix.append(Choix(valeur, texte, carte, valeur == coche))
    cle = paires[0]["guestEntityId"]
    du_compte = [cartes.get(paire["targetEntityId"], Carte()) for paire in paires]
    return Conflit(f"{PREFIXE}{rang}", cle, est_une_discussion, cartes.get(cle, Carte()), du_compte, choix)


def _valeurs(paires: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Value of a choice -> its pair: each action of each pair, and to keep both once, last."""
    toutes = {
        ":".join((paire["level"], paire["guestEntityId"], paire["targetEntityId"], action)): paire
        for paire in paires
        for action in paire["allowedActions"]
    }
    joignent = {valeur: paire for valeur, paire in toutes.items() if not valeur.endswith(Action.SKIP)}
    separent = [(valeur, paire) for valeur, paire in toutes.items() if valeur.endswith(Action.SKIP)]
    return {**joignent, **dict(separent[:1])}


def _par_defaut(valeurs: Iterable[str]) -> str:
    """To keep both, else to lose nothing, else the first."""
    rangs = {Action.SKIP: 0, Action.MERGE_FIELDS: 1}
    return min(valeurs, key=lambda valeur: rangs.get(Action(valeur.rpartition(":")[2]), 2))


def _cartes(conflits: list[dict[str, Any]], acteurs: list[Acteur]) -> dict[str, Carte]:
    """By id, what these actors may read of the things that are named."""
    cartes = {}
    for niveau, modele in MODELES.items():
        cles = {un[nom] for un in conflits if un["level"] == niveau for nom in ("guestEntityId", "targetEntityId")}
        for acteur in acteurs if cles else ():
            lisibles = modele.objects.visibles_par(acteur).filter(pk__in=cles).order_by()
            for cle, *lus in lisibles.values_list("pk", "titre", "date_creation", TEXTES[niveau]):
                cartes[str(cle)] = Carte(*lus)
    return cartes
