"""E-mail addresses in the one form under which they are stored, compared and written to."""

import unicodedata

import idna

from socle.domaine.saisie import sans_invisibles

MOT_CODE = "=?"  # begins an encoded word


class AdresseIllisible(ValueError):
    """Its domain has no form that a mail server could look up."""


def lire_adresse(texte: str) -> str:
    """NFKC, without what shows nothing, in lower case, the domain in ASCII (IDNA 2008); AdresseIllisible otherwise.

    Nor is one readable whose name before the @ is not ASCII: « ı » would pass for another account's « i ». Nor where it
    has an encoded word (RFC 2047), `=?utf-8?q?awa?=@campus.test`: it is sent to the mailbox that it spells.
    """
    if not texte.isascii():
        texte = sans_invisibles(unicodedata.normalize("NFKC", sans_invisibles(texte)))
    local, arobase, domaine = texte.strip().lower().rpartition("@")
    if not local.isascii() or MOT_CODE in local:
        raise AdresseIllisible(texte)
    return f"{local}{arobase}{lire_domaine(domaine)}"


def lire_domaine(domaine: str) -> str:
    """Its ASCII form; one that is in it already is what a mail server looks up, and stays."""
    domaine = domaine.strip().lower()
    if domaine.isascii():
        return domaine
    try:
        return idna.encode(domaine, uts46=True).decode()
    except idna.IDNAError as illisible:
        raise AdresseIllisible(domaine) from illisible


def canonique(texte: str) -> str:
    """`lire_adresse` for a comparison: what cannot be read is nobody's, and stays as typed, in lower case."""
    try:
        return lire_adresse(texte)
    except AdresseIllisible:
        return texte.strip().lower()


def sans_etiquette(adresse: str) -> str:
    """awa+avis@campus.test -> awa@campus.test: the same mailbox almost everywhere, to count it, not to write to it."""
    local, arobase, domaine = adresse.rpartition("@")
    return f"{local.partition('+')[0] or local}{arobase}{domaine}"


def masquer(adresse: str) -> str:
    """awa@campus.test -> a**@campus.test."""
    local, arobase, domaine = adresse.rpartition("@")
    return f"{local[:1]}{'*' * max(len(local) - 1, 2)}{arobase}{domaine}"


def dans_une_question(question: str) -> str:
    """A search whose addresses have the form in which they are stored."""
    if "@" not in question:
        return question
    return " ".join(canonique(mot) if "@" in mot else mot for mot in question.split())
