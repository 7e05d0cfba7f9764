"""Every operation of the document, ready to be sent something else; and the database before and after."""

import json
from functools import cache
from typing import Any, NamedTuple

import pytest
from django.apps import apps
from django.db import connection
from django.urls import resolve

from config.tests.outils.clients import document
from config.tests.outils.scene import LIGNES, Scene, exemple_de

METHODES = ("get", "post", "put", "patch", "delete")


# What the author of a case alone does.
DE_SON_AUTEUR = "/ne-pas-montrer"
# What a refused call may touch all the same, and what it cannot.
HORS_COMPTE = frozenset(
    {
        "accounts.session",
        "realtime.evenement",
        "realtime.compteurevenements",
        "admin.logentry",
        "contenttypes.contenttype",
        "auth.permission",
    }
)


class Operation(NamedTuple):
    methode: str
    chemin: str

    def __str__(self) -> str:
        return f"{self.methode} {self.chemin.removeprefix('/api/v1')}"

    @property
    def description(self) -> dict[str, Any]:
        return document()["paths"][self.chemin][self.methode.lower()]

    @property
    def acteur(self) -> str:
        """Who is let in furthest."""
        acces = {nom for choix in self.description.get("security") or [] for nom in choix}
        if "exploitant" in acces:
            return "exploitant"
        if self.chemin.endswith(DE_SON_AUTEUR):
            return "user_owner"
        if "bearer" in acces or self.se_dit_en_question:
            return "admin"
        return "guest_owner" if "invite" in acces else "anonymous"

    @property
    def se_dit_en_question(self) -> bool:
        """Who calls is said in the query: a question without it, or with another, is one of nobody."""
        return any("cle" in choix for choix in self.description.get("security") or [])

    @property
    def forme(self) -> dict[str, Any]:
        """The schema of the body; {} without one."""
        contenu = self.description.get("requestBody", {}).get("content", {})
        return resoudre(contenu.get("application/json", {}).get("schema", {}))

    @property
    def se_passe_de_corps(self) -> bool:
        vue = resolve(exemple_de(self.chemin)).func
        return bool(vue.cls.operations[vue.actions[self.methode.lower()]].corps_facultatif)

    @property
    def parametres(self) -> list[str]:
        return [p["name"] for p in self.description.get("parameters", []) if p["in"] == "query"]


def resoudre(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema behind its references."""
    for cle in ("allOf", "oneOf", "anyOf"):
        if schema.get(cle):
            return resoudre(schema[cle][0])
    if "$ref" in schema:
        return resoudre(document()["components"]["schemas"][schema["$ref"].rpartition("/")[2]])
    return schema


OPERATIONS = [Operation(m.upper(), c) for c, qui in document()["paths"].items() for m in METHODES if m in qui]
AVEC_CORPS = [operation for operation in OPERATIONS if operation.forme]


def par_operation(choisies: list[Operation]) -> Any:
    return pytest.mark.parametrize("operation", [pytest.param(o, id=str(o)) for o in choisies])


class Appel:
    """One operation, ready: its client, its address, a body that it accepts."""

    def __init__(self, operation: Operation) -> None:
        self.scene = Scene()
        self.operation = operation
        self.client = self.scene.client(operation.acteur)
        ligne = LIGNES[0]._replace(methode=operation.methode, chemin=operation.chemin, acteur=operation.acteur)
        self.url = self.scene.chemin(ligne)
        qui = "user_owner" if operation.acteur == "anonymous" else operation.acteur
        self.corps = self.scene.corps(operation.methode, operation.chemin, qui) or {}
        self.entetes = self.scene.entetes(operation.methode, operation.chemin)

    def envoyer(self, corps: Any = None, **options: Any) -> Any:
        options.setdefault("headers", self.entetes)
        return self.client.envoyer(self.operation.methode, options.pop("url", self.url), corps, **options)

    def avec(self, champ: str, valeur: Any) -> Any:
        return self.envoyer({**self.corps, champ: valeur})

    def brut(self, champ: str, valeur: bytes) -> Any:
        """The same with the JSON of the value as it is given."""
        marque = "valeur-brute"
        return self.envoyer(json.dumps({**self.corps, champ: marque}).encode().replace(b'"valeur-brute"', valeur))


@cache
def tables(hors: frozenset[str] = HORS_COMPTE) -> list[str]:
    return [m._meta.db_table for m in apps.get_models() if m._meta.label_lower not in hors]


def contenu_de_la_base(hors: frozenset[str] = HORS_COMPTE) -> dict[str, list[Any]]:
    """Every row of every table but these, as the database gives it: asked for twice by each of many tests."""
    questions = [f"SELECT * FROM {table}" for table in tables(hors)]  # noqa: S608 -- our own names
    ensemble = connection.vendor == "postgresql"  # one message to a server, where each way costs more than its answer
    lues = []
    with connection.cursor() as curseur:
        for question in ["; ".join(questions)] if ensemble else questions:
            curseur.execute(question)
            lues.append(curseur.fetchall())
            while ensemble and curseur.nextset():
                lues.append(curseur.fetchall())
    return {table: sorted(lignes, key=str) for table, lignes in zip(tables(hors), lues, strict=True)}


def champs_nommes(reponse: Any) -> set[str]:
    return {detail["field"].partition(".")[0] for detail in reponse.json().get("details", [])}
