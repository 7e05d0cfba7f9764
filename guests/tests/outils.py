"""What is really in the database, whatever a model makes of it."""

from typing import Any
from uuid import UUID

from django.db import connection


def tout_ce_qui_est_stocke() -> str:
    """Every row of every table, in the words of the database."""
    lignes: list[str] = []
    with connection.cursor() as curseur:
        for table in connection.introspection.table_names(curseur):
            curseur.execute(f'SELECT * FROM "{table}"')  # noqa: S608 -- the database's own names
            lignes.extend(map(str, curseur.fetchall()))
    return "\n".join(lignes).lower()


def ecritures(guest_id: UUID) -> tuple[str, str]:
    return str(guest_id), guest_id.hex


def colonne(champ: str, session: Any) -> str:
    """The stored value of a column, past the field that reads it."""
    with connection.cursor() as curseur:
        empreinte = [session.guest_id_empreinte]
        requete = f"SELECT {champ} FROM guests_sessioninvitee WHERE guest_id_empreinte = %s"  # noqa: S608 -- a constant
        curseur.execute(requete, empreinte)
        return curseur.fetchone()[0]
