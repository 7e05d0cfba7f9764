"""Steps of each minute, for administrators: cases that nobody may read any more, and those that retention comes to."""

import logging
from datetime import date
from typing import Any

from django.core.cache import cache
from django.db import transaction
from django.utils import timezone

from accounts.models import Compte
from signalements.garde import annonces_d_ici, avis_couru, clos_et_libres, est_bornee, lus_en_equipe
from signalements.lecteurs import Acces, deplacables, sans_administrateur, sans_lecteur, sans_recours
from signalements.models import AvisDeSuppression, Signalement
from signalements.tasks import prevenir_des_suppressions, prevenir_sans_lecteur
from socle.domaine.acteurs import ActeurCompte
from socle.domaine.droits import Droit, roles_ayant
from socle.domaine.temps import debut_du_jour, jour_du_campus
from socle.moteur.ecritures import inserer
from socle.taches.entretien import chaque_minute, purges, supprimer

journal = logging.getLogger("campus.dossiers")
LOT = 100
SANS_RECOURS = "signalements.sans_recours"  # how many were told of, in the cache


@chaque_minute("Dossiers sans lecteur annoncés")
def annoncer_les_dossiers_sans_lecteur() -> None:
    """Mail each administrator who was not shut out of one, once for as long as it lasts; forget what is read again."""
    a_prevenir = set()
    for cle in list(sans_lecteur().filter(sans_lecteur_le=None).values_list("pk", flat=True)[:LOT]):
        a_prevenir |= _annoncer(cle)
    for compte in sorted(a_prevenir):
        prevenir_sans_lecteur.enqueue(str(compte))
    lus: Any = Signalement.objects.reserves().filter(sans_lecteur_le__isnull=False).exclude(pk__in=sans_lecteur())
    lus.order_by().update(sans_lecteur_le=None)


@transaction.atomic
def _annoncer(cle: Any) -> set[Any]:
    """Date the case as without a reader; return whom to tell of it: nobody where somebody may read it again since."""
    dossier = Signalement.objects.get(pk=cle)
    dossier.verrouiller()
    acces = Acces.de(dossier)
    if not dossier.est_reserve or dossier.sans_lecteur_le is not None or acces.lecteurs().exists():
        return set()
    dossier.sans_lecteur_le = timezone.now()
    dossier.enregistrer("sans_lecteur_le")
    return set(acces.recours().values_list("pk", flat=True))


@chaque_minute("Dossiers que personne ne peut rouvrir")
def dire_les_dossiers_sans_recours() -> None:
    """Tell the operator, by the log, how many reserved cases no administrator may open again, each time they are more.

    Never which: whoever reads the log may be whom one of them accuses.
    """
    nombre = sans_recours().count()
    if nombre > cache.get(SANS_RECOURS, 0):
        journal.warning("dossiers réservés qu'aucun administrateur actif ne peut rouvrir : %d", nombre)
    cache.set(SANS_RECOURS, nombre, timeout=None)


@chaque_minute("Avis de suppression des dossiers clôturés")
def annoncer_les_suppressions() -> None:
    """Give the day's notice, once; where cases are kept for ever, take back those given."""
    jour = jour_du_campus()
    if not est_bornee():
        AvisDeSuppression.objects.all().delete()
    elif not AvisDeSuppression.objects.filter(pk=jour).exists():
        _donner_avis(jour)


@transaction.atomic
def _donner_avis(jour: date) -> None:
    """Write the notice, and mail each administrator who reads a case that has come to it since the one before, or, of
    one that none reads, may know of it.

    The row is first: of two workers one waits for it, and finds it given.
    """
    precedent = AvisDeSuppression.objects.filter(jour__lt=jour).order_by("-jour").first()
    avis = AvisDeSuppression(jour=jour, clos_avant=annonces_d_ici(jour))
    if not inserer(avis, sauf_conflit=True):
        return
    nouveaux = clos_et_libres(avis.clos_avant)
    if precedent is not None:
        nouveaux = nouveaux.filter(date_cloture__gte=debut_du_jour(precedent.clos_avant))
    if nouveaux.exists():
        admins = Compte.objects.filter(type_utilisateur__in=roles_ayant(Droit.SIGNALEMENTS_GELER), est_actif=True)
        for compte in admins.order_by("pk"):
            acteur = ActeurCompte(compte=compte)
            a_rouvrir = deplacables(sans_administrateur(nouveaux), acteur)
            if lus_en_equipe(nouveaux, acteur).exists() or a_rouvrir.exists():
                prevenir_des_suppressions.enqueue(str(compte.pk))


@purges("Avis de suppression remplacés par un plus récent")
def avis_remplaces(*, simulation: bool) -> int:
    dernier = avis_couru(jour_du_campus())
    remplaces = AvisDeSuppression.objects.filter(jour__lt=dernier.jour) if dernier else AvisDeSuppression.objects.none()
    return supprimer(remplaces, simulation=simulation)
