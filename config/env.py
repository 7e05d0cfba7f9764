"""Strict readers of environment variables: a bad or missing value ends the start with one line that names it."""

import ipaddress
import os
import re
import secrets
import stat
import unicodedata
from collections.abc import Callable, Iterable
from contextlib import suppress
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NoReturn, TypeVar
from urllib.parse import urlsplit

import environ
import phonenumbers
from django.core.exceptions import ImproperlyConfigured

T = TypeVar("T")
SECRET_MINIMUM = 32
SECRET_CONSEILLE = 50  # Django's own advice
_VIDES = "\u115f\u1160\u2800\u3164\uffa0"  # letters and signs that draw nothing


# The names that the settings have asked for, given or not.
demandes: set[str] = set()
# What was given, by name: for the register, which says what has changed since the last start.
donnes: dict[str, str] = {}
# Settings of former versions, which nothing reads any more -> why: an environment that still gives one starts as ever.
RETIRES = {"THROTTLE_GUEST_SESSION_PHONE": "plus rien n'est compté par numéro de téléphone"}
# Names that look like ours, and that the client of the bucket reads by itself.
D_AUTRUI = ("AWS_ENDPOINT_URL", "AWS_ENDPOINT_URL_S3")
RESSEMBLANCE = 0.85  # one letter or two, of ten
# The names of those that are numbers, choices or yes and no: of others only a fingerprint is kept.
lisibles: set[str] = set()
# The files that NAME_FILE named, which hold secrets most of the time.
fichiers: dict[str, Path] = {}


class ReglageInvalide(SystemExit):
    """Ends the start with one line, without a traceback."""


def refuser(nom: str, attendu: str) -> NoReturn:
    raise ReglageInvalide(f"Réglage {nom} : {attendu}.")


def exiger_presents(*noms: str) -> None:
    """Stop where some of these are absent, and name them all at once."""
    absents = [nom for nom in noms if not texte(nom)]
    if len(absents) == 1:
        refuser(absents[0], "absent, un service sur PostgreSQL le demande (README, « Mettre en production »)")
    if absents:
        liste_ = ", ".join(absents)
        raise ReglageInvalide(
            f"Réglages {liste_} : absents, un service sur PostgreSQL les demande (README, « Mettre en production »)."
        )


def lire(nom: str, defaut: T, convertir: Callable[[str], T], attendu: str) -> T:
    """The converted value of NAME, or of the file that NAME_FILE names, or the default where it is absent."""
    demandes.add(nom)
    brut = _brut(nom)
    if brut is None or brut.strip() == "":
        return defaut
    donnes[nom] = brut.strip()
    try:
        return convertir(brut.strip())
    except (ValueError, KeyError, ImproperlyConfigured):
        refuser(nom, f"on attend {attendu}")


def _brut(nom: str) -> str | None:
    if fichier := os.environ.get(f"{nom}_FILE"):
        fichiers[nom] = Path(fichier)
        try:
            return Path(fichier).read_text(encoding="utf-8")
        except (OSError, ValueError):
            refuser(f"{nom}_FILE", "on attend un fichier de texte lisible")
    return os.environ.get(nom)


def retires_donnes() -> list[str]:
    """Names of the settings of former versions that the environment still gives."""
    return [nom for nom in RETIRES if nom in os.environ or f"{nom}_FILE" in os.environ]


def meconnus() -> dict[str, str]:
    """Close match of names: each one of the environment that nothing reads -> the setting that it looks like."""
    admis, retires = _ou_en_fichier(demandes), _ou_en_fichier(RETIRES)
    inconnus = sorted(os.environ.keys() - admis - retires - {*D_AUTRUI})
    voisins = ((nom, get_close_matches(nom, sorted(admis), n=1, cutoff=RESSEMBLANCE)) for nom in inconnus)
    return {nom: proches[0] for nom, proches in voisins if proches}


def _ou_en_fichier(noms: Iterable[str]) -> set[str]:
    return {nom + fin for nom in noms for fin in ("", "_FILE")}


def texte(nom: str, defaut: str = "") -> str:
    return lire(nom, defaut, str, "un texte")


def qui_se_voit(nom: str, lu: str) -> str:
    """This name, which shows something on a page; given empty it was meant to be another, and is refused too."""
    brut = _brut(nom)
    if brut is not None and not any(map(_se_voit, brut)):
        refuser(nom, "on attend un nom qui se voit")
    return lu


def _se_voit(signe: str) -> bool:
    return unicodedata.category(signe)[0] in "LNPS" and signe not in _VIDES


def entier(nom: str, defaut: int, *, minimum: int = 1, maximum: int | None = None, ou_zero: bool = False) -> int:
    """`ou_zero`: 0 too, which says never, or for ever; a typo is not taken for a short delay."""

    def convertir(brut: str) -> int:
        if ou_zero and int(brut) == 0:
            return 0
        if int(brut) < minimum or (maximum is not None and int(brut) > maximum):
            raise ValueError
        return int(brut)

    lisibles.add(nom)
    bornes = f"d'au moins {minimum}" if maximum is None else f"de {minimum} à {maximum}"
    return lire(nom, defaut, convertir, f"{'0, ou ' if ou_zero else ''}un entier {bornes}")


def zero_ou_plus(brut: str) -> int:
    if int(brut) < 0:
        raise ValueError
    return int(brut)


def booleen(nom: str, defaut: bool) -> bool:
    return bool(oui_ou_non(nom, defaut))


def oui_ou_non(nom: str, defaut: bool | None = None) -> bool | None:
    """None where neither was said, and nothing stands for it."""
    lisibles.add(nom)
    return lire(
        nom, defaut, lambda brut: {"true": True, "1": True, "false": False, "0": False}[brut.lower()], "true ou false"
    )


def liste(nom: str, defaut: list[str] | None = None, *, majuscules: bool = False) -> list[str]:
    def convertir(brut: str) -> list[str]:
        elements = [element.strip() for element in brut.split(",") if element.strip()]
        return [element.upper() for element in elements] if majuscules else elements

    return lire(nom, defaut or [], convertir, "une liste séparée par des virgules")


def pays_feries(brut: str) -> str:
    """An ISO 3166 code of a country, or of one of its regions, whose public holidays are known."""
    import holidays  # a fifth of a second and ten megabytes, of who asks for it alone

    pays, _, region = brut.upper().partition("-")
    connus = holidays.list_supported_countries(include_aliases=True)
    if pays not in connus or (region and region not in connus[pays]):
        raise ValueError
    return f"{pays}-{region}" if region else pays


def jours_de_la_semaine(brut: str) -> frozenset[int]:
    """Of 1 to 7; not all of them: a time in working days would have no end."""
    jours = frozenset(int(jour) for jour in brut.split(","))
    if not jours < frozenset(range(1, 8)):
        raise ValueError
    return jours


def choix(nom: str, defaut: str, admis: tuple[str, ...]) -> str:
    def convertir(brut: str) -> str:
        if brut not in admis:
            raise ValueError
        return brut

    lisibles.add(nom)
    return lire(nom, defaut, convertir, f"une valeur parmi {', '.join(admis)}")


def url(nom: str, defaut: str, *, schemas: tuple[str, ...] = ("http", "https")) -> str:
    def convertir(brut: str) -> str:
        schema, _separe, reste = brut.partition("://")
        if schema not in schemas or not reste or re.search(r"\s", brut):
            raise ValueError
        parties = urlsplit(brut)
        if schema != "unix" and not parties.hostname:
            raise ValueError
        parties.port  # noqa: B018 -- raises ValueError where it is not a port
        return brut.rstrip("/")

    return lire(nom, defaut, convertir, f"une adresse {' ou '.join(f'{schema}://' for schema in schemas)}")


def hote(brut: str) -> str:
    """A host name or an IP address; one of IPv6 is kept without its brackets."""
    nu = brut.removeprefix("[").removesuffix("]")
    if ":" in nu:
        return str(ipaddress.IPv6Address(nu))
    if not re.fullmatch(r"[\w.-]+", brut):
        raise ValueError
    return brut


def hote_d_adresse(hote: str) -> str:
    """The host as a URL and ALLOWED_HOSTS write it: IPv6 in brackets."""
    return f"[{hote}]" if ":" in hote else hote


def region(brut: str) -> str:
    if brut.upper() not in phonenumbers.SUPPORTED_REGIONS:
        raise ValueError
    return brut.upper()


def chemin_python(brut: str) -> str:
    """Check the dotted path of a name in a module, without importing it."""
    if "." not in brut or not all(nom.isidentifier() for nom in brut.split(".")):
        raise ValueError
    return brut


def jeton(brut: str) -> str:
    """Check 16 or more printable ASCII characters without a space: fits an `Authorization` header, not soon guessed."""
    if not re.fullmatch(r"[!-~]{16,}", brut):
        raise ValueError
    return brut


def transmettre(nom: str, valeur: str) -> None:
    """Write a value back to the environment, for a library that reads it there; "" removes it."""
    if valeur:
        os.environ[nom] = valeur
    else:
        os.environ.pop(nom, None)


def exiger_dossier(nom: str, dossier: Path) -> None:
    """Make the folder that this setting names, or stop."""
    try:
        dossier.mkdir(parents=True, exist_ok=True)
        if not os.access(dossier, os.W_OK):
            raise PermissionError
    except OSError:
        refuser(nom, "on attend un dossier où écrire")


def reserver(dossier: Path, *fichiers: Path) -> None:
    """Set mode 700 on the data folder and 600 on these files, those of an older installation too.

    A shared folder (sticky bit) and paths of another user are left as they are.
    """
    with suppress(OSError):  # a service whose files are elsewhere may have no place of its own
        dossier.mkdir(mode=0o700, parents=True, exist_ok=True)
    for chemin, mode in ((dossier, 0o700), *((fichier, 0o600) for fichier in fichiers)):
        if chemin.exists():
            etat = chemin.stat()
            if etat.st_uid == os.geteuid() and not etat.st_mode & stat.S_ISVTX:
                chemin.chmod(mode)


def creer_reserve(fichier: Path) -> None:
    """Create an empty file of mode 600 where there is none: SQLite's files beside its base take the base's mode."""
    with suppress(FileExistsError):
        os.close(os.open(fichier, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))


def secret(nom: str, *, dossier: Path, generer: Callable[[], str] | None) -> str:
    """A secret of the environment, or one generated once into `dossier` where `generer` is given."""
    valeur = texte(nom)
    if not valeur and generer is not None:
        valeur = _secret_garde(dossier / f"{nom.lower()}.secret", generer)
    return valeur


def exiger_longueur(nom: str, valeur: str) -> None:
    """Refuse a secret under 32 characters; between 32 and 50 it is a warning of `config.checks`."""
    if len(valeur) < SECRET_MINIMUM:
        refuser(nom, f"on attend {SECRET_MINIMUM} caractères au moins, {SECRET_CONSEILLE} de préférence")


def _secret_garde(fichier: Path, generer: Callable[[], str]) -> str:
    if not fichier.exists():
        exiger_dossier("DATA_DIR", fichier.parent)
        provisoire = fichier.with_suffix(f".{os.getpid()}.{secrets.token_hex(4)}")
        with open(os.open(provisoire, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as flux:
            flux.write(generer())
        try:
            os.link(provisoire, fichier)  # the first process wins, whole; the others read its secret
        except FileExistsError:
            pass
        finally:
            provisoire.unlink()
    return fichier.read_text(encoding="utf-8").strip()


def contacts(brut: str) -> list[str]:
    """Split and check the `Contact:` URIs of RFC 9116: mailto:, https: or tel:."""
    lus = [contact.strip() for contact in brut.split(",")]
    if not all(re.fullmatch(r"mailto:[!-~]+@[!-~]+|https://[!-~]+|tel:\+?[0-9()-]+", contact) for contact in lus):
        raise ValueError
    return lus


def courriel(brut: str) -> dict[str, Any]:
    """Parse EMAIL_URL: files need a path; SMTP a host, and no path nor "@" in a query: a secret cut at "/" or "?".

    Memory, which nobody reads and nothing empties, is for tests.
    """
    lu = dict(environ.Env.email_url_config(brut))
    if "://" not in brut or re.search(r"[\s#]", brut) or "@" in brut.partition("?")[2]:
        raise ValueError
    if lu["EMAIL_BACKEND"].endswith("smtp.EmailBackend") and (lu["EMAIL_FILE_PATH"] or not lu["EMAIL_HOST"]):
        raise ValueError
    if lu["EMAIL_BACKEND"].endswith("locmem.EmailBackend"):
        raise ValueError
    if lu["EMAIL_BACKEND"].endswith("filebased.EmailBackend") and not lu["EMAIL_FILE_PATH"].strip():
        raise ValueError
    return lu


def base_de_donnees(nom: str, defaut: str) -> dict[str, Any]:
    def convertir(brut: str) -> dict[str, Any]:
        if not brut.startswith(("sqlite:///", "postgres://", "postgresql://")):
            raise ValueError
        return dict(environ.Env.db_url_config(brut))

    return lire(nom, convertir(defaut), convertir, "une adresse sqlite:///chemin ou postgres://utilisateur@hôte/base")
