"""The board and the alert rules of `deploy/` name metrics that exist, and labels that they have."""

import json
import re
from pathlib import Path

import pytest
import yaml
from django.db import connection
from prometheus_client.parser import text_string_to_metric_families

from socle.api.releve import relever
from socle.metriques import CONNUES, MAILS, registre, tasks_total

pytestmark = pytest.mark.django_db
DEPLOY = Path(__file__).parents[2] / "deploy"
MODELES_D_E_MAIL = DEPLOY.parent / "templates" / "mails"
_SERIE = re.compile(r"\b((?:campus|process)_[a-z_]+)(?:\{([^}]*)\})?")
_PAR = re.compile(r"by \(([^)]*)\)")
_PAR_SERIE = re.compile(r"by \(([^)]*)\) \((?:[a-z_]+\()*((?:campus|process)_[a-z_]+)")
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
        groupees = _PAR_SERIE.findall(expression)
        assert len(groupees) == len(_PAR.findall(expression)), expression
        assert all({une.strip() for une in par.split(",")} <= connues[nom] for par, nom in groupees), expression


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


def test_ce_que_chaque_processus_dit_de_la_base_entiere_ne_s_additionne_pas():
    """Each that is scraped says the same of it."""
    nombres = r"campus_(?:database_\w+|tasks_waiting|events_waiting)"
    for expression in expressions():
        assert not re.search(rf"sum\s*(?:by\s*\([^)]*\)\s*)?\(\s*{nombres}", expression), expression


def test_un_premier_echec_se_voit_comme_une_hausse():
    """Of a series that begins with its first failure Prometheus sees no increase."""
    envoyes = {un.stem for un in MODELES_D_E_MAIL.iterdir() if not un.stem.startswith("cadre")}
    assert set(MAILS) == envoyes
    suivies = {
        (*de["tache"], resultat) for mesure, de in CONNUES if mesure is tasks_total for resultat in de["resultat"]
    }
    assert suivies >= {
        (tache, "abandonnee") for tache in ("prevenir_sans_lecteur", "envoyer_invitation", "ecrire_export")
    }
