"""Answers without a secret that many ask for: rendered by Django once, then given again with an id, a time and a line.

A probe is asked by many, without a limit, and answered by the loop: rendering it was four fifths of what it cost.
"""

import time
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import orjson

from config.serveur.gestionnaire import Environ, Reponse
from socle.api.middleware import noter
from socle.api.reponses import en_json
from socle.api.reseau import identifiant_de
from socle.domaine.provenance import requete_courante
from socle.domaine.temps import horodatage

MOULES_MAX = 64  # different requests; past it all are rendered anew
_IDENTIFIANT = b"x-request-id"


class _Moule(NamedTuple):
    su: Environ
    requete: Any
    reponse: Reponse
    corps: dict[str, Any]


class Moules:
    """Answers of `repondre` to the same request and the same `su`, while both are; a refusal is rendered each time."""

    def __init__(self, repondre: Callable[[Any, Environ], Reponse]) -> None:
        self._repondre = repondre
        self._moules: dict[Any, _Moule] = {}

    def repondre(self, scope: Mapping[str, Any], su: Environ) -> Reponse:
        cle = _cle(scope)
        moule = self._moules.get(cle)
        return _refaire(moule, scope) if moule is not None and moule.su == su else self._mouler(cle, scope, su)

    def _mouler(self, cle: Any, scope: Mapping[str, Any], su: Environ) -> Reponse:
        reponse = self._repondre(scope, su)
        if reponse.statut == 200 and reponse.corps:
            if len(self._moules) >= MOULES_MAX:
                self._moules.clear()
            self._moules[cle] = _Moule(su, requete_courante.get(), reponse, orjson.loads(reponse.corps))
        return reponse


def _cle(scope: Mapping[str, Any]) -> Any:
    """All that an answer depends on: who asks, how, and in which words; but its id, which a proxy gives each."""
    entetes = tuple([entete for entete in scope["headers"] if entete[0] != _IDENTIFIANT])
    demande = (scope["method"], scope["path"], scope.get("query_string"), scope.get("scheme"), scope.get("server"))
    return (*demande, (scope.get("client") or ("",))[0], scope.get("http_version"), entetes)


def _refaire(moule: _Moule, scope: Mapping[str, Any]) -> Reponse:
    debut = time.perf_counter()
    requete, reponse = moule.requete, moule.reponse
    donnes = [valeur for nom, valeur in scope["headers"] if nom == _IDENTIFIANT]
    requete.META["HTTP_X_REQUEST_ID"] = b",".join(donnes).decode("latin-1")
    requete.id_requete = identifiant_de(requete)
    moule.corps["timestamp"] = horodatage()
    identifiant = requete.id_requete.encode()
    entetes = [(nom, identifiant if nom == _IDENTIFIANT else valeur) for nom, valeur in reponse.entetes]
    noter(requete, reponse.statut, time.perf_counter() - debut)
    return reponse._replace(entetes=entetes, corps=en_json(moule.corps))
