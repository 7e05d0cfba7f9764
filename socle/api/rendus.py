"""How the objects of a serializer class become dictionaries: a function written and compiled once, from its fields.

DRF builds the fields of a serializer again for each instance, and asks each field again how it reads and renders. Here
that is asked once for a serializer class and a class of objects: the fields stay the declaration, which OpenAPI reads
too. Where something that a function reads is absent, the row is rendered field by field, as DRF says.
"""

from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from inspect import getattr_static
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import Model
from django.db.models.fields.related_descriptors import ForwardManyToOneDescriptor
from django.db.models.query_utils import DeferredAttribute
from orjson import dumps
from rest_framework import serializers
from rest_framework.fields import SkipField

from socle.domaine.temps import SANS_DECALAGE, horodatage

Montrer = Callable[[Any], Any]
Rendre = Callable[[Any, Any], Any]  # (serializer, object) -> the value of one field, or the whole dictionary


class Direct(NamedTuple):
    """The values `v` that are shown without a call: those of exactly this class, as a Python expression makes them."""

    classe: type
    valeur: str = "v"


class Champ(NamedTuple):
    """One field: the value that `rendre` makes, which is `montrer` of what `source` leads to where there is one."""

    nom: str
    rendre: Rendre
    source: tuple[str, ...] = ()
    montrer: Montrer = str
    direct: Direct | None = None
    nul_sans_suite: bool = False  # None halfway to the value makes None of it
    facultatif: bool = False  # left out where the object does not have it


def rendre(serialiseur: Any, objet: Any) -> dict[str, Any]:
    """What `Serializer.to_representation` gives, field after field in their order."""
    rendu: dict[str, Any] = fonction_de(serialiseur.__class__, objet.__class__)(serialiseur, objet)
    return rendu


def serialiseur(classe: Any, contexte: Mapping[str, Any]) -> Any:
    """A serializer of this class, copied from one made once: its options are those of the class."""
    copie = object.__new__(classe)
    vars(copie).update(vars(_premier(classe)), _context=contexte)
    return copie


@cache
def _premier(classe: Any) -> Any:
    return classe()


def rendre_un(classe: Any, objet: Any, contexte: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """What the `data` of a serializer gives."""
    rendu: dict[str, Any] = serialiseur(classe, contexte or {}).to_representation(objet)
    return rendu


def rendre_chacun(classe: Any, objets: Any, contexte: Mapping[str, Any]) -> list[Any]:
    """What a serializer with `many=True` gives, by one without."""
    montrer = serialiseur(classe, contexte).to_representation
    return [montrer(objet) for objet in objets]


@cache
def fonction_de(classe: Any, des_objets: type) -> Rendre:
    """The rendering of these objects by this serializer class, compiled from one expression a field."""
    champs = champs_de(classe)
    noms: dict[str, Any] = {
        "ABSENT": (AttributeError, KeyError, SkipField),
        # Copied and filled: a dictionary that grows as it is filled takes half as long again.
        "MODELE": dict.fromkeys(champ.nom for champ in champs),
        "dumps": dumps,
        "horodatage": horodatage,
        "SANS_DECALAGE": SANS_DECALAGE,
        "un_a_un": _un_a_un(champs),
    }
    lignes = [_ligne(champ, _expression(champ, des_objets, noms), des_objets) for champ in champs]
    texte = "\n  ".join(
        [
            "def rendre(serialiseur, objet):\n try:",
            f"colonnes = {'objet.__dict__' if issubclass(des_objets, Model) else 'objet'}",
            "rendu = MODELE.copy()",
            *lignes,
            "return rendu\n except ABSENT:",
            "return un_a_un(serialiseur, objet)",
        ]
    )
    exec(compile(texte, f"<rendu de {classe.__qualname__}>", "exec"), noms)  # noqa: S102 -- of names in our own code
    fonction: Rendre = noms["rendre"]
    return fonction


def _ligne(champ: Champ, expression: str, des_objets: type) -> str:
    """The statement that sets a field of the answer, or takes out an optional one that a dictionary does not have."""
    poser = f"rendu[{champ.nom!r}] = {expression}"
    if des_objets is dict and champ.facultatif and len(champ.source) == 1:
        return f"if {champ.source[0]!r} in colonnes: {poser}\n  else: del rendu[{champ.nom!r}]"
    return poser


def _expression(champ: Champ, des_objets: type, noms: dict[str, Any]) -> str:
    """The Python expression of a field's value; what it calls goes into `noms`, under names of its own."""
    rang = len(noms)
    lire = _lire(champ, des_objets)
    if lire is None:
        noms[f"rendre_{rang}"] = champ.rendre
        return f"rendre_{rang}(serialiseur, objet)"
    noms[f"montrer_{rang}"] = champ.montrer
    if champ.direct is None:
        return f"None if (v := {lire}) is None else montrer_{rang}(v)"
    noms[f"classe_{rang}"], valeur = champ.direct
    return f"{valeur} if (v := {lire}).__class__ is classe_{rang} else None if v is None else montrer_{rang}(v)"


def _lire(champ: Champ, des_objets: type) -> str | None:
    """The expression that reads a field's source; None where DRF alone knows how.

    A column is in the `__dict__` of its row, a row that was joined to it in its cache: their descriptors only add the
    query that fetches what is absent.
    """
    if not champ.source:
        return None
    premier, *suite = champ.source
    if des_objets is dict:
        return None if suite else f"colonnes[{premier!r}]"
    descripteur = getattr_static(des_objets, premier, None)
    if not all(map(str.isidentifier, champ.source)) or callable(descripteur):
        return None
    if isinstance(descripteur, DeferredAttribute) and type(descripteur).__get__ is DeferredAttribute.__get__:
        lire = f"colonnes[{premier!r}]"
    elif type(descripteur) is ForwardManyToOneDescriptor:
        lire = f"objet._state.fields_cache[{premier!r}]"
    else:
        lire = f"objet.{premier}"
    if not suite:
        return lire
    au_bout = f"{{}}.{'.'.join(suite)}"
    if not champ.nul_sans_suite or len(suite) > 1:
        return au_bout.format(lire)
    return f"(None if (un := {lire}) is None else {au_bout.format('un')})"


def _un_a_un(champs: tuple[Champ, ...]) -> Rendre:
    def rendre_un_a_un(serialiseur: Any, objet: Any) -> dict[str, Any]:
        rendu = {}
        for champ in champs:
            try:
                rendu[champ.nom] = champ.rendre(serialiseur, objet)
            except SkipField:  # an absent value of an optional field
                continue
        return rendu

    return rendre_un_a_un


@cache
def champs_de(classe: Any) -> tuple[Champ, ...]:
    champs = classe().fields
    return tuple(_champ(classe, nom, champ) for nom, champ in champs.items() if not champ.write_only)


def _champ(classe: type, nom: str, champ: Any) -> Champ:
    if isinstance(champ, serializers.SerializerMethodField):
        return Champ(nom, getattr(classe, champ.method_name))
    lire = _lecteur(champ)
    if isinstance(champ, serializers.BaseSerializer):
        return Champ(nom, _imbrique(nom, champ, lire))
    montrer, direct = _montrer(champ)

    def rendre_la_valeur(_serialiseur: Any, objet: Any) -> Any:
        valeur = lire(objet)
        return None if valeur is None else montrer(valeur)

    if champ.source == "*" or type(champ).get_attribute is not serializers.Field.get_attribute:
        return Champ(nom, rendre_la_valeur)
    nul_sans_suite = champ.default is None or (champ.default is serializers.empty and champ.allow_null)
    facultatif = not champ.required and champ.default is serializers.empty and not champ.allow_null
    return Champ(nom, rendre_la_valeur, tuple(champ.source_attrs), montrer, direct, nul_sans_suite, facultatif)


def _montrer(champ: Any) -> tuple[Montrer, Direct | None]:
    """How a value that is there is shown, and the values that need no call.

    A field class of ours may say it itself, as `montrer` or `direct`.
    """
    classe = type(champ)
    if (a_elle := getattr(classe, "montrer", None)) is not None:
        return a_elle, getattr(classe, "direct", None)
    if classe is serializers.ChoiceField:
        mots = champ.choice_strings_to_values.values()
        # Members of enumerations, whose `str` is slow, come again and again; each is told from the word it equals.
        montrer = lru_cache(128, typed=True)(champ.to_representation)
        return montrer, Direct(str) if all(mot.__class__ is str for mot in mots) else None
    if classe is serializers.ListField:
        return _liste(*_montrer(champ.child)), None
    if classe is serializers.UUIDField and champ.uuid_format == "hex_verbose":
        return str, Direct(UUID, "dumps(v)[1:-1].decode()")  # as `uuid_en_texte`
    return champ.to_representation, getattr(classe, "direct", None) or _DIRECTS.get(classe)


def _liste(montrer: Montrer, direct: Direct | None) -> Montrer:
    tel_quel = direct.classe if direct == Direct(str) else None

    def montrer_chacun(valeurs: Any) -> list[Any]:
        return [un if un is None or un.__class__ is tel_quel else montrer(un) for un in valeurs] if valeurs else []

    return montrer_chacun


def _imbrique(nom: str, champ: Any, lire: Montrer) -> Rendre:
    """A serializer inside another sees by the same eyes: it is made once for each answer, without its fields."""
    plusieurs = isinstance(champ, serializers.ListSerializer)
    classe = type(champ.child if plusieurs else champ)

    def rendre_l_imbrique(parent: Any, objet: Any) -> Any:
        valeur = lire(objet)
        if valeur is None:
            return None
        imbriques = parent.__dict__.setdefault("_imbriques", {})
        if nom not in imbriques:
            imbriques[nom] = serialiseur(classe, parent.context)
        montrer = imbriques[nom].to_representation
        return [montrer(un) for un in valeur] if plusieurs else montrer(valeur)

    return rendre_l_imbrique


def _lecteur(champ: Any) -> Montrer:
    """The reader of a field's source, in an object or a dictionary; as DRF's where that finds nothing."""
    if champ.source == "*":
        return lambda objet: objet
    nom = champ.source if len(champ.source_attrs) == 1 else None

    def lire(objet: Any) -> Any:
        if nom is not None and objet.__class__ is dict and nom in objet:
            return objet[nom]
        return champ.get_attribute(objet)

    return lire


# Fields that show a value of one class as it is, whatever their options.
_DIRECTS: dict[type, Direct] = {
    serializers.CharField: Direct(str),
    serializers.EmailField: Direct(str),
    serializers.URLField: Direct(str),
    serializers.IntegerField: Direct(int),
    serializers.BooleanField: Direct(bool),
}
