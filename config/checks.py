"""System checks: rules between settings, and empty seams, each with an id and a remedy."""

from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.checks import Error, Tags, Warning, register, run_checks
from django.db import DatabaseError, connection
from django.utils.module_loading import import_string

from config.env import SECRET_CONSEILLE, ReglageInvalide
from socle.courriel import CONSOLE
from socle.domaine.registre import ARRETENT, registres


@register(Tags.security, ARRETENT)
def reglages_coherents(app_configs: Any, **kwargs: Any) -> list[Any]:
    problemes: list[Any] = []
    if settings.ACCESS_TOKEN_LIFETIME > settings.REFRESH_TOKEN_LIFETIME:
        problemes.append(
            Error(
                "ACCESS_TOKEN_LIFETIME_MINUTES dépasse REFRESH_TOKEN_LIFETIME_DAYS.",
                hint="Un jeton d'accès ne peut pas survivre à sa session : réduisez-le.",
                id="campus.E001",
            )
        )
    if settings.HASH_KEY == settings.SECRET_KEY:
        problemes.append(
            Error(
                "HASH_KEY est égale à SECRET_KEY.",
                hint="HASH_KEY ne tourne jamais avec les autres secrets : donnez-lui sa propre valeur.",
                id="campus.E002",
            )
        )
    if settings.FORUM_MODERATOR and not _est_appelable(settings.FORUM_MODERATOR):
        problemes.append(
            Error(
                f"FORUM_MODERATOR ne désigne aucune fonction : {settings.FORUM_MODERATOR}.",
                hint="Donnez un chemin comme forum.moderation.par_mots, ou rien.",
                id="campus.E003",
            )
        )
    if not settings.EMBARQUE and not settings.REDIS_URL:
        problemes.append(
            Warning(
                "REDIS_URL est absent : un seul processus peut servir.",
                hint="Avec plusieurs processus, donnez REDIS_URL.",
                id="campus.W001",
            )
        )
    return problemes


@register(Tags.security)
def courriels_envoyes(app_configs: Any, **kwargs: Any) -> list[Any]:
    if settings.EMAIL_BACKEND != CONSOLE or tout_est_local():
        return []
    return [
        Warning(
            "EMAIL_URL est absent : les e-mails s'écrivent sur la sortie standard, liens d'invitation et de mot de "
            "passe compris.",
            hint="Personne ne les reçoit, et qui lit cette sortie peut s'en servir : donnez EMAIL_URL.",
            id="campus.W003",
        )
    ]


@register(Tags.security)
def secrets_longs(app_configs: Any, **kwargs: Any) -> list[Any]:
    # By value: a SIGNING_SECRET that follows SECRET_KEY is reported once.
    noms = {settings.SIGNING_SECRET: "SIGNING_SECRET", settings.SECRET_KEY: "SECRET_KEY"}
    courts = sorted(nom for valeur, nom in noms.items() if len(valeur) < SECRET_CONSEILLE)
    if not courts:
        return []
    return [
        Warning(
            f"{' et '.join(courts)} : moins de {SECRET_CONSEILLE} caractères.",
            hint="Tirez-en de plus longs : docs/operations.md (« Clés ») dit ce que coûte leur changement.",
            id="campus.W004",
        )
    ]


@register(Tags.security, deploy=True)
def hash_key_longue(app_configs: Any, **kwargs: Any) -> list[Any]:
    """Deploy check on the length of HASH_KEY: an open service never changes this key, and could not heed it."""
    if len(settings.HASH_KEY) >= SECRET_CONSEILLE:
        return []
    return [
        Warning(
            f"HASH_KEY : moins de {SECRET_CONSEILLE} caractères.",
            hint="Donnez-en une plus longue avant d'ouvrir ; un service ouvert garde la sienne.",
            id="campus.W005",
        )
    ]


@register(ARRETENT)
def coutures_remplies(app_configs: Any, **kwargs: Any) -> list[Any]:
    """One error for each expected name missing in a seam: without it a lock, or a mask, would be missing."""
    return [
        Error(
            f"Personne n'a rempli « {nom} » de la couture « {registre.nom} ».",
            hint="Importez dans le ready() de son application le module qui s'y inscrit.",
            id="campus.E010",
        )
        for registre in registres
        for nom in registre.manquants
    ]


@register(Tags.security, deploy=True)
def journal_de_postgresql(app_configs: Any, **kwargs: Any) -> list[Any]:
    """Read the server's log_* settings: its log must hold no values of a refused row or of a logged statement."""
    if connection.vendor != "postgresql":
        return []
    try:
        with connection.cursor() as curseur:
            curseur.execute("SELECT name, setting FROM pg_settings WHERE starts_with(name, 'log_')")
            reglages = dict(curseur.fetchall())
            curseur.execute("SELECT quote_ident(current_user)")
            (role,) = curseur.fetchone()
    except DatabaseError:
        return []  # away: there is nothing to be read
    manquent = []
    if reglages["log_error_verbosity"] != "terse":
        manquent.append("log_error_verbosity = terse")
    if reglages["log_parameter_max_length"] != "0" and _ecrit_les_requetes(reglages):
        manquent.append("log_parameter_max_length = 0")
    if not manquent:
        return []
    return [
        Warning(
            "Le journal de PostgreSQL peut recevoir des mots de signalements.",
            hint=" ".join(f"Un superutilisateur : ALTER ROLE {role} SET {reglage};" for reglage in manquent),
            id="campus.W002",
        )
    ]


def _ecrit_les_requetes(reglages: dict[str, str]) -> bool:
    """True where the server logs statements that succeed: all, the slow ones, or a sample."""
    durees = ("log_min_duration_statement", "log_min_duration_sample")
    return (
        reglages["log_statement"] in ("mod", "all")
        or any(reglages[nom] != "-1" for nom in durees)
        or float(reglages["log_transaction_sample_rate"]) > 0
    )


def _est_appelable(chemin: str) -> bool:
    try:
        return callable(import_string(chemin))
    except Exception:  # whatever a module of the operator's raises when it is read: there is no function
        return False


def tout_est_local() -> bool:
    """True when HOST, PUBLIC_URL and ALLOWED_HOSTS are all local: HOST alone is local behind a reverse proxy too."""
    hotes = [settings.HOST, urlsplit(settings.PUBLIC_URL).hostname or "", *settings.ALLOWED_HOSTS]
    return all(map(est_local, hotes))


def est_local(hote: str) -> bool:
    try:
        return hote == "localhost" or ip_address(hote.strip("[]")).is_loopback
    except ValueError:
        return False


def exiger_coherence() -> None:
    """Run the checks tagged `campus` at the start of any server; ReglageInvalide with the first error."""
    for probleme in sorted(run_checks(tags=[ARRETENT]), key=lambda probleme: str(probleme.id)):  # they run in no order
        if probleme.is_serious():
            raise ReglageInvalide(f"{probleme.msg} {probleme.hint} ({probleme.id})")
