"""The second factor of an account: enrolment, recovery codes, removal by oneself, reset by an administrator."""

import secrets
from base64 import b32encode
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import quote, urlencode
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.erreurs import (
    CodeDecale,
    CodeExige,
    CodeInvalide,
    DejaUnSecondFacteur,
    EnrolementNonCommence,
    SansSecondFacteur,
    SonPropreSecondFacteur,
)
from accounts.journal import SECOND_FACTEUR, noter
from accounts.lectures import second_facteur_actif
from accounts.models import Compte, SecondFacteur, Session
from accounts.services.comptes import exiger_mot_de_passe
from accounts.services.preuves import (
    DE_L_APPLICATION,
    accepter,
    noter_un_code_faux,
    prouver,
    refuser_le_code,
    tirer_les_codes,
)
from accounts.services.sessions import terminer_toutes
from accounts.tasks import prevenir, prevenir_du_changement
from accounts.vocabulaire import Surete
from socle.audit.registre import consigner
from socle.audit.vocabulaire import Acte, Sorte
from socle.domaine.acteurs import Acteur
from socle.domaine.chiffrement import Illisible
from socle.domaine.limites import consommer, oublier
from socle.domaine.saisie import lire_code
from socle.erreurs import ChampsInvalides

OCTETS_DU_SECRET = 20
FAUX = _("Ce code n'est pas le bon. Vérifiez l'heure de votre téléphone, et prenez le code affiché maintenant.")


@dataclass(frozen=True)
class EtatDuSecondFacteur:
    """State of a second factor, as far as its person may know it."""

    actif: bool
    date_activation: datetime | None
    codes_restants: int
    exige: bool


@dataclass(frozen=True)
class Enrolement:
    """A secret that waits for its first code: as text, and as the address that applications read in a QR code."""

    secret: str
    uri: str


def etat(compte: Compte) -> EtatDuSecondFacteur:
    facteur = second_facteur_actif(compte.pk).premiere()
    exige = compte.doit_un_second_facteur(prouve=False)
    if facteur is None:
        return EtatDuSecondFacteur(False, None, 0, exige)
    return EtatDuSecondFacteur(True, facteur.date_activation, len(facteur.codes), exige)


@transaction.atomic
def demarrer(*, compte: Compte, mot_de_passe: str | None) -> Enrolement:
    """Draw a secret, which replaces one that was not confirmed; None for a password that was given a moment ago."""
    compte.verrouiller()
    if mot_de_passe is not None:
        exiger_mot_de_passe(compte=compte, mot_de_passe=mot_de_passe)
    if second_facteur_actif(compte.pk).premiere() is not None:
        raise DejaUnSecondFacteur
    secret = b32encode(secrets.token_bytes(OCTETS_DU_SECRET)).decode()
    SecondFacteur.objects.update_or_create(compte=compte, defaults={"secret": secret, "dernier_pas": -1, "codes": []})
    return _presenter(compte, secret)


def en_cours(compte: Compte) -> Enrolement | None:
    """The secret that waits for its first code; None without one, or where no key opens it: another is to be drawn."""
    attendu = SecondFacteur.objects.filter(compte=compte, date_activation=None).first()
    if attendu is None or attendu.secret is Illisible.SANS_CLE:
        return None
    return _presenter(compte, attendu.secret)


@transaction.atomic
def confirmer(*, compte: Compte, otp: str, session_id: UUID | None) -> list[str]:
    """Take the first code of the application: the factor is active; return the recovery codes, shown this once.

    Every other access of the account ends; the session that asks has proved it.
    """
    compte.verrouiller()
    facteur = SecondFacteur.objects.filter(compte=compte).first()
    if facteur is None:
        raise EnrolementNonCommence
    if facteur.date_activation is not None:
        raise DejaUnSecondFacteur
    essais = f"otp|{compte.pk}"
    consommer("login", essais)
    code = lire_code(otp)
    if not (DE_L_APPLICATION.fullmatch(code) and accepter(facteur, code)):
        raise ChampsInvalides.pour("incorrect", otp=_pourquoi(facteur, code))
    oublier("login", essais)
    facteur.date_activation = timezone.now()
    codes = tirer_les_codes(facteur)
    facteur.save(update_fields=["date_activation", "codes"])
    Session.objects.filter(pk__in=[session_id]).update(second_facteur=True)
    consigner(Acte.SECOND_FACTEUR_ACTIVE, par=compte, objet=compte.pk, sorte=Sorte.COMPTE)
    prevenir(compte, Surete.SECOND_FACTEUR_ACTIVE)
    terminer_toutes(compte, sauf=session_id)
    return codes


def refaire_les_codes(*, compte: Compte, mot_de_passe: str, otp: str, adresse: str) -> list[str]:
    """Draw ten recovery codes, returned this once; the former open nothing any more."""
    with _preuve(compte, mot_de_passe, otp, adresse) as facteur:
        codes = tirer_les_codes(facteur)
        facteur.save(update_fields=["codes"])
        consigner(Acte.CODES_DE_SECOURS_REFAITS, par=compte, objet=compte.pk, sorte=Sorte.COMPTE)
        prevenir(compte, Surete.CODES_REFAITS)
        return codes


def retirer(*, compte: Compte, mot_de_passe: str, otp: str, adresse: str, session_id: UUID | None) -> None:
    """Remove one's own; every other access ends, and the session that asks no longer counts as having proved it."""
    with _preuve(compte, mot_de_passe, otp, adresse) as facteur:
        facteur.delete()
        Session.objects.filter(pk__in=[session_id]).update(second_facteur=False)
        consigner(Acte.SECOND_FACTEUR_RETIRE, par=compte, objet=compte.pk, sorte=Sorte.COMPTE)
        prevenir(compte, Surete.SECOND_FACTEUR_RETIRE)
        terminer_toutes(compte, sauf=session_id)


@transaction.atomic
def reinitialiser(*, compte: Compte, acteur: Acteur | None) -> None:
    """Remove somebody else's, whose device is lost: journaled, recorded, mailed; every access ends. None: manage.py."""
    if acteur is not None and acteur.compte is not None and acteur.compte.pk == compte.pk:
        raise SonPropreSecondFacteur
    compte.verrouiller()
    facteur = second_facteur_actif(compte.pk).premiere()
    if facteur is None:
        raise SansSecondFacteur
    facteur.delete()
    entree = noter(compte, par=acteur and acteur.compte, tus=[SECOND_FACTEUR])
    consigner(Acte.SECOND_FACTEUR_REINITIALISE, par=acteur, objet=compte.pk, sorte=Sorte.COMPTE)
    prevenir_du_changement.enqueue(str(entree.pk))
    terminer_toutes(compte)


def _pourquoi(facteur: SecondFacteur, code: str) -> Any:
    """Return why the code is refused: who enrols has the secret before their eyes, and could work all of it out."""
    try:
        refuser_le_code(facteur, code)
    except CodeDecale as decale:
        return decale.message
    except CodeInvalide:
        return FAUX


@contextmanager
def _preuve(compte: Compte, mot_de_passe: str, otp: str, adresse: str) -> Iterator[SecondFacteur]:
    """Transaction that holds the account, its password and a code proved; a wrong code is noted once it is undone."""
    try:
        with transaction.atomic():
            (facteur,) = compte.verrouiller(second_facteur_actif(compte.pk))
            exiger_mot_de_passe(compte=compte, mot_de_passe=mot_de_passe)
            if facteur is None:
                raise SansSecondFacteur
            prouver(compte, facteur, otp=otp, adresse=adresse)
            yield facteur
    except CodeInvalide as refus:
        noter_un_code_faux(compte, refus)
        raise ChampsInvalides.pour("incorrect", otp=refus.message) from refus
    except CodeExige as refus:
        raise ChampsInvalides.pour("required", otp=refus.message) from refus


def _presenter(compte: Compte, secret: str) -> Enrolement:
    nom = settings.PORTAIL_NOM
    libelle = quote(f"{nom}:{compte.email}")
    return Enrolement(secret, f"otpauth://totp/{libelle}?{urlencode({'secret': secret, 'issuer': nom})}")
