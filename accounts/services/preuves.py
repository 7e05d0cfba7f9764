"""Proof of a second factor: a code of the application or a recovery code, each accepted once."""

import re
import secrets
from base64 import b32decode

from django.utils import timezone
from django_otp.oath import TOTP

from accounts.erreurs import CodeExige, CodeInvalide, EnrolementExige
from accounts.models import Compte, SecondFacteur
from accounts.tasks import prevenir_des_codes_faux
from accounts.vocabulaire import Facteur
from socle.audit.registre import consigner
from socle.audit.vocabulaire import Acte, Sorte
from socle.domaine.chiffrement import empreinte
from socle.domaine.droits import Droit, a_le_droit
from socle.domaine.limites import Taux, compter, consommer, oublier

DERIVE = 1  # time steps of 30 seconds, before and after, in which a code is accepted
NOMBRE_DE_CODES = 10
PAR_HEURE = Taux(5, 3600)  # wrong codes after which the person is told
_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"  # what nobody reads one for another
_MOITIE = 5
_DE_L_APPLICATION = re.compile(r"[0-9]{6}")


def prouver(compte: Compte, facteur: SecondFacteur | None, *, otp: str, adresse: str) -> Facteur:
    """Spend a code of this account, or refuse; call inside a transaction that holds its row, the password known good.

    `facteur` is its active second factor, read under that lock.

    Wrong codes are counted by account and by address (429): only who has the password comes to count any.
    """
    if facteur is None:
        if compte.doit_un_second_facteur(prouve=False):
            raise EnrolementExige
        return Facteur.MOT_DE_PASSE
    if not otp.strip():
        raise CodeExige
    essais = f"otp|{compte.pk}"
    consommer("login", essais, pas=0)
    preuve = _depenser(facteur, otp)
    if preuve is None:
        consommer("login_address", adresse)
        consommer("login", essais)
        raise CodeInvalide
    oublier("login", essais)
    return preuve


def _depenser(facteur: SecondFacteur, saisi: str) -> Facteur | None:
    """Mark the code as used: the step of the application's, so that no earlier one serves; the hash of a recovery's."""
    code = re.sub(r"[\s-]", "", saisi).lower()
    if _DE_L_APPLICATION.fullmatch(code):
        return Facteur.APPLICATION if accepter(facteur, code) else None
    essaye = empreinte_du_code(facteur, code)
    if essaye not in facteur.codes:
        return None
    facteur.codes = [une for une in facteur.codes if une != essaye]
    facteur.save(update_fields=["codes"])
    _consigner(facteur.compte, Acte.CODE_DE_SECOURS_UTILISE, restants=len(facteur.codes))
    return Facteur.CODE_DE_SECOURS


def accepter(facteur: SecondFacteur, code: str) -> bool:
    """True for a code of now, a step early or late, later than the last accepted; its step is then the last."""
    totp = TOTP(b32decode(facteur.secret))
    totp.time = timezone.now().timestamp()
    if not totp.verify(int(code), tolerance=DERIVE, min_t=facteur.dernier_pas + 1):
        return False
    facteur.dernier_pas = totp.t()
    facteur.save(update_fields=["dernier_pas"])
    return True


def tirer_les_codes(facteur: SecondFacteur) -> list[str]:
    """Replace the recovery codes of this row, unsaved; return the new ones, which nothing can show again."""
    codes = ["".join(secrets.choice(_ALPHABET) for _ in range(2 * _MOITIE)) for _ in range(NOMBRE_DE_CODES)]
    facteur.codes = [empreinte_du_code(facteur, code) for code in codes]
    return [f"{code[:_MOITIE]}-{code[_MOITIE:]}" for code in codes]


def empreinte_du_code(facteur: SecondFacteur, code: str) -> str:
    return empreinte("code-de-secours", f"{facteur.pk}:{code}")


def noter_un_code_faux(compte: Compte) -> None:
    """Into the register; past a few in an hour the person is mailed, once: whoever tries them has the password."""
    noter_le_refus(compte, "otp")
    if compter("otp_faux", str(compte.pk), PAR_HEURE) == PAR_HEURE.nombre:
        prevenir_des_codes_faux.enqueue(str(compte.pk))


def noter_le_refus(compte: Compte | None, motif: str) -> None:
    """Into the register, where somebody tried to sign in as one of the team."""
    if compte is not None and a_le_droit(compte.role, Droit.ESPACE_ENTRER):
        consigner(Acte.CONNEXION_REFUSEE, par=None, objet=compte.pk, sorte=Sorte.COMPTE, motif=motif)


def _consigner(compte: Compte, acte: Acte, **details: int) -> None:
    """Of the team alone, as its sign-ins."""
    if a_le_droit(compte.role, Droit.ESPACE_ENTRER):
        consigner(acte, par=compte, objet=compte.pk, sorte=Sorte.COMPTE, **details)
