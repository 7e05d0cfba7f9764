"""Faults under load: what was confirmed is there once, what was refused is not, and every count is right."""

import re
import threading
import time
from collections import Counter
from contextlib import ExitStack
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import httpx
import psycopg
import pytest

from config.tests.outils.serveur import Serveur, attendre
from config.tests.pannes.conftest import REGLAGES
from config.tests.pannes.machines import Postgres, RedisPropre
from config.tests.preuves.cahier import Cahier
from config.tests.preuves.charge import Invitee, Membre, QuiExporte, QuiSInscrit, lancer
from config.tests.preuves.oreille import Oreille
from config.tests.preuves.pannes import Sort, a_moitie_ouverts, volume

pytestmark = pytest.mark.preuve
GENS = (Invitee, Invitee, Invitee, QuiSInscrit, QuiSInscrit, Membre, Membre, QuiExporte)
MARQUE = re.compile(r"marque-[0-9a-f]{32}")
DISQUE = 256 * 1024 * 1024
SANS_NUMERO = "SELECT id, canal, type FROM realtime_evenement WHERE numero IS NULL"
OU_SONT_LES_MARQUES = {
    "signalement": "SELECT description FROM signalements_signalement",
    "message": "SELECT contenu FROM discussions_message",
    "note": "SELECT contenu FROM signalements_entreetimeline WHERE type = 'NOTE'",
    "fichier": "SELECT nom FROM resources_fichier",
}


class Service(NamedTuple):
    postgres: Postgres
    redis: RedisPropre
    serveurs: list[Serveur]
    ouvrier: Serveur
    donnees: Path
    a_son_disque: bool

    @property
    def sort(self) -> Sort:
        return Sort(self.serveurs, self.ouvrier, self.postgres, self.redis, self.donnees if self.a_son_disque else None)

    def lire(self, requete: str) -> list[tuple[object, ...]]:
        with psycopg.connect(self.postgres.adresse, connect_timeout=5) as connexion:
            return connexion.execute(requete.encode()).fetchall()


@pytest.fixture
def service(pile: ExitStack, installation, postgres, redis_propre, tmp_path) -> Service:
    """Two serving processes and a worker; files on a disk of their own where one can be mounted."""
    donnees = tmp_path / "donnees"
    donnees.mkdir()
    a_son_disque = pile.enter_context(volume(donnees, DISQUE))
    # Answers, mails and tries are bounded elsewhere; here somebody writes as fast as she can.
    reglages = {
        **REGLAGES,
        "DATABASE_URL": postgres.adresse,
        "REDIS_URL": redis_propre.adresse,
        "EXPORT_BACKGROUND_ROWS": "1",
        "GUEST_UPLOAD_MB_PER_ADDRESS_DAY": "100000",
        "DATA_DIR": str(donnees),
    }
    serveurs = [Serveur(tmp_path, **reglages) for _rang in range(2)]
    ouvrier = Serveur(tmp_path, **reglages)
    for serveur in serveurs:
        pile.callback(serveur.tuer)
        serveur.demarrer("--no-migrate")
    pile.callback(ouvrier.tuer)
    ouvrier.lancer("db_worker")
    return Service(postgres, redis_propre, serveurs, ouvrier, donnees, a_son_disque)


def test_ce_qui_est_confirme_survit_a_toutes_les_pannes(service, longue, chiffre):
    cahier, fin, silence = Cahier(), threading.Event(), threading.Event()
    oreilles = [Oreille(serveur, silence) for serveur in service.serveurs]
    for oreille in oreilles:
        assert oreille.prete.wait(30)
    gens = lancer(GENS, service.serveurs, cahier, fin)
    sort = service.sort
    fois, tues = (5, 100) if longue else (1, 6)

    debut = time.monotonic()
    with a_moitie_ouverts(service.serveurs, 40):
        for _fois in range(fois):
            for _rang in range(tues // fois):
                sort.tuer_un_processus()
            for panne in sort.pannes.values():
                panne()
                time.sleep(2)
    fin.set()
    for un in gens:
        un.join(timeout=120)
    assert not any(un.is_alive() for un in gens)
    duree = time.monotonic() - debut
    _laisser_finir(service, 1000 if longue else 45)
    chiffre("pannes sous charge : secondes de plus pour les tâches", round(time.monotonic() - debut - duree))
    time.sleep(3)
    silence.set()
    for oreille in oreilles:
        oreille.attendre_la_fin()

    chiffre("pannes sous charge : secondes", round(duree))
    chiffre("pannes sous charge : processus tués", sort.tues)
    chiffre("pannes sous charge : autres pannes", ", ".join(f"{nom} × {fois}" for nom in sort.pannes))
    chiffre("pannes sous charge : appels", dict(sorted(cahier.statuts.items())))
    for sorte, confirmes in sorted(cahier.confirmes.items()):
        chiffre(f"confirmés : {sorte}", f"{len(confirmes)}, et {len(cahier.incertains[sorte])} sans réponse")
    chiffre("sockets : créations entendues, coupures", [(len(une.crees), une.coupures) for une in oreilles])
    assert cahier.fautes == []
    assert len(cahier.confirmes["signalement"]) > 10
    assert len(cahier.confirmes["message"]) > 50
    _verifier(service, cahier, oreilles)


def test_une_heure_de_charge_ne_laisse_rien_grandir(service, longue, chiffre):
    cahier, fin = Cahier(), threading.Event()
    gens = lancer(GENS, service.serveurs, cahier, fin)
    secondes = 3600 if longue else 24

    releves = []
    for _rang in range(6):
        time.sleep(secondes / 6)
        releves.append(_releve(service))
    fin.set()
    for un in gens:
        un.join(timeout=120)

    chiffre("une charge mêlée : secondes, appels", (secondes, dict(sorted(cahier.statuts.items()))))
    chiffre("connexions à PostgreSQL, de sixième en sixième", [un.connexions for un in releves])
    chiffre("descripteurs de chaque processus, de sixième en sixième", [un.descripteurs for un in releves])
    chiffre("Mio de chaque processus, de sixième en sixième", [un.memoire for un in releves])
    assert cahier.fautes == []
    au_tiers, a_la_fin = releves[1], releves[-1]
    assert a_la_fin.connexions <= au_tiers.connexions + 10
    for avant, apres in zip(au_tiers.descripteurs, a_la_fin.descripteurs, strict=True):
        assert apres <= avant + 30
    for avant, apres in zip(au_tiers.memoire, a_la_fin.memoire, strict=True):
        assert apres <= avant * (1.15 if longue else 1.6)  # a short one is still warming up


class Releve(NamedTuple):
    """What the processes hold; memory in MiB."""

    connexions: int
    descripteurs: list[int]
    memoire: list[int]


def _releve(service: Service) -> Releve:
    (connexions,), *_reste = service.lire("SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'")
    pids = [serveur.pid for serveur in (*service.serveurs, service.ouvrier)]
    pages = [int(Path(f"/proc/{pid}/statm").read_text().split()[1]) for pid in pids]
    descripteurs = [len(list(Path(f"/proc/{pid}/fd").iterdir())) for pid in pids]
    return Releve(int(str(connexions)), descripteurs, [page * 4096 // 1024**2 for page in pages])


def _laisser_finir(service: Service, secondes: int) -> None:
    """One whose process was killed, or that has failed, is tried again after minutes: until then it is in its queue."""
    limite = time.monotonic() + secondes
    while _en_attente(service) and time.monotonic() < limite:
        time.sleep(0.5)


def _en_attente(service: Service) -> bool:
    taches = "SELECT 1 FROM django_tasks_database_dbtaskresult WHERE status IN ('READY', 'RUNNING') LIMIT 1"
    return bool(service.lire(taches)) or bool(service.lire("SELECT 1 FROM stats_export WHERE statut = 'EN_COURS'"))


def _verifier(service: Service, cahier: Cahier, oreilles: list[Oreille]) -> None:
    torts = []
    for sorte, requete in OU_SONT_LES_MARQUES.items():
        trouvees = Counter(m for (texte,) in service.lire(requete) for m in MARQUE.findall(str(texte)))
        torts += cahier.juger(sorte, trouvees)
    assert torts == []

    assert _rattachements_faux(service, cahier) == []
    assert _exports_faux(service, cahier) == []
    assert _fichiers_faux(service, cahier) == []
    trous = (
        "SELECT d.id, d.dernier_numero, count(m.id), min(m.numero_sequence), max(m.numero_sequence) "
        "FROM discussions_discussion d JOIN discussions_message m ON m.discussion_id = d.id GROUP BY d.id "
        "HAVING count(m.id) <> max(m.numero_sequence) OR min(m.numero_sequence) <> 1 "
        "OR max(m.numero_sequence) <> d.dernier_numero"
    )
    assert service.lire(trous) == []
    attendre(lambda: service.lire(SANS_NUMERO) == [], "un numéro pour chaque événement")  # a minute task publishes too
    sauts = (
        "SELECT avant, numero FROM (SELECT numero, lag(numero) OVER (ORDER BY numero) AS avant FROM realtime_evenement "
        "WHERE numero IS NOT NULL) AS suite WHERE numero <> avant + 1"
    )
    assert service.lire(sauts) == []
    crees = {donnees["id"] for donnees in cahier.confirmes["signalement"].values()}
    for oreille in oreilles:
        assert crees - set(oreille.crees) == set()
        assert len(oreille.numeros) == len(set(oreille.numeros))
    commande = service.serveurs[0]
    assert "toutes justes" in commande.commander("merge_audit", "verify", secondes=120)
    commande.commander("stats_recount", "--check", secondes=120)
    commande.commander("audit", "verify", secondes=120)
    for serveur in service.serveurs:
        assert httpx.get(f"{serveur.url}/health").status_code == 200


def _rattachements_faux(service: Service, cahier: Cahier) -> list[str]:
    """Merges whose case is not the account's."""
    requete = "SELECT s.id, c.email FROM signalements_signalement s JOIN accounts_compte c ON c.id = s.compte_id"
    a_qui = {str(pk): str(email) for pk, email in service.lire(requete)}
    return [
        marque
        for marque, dit in cahier.confirmes["rattachement"].items()
        if a_qui.get(dit["dossier"]) != f"{marque}@campus.example"
    ]


def _exports_faux(service: Service, cahier: Cahier) -> list[str]:
    prets = {str(pk) for (pk,) in service.lire("SELECT id FROM stats_export WHERE statut = 'PRET'")}
    echoues = {str(pk) for (pk,) in service.lire("SELECT id FROM stats_export WHERE statut = 'ECHEC'")}
    taches = "SELECT args_kwargs::text FROM django_tasks_database_dbtaskresult WHERE status IN ('READY', 'RUNNING')"
    en_file = " ".join(str(arguments) for (arguments,) in service.lire(taches))
    # A full disk is told in the export itself: it is lost to nobody.
    finis = prets | echoues
    demandes = [dit["exportId"] for dit in cahier.confirmes["export"].values()]
    return [export for export in demandes if export not in finis and export not in en_file]


def _fichiers_faux(service: Service, cahier: Cahier) -> list[str]:
    """Files whose bytes are not those that were sent."""
    faux = []
    for marque, dit in cahier.confirmes["fichier"].items():
        api = service.serveurs[0].client(guest_id=dit["guest"])
        adresse = api("GET", f"/fichiers/{dit['fileId']}")["url"]
        chemin = httpx.URL(adresse).raw_path.decode()  # on whichever host the service says that it is
        recus = httpx.get(service.serveurs[0].url + chemin).content
        if sha256(recus).hexdigest() != dit["empreinte"]:
            faux.append(marque)
    return faux
