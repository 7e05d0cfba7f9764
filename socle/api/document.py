"""The OpenAPI document as a whole, made from the descriptions of its operations."""

import json
import threading
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from django.utils.translation import gettext_lazy as _
from django.utils.translation import override
from drf_spectacular.generators import SchemaGenerator

from socle.api.copies import Copie, copies
from socle.api.mots import CHAMPS, VARIABLES, decrit
from socle.api.renderers import en_json
from socle.api.serializers import Sortie, chameau

# Of each operation by its id: a body and answers that were exchanged, and are again by a test.
EXEMPLES = Path(__file__).with_name("exemples")
METHODES = ("get", "post", "put", "patch", "delete")
# Tags in the order of the work, by their ASCII names: each as people say it, and what it is about.
ETIQUETTES = {
    "service": (_("Service"), _("Santé du service, ce qu'il permet, ses mesures.")),
    "authentification": (
        _("Authentification"),
        _("Ouvrir un compte, une session, la renouveler, la fermer ; un mot de passe oublié."),
    ),
    "comptes": (_("Comptes"), _("Son compte, et ceux que gèrent les administrateurs.")),
    "preferences": (_("Préférences"), _("La langue, les e-mails, ce que l'on veut garder d'un appareil à l'autre.")),
    "roles": (_("Rôles"), _("Les rôles et leurs droits.")),
    "invitations": (_("Invitations"), _("Inviter quelqu'un dans l'équipe.")),
    "mode-invite": (_("Mode invité"), _("Signaler sans compte, puis rattacher sa session à un compte.")),
    "suivi-invite": (_("Suivi invité"), _("Suivre un dossier sans compte.")),
    "signalements": (_("Signalements"), _("Signaler, et traiter ce qui est signalé.")),
    "lecteurs": (_("Lecteurs"), _("Qui peut être écarté d'un dossier par son auteur.")),
    "dossiers-dequipe": (
        _("Dossiers d'équipe"),
        _("Ce qu'un administrateur sait des dossiers d'une équipe sans les lire."),
    ),
    "delais": (_("Délais"), _("Les dates promises à qui signale.")),
    "discussions": (_("Discussions"), _("Écrire avec qui traite le dossier.")),
    "accuses-automatiques": (_("Accusés automatiques"), _("Ce que le service a répondu de lui-même.")),
    "reponses-types": (_("Réponses types"), _("Les textes que l'équipe insère et relit.")),
    "orientations": (_("Orientations"), _("Qui appeler, quoi garder, selon le type.")),
    "equipes": (_("Équipes"), _("Qui lit quels dossiers.")),
    "membres-dequipe": (_("Membres d'équipe"), _("Qui est de quelle équipe.")),
    "regles-de-routage": (_("Règles de routage"), _("Où vont les nouveaux dossiers.")),
    "noms-a-verifier": (_("Noms à vérifier"), _("Des noms d'auteurs présumés qui sont aussi ceux de l'équipe.")),
    "fichiers": (_("Fichiers"), _("Les pièces d'un dossier ou d'un message.")),
    "statistiques": (_("Statistiques"), _("Le tableau de bord, les tendances, les exports.")),
    "registre": (_("Registre"), _("Ce que fait l'équipe.")),
    "temps-reel": (_("Temps réel"), _("Rattraper ce que les sockets n'ont pas dit.")),
    "calendrier": (_("Calendrier"), _("Les événements du campus, et s'y inscrire.")),
    "abonnement-au-calendrier": (_("Abonnement au calendrier"), _("Son calendrier dans son agenda.")),
    "forum": (_("Forum"), _("Les publications, et leur modération.")),
    "commentaires": (_("Commentaires"), _("Les commentaires d'une publication.")),
    "reactions": (_("Réactions"), _("Les réactions à une publication.")),
    "ressources": (_("Ressources"), _("La bibliothèque.")),
    "aide": (_("Aide"), _("Les questions fréquentes et les contacts d'urgence.")),
}
ENTETES = {
    "X-Request-Id": {
        "description": _("La référence de la requête, la même qu'au journal et dans `requestId` d'une erreur."),
        "schema": {"type": "string"},
    },
    "Retry-After": {
        "description": _("Dans combien de secondes réessayer ; absent d'un 503 dont personne ne sait la fin."),
        "schema": {"type": "integer", "minimum": 0},
    },
    "RateLimit-Limit": {
        "description": _("Combien de requêtes ce compte, ou cette session invitée, peut faire en une fenêtre."),
        "schema": {"type": "integer", "minimum": 1},
    },
    "RateLimit-Remaining": {
        "description": _("Combien il lui en reste."),
        "schema": {"type": "integer", "minimum": 0},
    },
    "RateLimit-Reset": {
        "description": _("Dans combien de secondes le compte repart."),
        "schema": {"type": "integer", "minimum": 1},
    },
    "ETag": {
        "description": _(
            "Nomme ce qui est rendu, tel que l'appelant le lit. Redonné dans `If-None-Match`, il épargne ce qui n'a "
            "pas changé : 304 ; dans `If-Match`, il ne change que cela."
        ),
        "schema": {"type": "string"},
    },
    "Preference-Applied": {
        "description": _("Ce que `Prefer` demandait, et qui fut fait : `return=minimal`."),
        "schema": {"type": "string"},
    },
    "Content-Disposition": {
        "description": _("Le nom que le fichier porte, et s'il s'ouvre ou s'enregistre."),
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
        "description": _("L'identifiant de la session invitée ; il ouvre le dossier, gardez-le secret."),
    },
    "cle": {
        "type": "apiKey",
        "in": "query",
        "name": "cle",
        "description": _("La clé d'une adresse d'abonnement ; elle se retire."),
    },
    "exploitant": {
        "type": "http",
        "scheme": "bearer",
        "description": _("Le jeton du réglage METRICS_TOKEN ; aucun compte ne le donne."),
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
        {"name": nom, "x-displayName": mots, "description": texte} for nom, (mots, texte) in ETIQUETTES.items()
    ]
    result["servers"] = [{"url": "/", "description": _("Le service qui sert ce document.")}]
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


def document(langue: str = "fr") -> dict[str, Any]:
    """The OpenAPI document in one language, cached and made under a lock: its generator is not thread-safe."""
    with _un_seul:
        return _faire(langue)


@cache
def document_imprime(langue: str) -> dict[bool, Copie]:
    """The document as bytes, compact (False) and gzipped (True); see `copies`."""
    return copies(en_json(document(langue)))


@cache
def _faire(langue: str) -> dict[str, Any]:
    with override(langue):
        fait: dict[str, Any] = Generateur().get_schema(request=None, public=True)
        return fait
