"""Registry of channel rules: the app that owns a channel's subject registers who hears it."""

import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple, TypeVar
from uuid import UUID

from socle.domaine.acteurs import Acteur
from socle.domaine.droits import Droit
from socle.domaine.registre import Registre
from socle.realtime.vocabulaire import PERSONNEL, PUBLIC

__all__ = ["PERSONNEL", "PUBLIC", "audiences", "canal", "groupe", "mener", "nom_de", "toutes"]

# Lower case only: a channel has one spelling, the one events are published under.
_CLE = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_NOM = re.compile(r"[a-z][a-z0-9_-]*")

R = TypeVar("R", bound=Callable[..., list[str]])


class _Regle(NamedTuple):
    entendre: Callable[..., list[str]]
    a_une_cle: bool
    lignes: Callable[[set[UUID]], Mapping[UUID, Any]] | None
    personnes: Callable[[set[UUID]], Mapping[UUID, Any]] | None
    mener: Callable[[UUID], UUID] | None
    a_l_ouverture: Callable[[Acteur, Any], None] | None
    qui: Any


_regles: Registre[_Regle] = Registre("règles des canaux")


def canal(
    nom: str,
    *,
    cle: bool = True,
    lignes: Callable[[set[UUID]], Mapping[UUID, Any]] | None = None,
    personnes: Callable[[set[UUID]], Mapping[UUID, Any]] | None = None,
    mener: Callable[[UUID], UUID] | None = None,
    a_l_ouverture: Callable[[Acteur, Any], None] | None = None,
    qui: Any = "",
) -> Callable[[R], R]:
    """Register `regle(acteur, cle) -> audiences`, [] being a refusal; `cle` is a UUID, or None without key.

    With `lignes(cles) -> {key: row}`, a bulk lookup, the rule is `regle(acteur, ligne)` and makes no query. Without
    key that lookup is `personnes(keys of actors) -> {key: what is to be known of them}`: the rule gets it, or None.

    `mener(cle)`, for rows that a merge may join, gives the key of the row under which events are published; `lignes`
    then gives that row.

    `a_l_ouverture(acteur, ligne)` is told of each opening that is admitted; what it raises refuses it.

    `qui` says in a lazy sentence who may hear it, for the documents.
    """

    def inscrire(regle: R) -> R:
        if not _NOM.fullmatch(nom):
            raise ValueError(f"Le canal « {nom} » est mal nommé.")
        _regles.inscrire(nom, _Regle(regle, cle, lignes, personnes, mener, a_l_ouverture, qui))
        return regle

    return inscrire


def audiences(acteur: Acteur, canal: str) -> list[str]:
    """The audiences of this actor on a channel, [] being a refusal; an unknown or malformed one makes no query."""
    return toutes([(acteur, canal)])[0]


def toutes(demandes: list[tuple[Acteur, str]]) -> list[list[str]]:
    """`audiences` for each pair, in order, with one lookup for each kind of channel."""
    return [entendues for entendues, _ligne in _juger(demandes)]


class Ouverture(NamedTuple):
    """The audiences of one opening, [] being a refusal, the channel that it leads to, and what is told of it."""

    audiences: list[str]
    canal: str
    dire: Callable[[], None]


def ouvrir(demandes: list[tuple[Acteur, str]]) -> list[Ouverture]:
    """`toutes`, each with the channel that it leads to; the caller calls `dire` of those that it admits."""
    return [
        Ouverture(entendues, _mener_par(ligne, canal), partial(_dire, canal, acteur, ligne))
        if entendues
        else Ouverture([], canal, _rien)
        for (acteur, canal), (entendues, ligne) in zip(demandes, _juger(demandes), strict=True)
    ]


def _dire(canal: str, acteur: Acteur, ligne: Any) -> None:
    if (a_l_ouverture := _regles[nom_de(canal)].a_l_ouverture) is not None:
        a_l_ouverture(acteur, ligne)


def _rien() -> None: ...


def _mener_par(ligne: Any, canal: str) -> str:
    """`mener`, without a query where the rule has read the row."""
    nom = nom_de(canal)
    return f"{nom}:{ligne.pk}" if ligne is not None and _regles[nom].mener is not None else mener(canal)


def _juger(demandes: list[tuple[Acteur, str]]) -> list[tuple[list[str], Any]]:
    """For each pair its audiences, and the row that its rule was asked about, None without one."""
    lues = [(acteur, *_lire(canal)) for acteur, canal in demandes]
    cles: dict[str, set[UUID]] = {}
    for _acteur, nom, cle in lues:
        if cle is not None and _regles[nom].lignes is not None:
            cles.setdefault(nom, set()).add(cle)
    lignes = {nom: _regles[nom].lignes(siennes) for nom, siennes in cles.items()}  # type: ignore[misc]
    qui = {nom: _les_leurs(nom, lues) for nom in {nom for _a, nom, cle in lues if nom and cle is None}}
    return [_entendre(acteur, nom, cle, lignes.get(nom), qui.get(nom, {}).get(acteur.pk)) for acteur, nom, cle in lues]


def _les_leurs(nom: str, lues: list[tuple[Acteur, str, UUID | None]]) -> Mapping[UUID, Any]:
    """By actor, all that the rule asks about those who would hear this channel, in one lookup."""
    personnes = _regles[nom].personnes
    return {} if personnes is None else personnes({acteur.pk for acteur, demande, _cle in lues if demande == nom})


def _lire(canal: str) -> tuple[str, UUID | None]:
    """Parse a channel into `(rule name, key)`; ("", None) for an unknown or malformed one."""
    nom, deux_points, cle = canal.partition(":")
    if nom not in _regles or _regles[nom].a_une_cle != bool(deux_points) or (deux_points and not _CLE.fullmatch(cle)):
        return "", None
    return nom, UUID(cle) if deux_points else None


def _entendre(
    acteur: Acteur, nom: str, cle: UUID | None, lignes: Mapping[UUID, Any] | None, a_son_sujet: Any
) -> tuple[list[str], Any]:
    if not nom or not acteur.peut(Droit.EVENEMENTS_ECOUTER):
        return [], None
    if cle is None or lignes is None:
        return _regles[nom].entendre(acteur, cle or a_son_sujet), None
    ligne = lignes.get(cle)
    return (_regles[nom].entendre(acteur, ligne) if ligne is not None else []), ligne


def mener(canal: str) -> str:
    """Resolve a channel already admitted: that of the row a merge joined its own to, else itself."""
    nom, _deux_points, cle = canal.partition(":")
    menant = _regles[nom].mener
    return f"{nom}:{menant(UUID(cle))}" if menant is not None else canal


class CanalOuvert(NamedTuple):
    """A channel as the documents name it: its pattern, and who may hear it."""

    nom: str
    motif: str
    qui: Any


def ouverts() -> list[CanalOuvert]:
    """The channels that somebody may hear, by name."""
    return [
        CanalOuvert(nom, f"{nom}:{{id}}" if regle.a_une_cle else nom, regle.qui)
        for nom, regle in sorted(_regles.items())
    ]


def nom_de(canal: str) -> str:
    """The channel without its key: a label of bounded cardinality, since every open channel has a rule."""
    return canal.partition(":")[0]


def groupe(canal: str) -> str:
    """The name of the channel's group in the layer, which admits no colon."""
    return f"canal.{canal.replace(':', '.')}"


def oublier(nom: str) -> None:
    """Withdraw a rule, for the channels that a test registers."""
    _regles.retirer(nom)
