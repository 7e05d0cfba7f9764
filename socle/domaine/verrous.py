"""Row locks on several rows of one model, in the order of their keys: two who want the same rows never cross.

Which kinds of rows each act locks, in which order: docs/verrous.md. One row is locked by `ModeleBase.verrouiller`.
"""

from typing import Any

from django.db.models import QuerySet


def verrouiller_dans_l_ordre(
    lignes: QuerySet[Any, Any], *, exclusif: bool = False, au_plus: int | None = None
) -> list[Any]:
    """Lock these rows in the order of their keys, and return them; call inside a transaction.

    FOR NO KEY UPDATE: other rows may still refer to them, as foreign keys do. `exclusif` is FOR UPDATE, against new
    references too. Rows joined to them are not locked, as long as `values_list` names a column of theirs.
    """
    return list(lignes.select_for_update(of=("self",), no_key=not exclusif).order_by("pk")[:au_plus])
