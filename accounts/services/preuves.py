"""Proof of a second factor: a code of the application or a recovery code, each accepted once."""

import re
import secrets
from base64 import b32decode
from typing import Any, NoReturn

from django.utils import timezone
from django_otp.oath import TOTP

from accounts.erreurs import CodeDecale, CodeExige, CodeInvalide, EnrolementExige
from accounts.models import Compte, SecondFacteur
from accounts.tasks import prevenir, prevenir_des_codes_faux
from accounts.vocabulaire import Facteur, Surete
from socle.audit.registre import consigner
from socle.audit.vocabulaire import Acte, Sorte
from socle.domaine.chiffrement import Illisible, empreinte
from socle.domaine.droits import Droit, a_le_droit
from socle.domaine.limites import Taux, compter, consommer, oublier
from socle.domaine.saisie import lire_code

DERIVE = 1  # time steps of 30 seconds, before and after, in which a code is accepted
DERIVE_DITE = 2  # in which one is refused, but with its reason
NOMBRE_DE_CODES = 10
PAR_HEURE = Taux(5, 3600)  # wrong codes after which the person is told
_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"  # what nobody reads one for another
_MOITIE = 5
DE_L_APPLICATION = re.compile(r"[0-9]{6}")


def prouver(compte: Compte, facteur: SecondFacteur | None, *, otp: str, adresse: str) -> Facteur:
    """Spend a code of this account, or refuse; call inside a transaction that holds its row, the password known good.

    `facteur` is its active second factor, read under that lock.

    Wrong codes are counted by account and by address (429): only who has the password comes to count any.
    """
    if facteur is None:
        if compte.doit_un_second_facteur(prouve=False):
            raise EnrolementExige
        return Facteur.MOT_DE_PASSE
    if not lire_code(otp):
        raise CodeExige
    essais = f"otp|{compte.pk}"
    consommer("login", essais, pas=0)
    preuve = _depenser(facteur, otp)
    if preuve is None:
        consommer("login_address", adresse)
        consommer("login", essais)
        refuser_le_code(facteur, lire_code(otp))
    oublier("login", essais)
    return preuve


def _depenser(facteur: SecondFacteur, saisi: str) -> Facteur | None:
    """Mark the code as used: the step of the application's, so that no earlier one serves; the hash of a recovery's."""
    code = lire_code(saisi)
    if DE_L_APPLICATION.fullmatch(code):
        return Facteur.APPLICATION if accepter(facteur, code) else None
    essaye = empreinte_du_code(facteur, code)
    if essaye not in facteur.codes:
        return None
    facteur.codes = [une for une in facteur.codes if une != essaye]
    facteur.save(update_fields=["codes"])
    consigner_le_sien(facteur.compte, Acte.CODE_DE_SECOURS_UTILISE, restants=len(facteur.codes))
    prevenir(facteur.compte, Surete.CODE_UTILISE)
    return Facteur.CODE_DE_SECOURS


def accepter(facteur: SecondFacteur, code: str) -> bool:
    """True for a code of now, a step early or late, later than the last accepted; its step is then the last."""
    totp = _codes_de_maintenant(facteur)
    if totp is None or not totp.verify(int(code), tolerance=DERIVE, min_t=facteur.dernier_pas + 1):
        return False
    facteur.dernier_pas = totp.t()
    facteur.save(update_fields=["dernier_pas"])
    return True


def refuser_le_code(facteur: SecondFacteur, code: str) -> NoReturn:
    """CodeInvalide; CodeDecale where it is of a step just out of reach: the phone's clock is wrong."""
    totp = _codes_de_maintenant(facteur) if DE_L_APPLICATION.fullmatch(code) else None
    if totp is not None and totp.verify(int(code), tolerance=DERIVE_DITE, min_t=facteur.dernier_pas + 1):
        raise CodeDecale(totp.t())
    raise CodeInvalide


def _codes_de_maintenant(facteur: SecondFacteur) -> TOTP | None:
    """The codes of this secret at this instant; None where no key opens it: recovery codes alone are taken then."""
    if facteur.secret is Illisible.SANS_CLE:
        return None
    totp = TOTP(b32decode(facteur.secret))
    totp.time = timezone.now().timestamp()
    return totp


def tirer_les_codes(facteur: SecondFacteur) -> list[str]:
    """Replace the recovery codes of this row, unsaved; return the new ones, which nothing can show again."""
    codes = ["".join(secrets.choice(_ALPHABET) for _ in range(2 * _MOITIE)) for _ in range(NOMBRE_DE_CODES)]
    facteur.codes = [empreinte_du_code(facteur, code) for code in codes]
    return [f"{code[:_MOITIE]}-{code[_MOITIE:]}" for code in codes]


def empreinte_du_code(facteur: SecondFacteur, code: str) -> str:
    return empreinte("code-de-secours", f"{facteur.pk}:{code}")


def noter_un_code_faux(compte: Compte, refus: CodeInvalide) -> None:
    """Into the register; past a few in an hour the person is mailed, once: whoever tries them has the password.

    A code of a step to come was guessed, perhaps, by whoever was told so: it does not serve when its time comes.
    """
    if isinstance(refus, CodeDecale):
        SecondFacteur.objects.filter(pk=compte.pk, dernier_pas__lt=refus.pas).update(dernier_pas=refus.pas)
    noter_le_refus(compte, "otp")
    if compter("otp_faux", str(compte.pk), PAR_HEURE) == PAR_HEURE.nombre:
        prevenir_des_codes_faux.enqueue(str(compte.pk))


def noter_le_refus(compte: Compte | None, motif: str) -> None:
    """Into the register, where somebody tried to sign in as one of the team."""
    if compte is not None and a_le_droit(compte.role, Droit.ESPACE_ENTRER):
        consigner(Acte.CONNEXION_REFUSEE, par=None, objet=compte.pk, sorte=Sorte.COMPTE, motif=motif)


def consigner_le_sien(compte: Compte, acte: Acte, **details: Any) -> None:
    """Record an act on an account by its person, or whoever holds it; of the team alone, as its sign-ins."""
    if a_le_droit(compte.role, Droit.ESPACE_ENTRER):
        consigner(acte, par=compte, objet=compte.pk, sorte=Sorte.COMPTE, **details)
