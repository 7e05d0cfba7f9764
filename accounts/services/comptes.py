from collections.abc import Mapping
from typing import Any

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from accounts.erreurs import AutoDesactivation, CourrielDejaUtilise, DernierAdmin
from accounts.models import Compte, Preferences
from accounts.querysets import valeurs_stockees
from accounts.services.sessions import terminer_toutes
from accounts.signals import compte_desactive, role_modifie
from config.api.throttling import consommer
from config.domaine.acteurs import Acteur
from config.domaine.erreurs import ChampsInvalides, PermissionRefusee
from config.domaine.roles import Role

RESERVE = _("Seule l'administration peut changer l'adresse e-mail et le rôle.")


@transaction.atomic
def creer(*, email: str, mot_de_passe: str, **champs: Any) -> Compte:
    """A new account; 409 where the address has one."""
    provisoire = Compte(email=email, nom=champs.get("nom", ""), prenom=champs.get("prenom", ""))
    verifier_mot_de_passe(mot_de_passe, provisoire, champ="motDePasse")
    try:
        with transaction.atomic():
            return Compte.objects.creer(email=email, mot_de_passe=mot_de_passe, **champs)
    except IntegrityError as doublon:
        raise CourrielDejaUtilise from doublon


def exiger_champs_permis(*, compte: Compte, acteur: Acteur, recus: Mapping[str, Any]) -> None:
    """Address and role take an admin, where what is sent differs: said before any field is judged."""
    actuels = {"email": compte.email, "typeUtilisateur": compte.role}
    if not acteur.peut("comptes.modifier") and any(
        nom in recus and not _meme_texte(recus[nom], actuel) for nom, actuel in actuels.items()
    ):
        raise PermissionRefusee(RESERVE)


def _meme_texte(recu: Any, actuel: str) -> bool:
    return isinstance(recu, str) and recu.strip().lower() == actuel.lower()


@transaction.atomic
def modifier(*, compte: Compte, acteur: Acteur, **champs: Any) -> None:
    """Change the fields that are present; address and role take an admin."""
    if "type_utilisateur" in champs:
        _verrouiller_avec_les_admins(compte)
    else:
        compte.verrouiller()
    changes = {nom: valeur for nom, valeur in champs.items() if _actuelle(compte, nom) != valeur}
    if not changes:
        return
    if not acteur.peut("comptes.modifier") and changes.keys() & {"email", "type_utilisateur"}:
        raise PermissionRefusee(RESERVE)
    if "type_utilisateur" in changes and changes["type_utilisateur"] != Role.ADMIN_SYSTEME:
        _garder_un_admin(compte)
    ancien_role = compte.role
    for nom, valeur in changes.items():
        setattr(compte, nom, valeur)
    compte.indexer()
    try:
        with transaction.atomic():
            compte.enregistrer(*changes, "recherche")
    except IntegrityError as doublon:
        raise CourrielDejaUtilise from doublon
    if compte.role != ancien_role:
        role_modifie.send(Compte, compte=compte, ancien=ancien_role)


@transaction.atomic
def desactiver(*, compte: Compte, acteur: Acteur) -> None:
    """End all its sessions and sockets; idempotent."""
    _verrouiller_avec_les_admins(compte)
    if acteur.compte is not None and compte.pk == acteur.compte.pk:
        raise AutoDesactivation
    if not compte.est_actif:
        return
    _garder_un_admin(compte)
    compte.est_actif = False
    compte.enregistrer("est_actif")
    compte_desactive.send(Compte, compte=compte)
    terminer_toutes(compte)


@transaction.atomic
def reactiver(*, compte: Compte) -> None:
    compte.verrouiller()
    compte.est_actif = True
    compte.enregistrer("est_actif")


@transaction.atomic
def changer_mot_de_passe(*, acteur: Acteur, ancien_mot_de_passe: str, nouveau_mot_de_passe: str) -> None:
    """The other sessions end."""
    compte = acteur.compte
    assert compte is not None  # noqa: S101 -- a guest never passes the route
    essais = f"mot-de-passe|{compte.pk}"
    consommer("login", essais, pas=0)
    compte.verrouiller()
    if not compte.check_password(ancien_mot_de_passe):
        consommer("login", essais)
        raise ChampsInvalides.pour("incorrect", ancienMotDePasse=_("Ce n'est pas votre mot de passe actuel."))
    _poser(compte, nouveau_mot_de_passe)
    terminer_toutes(compte, sauf=acteur.session_id)


@transaction.atomic
def imposer_mot_de_passe(*, compte: Compte, nouveau_mot_de_passe: str) -> None:
    """All sessions end: for an admin's reset, and for the mailed link."""
    compte.verrouiller()
    _poser(compte, nouveau_mot_de_passe)
    terminer_toutes(compte)


def verifier_mot_de_passe(mot_de_passe: str, compte: Compte | None, *, champ: str) -> None:
    try:
        validate_password(mot_de_passe, compte)
    except ValidationError as erreur:
        raise ChampsInvalides.depuis(
            {"field": champ, "message": texte, "code": "password"} for texte in erreur.messages
        ) from erreur


def preferences_de(compte: Compte) -> Preferences:
    """They exist from the first read."""
    return Preferences.objects.get_or_create(compte=compte)[0]


@transaction.atomic
def modifier_preferences(*, compte: Compte, **champs: Any) -> Preferences:
    preferences = Preferences.objects.select_for_update().get_or_create(compte=compte)[0]
    for nom, valeur in champs.items():
        setattr(preferences, nom, valeur)
    preferences.save(update_fields=list(champs))
    return preferences


def _actuelle(compte: Compte, champ: str) -> Any:
    return compte.role if champ == "type_utilisateur" else getattr(compte, champ)


def _poser(compte: Compte, mot_de_passe: str) -> None:
    verifier_mot_de_passe(mot_de_passe, compte, champ="nouveauMotDePasse")
    compte.set_password(mot_de_passe)
    compte.enregistrer("password")


def _verrouiller_avec_les_admins(compte: Compte) -> None:
    # Two admins who deactivate each other at once must not both succeed: hold all admins, in one order.
    admins = Q(type_utilisateur__in=valeurs_stockees(Role.ADMIN_SYSTEME), est_actif=True)
    list(
        Compte.objects.select_for_update(no_key=True).filter(admins | Q(pk=compte.pk)).order_by("pk").values_list("pk")
    )
    compte.refresh_from_db()


def _garder_un_admin(compte: Compte) -> None:
    if compte.role != Role.ADMIN_SYSTEME or not compte.est_actif:
        return
    if not Compte.objects.de_role(Role.ADMIN_SYSTEME).filter(est_actif=True).exclude(pk=compte.pk).exists():
        raise DernierAdmin
