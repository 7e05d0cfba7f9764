"""The dates that a case promises, as its row keeps them: the seams that fill them, and their words."""

from collections.abc import Callable
from datetime import date
from typing import Any, NamedTuple
from uuid import UUID, uuid5

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from signalements.vocabulaire import Statut
from socle.domaine.registre import Registre
from socle.domaine.temps import jour_du_campus

DATES = ("echeances", "prochaine_echeance")  # columns of a case
OUVERTE, TENUE, TARDIVE = "OUVERTE", "TENUE", "TARDIVE"
POSEE, FAITE, PROLONGEE = "POSEE", "FAITE", "PROLONGEE"  # what a line of the history says of one
# "echeances" -> (an unsaved report) -> sets its DATES, whose rows follow the insert.
dates_d_un_nouveau: Registre[Callable[[Any], None]] = Registre("dates d'un nouveau dossier", attendus=["echeances"])
# "echeances" -> () -> True while the cases that were open are being given their dates: any may have one in a moment.
dates_a_venir: Registre[Callable[[], bool]] = Registre("dates à venir", attendus=["echeances"])
# "echeances" -> (a locked report) -> sets its DATES from the rows, unsaved: a merge has joined others to it, or given
# them back.
tenir_les_dates: Registre[Callable[[Any], None]] = Registre("dates d'un dossier", attendus=["echeances"])


def tenue(echeance: dict[str, Any]) -> str:
    """State of a date of a case: kept, late, or still open; ISO days compare as texts.

    Late too once it was put off after its day, which nothing makes kept.
    """
    if (echeance.get("prolongeeLe") or "") > (echeance["prolongeeDu"] or ""):
        return TARDIVE
    if echeance["faiteLe"] is None:
        return OUVERTE
    return TENUE if echeance["faiteLe"] <= echeance["pourLe"] else TARDIVE


def objet_d_alerte(echeance: dict[str, Any]) -> UUID:
    """The object of the alerts of a date of a case: put off, it raises those of its new day."""
    return uuid5(UUID(echeance["id"]), echeance["pourLe"])


def nom_de(nature: str, libelle: str) -> str:
    """The promise in the words of its author: « une première réponse »."""
    return libelle or {"ACCUSE": _("une première réponse"), "RETOUR": _("un retour sur les suites")}.get(
        nature, _("un entretien")
    )


class DateMontree(NamedTuple):
    """A date of a case as a page tells it; `nom` begins with a capital."""

    id: str
    nature: str
    nom: str
    pour_le: date
    faite_le: date | None
    prolongee_du: date | None
    motif: str
    est_en_retard: bool


def dates_montrees(signalement: Any) -> list[DateMontree]:
    """Dates of a case in the order of its row."""
    aujourd_hui = jour_du_campus()
    montrees = []
    for une in signalement.echeances:
        pour_le, faite_le, du = (_jour(une[nom]) for nom in ("pourLe", "faiteLe", "prolongeeDu"))
        assert pour_le is not None  # noqa: S101 -- every date has its day
        nom = nom_de(une["nature"], une["libelle"])
        en_retard = faite_le is None and pour_le < aujourd_hui
        nom = f"{nom[:1].upper()}{nom[1:]}"
        montrees.append(DateMontree(une["id"], une["nature"], nom, pour_le, faite_le, du, une["motif"], en_retard))
    return montrees


def dates_promises(signalement: Any) -> list[DateMontree]:
    """`dates_montrees` without the days to come of a closed case: nobody is at work on it to keep them.

    A day that has passed stays, closed or not.
    """
    est_clos = signalement.statut == Statut.CLOTURE
    return [une for une in dates_montrees(signalement) if not est_clos or une.faite_le or une.est_en_retard]


def attend_le_retour(signalement: Any) -> bool:
    """True where the feedback on the case is promised, and not given."""
    return any(une["nature"] == "RETOUR" and une["faiteLe"] is None for une in signalement.echeances)


def _jour(iso: str | None) -> date | None:
    return None if iso is None else date.fromisoformat(iso)


def decrire_l_echeance(acte: str, nature: str, contenu: str, tape: Callable[[str], str] = str) -> str:
    """The line of the history; `contenu` is the ISO day, and after a space the name of a date of the campus's own.

    `tape` renders that name.
    """
    iso, _espace, libelle = contenu.partition(" ")
    quoi = tape(libelle) if libelle else nom_de(nature, "")
    valeurs = {"quoi": quoi, "jour": date_format(date.fromisoformat(iso), "DATE_FORMAT")}
    phrases = {
        POSEE: _("Promis pour le %(jour)s au plus tard : %(quoi)s."),
        FAITE: _("Fait le %(jour)s : %(quoi)s."),
        PROLONGEE: _("Reporté au %(jour)s : %(quoi)s."),
    }
    return phrases[acte] % valeurs
