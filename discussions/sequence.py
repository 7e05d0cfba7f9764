"""The messages of several discussions as one sequence, and apart again: a fixed number of statements, however many."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from uuid import UUID

from django.db import connection
from django.db.models import F

from discussions.models import Discussion, Message

# CTEs that rank the messages of sources and targets in the merged sequence, by future author. Of equal messages,
# occurrence by occurrence, `copie` 1 stays: the target's, else the oldest. `moment`, a running maximum of dates, keeps
# the order of each source; numbers on their way are negative.
_RANGS = """
WITH membres AS (
    SELECT m.id, m.discussion_id, m.signature, m.est_lu, ABS(m.numero_sequence) AS numero,
           CASE WHEN m.invite_id = %(invite)s THEN %(compte)s ELSE COALESCE(m.compte_id, m.invite_id) END AS auteur_id,
           COALESCE(d.absorbe_par_id, d.id) AS cible_id,
           CASE WHEN d.absorbe_par_id IS NULL THEN 0 ELSE 1 END AS apportee,
           MAX(m.date_creation) OVER (PARTITION BY m.discussion_id ORDER BY ABS(m.numero_sequence)) AS moment
    FROM discussions_message m JOIN discussions_discussion d ON d.id = m.discussion_id
    WHERE m.discussion_id IN ({discussions}) AND d.id IN ({discussions})
), occurrences AS (
    SELECT membres.*,
           ROW_NUMBER() OVER (PARTITION BY discussion_id, auteur_id, signature ORDER BY numero) AS occurrence
    FROM membres
), copies AS (
    SELECT occurrences.*,
           MAX(CASE WHEN est_lu THEN 1 ELSE 0 END) OVER memes AS lu,
           ROW_NUMBER() OVER (memes ORDER BY apportee, moment, discussion_id) AS copie
    FROM occurrences WINDOW memes AS (PARTITION BY cible_id, auteur_id, signature, occurrence)
), rangs AS (
    SELECT copies.*, ROW_NUMBER() OVER (PARTITION BY cible_id ORDER BY moment, apportee, discussion_id, numero) AS rang
    FROM copies WHERE copie = 1
)
"""
# Mark the copy that stays as read where another copy was.
_LIRE = (
    _RANGS
    + """
UPDATE discussions_message SET est_lu = TRUE
FROM rangs WHERE discussions_message.id = rangs.id AND discussions_message.discussion_id IN ({discussions})
    AND rangs.lu = 1 AND NOT rangs.est_lu
RETURNING discussions_message.id
"""
)
# Two steps: negate the target's own numbers that move, then set place and owner of the brought rows in one UPDATE.
_ECARTER = (
    _RANGS
    + """
UPDATE discussions_message SET numero_sequence = -rangs.rang
FROM rangs WHERE discussions_message.id = rangs.id AND discussions_message.discussion_id IN ({discussions})
    AND rangs.apportee = 0 AND rangs.numero <> rangs.rang
"""
)
_APPORTER = (
    _RANGS
    + """
UPDATE discussions_message
SET discussion_id = rangs.cible_id, numero_sequence = rangs.rang,
    compte_id = CASE WHEN invite_id = %(invite)s THEN %(compte)s ELSE compte_id END,
    fusionne_de_id = CASE WHEN invite_id = %(invite)s THEN invite_id ELSE fusionne_de_id END,
    invite_id = CASE WHEN invite_id = %(invite)s THEN NULL ELSE invite_id END
FROM rangs WHERE discussions_message.id = rangs.id AND discussions_message.discussion_id IN ({discussions})
    AND rangs.apportee = 1
"""
)
_RENUMEROTER = """
UPDATE discussions_message SET numero_sequence = -rangs.rang
FROM (
    SELECT id, numero_sequence, ROW_NUMBER() OVER (PARTITION BY discussion_id ORDER BY numero_sequence) AS rang
    FROM discussions_message WHERE discussion_id IN ({discussions})
) AS rangs
WHERE discussions_message.id = rangs.id AND discussions_message.discussion_id IN ({discussions})
    AND rangs.numero_sequence <> rangs.rang
"""


def reunir(sources: list[Discussion], cibles: list[Discussion], *, invite: Any, compte: Any) -> list[str]:
    """Bring the messages of each source to the discussion that absorbed it, the guest's becoming the account's.

    They become one sequence, by date, each equal message once. Return the ids of those that a copy has made read.
    """
    toutes, gens = [*sources, *cibles], {"invite": invite, "compte": compte}
    with _joindre_par_hachage():
        lus = sorted(str(UUID(str(ligne[0]))) for ligne in _executer(_LIRE, toutes, **gens))
        _executer(_ECARTER, toutes, **gens)
        _executer(_APPORTER, toutes, **gens)
    _remettre_positifs(cibles)
    return lus


def separer(sources: list[Discussion], cibles: list[Discussion]) -> None:
    """Undo `reunir` by `origine` and `numero_origine`, which never change; owners are not touched."""
    des_sources = Message.objects.filter(origine__in=sources)
    des_sources.update(discussion=F("origine"), numero_sequence=-F("numero_origine"))
    with _joindre_par_hachage():
        _executer(_RENUMEROTER, cibles)
    _remettre_positifs([*sources, *cibles])


def _remettre_positifs(discussions: list[Discussion]) -> None:
    en_chemin = Message.objects.filter(discussion__in=discussions, numero_sequence__lt=0)
    en_chemin.update(numero_sequence=-F("numero_sequence"))


@contextmanager
def _joindre_par_hachage() -> Iterator[None]:
    """PostgreSQL alone: where it believes the table nearly empty, a nested loop would rank all again for each row."""
    if connection.vendor != "postgresql":
        yield
        return
    with connection.cursor() as curseur:
        curseur.execute("SET LOCAL enable_nestloop = off")
        yield
        curseur.execute("SET LOCAL enable_nestloop TO DEFAULT")  # a failure rolls the first back


def _executer(requete: str, discussions: list[Discussion], **gens: Any) -> list[Any]:
    """The rows that the statement returns, if it does."""
    if not discussions:
        return []
    champ = Discussion._meta.pk
    lignes = {**gens, **{f"d{rang}": une for rang, une in enumerate(discussions)}}
    cles = {nom: champ.get_db_prep_value(ligne.pk, connection) for nom, ligne in lignes.items()}
    noms = ", ".join(f"%(d{rang})s" for rang in range(len(discussions)))
    with connection.cursor() as curseur:
        curseur.execute(requete.format(discussions=noms), cles)
        return curseur.fetchall() if curseur.description else []
