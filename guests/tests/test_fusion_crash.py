"""A server that dies in the middle of a merge: all of it happened, or nothing, and the same call finishes it."""

import signal
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import pytest

from accounts.tests.fabriques import MOT_DE_PASSE
from config.tests.outils import acteur_de
from config.tests.outils.serveur import Api, Serveur, services
from discussions.tests import fabriques as conversations
from guests.fusion.execution import fusionner
from guests.signals import etape_franchie
from guests.tests.panne import VALIDEE
from signalements.tests import fabriques as dossiers

# What a merge passes, in order; the first test holds this list against a merge.
ETAPES = ("verrous", "signalements", "discussions", "session", "audit")
CAS = {
    "titre": "Sac volé",
    "description": "Mon sac a disparu à la bibliothèque.",
    "type": "VOL",
    "modeIdentification": "ANONYME",
}


class Personnes(NamedTuple):
    """A guest and an account that have the same case, and a discussion of it each."""

    guest_id: str
    email: str
    jeton: str
    dossiers: tuple[str, str]
    discussions: tuple[str, str]


@pytest.mark.django_db
def test_chaque_etape_d_une_fusion_a_sa_panne(etudiante, invite):
    for qui in (etudiante, invite):
        dossier = dossiers.signalement(acteur_de(qui), mode_identification="ANONYME")
        conversations.message(acteur_de(qui), conversations.discussion(acteur_de(qui), signalement=dossier))
    franchies: list[str] = []

    def noter(sender: Any, etape: str, **kwargs: Any) -> None:
        franchies.append(etape)

    etape_franchie.connect(noter)
    try:
        fusionner(session=invite, compte=etudiante, cle="la-cle", accept_policy="MERGE_ALL")
    finally:
        etape_franchie.disconnect(noter)

    assert tuple(franchies) == ETAPES


@pytest.fixture(scope="module")
def reglages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """Of one database for all the crashes; each has its own people in it."""
    # Elsewhere than on a laptop: no demonstration is installed.
    reglages = {"DATA_DIR": str(tmp_path_factory.mktemp("panne")), "PUBLIC_URL": "http://campus.example"}
    with ExitStack() as pile:
        if siens := pile.enter_context(services()):
            reglages = {**siens, **reglages, "DEMO": "0"}
        Serveur(Path(reglages["DATA_DIR"]), **reglages).commander("migrate")
        yield reglages


@pytest.fixture
def lancer(reglages: dict[str, str]) -> Iterator[Any]:
    """lancer(PANNE="audit"): a service that will die there; without it, one that will not."""
    with ExitStack() as pile:

        def demarrer(**autres: str) -> Serveur:
            panne = {"DJANGO_SETTINGS_MODULE": "guests.tests.reglages_de_panne"} if autres else {}
            serveur = Serveur(Path(reglages["DATA_DIR"]), **reglages, **panne, **autres)
            pile.callback(serveur.tuer)
            serveur.demarrer("--no-migrate")
            return serveur

        yield demarrer


@pytest.mark.parcours
@pytest.mark.parametrize("etape", [*ETAPES, VALIDEE])
def test_un_processus_tue_pendant_une_fusion_la_laisse_entiere_ou_absente(lancer, etape):
    condamne = lancer(PANNE=etape)
    gens = _installer(condamne, etape)

    with pytest.raises(httpx.TransportError):
        _fusionner(condamne.client(jeton=gens.jeton), gens)
    assert condamne.attendre_la_fin() == -signal.SIGKILL

    releve = lancer()
    statut = releve.client()("GET", f"/guest/sessions/{gens.guest_id}")["statut"]
    assert statut == ("MERGED" if etape == VALIDEE else "ACTIVE")
    _verifier_que_tout_est_au_compte(releve, gens) if statut == "MERGED" else _verifier_que_rien_n_a_bouge(releve, gens)

    resultat = _fusionner(releve.client(jeton=gens.jeton), gens)

    assert resultat["migratedCounts"] == {"signalements": 1, "discussions": 1, "messages": 2, "suivis": 1}
    _verifier_que_tout_est_au_compte(releve, gens)
    assert _fusionner(releve.client(jeton=gens.jeton), gens) == resultat
    assert "toutes justes" in releve.commander("merge_audit", "verify")


def _installer(serveur: Serveur, nom: str) -> Personnes:
    email = f"personne-{[*ETAPES, VALIDEE].index(nom)}@campus.example"
    corps = {"email": email, "motDePasse": MOT_DE_PASSE, "nom": "Okello", "prenom": "Ruth"}
    serveur.client()("POST", "/auth/signup", corps, statut=201)
    jeton = serveur.client()("POST", "/auth/login", {"email": email, "motDePasse": MOT_DE_PASSE})["token"]
    guest_id = serveur.client()("POST", "/guest/sessions", {"telephone": "+243812345621"}, statut=201)["guestId"]
    siens = _signaler_et_ecrire(serveur.client(guest_id=guest_id), "Bonjour.", "Êtes-vous là ?")
    du_compte = _signaler_et_ecrire(serveur.client(jeton=jeton), "C'est encore moi.")
    return Personnes(guest_id, email, jeton, *zip(siens, du_compte, strict=True))


def _signaler_et_ecrire(qui: Api, *contenus: str) -> tuple[str, str]:
    dossier = qui("POST", "/signalements/", CAS, statut=201)["id"]
    discussion = qui("POST", "/discussions/", {"titre": "Suites", "signalementId": dossier}, statut=201)["id"]
    for contenu in contenus:
        qui("POST", f"/discussions/{discussion}/messages", {"contenu": contenu}, statut=201)
    return dossier, discussion


def _fusionner(elle: Api, gens: Personnes) -> Any:
    chemin = f"/guest/sessions/{gens.guest_id}/merge"
    return elle("POST", chemin, {"acceptPolicy": "MERGE_ALL"}, Idempotency_Key=f"cle de {gens.email}")


def _verifier_que_rien_n_a_bouge(serveur: Serveur, gens: Personnes) -> None:
    invite, elle = serveur.client(guest_id=gens.guest_id), serveur.client(jeton=gens.jeton)
    (suivi,) = invite("GET", "/guest/suivi")["items"]
    assert (suivi["signalementId"], suivi["discussionIds"]) == (gens.dossiers[0], [gens.discussions[0]])
    assert _conversation(invite, gens.discussions[0]) == [(1, "Bonjour."), (2, "Êtes-vous là ?")]
    assert [d["id"] for d in elle("GET", "/signalements/me")["items"]] == [gens.dossiers[1]]
    assert [d["id"] for d in elle("GET", "/discussions/")["items"]] == [gens.discussions[1]]
    assert _conversation(elle, gens.discussions[1]) == [(1, "C'est encore moi.")]
    elle("GET", f"/signalements/{gens.dossiers[0]}", statut=403)


def _verifier_que_tout_est_au_compte(serveur: Serveur, gens: Personnes) -> None:
    """One case, one conversation; what the guest's ids led to leads to them."""
    invite, elle = serveur.client(guest_id=gens.guest_id), serveur.client(jeton=gens.jeton)
    invite("GET", "/guest/suivi", statut=409)
    assert [d["id"] for d in elle("GET", "/signalements/me")["items"]] == [gens.dossiers[1]]
    assert [d["id"] for d in elle("GET", "/discussions/")["items"]] == [gens.discussions[1]]
    for discussion in gens.discussions:
        assert _conversation(elle, discussion) == [(1, "Bonjour."), (2, "Êtes-vous là ?"), (3, "C'est encore moi.")]
    assert elle("GET", f"/signalements/{gens.dossiers[0]}")["id"] == gens.dossiers[1]


def _conversation(qui: Api, discussion: str) -> list[tuple[int, str]]:
    messages = qui("GET", f"/discussions/{discussion}/messages")["items"]
    return [(message["numeroSequence"], message["contenu"]) for message in messages]
