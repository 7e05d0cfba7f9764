"""The figures of the dashboard, as dictionaries in the shapes that the serializers of this app describe."""

from collections.abc import Iterable
from typing import Any

from django.utils import timezone

from accounts.lectures import invitations_en_attente as en_attente
from accounts.models import Compte
from calendrier.lectures import a_venir
from discussions.lectures import non_lus, non_lus_arrieres
from forum.lectures import a_moderer
from signalements.compteurs.cellules import Mesures, Sommes, reunies
from signalements.vocabulaire import CANONIQUE, MODES_CONNUS, NON_LUS_MAX, TYPES_CONNUS, Axe, Priorite, Statut
from socle.domaine.acteurs import Acteur, SourceActeur
from socle.domaine.canonique import StatutCanonique
from socle.domaine.droits import Droit
from socle.moteur.lectures import Passage
from stats.chiffres.series import par_mois
from stats.chiffres.sources import (
    DeSoi,
    DeTous,
    Filtre,
    Question,
    Source,
    seuil_des_categories,
    seuil_des_petites,
    source_pour,
)
from stats.erreurs import type_trop_rare
from stats.vocabulaire import AUTRE, VALEURS_MAX

PAR_NOM = ("nom", "prenom", "pk")
# The axes that a table is read from, and the column of each.
Colonnes = tuple[tuple[Axe, str], ...]
_AU_TABLEAU: Colonnes = ((Axe.STATUT, "statut"), (Axe.PRIORITE, "priorite"), (Axe.JOUR, "type"))
_AUX_STATISTIQUES: Colonnes = (*_AU_TABLEAU, (Axe.MODE, "mode"), (Axe.SOURCE, "source"))
# As plain strings, worked out once.
_ARRIERES = "messages_arrieres"  # among the unread ones
_STATUTS, _PRIORITES, _SOURCES = Statut.values, Priorite.values, SourceActeur.values
_STATUTS_CANONIQUES = StatutCanonique.values
_CANONIQUES = {str(statut): str(canonique) for statut, canonique in CANONIQUE.items()}


def tableau_de_bord(acteur: Acteur, filtre: Filtre) -> dict[str, Any]:
    source = source_pour(acteur)
    comptes = _comptes(acteur)
    lus = source.prelire(*_questions(_AU_TABLEAU, filtre), recents_de=[filtre.type], avec=comptes.values())
    nombres = {nom: int(nombre) for nom, (nombre,) in zip(comptes, lus, strict=True)}
    nombres["messages_non_lus"] += nombres.pop(_ARRIERES, 0)
    statuts, priorites, types = _lire(source, _AU_TABLEAU, filtre)
    ensemble = reunies(types)
    par_statut = _repartir(statuts, _STATUTS)
    return {
        "portee": source.portee,
        "total_signalements": ensemble.nombre,
        "par_statut": par_statut,
        "par_statut_canonique": _canoniques(par_statut),
        "par_priorite": _repartir(priorites, _PRIORITES),
        "par_type": _grouper(_repartir(types, TYPES_CONNUS), seuil_des_petites(acteur)),
        "ouverts": ensemble.nombre - ensemble.resolus,
        "resolus": ensemble.resolus,
        "taux_resolution": round(ensemble.resolus / ensemble.nombre, 4) if ensemble.nombre else 0,
        "delai_moyen_resolution": ensemble.heures,
        "nouveaux7_jours": source.recents(filtre.type),
        **nombres,
    }


def statistiques(acteur: Acteur, filtre: Filtre) -> dict[str, Any]:
    source = source_pour(acteur)
    source.prelire(*_questions(_AUX_STATISTIQUES, filtre))
    statuts, priorites, types, modes, sources = _lire(source, _AUX_STATISTIQUES, filtre)
    ensemble = reunies(types)
    return {
        "portee": source.portee,
        "total": ensemble.nombre,
        "par_statut": _repartir(statuts, _STATUTS),
        "par_type": _grouper(_repartir(types, TYPES_CONNUS), seuil_des_petites(acteur)),
        "par_priorite": _repartir(priorites, _PRIORITES),
        "par_mode_identification": _repartir(modes, MODES_CONNUS),
        "par_source_acteur": _repartir(sources, _SOURCES),
        "par_mois": [
            {"mois": f"{mois:%Y-%m}", "total": mesures.nombre, "resolus": mesures.resolus}
            for mois, mesures in par_mois(source, filtre)
        ],
        "delai_moyen_resolution": ensemble.heures,
    }


def exiger_une_part_montree(acteur: Acteur, filtre: Filtre) -> None:
    """ChampsInvalides (422) for a type that this reader counts with others: alone, it would be what was folded."""
    seuil = seuil_des_petites(acteur)
    if not seuil or filtre.type is None:
        return
    nombres = _repartir(DeTous(acteur).lire(Axe.JOUR, "type", filtre=filtre._replace(type=None)), TYPES_CONNUS)
    siens = nombres.get(filtre.type, 0)
    if siens < seuil or _grouper(nombres, seuil)[filtre.type] != siens:
        raise type_trop_rare()


def equipe(acteur: Acteur) -> list[dict[str, Any]]:
    """Load of each account that can handle cases or still has some, less the reader's own reports.

    The reader may not learn who handles these.
    """
    siens = DeSoi(acteur).lire(Axe.GESTIONNAIRE, "gestionnaire", filtre=Filtre())
    tous = DeTous(acteur).lire(Axe.GESTIONNAIRE, "gestionnaire", filtre=Filtre())
    par_personne = {cle[0]: mesures.plus(siens.get(cle, Mesures()), -1) for cle, mesures in tous.items()}
    personnes = Compte.objects.equipe_active() | Compte.objects.filter(pk__in=list(par_personne))
    return [_charge(une, par_personne.get(str(une.pk), Mesures())) for une in personnes.order_by(*PAR_NOM)]


def categories(acteur: Acteur, filtre: Filtre) -> list[dict[str, Any]]:
    """Count and percentage by type, the most frequent first, rare types grouped."""
    nombres = _repartir(DeTous(acteur).lire(Axe.JOUR, "type", filtre=filtre), TYPES_CONNUS)
    par_type = _grouper(nombres, seuil_des_categories(acteur))
    ensemble = sum(par_type.values())
    return [
        {
            "categorie": type_,
            "total": total,
            "pourcentage": round(100 * total / ensemble, 2) if ensemble else 0,
        }
        for type_, total in sorted(par_type.items(), key=lambda paire: (-paire[1], paire[0]))
    ]


def postes_a_moderer() -> int:
    return a_moderer().nombre()


def invitations_en_attente() -> int:
    return en_attente(timezone.now()).nombre()


def _comptes(acteur: Acteur) -> dict[str, Passage]:
    """The counts beside those of reports."""
    maintenant = timezone.now()
    comptes = {
        "messages_non_lus": non_lus(acteur).somme(NON_LUS_MAX),
        "evenements_a_venir": a_venir(maintenant).combien(),
    }
    if acteur.peut(Droit.DISCUSSIONS_CONSULTER_TOUTES):
        comptes[_ARRIERES] = non_lus_arrieres(acteur).somme(NON_LUS_MAX)
    if acteur.peut(Droit.FORUM_MODERER):
        comptes["postes_a_moderer"] = a_moderer().combien()
    if acteur.peut(Droit.INVITATIONS_GERER):
        comptes["invitations_en_attente"] = en_attente(maintenant).combien()
    return comptes


def _questions(colonnes: Colonnes, filtre: Filtre) -> list[Question]:
    return [Question(axe, (colonne,), filtre) for axe, colonne in colonnes]


def _lire(source: Source, colonnes: Colonnes, filtre: Filtre) -> list[Sommes]:
    return [source.lire(axe, colonne, filtre=filtre) for axe, colonne in colonnes]


def _repartir(parties: Sommes, connues: Iterable[str]) -> dict[str, int]:
    """Count by value: every known one, 0 included, then the VALEURS_MAX most frequent others, the rest under AUTRE."""
    nombres, autres = dict.fromkeys(connues, 0), {}
    for (valeur,), mesures in parties.items():
        if valeur in nombres:
            nombres[valeur] = mesures.nombre
        else:
            autres[valeur] = mesures.nombre
    if autres:
        triees = sorted(autres, key=lambda valeur: (-autres[valeur], valeur))
        nombres |= {valeur: autres[valeur] for valeur in triees[:VALEURS_MAX]}
        if reste := sum(autres[valeur] for valeur in triees[VALEURS_MAX:]):
            nombres[AUTRE] = nombres.get(AUTRE, 0) + reste
    return nombres


def _grouper(nombres: dict[str, int], limite: int) -> dict[str, int]:
    """Group cells under this number into AUTRE, until it has as many: a small cell could point at somebody."""
    reste, petites = 0, []
    for valeur, nombre in sorted(nombres.items(), key=lambda paire: paire[1]):
        if nombre and (nombre < limite or 0 < reste < limite):
            petites.append(valeur)
            reste += nombre
    gardees = {valeur: nombre for valeur, nombre in nombres.items() if valeur not in petites}
    vides = {valeur: 0 for valeur in petites if valeur in TYPES_CONNUS}
    return {**gardees, **vides, AUTRE: gardees.get(AUTRE, 0) + reste} if petites else nombres


def _canoniques(par_statut: dict[str, int]) -> dict[str, int]:
    nombres = dict.fromkeys(_STATUTS_CANONIQUES, 0)
    for statut, nombre in par_statut.items():
        nombres[_CANONIQUES[statut]] += nombre
    return nombres


def _charge(personne: Compte, ensemble: Mesures) -> dict[str, Any]:
    return {
        "gestionnaire_id": personne.pk,
        "nom": personne.nom,
        "prenom": personne.prenom,
        "assignes": ensemble.nombre,
        "en_cours": ensemble.nombre - ensemble.resolus,
        "resolus": ensemble.resolus,
        "delai_moyen_resolution": ensemble.heures,
    }
