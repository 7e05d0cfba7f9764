"""The names that people have, and those that the journal says they had, are known as theirs."""

import json
import re

from django.db import migrations

from socle.domaine.fige import indexable
from socle.domaine.migrations import lots

NOMS_MAX = 400


def _mots(nom, texte):
    texte = indexable(texte.partition("@")[0] if nom == "email" else texte)
    mots = re.findall(r"[^\W\d_]+", texte)
    colles = ["".join(deux) for deux in zip(mots, mots[1:])] + ["".join(mots)]  # noqa: B905 -- neighbours
    return [mot for mot in [*mots, *colles, "".join(c for c in texte if c.isalnum())] if mot]


def _anciens(entree):
    """(column, former value) of each change of a name or an address in an entry of the journal."""
    try:
        parties = json.loads(entree)
    except ValueError:
        return
    for partie in parties if isinstance(parties, list) else ():
        valeurs = partie.get("changed", {}).get("valeurs", {}) if isinstance(partie, dict) else {}
        for nom in ("prenom", "nom", "email"):
            if nom in valeurs and valeurs[nom][0]:
                yield nom, str(valeurs[nom][0])


def retenir(apps, schema_editor):
    comptes = apps.get_model("accounts", "Compte")._base_manager
    journal = apps.get_model("admin", "LogEntry")._base_manager.filter(
        content_type__app_label="accounts", content_type__model="compte"
    )
    for lot in lots(comptes.filter(date_effacement=None).only("prenom", "nom", "email")):
        siens = {str(compte.pk): compte for compte in lot}
        mots = {cle: [] for cle in siens}
        entrees = journal.filter(object_id__in=list(siens)).order_by("pk")
        for cle, message in entrees.values_list("object_id", "change_message"):
            for nom, valeur in _anciens(message):
                mots[cle] += _mots(nom, valeur)
        for cle, compte in siens.items():
            for nom in ("prenom", "nom", "email"):
                mots[cle] += _mots(nom, getattr(compte, nom))
            compte.noms_portes = " ".join(list(dict.fromkeys(mots[cle]))[:NOMS_MAX])
        comptes.bulk_update(lot, ["noms_portes"])


class Migration(migrations.Migration):
    atomic = False  # a batch at a time, which may be done again
    dependencies = [
        ("accounts", "0016_compte_noms_portes"),
        ("admin", "0003_logentry_add_action_flag_choices"),
        ("contenttypes", "0002_remove_content_type_name"),
    ]
    operations = [migrations.RunPython(retenir, migrations.RunPython.noop, elidable=True)]
