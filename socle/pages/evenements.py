"""The page of the events: each type, its fields, an example, and how a client that behaves listens."""

import json
import re
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext_lazy, override
from django.utils.translation import gettext as _
from django.views import View

from socle.api.asyncapi import IDENTIFIANTS, MANIERES, messages_de
from socle.api.document import document
from socle.api.evenements import REFERENCE, composant, declares, exemple_de
from socle.pages.entetes import proteger
from socle.realtime.canaux import ouverts
from socle.realtime.declarations import Declaration
from socle.realtime.fermetures import FERMETURES

_CODE = re.compile(r"`([^`]+)`")
MOTS = {
    "string": gettext_lazy("texte"),
    "integer": gettext_lazy("entier"),
    "number": gettext_lazy("nombre"),
    "boolean": gettext_lazy("vrai ou faux"),
    "object": gettext_lazy("objet"),
    "uuid": gettext_lazy("UUID"),
    "date-time": gettext_lazy("moment, en UTC"),
    "date": gettext_lazy("jour"),
}


class Champ(NamedTuple):
    nom: str
    genre: str
    texte: SafeString


class Fiche(NamedTuple):
    """A type of event as the page shows it."""

    type: str
    quand: SafeString
    canaux: list[str]
    champs: list[Champ]
    exemple: str


class Evenements(View):
    http_method_names = ["get", "head"]

    def get(self, request: HttpRequest) -> HttpResponse:
        return proteger(render(request, "pages/evenements.html", _contexte(get_language() or "fr")))


@cache
def _contexte(langue: str) -> dict[str, Any]:
    formes = document(langue)["components"]["schemas"]
    with override(langue):
        return {
            "titre": _("Les événements"),
            "manieres": [_avec_codes(phrase) for phrase in MANIERES],
            "identifiants": [(_ou(un), _avec_codes(un["description"])) for un in IDENTIFIANTS.values()],
            "fermetures": [(un.code, _avec_codes(un.sens), _avec_codes(un.suite)) for un in FERMETURES],
            "canaux": [
                (un.motif, _avec_codes(un.qui), [dit.type for dit in messages_de(un) if dit.canaux]) for un in ouverts()
            ],
            "fiches": [_fiche(une, formes) for une in declares()],
        }


def _avec_codes(phrase: Any) -> SafeString:
    """The sentence, what stands between back-ticks as code."""
    morceaux = _CODE.split(str(phrase))
    return format_html_join(
        "", "{}", ((_en_code(mot) if rang % 2 else mot,) for rang, mot in enumerate(morceaux) if mot)
    )


def _en_code(mot: str) -> SafeString:
    return format_html_join("", "<code>{}</code>", ((mot,),))


def _ou(identifiant: dict[str, Any]) -> str:
    nom = identifiant.get("name", "Authorization")
    return f"?{nom}=" if identifiant.get("in") == "query" else nom


def _fiche(declaration: Declaration, formes: dict[str, Any]) -> Fiche:
    ouvertes = {canal.motif for canal in ouverts()}
    exemple = json.dumps(exemple_de(declaration.type), ensure_ascii=False, indent=2)
    canaux = [canal for canal in declaration.canaux if canal in ouvertes]
    (payload,) = formes[composant(declaration)]["properties"]["payload"]["allOf"]
    champs = list(_champs(formes[payload["$ref"].removeprefix(REFERENCE)], formes))
    return Fiche(declaration.type, _avec_codes(declaration.quand), canaux, champs, exemple)


def _champs(forme: dict[str, Any], formes: dict[str, Any]) -> Iterator[Champ]:
    for nom, schema in forme["properties"].items():
        genre = _genre(schema, formes)
        if schema.get("nullable"):
            genre = _("%(genre)s, ou nul") % {"genre": genre}
        if nom not in forme["required"]:
            genre = _("%(genre)s ; parfois absent") % {"genre": genre}
        yield Champ(nom, genre, _avec_codes(schema.get("description", "")))


def _genre(schema: dict[str, Any], formes: dict[str, Any]) -> str:
    """The type of a field in words; of an enumeration, its values."""
    for mot in ("allOf", "anyOf", "oneOf"):
        if mot in schema:
            return _(" ou ").join(_genre(un, formes) for un in schema[mot])
    if "$ref" in schema:
        return _genre(formes[schema["$ref"].removeprefix(REFERENCE)], formes)
    if "enum" in schema:
        return ", ".join(str(valeur) for valeur in schema["enum"] if valeur is not None)
    if schema.get("type") == "array":
        return _("liste : %(genre)s") % {"genre": _genre(schema["items"], formes)}
    if "properties" in schema:
        return _("objet : %(champs)s") % {"champs": ", ".join(schema["properties"])}
    return str(MOTS.get(schema.get("format", ""), MOTS.get(schema.get("type", ""), "")))
