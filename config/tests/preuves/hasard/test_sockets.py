"""Sockets of a real server: addresses and frames that no client writes, floods, slow readers, thousands that wait."""

import asyncio
import json
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import quote

import pytest

from config.tests.outils.serveur import Serveur, attendre
from config.tests.preuves.hasard.acteurs import Actrice
from config.tests.preuves.hasard.bilan import en_bref
from config.tests.preuves.hasard.trames import FIN, HOSTILES, TEXTE, PriseBrute, trame, trame_au_hasard
from config.tests.preuves.hasard.valeurs import TEXTES, texte_au_hasard
from demo.bench.connexion import Prise

pytestmark = pytest.mark.preuve
PAR_PERSONNE = 20
PERMIS = {0, 1000, 1002, 1003, 1007, 1009, 4001, 4003}  # 0: the connection just ends; never 1011
CANAUX = ("admin", "signalements", "dashboard", "calendriers", "signalement:", "discussion:", "user:", "poste:", "")
# Many people at once: their passwords are never used, so none is hashed.
OUVRIR = """
from accounts.models import Compte, Session
from accounts.services.sessions import _ouvrir
for rang in range({nombre}):
    compte = Compte.objects.create(email=f"oreille{{rang}}@campus.example", nom="Okafor", prenom="Inès",
                                   type_utilisateur="GESTIONNAIRE")
    print("jeton", _ouvrir(Session(compte=compte)).token)
"""


@pytest.fixture(scope="module")
def gestionnaire(service: Serveur) -> Actrice:
    return Actrice(service, "gestionnaire")


@pytest.fixture(scope="module")
def jeton(gestionnaire: Actrice) -> str:
    return gestionnaire.secret.removeprefix("Bearer ")


@pytest.fixture
def temoin(service: Serveur, jeton: str) -> Iterator[PriseBrute]:
    """A socket that was open before, and must still be answered after."""
    with PriseBrute(service.port, f"/ws/calendriers?token={jeton}") as ouverte:
        assert ouverte.statut == 101
        yield ouverte
        ouverte.envoyer(trame(TEXTE, b"ping"))
        ouverte.attendre_le_texte(b"pong")


def test_une_adresse_de_socket_est_refusee_ou_ouverte_sans_panne(service, course, jeton, temoin, chiffre):
    hasard = Random(course.graine)
    combien = max(100, course.requetes // 20)
    recus: dict[str, int] = {}

    for _rang in range(combien):
        cible = _cible(hasard, jeton)
        with PriseBrute(service.port, cible) as prise:
            assert prise.statut in (101, 400, 403, 404), f"{prise.statut} : {cible}"
            fin = "refus"
            if prise.statut == 101:
                prise.envoyer(trame(FIN, b"\x03\xe8"))
                code = prise.code_de_fin()
                assert code in PERMIS, f"{code} : {cible}"
                fin = str(code)
        recus[fin] = recus.get(fin, 0) + 1

    chiffre("sockets, adresses", en_bref(ouvertures=combien, fins=recus))
    assert _fautes_au_journal(service) == []


@pytest.mark.parametrize("nom", HOSTILES)
def test_une_trame_hostile_ne_ferme_que_son_socket(service, jeton, temoin, nom):
    octets, permis = HOSTILES[nom]

    with PriseBrute(service.port, f"/api/v1/ws/signalements?token={jeton}") as prise:
        prise.envoyer(octets)
        if permis == {None}:
            prise.envoyer(trame(TEXTE, b"ping"))
            prise.attendre_le_texte(b"pong")
        else:
            assert prise.code_de_fin() in permis

    assert _fautes_au_journal(service) == []


def test_des_trames_au_hasard_ne_font_aucune_panne(service, course, jeton, temoin, chiffre):
    hasard = Random(course.graine)
    combien = max(50, course.requetes // 40)
    codes: dict[str, int] = {}

    for _rang in range(combien):
        with PriseBrute(service.port, f"/ws/dashboard?token={jeton}") as prise:
            prise.envoyer(b"".join(trame_au_hasard(hasard) for _fois in range(hasard.randint(1, 12))))
            prise.envoyer(trame(FIN, b"\x03\xe8"))
            code = prise.code_de_fin()
            assert code in PERMIS, code
            codes[str(code)] = codes.get(str(code), 0) + 1

    chiffre("sockets, trames au hasard", en_bref(sockets=combien, fins=codes))
    assert _fautes_au_journal(service) == []


def test_une_personne_n_a_que_tant_de_sockets_et_les_rend(service, jeton):
    cible = f"/ws/calendriers?token={jeton}"
    for _fois in range(2):
        ouvertes = [PriseBrute(service.port, cible) for _rang in range(PAR_PERSONNE + 10)]

        premieres = [prise.entendre() for prise in ouvertes]

        assert [code for code, _corps in premieres].count(TEXTE) == PAR_PERSONNE
        assert {corps[:2] for code, corps in premieres if code == FIN} == {(4008).to_bytes(2, "big")}
        for prise in ouvertes:
            prise.envoyer(trame(FIN, b"\x03\xe8"))
            with prise:
                prise.code_de_fin()


def test_qui_ne_lit_pas_ne_coute_qu_a_lui_meme(service, course, jeton, chiffre):
    api = service.client(jeton=jeton)
    canal = f"discussion:{api('POST', '/discussions/', {'titre': 'Suites'}, statut=201)['id']}"
    cible = f"/ws/{canal}?token={jeton}"
    sourdes = [PriseBrute(service.port, cible, tampon=4_096) for _rang in range(10)]
    debut = time.monotonic()
    avant = _memoire(service.pid)
    attentes = []

    with PriseBrute(service.port, cible) as temoin:
        assert json.loads(temoin.entendre()[1])["type"] == "connected"
        for rang in range(course.evenements):
            api("POST", f"/{canal.replace(':', 's/')}/messages", {"contenu": f"{rang} {'a' * 8_000}"}, statut=201)
            ecrit = time.monotonic()
            assert _contenu(temoin).startswith(f"{rang} ")
            attentes.append(time.monotonic() - ecrit)
        apres = _memoire(service.pid)

    # Read too early, those whose last bytes the kernel took are only slow, and stay.
    ports = {sourde.port for sourde in sourdes}
    attendre(lambda: not ports & _tenus_par(service.port), "les sockets qui ne lisent pas sont fermés", 120)
    for sourde in sourdes:
        with sourde:
            # 1013 once nothing more can be written to it; 1011 where the kernel took it all, and no ping was answered.
            assert sourde.code_de_fin() in (1006, 1011, 1013)
    croissance = (apres - avant) / 2**20
    mesures = en_bref(
        sourdes=len(sourdes),
        evenements=course.evenements,
        attente_mediane_ms=round(1000 * sorted(attentes)[len(attentes) // 2], 1),
        attente_la_plus_longue_ms=round(1000 * max(attentes), 1),
        memoire_en_plus_Mio=round(croissance, 1),
        secondes=round(time.monotonic() - debut, 1),
    )
    chiffre("sockets, lecteurs lents", mesures)
    # Unread, all of it would take 8 KB for each event and socket.
    assert croissance < 48
    assert _fautes_au_journal(service) == []


def test_des_sockets_qui_attendent_restent_et_rendent_tout(service, course, chiffre):
    jetons = _jetons(service, -(-course.prises // PAR_PERSONNE))
    asyncio.run(_Foule(service, jetons[:1]).attendre(1, 0))  # warms up
    descripteurs = _descripteurs(service.pid)

    foule = _Foule(service, jetons)
    asyncio.run(foule.attendre(course.prises, course.repos))

    attendre(lambda: _descripteurs(service.pid) <= descripteurs, "les descripteurs rendus", 30)
    mesures = en_bref(
        sockets=course.prises,
        comptes=len(jetons),
        secondes=course.repos,
        Kio_chacun=round(foule.octets / course.prises / 1024, 1),
        perdus=foule.perdus,
        ont_entendu=foule.entendus,
    )
    chiffre("sockets, ceux qui attendent", mesures)
    assert (foule.perdus, foule.entendus) == (0, course.prises)
    assert _fautes_au_journal(service) == []


class _Foule:
    """Sockets of many people on `calendriers`, who hear one event at the end."""

    def __init__(self, service: Serveur, jetons: list[str]) -> None:
        self._service, self._jetons = service, jetons
        self._prises: list[Prise] = []
        self.connectees = self.entendus = self.perdus = 0
        self.octets = 0.0

    async def attendre(self, nombre: int, secondes: int) -> None:
        avant = _memoire(self._service.pid)
        boucle = asyncio.get_running_loop()
        for rang in range(nombre):
            jeton = self._jetons[rang % len(self._jetons)]
            _transport, prise = await boucle.create_connection(
                lambda jeton=jeton: Prise("calendriers", jeton, self._entendre), "127.0.0.1", self._service.port
            )
            self._prises.append(prise)
        await self._jusqu_a(lambda: self.connectees == nombre)
        self.octets = _memoire(self._service.pid) - avant
        await asyncio.sleep(secondes)
        self.perdus = sum(prise.fermee for prise in self._prises)
        await asyncio.to_thread(self._publier)
        await self._jusqu_a(lambda: self.entendus == nombre)
        for prise in self._prises:
            prise.fermer()

    def _publier(self) -> None:
        evenement = {"titre": "Veillée", "type": "ATELIER", "dateDebut": "2027-03-01T14:00:00Z"}
        api = self._service.client(jeton=self._jetons[0])
        api("POST", "/calendriers/", {**evenement, "dateFin": "2027-03-01T16:00:00Z"}, statut=201)

    def _entendre(self, trame: bytes) -> None:
        if b'"event_created"' in trame:
            self.entendus += 1
        elif b'"connected"' in trame:
            self.connectees += 1

    async def _jusqu_a(self, condition: Any) -> None:
        """Until it is so, or a minute has passed: the numbers are judged at the end."""
        limite = time.monotonic() + 60
        while not condition() and time.monotonic() < limite:  # noqa: ASYNC110 -- the frames count, they wake nobody
            await asyncio.sleep(0.05)


def _cible(hasard: Random, jeton: str) -> str:
    texte = hasard.choice(TEXTES) if hasard.random() < 0.5 else texte_au_hasard(hasard)
    cite = quote(texte.encode("utf-8", "surrogatepass")[:2_000], safe=hasard.choice(("", "/:")))
    racine = hasard.choice(("/api/v1/ws/", "/ws/", "/ws", "/api/v1/ws/../", "/api/v2/ws/", "//ws/"))
    question = hasard.choice(
        (
            f"token={jeton}",
            f"token={jeton}&depuis={cite}",
            f"token={cite}",
            f"token={jeton}&token=x",
            f"guestId={cite}",
            f"portail={cite}",
            "token=%FF%FE",
            f"{cite}={cite}",
            "",
        )
    )
    return f"{racine}{hasard.choice(CANAUX)}{cite if hasard.random() < 0.7 else ''}?{question}"


def _contenu(prise: PriseBrute) -> str:
    """The text of the next message that this socket hears."""
    while (enveloppe := json.loads(prise.entendre()[1]))["type"] != "message_created":
        continue
    contenu: str = enveloppe["payload"]["contenu"]
    return contenu


def _jetons(service: Serveur, nombre: int) -> list[str]:
    dit = service.commander("shell", "-c", OUVRIR.format(nombre=nombre), secondes=120)
    return [ligne.removeprefix("jeton ") for ligne in dit.splitlines() if ligne.startswith("jeton ")]


def _memoire(pid: int) -> float:
    """Octets of this process that are its own."""
    lignes = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii").splitlines()
    return 1024.0 * int(next(ligne for ligne in lignes if ligne.startswith("Pss:")).split()[1])


def _tenus_par(port: int) -> set[int]:
    """The ports of the clients whose connection a server on this port has not ended."""
    etablies = [ligne.split()[1:4] for ligne in Path("/proc/net/tcp").read_text(encoding="ascii").splitlines()[1:]]
    return {
        int(client.rpartition(":")[2], 16)
        for ici, client, etat in etablies
        if etat == "01" and int(ici.rpartition(":")[2], 16) == port
    }


def _descripteurs(pid: int) -> int:
    return len(list(Path(f"/proc/{pid}/fd").iterdir()))


def _fautes_au_journal(service: Serveur) -> list[str]:
    """What the service logged as its own fault."""
    lignes = service.journal.read_text().splitlines()
    return [ligne[:500] for ligne in lignes if '"level":"ERROR"' in ligne or '"level":"CRITICAL"' in ligne]
