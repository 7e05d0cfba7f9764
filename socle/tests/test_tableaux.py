"""The board and the alert rules of `deploy/` name metrics that exist, and labels that they have."""

import json
import re
from pathlib import Path

import pytest
import yaml
from django.db import connection
from prometheus_client.parser import text_string_to_metric_families

from socle.api.releve import relever
from socle.metriques import registre

pytestmark = pytest.mark.django_db
DEPLOY = Path(__file__).parents[2] / "deploy"
_SERIE = re.compile(r"\b((?:campus|process)_[a-z_]+)(?:\{([^}]*)\})?")
_PAR = re.compile(r"by \(([^)]*)\)")
_LEGENDE = re.compile(r"\{\{(\w+)\}\}")
FINS = ("", "_total", "_bucket", "_sum", "_count")
DE_POSTGRESQL = {"campus_database_connections": {"etat"}, "campus_database_connections_max": set()}


def regles():
    lues = yaml.safe_load((DEPLOY / "prometheus" / "campus.rules.yml").read_text(encoding="utf-8"))
    return [regle for groupe in lues["groups"] for regle in groupe["rules"]]


def cibles():
    tableau = json.loads((DEPLOY / "grafana" / "campus.json").read_text(encoding="utf-8"))
    return [cible for panneau in tableau["panels"] for cible in panneau["targets"]]


def expressions():
    return [regle["expr"] for regle in regles()] + [cible["expr"] for cible in cibles()]


@pytest.fixture
def connues(settings, client):
    """Each series that `/metrics` may show, with its labels."""
    settings.METRICS_TOKEN = "mesures-de-test-mmmm"
    client.get("/api/v1/config")
    lues = {
        famille.name: {nom for mesure in famille.samples for nom in mesure.labels}
        for famille in text_string_to_metric_families(relever().decode())
    }
    declarees = {metrique._name: {*metrique._labelnames, "le"} for metrique in registre._collector_to_names}
    toutes = {**lues, **({} if connection.vendor == "postgresql" else DE_POSTGRESQL), **declarees}
    return {nom + fin: etiquettes for nom, etiquettes in toutes.items() for fin in FINS}


def test_chaque_mesure_nommee_existe(connues):
    nommees = {nom for expression in expressions() for nom, _choix in _SERIE.findall(expression)}

    assert len(nommees) > 12
    assert nommees - connues.keys() == set()


def test_chaque_etiquette_est_de_sa_mesure(connues):
    for expression in expressions():
        series = _SERIE.findall(expression)
        for nom, choix in series:
            assert set(re.findall(r"(\w+)=", choix)) <= connues[nom], expression
        groupees = {une.strip() for par in _PAR.findall(expression) for une in par.split(",")}
        assert all(groupees <= connues[nom] for nom, _choix in series), expression


def test_chaque_legende_montre_ce_qui_reste_de_la_mesure(connues):
    for cible in cibles():
        for nom in _LEGENDE.findall(cible["legendFormat"]):
            gardees = _PAR.findall(cible["expr"])
            assert all(nom in par for par in gardees), cible
            assert all(nom in connues[serie] for serie, _choix in _SERIE.findall(cible["expr"])), cible


def test_chaque_alerte_dit_ce_qui_arrive_et_que_faire():
    for regle in regles():
        assert regle["labels"]["severity"] in ("page", "ticket")
        assert regle["annotations"]["summary"].endswith(".")
        assert regle["annotations"]["action"].endswith(".")
    assert len({regle["alert"] for regle in regles()}) == len(regles()) > 6
