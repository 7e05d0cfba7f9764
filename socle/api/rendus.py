"""How the objects of a serializer class become dictionaries, worked out once a class.

DRF builds the fields of a serializer again for each instance, and asks each field again how it reads and renders. Here
that is asked once: the fields stay the declaration, which OpenAPI reads too.
"""

from collections.abc import Callable
from functools import cache
from operator import attrgetter
from typing import Any, NamedTuple
from uuid import UUID

from rest_framework import serializers
from rest_framework.fields import SkipField

Rendre = Callable[[Any, Any], Any]  # (serializer, object) -> the value of one field


class Champ(NamedTuple):
    """One field: what an attribute of the object is shown as, or the value that `rendre` makes."""

    nom: str
    attribut: Callable[[Any], Any] | None
    montrer: Callable[[Any], Any]
    rendre: Rendre


def rendre(serialiseur: Any, objet: Any) -> dict[str, Any]:
    """What `Serializer.to_representation` gives, field after field in their order."""
    plan = plan_de(serialiseur.__class__)
    if objet.__class__ is dict:
        return _un_a_un(plan, serialiseur, objet)
    try:
        rendu = {}
        for nom, attribut, montrer, rendre_un in plan:
            if attribut is None:
                rendu[nom] = rendre_un(serialiseur, objet)
            else:
                valeur = attribut(objet)
                rendu[nom] = None if valeur is None else montrer(valeur)
        return rendu
    except (AttributeError, SkipField):  # something is absent: DRF says what becomes of it
        return _un_a_un(plan, serialiseur, objet)


def _un_a_un(plan: tuple[Champ, ...], serialiseur: Any, objet: Any) -> dict[str, Any]:
    rendu = {}
    for champ in plan:
        try:
            rendu[champ.nom] = champ.rendre(serialiseur, objet)
        except SkipField:  # an absent value of an optional field
            continue
    return rendu


@cache
def plan_de(classe: Any) -> tuple[Champ, ...]:
    champs = classe().fields
    return tuple(_champ(classe, nom, champ) for nom, champ in champs.items() if not champ.write_only)


def _champ(classe: type, nom: str, champ: Any) -> Champ:
    if isinstance(champ, serializers.SerializerMethodField):
        return Champ(nom, None, str, getattr(classe, champ.method_name))
    lire = _lire(champ)
    if isinstance(champ, serializers.BaseSerializer):
        return Champ(nom, None, str, _imbrique(champ, lire))
    montrer = _montrer(champ)

    def rendre_un(_serialiseur: Any, objet: Any) -> Any:
        valeur = lire(objet)
        return None if valeur is None else montrer(valeur)

    a_sa_facon = champ.source == "*" or type(champ).get_attribute is not serializers.Field.get_attribute
    return Champ(nom, None if a_sa_facon else attrgetter(champ.source), montrer, rendre_un)


def _montrer(champ: Any) -> Callable[[Any], Any]:
    """How a value that is there is shown; a field class of ours may say it itself, as `montrer`."""
    if (a_elle := getattr(type(champ), "montrer", None)) is not None:
        montrer: Callable[[Any], Any] = a_elle
        return montrer
    if type(champ) is serializers.ChoiceField:
        valeurs = dict(champ.choice_strings_to_values)
        return lambda valeur: valeur if valeur == "" else valeurs.get(str(valeur), valeur)
    return _SIMPLES.get(type(champ)) or champ.to_representation


def _imbrique(champ: Any, lire: Callable[[Any], Any]) -> Rendre:
    """A serializer inside another sees by the same eyes: it is made for each answer, without its fields."""
    plusieurs = isinstance(champ, serializers.ListSerializer)
    classe = type(champ.child if plusieurs else champ)

    def rendre_un(serialiseur: Any, objet: Any) -> Any:
        valeur = lire(objet)
        if valeur is None:
            return None
        enfant = classe(context=serialiseur.context)
        return [enfant.to_representation(un) for un in valeur] if plusieurs else enfant.to_representation(valeur)

    return rendre_un


def _lire(champ: Any) -> Callable[[Any], Any]:
    """The reader of a field's source, in an object or a dictionary; as DRF's where that finds nothing."""
    if champ.source == "*":
        return lambda objet: objet
    nom = champ.source if len(champ.source_attrs) == 1 else None

    def lire(objet: Any) -> Any:
        if nom is not None and objet.__class__ is dict and nom in objet:
            return objet[nom]
        return champ.get_attribute(objet)

    return lire


def _booleen(valeur: Any) -> Any:
    return valeur if valeur.__class__ is bool else _BOOLEEN.to_representation(valeur)


def _uuid(valeur: Any) -> Any:
    return str(valeur) if valeur.__class__ is UUID else _UUID.to_representation(valeur)


_BOOLEEN, _UUID = serializers.BooleanField(), serializers.UUIDField()
# Fields whose rendering is that of their type, whatever their options.
_SIMPLES: dict[type, Callable[[Any], Any]] = {
    serializers.CharField: str,
    serializers.EmailField: str,
    serializers.URLField: str,
    serializers.IntegerField: int,
    serializers.BooleanField: _booleen,
    serializers.UUIDField: _uuid,
}
