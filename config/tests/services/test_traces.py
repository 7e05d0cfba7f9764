"""An error tracker and a tracer, installed as anybody would: what they hear of JSON, without a line of ours."""

import pytest

from config.tests.outils import dans_un_processus

# A process of its own, which stays patched; the requests go through the handler that the server calls.
SCRIPT = """
import io, json
import sentry_sdk
from sentry_sdk.transport import Transport
from opentelemetry import trace
from opentelemetry.instrumentation.django import DjangoInstrumentor
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

erreurs, traces = [], InMemorySpanExporter()

class Essai(Transport):
    def capture_envelope(self, enveloppe):
        erreurs.extend(une.payload.json for une in enveloppe.items if une.type == "event")

sentry_sdk.init(dsn="http://cle@127.0.0.1:9/1", transport=Essai)
fournisseur = TracerProvider()
fournisseur.add_span_processor(SimpleSpanProcessor(traces))
trace.set_tracer_provider(fournisseur)
DjangoInstrumentor().instrument()

import django
django.setup()
from django.core.management import call_command
from config.serveur.gestionnaire import Gestionnaire
from config.serveur.pont import environ_de
from config.tests.outils import client_de
from accounts.tests.fabriques import compte
from signalements import views

call_command("migrate", verbosity=0)
gestionnaire, jeton = Gestionnaire(), client_de(compte(email="traces@campus.example")).jeton

def demander(methode, chemin, corps=None):
    brut = b"" if corps is None else json.dumps(corps).encode()
    entetes = [(b"host", b"testserver"), (b"authorization", b"Bearer " + jeton.encode())]
    if brut:
        entetes += [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(brut))]
    return gestionnaire.repondre(environ_de({
        "path": chemin, "method": methode, "headers": entetes, "client": ("192.0.2.7", 1), "corps": io.BytesIO(brut),
    })).statut

def tomber(**champs):
    raise ValueError("impossible")

statuts = [demander("GET", "/api/v1/auth/validate"), demander("GET", "/api/v1/signalements/me")]
views.services.creer = tomber
statuts.append(demander("POST", "/api/v1/signalements", {"titre": "Vol", "description": "Un sac.", "type": "VOL"}))
sentry_sdk.flush()
tracees = [
    {"nom": une.name, **{nom: une.attributes.get(nom) for nom in ("http.route", "http.status_code")}}
    for une in traces.get_finished_spans()
]
print(json.dumps({"statuts": statuts, "erreurs": erreurs, "traces": tracees}))
"""


@pytest.fixture(scope="module")
def entendu(tmp_path_factory):
    return dans_un_processus(SCRIPT, tmp_path_factory.mktemp("traces"))


def test_opentelemetry_trace_chaque_requete_sous_sa_route(entendu):
    assert entendu["statuts"] == [200, 200, 500]
    assert [(une["http.route"], une["http.status_code"]) for une in entendu["traces"]] == [
        ("api/v1/auth/validate/?$", 200),
        ("api/v1/signalements/me/?$", 200),
        ("api/v1/signalements/?$", 500),
    ]


def test_sentry_entend_l_erreur_avec_sa_requete(entendu):
    (erreur,) = entendu["erreurs"]

    assert erreur["exception"]["values"][-1]["type"] == "ValueError"
    assert erreur["request"]["method"] == "POST"
    assert erreur["request"]["url"] == "http://testserver/api/v1/signalements"
