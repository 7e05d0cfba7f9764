"""Phone numbers: read, and shown as their prefix and last two digits."""

import phonenumbers


def lire(texte: str, region: str | None) -> str | None:
    """Parse to E.164; None for a number that is impossible by its length."""
    try:
        numero = phonenumbers.parse(texte, region or None)
    except phonenumbers.NumberParseException:
        return None
    if not phonenumbers.is_possible_number(numero):
        return None
    return phonenumbers.format_number(numero, phonenumbers.PhoneNumberFormat.E164)


def masquer(e164: str) -> str:
    """+243812345621 -> +243*******21."""
    indicatif = f"+{phonenumbers.parse(e164).country_code}"
    reste = len(e164) - len(indicatif) - 2
    return f"{indicatif}{'*' * max(reste, 0)}{e164[-2:]}"
