"""Time series by day, week or month of the campus, without gaps: an empty period is 0."""

from collections.abc import Callable, Iterator
from datetime import date, timedelta

from django.conf import settings
from django.utils import timezone

from signalements.compteurs.cellules import Mesures, Sommes
from signalements.vocabulaire import MOIS_DE, Axe
from stats.chiffres.sources import Filtre, Source
from stats.erreurs import periode_trop_longue
from stats.vocabulaire import PERIODES_MAX, PERIODES_PAR_DEFAUT, Pas


def aujourd_hui() -> date:
    return timezone.now().astimezone(settings.TIME_ZONE_CAMPUS).date()


def par_periode(source: Source, axe: Axe, pas: Pas, filtre: Filtre) -> list[tuple[date, Mesures]]:
    """One entry for each period of the filter, by default the last 30; ChampsInvalides (422) past 400."""
    filtre = bornes(pas, filtre)
    return _ranger(_lire(source, axe, pas, filtre), pas, filtre)


def par_mois(source: Source, filtre: Filtre) -> list[tuple[date, Mesures]]:
    """One entry a month, from the filter's first day, else the first report, to its last, else the present month."""
    lues = _lire(source, Axe.JOUR, Pas.MOIS, filtre)
    jours = [jour for (jour,) in lues]
    debut, fin = filtre.debut or min(jours, default=None), filtre.fin or max([aujourd_hui(), *jours])
    if debut is None or debut > fin:
        return []
    return _ranger(lues, Pas.MOIS, Filtre(_exiger_courte(Pas.MOIS, debut, fin), fin))


def _lire(source: Source, axe: Axe, pas: Pas, filtre: Filtre) -> Sommes:
    """Sums by day, or by the first day of each month where whole months are asked for: thirty times fewer cells."""
    if pas is Pas.MOIS and filtre.est_en_mois_entiers(aujourd_hui()):
        axe = MOIS_DE[axe]
    return source.lire(axe, "jour", filtre=filtre)


def bornes(pas: Pas, filtre: Filtre) -> Filtre:
    """The filter with both its days, by default those of the last 30 periods; ChampsInvalides (422) past 400."""
    fin = filtre.fin or max(aujourd_hui(), filtre.debut or date.min)
    debut = filtre.debut or _reculer(pas, fin, PERIODES_PAR_DEFAUT - 1)
    return Filtre(_exiger_courte(pas, debut, fin), fin, filtre.type)


def _exiger_courte(pas: Pas, debut: date, fin: date) -> date:
    periodes = _periodes(pas, debut, fin)
    if sum(1 for _une, _rang in zip(periodes, range(PERIODES_MAX + 1), strict=False)) > PERIODES_MAX:
        raise periode_trop_longue(PERIODES_MAX)
    return debut


def _ranger(lues: Sommes, pas: Pas, filtre: Filtre) -> list[tuple[date, Mesures]]:
    assert filtre.debut is not None and filtre.fin is not None  # noqa: S101, PT018 -- the callers have set both
    rangees = {periode: Mesures() for periode in _periodes(pas, filtre.debut, filtre.fin)}
    for (jour,), mesures in lues.items():
        rangees[_DEBUTS[pas](jour)] = rangees[_DEBUTS[pas](jour)].plus(mesures)
    return list(rangees.items())


def _periodes(pas: Pas, debut: date, fin: date) -> Iterator[date]:
    """The first days of the periods from the one of `debut` to the one of `fin`."""
    periode, derniere = _DEBUTS[pas](debut), _DEBUTS[pas](fin)
    while periode <= derniere:
        yield periode
        periode = _reculer(pas, periode, -1)


def _reculer(pas: Pas, jour: date, nombre: int) -> date:
    """The first day of the period `nombre` periods before that of this day."""
    premier = _DEBUTS[pas](jour)
    if pas is not Pas.MOIS:
        return premier - nombre * timedelta(days=7 if pas is Pas.SEMAINE else 1)
    annees, mois = divmod(premier.year * 12 + premier.month - 1 - nombre, 12)
    return date(annees, mois + 1, 1)


_DEBUTS: dict[Pas, Callable[[date], date]] = {
    Pas.JOUR: lambda jour: jour,
    Pas.SEMAINE: lambda jour: jour - timedelta(days=jour.weekday()),
    Pas.MOIS: lambda jour: jour.replace(day=1),
}
