from collections.abc import Callable, Collection, Mapping
from typing import Any
from uuid import UUID

from django.contrib.admin.models import ADDITION
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from accounts.erreurs import (
    AutoDesactivation,
    CompteInactif,
    CourrielDejaUtilise,
    DejaInscrit,
    DernierAdmin,
    MailsNonRemis,
    TientEncore,
)
from accounts.journal import noter
from accounts.lectures import qui_paraissent
from accounts.models import Compte, DemandeMotDePasse, Preferences
from accounts.querysets import valeurs_stockees
from accounts.services import adresses
from accounts.services.preuves import consigner_le_sien
from accounts.services.sessions import terminer_toutes
from accounts.signals import compte_desactive, nomme_dans_l_equipe, role_modifie
from accounts.tasks import prevenir, prevenir_du_changement, prevenir_l_ancienne_adresse
from accounts.vocabulaire import INDEXES, Surete
from socle.audit.registre import consigner
from socle.audit.vocabulaire import Acte, Sorte
from socle.courriel import est_remis
from socle.domaine.acteurs import Acteur
from socle.domaine.adresses import canonique
from socle.domaine.condition import est_tenue
from socle.domaine.droits import Droit, Role, a_le_droit
from socle.domaine.identite import masquer_ecrits
from socle.domaine.limites import consommer
from socle.domaine.registre import Registre
from socle.domaine.verrous import verrouiller_dans_l_ordre
from socle.erreurs import ChampsInvalides, Details, PermissionRefusee, detail

FAUX_MOT_DE_PASSE = _("Ce n'est pas votre mot de passe actuel.")
RESERVE = _("Seule l'administration peut changer l'adresse e-mail et le rôle.")
# Columns that only an administrator changes; the person is mailed when somebody else does.
SENSIBLES = {"email", "type_utilisateur"}
# Columns that give the staff a name that it had not.
NOMMENT = {"prenom", "nom", "type_utilisateur"}
# Columns journaled without their values: the journal keeps no second copy of them.
SANS_VALEUR = {"telephone"}
# name -> (compte) -> Any: gives back what others wait for, in the transaction that deactivates the account.
a_rendre: Registre[Callable[..., Any]] = Registre("ce que rend un compte désactivé", attendus=["places"])
# name -> (acteur, ids) -> {id: number}: what stays in the name of an account once it is deactivated, that the actor
# may read; accounts that hold nothing are left out.
tenus_par: Registre[Callable[[Acteur, Collection[UUID]], dict[UUID, int]]] = Registre(
    "ce que tient un compte", attendus=["dossiers"]
)


@transaction.atomic
def creer(*, email: str, mot_de_passe: str, acteur: Acteur | None = None, **champs: Any) -> Compte:
    """Insert an account, journaled where `acteur` makes it for somebody; 409 where the address has one."""
    ChampsInvalides.exiger_aucun(refus_de_creation(email=email, mot_de_passe=mot_de_passe, **champs))
    refus = DejaInscrit if acteur is None else CourrielDejaUtilise
    adresses.exiger_libre(email, refus)
    try:
        with transaction.atomic():
            compte = Compte.objects.creer(email=email, mot_de_passe=mot_de_passe, **champs)
    except IntegrityError as doublon:
        raise refus from doublon
    _dire_de_l_equipe(compte, entre=True)
    if acteur is not None:
        noter(compte, compte.valeurs_de_depart, par=acteur.compte, acte=ADDITION)
        consigner(Acte.COMPTE_CREE, par=acteur, objet=compte.pk, sorte=Sorte.COMPTE, role=compte.role)
    return compte


def refus_de_creation(
    *, email: str = "", mot_de_passe: str | None = None, nom: str = "", prenom: str = "", **_autres: Any
) -> Details:
    """List the refusals of a new account; callable with only the valid fields of a faulty form."""
    provisoire = Compte(email=email, nom=nom, prenom=prenom)
    return refus_du_mot_de_passe(mot_de_passe, provisoire, champ="motDePasse")


def exiger_champs_permis(*, compte: Compte, acteur: Acteur, recus: Mapping[str, Any]) -> None:
    """403 where a non-admin sends another address or role; reads the raw input, before any field is validated."""
    actuels = {"email": compte.email, "typeUtilisateur": compte.role}
    if not acteur.peut(Droit.COMPTES_MODIFIER) and any(
        nom in recus and not _meme_texte(recus[nom], actuel) for nom, actuel in actuels.items()
    ):
        raise PermissionRefusee(RESERVE)


def _meme_texte(recu: Any, actuel: str) -> bool:
    return isinstance(recu, str) and canonique(recu) == actuel.lower()


@transaction.atomic
def modifier(*, compte: Compte, acteur: Acteur, **champs: Any) -> None:
    """Change the fields that are present; address and role take an admin.

    An address counts once it is confirmed by the link mailed there, or at once where no mail leaves the machine. The
    present one, sent alone, says that it stays: none waits any more. Among others it is a form sent back whole.
    """
    if acteur.peut(Droit.COMPTES_MODIFIER) and champs.keys() & SENSIBLES:
        _verrouiller_avec_les_admins(compte)
    else:
        compte.verrouiller()
    changes = {nom: valeur for nom, valeur in champs.items() if _actuelle(compte, nom) != valeur}
    if not changes:
        if champs.keys() == {"email"} and acteur.peut(Droit.COMPTES_MODIFIER):
            adresses.garder_l_actuelle(compte=compte, acteur=acteur)
        return
    _exiger_possible(compte, acteur, changes)
    if "email" in changes and adresses.se_confirment():
        adresses.demander(compte=compte, email=changes.pop("email"), acteur=acteur)
    if changes:
        _appliquer(compte, acteur, changes)


@transaction.atomic
def changer_son_adresse(*, acteur: Acteur, email: str, mot_de_passe: str) -> None:
    """Want another address for one's own account, given the password; it counts when `modifier` says that it does.

    A few a day: each mails two people, and tells whether the address has an account. The present one stays: none waits.
    """
    compte = acteur.compte
    assert compte is not None  # noqa: S101 -- a guest never passes the page
    _verrouiller_avec_les_admins(compte)
    exiger_mot_de_passe(compte=compte, mot_de_passe=mot_de_passe)
    if compte.email == email:
        adresses.garder_l_actuelle(compte=compte, acteur=acteur)
        return
    consommer("address_change", str(compte.pk))
    adresses.exiger_libre(email)
    if adresses.se_confirment():
        adresses.demander(compte=compte, email=email, acteur=acteur)
    else:
        _appliquer(compte, acteur, {"email": email})


def _appliquer(compte: Compte, acteur: Acteur, changes: dict[str, Any]) -> None:
    if "email" in changes:
        changes["email_verifie"] = False
        DemandeMotDePasse.annuler(compte)
    valeurs = {nom: (_actuelle(compte, nom), valeur) for nom, valeur in changes.items()}
    ancien_role = compte.role
    for nom, valeur in changes.items():
        setattr(compte, nom, valeur)
    compte.dater_l_equipe(ancien_role)
    compte.indexer()
    try:
        with transaction.atomic():
            compte.enregistrer(*changes, "equipe_depuis", *INDEXES)
    except IntegrityError as doublon:
        raise CourrielDejaUtilise from doublon
    _noter_les_changements(compte, acteur, valeurs)
    _consigner_les_changements(compte, acteur, changes, ancien_role)
    if changes.keys() & NOMMENT:
        _dire_de_l_equipe(compte, entre=compte.role != ancien_role)
    if compte.role != ancien_role:
        role_modifie.send(Compte, compte=compte, ancien=ancien_role)


def _exiger_possible(compte: Compte, acteur: Acteur, changes: Mapping[str, Any]) -> None:
    if not acteur.peut(Droit.COMPTES_MODIFIER) and changes.keys() & SENSIBLES:
        raise PermissionRefusee(RESERVE)
    if changes.get("type_utilisateur", Role.ADMIN_SYSTEME) != Role.ADMIN_SYSTEME:
        _garder_un_admin(compte)
    if "email" in changes:
        adresses.exiger_libre(changes["email"])
        if not compte.est_actif and adresses.se_confirment():
            raise CompteInactif  # no link would open


def _consigner_les_changements(compte: Compte, acteur: Acteur, changes: Mapping[str, Any], ancien_role: str) -> None:
    """Into the register: the names of what changed in another's account or, of the team, in one's own; both roles."""
    if _est(compte, acteur):
        consigner_le_sien(compte, Acte.SON_COMPTE_MODIFIE, champs=sorted(changes))
    else:
        consigner(Acte.COMPTE_MODIFIE, par=acteur, objet=compte.pk, sorte=Sorte.COMPTE, champs=sorted(changes))
    if compte.role != ancien_role:
        roles = {"avant": ancien_role, "apres": compte.role}
        consigner(Acte.ROLE_CHANGE, par=acteur, objet=compte.pk, sorte=Sorte.COMPTE, **roles)


def _noter_les_changements(compte: Compte, acteur: Acteur, valeurs: dict[str, tuple[Any, Any]]) -> None:
    """Write the journal entry; mail the person where a sensitive column changed, at both addresses for a new one.

    What others change of themselves is their affair, but for an address, and the names of the team: the history of
    cases has them, and an erasure must know how it named somebody.
    """
    if not acteur.peut(Droit.COMPTES_MODIFIER):
        gardes = ("email", "prenom", "nom") if compte.is_staff else ("email",)
        dites = {nom: paire for nom, paire in valeurs.items() if nom in gardes}
        if dites:
            noter(compte, dites, par=acteur.compte)
        return
    dites = {nom: paire for nom, paire in valeurs.items() if nom not in SANS_VALEUR and paire[0] != paire[1]}
    entree = noter(compte, dites, par=acteur.compte, tus=sorted(valeurs.keys() & SANS_VALEUR))
    if _est(compte, acteur) or not valeurs.keys() & SENSIBLES:
        return
    prevenir_du_changement.enqueue(str(entree.pk))
    if "email" in valeurs:
        prevenir_l_ancienne_adresse.enqueue(str(entree.pk))


@transaction.atomic
def desactiver(*, compte: Compte, acteur: Acteur) -> None:
    """Deactivate the account, end its sessions, sockets and mailed links, and free its places; idempotent.

    409 for one's own, and for the last administrator.
    """
    _verrouiller_avec_les_admins(compte)
    if _est(compte, acteur):
        raise AutoDesactivation
    if not compte.est_actif:
        return
    _garder_un_admin(compte)
    compte.est_actif = False
    compte.enregistrer("est_actif")
    noter(compte, {"est_actif": (True, False)}, par=acteur.compte)
    consigner(Acte.COMPTE_DESACTIVE, par=acteur, objet=compte.pk, sorte=Sorte.COMPTE)
    DemandeMotDePasse.annuler(compte)
    adresses.abandonner(compte)
    for _nom, rendre in a_rendre.items():
        rendre(compte=compte)
    compte_desactive.send(Compte, compte=compte)  # before the sessions end: their sockets still hear it
    terminer_toutes(compte)


@transaction.atomic
def desactiver_qui_ne_tient_rien(*, compte: Compte, acteur: Acteur) -> None:
    """Deactivate as `desactiver`; 409 for who holds open cases that the actor may read, which go to somebody first."""
    _verrouiller_avec_les_admins(compte)  # nobody is given a case meanwhile
    if compte.est_actif and not _est(compte, acteur) and tenus_par["dossiers"](acteur, [compte.pk]):
        raise TientEncore
    desactiver(compte=compte, acteur=acteur)


@transaction.atomic
def reactiver(*, compte: Compte, acteur: Acteur) -> None:
    """Let the account log in again; idempotent. What was given to others meanwhile is not taken back."""
    compte.verrouiller()
    if compte.est_actif:
        return
    compte.est_actif = True
    compte.enregistrer("est_actif")
    noter(compte, {"est_actif": (False, True)}, par=acteur.compte)
    consigner(Acte.COMPTE_REACTIVE, par=acteur, objet=compte.pk, sorte=Sorte.COMPTE)
    _dire_de_l_equipe(compte, entre=True)


@transaction.atomic
def changer_mot_de_passe(*, acteur: Acteur, ancien_mot_de_passe: str, nouveau_mot_de_passe: str) -> None:
    """Set the actor's own password, given the present one; end the other sessions."""
    compte = acteur.compte
    assert compte is not None  # noqa: S101 -- a guest never passes the route
    compte.verrouiller()
    ChampsInvalides.exiger_aucun(
        refus_du_changement(
            compte=compte, ancien_mot_de_passe=ancien_mot_de_passe, nouveau_mot_de_passe=nouveau_mot_de_passe
        )
    )
    _poser(compte, nouveau_mot_de_passe)
    _noter_le_sien(compte)
    terminer_toutes(compte, sauf=acteur.session_id)


def refus_du_changement(
    *, compte: Compte, ancien_mot_de_passe: str | None = None, nouveau_mot_de_passe: str | None = None
) -> Details:
    """List a wrong present password, counted against the login limit (429), and an unfit new one."""
    refus = refus_du_mot_de_passe(nouveau_mot_de_passe, compte, champ="nouveauMotDePasse")
    if ancien_mot_de_passe is not None and not a_ce_mot_de_passe(compte, ancien_mot_de_passe):
        refus.insert(0, detail("ancienMotDePasse", FAUX_MOT_DE_PASSE, "incorrect"))
    return refus


def exiger_mot_de_passe(*, compte: Compte, mot_de_passe: str) -> None:
    """422 on `motDePasse` for one that is not the account's present one."""
    if not a_ce_mot_de_passe(compte, mot_de_passe):
        raise ChampsInvalides.pour("incorrect", motDePasse=FAUX_MOT_DE_PASSE)


def a_ce_mot_de_passe(compte: Compte, mot_de_passe: str) -> bool:
    """True for the present password of a person who is signed in; wrong ones count against the login limit: 429."""
    essais = f"mot-de-passe|{compte.pk}"
    consommer("login", essais, pas=0)
    if compte.check_password(mot_de_passe):
        return True
    consommer("login", essais)
    return False


@transaction.atomic
def imposer_mot_de_passe(*, compte: Compte, nouveau_mot_de_passe: str, acteur: Acteur | None) -> None:
    """Set a password and end all sessions; journal and mail it unless one does it oneself. No actor: manage.py."""
    compte.verrouiller()
    _poser(compte, nouveau_mot_de_passe)
    terminer_toutes(compte)
    if acteur is None or not _est(compte, acteur):
        entree = noter(compte, par=acteur and acteur.compte, tus=["password"])
        consigner(Acte.MOT_DE_PASSE_IMPOSE, par=acteur, objet=compte.pk, sorte=Sorte.COMPTE)
        prevenir_du_changement.enqueue(str(entree.pk))
    else:
        _noter_le_sien(compte)


def _noter_le_sien(compte: Compte) -> None:
    consigner_le_sien(compte, Acte.MOT_DE_PASSE_CHANGE)
    prevenir(compte, Surete.MOT_DE_PASSE_CHANGE)


def refus_du_mot_de_passe(mot_de_passe: str | None, compte: Compte | None, *, champ: str) -> Details:
    """List the validators' refusals, filed under `champ`, judged with the account where it is known; none for None."""
    if mot_de_passe is None:
        return []
    try:
        validate_password(mot_de_passe, compte)
    except ValidationError as erreur:
        return [detail(champ, texte, "password") for texte in erreur.messages]
    return []


def preferences_de(compte: Compte) -> Preferences:
    """Get the account's preferences, inserted with their defaults at the first read."""
    return Preferences.objects.get_or_create(compte=compte)[0]


@transaction.atomic
def modifier_preferences(*, compte: Compte, **champs: Any) -> Preferences:
    """Change these; of `avis`, the natures that are named.

    Mails that are not wanted yet ask for a server; those about one's own cases, for a verified address.
    """
    preferences = Preferences.objects.select_for_update().get_or_create(compte=compte)[0]
    est_tenue(preferences)
    nouveaux = {nom for nom in Preferences.E_MAILS if champs.get(nom) and not getattr(preferences, nom)}
    if nouveaux and not est_remis():
        raise MailsNonRemis
    if champs.get("parait_au_portail") and not a_le_droit(compte.role, Droit.SIGNALEMENTS_TRAITER):
        raise ChampsInvalides.pour(paraitAuPortail=_("Seules les personnes de l'équipe paraissent au portail."))
    if "avis_dossiers" in nouveaux:
        _exiger_une_adresse_sure(compte)
    if "avis" in champs:
        champs["avis"] = {**preferences.avis, **champs["avis"]}
    for nom, valeur in champs.items():
        setattr(preferences, nom, valeur)
    masquer_ecrits(preferences)
    preferences.save(update_fields=list(champs))
    if champs.keys() & {"parait_au_portail", "fonction"}:
        qui_paraissent.oublier()
    return preferences


def _dire_de_l_equipe(compte: Compte, *, entre: bool) -> None:
    if compte.est_actif and a_le_droit(compte.role, Droit.SIGNALEMENTS_TRAITER):
        nomme_dans_l_equipe.send(Compte, compte=compte, entre=entre)


def _exiger_une_adresse_sure(compte: Compte) -> None:
    if not Compte.objects.filter(pk=compte.pk, email_verifie=True).exists():
        texte = _(
            "Confirmez d'abord votre adresse e-mail : un lien demandé par « Mot de passe oublié », une fois ouvert, "
            "la confirme."
        )
        raise ChampsInvalides.pour("unverified", avisDossiers=texte)


def _actuelle(compte: Compte, champ: str) -> Any:
    return compte.role if champ == "type_utilisateur" else getattr(compte, champ)


def _poser(compte: Compte, mot_de_passe: str) -> None:
    ChampsInvalides.exiger_aucun(refus_du_mot_de_passe(mot_de_passe, compte, champ="nouveauMotDePasse"))
    compte.set_password(mot_de_passe)
    compte.enregistrer("password")
    DemandeMotDePasse.annuler(compte)
    adresses.abandonner(compte)


def _est(compte: Compte, acteur: Acteur) -> bool:
    return acteur.compte is not None and acteur.compte.pk == compte.pk


def tenir_avec_les_admins(*comptes: UUID) -> None:
    """Lock these accounts and all active admins in the order of their keys, as `desactiver` does; in a transaction.

    Two who deactivate each other at once must not both succeed, nor deadlock where each changes the other's address, a
    key, and refers to its own row from the journal.
    """
    admins = Q(type_utilisateur__in=valeurs_stockees(Role.ADMIN_SYSTEME), est_actif=True)
    verrouiller_dans_l_ordre(Compte.objects.filter(admins | Q(pk__in=comptes)).values_list("pk"))


def _verrouiller_avec_les_admins(compte: Compte) -> None:
    tenir_avec_les_admins(compte.pk)
    compte.refresh_from_db()
    compte.exiger_non_efface()
    est_tenue(compte)


def _garder_un_admin(compte: Compte) -> None:
    if compte.role != Role.ADMIN_SYSTEME or not compte.est_actif:
        return
    if not Compte.objects.de_role(Role.ADMIN_SYSTEME).filter(est_actif=True).exclude(pk=compte.pk).exists():
        raise DernierAdmin
