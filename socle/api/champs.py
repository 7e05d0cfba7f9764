"""Input fields: strict about JSON types, kind about spaces, the same in every form."""

import re
from collections.abc import Iterable
from datetime import UTC, date, datetime
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID

from django.conf import settings
from django.core.validators import EmailValidator, MaxLengthValidator, ProhibitNullCharactersValidator
from django.utils.dateparse import parse_datetime
from django.utils.functional import cached_property
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _
from rest_framework import serializers
from rest_framework.validators import ProhibitSurrogateCharactersValidator

from socle.domaine import telephones
from socle.domaine.adresses import AdresseIllisible, lire_adresse
from socle.domaine.identite import sans_guest_ids
from socle.domaine.saisie import en_paragraphes, montre, sur_une_ligne

TITRE = 255
TEXTE = 20_000
ADRESSE = 2_048
ENTIER_MAX = 2**31 - 1
MOTIF_UUID = "[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}"
_JETON = re.compile(r"[A-Z][A-Z0-9_]{0,49}")
_UUID = re.compile(MOTIF_UUID)
_JOUR = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
# None of the characters that RFC 3986 leaves out: they would end the URL in a sentence or an attribute.
_ADRESSE = re.compile(r"[^\s<>\"\\`{}|^]+")
_SANS_OBJET = (ProhibitNullCharactersValidator, ProhibitSurrogateCharactersValidator)
# Refused in every text: controls but newline and tab, lone surrogates.
_CONTROLES = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")


def a_un_controle(valeur: Any) -> bool:
    """True when a string, or any string or key inside a structure, holds a character that no text may hold."""
    if isinstance(valeur, str):
        return _CONTROLES.search(valeur) is not None
    if isinstance(valeur, dict):
        return any(a_un_controle(cle) or a_un_controle(contenu) for cle, contenu in valeur.items())
    return isinstance(valeur, list) and any(a_un_controle(element) for element in valeur)


class Texte(serializers.CharField):
    """A JSON string on one line, trimmed, without control characters; newlines and tabs become a space.

    One that shows nothing is blank. What would reverse or cover its neighbours is closed, or bounded (`saisie`).

    Prose has its guest ids masked when it is stored; an exact text (`est_exact`) cannot be changed, so one is refused.
    """

    est_exact = False
    default_error_messages = {
        "guest_id": _("Retirez l'identifiant de session invitée : il ouvre un dossier."),
        "control": _("Les caractères de contrôle ne sont pas acceptés."),
        "invalid": _("Une chaîne de caractères est attendue."),
    }

    def __init__(self, **options: Any) -> None:
        options.setdefault("max_length", TITRE)
        super().__init__(**options)
        # Of characters that `to_internal_value` has refused already.
        self.validators = [un for un in self.validators if not isinstance(un, _SANS_OBJET)]

    @cached_property
    def _seule_borne(self) -> int:
        """Maximum length where that is the only validator, else 0."""
        return (self.max_length or 0) if [type(un) for un in self.validators] == [MaxLengthValidator] else 0

    def run_validation(self, data: Any = serializers.empty) -> Any:
        """Fast path past DRF's checks for a string that nothing refuses; DRF words every refusal."""
        if self.trim_whitespace and data.__class__ is str and not data.isascii() and not montre(data):
            data = ""
        if data.__class__ is str and self._seule_borne and (data.strip() if self.trim_whitespace else data):
            texte = self.to_internal_value(data)
            if len(texte) <= self._seule_borne:
                return texte
        return super().run_validation(data)

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        if a_un_controle(data):
            self.fail("control")
        # A text that is much too long is refused for that: no time is spent on it.
        texte = self.nettoyer(data) if not self.max_length or len(data) <= 2 * self.max_length else data.strip()
        if self.est_exact and sans_guest_ids(texte) != texte:
            self.fail("guest_id")
        return texte

    def nettoyer(self, texte: str) -> str:
        return sur_une_ligne(texte)


class TexteLong(Texte):
    """Prose, whose newlines and tabs stay."""

    def __init__(self, **options: Any) -> None:
        options.setdefault("max_length", TEXTE)
        super().__init__(**options)

    def nettoyer(self, texte: str) -> str:
        return en_paragraphes(texte)


class MotDePasse(Texte):
    """A password, up to 1024 characters, kept as typed: neither trimmed nor normalised; never rendered."""

    def __init__(self, **options: Any) -> None:
        super().__init__(trim_whitespace=False, max_length=1024, write_only=True, **options)

    def nettoyer(self, texte: str) -> str:
        return texte


class Courriel(Texte):
    """An e-mail address in its one form: however it is typed, it is the same account's (`adresses`)."""

    est_exact = True
    default_error_messages = {"email": _("Une adresse e-mail valide est attendue.")}
    format = "email"

    def __init__(self, **options: Any) -> None:
        super().__init__(max_length=254, **options)
        self.validators.append(EmailValidator(message=self.error_messages["email"], code="email"))

    def nettoyer(self, texte: str) -> str:
        try:
            return lire_adresse(texte)
        except AdresseIllisible:
            self.fail("email")


class AdresseWeb(Texte):
    """An absolute http(s) URL; it is kept and shown, never fetched."""

    est_exact = True
    default_error_messages = {
        "adresse": _("Une adresse complète est attendue, par exemple https://campus.example.org.")
    }

    def __init__(self, **options: Any) -> None:
        super().__init__(max_length=ADRESSE, **options)

    def to_internal_value(self, data: Any) -> str:
        texte = super().to_internal_value(data)
        if texte and not _est_une_adresse(texte):
            self.fail("adresse")
        return texte


def _est_une_adresse(texte: str) -> bool:
    try:
        lue = urlsplit(texte)
        _port = lue.port  # read for its own check
    except ValueError:
        return False
    return lue.scheme in ("http", "https") and bool(lue.hostname) and _ADRESSE.fullmatch(texte) is not None


class Telephone(Texte):
    """E.164, or national where a region is configured; answers E.164."""

    default_error_messages = {
        "telephone": _("Un numéro de téléphone valide est attendu, de préférence avec son indicatif (+243…).")
    }

    def __init__(self, **options: Any) -> None:
        options.setdefault(
            "help_text",
            _(
                "Avec son indicatif (+243…) ou, là où `PHONE_DEFAULT_REGION` dit un pays, un numéro de ce pays ; sinon "
                "422."
            ),
        )
        super().__init__(max_length=64, **options)

    def to_internal_value(self, data: Any) -> str:
        texte = super().to_internal_value(data)
        if texte == "" and self.allow_blank:
            return ""
        numero = telephones.lire(texte, settings.PHONE_DEFAULT_REGION)
        if numero is None:
            self.fail("telephone")
        return numero


class Booleen(serializers.BooleanField):
    """JSON true or false, nothing that looks like it."""

    default_error_messages = {"invalid": _("true ou false est attendu.")}

    def to_internal_value(self, data: Any) -> bool:
        if not isinstance(data, bool):
            self.fail("invalid")
        return data


class Entier(serializers.IntegerField):
    """A JSON integer: neither 12.0, nor "12", nor true."""

    default_error_messages = {"invalid": _("Un nombre entier est attendu.")}

    def __init__(self, **options: Any) -> None:
        options.setdefault("max_value", ENTIER_MAX)
        super().__init__(**options)

    def to_internal_value(self, data: Any) -> int:
        if not isinstance(data, int) or isinstance(data, bool):
            self.fail("invalid")
        return data


class DateHeure(serializers.DateTimeField):
    """An ISO 8601 string; without an offset it is read as UTC."""

    default_error_messages = {"invalid": _("Une date ISO 8601 est attendue, par exemple 2026-03-01T14:30:00Z.")}

    def to_internal_value(self, value: Any) -> datetime:
        try:
            texte = value.strip() if isinstance(value, str) else ""
            lue = parse_datetime(texte) if len(texte) < 64 and texte.isascii() and texte.isprintable() else None
            if lue is not None:
                return (lue if lue.tzinfo else lue.replace(tzinfo=UTC)).astimezone(UTC)
        except (ValueError, OverflowError):
            pass  # a date that does not exist: the same refusal as one that cannot be read
        self.fail("invalid", format="ISO 8601")


class Jour(serializers.DateField):
    """A day of the campus, YYYY-MM-DD."""

    default_error_messages = {"invalid": _("Un jour est attendu sous la forme AAAA-MM-JJ.")}

    def to_internal_value(self, value: Any) -> date:
        try:
            if isinstance(value, str) and _JOUR.fullmatch(value.strip()):
                return date.fromisoformat(value.strip())
        except ValueError:
            pass  # a day that does not exist: the same refusal as one that cannot be read
        self.fail("invalid", format="AAAA-MM-JJ")


class Identifiant(serializers.UUIDField):
    default_error_messages = {"invalid": _("Un identifiant UUID est attendu.")}

    def to_internal_value(self, data: Any) -> UUID:
        if not isinstance(data, str) or not _UUID.fullmatch(data.strip()):
            self.fail("invalid")
        return UUID(data.strip())


class PiecesJointes(serializers.ListField):
    """A list of at most 20 file ids; the service judges their ownership."""

    def __init__(self, **options: Any) -> None:
        aide = _("Des `fileId` de ses propres fichiers ; celui d'autrui, ou inconnu : 422.")
        super().__init__(child=Identifiant(), required=False, max_length=20, help_text=aide, **options)


class Choix(serializers.ChoiceField):
    """A closed vocabulary: the refusal lists what is allowed."""

    default_error_messages = {"invalid_choice": _("Valeur inconnue. Valeurs admises : {admises}.")}

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str) or data not in self.choices:
            self.fail("invalid_choice", admises=", ".join(self.choices))
        return data


class Vocabulaire(Texte):
    """An open vocabulary: upper-cased, then a token; a setting may close it to a list."""

    est_exact = True
    default_error_messages = {
        "jeton": _("Un mot en capitales est attendu : lettres, chiffres et _ (50 au plus), une lettre d'abord."),
        "ferme": _("Valeur inconnue. Valeurs admises : {admises}."),
    }

    def __init__(self, nom: str, *, connues: Iterable[str] = (), **options: Any) -> None:
        self.nom = nom
        options.setdefault("help_text", _aide(connues))
        super().__init__(max_length=50, **options)

    def to_internal_value(self, data: Any) -> str:
        jeton = super().to_internal_value(data).upper()
        if not _JETON.fullmatch(jeton):
            self.fail("jeton")
        admises = settings.VOCABULAIRES.get(self.nom)
        if admises and jeton not in admises:
            self.fail("ferme", admises=", ".join(admises))
        return jeton


def _aide(connues: Iterable[str]) -> Any:
    mots = ", ".join(connues)
    return format_lazy(_("Vocabulaire ouvert. Valeurs connues : {mots}."), mots=mots) if mots else ""
