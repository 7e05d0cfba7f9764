"""Another address for an account, wanted by its person or by an administrator: it counts once confirmed from there."""

import logging
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy

from accounts.erreurs import AucuneAdresseDemandee, CompteEfface, CourrielDejaUtilise
from accounts.journal import ADRESSE_DEMANDEE, noter
from accounts.models import (
    ADRESSE_CONFIRMEE,
    ADRESSE_CONTESTEE,
    Compte,
    DemandeAdresse,
    DemandeMotDePasse,
    ligne_du_jeton,
)
from accounts.services.preuves import consigner_le_sien
from accounts.tasks import (
    confirmer_l_adresse,
    prevenir_d_une_adresse_demandee,
    prevenir_d_une_contestation,
    prevenir_l_ancienne_adresse,
)
from accounts.vocabulaire import INDEXES
from socle.audit.registre import consigner
from socle.audit.vocabulaire import Acte, Sorte
from socle.courriel import est_remis
from socle.domaine.acteurs import Acteur
from socle.domaine.adresses import canonique
from socle.domaine.droits import Role
from socle.erreurs import ChampsInvalides

journal = logging.getLogger("campus.securite")
LIEN_MORT = gettext_lazy("Ce lien n'est plus valable : parlez-en à l'administration du campus.")


def se_confirment() -> bool:
    """False where no mail leaves the machine: nobody would receive the link."""
    return est_remis()


def exiger_libre(email: str, refus: type[CourrielDejaUtilise] = CourrielDejaUtilise) -> None:
    """Query before the insert, and raise 409: PostgreSQL logs a refused statement whole, address included.

    The unique constraint still decides between two at once.
    """
    if Compte.objects.filter(email=canonique(email)).exists():
        raise refus


def demander(*, compte: Compte, email: str, acteur: Acteur) -> None:
    """Mail a link to the new address and word to the present one; call with the account's row locked.

    It takes the place of the one that waited, whose link opens nothing from then on.
    """
    assert acteur.compte is not None  # noqa: S101 -- a guest never passes the route
    abandonner(compte)
    fin = timezone.now() + DemandeAdresse.DUREE
    demande = DemandeAdresse.objects.create(
        compte=compte, par=acteur.compte, email=email, ancienne=compte.email, date_expiration=fin
    )
    compte.email_en_attente = email
    _noter(compte, acteur, (None, email))
    confirmer_l_adresse.enqueue(str(demande.pk))
    prevenir_d_une_adresse_demandee.enqueue(str(demande.pk))


@transaction.atomic
def renoncer(*, compte: Compte, acteur: Acteur) -> None:
    """Drop the address that waits; 409 where none does."""
    compte.verrouiller()
    if not garder_l_actuelle(compte=compte, acteur=acteur):
        raise AucuneAdresseDemandee


def garder_l_actuelle(*, compte: Compte, acteur: Acteur) -> bool:
    """Drop the address that waits, False where none does; call with the account's row locked."""
    demande = DemandeAdresse.objects.en_attente().filter(compte=compte).first()
    if demande is None:
        return False
    abandonner(compte)
    _noter(compte, acteur, (demande.email, None))
    return True


def _noter(compte: Compte, acteur: Acteur, valeurs: tuple[str | None, str | None]) -> None:
    noter(compte, {ADRESSE_DEMANDEE: valeurs}, par=acteur.compte)
    champs = ["email_en_attente"]
    if acteur.compte == compte:
        consigner_le_sien(compte, Acte.SON_COMPTE_MODIFIE, champs=champs)
    else:
        consigner(Acte.COMPTE_MODIFIE, par=acteur, objet=compte.pk, sorte=Sorte.COMPTE, champs=champs)


def abandonner(compte: Compte) -> None:
    """Nothing waits any more: no link outlives the password, the activity, or the next request."""
    DemandeAdresse.objects.non_closes().filter(compte=compte).update(date_fin=timezone.now())
    compte.email_en_attente = None


@transaction.atomic
def confirmer(*, token: str) -> Compte:
    """Give the account its new address, proved by this one-use token; the former one is told.

    422 for a token that opens nothing, 409 where another account has taken the address meanwhile.
    """
    demande = confirmable(token, verrou=True)
    if demande is None:
        raise ChampsInvalides.pour(token=LIEN_MORT)
    compte: Compte = demande.compte
    exiger_libre(demande.email)
    valeurs = {"email": (compte.email, demande.email), "email_verifie": (compte.email_verifie, True)}
    compte.email, compte.email_verifie, compte.email_en_attente = demande.email, True, None
    compte.indexer()
    try:
        with transaction.atomic():
            compte.enregistrer("email", "email_verifie", *INDEXES)
    except IntegrityError as doublon:
        raise CourrielDejaUtilise from doublon
    DemandeMotDePasse.annuler(compte)
    demande.date_confirmation = timezone.now()
    demande.save(update_fields=["date_confirmation"])
    entree = noter(compte, valeurs, par=demande.par)
    # By nobody: who reads there may be anybody. Who asked for it is named.
    consigner(Acte.ADRESSE_CONFIRMEE, par=None, objet=compte.pk, sorte=Sorte.COMPTE, demandeePar=str(demande.par_id))
    prevenir_l_ancienne_adresse.enqueue(str(entree.pk))
    return compte


@transaction.atomic
def contester(*, token: str) -> None:
    """Ask the administrators to look at a change, for who reads the former address; once, and nothing else changes."""
    demande = contestable(token, verrou=True)
    if demande is None:
        raise ChampsInvalides.pour(token=LIEN_MORT)
    if demande.date_contestation is not None:
        return
    demande.date_contestation = timezone.now()
    demande.save(update_fields=["date_contestation"])
    consigner(
        Acte.ADRESSE_CONTESTEE, par=None, objet=demande.compte_id, sorte=Sorte.COMPTE, demandeePar=str(demande.par_id)
    )
    for cle in _a_prevenir(demande):
        prevenir_d_une_contestation.enqueue(f"{cle} {demande.compte_id}")


def _a_prevenir(demande: DemandeAdresse) -> list[Any]:
    """The administrators but who asked and whose account it is; who asked alone, where there is nobody else."""
    actifs = Compte.objects.de_role(Role.ADMIN_SYSTEME).filter(est_actif=True).exclude(pk=demande.compte_id)
    autres = list(actifs.exclude(pk=demande.par_id).order_by("pk").values_list("pk", flat=True))
    cles = autres or list(actifs.values_list("pk", flat=True))
    if not cles:
        journal.warning("un changement d'adresse est contesté, et aucun administrateur n'est là pour l'apprendre")
    return cles


def confirmable(jeton: str, *, verrou: bool = False) -> DemandeAdresse | None:
    return _du_jeton(DemandeAdresse.objects.en_cours().en_attente(), ADRESSE_CONFIRMEE, jeton, verrou=verrou)


def contestable(jeton: str, *, verrou: bool = False) -> DemandeAdresse | None:
    """Find the request of this token, once it counts too: whoever had it changed may read the new address."""
    return _du_jeton(DemandeAdresse.objects.en_cours(), ADRESSE_CONTESTEE, jeton, verrou=verrou)


def est_prise(demande: DemandeAdresse) -> bool:
    """True where another account has taken the address meanwhile: confirming it would change nothing."""
    return Compte.objects.filter(email=canonique(demande.email)).exists()


def _du_jeton(demandes: Any, sel: str, jeton: str, *, verrou: bool) -> DemandeAdresse | None:
    lues = demandes.filter(pk=ligne_du_jeton(sel, jeton)).select_related("compte")
    demande: DemandeAdresse | None = lues.first()
    if demande is None or not verrou:
        return demande
    # The account first, as everywhere; then read again: the link may have served, or been replaced, meanwhile.
    try:
        demande.compte.verrouiller()
    except CompteEfface:  # and the request with it
        return None
    relue: DemandeAdresse | None = lues.first()
    return relue
