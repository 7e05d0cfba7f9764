"""The unread messages of whoever a discussion belongs to: the owner of its report, else the person who opened it."""

from typing import Any

from django.db import migrations

from socle.domaine.migrations import sans_limite_de_temps

_PROPRIETAIRE = """
COALESCE(
    (SELECT COALESCE(s.compte_id, s.invite_id) FROM signalements_signalement s WHERE s.id = d.signalement_id),
    d.compte_id, d.invite_id
)
"""
_COMPTER = f"""
UPDATE discussions_discussion AS d SET non_lus = (
    SELECT COUNT(*) FROM discussions_message m
    LEFT JOIN discussions_lecture l
        ON l.discussion_id = m.origine_id AND COALESCE(l.compte_id, l.invite_id) = {_PROPRIETAIRE}
    WHERE m.discussion_id = d.id AND COALESCE(m.compte_id, m.invite_id) <> {_PROPRIETAIRE}
        AND m.numero_origine > COALESCE(l.numero, 0)
)
WHERE d.absorbe_par_id IS NULL AND d.dernier_numero > 0
"""  # noqa: S608 -- our own names


def compter(apps: Any, schema_editor: Any) -> None:
    schema_editor.execute(_COMPTER)


class Migration(migrations.Migration):
    dependencies = [("discussions", "0005_non_lus")]

    operations = [sans_limite_de_temps(), migrations.RunPython(compter, migrations.RunPython.noop)]
