"""The drawings of the dashboard: bars in lists, columns in SVG. Geometry and words, of numbers read elsewhere.

Over time, one busy day does not flatten the others: its mark is cut at the top of the scale, and its number written.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from math import ceil
from typing import Any, NamedTuple

from django.utils.formats import date_format
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from echeances.vocabulaire import NatureDelai
from signalements.dates import nom_de
from signalements.vocabulaire import RESOLUS, Priorite, Statut, type_lisible
from stats.chiffres.bilan import Bilan, Charge, Periode
from stats.vocabulaire import Pas

MARGE, HAUT, BAS, HAUTEUR = 36, 24, 176, 200  # pixels: beside the columns, their top and their foot, the whole
PAS_MIN, PAS_MAX, LARGEUR = 26, 60, 900  # pixels of a period, and of the periods together, where they have the choice
ECART_MAX = 5  # how many times what nine in ten do not exceed, before a mark is cut
PLACE_DU_COUPE = 4 / 3  # the scale over the tallest mark that is not cut, so that a cut one is seen to be taller


@dataclass(frozen=True)
class Barre:
    """A line of a list; `largeur` is of 100, `suite` a word after the name, `lien` the query of a list."""

    libelle: str
    nombre: int
    largeur: str
    est_coupee: bool = False
    suite: str = ""
    lien: str = ""


@dataclass(frozen=True)
class Marque:
    """One of the two columns of a period; `nombre` is written above it where it is cut, and only there."""

    x: str
    y: str
    largeur: str
    hauteur: str
    milieu: str
    nombre: int
    est_coupee: bool


@dataclass(frozen=True)
class Colonne:
    libelle: str
    bulle: str
    milieu: str
    est_nommee: bool  # there is room for its name under it
    recus: Marque
    resolus: Marque


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


def echelle(plus_grand: float) -> int:
    """Top of a scale: the first of 1, 2, 4, 6, 8 times a power of ten that is not smaller."""
    rang = 1
    while True:
        for pas in (1, 2, 4, 6, 8):
            if pas * rang >= plus_grand:
                return pas * rang
        rang *= 10


def seuil(nombres: Iterable[int]) -> int | None:
    """The greatest number that is not cut, where some are: those past ECART_MAX times the ninth decile; else None.

    Zeros have no say. A tenth of the periods, at the most, is cut.
    """
    comptes = sorted(nombre for nombre in nombres if nombre)
    if not comptes:
        return None
    limite = ECART_MAX * comptes[int(0.9 * (len(comptes) - 1))]
    return None if comptes[-1] <= limite else max(nombre for nombre in comptes if nombre <= limite)


def sommet(nombres: list[int]) -> tuple[int, int | None]:
    """Top of the scale, and the `seuil` past which a mark is cut at it."""
    coupe = seuil(nombres)
    return echelle(max(nombres, default=1) if coupe is None else coupe * PLACE_DU_COUPE), coupe


def part(valeur: float, total: float) -> str:
    """A part of 100 for SVG, at the most 100, with a point in every language; "0.00" of a total of 0."""
    return f"{min(100 * valeur / total, 100) if total else 0:.2f}"


def barres(nombres: dict[str, int]) -> list[Barre]:
    """Bars on the scale of the greatest: none of them is cut, what has many is meant to look it."""
    plus_grand = max(nombres.values(), default=0)
    return [Barre(libelle, nombre, part(nombre, plus_grand)) for libelle, nombre in nombres.items()]


def statuts(par_statut: dict[str, int]) -> list[dict[str, Any]]:
    """Two groups, each on its own scale: years of closed cases do not flatten the open ones."""
    groupes = (
        (_("Ouverts"), [nom for nom in par_statut if nom not in RESOLUS]),
        (_("Traités ou clos"), [nom for nom in par_statut if nom in RESOLUS]),
    )
    return [
        {
            "nom": nom,
            "total": sum(par_statut[statut] for statut in parmi),
            "barres": barres({str(Statut(statut).label): par_statut[statut] for statut in parmi}),
        }
        for nom, parmi in groupes
    ]


def types(par_type: dict[str, int]) -> list[Barre]:
    """Bars of the types that have any; nothing is said of one that nobody has reported."""
    return barres({type_lisible(type_): nombre for type_, nombre in par_type.items() if nombre})


def priorites(par_priorite: dict[str, int]) -> list[Barre]:
    """The most urgent first."""
    return barres({str(Priorite(une).label): par_priorite[une] for une in reversed(Priorite.values)})


def mois(par_mois: list[dict[str, Any]]) -> list[Barre]:
    """The latest first, with how many of each month's are resolved today."""
    haut, coupe = sommet([un["total"] for un in par_mois])
    return [
        Barre(
            libelle=date_format(date.fromisoformat(f"{un['mois']}-01"), "F Y"),
            nombre=un["total"],
            largeur=part(un["total"], haut),
            est_coupee=coupe is not None and un["total"] > coupe,
            suite=_dont_resolus(un["resolus"]),
        )
        for un in reversed(par_mois)
    ]


def _dont_resolus(nombre: int) -> str:
    return ngettext("dont %(n)d résolu", "dont %(n)d résolus", nombre) % {"n": nombre} if nombre else ""


def personnes(charges: list[Charge], sans_personne: int) -> list[Barre]:
    """Bars of the people with open cases, after the cases that nobody has; each leads to its list."""
    plus_grand = max([sans_personne, *(une.ouverts for une in charges)])
    libres = Barre(_("Personne"), sans_personne, part(sans_personne, plus_grand), lien="vue=non-attribues")
    return [libres] + [
        Barre(
            libelle=une.nom,
            nombre=une.ouverts,
            largeur=part(une.ouverts, plus_grand),
            suite="" if une.en_fonction else _("n'est plus de l'équipe"),
            lien=f"vue=ouverts&gestionnaireId={une.id}",
        )
        for une in charges
        if une.ouverts
    ]


def evolution(periodes: list[Periode], pas: Pas, *, sans_debut: bool = False) -> dict[str, Any]:
    """Two columns a period, received and wider, resolved and narrower, on one scale; fixed pixels, for a scroller."""
    haut, coupe = sommet([nombre for une in periodes for nombre in (une.recus, une.resolus)])
    large = min(max(PAS_MIN, LARGEUR // max(len(periodes), 1)), PAS_MAX)
    colonnes = [_colonne(rang, une, pas, large, haut, coupe) for rang, une in enumerate(periodes)]
    recus, resolus = sum(une.recus for une in periodes), sum(une.resolus for une in periodes)
    return {
        "titre": _("Reçus et résolus, les %(n)d dernières semaines") % {"n": len(periodes)}
        if sans_debut
        else _TITRES[pas](),
        "colonnes": colonnes,
        "lignes": [
            {"libelle": _date(une.date, pas), "recus": une.recus, "resolus": une.resolus, "delai": duree(une.delai)}
            for une in periodes
        ],
        "recus": recus,
        "resolus": resolus,
        "est_vide": not recus + resolus,
        "a_des_coupes": coupe is not None,
        "graduations": [
            {"nombre": haut * rang // 2, "y": f"{BAS - (BAS - HAUT) * rang / 2:.1f}"}
            for rang in range(3)
            if haut > 1 or rang != 1
        ],
        "gauche": MARGE,
        "droite": MARGE + large * len(periodes),
        "largeur": 2 * MARGE + large * len(periodes),
        "hauteur": HAUTEUR,
    }


class Promesse(NamedTuple):
    """Promised days of one nature; `part` in percent, None where nothing is known of any yet."""

    nom: str
    tenues: int
    jugees: int
    part: int | None
    en_retard: int


def promesses(delai: dict[str, Any]) -> Promesse:
    jugees = delai["tenues"] + delai["tardives"] + delai["en_retard"]
    part = None if delai["part_tenue"] is None else round(100 * delai["part_tenue"])
    nature = NatureDelai(delai["nature"])
    autre = str(nature.label) if nature == NatureDelai.AUTRE else ""  # the campus's own, of several names
    return Promesse(capfirst(nom_de(nature, autre)), delai["tenues"], jugees, part, delai["en_retard"])


def page(bilan: Bilan) -> dict[str, Any]:
    """Everything that the templates of the page draw."""
    chiffres = bilan.chiffres
    par_mois = mois(chiffres["par_mois"])
    return {
        "ouverts": bilan.ouverts,
        "sans_personne": bilan.sans_personne,
        "total": chiffres["total"],
        "resolus": sum(chiffres["par_statut"][statut] for statut in RESOLUS),
        "delai_moyen": duree(chiffres["delai_moyen_resolution"]),
        "evolution": evolution(bilan.evolution, bilan.pas, sans_debut=bilan.sans_debut),
        "par_statut": statuts(chiffres["par_statut"]),
        "par_type": types(bilan.par_type),
        "par_priorite": priorites(chiffres["par_priorite"]),
        "par_mois": par_mois[:12],
        "mois_d_avant": par_mois[12:],
        "mois_coupes": any(un.est_coupee for un in par_mois),
        "delais": [promesses(une) for une in bilan.delais],
        "par_personne": personnes(bilan.charges, bilan.sans_personne),
        "sans_dossier": sum(not une.ouverts for une in bilan.charges),
        "attentes": [(une, Statut(une.statut).label) for une in bilan.attentes],
    }


_TITRES = {
    Pas.JOUR: lambda: _("Reçus et résolus, par jour"),
    Pas.SEMAINE: lambda: _("Reçus et résolus, par semaine"),
    Pas.MOIS: lambda: _("Reçus et résolus, par mois"),
}
# How its first day names a period, and how many pixels that takes.
_DATES = {Pas.JOUR: ("j N", 52), Pas.SEMAINE: ("j N", 52), Pas.MOIS: ("N Y", 64)}


def _colonne(rang: int, periode: Periode, pas: Pas, large: int, haut: int, coupe: int | None) -> Colonne:
    gauche, milieu = MARGE + rang * large, MARGE + (rang + 0.5) * large
    recus = _marque(periode.recus, gauche + 0.1 * large, 0.44 * large, haut, coupe)
    resolus = _marque(periode.resolus, gauche + 0.58 * large, 0.3 * large, haut, coupe)
    libelle = _date(periode.date, pas)
    dits = ngettext("%(n)d reçu", "%(n)d reçus", periode.recus) % {"n": periode.recus}
    finis = ngettext("%(n)d résolu", "%(n)d résolus", periode.resolus) % {"n": periode.resolus}
    return Colonne(
        libelle=libelle,
        bulle=_("%(quand)s : %(recus)s, %(resolus)s") % {"quand": libelle, "recus": dits, "resolus": finis},
        milieu=f"{milieu:.1f}",
        est_nommee=rang % ceil(_DATES[pas][1] / large) == 0,
        recus=recus,
        resolus=resolus,
    )


def _marque(nombre: int, x: float, largeur: float, haut: int, coupe: int | None) -> Marque:
    est_coupee = coupe is not None and nombre > coupe
    hauteur = (BAS - HAUT) * (1 if est_coupee else nombre / haut)
    return Marque(
        x=f"{x:.1f}",
        y=f"{BAS - hauteur:.1f}",
        largeur=f"{largeur:.1f}",
        hauteur=f"{hauteur:.1f}",
        milieu=f"{x + largeur / 2:.1f}",
        nombre=nombre,
        est_coupee=est_coupee,
    )


def _date(jour: date, pas: Pas) -> str:
    return date_format(jour, _DATES[pas][0])
