"""The day of an incident, as people write it in three boxes, or all of it in one."""

import re
from datetime import date, timedelta

from socle.domaine.saisie import sans_invisibles
from socle.domaine.temps import jour_du_campus
from socle.domaine.texte import normaliser

ANNEE_MIN = 1900
# Days before this one, by their words.
RELATIFS = {"aujourd'hui": 0, "aujourdhui": 0, "today": 0, "hier": 1, "yesterday": 1, "avant-hier": 2}
# The time, which follows the day: « hier soir », « … vers 15h », « … à midi ».
_MOMENT = r"(?:(?:au|du|le|dans la|in the) |dans l')?(?:matin|apres.midi|soir|nuit|morning|afternoon|evening|night)"
_A = "(?:a|vers|at|around)"
_HEURE = rf"{_A} \d{{1,2}} ?(?:h|:)? ?(?:\d\d)?(?: ?(?:am|pm|heures?))?|\d{{1,2}} ?(?:h|:\d\d)(?: ?\d\d)?"
_TEMPS = re.compile(rf"(?:,? (?:{_MOMENT}|{_HEURE}|(?:{_A} )?(?:midi|minuit|noon|midnight)))+$")
MOIS = (
    ("janvier", "january"),
    ("fevrier", "february"),
    ("mars", "march"),
    ("avril", "april"),
    ("mai", "may"),
    ("juin", "june"),
    ("juillet", "july"),
    ("aout", "august"),
    ("septembre", "september"),
    ("octobre", "october"),
    ("novembre", "november"),
    ("decembre", "december"),
)
MUETS = {"er", "re", "le", "the", "of", "de", "du"} | {
    *("lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche"),
    *("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"),
}
_GUILLEMETS = str.maketrans(dict.fromkeys('«»"“”„‟‹›', " "))
_FINALES = ".,;:! '…"  # around the whole
_APOSTROPHES = str.maketrans("’‛ʼ‘`´′", "'''''''")
_SEPARATEURS = re.compile(r"[\s/.,\\()°\-‐‑‒–—―−∕⁄]+")
# « 3mars2026 », « '26 »; a day of the week that is cut short, which « mar » is only where three pieces follow it.
_COLLES = re.compile(r"(?<=\d)(?=[a-z]{3})|(?<=[a-z]{3})(?=\d)")
_JOURS_COURTS = {"lun", "mar", "mer", "jeu", "ven", "sam", "dim", "mon", "tue", "wed", "thu", "fri", "sat", "sun"}
_MORCEAU = re.compile(r"(\d{1,4})(?:er|re|e|eme|st|nd|rd|th)?|[a-z]{3,}")
_AVANT_HIER = re.compile(r"\bavant\W?hier\b")
_EN_ENTIER = 100  # characters
_UNE_VIE = 80  # years
_BISSEXTILE = 2024


class SansAnnee(ValueError):
    """A day and a month alone: nobody guesses the year of what somebody reports."""


def lire_le_jour(*parties: str) -> date | None:
    """The day that these boxes tell, None for empty ones; ValueError for no day, one to come or one before 1900.

    Numbers are in any digits, « 1er » and the names of months in both languages; a year of two digits is the last one
    that ends so, within a life. SansAnnee for a day without one.
    """
    tape = sans_invisibles(" ".join(parties)).translate(_APOSTROPHES).translate(_GUILLEMETS)
    ecrit = _AVANT_HIER.sub("avant-hier", normaliser(tape)).replace("aujourd hui", "aujourd'hui")
    if not ecrit:
        return None
    if len(ecrit) > _EN_ENTIER:
        raise ValueError
    ecrit = _TEMPS.sub("", ecrit.strip(_FINALES))
    jour = _relatif(ecrit) or _complet(ecrit)
    if jour.year < ANNEE_MIN or jour > jour_du_campus():
        raise ValueError
    return jour


def _relatif(ecrit: str) -> date | None:
    return jour_du_campus() - timedelta(days=RELATIFS[ecrit]) if ecrit in RELATIFS else None


def _complet(ecrit: str) -> date:
    """Day, month, year; the year first where it has four digits, the month first where it has a name."""
    separes = _COLLES.sub(" ", ecrit.replace("premier", "1").replace(" '", " "))
    morceaux = [un for un in _SEPARATEURS.split(separes) if un and un not in MUETS]
    if len(morceaux) == len("sjma") and morceaux[0] in _JOURS_COURTS:
        del morceaux[0]
    if len(morceaux) == len("jm"):
        _complet(f"{' '.join(morceaux)} {_BISSEXTILE}")  # ValueError where it is none with a year either
        raise SansAnnee
    if len(morceaux) != len("jma"):
        raise ValueError
    lus = [_MORCEAU.fullmatch(un) for un in morceaux]
    if not all(lus):
        raise ValueError
    premier, second, dernier = ((un[1] or un[0]) if un else "" for un in lus)
    if len(premier) == len("2026") and premier.isdigit():
        premier, dernier = dernier, premier
    elif not premier.isdigit():
        premier, second = second, premier
    return date(_annee(dernier), _mois(second), int(premier))


def _mois(ecrit: str) -> int:
    if ecrit.isdigit():
        return int(ecrit)
    (trouve,) = {rang for rang, noms in enumerate(MOIS, 1) if any(nom.startswith(ecrit) for nom in noms)}
    return trouve


def _annee(ecrit: str) -> int:
    if len(ecrit) != len("26"):
        return int(ecrit)
    present = jour_du_campus().year
    il_y_a = (present - int(ecrit)) % 100
    if il_y_a > _UNE_VIE:  # rather a year to come than one that nobody remembers
        raise ValueError
    return present - il_y_a
