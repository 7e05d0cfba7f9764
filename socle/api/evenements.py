"""Forms of the frames of a socket, and their components in the OpenAPI document: one union, told apart by `type`."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from socle.api.mots import decrit
from socle.api.serializers import SortieSimple
from socle.realtime.declarations import Declaration, evenements

# Of each type: a whole event that was sent, and is again by a test.
EXEMPLES = Path(__file__).with_name("exemples") / "evenements"
UNION = "Evenement"
REFERENCE = "#/components/schemas/"
ENVELOPPE = {
    "type": _("Dit la forme de `payload`."),
    "canal": _("Le canal qui le dit."),
    "payload": _("Ce qui est dit, sous la forme de ce type."),
    "timestamp": _("Quand c'est arrivé."),
    "eventId": _("Un entier décimal, croissant : à rendre dans `depuis` pour rattraper la suite."),
}


class ConnecteEvenement(SortieSimple):
    user_id = serializers.UUIDField(allow_null=True, help_text=_("Le compte ; nul pour un invité."))
    canal = serializers.CharField(
        help_text=_("Le canal ouvert : celui du dossier qui demeure, quand celui que l'on demandait y fut joint.")
    )
    event_id = serializers.CharField(
        help_text=_("Le dernier que l'on pouvait entendre ici : à garder, pour `depuis`, jusqu'au premier événement.")
    )


class ErreurEvenement(SortieSimple):
    code = serializers.CharField(help_text=_("Stable, pour les programmes : INVALID_FRAME."))
    message = serializers.CharField(help_text=_("Une phrase, pour la personne."))


class RafraichirEvenement(SortieSimple):
    canal = serializers.CharField(help_text=_("Le canal dont la suite n'est plus gardée."))
    event_id = serializers.CharField(help_text=_("D'où repartir, une fois la ressource relue."))


# Said by the socket itself on any channel, without an `eventId`.
DE_SERVICE = (
    Declaration("connected", ConnecteEvenement, (), _("La première trame d'un socket admis.")),
    Declaration(
        "error", ErreurEvenement, (), _("Ce que le client a envoyé n'est pas compris ; le socket reste ouvert.")
    ),
    Declaration(
        "refresh_required",
        RafraichirEvenement,
        (),
        _("À la place de la suite, quand une part n'en est plus gardée : relisez la ressource."),
    ),
)


def declares() -> Iterator[Declaration]:
    """Every type that a client may read, those of the socket itself first."""
    yield from DE_SERVICE
    for _type, declaration in sorted(evenements.items()):
        yield declaration


def exemple_de(type_: str) -> dict[str, Any]:
    """An event of this type, {} while it is being written."""
    fichier = EXEMPLES / f"{type_}.json"
    lu: dict[str, Any] = json.loads(fichier.read_text(encoding="utf-8")) if fichier.exists() else {}
    return lu


def composant(declaration: Declaration) -> str:
    """The component of a whole event of this type."""
    return UNION + "".join(mot.capitalize() for mot in declaration.type.split("_"))


class Evenement(serializers.Serializer[Any]):
    """An envelope, already made."""

    def to_representation(self, instance: Any) -> Any:
        return instance

    @staticmethod
    def decrire(schema: Any) -> tuple[str, dict[str, Any]]:
        """Register the components of all types in the document that this operation's schema is made for."""
        references = {}
        for une in declares():
            payload = schema.resolve_serializer(une.forme, "response").ref
            references[une.type] = schema._commun(composant(une), _enveloppe(une, payload))
        choix = {
            "oneOf": list(references.values()),
            "discriminator": {
                "propertyName": "type",
                "mapping": {type_: ref["$ref"] for type_, ref in references.items()},
            },
            "description": str(_("Un événement. `connected` et `error` ne viennent que sur un socket.")),
        }
        return UNION, schema._commun(UNION, choix)


def _enveloppe(declaration: Declaration, payload: dict[str, Any]) -> dict[str, Any]:
    proprietes: dict[str, Any] = {
        "type": {"type": "string"},
        "canal": {"type": "string"},
        "payload": {"allOf": [payload]},
        "timestamp": {"type": "string", "format": "date-time"},
        "eventId": {"type": "string", "pattern": "^[0-9]+$"},
    }
    if not declaration.canaux:
        del proprietes["eventId"]
    for nom, texte in ENVELOPPE.items():
        if nom in proprietes:
            proprietes[nom] = decrit(proprietes[nom], str(texte))
    return {
        "type": "object",
        "description": str(declaration.quand),
        "properties": proprietes,
        "required": list(proprietes),
    }


def typer(result: dict[str, Any], generator: Any, request: Any, public: bool) -> dict[str, Any]:
    """Postprocessing hook: the one value of each `type`, after the hook that makes a component of every enumeration."""
    formes = result["components"]["schemas"]
    for une in declares():
        formes[composant(une)]["properties"]["type"]["enum"] = [une.type]
    return result
