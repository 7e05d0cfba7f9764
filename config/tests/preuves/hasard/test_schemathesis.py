"""The document of the service against the service: schemathesis, in its four phases, as each actor."""

import random
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import unquote

import httpx
import pytest
import schemathesis
from schemathesis.config import SchemathesisConfig
from schemathesis.engine import events, from_schema

from config.tests.preuves.hasard.acteurs import Actrice
from config.tests.preuves.hasard.bilan import Comptes
from config.tests.preuves.hasard.liens import relier
from config.tests.preuves.hasard.verdict import code_de, faute

pytestmark = pytest.mark.preuve
PART = 0.6  # of the requests of a run; the others are our own generators'
PHASES = {"examples": 0.05, "coverage": 0.45, "fuzzing": 0.3, "stateful": 0.2}
VERIFICATIONS = (
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_schema_conformance",
    "response_headers_conformance",
)


@pytest.fixture(scope="module")
def document(service: Any) -> dict[str, Any]:
    return relier(httpx.get(f"{service.url}/openapi.json").json())


@pytest.mark.parametrize("phase", PHASES)
def test_rien_ne_sort_de_ce_que_dit_le_document(service, course, actrice, document, phase, chiffre):
    comptes = Comptes()

    _courir(service.url, document, phase, comptes, actrice, course)

    chiffre(f"schemathesis {phase}, {actrice.nom}", comptes.resume)
    assert not comptes.fautes, comptes.dites


def _courir(url: str, document: Any, phase: str, comptes: Comptes, actrice: Actrice, course: Any) -> None:
    """One phase, until its share of the requests is spent."""
    budget = course.part(PART * PHASES[phase])
    schema = schemathesis.openapi.from_dict(
        _melange(document, f"{course.graine} {phase} {actrice.nom}"),
        config=SchemathesisConfig.from_dict(_reglages(url, phase, budget, course.graine)),
    )
    moteur = from_schema(schema).execute()
    with _suivi(comptes, actrice):
        for evenement in moteur:
            if isinstance(evenement, events.ScenarioFinished):
                _accuser(comptes, evenement.recorder)
            elif isinstance(evenement, events.NonFatalError):
                comptes.accuser(f"schemathesis {phase}", f"{evenement.label} {evenement.value!r:.300}", "")
            if comptes.requetes >= budget:
                moteur.stop()


def _melange(document: Any, graine: str) -> dict[str, Any]:
    """The same operations in another order: what a budget leaves out is not always the same."""
    chemins = list(document["paths"].items())
    random.Random(graine).shuffle(chemins)
    return {**document, "paths": dict(chemins)}


def _reglages(url: str, phase: str, budget: int, graine: int) -> dict[str, Any]:
    exemples = max(2, budget // 100) if phase == "fuzzing" else max(2, budget // 3)
    return {
        "seed": graine,
        "base-url": url,
        "continue-on-failure": True,
        "request-timeout": 30,
        "suppress-health-check": ["all"],
        "warnings": False,
        # Who asks is said by `Actrice`; our own generators make bad credentials.
        "generation": {"no-shrink": True, "database": "none", "with-security-parameters": False},
        "phases": {
            nom: {
                "enabled": nom == phase,
                **({"operation-ordering": "none"} if nom != "stateful" else {}),
                **({"generation": {"max-examples": exemples}} if nom in ("fuzzing", "stateful") else {}),
                **({"fill-missing": True} if nom == "examples" else {}),
            }
            for nom in PHASES
        },
        "checks": {"enabled": False, **{nom: {"enabled": True} for nom in VERIFICATIONS}},
    }


@contextmanager
def _suivi(comptes: Comptes, actrice: Actrice) -> Iterator[None]:
    """Hooks, which are of the process: credentials before each call, our own verdict after it."""

    def before_call(context: Any, case: Any, kwargs: dict[str, Any]) -> None:
        case.headers.update(actrice.entetes)

    def after_call(context: Any, case: Any, response: Any) -> None:
        demande = response.request
        chemin = unquote(demande.path_url.partition("?")[0])
        recue = httpx.Response(
            response.status_code,
            headers=[(nom, valeur) for nom, valeurs in response.headers.items() for valeur in valeurs],
            content=response.content,
        )
        comptes.noter(case.operation.label, response.status_code)
        if ecart := faute(demande.method, chemin, recue):
            comptes.accuser(case.operation.label, ecart, f"{demande.method} {demande.url[:300]} {demande.body!r:.300}")
        actrice.relire(demande.headers, response.status_code, code_de(recue))

    for crochet in (before_call, after_call):
        schemathesis.hook(crochet)
    try:
        yield
    finally:
        for crochet in (before_call, after_call):
            schemathesis.hooks.unregister(crochet)


def _accuser(comptes: Comptes, journal: Any) -> None:
    for cas, verifiees in journal.checks.items():
        for verifiee in verifiees:
            if verifiee.failure_info is not None:
                echec = verifiee.failure_info.failure
                operation = journal.cases[cas].value.operation.label
                comptes.accuser(operation, f"{echec.title} {echec.message[:300]}", verifiee.failure_info.code_sample)
