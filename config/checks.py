"""Rules between settings, and seams that nobody filled: said at start with an id and what to do."""

from typing import Any

from django.conf import settings
from django.core.checks import Error, Tags, Warning, register, run_checks
from django.db import DatabaseError, connection
from django.utils.module_loading import import_string

from config.env import ReglageInvalide
from socle.domaine.registre import registres

ARRETENT = "campus"  # the tag of those that stop a server


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


@register(ARRETENT)
def coutures_remplies(app_configs: Any, **kwargs: Any) -> list[Any]:
    """What a lower app asks of a higher one has its answer: else a lock, or a mask, would be missing."""
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
    """What the server's own log may hold of people's words: the values of a row refused, or of a statement logged."""
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


def exiger_coherence() -> None:
    """Stop a server at its start, whichever starts it, with the line of the first rule that is broken."""
    for probleme in run_checks(tags=[ARRETENT]):
        if probleme.is_serious():
            raise ReglageInvalide(f"{probleme.msg} {probleme.hint} ({probleme.id})")
