"""A new base in one step, the final models of the migrations; and whether a base lacks any migration.

Migrations one by one render the models again at each step, for seconds: the way there matters to a base with rows.
"""

from importlib.util import find_spec
from pkgutil import iter_modules
from typing import Any

from django.apps import apps
from django.db import router
from django.db.migrations import Migration, RunPython
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.operations.fields import FieldOperation
from django.db.migrations.operations.models import IndexOperation, ModelOperation
from django.db.migrations.recorder import MigrationRecorder
from django.db.migrations.state import ProjectState

from socle.domaine.migrations import DesLInstallation

# What the first three do is in the final models; an operation of another kind sends the base the ordinary way.
CONNUES = (ModelOperation, FieldOperation, IndexOperation, RunPython)


def installer(connexion: Any) -> int:
    """Create the tables of a new base, record the migrations; return their number, 0 where the base is not new.

    One transaction: a base is whole or still new.
    """
    executeur = MigrationExecutor(connexion)
    chargees = executeur.loader
    if chargees.applied_migrations or chargees.detect_conflicts():
        return 0
    plan = [migration for migration, _ in executeur.migration_plan(chargees.graph.leaf_nodes())]
    if not all(isinstance(operation, CONNUES) for migration in plan for operation in migration.operations):
        return 0
    etat = _etat_final(plan)
    modeles = [modele for modele in etat.apps.get_models() if router.allow_migrate_model(connexion.alias, modele)]
    modeles = [modele for modele in modeles if modele._meta.can_migrate(connexion)]
    if {modele._meta.db_table for modele in modeles} & set(connexion.introspection.table_names()):
        return 0
    executeur.recorder.ensure_schema()
    with connexion.schema_editor(atomic=True) as editeur:
        for modele in modeles:
            editeur.create_model(modele)
        for migration in plan:
            for operation in migration.operations:
                if isinstance(operation, DesLInstallation):
                    operation.database_forwards(migration.app_label, editeur, etat, etat)
            _noter(executeur.recorder, migration)
    return len(plan)


def _noter(registre: MigrationRecorder, migration: Migration) -> None:
    """As applied, or those that it replaces: by a method that Django 5 and 6 both have."""
    for app, nom in migration.replaces or [(migration.app_label, migration.name)]:
        registre.record_applied(app, nom)


def _etat_final(plan: list[Migration]) -> ProjectState:
    """The models as the last migration leaves them, columns in the order in which they came."""
    etat = ProjectState()
    for migration in plan:
        migration.mutate_state(etat, preserve=False)
    return etat


def est_a_jour(connexion: Any) -> bool:
    """True if every migration file is recorded as applied."""
    return not manquantes(connexion)


def manquantes(connexion: Any) -> list[tuple[str, str]]:
    """The migration files not recorded as applied: names are compared, no migration is imported."""
    appliquees = MigrationRecorder(connexion).applied_migrations().keys()
    toutes = ((app.label, nom) for app in apps.get_app_configs() for nom in _fichiers(app))
    return [une for une in toutes if une not in appliquees]


def inconnues(connexion: Any) -> list[tuple[str, str]]:
    """The migrations of our apps recorded as applied that have no file here: the base is of a later version."""
    fichiers = {app.label: set(_fichiers(app)) for app in apps.get_app_configs()}
    appliquees = MigrationRecorder(connexion).applied_migrations().keys()
    return sorted((app, nom) for app, nom in appliquees if app in fichiers and nom not in fichiers[app])


def _fichiers(app: Any) -> list[str]:
    """The names that Django's own loader would import."""
    module, _est_choisi = MigrationLoader.migrations_module(app.label)
    trouve = find_spec(module) if module else None
    dossiers = (trouve and trouve.submodule_search_locations) or []
    return [nom for _lieu, nom, est_paquet in iter_modules(dossiers) if not est_paquet and nom[0] not in "_~"]
