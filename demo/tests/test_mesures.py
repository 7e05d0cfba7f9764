import os
import re
import tempfile
from collections import Counter
from io import StringIO
from xml.etree import ElementTree

import pytest
from django.core.management import CommandError, call_command

from demo.bench import flamme
from demo.bench.connexion import Prise
from demo.management.commands import bench

BASE, REDIS = os.environ.get("TEST_DATABASE_URL", ""), os.environ.get("TEST_REDIS_URL", "")
SVG = "{http://www.w3.org/2000/svg}"
HTTP = {
    "quoi": "http",
    "nom": "détail",
    "debit": 512.0,
    "p50": 0.012,
    "p99": 0.034,
    "processeur": 0.0019,
    "requetes": 2,
    "interne": 0.0015,
    "nue": 0.0005,
    "processeur_nue": 0.0004,
    "sql": 0.0007,
    "rapport": 3.0,
    "calcul": 2.5,
}
SOCKETS = {
    "quoi": "sockets",
    "nom": "200 sur une discussion",
    "ouverture": 0.0021,
    "livraison": 0.000034,
    "derniere": 0.018,
    "rafale": 21_000.0,
    "octets": 20_480.0,
}


def lancer(commande: str, *options: str) -> str:
    sortie = StringIO()
    call_command(commande, *options, stdout=sortie)
    return sortie.getvalue()


@pytest.fixture
def demandee(monkeypatch):
    """demandee(...): make the measuring process answer these figures; the list it returns gets its options."""

    def repondre(*figures: dict) -> list[str]:
        recues: list[str] = []
        monkeypatch.setattr(bench, "mesures", lambda url, options: (recues.extend(options), iter(figures))[1])
        return recues

    return repondre


def test_une_route_est_dite_a_cote_de_la_vue_nue(demandee):
    demandee(HTTP)

    dits = r"512 +12\.00 +34\.00 +1\.90 +2 +1\.50 +0\.70 +0\.50 +4\.8 +3\.0 +2\.5"
    assert re.search(rf"^détail +{dits}$", lancer("bench"), re.M)


def test_les_sockets_sont_dits(demandee):
    demandee(SOCKETS)

    assert re.search(r"^200 sur une discussion +2\.10 +34 +18\.00 +21000 +20\.0$", lancer("bench"), re.M)


def test_ce_que_le_systeme_ne_dit_pas_est_un_tiret(demandee):
    demandee(HTTP | {"processeur": None}, SOCKETS | {"ouverture": None, "livraison": None, "octets": None})

    affiche = lancer("bench")

    assert re.search(r"^détail .* - +3\.0 +2\.5$", affiche, re.M)
    assert re.search(r"^200 sur une discussion +- +- +18\.00 +21000 +-$", affiche, re.M)


def test_only_choisit_les_mesures(demandee):
    options = demandee()

    lancer("bench", "--only", "http", "sockets", "--sockets", "7", "--teams", "20")

    assert options[:4] == ["--only", "http", "sockets", "--messages"]
    assert options[options.index("--sockets") + 1] == "7"
    assert options[options.index("--teams") + 1] == "20"


def test_sans_redis_on_le_dit_et_on_continue(demandee):
    demandee(HTTP)

    affiche = lancer("bench", "--redis", "redis://127.0.0.1:1/0")

    assert "Redis ne répond pas" in affiche
    assert "détail" in affiche


@pytest.mark.parcours
def test_les_routes_et_les_sockets_d_un_vrai_service_sont_mesures(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    services = ["--postgres", BASE, "--redis", REDIS, "--reports", "40"] if BASE else []

    affiche = lancer("bench", "--quick", "--only", "http", "sockets", "--sockets", "3", *services)

    bases = 2 if BASE else 1
    routes = re.findall(r"^(\S.*?)  +\d+ +[\d.]+ +[\d.]+ +[\d.-]+ +(\d+) ", affiche, re.M)
    assert len(routes) == 15 * bases
    assert [nom for nom, requetes in routes if requetes == "0"] == []
    assert len(re.findall(r"^3 sur une discussion +\S+ +\S+ +[\d.]+ +\d+ +\S+$", affiche, re.M)) == bases
    assert list(tmp_path.iterdir()) == []


# --- profile --------------------------------------------------------------------------------------------------------


@pytest.mark.longue
def test_le_profil_d_une_route_nomme_sa_vue(tmp_path):
    sortie = tmp_path / "build" / "profil.svg"

    affiche = lancer("profile", "/api/v1/auth/validate", "--seconds", "1", "--output", str(sortie))

    assert affiche.splitlines()[-1] == str(sortie)
    racine = ElementTree.parse(sortie)  # noqa: S314 -- our own file
    titres = [titre.text for titre in racine.iter(f"{SVG}title")]
    assert any("AuthViewSet.validate" in titre for titre in titres)


def test_une_route_inconnue_est_refusee(tmp_path, capfd):
    with pytest.raises(CommandError, match="code 1"):
        lancer("profile", "nulle part", "--output", str(tmp_path / "profil.svg"))

    assert "Route inconnue" in capfd.readouterr().err


def test_un_cadre_est_large_de_sa_part_et_sous_ce_qui_l_appelle():
    piles = Counter({("a.f", "b.g"): 3, ("a.f", "c.<h>"): 1})

    racine = ElementTree.fromstring(flamme.dessiner(piles, titre="essai", notres={"b"}))  # noqa: S314 -- our own

    cadres = {groupe.find(f"{SVG}title").text: groupe.find(f"{SVG}rect").attrib for groupe in racine.iter(f"{SVG}g")}
    lus = {titre: (float(c["x"]), float(c["width"]), int(c["y"])) for titre, c in cadres.items()}
    assert lus == {
        "a.f : 100.0%": (0, flamme.LARGEUR, flamme.HAUTEUR),
        "b.g : 75.0%": (0, flamme.LARGEUR * 0.75, 2 * flamme.HAUTEUR),
        "c.<h> : 25.0%": (flamme.LARGEUR * 0.75, flamme.LARGEUR * 0.25, 2 * flamme.HAUTEUR),
    }
    assert cadres["b.g : 75.0%"]["fill"] == flamme.LE_NOTRE


# --- the client of sockets --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("morceau", [1, 7, 10_000])
def test_une_prise_entend_chaque_trame_et_repond_aux_ping(morceau):
    entendues, ecrites = [], []
    prise = Prise("discussion:1", "jeton", entendues.append)
    prise.connection_made(type("Transport", (), {"write": staticmethod(ecrites.append)}))
    longue = b"x" * 300
    flot = b"HTTP/1.1 101 Switching Protocols\r\n\r\n\x81\x02{}\x89\x02ab\x81\x7e" + len(longue).to_bytes(2) + longue

    for debut in range(0, len(flot), morceau):
        prise.data_received(flot[debut : debut + morceau])

    assert entendues == [b"{}", longue]
    assert ecrites[1:] == [b"\x8a\x82\x00\x00\x00\x00ab"]
