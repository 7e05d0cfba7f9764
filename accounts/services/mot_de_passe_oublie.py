from datetime import timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from accounts.erreurs import CompteEfface, CompteInactif
from accounts.journal import noter
from accounts.models import MOT_DE_PASSE, Compte, DemandeMotDePasse, ligne_du_jeton
from accounts.services.comptes import imposer_mot_de_passe, refus_du_mot_de_passe
from accounts.tasks import envoyer_reinitialisation
from socle.audit.registre import consigner, relever
from socle.audit.vocabulaire import Acte, Sorte
from socle.domaine.acteurs import Acteur, ActeurCompte
from socle.domaine.droits import Droit, a_le_droit
from socle.domaine.limites import consommer
from socle.erreurs import ChampsInvalides, Details, detail

# The hour of the link runs from its sending, which a mail server may delay this long.
ENVOI_AU_PLUS_TARD = timedelta(days=2)
LIEN = gettext_noop("lien de réinitialisation")


@transaction.atomic
def demander(*, email: str) -> None:
    """The same row and the same task for a known and an unknown address: neither time nor answer tells them apart.

    Of the team alone the register has it, as its sign-ins.
    """
    consommer("forgot_password_account", email)
    compte = Compte.objects.filter(email=email, est_actif=True).first()
    _envoyer(compte)
    if compte is not None and a_le_droit(compte.role, Droit.ESPACE_ENTRER):
        relever(Acte.LIEN_DE_MOT_DE_PASSE_ENVOYE, compte.pk, Sorte.COMPTE)


@transaction.atomic
def envoyer_un_lien(*, compte: Compte, acteur: Acteur) -> None:
    """Mail a reset link for an admin: unlike with an imposed password, nobody else knows the one they choose."""
    compte.verrouiller()
    if not compte.est_actif:
        raise CompteInactif
    _envoyer(compte)
    noter(compte, par=acteur.compte, tus=[LIEN])
    consigner(Acte.LIEN_DE_MOT_DE_PASSE_ENVOYE, par=acteur, objet=compte.pk, sorte=Sorte.COMPTE)


def _envoyer(compte: Compte | None) -> None:
    demande = DemandeMotDePasse.objects.create(compte=compte, date_expiration=timezone.now() + ENVOI_AU_PLUS_TARD)
    envoyer_reinitialisation.enqueue(str(demande.pk))


@transaction.atomic
def reinitialiser(*, token: str, nouveau_mot_de_passe: str) -> None:
    """Spend a one-use, one-hour token: set the password, end all sessions, mark the address as verified."""
    demande = demande_valable(token, verrou=True)
    compte = demande.compte if demande is not None else None
    if compte is None:
        raise ChampsInvalides.depuis(_refus(compte, nouveau_mot_de_passe))
    imposer_mot_de_passe(compte=compte, nouveau_mot_de_passe=nouveau_mot_de_passe, acteur=ActeurCompte(compte=compte))
    compte.email_verifie = True
    compte.enregistrer("email_verifie")


def refus_de_reinitialisation(*, token: str | None = None, nouveau_mot_de_passe: str | None = None) -> Details:
    """List a dead link and an unfit password; callable with only the valid fields of a faulty form."""
    if token is None:
        return refus_du_mot_de_passe(nouveau_mot_de_passe, None, champ="nouveauMotDePasse")
    demande = demande_valable(token)
    return _refus(demande.compte if demande is not None else None, nouveau_mot_de_passe)


def _refus(compte: Compte | None, nouveau_mot_de_passe: str | None) -> Details:
    mort = [detail("token", _("Ce lien n'est plus valable. Demandez-en un nouveau."))] if compte is None else []
    return [*mort, *refus_du_mot_de_passe(nouveau_mot_de_passe, compte, champ="nouveauMotDePasse")]


def demande_valable(jeton: str, *, verrou: bool = False) -> DemandeMotDePasse | None:
    identifiant = ligne_du_jeton(MOT_DE_PASSE, jeton)
    if identifiant is None:
        return None
    demandes = DemandeMotDePasse.objects.filter(
        pk=identifiant, date_utilisation__isnull=True, date_expiration__gt=timezone.now(), compte__est_actif=True
    )
    demande = demandes.select_related("compte").first()
    if demande is not None and verrou:
        # Lock the account, first as everywhere, then read again: somebody else may have used the link meanwhile.
        try:
            demande.compte.verrouiller()  # type: ignore[union-attr]
        except CompteEfface:  # and the request with it
            return None
        return demandes.select_related("compte").first()
    return demande
