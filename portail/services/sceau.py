"""Keys made of a cookie's token: a keyed hash to find its row, and a key that opens what this row holds."""

import base64
import secrets

from cryptography.fernet import Fernet, InvalidToken

from socle.domaine.chiffrement import empreinte

JETON_MAX = 64  # characters: ours have 43


def tirer_jeton() -> str:
    """256 random bits, as a cookie can hold them."""
    return secrets.token_urlsafe(32)


def deriver_jeton(espece: str, jeton: str) -> str:
    """Another token, always the same one for this token and kind."""
    return _en_base64(empreinte(f"jeton-derive-{espece}", jeton))


def empreinte_du_jeton(espece: str, jeton: str) -> str:
    return empreinte(f"jeton-{espece}", jeton[: JETON_MAX + 1])


def sceller(jeton: str, texte: str) -> str:
    return Fernet(_cle(jeton)).encrypt(texte.encode()).decode()


def ouvrir(jeton: str, scelle: str) -> str:
    """The text, or "" where there is none or where another HASH_KEY sealed it."""
    try:
        return Fernet(_cle(jeton)).decrypt(scelle.encode()).decode() if scelle else ""
    except InvalidToken:
        return ""


def _cle(jeton: str) -> str:
    return _en_base64(empreinte("cle-du-jeton", jeton), rempli=True)


def _en_base64(hexa: str, *, rempli: bool = False) -> str:
    texte = base64.urlsafe_b64encode(bytes.fromhex(hexa)).decode()
    return texte if rempli else texte.rstrip("=")
