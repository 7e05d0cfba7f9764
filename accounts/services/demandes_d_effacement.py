"""A person's request to be erased: it waits for whoever runs the service, and `effacer` deletes it with the rest."""

import logging
from typing import Any

from django.db import transaction

from accounts.models import Compte, DemandeEffacement
from accounts.services.comptes import exiger_mot_de_passe
from accounts.services.preuves import consigner_le_sien
from accounts.signals import effacement_demande
from accounts.tasks import prevenir, prevenir_d_un_effacement_demande
from accounts.vocabulaire import Surete
from socle.audit.vocabulaire import Acte
from socle.domaine.acteurs import Acteur
from socle.domaine.droits import Droit, roles_ayant
from socle.domaine.limites import consommer

journal = logging.getLogger("campus.securite")
MONTREES_MAX = 100


@transaction.atomic
def demander(*, acteur: Acteur, mot_de_passe: str) -> None:
    """Ask to be erased, given the password; idempotent: a request that waits is not told twice."""
    compte = acteur.compte
    assert compte is not None  # noqa: S101 -- a guest never passes the page
    compte.verrouiller()
    exiger_mot_de_passe(compte=compte, mot_de_passe=mot_de_passe)
    if DemandeEffacement.objects.filter(compte=compte).exists():
        return
    consommer("erasure_request", str(compte.pk))
    DemandeEffacement.objects.create(compte=compte)
    consigner_le_sien(compte, Acte.EFFACEMENT_DEMANDE)
    prevenir(compte, Surete.EFFACEMENT_DEMANDE)
    for cle in _a_prevenir(compte):
        prevenir_d_un_effacement_demande.enqueue(str(cle))
    effacement_demande.send(DemandeEffacement)


@transaction.atomic
def renoncer(*, acteur: Acteur) -> None:
    """Take the request back; idempotent."""
    compte = acteur.compte
    assert compte is not None  # noqa: S101 -- a guest never passes the page
    compte.verrouiller()
    if DemandeEffacement.objects.filter(compte=compte).delete()[0]:
        consigner_le_sien(compte, Acte.EFFACEMENT_RETIRE)


def en_attente() -> list[DemandeEffacement]:
    """List the requests of everybody, the oldest first."""
    demandes = DemandeEffacement.objects.select_related("compte").order_by("date_creation", "compte")
    return list(demandes[:MONTREES_MAX])


def de(compte: Compte) -> DemandeEffacement | None:
    return DemandeEffacement.objects.filter(compte=compte).first()


def _a_prevenir(compte: Compte) -> list[Any]:
    """The administrators but the one who asks; that one, where there is nobody else."""
    roles = roles_ayant(Droit.COMPTES_MODIFIER)
    actifs = Compte.objects.filter(type_utilisateur__in=roles, est_actif=True).order_by("pk")
    cles = list(actifs.exclude(pk=compte.pk).values_list("pk", flat=True)) or list(actifs.values_list("pk", flat=True))
    if not cles:
        journal.warning("une personne demande à être effacée, et aucun administrateur n'est là pour l'apprendre")
    return cles
