"""Bases of the wire shapes: names in camelCase, rows as the contract writes them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar
from uuid import UUID

from django.db import models
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from socle.domaine.acteurs import Acteur, SourceActeur
from socle.domaine.fusions import Action, Motif, Niveau
from socle.domaine.identite import Visage
from socle.domaine.temps import horodatage
from socle.moteur.sorties import rendre

_SOULIGNE = re.compile(r"_([a-z0-9])")


def chameau(nom: str) -> str:
    """date_incident -> dateIncident."""
    return _SOULIGNE.sub(lambda m: m.group(1).upper(), nom)


@dataclass(frozen=True)
class Regard:
    """The context of every serializer: for whom, and what the row itself does not tell."""

    vu_par: Acteur | None = None  # None for events, which are kept and sent to many
    forme_equipe: bool = False  # of an event that the team alone hears
    dossier: Any = None  # the report of a line of history
    ids: frozenset[UUID] = frozenset()  # by which a body may name the object of the path

    @property
    def acteur(self) -> Acteur:
        """`vu_par`, on routes that ask who calls."""
        if self.vu_par is None:
            raise LookupError("Personne ne regarde.")
        return self.vu_par

    @property
    def contexte(self) -> dict[str, Any]:
        """As DRF takes it."""
        return {"regard": self}


class EnChameau:
    @cached_property
    def regard(self) -> Regard:
        """The least entitled where nothing was given."""
        donne: Regard = self.context.get("regard") or Regard()  # type: ignore[attr-defined]
        return donne

    def get_fields(self) -> dict[str, Any]:
        champs = super().get_fields()  # type: ignore[misc]
        renommes = {}
        for nom, champ in champs.items():
            if isinstance(champ, serializers.SerializerMethodField):
                champ.method_name = champ.method_name or f"get_{nom}"
            elif chameau(nom) != nom and champ.source is None:
                champ.source = nom
            renommes[chameau(nom)] = champ
        return renommes


class ChampDate(serializers.DateTimeField):
    montrer = staticmethod(horodatage)

    def to_representation(self, value: Any) -> Any:
        return horodatage(value) if value else None


class ChampTexte(serializers.CharField):
    """An empty optional text is null on the wire."""

    @staticmethod
    def montrer(valeur: Any) -> str | None:
        return str(valeur) or None

    def to_representation(self, value: Any) -> Any:
        return None if value is None else self.montrer(value)


class Sortie(EnChameau, serializers.ModelSerializer[Any]):
    """A row as one viewer sees it; the viewer is `self.vu_par`, None for events.

    A row with staff-only fields has `Meta.a_tous` and `Meta.de_l_equipe` instead of `fields`, so that a new field must
    be put in one of them. Those of `de_l_equipe` are null unless `est_pour_l_equipe` is True.
    """

    serializer_field_mapping = {
        **serializers.ModelSerializer.serializer_field_mapping,
        models.DateTimeField: ChampDate,
    }

    # Wire names of the staff-only fields.
    caches: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        meta = cls.__dict__.get("Meta")
        if meta is not None and hasattr(meta, "de_l_equipe"):
            if hasattr(meta, "fields"):
                raise TypeError(f"{cls.__name__} : `a_tous` et `de_l_equipe` tiennent lieu de `fields`.")
            meta.fields = (*meta.a_tous, *meta.de_l_equipe)
            cls.caches = tuple(map(chameau, meta.de_l_equipe))

    def to_representation(self, instance: Any) -> Any:
        rendu = self.tout(instance)
        if self.caches and not self.est_pour_l_equipe(instance):
            rendu |= dict.fromkeys(self.caches)
        return rendu

    def tout(self, ligne: Any) -> dict[str, Any]:
        """Render every field, staff-only ones included; called by `to_representation` alone, which hides them."""
        return rendre(self, ligne)

    def est_pour_l_equipe(self, ligne: Any) -> bool:
        return False

    @property
    def vu_par(self) -> Acteur | None:
        return self.regard.vu_par

    def build_standard_field(self, field_name: str, model_field: Any) -> Any:
        classe, options = super().build_standard_field(field_name, model_field)
        if isinstance(model_field, models.CharField | models.TextField) and model_field.blank:
            return ChampTexte, {"allow_null": True}
        return classe, options

    @classmethod
    def formes(cls) -> Iterator[type["Sortie"]]:
        """Yield all that derive from this one, near or far."""
        for forme in cls.__subclasses__():
            yield forme
            yield from forme.formes()

    def get_fields(self) -> dict[str, Any]:
        champs = super().get_fields()
        for champ in champs.values():
            champ.read_only = True
            champ.required = False
        return champs


class SortieAvecActeur(Sortie):
    """An owned row, its owner shown as `socle/domaine/identite.py` says."""

    _visage: Visage | None = None  # of the row that is being rendered

    source_acteur = serializers.SerializerMethodField(
        help_text=_(
            "AUTH_USER : un compte ; GUEST : une session invitée. D'un dossier anonyme, autrui lit celle "
            "de sa création."
        )
    )
    acteur_id = serializers.SerializerMethodField(
        help_text=_(
            "Qui l'a créé ; pour autrui, un pseudonyme en forme d'UUID si c'est une session invitée, ou "
            "si le dossier est anonyme."
        )
    )
    est_fusionne = serializers.SerializerMethodField(
        help_text=_(
            "true : une session invitée l'a créé, rattachée depuis à un compte ; d'un dossier anonyme, "
            "autrui lit false."
        )
    )

    def tout(self, ligne: Any) -> dict[str, Any]:
        self._visage = None  # the row may have changed since
        return super().tout(ligne)

    def visage_de(self, ligne: Any) -> Visage:
        """Form in which the row's owner is shown, decided once a rendering of the row."""
        if self._visage is None or self._visage.ligne is not ligne:
            self._visage = Visage(ligne, self.vu_par, self.dossier_de(ligne))
        return self._visage

    def dossier_de(self, ligne: Any) -> Any:
        """The report that the row belongs to (itself, for a report), or None."""
        raise NotImplementedError

    @extend_schema_field(serializers.ChoiceField(choices=SourceActeur.choices))
    def get_source_acteur(self, ligne: Any) -> str:
        return self.visage_de(ligne).source.value

    def get_acteur_id(self, ligne: Any) -> str:
        return self.visage_de(ligne).id

    def get_est_fusionne(self, ligne: Any) -> bool:
        return self.visage_de(ligne).est_fusionne


class SortieSimple(EnChameau, serializers.Serializer[Any]):
    """A computed answer that is no row."""

    def to_representation(self, instance: Any) -> Any:
        return rendre(self, instance)


class ConflitFusion(SortieSimple):
    """A pair that a merge may join; its field names are already those of the contract."""

    level = serializers.ChoiceField(choices=Niveau.choices, help_text=_("Ce que sont les deux éléments."))
    guestEntityId = serializers.UUIDField(help_text=_("L'`id` de l'élément de la session invitée."))
    targetEntityId = serializers.UUIDField(help_text=_("L'`id` de l'élément du compte, qui est peut-être le même."))
    reason = serializers.ChoiceField(
        choices=Motif.choices, help_text=_("Pourquoi ce sont peut-être les mêmes : la plus forte de leurs raisons.")
    )
    allowedActions = serializers.ListField(
        child=serializers.ChoiceField(choices=Action.choices), help_text=_("Ce qu'une résolution peut en faire.")
    )
