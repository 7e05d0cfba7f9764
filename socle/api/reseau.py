"""Client address and scheme of a request, from forwarded headers of TRUSTED_PROXIES alone."""

import ipaddress
import re
from functools import lru_cache
from random import getrandbits

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest

_NOMBRES = re.compile(r"[0-9][0-9._]*")
LONGUEUR_MAX = 100  # no address is longer
_IDENTIFIANT = re.compile(r"[A-Za-z0-9._-]{8,64}")
_AVEC_PORT = re.compile(r"\[([0-9A-Fa-f:.%]+)\](?::[0-9]{1,5})?|([0-9.]+):[0-9]{1,5}")
Adresse = ipaddress.IPv4Address | ipaddress.IPv6Address


@lru_cache(maxsize=4)
def _reseaux(textes: tuple[str, ...]) -> list[ipaddress.IPv4Network | ipaddress.IPv6Network]:
    return [ipaddress.ip_network(texte, strict=False) for texte in textes]


def _adresse(texte: str) -> Adresse | None:
    return _lue(texte) if len(texte) <= LONGUEUR_MAX else None


@lru_cache(maxsize=1024)
def _lue(texte: str) -> Adresse | None:
    """With the port, the brackets or the quotes that some proxies add."""
    texte = texte.strip()
    if len(texte) > 1 and texte[0] == texte[-1] == '"':
        texte = texte[1:-1].strip()
    if avec_port := _AVEC_PORT.fullmatch(texte):
        texte = avec_port[1] or avec_port[2]
    try:
        adresse = ipaddress.ip_address(texte)
    except ValueError:
        return None
    return adresse.ipv4_mapped or adresse if isinstance(adresse, ipaddress.IPv6Address) else adresse


@lru_cache(maxsize=1024)
def _situer(texte: str, mandataires: tuple[str, ...]) -> tuple[str, bool]:
    """An address in its usual form, empty where it is none, and whether it is a trusted proxy."""
    adresse = _adresse(texte)
    return str(adresse or ""), adresse is not None and any(adresse in reseau for reseau in _reseaux(mandataires))


def _vient_d_un_mandataire(requete: HttpRequest) -> bool:
    return _situer(requete.META.get("REMOTE_ADDR", ""), tuple(settings.TRUSTED_PROXIES))[1]


def agent_de(requete: HttpRequest) -> str:
    """The User-Agent without its numbers: a browser that was updated overnight is the same."""
    return _NOMBRES.sub("", requete.META.get("HTTP_USER_AGENT", ""))


def adresse_client(requete: HttpRequest) -> str:
    """Walk X-Forwarded-For back to the first address that is no trusted proxy; "" without one (a local socket)."""
    mandataires = tuple(settings.TRUSTED_PROXIES)
    adresse, de_confiance = _situer(requete.META.get("REMOTE_ADDR", ""), mandataires)
    if not de_confiance:
        return adresse
    for saut in reversed(requete.META.get("HTTP_X_FORWARDED_FOR", "").split(",")):
        if _adresse(saut) is None:
            break
        adresse, de_confiance = _situer(saut, mandataires)
        if not de_confiance:
            break
    return adresse


def adresse_journalisee(requete: HttpRequest) -> str:
    """The client's address as the access log may keep it: whole, its network (/24, or /48 for IPv6), or none."""
    texte = adresse_client(requete)
    if settings.LOG_ADDRESSES == "full":
        return texte
    adresse = _adresse(texte)
    if adresse is None or settings.LOG_ADDRESSES == "none":
        return ""
    return str(ipaddress.ip_network((adresse, 24 if adresse.version == 4 else 48), strict=False))


def identifiant_de(requete: HttpRequest) -> str:
    """The id of a request: the X-Request-Id of a trusted proxy, where it is one, else a new one."""
    recu = requete.META.get("HTTP_X_REQUEST_ID", "")
    if recu and _IDENTIFIANT.fullmatch(recu) and _vient_d_un_mandataire(requete):
        return str(recu)
    return f"{getrandbits(128):032x}"  # it names lines of the log, and opens nothing: others may foresee it


def cle_adresse(requete: HttpRequest) -> str:
    """The key of limits by address: IPv4 whole, IPv6 by its /64, which one subscriber holds whole."""
    texte = adresse_client(requete)
    adresse = _adresse(texte)
    if isinstance(adresse, ipaddress.IPv6Address):
        return str(ipaddress.ip_network((adresse, 64), strict=False))
    return texte


def venu_en_https(requete: HttpRequest) -> bool:
    proto = requete.META.get("HTTP_X_FORWARDED_PROTO")
    return proto is not None and proto.strip().lower() == "https" and _vient_d_un_mandataire(requete)


def vient_de_nos_pages(requete: HttpRequest) -> bool:
    """Compare `Origin` with this host and CSRF_TRUSTED_ORIGINS: a browser lets no other site send ours."""
    try:
        hote = requete.get_host()
    except DisallowedHost:
        return False
    schema = "https" if requete.is_secure() or venu_en_https(requete) else "http"
    return requete.META.get("HTTP_ORIGIN") in [f"{schema}://{hote}", *settings.CSRF_TRUSTED_ORIGINS]
