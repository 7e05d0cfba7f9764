"""Retention of closed cases: which have come to their term, and of which the administrators have had notice."""

from datetime import date, timedelta
from typing import Any

from django.conf import settings

from signalements.lecteurs import deplacables, sans_administrateur
from signalements.models import EFFACABLE, AvisDeSuppression, Signalement
from signalements.vocabulaire import Statut
from socle.domaine.acteurs import Acteur
from socle.domaine.temps import debut_du_jour, jour_du_campus


def est_bornee() -> bool:
    """False where closed cases are kept for ever."""
    return bool(settings.REPORTS_KEPT_DAYS)


def clos_avant(jour: date) -> date:
    """Cases closed before this day have been kept long enough on `jour`."""
    return jour - timedelta(days=settings.REPORTS_KEPT_DAYS)


def annonces_d_ici(jour: date) -> date:
    """Cases closed before this day come to their term while a notice of `jour` runs."""
    return clos_avant(jour + timedelta(days=settings.REPORTS_WARNING_DAYS))


def effacables_avant(jour: date) -> date | None:
    """Cases closed before this day may be deleted on `jour`: kept long enough, and under a notice that has run.

    A delay that was just set, or made shorter, deletes nothing until then.
    """
    avis = avis_couru(jour) if est_bornee() else None
    return None if avis is None else min(clos_avant(jour), avis.clos_avant)


def avis_couru(jour: date) -> AvisDeSuppression | None:
    """The latest notice that is REPORTS_WARNING_DAYS old on `jour`."""
    courus = AvisDeSuppression.objects.filter(jour__lte=jour - timedelta(days=settings.REPORTS_WARNING_DAYS))
    return courus.order_by("-jour").first()


def clos_et_libres(avant: date) -> Any:
    """Live cases closed before this day, and not held, those closed first at the head."""
    lignes = Signalement.objects.vivants().filter(EFFACABLE, date_cloture__lt=debut_du_jour(avant))
    # One that a process of an earlier version opened again kept its date. Asked so, no index of statuses is preferred.
    lignes = lignes.exclude(statut__in=[statut for statut in Statut if statut != Statut.CLOTURE])
    return lignes.order_by("date_cloture", "id")


def bientot_effaces(acteur: Acteur) -> Any:
    """Cases that come to their term within REPORTS_WARNING_DAYS, and that this person reads as the team."""
    if not est_bornee():
        return Signalement.objects.none()
    return lus_en_equipe(clos_et_libres(annonces_d_ici(jour_du_campus())), acteur)


def a_rouvrir(acteur: Acteur) -> Any:
    """Cases that come to their term as soon and that no administrator reads, for one who may know of them."""
    if not est_bornee():
        return Signalement.objects.none()
    return deplacables(sans_administrateur(clos_et_libres(annonces_d_ici(jour_du_campus()))), acteur)


def lus_en_equipe(lignes: Any, acteur: Acteur) -> Any:
    """Filter to the cases that this person reads, but their own: a hold on it would show."""
    return lignes.visibles_par(acteur).exclude(compte=acteur.compte)


def unir_les_gels(source: Signalement, cible: Signalement) -> None:
    """Hold the target, unsaved, where either is held; taken back, a merge leaves it held."""
    if source.gele_depuis is None:
        return
    if cible.gele_depuis is None:
        cible.gele_depuis, cible.gel_motif, cible.gele_par_id = source.gele_depuis, source.gel_motif, source.gele_par_id
    elif source.gel_motif not in cible.gel_motif:
        cible.gele_depuis = min(cible.gele_depuis, source.gele_depuis)
        cible.gel_motif = f"{cible.gel_motif} · {source.gel_motif}"[:255]
