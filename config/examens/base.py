"""Examinations of the database, and of what is kept true in it."""

import time
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import connection
from django.db.utils import NotSupportedError
from django.utils import timezone

from accounts.models import Compte
from campus import interrupteurs
from config.checks import journal_de_postgresql, tout_est_local
from config.examens.constat import Constat, attention, bien, examen, panne
from config.examens.reglages import en_constat
from config.installation import inconnues, manquantes
from discussions import recompte
from signalements.compteurs.recompte import ecarts
from signalements.lecteurs import sans_recours
from signalements.models import Signalement
from socle.audit.models import Sceau, Trace
from socle.audit.protection import est_posee

MO = 1024 * 1024
TROP_A_RECOMPTER = 50_000
SCEAU_ATTENDU = timedelta(minutes=15)
ECART_GENANT, ECART_GRAVE = 2.0, 30.0  # seconds
CONNEXIONS_PLEINES = 0.9


@examen("base")
def base() -> Iterator[Constat]:
    """Version, size, room for writing; PostgreSQL's upkeep, connections, log and role."""
    yield from _postgresql() if connection.vendor == "postgresql" else _sqlite()


def _postgresql() -> Iterator[Constat]:
    version, taille, seule, s_entretient, ouvertes, admises, est_maitre = _lire(
        "SELECT current_setting('server_version'), pg_database_size(current_database()), "
        "current_setting('transaction_read_only')::bool, "
        "current_setting('autovacuum')::bool AND current_setting('track_counts')::bool, "
        "(SELECT count(*) FROM pg_stat_activity), "
        "current_setting('max_connections')::int, (SELECT rolsuper FROM pg_roles WHERE rolname = current_user)"
    )
    try:
        connection.check_database_version_supported()
    except NotSupportedError:
        yield panne(f"PostgreSQL {version} n'est plus pris en charge.", "Passez à une version plus récente.")
    yield bien(f"PostgreSQL {version.split()[0]}, base de {taille // MO} Mo ; son disque ne se voit pas d'ici.")
    if seule:
        yield panne("La base ne prend pas d'écriture.", "Serveur de secours, ou disque plein : regardez son journal.")
    if not s_entretient:
        yield attention(
            "PostgreSQL n'entretient plus ses tables : autovacuum est arrêté.",
            "Remettez « autovacuum » et « track_counts » à on : sans eux elles grossissent et se lisent moins vite.",
        )
    if ouvertes >= CONNEXIONS_PLEINES * admises:
        yield attention(
            f"{ouvertes} connexions ouvertes sur {admises}.",
            "Élevez max_connections : dix par processus, et une marge (docs/operations.md).",
        )
    if est_maitre and not tout_est_local():
        yield attention(
            "Le rôle du service est superutilisateur de PostgreSQL.",
            "Donnez-lui un rôle qui ne possède que cette base.",
        )
    yield from map(en_constat, journal_de_postgresql(None))


def _sqlite() -> Iterator[Constat]:
    fichier = Path(connection.settings_dict["NAME"])
    (version,) = _lire("SELECT sqlite_version()")
    yield bien(f"SQLite {version}, {fichier.stat().st_size // MO} Mo.")
    if not settings.EMBARQUE or tout_est_local():
        return
    yield attention("Un service public sur SQLite n'a qu'un processus.", "Passez à PostgreSQL (README).")


@examen("schema")
def schema() -> Iterator[Constat]:
    absentes = manquantes(connection)
    if absentes:
        noms = ", ".join(f"{app}.{nom}" for app, nom in absentes[:3])
        yield panne(f"{len(absentes)} migration(s) à appliquer : {noms}.", "Lancez « manage.py migrate ».")
    de_trop = inconnues(connection)
    if de_trop:
        noms = ", ".join(f"{app}.{nom}" for app, nom in de_trop[:3])
        yield panne(f"La base vient d'une version plus récente : {noms}.", "Installez cette version du service.")
    if not absentes and not de_trop:
        yield bien("Toutes les migrations sont appliquées.")


@examen("horloge")
def horloge() -> Iterator[Constat]:
    """Compare the server's clock with ours, taking half the round trip off; SQLite has no other clock."""
    if connection.vendor != "postgresql":
        yield bien("SQLite lit l'horloge de cette machine.")
        return
    connection.ensure_connection()
    debut = time.time()
    (la_leur,) = _lire("SELECT extract(epoch FROM clock_timestamp())::float8")
    yield ecart_d_horloge("la base", la_leur - (debut + time.time()) / 2)


def ecart_d_horloge(de_qui: str, secondes: float) -> Constat:
    if abs(secondes) < ECART_GENANT:
        return bien(f"L'horloge de {de_qui} et celle-ci s'accordent.")
    dire = panne if abs(secondes) >= ECART_GRAVE else attention
    remede = "Réglez-les par NTP (chrony, systemd-timesyncd) : jetons, délais et registre en dépendent."
    return dire(f"L'horloge de {de_qui} s'écarte de celle-ci de {secondes:+.1f} s.", remede)


@examen("adresses")
def adresses() -> Iterator[Constat]:
    """Accounts of before whose address is the other form of another's: never the addresses, how many alone."""
    if restent := len(Compte.objects.a_une_autre_forme()):
        yield attention(
            f"{restent} compte(s) ont, écrite autrement, l'adresse d'un autre : personne n'y entre.",
            "Retrouvez-les dans l'espace de l'équipe, aux adresses accentuées, et donnez-leur une autre adresse.",
        )
    else:
        yield bien("Une adresse, un compte.")


@examen("compteurs")
def compteurs() -> Iterator[Constat]:
    """Recount what `stats_recount --check` does, where that takes a moment."""
    nombre = Signalement.objects.order_by().count()
    if nombre > TROP_A_RECOMPTER:
        yield bien(f"{nombre} dossiers : non recomptés ici, « manage.py stats_recount --check » le fait la nuit.")
        return
    faux = len(ecarts()) + len(recompte.ecarts())
    if faux:
        yield attention(f"{faux} compteur(s) ne disent pas vrai.", "« manage.py stats_recount » les corrige.")
    else:
        yield bien(f"Les compteurs disent vrai ({nombre} dossiers).")


@examen("lecteurs")
def lecteurs() -> Iterator[Constat]:
    """Count the reserved cases that no active administrator may open again; never which ones."""
    nombre = sans_recours().count()
    if nombre:
        yield attention(
            f"{nombre} dossier(s) réservé(s) qu'aucun administrateur actif ne peut rouvrir.",
            "Ils sont gardés. Nommez un administrateur que rien ne met en cause : il les rouvrira (docs/reserve.md).",
        )
    else:
        yield bien("Chaque dossier réservé a un administrateur qui peut le rouvrir.")


@examen("campus")
def campus() -> Iterator[Constat]:
    """Say which pages of the students wait for a yes: of a base that was there before them, and no setting."""
    attendus = [nom for nom in interrupteurs.attendent() if not interrupteurs.est_ouvert(nom)]
    if attendus:
        yield bien(f"Pages du campus fermées tant que rien ne dit oui : {', '.join(attendus)} (docs/campus.md).")
    else:
        yield bien(f"Pages du campus ouvertes : {', '.join(interrupteurs.ouverts()) or 'aucune'}.")


@examen("registre")
def registre() -> Iterator[Constat]:
    """The triggers that protect the audit register, and the age of what no seal covers."""
    if not est_posee(connection):
        yield panne(
            "Rien n'empêche plus de récrire le registre : ses déclencheurs manquent.",
            "Cherchez qui les a ôtés, lancez « manage.py audit verify », puis remettez-les (docs/registre.md).",
        )
    dernier = Sceau.objects.order_by("-numero").first()
    depuis: datetime | None = dernier.date if dernier else None
    attendent = Trace.objects.filter(date__lt=timezone.now() - SCEAU_ATTENDU)
    if (attendent.filter(date__gt=depuis) if depuis else attendent).exists():
        yield attention(
            "Des lignes du registre attendent leur sceau depuis plus d'un quart d'heure.",
            "L'ouvrier scelle chaque minute : voyez « taches » ; « manage.py audit seal » le fait tout de suite.",
        )
    elif est_posee(connection):
        yield bien(f"Protégé, {'dernier sceau ' + str(dernier.numero) if dernier else 'sans sceau encore'}.")


def _lire(requete: str) -> Any:
    with connection.cursor() as curseur:
        curseur.execute(requete)
        return curseur.fetchone()
