"""Examinations of the settings, which ask nobody: system checks, the proxy, the time zone, public passwords."""

from collections.abc import Iterator
from io import StringIO
from ipaddress import ip_network
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.checks import WARNING, registry
from django.core.management import call_command

from config import env
from config.checks import est_local, journal_de_postgresql, tout_est_local
from config.examens.constat import Constat, Gravite, attention, bien, examen, panne

# Of Django: HTTPS_ONLY sets them together, and « mandataire » speaks of it; to preload a domain is its owner's choice.
DITS_AILLEURS = {f"security.{numero}" for numero in ("W004", "W008", "W012", "W016", "W018", "W021")}


@examen("reglages")
def reglages() -> Iterator[Constat]:
    """Every system check, one line for each that warns; those of a deployment are left out on a laptop."""
    en_place = not tout_est_local()
    fonctions = registry.registry.get_checks(include_deployment_checks=en_place)
    trouves: list[Any] = [
        probleme
        for fonction in fonctions
        if fonction is not journal_de_postgresql  # asks the server: « base » does
        for probleme in fonction(app_configs=None, databases=None)
    ]
    for probleme in sorted(trouves, key=lambda un: (-un.level, str(un.id))):
        if probleme.level >= WARNING and not probleme.is_silenced() and probleme.id not in DITS_AILLEURS:
            yield en_constat(probleme)
    for nom in env.retires_donnes():
        yield attention(f"{nom} est donné et n'a plus d'effet : {env.RETIRES[nom]}.", "Retirez-le des réglages.")
    for nom, voisin in env.meconnus().items():
        yield attention(f"{nom} est inconnu : vouliez-vous {voisin} ?", "Rien ne le lit : corrigez-le ou retirez-le.")
    if settings.DEBUG and en_place:
        yield panne("DEBUG est vrai sur un service public.", "Retirez DEBUG : ses pages d'erreur montrent les données.")


def en_constat(probleme: Any) -> Constat:
    etat = Gravite.PANNE if probleme.is_serious() else Gravite.ATTENTION
    remede = probleme.hint or f"« manage.py check --deploy » le dit en entier ({probleme.id})."
    return Constat(etat, f"{' '.join(str(probleme.msg).split())} ({probleme.id})", " ".join(str(remede).split()))


@examen("mandataire")
def mandataire() -> Iterator[Constat]:
    """HTTPS and the addresses that are believed of a proxy."""
    if tout_est_local():
        yield bien("Service local : ni mandataire ni HTTPS attendus.")
        return
    if urlsplit(settings.PUBLIC_URL).scheme != "https":
        yield panne("PUBLIC_URL est en http : récits et mots de passe passent en clair.", "Mettez HTTPS devant.")
    if not settings.HTTPS_ONLY:
        yield attention(
            "HTTPS_ONLY est faux : ni redirection, ni HSTS, ni cookies réservés à HTTPS.",
            "HTTPS_ONLY=true dès que le mandataire sert HTTPS.",
        )
    if settings.HTTPS_ONLY and not settings.TRUSTED_PROXIES:
        yield panne(
            "HTTPS_ONLY sans TRUSTED_PROXIES : nul n'est cru venu en HTTPS, chaque page renvoie à elle-même.",
            "Donnez à TRUSTED_PROXIES l'adresse du mandataire.",
        )
    larges = [un for un in settings.TRUSTED_PROXIES if _est_large(un)]
    if larges:
        yield panne(
            f"TRUSTED_PROXIES croit tout le monde ({', '.join(larges)}) : chacun peut se dire d'une autre adresse.",
            "N'y mettez que le mandataire.",
        )
    if "*" in settings.ALLOWED_HOSTS:
        yield attention("ALLOWED_HOSTS admet tout nom d'hôte.", "Nommez ceux que le service sert.")


def _est_large(reseau: str) -> bool:
    lu = ip_network(reseau, strict=False)
    return lu.prefixlen < (8 if lu.version == 4 else 32)


@examen("fuseau")
def fuseau() -> Iterator[Constat]:
    nom = str(settings.TIME_ZONE_CAMPUS)
    if "TIME_ZONE_CAMPUS" in env.donnes or tout_est_local():
        yield bien(f"Les jours sont ceux de {nom}.")
    else:
        yield attention(
            f"TIME_ZONE_CAMPUS n'est pas donné : les jours sont ceux de {nom}.",
            "Donnez le fuseau du campus, UTC compris si c'est le sien, puis « manage.py stats_recount ».",
        )


@examen("demonstration")
def demonstration() -> Iterator[Constat]:
    """Accounts that a published password opens."""
    sortie = StringIO()
    call_command("seed_demo", "--list", stdout=sortie)
    nombre = len(sortie.getvalue().splitlines())
    if not nombre:
        yield bien("Aucun compte ne s'ouvre par un mot de passe publié.")
    elif est_local(urlsplit(settings.PUBLIC_URL).hostname or ""):
        yield bien(f"{nombre} compte(s) de démonstration ouverts, sur un service local.")
    else:
        yield panne(
            f"{nombre} compte(s) s'ouvrent par le mot de passe publié de la démonstration.",
            "Désactivez-les ou changez leur mot de passe ; « manage.py seed_demo --list » les nomme.",
        )
