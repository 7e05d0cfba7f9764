"""The same Idempotency-Key several times at once, on real connections and on both databases: one row."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import connection, connections, transaction

from accounts.tests.outils import ensemble
from config.tests.contrat.test_idempotence import AVEC_CLE, CLE, ENTETE, Creer, donnees, est_rejouee, verifier_refus
from config.tests.outils import acteur_de, client_de, document
from config.tests.outils.hostiles import contenu_de_la_base, par_operation
from discussions.models import Discussion, Message
from discussions.tests import fabriques as discussions
from guests.tests.fabriques import fusionner
from resources.models import Fichier
from resources.services import fichiers as services_fichiers
from resources.services import ressources as services_ressources
from resources.tests import fabriques as fichiers
from signalements.models import Signalement
from signalements.signals import signalement_cree
from socle.domaine.limites import Taux
from socle.idempotence.creation import CreationDemandee
from socle.idempotence.models import CleUtilisee
from stats.exports import services as services_exports

pytestmark = pytest.mark.django_db(transaction=True)
SIGNALER = "/api/v1/signalements/"
FAITS = {"titre": "Vol", "description": "Un sac, à l'amphi.", "type": "VOL"}
FILS = 4


@pytest.fixture(autouse=True)
def _document_pret() -> None:
    document()


def nombres() -> dict[str, int]:
    return {table: len(lignes) for table, lignes in contenu_de_la_base().items()}


@par_operation(AVEC_CLE)
def test_envoyees_ensemble_elles_n_en_font_qu_une(operation):
    creer = Creer(operation)
    creer.scene.corps(operation.methode, operation.chemin, operation.acteur)
    avant, ranges = nombres(), set(fichiers.stockes("local"))

    reponses = ensemble([creer] * FILS)

    assert [r.status_code for r in reponses] == [201] * FILS, [r.content for r in reponses]
    assert sorted(est_rejouee(r) for r in reponses) == [False] + [True] * (FILS - 1)
    assert [donnees(r) for r in reponses] == [donnees(reponses[0])] * FILS
    assert {n - avant[table] for table, n in nombres().items()} == {0, 1}
    range_un_fichier = operation.chemin.endswith(("/upload", "/export"))
    assert len(set(fichiers.stockes("local")) - ranges) == range_un_fichier


def test_deux_corps_ensemble_un_seul_est_fait(etudiante):
    clients = [client_de(etudiante) for _rang in range(FILS)]

    reponses = ensemble(
        [
            lambda c=c, rang=rang: c.post(SIGNALER, {**FAITS, "titre": f"Vol {rang}"}, headers=ENTETE)
            for rang, c in enumerate(clients)
        ]
    )

    assert sorted(r.status_code for r in reponses) == [201] + [422] * (FILS - 1)
    assert (Signalement.objects.count(), CleUtilisee.objects.count()) == (1, 1)


@pytest.mark.parametrize("tour", range(3))
@pytest.mark.parametrize("persona", ["etudiante", "invite"])
def test_deux_routes_ensemble_ne_se_bloquent_jamais(personne, persona, tour):
    """Each takes the key before the locks of the guest, the account, the discussion."""
    qui = personne(persona)
    discussion = discussions.discussion(acteur_de(qui))
    client = client_de(qui)
    url = f"/api/v1/discussions/{discussion.pk}/messages"

    reponses = ensemble(
        [
            lambda: client.post(url, {"contenu": "Bonjour."}, headers=ENTETE),
            lambda: client.post("/api/v1/fichiers/upload", {"file": fichiers.envoi()}, headers=ENTETE),
            lambda: client.post(SIGNALER, {**FAITS, "reference": "SIG-2026-7K3M9QXT"}, headers=ENTETE),
        ]
    )

    assert sorted(r.status_code for r in reponses) == [201, 422, 422], [r.content for r in reponses]
    assert Message.objects.count() + Fichier.objects.count() + Signalement.objects.count() == 1
    assert Discussion.objects.get().dernier_numero == Message.objects.count()


def test_deux_personnes_ensemble_ne_s_attendent_ni_ne_se_rejouent(etudiante, autre_etudiante, invite, autre_invite):
    clients = [client_de(qui) for qui in (etudiante, autre_etudiante, invite, autre_invite)]

    reponses = ensemble([lambda c=c: c.post(SIGNALER, FAITS, headers=ENTETE) for c in clients])

    assert [(r.status_code, est_rejouee(r)) for r in reponses] == [(201, False)] * 4
    assert Signalement.objects.count() == 4


def test_si_la_premiere_echoue_celle_qui_attendait_la_fait(etudiante):
    clients, echouees = [client_de(etudiante) for _rang in range(2)], []

    def echouer_une_fois(sender: Any, **kwargs: Any) -> None:
        if not echouees:
            echouees.append(1)
            time.sleep(0.3)  # the other one reaches the key
            raise RuntimeError

    with _entendre(echouer_une_fois):
        reponses = ensemble([lambda c=c: c.post(SIGNALER, FAITS, headers=ENTETE) for c in clients])

    # The client of the tests refuses every 500.
    (echec,) = [r for r in reponses if isinstance(r, AssertionError)]
    (faite,) = [r for r in reponses if r is not echec]
    assert (faite.status_code, est_rejouee(faite)) == (201, False)
    assert (Signalement.objects.count(), CleUtilisee.objects.count()) == (1, 1)


@contextmanager
def _entendre(recepteur: Callable[..., None]) -> Iterator[None]:
    signalement_cree.connect(recepteur)
    try:
        yield
    finally:
        signalement_cree.disconnect(recepteur)


def test_qui_attend_trop_longtemps_recoit_503_et_reessaie(etudiante):
    client, tenue, fini = client_de(etudiante), threading.Event(), threading.Event()

    def tenir() -> None:
        """A first call that hangs, then fails."""
        try:
            with transaction.atomic():
                CreationDemandee.de(acteur_de(etudiante), CLE, "la même").prendre()
                tenue.set()
                fini.wait(10)
                transaction.set_rollback(True)
        finally:
            connections.close_all()

    fil = threading.Thread(target=tenir)
    fil.start()
    assert tenue.wait(10)
    with _presse():
        attendue = client.post(SIGNALER, FAITS, headers=ENTETE)
    fini.set()
    fil.join()
    reessai = client.post(SIGNALER, FAITS, headers=ENTETE)

    verifier_refus(attendue, 503, "SERVICE_UNAVAILABLE")
    assert int(attendue.headers["Retry-After"]) > 0
    assert (reessai.status_code, est_rejouee(reessai)) == (201, False)
    assert Signalement.objects.count() == 1


@contextmanager
def _presse() -> Iterator[None]:
    """The waits of this connection end sooner than those of the service."""
    presse, habituel = (
        ("SET lock_timeout = '300ms'", "SET lock_timeout = '8s'")
        if connection.vendor == "postgresql"
        else ("PRAGMA busy_timeout = 300", "PRAGMA busy_timeout = 15000")
    )
    with connection.cursor() as curseur:
        curseur.execute(presse)
        yield
        curseur.execute(habituel)


def test_ensemble_elles_ne_comptent_qu_une_fois_dans_la_cadence(gestionnaire, settings):
    settings.THROTTLE_ENABLED = True
    settings.THROTTLES = {**settings.THROTTLES, "report": Taux(FILS, 86_400)}
    clients = [client_de(gestionnaire) for _rang in range(FILS)]

    reponses = ensemble([lambda c=c: c.post(SIGNALER, FAITS, headers=ENTETE) for c in clients])
    suivantes = [clients[0].post(SIGNALER, FAITS).status_code for _fois in range(FILS)]

    assert [r.status_code for r in reponses] == [201] * FILS
    assert suivantes == [201] * (FILS - 1) + [429]


@pytest.mark.parametrize(
    ("limite", "url", "corps", "travail"),
    [
        ("upload", "/api/v1/fichiers/upload", lambda: {"file": fichiers.envoi()}, (services_fichiers, "televerser")),
        (
            "upload",
            "/api/v1/ressources/upload",
            lambda: {"file": fichiers.envoi_d_image()},
            (services_ressources, "televerser_ressource"),
        ),
        ("export", "/api/v1/stats/signalements/export", lambda: {"format": "csv"}, (services_exports, "demander")),
    ],
)
def test_ce_qui_se_prepare_avant_la_cle_compte_autant_de_fois_qu_il_est_prepare(
    gestionnaire, settings, monkeypatch, limite, url, corps, travail
):
    settings.THROTTLE_ENABLED = True
    settings.THROTTLES = {**settings.THROTTLES, limite: Taux(FILS, 86_400)}
    clients, faits = [client_de(gestionnaire) for _rang in range(FILS)], []
    preparer = getattr(*travail)
    monkeypatch.setattr(*travail, lambda **quoi: (faits.append(1), preparer(**quoi))[1])

    reponses = ensemble([lambda c=c: c.post(url, corps(), headers=ENTETE) for c in clients])
    comptes = len(faits)
    suivantes = [clients[0].post(url, corps()).status_code for _fois in range(FILS)]

    assert [r.status_code for r in reponses] == [201] * FILS
    assert suivantes == [201] * (FILS - comptes) + [429] * comptes


@pytest.mark.parametrize("tour", range(3))
def test_la_derniere_place_prise_par_l_une_ne_refuse_pas_les_autres(etudiante, settings, tour):
    settings.FILE_QUOTA_OCTETS = len(fichiers.CONTENU)
    clients = [client_de(etudiante) for _rang in range(FILS)]

    reponses = ensemble(
        [lambda c=c: c.post("/api/v1/fichiers/upload", {"file": fichiers.envoi()}, headers=ENTETE) for c in clients]
    )

    assert [r.status_code for r in reponses] == [201] * FILS, [r.content for r in reponses]
    assert Fichier.objects.count() == 1


@pytest.mark.postgres
@pytest.mark.parametrize("tour", range(3))
def test_un_invite_que_l_on_rattache_cree_avant_ou_apprend_qu_il_l_est(etudiante, invite, tour):
    client = client_de(invite)

    *reponses, _fusion = ensemble(
        [lambda: client.post(SIGNALER, FAITS, headers=ENTETE)] * 3 + [lambda: fusionner(invite, etudiante)]
    )

    assert {r.status_code for r in reponses} <= {201, 409}
    assert {r.json()["code"] for r in reponses if r.status_code == 409} <= {"GUEST_SESSION_MERGED"}
    assert Signalement.objects.count() <= 1
    assert Signalement.objects.filter(compte=etudiante).count() == Signalement.objects.count()
