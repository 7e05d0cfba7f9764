"""What an error tracker, installed as anybody would, hears of a failed JSON request, and what leaves the machine."""

import json
import sys

import pytest
from django.core.signals import got_request_exception

from config.tests.outils import dans_un_processus
from signalements import services

RECIT = "Devant l'amphi, il m'a suivie."
# A server of its own: what sentry-sdk patches in a process stays there.
SCRIPT = """
import json, sys
import sentry_sdk
from sentry_sdk.transport import Transport

bruts, envoyes, lignes = [], [], []

class Essai(Transport):
    def capture_envelope(self, enveloppe):
        envoyes.extend(une.payload.json for une in enveloppe.items)

import django
django.setup()
from socle.api.suivi import avant_envoi

def garder(evenement, indice):
    bruts.append(json.loads(json.dumps(evenement, default=str)))
    return avant_envoi(evenement, indice)

def jeter(ligne, indice):
    lignes.append(ligne["body"])

sentry_sdk.init(
    dsn="http://cle@127.0.0.1:9/1", transport=Essai, before_send=garder, send_default_pii=True,
    traces_sample_rate=1.0, before_send_transaction=avant_envoi,
    enable_logs=True, before_send_log=jeter,
)
from django.core.management import call_command
from django.test import Client
from signalements import views

call_command("migrate", verbosity=0)
client = Client(raise_request_exception=False)
def poster(adresse, corps, **entetes):
    return client.post(adresse, json.dumps(corps), content_type="application/json", headers=entetes)

guest_id = poster("/api/v1/guest/sessions", {"telephone": "+33639980099"}).json()["data"]["guestId"]
def tomber(**champs):
    texte = champs["description"]
    raise ValueError(f"impossible : {texte}")
views.services.creer = tomber
recit = sys.argv[1]
corps = {"titre": recit, "description": recit, "type": "VOL"}
refus = poster("/api/v1/signalements/?guestId=" + guest_id, corps, **{"X-Guest-Id": guest_id})
sentry_sdk.flush()
print(json.dumps({
    "statut": refus.status_code, "requestId": refus.json()["requestId"], "guestId": guest_id,
    "bruts": bruts, "envoyes": envoyes, "lignes": lignes,
}))
"""


@pytest.fixture(scope="module")
def entendu(tmp_path_factory):
    return dans_un_processus(SCRIPT, tmp_path_factory.mktemp("suivi"), RECIT)


def test_l_erreur_dit_ou_et_sous_quelle_route(entendu):
    (erreur,) = [un for un in entendu["envoyes"] if "exception" in un]

    assert entendu["statut"] == 500
    assert erreur["exception"]["values"][-1]["type"] == "ValueError"
    assert any(un["function"] == "tomber" for un in erreur["exception"]["values"][-1]["stacktrace"]["frames"])
    assert erreur["request"] == {"method": "POST", "url": "/api/v1/signalements"}
    assert erreur["tags"] == {"requestId": entendu["requestId"]}


def test_ni_le_recit_ni_l_identifiant_ne_partent(entendu):
    tout = json.dumps(entendu["envoyes"], ensure_ascii=False)
    brut = json.dumps(entendu["bruts"], ensure_ascii=False)

    for secret in (RECIT, entendu["guestId"], "0099"):
        assert secret not in tout
    assert RECIT in brut  # which the tracker would have sent


def test_les_lignes_du_journal_ne_partent_pas_quand_leur_crochet_les_jette(entendu):
    assert entendu["lignes"]  # which pass no `before_send`
    assert not any("items" in un for un in entendu["envoyes"])


@pytest.mark.django_db
def test_django_dit_a_qui_l_ecoute_une_erreur_que_personne_n_attend(api, etudiante, monkeypatch):
    recus = []

    def noter(sender, request, **kwargs):
        recus.append((request.path, sys.exc_info()[0]))

    def tomber(**champs):
        raise ZeroDivisionError

    monkeypatch.setattr(services, "creer", tomber)
    got_request_exception.connect(noter)
    try:
        client = api(etudiante)
        refus = [
            client.get("/api/v1/signalements/00000000-0000-4000-8000-000000000000").status_code,
            super(type(client), client)
            .generic(
                "POST",
                "/api/v1/signalements/",
                json.dumps({"titre": "Vol", "description": RECIT, "type": "VOL"}),
                "application/json",
                headers={"Authorization": f"Bearer {client.jeton}"},
            )
            .status_code,
        ]
    finally:
        got_request_exception.disconnect(noter)

    assert refus == [404, 500]
    assert recus == [("/api/v1/signalements/", ZeroDivisionError)]
