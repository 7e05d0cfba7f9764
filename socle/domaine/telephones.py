"""Phone numbers: read, and shown as their prefix and last two digits."""

import re
from functools import cache
from importlib.resources import files

import phonenumbers

from socle.domaine.saisie import en_chiffres

LONGUEUR_LUE = 250  # of a number with all that people write around it
# What most of the world dials for the +, in a country that is not said or that dials something else.
_PREFIXE = re.compile(r"(?:tel:)?[^\w+]*\+?\s*00", re.IGNORECASE)


def lire(texte: str, region: str | None) -> str | None:
    """Parse to E.164, in any digits and whatever stands between them; None for a number impossible by its length."""
    if len(texte) > LONGUEUR_LUE:
        return None
    texte = en_chiffres(texte)
    avec_un_plus = _PREFIXE.sub("+", texte, count=1) if _PREFIXE.match(texte) else None
    return _lire(texte, region) or (avec_un_plus and _lire(avec_un_plus, region))


def _lire(texte: str, region: str | None) -> str | None:
    try:
        numero = phonenumbers.parse(texte, region or None)
    except phonenumbers.NumberParseException:
        return None
    if not phonenumbers.is_possible_number(numero):
        return None
    return phonenumbers.format_number(numero, phonenumbers.PhoneNumberFormat.E164)


@cache
def region_du_fuseau(fuseau: str) -> str | None:
    """Look a time zone up in `zone.tab`: its country as ISO 3166, "CD" of Africa/Kinshasa; None for UTC or an alias."""
    for ligne in files("tzdata").joinpath("zoneinfo", "zone.tab").read_text(encoding="utf-8").splitlines():
        pays, _place, nom = [*ligne.split("\t"), "", ""][:3]
        if nom == fuseau and pays in phonenumbers.SUPPORTED_REGIONS:
            return pays
    return None


def masquer(e164: str) -> str:
    """+243812345621 -> +243*******21."""
    indicatif = f"+{phonenumbers.parse(e164).country_code}"
    reste = len(e164) - len(indicatif) - 2
    return f"{indicatif}{'*' * max(reste, 0)}{e164[-2:]}"
