"""Journeys of people through real server processes: SQLite and one process, PostgreSQL, Redis and two."""

import re
import shutil
import signal
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

import httpx
import pytest

from config.tests.outils.serveur import Api, Prise, Serveur, attendre, base_neuve, services
from demo.textes import ADMIN, GESTIONNAIRE, MOT_DE_PASSE

pytestmark = pytest.mark.parcours
TELEPHONE = "+243812345621"
COURRIEL = "ruth.okello@campus.example"


class Service(NamedTuple):
    """Two ways in: sockets are opened on one, acts are done on the other; a single process is both."""

    ecoute: Serveur
    actes: Serveur

    @property
    def processus(self) -> list[Serveur]:
        return list(dict.fromkeys(self))

    @property
    def journal(self) -> str:
        return "".join(serveur.journal.read_text() for serveur in self.processus)

    def connecter(self, email: str, mot_de_passe: str = MOT_DE_PASSE) -> Api:
        ouverte = self.actes.client()("POST", "/auth/login", {"email": email, "motDePasse": mot_de_passe})
        return self.actes.client(jeton=ouverte["token"])


class Installation(NamedTuple):
    """A service that has been started once; the settings are {} on SQLite."""

    dossier: Path
    reglages: dict[str, str]


@pytest.fixture(scope="module")
def installation(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    """What the first start makes of an empty folder and an empty database: each journey goes on from a copy."""
    dossier = tmp_path_factory.mktemp("installation")
    with ExitStack() as pile:
        reglages = pile.enter_context(services())
        premier = Serveur(dossier, **reglages)
        pile.callback(premier.tuer)
        premier.demarrer()
        assert premier.terminer() == 0
        yield Installation(dossier, reglages)


@pytest.fixture
def service(installation: Installation, tmp_path: Path) -> Iterator[Service]:
    shutil.copytree(installation.dossier, tmp_path, dirs_exist_ok=True)
    reglages = installation.reglages
    with ExitStack() as pile:
        if reglages:
            copie = pile.enter_context(base_neuve(reglages["DATABASE_URL"], copie=True))
            reglages = {**reglages, "DATABASE_URL": copie}
        serveurs = [Serveur(tmp_path, **reglages) for _rang in range(2 if reglages else 1)]
        for rang, serveur in enumerate(serveurs):
            pile.callback(serveur.tuer)
            serveur.demarrer(*(["--no-migrate"] if rang else []))
        yield Service(serveurs[0], serveurs[-1])


def test_un_invite_signale_et_suit_son_dossier_que_l_equipe_traite(service):
    gestionnaire = service.connecter(GESTIONNAIRE.email)
    signalements = _ecouter(service, "signalements", token=gestionnaire.jeton)
    tableau = _ecouter(service, "dashboard", token=gestionnaire.jeton)

    guest_id = service.actes.client()("POST", "/guest/sessions", {"telephone": TELEPHONE}, statut=201)["guestId"]
    invite = service.actes.client(guest_id=guest_id)
    dossier = _signaler(invite)

    annonce = signalements.attendre("signalement_created")["payload"]
    alerte = tableau.attendre("alert_created")["payload"]
    assert annonce["id"] == alerte["signalementId"] == dossier["id"]
    assert guest_id not in str([annonce, alerte])

    le_sien = _ecouter(service, f"signalement:{dossier['id']}", guestId=guest_id)
    equipe = _ecouter(service, f"signalement:{dossier['id']}", token=gestionnaire.jeton)
    _traiter(gestionnaire, dossier["id"])

    assert le_sien.attendre("signalement_statut_updated")["payload"]["statut"] == "EN_COURS"
    assert le_sien.attendre("signalement_timeline_updated")["payload"]["nouveauStatut"] == "EN_COURS"
    assert equipe.attendre("signalement_note_added")["payload"]["contenu"] == "Appelée ce matin."
    _verifier_le_suivi(invite, dossier["reference"])

    gestionnaire("POST", "/auth/logout")

    assert [prise.code_de_fermeture() for prise in (signalements, tableau, equipe)] == [4001, 4001, 4001]
    assert "signalement_note_added" not in le_sien.types
    assert "Appelée" not in str(le_sien.recus)
    assert guest_id not in str([*signalements.recus, *tableau.recus, *equipe.recus])
    _verifier_le_journal(service, guest_id, gestionnaire.jeton, TELEPHONE, GESTIONNAIRE.email)


def test_un_invite_rattache_son_dossier_a_son_compte_et_poursuit_sans_rien_perdre(service):
    gestionnaire = service.connecter(GESTIONNAIRE.email)
    guest_id = service.actes.client()("POST", "/guest/sessions", {"telephone": TELEPHONE}, statut=201)["guestId"]
    invite = service.actes.client(guest_id=guest_id)
    dossier = _signaler(invite)
    ouverte = {"titre": "Suites", "signalementId": dossier["id"]}
    canal = f"discussion:{invite('POST', '/discussions/', ouverte, statut=201)['id']}"
    la_sienne = _ecouter(service, canal, guestId=guest_id)
    equipe = _ecouter(service, canal, token=gestionnaire.jeton)
    du_dossier = _ecouter(service, f"signalement:{dossier['id']}", token=gestionnaire.jeton)
    _converser(canal, (invite, "Est-ce bien reçu ?"), (gestionnaire, "Oui, nous vous lisons."))
    assert [_entendre_deux_messages(prise) for prise in (la_sienne, equipe)] == [
        [(1, "Est-ce bien reçu ?"), (2, "Oui, nous vous lisons.")]
    ] * 2

    elle = _s_inscrire(service)
    du_compte = _signaler(elle, reference=dossier["reference"], modeIdentification="ANONYME")
    _rattacher(elle, guest_id, dossier["id"], du_compte["id"])

    assert la_sienne.code_de_fermeture() == 4001
    invite("GET", "/guest/suivi", statut=409)
    _verifier_que_tout_est_la(elle, canal, du_compte["id"])

    chez_elle = _ecouter(service, canal, token=elle.jeton)
    _converser(canal, (elle, "Me voici avec un compte."), (gestionnaire, "Bienvenue."))

    recus = [[prise.attendre("message_created")["payload"] for _rang in range(2)] for prise in (equipe, chez_elle)]
    assert recus[0] == recus[1]
    assert [(m["numeroSequence"], m["contenu"]) for m in recus[0]] == [
        (3, "Me voici avec un compte."),
        (4, "Bienvenue."),
    ]
    assert recus[0][0]["auteurNom"] == "Anonyme"
    gestionnaire("POST", f"/signalements/{dossier['id']}/notes", {"contenu": "À rappeler."}, statut=201)
    assert du_dossier.attendre("signalement_note_added")["payload"]["contenu"] == "À rappeler."
    # The demonstration promises dates: each report had one, that a message of the team has kept.
    tenues = ["signalement_timeline_updated"] * 2
    assert du_dossier.types == ["connected", *tenues, "signalement_note_added"]
    entendu = str([*equipe.recus, *du_dossier.recus])
    assert not [secret for secret in (guest_id, "Okello", "Ruth") if secret in entendu]
    _verifier_le_journal(service, guest_id, elle.jeton, TELEPHONE, COURRIEL)


def test_un_socket_qui_revient_rattrape_ce_qu_il_a_manque(service):
    gestionnaire = service.connecter(GESTIONNAIRE.email)
    guest_id = service.actes.client()("POST", "/guest/sessions", {"telephone": TELEPHONE}, statut=201)["guestId"]
    dossier = _signaler(service.actes.client(guest_id=guest_id))
    canal = f"signalement:{dossier['id']}"
    prise = _ecouter(service, canal, guestId=guest_id)
    gestionnaire("PUT", f"/signalements/{dossier['id']}/statut", {"statut": "EN_ATTENTE"})
    prise.attendre("signalement_timeline_updated")

    prise.fermer()
    gestionnaire("POST", f"/signalements/{dossier['id']}/notes", {"contenu": "Pour l'équipe."}, statut=201)
    gestionnaire("PUT", f"/signalements/{dossier['id']}/statut", {"statut": "TRAITE"})
    retour = _ecouter(service, canal, guestId=guest_id, depuis=prise.dernier)

    assert retour.attendre("signalement_timeline_updated")["payload"]["nouveauStatut"] == "TRAITE"
    assert retour.types == ["connected", "signalement_statut_updated", "signalement_timeline_updated"]
    manques = service.actes.client(guest_id=guest_id)("GET", f"/evenements?canal={canal}&depuis={prise.dernier}")
    assert manques == retour.recus[1:]


def test_une_personne_invitee_cree_son_compte_par_le_lien_recu(service):
    admin = service.connecter(ADMIN.email)
    email = "nouvelle.venue@campus.example"

    invitation = admin("POST", "/comptes/invitations", {"email": email, "typeUtilisateur": "GESTIONNAIRE"}, statut=201)
    lien = attendre(lambda: _lien_recu(service), "le courriel d'invitation", 15)
    assert invitation["statut"] == "PENDING"

    _creer_le_compte(service, lien)

    arrivee = service.connecter(email, "Nouvelle-venue-2026")
    assert arrivee("GET", "/auth/validate")["typeUtilisateur"] == "GESTIONNAIRE"
    arrivee("GET", "/signalements/non-traites")
    acceptee = admin("GET", "/comptes/invitations?statut=ACCEPTED")["items"]
    assert [i["invitationId"] for i in acceptee] == [invitation["invitationId"]]
    assert httpx.get(lien).status_code == 404
    _verifier_le_journal(service, lien.partition("token=")[2], arrivee.jeton, email)


def test_le_service_s_arrete_proprement_sur_sigterm(service):
    gestionnaire = service.connecter(GESTIONNAIRE.email)
    prise = _ecouter(service, "signalements", token=gestionnaire.jeton)

    codes = [serveur.terminer() for serveur in service.processus]

    assert set(codes) <= {0, -signal.SIGTERM}
    assert prise.code_de_fermeture() == 1012  # service restart: the client comes back
    assert '"level":"ERROR"' not in service.journal
    assert "Traceback" not in service.journal


def _ecouter(service: Service, canal: str, **parametres: str) -> Prise:
    prise = service.ecoute.ecouter(canal, **parametres)
    prise.attendre("connected")
    return prise


def _signaler(qui: Api, **champs: str) -> dict[str, str]:
    corps = {"titre": "Remarques déplacées", "description": "Devant l'amphi, deux fois.", "type": "HARCELEMENT"}
    return qui("POST", "/signalements/", {**corps, **champs}, statut=201)


def _converser(canal: str, *paroles: tuple[Api, str]) -> None:
    for qui, contenu in paroles:
        qui("POST", f"/discussions/{canal.partition(':')[2]}/messages", {"contenu": contenu}, statut=201)


def _entendre_deux_messages(prise: Prise) -> list[tuple[int, str]]:
    charges = [prise.attendre("message_created")["payload"] for _rang in range(2)]
    return [(charge["numeroSequence"], charge["contenu"]) for charge in charges]


def _s_inscrire(service: Service) -> Api:
    corps = {"email": COURRIEL, "motDePasse": "Amphi-B-2027-rive", "nom": "Okello", "prenom": "Ruth"}
    service.actes.client()("POST", "/auth/signup", corps, statut=201)
    return service.connecter(COURRIEL, "Amphi-B-2027-rive")


def _rattacher(elle: Api, guest_id: str, apporte: str, du_compte: str) -> None:
    """Preview, merge with an answer to the one conflict, and the same call again."""
    session = f"/guest/sessions/{guest_id}"
    apercu = elle("GET", f"{session}/merge-preview")
    assert (apercu["canMerge"], apercu["counts"]["messages"]) == (True, 1)
    (conflit,) = apercu["conflicts"]
    paire = {nom: conflit[nom] for nom in ("level", "guestEntityId", "targetEntityId")}
    assert paire == {"level": "SIGNALEMENT", "guestEntityId": apporte, "targetEntityId": du_compte}
    corps = {"resolutions": [{**paire, "action": "MERGE_FIELDS"}], "planDigest": apercu["planDigest"]}
    fait, refait = (elle("POST", f"{session}/merge", corps, Idempotency_Key="un-seul-essai") for _rang in range(2))
    assert fait == refait
    assert (fait["merged"], fait["migratedCounts"]) == (True, apercu["counts"])


def _verifier_que_tout_est_la(elle: Api, canal: str, dossier: str) -> None:
    discussion = f"/discussions/{canal.partition(':')[2]}"
    assert [d["id"] for d in elle("GET", "/signalements/me")["items"]] == [dossier]
    assert elle("GET", discussion)["signalementId"] == dossier
    assert elle("GET", discussion)["messagesNonLusCount"] == 1
    histoire = elle("GET", f"/signalements/{dossier}/timeline")
    assert [e["type"] for e in histoire] == ["CREATION", "ECHEANCE", "CREATION", "FUSION"]
    messages = elle("GET", f"{discussion}/messages")["items"]
    assert [(m["numeroSequence"], m["contenu"], m["estFusionne"]) for m in messages] == [
        (1, "Est-ce bien reçu ?", True),
        (2, "Oui, nous vous lisons.", False),
    ]


def _traiter(gestionnaire: Api, identifiant: str) -> None:
    moi = gestionnaire("GET", "/comptes/me")["id"]
    gestionnaire("PUT", f"/signalements/{identifiant}/assigner", {"gestionnaireId": moi})
    gestionnaire("POST", f"/signalements/{identifiant}/notes", {"contenu": "Appelée ce matin."}, statut=201)
    gestionnaire("PUT", f"/signalements/{identifiant}/statut", {"statut": "EN_COURS"})


def _verifier_le_suivi(invite: Api, reference: str) -> None:
    resume = invite("GET", "/guest/suivi")["items"]
    detail = invite("GET", f"/guest/suivi/{reference}")
    assert [(r["reference"], r["statut"], r["statutCanonique"]) for r in resume] == [
        (reference, "EN_COURS", "IN_PROGRESS")
    ]
    assert [e["type"] for e in detail["timeline"]] == ["CREATION", "ASSIGNATION", "STATUT", "STATUT"]
    assert {e["auteurNom"] for e in detail["timeline"]} == {"Invité", "Équipe"}
    assert detail["signalement"]["gestionnaireId"] is None
    assert "Appelée" not in str(detail)


def _lien_recu(service: Service) -> str | None:
    for serveur in service.processus:
        trouve = re.search(r"https?://\S+/invitation(\?token=\S+)", serveur.sortie.read_text())
        if trouve:
            return service.actes.url + "/invitation" + trouve.group(1)
    return None


def _creer_le_compte(service: Service, lien: str) -> None:
    with httpx.Client() as navigateur:
        page = navigateur.get(lien)
        assert page.status_code == 200
        caches = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]+)"', page.text))
        formulaire = {**caches, "prenom": "Léa", "nom": "Moreau", "mot_de_passe": "Nouvelle-venue-2026"}
        fait = navigateur.post(
            f"{service.actes.url}/invitation", data=formulaire, headers={"Origin": service.actes.url}
        )
    assert "Votre compte est créé" in fait.text, fait.text


def _verifier_le_journal(service: Service, *secrets: str) -> None:
    """What a log may not hold; it does hold the routes, which shows that it was written."""
    journal = service.journal
    assert '"route"' in journal
    for secret in secrets:
        assert secret not in journal
