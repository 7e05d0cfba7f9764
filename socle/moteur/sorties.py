"""Renderer of objects as dictionaries, by their serializer class: what its fields read and show, asked once a class.

DRF builds the fields of a serializer again for each instance, and asks each field again how it reads and renders. Here
that is asked once for a serializer class and a class of objects: the fields stay the declaration, which OpenAPI reads
too. Where something that is read is absent, DRF says what that field is.
"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache, lru_cache
from inspect import getattr_static
from operator import attrgetter, itemgetter
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import ForeignKey, Model
from orjson import dumps
from rest_framework import serializers
from rest_framework.fields import SkipField

from socle.moteur.choix import ORDINAIRE

Lire = Callable[[Any], Any]
Montrer = Callable[[Any], Any]
Rendre = Callable[[Any, Any], Any]  # (serializer, object) -> the value of one field, or the whole dictionary


class Champ(NamedTuple):
    """One field: the value that `rendre` makes, which is `montrer` of what `source` leads to where there is one."""

    nom: str
    rendre: Rendre
    source: tuple[str, ...] = ()
    montrer: Montrer = str
    tel_quel: type | None = None  # values of exactly this class are shown as they are
    nul_sans_suite: bool = False  # None halfway to the value makes None of it


def rendre(serialiseur: Any, objet: Any) -> dict[str, Any]:
    """Render as `Serializer.to_representation` does, field after field in their order."""
    if ORDINAIRE:
        return dict(serializers.Serializer.to_representation(serialiseur, objet))
    rendu: dict[str, Any] = fonction_de(serialiseur.__class__, objet.__class__)(serialiseur, objet)
    return rendu


def serialiseur(classe: Any, contexte: Mapping[str, Any]) -> Any:
    """A serializer of this class, copied from one made once: its options are those of the class."""
    if ORDINAIRE:
        return classe(context=contexte)
    copie = object.__new__(classe)
    vars(copie).update(vars(_premier(classe)), _context=contexte)
    return copie


@cache
def _premier(classe: Any) -> Any:
    return classe()


def rendre_un(classe: Any, objet: Any, contexte: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Render as the `data` of a serializer."""
    rendu: dict[str, Any] = serialiseur(classe, contexte or {}).to_representation(objet)
    return rendu


def rendre_chacun(classe: Any, objets: Any, contexte: Mapping[str, Any]) -> list[Any]:
    """Render as a serializer with `many=True`, by one without."""
    montrer = serialiseur(classe, contexte).to_representation
    return [montrer(objet) for objet in objets]


@cache
def fonction_de(classe: Any, des_objets: type) -> Rendre:
    """The rendering of these objects by this serializer class, from the ways of its fields, which are found once."""
    champs = champs_de(classe)
    voies = [(champ.nom, _lire(champ, des_objets), champ.tel_quel, champ.montrer, champ.rendre) for champ in champs]

    def rendre_tout(serialiseur: Any, objet: Any) -> dict[str, Any]:
        rendu: dict[str, Any] = {}
        for nom, lire, tel_quel, montrer, rendre_comme_drf in voies:
            try:
                if lire is None:
                    rendu[nom] = rendre_comme_drf(serialiseur, objet)
                else:
                    valeur = lire(objet)
                    rendu[nom] = valeur if valeur is None or valeur.__class__ is tel_quel else montrer(valeur)
            except (AttributeError, KeyError):  # DRF knows what an absent value means
                with suppress(SkipField):
                    rendu[nom] = rendre_comme_drf(serialiseur, objet)
            except SkipField:  # of an optional field
                continue
        return rendu

    return rendre_tout


def _lire(champ: Champ, des_objets: type) -> Lire | None:
    """The reader of a field's source; None where DRF alone knows how.

    A row that was joined is in the cache of the one read: its descriptor only adds the query for what is absent.
    """
    if not champ.source:
        return None
    premier, *suite = champ.source
    if des_objets is dict:
        return None if suite else itemgetter(premier)
    if callable(getattr_static(des_objets, premier, None)):
        return None
    if suite and (cle := _cle_etrangere(des_objets, premier)):
        return _joint(cle, attrgetter(".".join(suite)), nul=champ.nul_sans_suite and len(suite) == 1)
    if not suite or not champ.nul_sans_suite:
        return attrgetter(".".join(champ.source))
    return None


def _cle_etrangere(des_objets: type, nom: str) -> ForeignKey[Any, Any] | None:
    champs = des_objets._meta.concrete_fields if issubclass(des_objets, Model) else ()
    return next((champ for champ in champs if type(champ) is ForeignKey and champ.name == nom), None)


def _joint(cle: ForeignKey[Any, Any], lire: Lire, *, nul: bool) -> Lire:
    lire_la_rangee = cle.get_cached_value  # KeyError where it was not joined

    def lire_le_joint(objet: Any) -> Any:
        joint = lire_la_rangee(objet)
        return None if nul and joint is None else lire(joint)

    return lire_le_joint


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
    montrer, tel_quel = _montrer(champ)

    def rendre_la_valeur(_serialiseur: Any, objet: Any) -> Any:
        valeur = lire(objet)
        return None if valeur is None else montrer(valeur)

    if champ.source == "*" or type(champ).get_attribute is not serializers.Field.get_attribute:
        return Champ(nom, rendre_la_valeur)
    nul_sans_suite = champ.default is None or (champ.default is serializers.empty and champ.allow_null)
    return Champ(nom, rendre_la_valeur, tuple(champ.source.split(".")), montrer, tel_quel, nul_sans_suite)


def _montrer(champ: Any) -> tuple[Montrer, type | None]:
    """Function that shows a value that is there, and the class of those that need no call.

    A field class of ours may say it itself, as `montrer` or `tel_quel`.
    """
    classe = type(champ)
    if (a_elle := getattr(classe, "montrer", None)) is not None:
        return a_elle, None
    if classe is serializers.ChoiceField:
        # Members of enumerations, whose `str` is slow, come again and again; each is told from the word it equals.
        montrer = lru_cache(128, typed=True)(champ.to_representation)
        return montrer, str if all(mot.__class__ is str for mot in champ.choices) else None
    if classe is serializers.ListField:
        return _liste(*_montrer(champ.child)), None
    if classe is serializers.UUIDField and champ.uuid_format == "hex_verbose":
        return _id, None
    return champ.to_representation, getattr(classe, "tel_quel", None) or _TELS_QUELS.get(classe)


def _id(valeur: Any) -> str:
    """As `str` writes a UUID, in a third of the time."""
    return dumps(valeur)[1:-1].decode() if valeur.__class__ is UUID else str(valeur)


def _liste(montrer: Montrer, tel_quel: type | None) -> Montrer:
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
    nom = None if "." in champ.source else champ.source

    def lire(objet: Any) -> Any:
        if nom is not None and objet.__class__ is dict and nom in objet:
            return objet[nom]
        return champ.get_attribute(objet)

    return lire


# Fields that show a value of one class as it is, whatever their options.
_TELS_QUELS: dict[type, type] = {
    serializers.CharField: str,
    serializers.EmailField: str,
    serializers.URLField: str,
    serializers.IntegerField: int,
    serializers.BooleanField: bool,
}
