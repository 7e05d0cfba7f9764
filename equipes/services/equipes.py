"""Acts on teams and their members: each is told to those who read their cases, and is in the register."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import Compte
from equipes.en_vigueur import regles_actives
from equipes.erreurs import DejaMembre, PlusDeMembres, PlusDEquipes
from equipes.lectures import dossiers_d_equipe, noms_des_equipes
from equipes.models import Equipe, MembreDEquipe
from equipes.signals import composition_changee
from equipes.vocabulaire import EQUIPES_MAX, MEMBRES_MAX
from socle.audit.registre import consigner
from socle.audit.vocabulaire import Acte, Sorte
from socle.domaine.acteurs import Acteur
from socle.domaine.droits import Droit
from socle.domaine.identite import masquer_ecrits
from socle.domaine.verrous import verrouiller_dans_l_ordre
from socle.erreurs import ChampsInvalides, Introuvable, PermissionRefusee


@transaction.atomic
def creer(*, acteur: Acteur, nom: str, description: str = "") -> Equipe:
    """Insert a team that nobody is of yet; 422 for the name of another one, 409 past EQUIPES_MAX."""
    if Equipe.objects.count() >= EQUIPES_MAX:
        raise PlusDEquipes
    equipe = Equipe(nom=nom, description=description)
    masquer_ecrits(equipe)
    with _un_nom_a_elle():
        equipe.save(force_insert=True)
    noms_des_equipes.oublier()
    consigner(Acte.EQUIPE_DEFINIE, par=acteur, objet=equipe.pk, sorte=Sorte.EQUIPE, quoi="creee")
    return equipe


@transaction.atomic
def modifier(*, equipe: Equipe, acteur: Acteur, **champs: Any) -> None:
    """Write the fields that differ; deactivated, nobody reads its cases, and active again its members do.

    `responsable_id` is a key. 422 for the name of another team, for a head who is not of it, and for ending a team that
    active rules give cases to.
    """
    _tenir(equipe, *_acceptes(equipe))
    changes = {nom: valeur for nom, valeur in champs.items() if getattr(equipe, nom) != valeur}
    if not changes:
        return
    lisaient = _lecteurs(equipe)
    responsable = changes.get("responsable_id")
    if responsable is not None and responsable not in _acceptes(equipe):
        raise ChampsInvalides.pour(responsableId=_("Choisissez une personne qui est de cette équipe."))
    if changes.get("active") is False and equipe.regles.filter(active=True).exists():
        raise ChampsInvalides.pour(active=_("Des règles lui confient des dossiers : désactivez-les d'abord."))
    for nom, valeur in changes.items():
        setattr(equipe, nom, valeur)
    masquer_ecrits(equipe)
    with _un_nom_a_elle():
        equipe.enregistrer(*changes)
    noms_des_equipes.oublier()
    regles_actives.oublier()  # which hold its name and its purpose
    details = {"quoi": "changee", "champs": sorted(changes)}
    consigner(Acte.EQUIPE_DEFINIE, par=acteur, objet=equipe.pk, sorte=Sorte.EQUIPE, **details)
    if "active" in changes:
        _annoncer(equipe, lisaient, acteur)


@transaction.atomic
def ajouter(*, equipe: Equipe, compte_id: UUID, acteur: Acteur) -> MembreDEquipe:
    """Make somebody of the staff a member, who reads its cases at once; who adds themself waits for another's yes.

    But in a team that has no case: there is nothing to read. 422 for who is not of the staff, 409 for a member, and
    past MEMBRES_MAX.
    """
    _tenir(equipe, compte_id)
    if not Compte.objects.equipe_active().filter(pk=compte_id).exists():
        raise ChampsInvalides.pour(compteId=_("Choisissez une personne active de l'équipe."))
    presents = set(equipe.membres.values_list("compte", flat=True))
    if compte_id in presents:
        raise DejaMembre
    if len(presents) >= MEMBRES_MAX:
        raise PlusDeMembres
    lisaient = _lecteurs(equipe)
    attend = compte_id == acteur.pk and dossiers_d_equipe["signalements"](equipe.pk)
    accepte_le = None if attend else timezone.now()
    membre = MembreDEquipe(equipe=equipe, compte_id=compte_id, par=acteur.compte, accepte_le=accepte_le)
    membre.save(force_insert=True)
    _consigner(equipe, acteur, "demande" if attend else "ajout", compte_id)
    _annoncer(equipe, lisaient, acteur)
    return membre


@transaction.atomic
def accorder(*, equipe: Equipe, compte_id: UUID, acteur: Acteur) -> MembreDEquipe:
    """Let a member who waits read its cases: another who reads them says so, or an administrator; 403 for others."""
    _tenir(equipe, compte_id)
    membre = _membre(equipe, compte_id)
    lisaient = _lecteurs(equipe)
    if acteur.pk == compte_id or not (acteur.pk in lisaient or acteur.peut(Droit.EQUIPES_GERER)):
        raise PermissionRefusee
    if not membre.lit:
        membre.accepte_le, membre.par = timezone.now(), acteur.compte
        membre.enregistrer("accepte_le", "par")
        _consigner(equipe, acteur, "accord", compte_id)
        _annoncer(equipe, lisaient, acteur)
    return membre


@transaction.atomic
def retirer(*, equipe: Equipe, compte_id: UUID, acteur: Acteur) -> None:
    """Take a member out, who reads nothing of it from now on: an administrator, or they themself; 403 for others."""
    if acteur.pk != compte_id and not acteur.peut(Droit.EQUIPES_GERER):
        raise PermissionRefusee
    _tenir(equipe, compte_id)
    _retirer(equipe, compte_id, acteur)


@transaction.atomic
def retirer_de_toutes(compte_id: UUID) -> None:
    """Take an account that is of the staff no more out of every team: back one day, it is asked for again."""
    for equipe in Equipe.objects.filter(membres__compte=compte_id).order_by("pk"):
        _tenir(equipe, compte_id)
        _retirer(equipe, compte_id, None)


def _tenir(equipe: Equipe, *comptes: UUID) -> None:
    """Lock these accounts, whom a case may be confided to at this moment, then the team, which one may be given to."""
    verrouiller_dans_l_ordre(Compte.objects.filter(pk__in=comptes).values_list("pk"))
    equipe.verrouiller()


def _retirer(equipe: Equipe, compte_id: UUID, acteur: Acteur | None) -> None:
    membre, lisaient = _membre(equipe, compte_id), _lecteurs(equipe)
    membre.delete()
    if equipe.regles.filter(gestionnaire=compte_id).update(gestionnaire=None):
        regles_actives.oublier()
    if equipe.responsable_id == compte_id:
        equipe.responsable = None
        equipe.enregistrer("responsable")
    _consigner(equipe, acteur, "retrait", compte_id)
    _annoncer(equipe, lisaient, acteur)


def _membre(equipe: Equipe, compte_id: UUID) -> MembreDEquipe:
    membre: MembreDEquipe | None = equipe.membres.filter(compte=compte_id).first()
    if membre is None:
        raise Introuvable
    return membre


def _acceptes(equipe: Equipe) -> set[UUID]:
    return set(equipe.membres.filter(accepte_le__isnull=False).values_list("compte", flat=True))


def _lecteurs(equipe: Equipe) -> set[UUID]:
    """Accounts that read its cases; those of a deactivated team, nobody does."""
    return _acceptes(equipe) if equipe.active else set()


@contextmanager
def _un_nom_a_elle() -> Iterator[None]:
    try:
        with transaction.atomic():
            yield
    except IntegrityError as doublon:
        raise ChampsInvalides.pour(nom=_("Une équipe porte déjà ce nom.")) from doublon


def _consigner(equipe: Equipe, acteur: Acteur | None, quoi: str, compte_id: UUID) -> None:
    details = {"quoi": quoi, "compte": str(compte_id)}
    consigner(Acte.MEMBRE_CHANGE, par=acteur, objet=equipe.pk, sorte=Sorte.EQUIPE, **details)


def _annoncer(equipe: Equipe, lisaient: Iterable[UUID], acteur: Acteur | None) -> None:
    """Announce what became of its readers, `lisaient` until now; all of them are to be told, but whoever acts."""
    avant, maintenant = set(lisaient), _lecteurs(equipe)
    par = None if acteur is None else acteur.pk
    composition_changee.send(
        Equipe,
        equipe=equipe,
        gagnes=maintenant - avant,
        perdus=avant - maintenant,
        prevenus=(avant | maintenant) - {par},
        par=par,
    )
