"""Triggers that refuse any change of the register, whoever asks: rows are added, and deleted once they are a year old.

A role that owns the tables can drop them again: `docs/operations.md` says how to give the service a role that cannot.
"""

from typing import Any

JOURS_MINIMUM = 365  # no retention is shorter: the database refuses to delete a younger row
TABLES = ("audit_trace", "audit_sceau")
REFUS = "audit: append-only"

_POSTGRESQL = [
    f"""
    CREATE OR REPLACE FUNCTION audit_intangible() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF TG_LEVEL = 'ROW' AND TG_OP = 'DELETE' THEN
            IF OLD.date < now() - interval '{JOURS_MINIMUM} days' THEN RETURN OLD; END IF;
        END IF;
        RAISE EXCEPTION '{REFUS}' USING ERRCODE = 'restrict_violation';
    END $$
    """,
    *(
        f"CREATE OR REPLACE TRIGGER {table}_ligne BEFORE UPDATE OR DELETE ON {table} "
        "FOR EACH ROW EXECUTE FUNCTION audit_intangible()"
        for table in TABLES
    ),
    *(
        f"CREATE OR REPLACE TRIGGER {table}_table BEFORE TRUNCATE ON {table} "
        "FOR EACH STATEMENT EXECUTE FUNCTION audit_intangible()"
        for table in TABLES
    ),
]
_SQLITE = [
    *(
        f"CREATE TRIGGER IF NOT EXISTS {table}_ligne BEFORE UPDATE ON {table} BEGIN SELECT RAISE(ABORT, '{REFUS}'); END"
        for table in TABLES
    ),
    *(
        f"CREATE TRIGGER IF NOT EXISTS {table}_table BEFORE DELETE ON {table} "
        f"WHEN OLD.date >= datetime('now', '-{JOURS_MINIMUM} days') BEGIN SELECT RAISE(ABORT, '{REFUS}'); END"
        for table in TABLES
    ),
]


def poser(connexion: Any) -> None:
    _executer(connexion, _POSTGRESQL if connexion.vendor == "postgresql" else _SQLITE)


def lever(connexion: Any) -> None:
    """Take the triggers away: for a migration that is undone, and for tests, which empty every table."""
    sur = " ON {table}" if connexion.vendor == "postgresql" else ""
    textes = [f"DROP TRIGGER IF EXISTS {table}_{fin}{sur.format(table=table)}" for table in TABLES for fin in _FINS]
    _executer(connexion, textes)


_FINS = ("ligne", "table")


def est_posee(connexion: Any) -> bool:
    """True if all the triggers are there, and none is disabled."""
    noms = {f"{table}_{fin}" for table in TABLES for fin in _FINS}
    if connexion.vendor == "postgresql":
        requete = "SELECT tgname FROM pg_trigger WHERE tgenabled IN ('O', 'A') AND tgname = ANY(%s)"
        valeurs: list[Any] = [sorted(noms)]
    else:
        requete, valeurs = "SELECT name FROM sqlite_master WHERE type = 'trigger'", []
    with connexion.cursor() as curseur:
        curseur.execute(requete, valeurs)
        return noms <= {nom for (nom,) in curseur.fetchall()}


def _executer(connexion: Any, textes: list[str]) -> None:
    with connexion.cursor() as curseur:
        for texte in textes:
            curseur.execute(texte)
