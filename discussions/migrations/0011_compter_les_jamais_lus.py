"""Count the messages that nobody but their author has read; those of handled cases that somebody has count for all."""

from typing import Any

from django.db import migrations

from socle.domaine.migrations import sans_limite_de_temps

# Messages of the person whose case it is: the team's own wait for nobody of the team.
_JAMAIS_LUS = "NOT m.est_lu AND COALESCE(m.compte_id, m.invite_id) = d.titulaire"
_COMPTER = f"""
UPDATE discussions_discussion AS d SET jamais_lus = (
    SELECT COUNT(*) FROM discussions_message m WHERE m.discussion_id = d.id AND {_JAMAIS_LUS}
)
WHERE d.absorbe_par_id IS NULL
    AND EXISTS (SELECT 1 FROM discussions_message m WHERE m.discussion_id = d.id AND {_JAMAIS_LUS})
"""  # noqa: S608 -- our own names
# By the numbers of origin, of which those of each discussion, joined or not, are its own.
_TENIR_POUR_LUS = f"""
UPDATE discussions_discussion AS d SET lus_par_tous = COALESCE(
    (SELECT MIN(m.numero_origine) - 1 FROM discussions_message m WHERE m.origine_id = d.id AND {_JAMAIS_LUS}),
    d.dernier_numero
)
WHERE d.signalement_id IN (SELECT s.id FROM signalements_signalement s WHERE s.statut IN ('TRAITE', 'CLOTURE'))
"""  # noqa: S608


def compter(apps: Any, schema_editor: Any) -> None:
    schema_editor.execute(_COMPTER)
    schema_editor.execute(_TENIR_POUR_LUS)


class Migration(migrations.Migration):
    dependencies = [("discussions", "0010_jamais_lus"), ("signalements", "0026_alertes_de_dossier")]

    operations = [sans_limite_de_temps(), migrations.RunPython(compter, migrations.RunPython.noop)]
