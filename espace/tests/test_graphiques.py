"""Geometry and words of the drawings."""

from datetime import date, timedelta
from itertools import pairwise
from uuid import uuid4

import pytest

from espace.pages.graphiques import (
    barres,
    duree,
    echelle,
    evolution,
    mois,
    part,
    personnes,
    seuil,
    sommet,
    statuts,
    types,
)
from signalements.vocabulaire import type_lisible
from stats.chiffres.bilan import Charge, Periode
from stats.vocabulaire import Pas

FIN = date(2026, 11, 21)


def trente_jours(**jours):
    """Thirty days; `j29={"recus": 2}` is the last of them."""
    return [Periode(FIN - timedelta(days=29 - rang), **jours.get(f"j{rang}", {})) for rang in range(30)]


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
    ("valeur", "total", "texte"), [(1, 3, "33.33"), (3, 3, "100.00"), (5, 3, "100.00"), (0, 0, "0.00")]
)
def test_une_part_s_ecrit_avec_un_point(valeur, total, texte):
    assert part(valeur, total) == texte


@pytest.mark.parametrize(
    ("nombres", "coupe"),
    [
        ([], None),
        ([0, 0], None),
        ([7], None),
        ([1, 5], None),  # five times what the others have is still drawn
        ([1, 6], 1),
        ([4, 0, 5, 3, 2, 400], 5),
        ([2] * 27 + [90, 80, 70], 2),  # three busy days of thirty
        (list(range(100)), None),
        ([3] * 5 + [500] * 5, None),  # half of them is no rush
    ],
)
def test_ce_qui_depasse_de_loin_est_coupe(nombres, coupe):
    assert seuil(nombres) == coupe


def test_ce_qui_est_coupe_reste_plus_haut_que_le_reste():
    haut, coupe = sommet([4, 5, 3, 2, 400])

    assert (haut, coupe) == (8, 5)
    assert sommet([4, 5, 3]) == (6, None)
    assert sommet([]) == (1, None)


def test_les_ouverts_viennent_d_abord_a_leur_propre_echelle():
    ouverts, termines = statuts(
        {"NOUVEAU": 2, "ASSIGNE": 0, "EN_COURS": 4, "EN_ATTENTE": 1, "TRAITE": 900, "CLOTURE": 450}
    )

    assert (ouverts["total"], termines["total"]) == (7, 1350)
    assert [barre.largeur for barre in ouverts["barres"]] == ["50.00", "0.00", "100.00", "25.00"]
    assert [barre.largeur for barre in termines["barres"]] == ["100.00", "50.00"]


def test_des_barres_sans_rien_n_ont_pas_de_largeur():
    assert [barre.largeur for barre in barres({"a": 0, "b": 0})] == ["0.00", "0.00"]
    assert types({"VOL": 0, "AUTRE": 2})[0].libelle == "Autre"


def test_les_mois_vont_du_dernier_au_premier_et_un_mois_de_presse_est_coupe():
    lus = mois(
        [
            {"mois": "2026-09", "total": 2, "resolus": 1},
            {"mois": "2026-10", "total": 60, "resolus": 60},
            {"mois": "2026-11", "total": 3, "resolus": 0},
        ]
    )

    assert [(un.libelle, un.nombre, un.est_coupee, un.suite) for un in lus] == [
        ("novembre 2026", 3, False, ""),
        ("octobre 2026", 60, True, "dont 60 résolus"),
        ("septembre 2026", 2, False, "dont 1 résolu"),
    ]
    assert [un.largeur for un in lus] == ["75.00", "100.00", "50.00"]


def test_personne_vient_d_abord_puis_qui_a_des_dossiers():
    charges = [Charge(uuid4(), "Rose", 4, True), Charge(uuid4(), "Paul", 0, True), Charge(uuid4(), "Zed", 1, False)]

    lues = personnes(charges, 2)

    assert [(une.libelle, une.nombre, une.largeur, une.suite) for une in lues] == [
        ("Personne", 2, "50.00", ""),
        ("Rose", 4, "100.00", ""),
        ("Zed", 1, "25.00", "n'est plus de l'équipe"),
    ]
    assert [une.lien for une in lues] == [
        "vue=non-attribues",
        f"vue=ouverts&gestionnaireId={charges[0].id}",
        f"vue=ouverts&gestionnaireId={charges[2].id}",
    ]


def test_recus_et_resolus_sont_sur_une_echelle_les_premiers_plus_larges():
    dessin = evolution(trente_jours(j28={"recus": 4}, j29={"recus": 1, "resolus": 2}), Pas.JOUR)

    avant, dernier = dessin["colonnes"][28:]
    assert (dessin["recus"], dessin["resolus"]) == (5, 2)
    assert [une["nombre"] for une in dessin["graduations"]] == [0, 2, 4]
    assert float(avant.recus.y) == float(dessin["graduations"][2]["y"])
    assert float(dernier.resolus.hauteur) == float(avant.recus.hauteur) / 2
    assert float(dernier.recus.largeur) > float(dernier.resolus.largeur)
    assert dernier.bulle == "21 nov. : 1 reçu, 2 résolus"


def test_une_echelle_d_un_n_a_pas_de_demi():
    dessin = evolution(trente_jours(j3={"recus": 1}), Pas.JOUR)

    assert [une["nombre"] for une in dessin["graduations"]] == [0, 1]


def test_un_mois_sans_rien_le_dit():
    assert evolution(trente_jours(), Pas.JOUR)["est_vide"]


@pytest.mark.parametrize("pas", list(Pas))
@pytest.mark.parametrize("nombre", [1, 12, 30, 54, 400])
def test_tout_tient_dans_le_dessin_et_les_noms_ne_se_touchent_pas(pas, nombre):
    periodes = [Periode(FIN + timedelta(days=rang), rang * rang, nombre - rang) for rang in range(nombre)]
    dessin = evolution(periodes, pas)

    for colonne in dessin["colonnes"]:
        for marque in (colonne.recus, colonne.resolus):
            assert dessin["gauche"] <= float(marque.x)
            assert float(marque.x) + float(marque.largeur) <= dessin["droite"]
            assert float(marque.y) >= 0
            assert abs(float(marque.y) + float(marque.hauteur) - 176) < 0.2
        assert float(colonne.recus.x) + float(colonne.recus.largeur) <= float(colonne.resolus.x)
    nommees = [float(colonne.milieu) for colonne in dessin["colonnes"] if colonne.est_nommee]
    assert all(apres - avant >= 52 for avant, apres in pairwise(nommees))
