"""manage.py migrate: Django's own, by one process at a time, on a base that is waited for; a new base in one step."""

from typing import Any

from django.core.management.base import CommandParser
from django.core.management.commands import migrate
from django.db import connections

from config.installation import est_a_jour, installer
from socle.taches.base import attendre_la_base
from socle.taches.exclusivite import un_seul

PARTIELLES = ("app_label", "fake", "fake_initial", "prune")


class Command(migrate.Command):
    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--if-needed", action="store_true", help="ne rien faire d'une base où aucune migration ne manque"
        )

    def execute(self, *args: Any, **options: Any) -> Any:
        """Wait for the base and take the lock in `execute`, not `handle`: the checks before it may query the base."""
        attendre_la_base(options["database"])
        if options["plan"] or options["check_unapplied"]:
            return super().execute(*args, **options)
        with un_seul("migrate", options["database"]):
            connexion = connections[options["database"]]
            if options["if_needed"] and est_a_jour(connexion):
                return None
            if not any(options[option] for option in PARTIELLES):
                nombre = installer(connexion)
                if nombre and options["verbosity"]:
                    (options.get("stdout") or self.stdout).write(f"Base neuve : {nombre} migrations en une fois.\n")
            return super().execute(*args, **options)
