"""The OpenAPI document as a whole, made from the descriptions of its operations."""

import json
import threading
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from django.utils.translation import override
from drf_spectacular.generators import SchemaGenerator

from socle.api.copies import Copie, copies
from socle.api.mots import CHAMPS, VARIABLES, decrit
from socle.api.renderers import en_json
from socle.api.schema import nom_d_etiquette
from socle.api.serializers import Sortie, chameau

# Of each operation by its id: a body and answers that were exchanged, and are again by a test.
EXEMPLES = Path(__file__).with_name("exemples")
METHODES = ("get", "post", "put", "patch", "delete")
# What each tag is about, in the words of who reads the documentation, in the order of the work.
ETIQUETTES = {
    "Service": "Santé du service, ce qu'il permet, ses mesures.",
    "Authentification": "Ouvrir un compte, une session, la renouveler, la fermer ; un mot de passe oublié.",
    "Comptes": "Son compte, et ceux que gèrent les administrateurs.",
    "Préférences": "La langue, les e-mails, ce que l'on veut garder d'un appareil à l'autre.",
    "Rôles": "Les rôles et leurs droits.",
    "Invitations": "Inviter quelqu'un dans l'équipe.",
    "Mode invité": "Signaler sans compte, puis rattacher sa session à un compte.",
    "Suivi invité": "Suivre un dossier sans compte.",
    "Signalements": "Signaler, et traiter ce qui est signalé.",
    "Lecteurs": "Qui peut être écarté d'un dossier par son auteur.",
    "Dossiers d'équipe": "Ce qu'un administrateur sait des dossiers d'une équipe sans les lire.",
    "Délais": "Les dates promises à qui signale.",
    "Discussions": "Écrire avec qui traite le dossier.",
    "Accusés automatiques": "Ce que le service a répondu de lui-même.",
    "Réponses types": "Les textes que l'équipe insère et relit.",
    "Orientations": "Qui appeler, quoi garder, selon le type.",
    "Équipes": "Qui lit quels dossiers.",
    "Membres d'équipe": "Qui est de quelle équipe.",
    "Règles de routage": "Où vont les nouveaux dossiers.",
    "Noms à vérifier": "Des noms d'auteurs présumés qui sont aussi ceux de l'équipe.",
    "Fichiers": "Les pièces d'un dossier ou d'un message.",
    "Statistiques": "Le tableau de bord, les tendances, les exports.",
    "Registre": "Ce que fait l'équipe.",
    "Temps réel": "Rattraper ce que les sockets n'ont pas dit.",
    "Calendrier": "Les événements du campus, et s'y inscrire.",
    "Abonnement au calendrier": "Son calendrier dans son agenda.",
    "Forum": "Les publications, et leur modération.",
    "Commentaires": "Les commentaires d'une publication.",
    "Réactions": "Les réactions à une publication.",
    "Ressources": "La bibliothèque.",
    "Aide": "Les questions fréquentes et les contacts d'urgence.",
}
ENTETES = {
    "X-Request-Id": {
        "description": "La référence de la requête, la même qu'au journal et dans `requestId` d'une erreur.",
        "schema": {"type": "string"},
    },
    "Retry-After": {
        "description": "Dans combien de secondes réessayer ; absent d'un 503 dont personne ne sait la fin.",
        "schema": {"type": "integer", "minimum": 0},
    },
    "RateLimit-Limit": {
        "description": "Combien de requêtes ce compte, ou cette session invitée, peut faire en une fenêtre.",
        "schema": {"type": "integer", "minimum": 1},
    },
    "RateLimit-Remaining": {
        "description": "Combien il lui en reste.",
        "schema": {"type": "integer", "minimum": 0},
    },
    "RateLimit-Reset": {
        "description": "Dans combien de secondes le compte repart.",
        "schema": {"type": "integer", "minimum": 1},
    },
    "ETag": {
        "description": (
            "Nomme ce qui est rendu, tel que l'appelant le lit. Redonné dans `If-None-Match`, il épargne ce qui n'a "
            "pas changé : 304 ; dans `If-Match`, il ne change que cela."
        ),
        "schema": {"type": "string"},
    },
    "Preference-Applied": {
        "description": "Ce que `Prefer` demandait, et qui fut fait : `return=minimal`.",
        "schema": {"type": "string"},
    },
    "Content-Disposition": {
        "description": "Le nom que le fichier porte, et s'il s'ouvre ou s'enregistre.",
        "schema": {"type": "string"},
    },
}
# The headers of an answer by its status, beside that of every answer; those of a file are of its operation.
PAS_DE_FICHIER = {"application/json", "text/plain"}
PAR_STATUT = {"304": ("ETag",), "412": ("ETag",), "429": ("Retry-After",), "503": ("Retry-After",)}
SECURITE = {
    "bearer": {"type": "http", "scheme": "bearer", "bearerFormat": "JWT"},
    "invite": {
        "type": "apiKey",
        "in": "header",
        "name": "X-Guest-Id",
        "description": "L'identifiant de la session invitée ; il ouvre le dossier, gardez-le secret.",
    },
    "cle": {
        "type": "apiKey",
        "in": "query",
        "name": "cle",
        "description": "La clé d'une adresse d'abonnement ; elle se retire.",
    },
    "exploitant": {
        "type": "http",
        "scheme": "bearer",
        "description": "Le jeton du réglage METRICS_TOKEN ; aucun compte ne le donne.",
    },
}


class Generateur(SchemaGenerator):
    """One form of each path, without a slash at its end: the service answers both."""

    def parse(self, input_request: Any, public: bool) -> dict[str, Any]:
        chemins = super().parse(input_request, public)
        return {chemin.rstrip("/"): operations for chemin, operations in chemins.items()}


def facultatifs(result: dict[str, Any], generator: Any, request: Any, public: bool) -> dict[str, Any]:
    """Postprocessing hook: an answer does not always have the fields that its `Sortie` names in `facultatifs`."""
    for forme in Sortie.formes():
        for nom in getattr(getattr(forme, "Meta", None), "facultatifs", ()):
            result["components"]["schemas"][forme.__name__]["required"].remove(chameau(nom))
    return result


def decrire(result: dict[str, Any], generator: Any, request: Any, public: bool) -> dict[str, Any]:
    """Postprocessing hook: describe the variables of paths, and the fields that no form describes."""
    for operation in _operations(result):
        for variable in (un for un in operation.get("parameters", ()) if un["in"] == "path"):
            variable.update(decrit(variable, VARIABLES.get(variable["name"], "")))
    for forme in result["components"]["schemas"].values():
        proprietes = forme.get("properties", {})
        for nom in proprietes.keys() & CHAMPS.keys():
            proprietes[nom] = decrit(proprietes[nom], CHAMPS[nom])
    return result


def achever(result: dict[str, Any], generator: Any, request: Any, public: bool) -> dict[str, Any]:
    """Postprocessing hook: credentials, tags and address, and what the generator leaves to be guessed."""
    result["components"] |= {"securitySchemes": SECURITE, "headers": ENTETES}
    result["tags"] = [
        {"name": nom_d_etiquette(mots), "x-displayName": mots, "description": texte}
        for mots, texte in ETIQUETTES.items()
    ]
    result["servers"] = [{"url": "/", "description": "Le service qui sert ce document."}]
    for operation in _operations(result):
        operation.setdefault("security", [])  # nobody has to say who they are
        _illustrer(operation)
        for statut, reponse in operation["responses"].items():
            _ajouter_les_entetes(statut, reponse, operation["responses"])
    for schema in _schemas(result):
        if schema.get("nullable") is True:
            _admettre_null(schema, result)
    cites = {schema["$ref"].rpartition("/")[2] for schema in _schemas(result) if isinstance(schema.get("$ref"), str)}
    formes = result["components"]["schemas"]
    result["components"]["schemas"] = {nom: forme for nom, forme in formes.items() if nom in cites}
    return result


def _operations(result: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for operations in result["paths"].values():
        yield from (operations[methode] for methode in METHODES if methode in operations)


def _illustrer(operation: dict[str, Any]) -> None:
    fichier = EXEMPLES / f"{operation['operationId']}.json"
    if not fichier.exists():  # an operation that is being written
        return
    exemple = json.loads(fichier.read_text(encoding="utf-8"))
    if exemple["requete"] is not None:
        operation["requestBody"]["content"]["application/json"]["example"] = exemple["requete"]
    for statut, recu in exemple["reponses"].items():
        operation["responses"][statut]["content"]["application/json"]["example"] = recu


def _ajouter_les_entetes(statut: str, reponse: dict[str, Any], reponses: dict[str, Any]) -> None:
    noms = ["X-Request-Id", *PAR_STATUT.get(statut, ())]
    if statut == "200" and not PAS_DE_FICHIER.issuperset(reponse.get("content", ())):
        noms.append("Content-Disposition")
    if statut == "200" and "304" in reponses:
        noms.append("ETag")
    decrits = {nom: {"$ref": f"#/components/headers/{nom}"} for nom in noms}
    reponse["headers"] = {**decrits, **reponse.get("headers", {})}


def _schemas(noeud: Any) -> Any:
    """Every object of the document, however deep."""
    if isinstance(noeud, dict):
        yield noeud
        for valeur in noeud.values():
            yield from _schemas(valeur)
    elif isinstance(noeud, list):
        for valeur in noeud:
            yield from _schemas(valeur)


def _admettre_null(schema: dict[str, Any], result: dict[str, Any]) -> None:
    """Say null where a strict reader looks for it: among the values of an enumeration, and beside a type."""
    vise = _vise(schema, result)
    schema.setdefault("type", vise["type"])
    if "enum" in vise:
        schema.pop("allOf", None)
        schema["enum"] = [*(valeur for valeur in vise["enum"] if valeur is not None), None]


def _vise(schema: dict[str, Any], result: dict[str, Any]) -> dict[str, Any]:
    """The schema that one without a type of its own refers to."""
    while "type" not in schema:
        if "$ref" in schema:
            schema = result["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
        else:
            schema = next(schema[mot][0] for mot in ("allOf", "anyOf", "oneOf") if mot in schema)
    return schema


_un_seul = threading.Lock()


def document() -> dict[str, Any]:
    """The OpenAPI document, in French, cached and made under a lock: its generator is not thread-safe."""
    with _un_seul:
        return _faire()


@cache
def document_imprime() -> dict[bool, Copie]:
    """The document as bytes, compact (False) and gzipped (True); see `copies`."""
    return copies(en_json(document()))


@cache
def _faire() -> dict[str, Any]:
    with override("fr"):
        fait: dict[str, Any] = Generateur().get_schema(request=None, public=True)
        return fait
