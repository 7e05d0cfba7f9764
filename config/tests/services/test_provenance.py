"""The client's address, believing only the proxies that are configured."""

from typing import Any

import pytest
from django.test import RequestFactory

from socle.api.reseau import adresse_client, cle_adresse, venu_en_https

pytestmark = pytest.mark.django_db


def requete(directe: str, transmise: str = "", **entetes: str) -> Any:
    autres = {"HTTP_X_FORWARDED_FOR": transmise} if transmise else {}
    return RequestFactory().get("/", REMOTE_ADDR=directe, **autres, **entetes)


@pytest.mark.parametrize(
    ("directe", "transmise", "attendue"),
    [
        ("10.0.0.1", "203.0.113.9", "203.0.113.9"),
        ("10.0.0.1", "1.2.3.4, 203.0.113.9", "203.0.113.9"),
        ("10.0.0.1", "203.0.113.9, 10.0.0.2", "203.0.113.9"),
        ("10.0.0.1", "10.0.0.3, 10.0.0.2", "10.0.0.3"),
        ("10.0.0.1", "203.0.113.9, n'importe quoi", "10.0.0.1"),
        ("10.0.0.1", "n'importe quoi", "10.0.0.1"),
        ("10.0.0.1", ",,,", "10.0.0.1"),
        ("10.0.0.1", "", "10.0.0.1"),
        ("::ffff:10.0.0.1", "203.0.113.9", "203.0.113.9"),
        ("10.0.0.1", "::ffff:203.0.113.9", "203.0.113.9"),
        ("10.0.0.1", "2001:db8::1", "2001:db8::1"),
        ("10.0.0.1", "203.0.113.9:5678", "203.0.113.9"),
        ("10.0.0.1", ' "203.0.113.9:5678" ', "203.0.113.9"),
        ("10.0.0.1", "[2001:db8::1]:1234", "2001:db8::1"),
        ("10.0.0.1", '"[2001:db8::1]:1234"', "2001:db8::1"),
        ("10.0.0.1", "[2001:db8::1]", "2001:db8::1"),
        ("10.0.0.1", "[::ffff:203.0.113.9]:80", "203.0.113.9"),
        ("10.0.0.1", "203.0.113.9:5678, 10.0.0.2:443", "203.0.113.9"),
        ("10.0.0.1", "203.0.113.9, [2001:db8::1", "10.0.0.1"),
        ("10.0.0.1", '203.0.113.9, "198.51.100.7', "10.0.0.1"),
        ("10.0.0.1", "203.0.113.9, 198.51.100.7:port", "10.0.0.1"),
        ("10.0.0.1", "203.0.113.9, for=198.51.100.7", "10.0.0.1"),
        ("10.0.0.1", "203.0.113.9, _cache", "10.0.0.1"),
        ("198.51.100.7", "203.0.113.9:5678", "198.51.100.7"),
        ("198.51.100.7", "203.0.113.9", "198.51.100.7"),
        ("", "203.0.113.9", ""),
        ("unix:", "203.0.113.9", ""),
    ],
)
def test_l_adresse_est_la_plus_proche_qui_n_est_pas_un_mandataire(settings, directe, transmise, attendue):
    settings.TRUSTED_PROXIES = ["10.0.0.0/8"]

    assert adresse_client(requete(directe, transmise)) == attendue


def test_sans_mandataire_l_en_tete_ne_vaut_rien(settings):
    settings.TRUSTED_PROXIES = []

    assert adresse_client(requete("10.0.0.1", "203.0.113.9")) == "10.0.0.1"


def test_une_adresse_ipv6_compte_pour_son_reseau(settings):
    settings.TRUSTED_PROXIES = []

    cles = {cle_adresse(requete(f"2001:db8:1:2::{n}")) for n in range(1, 4)}

    assert cles == {"2001:db8:1:2::/64"}
    assert cle_adresse(requete("203.0.113.9")) == "203.0.113.9"


@pytest.mark.parametrize(
    ("directe", "proto", "attendu"),
    [
        ("10.0.0.1", "https", True),
        ("10.0.0.1", "http", False),
        ("10.0.0.1", "", False),
        ("198.51.100.7", "https", False),
    ],
)
def test_seul_un_mandataire_dit_que_l_on_vient_en_https(settings, directe, proto, attendu):
    settings.TRUSTED_PROXIES = ["10.0.0.0/8"]

    assert venu_en_https(requete(directe, HTTP_X_FORWARDED_PROTO=proto)) is attendu
