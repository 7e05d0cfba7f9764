"""manage.py migrate: Django's own, by one process at a time, on a base that is waited for."""

from typing import Any

from django.core.management.commands import migrate

from socle.taches.base import attendre_la_base
from socle.taches.exclusivite import un_seul


class Command(migrate.Command):
    def execute(self, *args: Any, **options: Any) -> Any:
        """Wait for the base and take the lock in `execute`, not `handle`: the checks before it may query the base."""
        attendre_la_base(options["database"])
        if options["plan"] or options["check_unapplied"]:
            return super().execute(*args, **options)
        with un_seul("migrate", options["database"]):
            return super().execute(*args, **options)
