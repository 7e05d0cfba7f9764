"""Mails, sent in the background: a mail server that is away delays them and nothing else."""

import json
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote
from uuid import UUID

from django.conf import settings
from django.contrib.admin.models import LogEntry
from django.urls import reverse
from django.utils import timezone

from accounts.journal import SECOND_FACTEUR
from accounts.models import Compte, DemandeAdresse, DemandeMotDePasse, Invitation, Preferences
from accounts.vocabulaire import Surete
from socle.domaine.droits import Droit, Role, a_le_droit, role_actuel
from socle.pages.mails import envoyer
from socle.taches.reprise import tache


@tache(queue_name="mail", module="accounts.taches")
def envoyer_invitation(invitation_id: str) -> None:
    """Mail the invitation link; skip one accepted, revoked or expired since."""
    invitation = Invitation.objects.en_attente().filter(pk=UUID(invitation_id)).first()
    if invitation is None:
        return
    lien = f"{settings.INVITATION_URL}?token={quote(invitation.jeton)}"
    contexte = {"lien": lien, "role": Role(invitation.role).label, "expire_le": invitation.expire_le}
    envoyer("invitation", invitation.email, invitation.langue, contexte | invitation.citer())


@tache(queue_name="mail", module="accounts.taches")
def envoyer_reinitialisation(demande_id: str) -> None:
    """Mail the reset link, valid from now; skip a request used or expired since, delete one that nobody waits for.

    Which has no account, or came right after another of the same person: two clicks are one mail.
    """
    demande = DemandeMotDePasse.objects.select_related("compte").filter(pk=UUID(demande_id)).first()
    if demande is None or demande.date_utilisation is not None or demande.date_expiration <= timezone.now():
        return
    if demande.compte is None or demande.suit_de_pres():
        demande.delete()
        return
    demande.date_expiration = timezone.now() + settings.RESET_LIFETIME
    demande.save(update_fields=["date_expiration"])
    compte = demande.compte
    lien = f"{settings.RESET_URL}?token={quote(demande.jeton)}"
    contexte = {"lien": lien, "prenom": _prenom(compte, compte.email_verifie)}
    envoyer("reinitialisation", compte.email, langue_de(compte), contexte)


@tache(queue_name="mail", module="accounts.taches")
def prevenir_du_changement(entree_id: str) -> None:
    """Tell the person what somebody else changed of their account, as the journal has it, at the address of now."""
    compte, changes = _changements(entree_id)
    if compte is None:
        return
    role = changes["valeurs"].get("type_utilisateur")
    contexte = {
        "prenom": _prenom(compte, compte.email_verifie),
        "mot_de_passe": "password" in changes["tus"],
        "second_facteur": SECOND_FACTEUR in changes["tus"],
        "adresse": "email" in changes["valeurs"],
        "role": role and Role(role_actuel(role[1])).label,
    }
    envoyer("changement", compte.email, langue_de(compte), contexte)


@tache(queue_name="mail", module="accounts.taches")
def prevenir_l_ancienne_adresse(entree_id: str) -> None:
    """Mail the account's former address, without naming the new one: somebody else may read there."""
    compte, changes = _changements(entree_id)
    if compte is None:
        return
    ancienne, _nouvelle = changes["valeurs"]["email"]
    etait_verifiee, _est_verifiee = changes["valeurs"].get("email_verifie", (False, False))
    contexte = {"prenom": _prenom(compte, etait_verifiee)}
    envoyer("ancienne_adresse", ancienne, langue_de(compte), contexte)


@tache(queue_name="mail")
def confirmer_l_adresse(demande_id: str) -> None:
    """Mail the link to the address that is wanted for some account, which it does not name."""
    demande = _demande(demande_id)
    if demande is not None and demande.date_confirmation is None and demande.date_fin is None:
        contexte = {"lien": _page("confirmer-adresse", demande.jeton), "expire_le": demande.date_expiration}
        contexte["par_soi"] = demande.par_id == demande.compte_id
        envoyer("adresse_a_confirmer", demande.email, langue_de(demande.compte), contexte)


@tache(queue_name="mail")
def prevenir_d_une_adresse_demandee(demande_id: str) -> None:
    """Mail the present address, without naming the other: somebody else may read there."""
    demande = _demande(demande_id)
    if demande is not None:
        compte = demande.compte
        contexte = {
            "prenom": _prenom(compte, compte.email_verifie and compte.email == demande.ancienne),
            "lien": _page("contester-adresse", demande.jeton_de_contestation),
            "par_soi": demande.par_id == demande.compte_id,
        }
        envoyer("adresse_demandee", demande.ancienne, langue_de(compte), contexte)


@tache(queue_name="mail")
def prevenir_d_une_contestation(qui: str) -> None:
    """Tell an administrator that who reads an account's former address did not want the change; `qui` is both ids."""
    destinataire, conteste = qui.split()
    compte = Compte.objects.filter(pk=UUID(destinataire), est_actif=True).first()
    if compte is not None and a_le_droit(compte.role, Droit.COMPTES_MODIFIER):
        page = reverse("admin:accounts_compte_change", args=[UUID(conteste)])
        informer(compte, "adresse_contestee", page)


@tache(queue_name="mail")
def prevenir_d_un_effacement_demande(compte_id: str) -> None:
    """Tell an administrator that somebody asks to be erased: who, the workspace says."""
    compte = Compte.objects.filter(pk=UUID(compte_id), est_actif=True).first()
    if compte is not None and a_le_droit(compte.role, Droit.COMPTES_MODIFIER):
        informer(compte, "effacement_demande", f"{reverse('espace:membres')}#effacements")


@tache(queue_name="mail")
def prevenir_des_codes_faux(compte_id: str) -> None:
    """Tell the person that somebody has their password, and tries codes."""
    compte = Compte.objects.filter(pk=UUID(compte_id), est_actif=True).first()
    if compte is not None:
        envoyer("codes_faux", compte.email, langue_de(compte), {"prenom": _prenom(compte, compte.email_verifie)})


@tache(queue_name="mail")
def prevenir_de_la_surete(fait: str) -> None:
    """Tell the person what was done with their password and when; `fait` is "account id, Surete, epoch seconds".

    Neutral: who reads over a shoulder learns of no case, and neither device nor place is said, to whom it may hunt.
    """
    compte_id, quoi, secondes = fait.split()
    compte = Compte.objects.filter(pk=UUID(compte_id), est_actif=True).first()
    if compte is not None:
        contexte = {
            "prenom": _prenom(compte, compte.email_verifie),
            "fait": Surete(quoi).label,
            "moment": datetime.fromtimestamp(int(secondes), UTC),
        }
        envoyer("surete", compte.email, langue_de(compte), contexte)


def prevenir(compte: Compte, quoi: Surete) -> None:
    """Have the person told; call inside the transaction that does it: undone, nothing is told."""
    prevenir_de_la_surete.enqueue(f"{compte.pk} {quoi.value} {int(timezone.now().timestamp())}")


def peut_informer(compte: Compte) -> bool:
    """True where a mail of information may go to this account: it is open, and its preferences take such mails.

    Call it before each of them; mails about the account's security (invitation, password, address, role) always go.
    """
    preferences = Preferences.objects.filter(compte=compte).first() or Preferences()
    return compte.est_actif and preferences.admet_les_e_mails


def informer(compte: Compte, modele: str, page: str, **contexte: Any) -> None:
    """Mail this account in its language, by the template of this name, of a page; it is of the team, always told."""
    lien = f"{settings.PUBLIC_URL}{page}"
    contexte = {"prenom": _prenom(compte, compte.email_verifie), "lien": lien, **contexte}
    envoyer(modele, compte.email, langue_de(compte), contexte)


def _demande(demande_id: str) -> DemandeAdresse | None:
    """The request for another address; None once it has expired, or its account is closed."""
    demande: DemandeAdresse | None = (
        DemandeAdresse.objects.en_cours().select_related("compte").filter(pk=UUID(demande_id)).first()
    )
    return demande


def _page(chemin: str, jeton: str) -> str:
    return f"{settings.PUBLIC_URL}/{chemin}?token={quote(jeton)}"


def _changements(entree_id: str) -> tuple[Compte | None, Any]:
    """The account that an entry of the journal is about, and what the entry says was changed."""
    entree = LogEntry.objects.get(pk=entree_id)
    (partie,) = json.loads(entree.change_message)
    return Compte.objects.filter(pk=entree.object_id, date_effacement=None).first(), partie["changed"]


def _prenom(compte: Compte, est_verifiee: bool) -> str:
    """The first name, empty for an unverified address: it may be a stranger's."""
    return compte.prenom if est_verifiee else ""


def langue_de(compte: Compte) -> str:
    """Language of the mails of this account: its own, else the service's."""
    return Preferences.langue_de(compte) or settings.LANGUAGE_CODE
