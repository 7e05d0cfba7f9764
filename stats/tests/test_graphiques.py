"""Geometry and words of the drawings."""

from datetime import date, timedelta

import pytest

from stats.page.graphiques import (
    attente,
    delais,
    duree,
    echelle,
    echelle_de_temps,
    part,
    statuts,
    tendance,
    type_lisible,
)
from stats.page.nombres import Jour

FIN = date(2026, 11, 21)


def mois(**jours):
    """Thirty days; `j29={"recus": 2}` is the last of them."""
    return [Jour(FIN - timedelta(days=29 - rang), **jours.get(f"j{rang}", {})) for rang in range(30)]


@pytest.mark.parametrize(
    ("heures", "texte"),
    [
        (None, "–"),
        (0, "0 min"),
        (0.5, "30 min"),
        (0.999, "1 h"),
        (1, "1 h"),
        (47.4, "47 h"),
        (48, "2 j"),
        (49, "2 j 1 h"),
        (167.6, "7 j"),
        (12 * 24 + 13, "13 j"),
    ],
)
def test_une_duree_se_dit_comme_on_la_dit(heures, texte):
    assert duree(heures) == texte


@pytest.mark.parametrize(("jours", "texte"), [(0, "aujourd'hui"), (1, "1 jour"), (12, "12 jours")])
def test_une_attente_se_compte_en_jours(jours, texte):
    assert attente(jours) == texte


@pytest.mark.parametrize(
    ("type_", "texte"),
    [("HARCELEMENT", "Harcèlement"), ("AGRESSION_SEXUELLE", "Agression sexuelle"), ("BRUIT_LA_NUIT", "Bruit la nuit")],
)
def test_un_type_se_lit(type_, texte):
    assert type_lisible(type_) == texte


@pytest.mark.parametrize(
    ("plus_grand", "rond"), [(0, 1), (1, 1), (2, 2), (3, 4), (7, 8), (9, 10), (11, 20), (61, 80), (81, 100)]
)
def test_une_echelle_est_ronde(plus_grand, rond):
    assert echelle(plus_grand) == rond


@pytest.mark.parametrize(
    ("heures", "rond"), [(0, 1), (0.2, 1), (5, 6), (13, 24), (24, 24), (24.1, 48), (80, 96), (30 * 24, 40 * 24)]
)
def test_une_echelle_de_temps_est_ronde(heures, rond):
    assert echelle_de_temps(heures) == rond


@pytest.mark.parametrize(("valeur", "total", "texte"), [(1, 3, "33.33%"), (3, 3, "100.00%"), (0, 0, "0.00%")])
def test_une_part_s_ecrit_avec_un_point(valeur, total, texte):
    assert part(valeur, total) == texte


def test_les_ouverts_viennent_d_abord_a_leur_propre_echelle():
    dessin = statuts({"NOUVEAU": 2, "ASSIGNE": 0, "EN_COURS": 4, "EN_ATTENTE": 1, "TRAITE": 900, "CLOTURE": 450})

    ouverts, termines = dessin["groupes"]
    assert (ouverts["total"], termines["total"]) == (7, 1350)
    assert [barre.largeur for barre in ouverts["barres"]] == ["50.00%", "0.00%", "100.00%", "25.00%"]
    assert [barre.largeur for barre in termines["barres"]] == ["100.00%", "50.00%"]
    hauteurs = [y for groupe in dessin["groupes"] for y in (groupe["y"], *(barre.y for barre in groupe["barres"]))]
    assert hauteurs == sorted(set(hauteurs))
    assert hauteurs[-1] < dessin["hauteur"]


def test_ce_qui_est_recu_monte_et_ce_qui_est_resolu_descend_sur_une_echelle():
    dessin = tendance(mois(j28={"recus": 4}, j29={"recus": 1, "resolus": 2}))

    avant, dernier = dessin["colonnes"][28:]
    assert (dessin["recus"], dessin["resolus"], dessin["maximum"]) == (5, 2, 4)
    assert float(avant.y_recus) == dessin["haut"]
    assert float(avant.hauteur_recus) == dessin["axe"] - dessin["haut"]
    assert float(dernier.hauteur_resolus) == float(avant.hauteur_recus) / 2
    assert dernier.bulle == "21 nov. : 1 reçu, 2 résolus"


def test_les_dates_vont_de_semaine_en_semaine_et_finissent_aujourd_hui():
    reperes = tendance(mois(j3={"recus": 1}))["reperes"]

    assert [repere.libelle for repere in reperes] == ["21 nov.", "14 nov.", "7 nov.", "31 oct.", "24 oct."]
    assert [repere.est_secondaire for repere in reperes] == [False, True, False, True, False]


def test_un_mois_sans_rien_le_dit():
    assert tendance(mois())["est_vide"]
    assert delais(mois(), None)["est_vide"]


def test_un_jour_sans_rien_de_resolu_n_a_pas_de_tige():
    dessin = delais(mois(j4={"resolus": 1, "delai": 12.0}, j9={"resolus": 2, "delai": 24.0}), 20.0)

    assert [(colonne.libelle, colonne.delai) for colonne in dessin["colonnes"]] == [
        ("27 oct.", "12 h"),
        ("1 nov.", "24 h"),
    ]
    assert (dessin["maximum"], dessin["moyenne"]) == ("24 h", "20 h")
    assert float(dessin["colonnes"][1].y_delai) == dessin["haut"]
    assert dessin["haut"] < float(dessin["y_moyenne"]) < dessin["bas"]


def test_tout_tient_dans_le_dessin():
    pleins = {f"j{rang}": {"recus": rang, "resolus": 29 - rang, "delai": rang * 7.0} for rang in range(30)}
    dessin = tendance(mois(**pleins))

    for colonne in dessin["colonnes"]:
        assert float(colonne.x[:-1]) + float(dessin["largeur"][:-1]) <= 100
        assert float(colonne.y_recus) >= dessin["haut"]
        assert dessin["axe"] + float(colonne.hauteur_resolus) <= dessin["bas"]
