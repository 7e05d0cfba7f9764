"""Coordinates of the SVG drawings; widths are percentages of the drawing, so that text keeps its size."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from math import ceil
from typing import Any

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from signalements.vocabulaire import RESOLUS, Priorite, Statut, type_lisible
from stats.page.nombres import Attente, Jour, Tableau

LIGNE, TITRE = 40, 28  # pixels of a bar with its words, and of the name of a group of bars
MARGE = 9.0  # left of a drawing in days, for its scale
HAUT, DEMI = 18, 110  # pixels above the drawing, and of each side of the axis of the trend
HAUTEUR_DELAIS = 220
_JOUR = 24.0  # hours


@dataclass(frozen=True)
class Barre:
    libelle: str
    nombre: int
    largeur: str
    y: int


@dataclass(frozen=True)
class Colonne:
    """A day: `x` is its left edge, `milieu` where a line through it stands."""

    libelle: str
    bulle: str
    x: str
    milieu: str
    recus: int
    hauteur_recus: str
    y_recus: str
    resolus: int
    hauteur_resolus: str
    delai: str
    y_delai: str


@dataclass(frozen=True)
class Repere:
    """A date under the drawing; a narrow one has no room for the secondary ones."""

    libelle: str
    x: str
    ancre: str
    est_secondaire: bool


def duree(heures: float | None) -> str:
    """Format hours as people say them: minutes, then hours, then days; "–" for None."""
    if heures is None:
        return "–"
    minutes = round(heures * 60)
    if minutes < 60:
        return _("%(n)d min") % {"n": minutes}
    entieres = round(heures)
    if entieres < 48:
        return _("%(n)d h") % {"n": entieres}
    jours, reste = divmod(entieres, 24)
    if reste and jours < 7:
        return _("%(jours)d j %(heures)d h") % {"jours": jours, "heures": reste}
    return _("%(n)d j") % {"n": round(heures / 24)}


def attente(jours: int) -> str:
    return ngettext("%(n)d jour", "%(n)d jours", jours) % {"n": jours} if jours else _("aujourd'hui")


def echelle(plus_grand: int) -> int:
    """Top of a scale: the first of 1, 2, 4, 6, 8 times a power of ten that is not smaller."""
    rang = 1
    while True:
        for pas in (1, 2, 4, 6, 8):
            if pas * rang >= plus_grand:
                return pas * rang
        rang *= 10


def echelle_de_temps(heures: float) -> float:
    """Top of a scale of durations, in hours: 1, 2, 4, 6, 12 or 24, then `echelle` of the days."""
    if heures <= _JOUR:
        return next(float(n) for n in (1, 2, 4, 6, 12, 24) if n >= heures)
    return echelle(ceil(heures / _JOUR)) * _JOUR


def part(valeur: float, total: float) -> str:
    """A percentage for SVG, with a decimal point in every language; "0.00%" of a total of 0."""
    return f"{100 * valeur / total if total else 0:.2f}%"


def statuts(par_statut: dict[str, int]) -> dict[str, Any]:
    """Bars by status in two groups, each on its own scale: years of closed cases do not flatten the open ones."""
    ouverts = {statut: nombre for statut, nombre in par_statut.items() if statut not in RESOLUS}
    termines = {statut: nombre for statut, nombre in par_statut.items() if statut in RESOLUS}
    suite = TITRE + LIGNE * len(ouverts)
    groupes = [
        {"nom": _("Ouverts"), "y": 0, "barres": _barres(ouverts, TITRE), "total": sum(ouverts.values())},
        {
            "nom": _("Traités ou clos"),
            "y": suite,
            "barres": _barres(termines, suite + TITRE),
            "total": sum(termines.values()),
        },
    ]
    return {"groupes": groupes, "hauteur": suite + TITRE + LIGNE * len(termines)}


def _barres(nombres: dict[str, int], debut: int) -> list[Barre]:
    plus_grand = max(nombres.values(), default=0)
    return [
        Barre(str(Statut(statut).label), nombre, part(nombre, plus_grand), debut + rang * LIGNE)
        for rang, (statut, nombre) in enumerate(nombres.items())
    ]


def tendance(jours: list[Jour]) -> dict[str, Any]:
    """Columns by day on one scale: reports received above the axis, resolved below it."""
    recus, resolus = sum(jour.recus for jour in jours), sum(jour.resolus for jour in jours)
    maximum = echelle(max((max(jour.recus, jour.resolus) for jour in jours), default=1))
    axe = HAUT + DEMI
    return {
        "colonnes": _colonnes(jours, maximum),
        "recus": recus,
        "resolus": resolus,
        "est_vide": not recus + resolus,
        "maximum": maximum,
        "haut": HAUT,
        "axe": axe,
        "bas": axe + DEMI,
        "hauteur": axe + DEMI + 26,
        "y_reperes": axe + DEMI + 20,
        "largeur": _largeur(jours, 0.72),
        "marge": f"{MARGE:.2f}%",
        "reperes": _reperes(jours),
    }


def delais(jours: list[Jour], moyenne: float | None) -> dict[str, Any]:
    """A stem for each day on which something was resolved, and the mean across them."""
    maximum = _maximum_des_delais(jours)
    return {
        "colonnes": [colonne for colonne in _colonnes(jours, 1) if colonne.delai],
        "est_vide": moyenne is None,
        "maximum": duree(maximum),
        "haut": HAUT,
        "bas": HAUT + HAUTEUR_DELAIS,
        "hauteur": HAUT + HAUTEUR_DELAIS + 26,
        "y_reperes": HAUT + HAUTEUR_DELAIS + 20,
        "y_moyenne": _y_delai(moyenne or 0, maximum),
        "moyenne": duree(moyenne),
        "marge": f"{MARGE:.2f}%",
        "reperes": _reperes(jours),
    }


def attentes(lignes: Iterable[Attente]) -> list[dict[str, Any]]:
    lignes = list(lignes)
    plus_longue = max((ligne.jours for ligne in lignes), default=0)
    return [
        {
            "id": ligne.id,
            "reference": ligne.reference,
            "titre": ligne.titre,
            "type": type_lisible(ligne.type),
            "statut": Statut(ligne.statut).label,
            "priorite": str(Priorite(ligne.priorite).label).lower(),
            "est_urgente": ligne.priorite in (Priorite.HIGH, Priorite.CRITICAL),
            "date": ligne.date_creation,
            "attente": attente(ligne.jours),
            "largeur": part(ligne.jours, plus_longue),
        }
        for ligne in lignes
    ]


def page(tableau: Tableau) -> dict[str, Any]:
    """Everything that the templates of the page draw."""
    longues = attentes(tableau.en_attente_longtemps)
    return {
        "tableau": tableau,
        "plus_longue_attente": longues[0]["attente"] if longues else "",
        "delai_moyen": duree(tableau.delai_moyen),
        "delai_moyen_recent": duree(tableau.delai_moyen_recent),
        "statuts": statuts(tableau.par_statut),
        "tendance": tendance(tableau.tendance),
        "delais": delais(tableau.tendance, tableau.delai_moyen_recent),
        "attentes": longues,
    }


def _colonnes(jours: list[Jour], maximum: int) -> list[Colonne]:
    plus_long = _maximum_des_delais(jours)
    return [
        Colonne(
            libelle=_date(jour.date),
            bulle=_bulle(jour),
            x=_x(rang + 0.14, jours),
            milieu=_x(rang + 0.5, jours),
            recus=jour.recus,
            hauteur_recus=_pixels(DEMI * jour.recus / maximum),
            y_recus=_pixels(HAUT + DEMI - DEMI * jour.recus / maximum),
            resolus=jour.resolus,
            hauteur_resolus=_pixels(DEMI * jour.resolus / maximum),
            delai=duree(jour.delai) if jour.delai is not None else "",
            y_delai=_y_delai(jour.delai or 0, plus_long),
        )
        for rang, jour in enumerate(jours)
    ]


def _bulle(jour: Jour) -> str:
    recus = ngettext("%(n)d reçu", "%(n)d reçus", jour.recus) % {"n": jour.recus}
    resolus = ngettext("%(n)d résolu", "%(n)d résolus", jour.resolus) % {"n": jour.resolus}
    return f"{_date(jour.date)} : {recus}, {resolus}"


def _reperes(jours: list[Jour]) -> list[Repere]:
    """Tick labels: one date a week, back from the last day; every second one is secondary."""
    dernier = len(jours) - 1
    return [
        Repere(
            libelle=_date(jours[rang].date),
            x="100%" if rang == dernier else _x(rang + 0.5, jours),
            ancre="end" if rang == dernier else "middle",
            est_secondaire=semaine % 2 == 1,
        )
        for semaine, rang in enumerate(range(dernier, -1, -7))
    ]


def _maximum_des_delais(jours: list[Jour]) -> float:
    return echelle_de_temps(max((jour.delai or 0 for jour in jours), default=0))


def _y_delai(heures: float, maximum: float) -> str:
    return _pixels(HAUT + HAUTEUR_DELAIS * (1 - heures / maximum))


def _x(rang: float, jours: list[Jour]) -> str:
    return f"{MARGE + (100 - MARGE) * rang / len(jours):.2f}%"


def _largeur(jours: list[Jour], proportion: float) -> str:
    return f"{(100 - MARGE) * proportion / len(jours):.2f}%" if jours else "0%"


def _pixels(valeur: float) -> str:
    return f"{valeur:.1f}"


def _date(jour: date) -> str:
    return date_format(jour, "j N")
