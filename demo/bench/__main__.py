"""The measuring process of `manage.py bench`, in one database: prints a line of JSON for each figure."""

import argparse
import json
from pathlib import PurePath

import django
from django.conf import settings
from django.core.management import call_command

from demo.bench.bases import PREFIXE


def main() -> None:
    demande = argparse.ArgumentParser()
    demande.add_argument("--messages", type=int, nargs="+", required=True)
    demande.add_argument("--writers", type=int, required=True)
    demande.add_argument("--reports", type=int, nargs="*", default=[])
    demande.add_argument("--quick", action="store_true")
    lue = demande.parse_args()
    django.setup()
    if not PurePath(settings.DATABASES["default"]["NAME"]).name.startswith(PREFIXE):
        raise SystemExit("Une mesure se fait dans sa propre base : lancez « manage.py bench ».")
    call_command("migrate", interactive=False, verbosity=0)

    from demo.bench import discussion, fusions, volume  # models need the settings

    for mesures in (
        fusions.mesurer(lue.messages, rapide=lue.quick),
        discussion.mesurer(lue.writers, rapide=lue.quick),
        volume.mesurer(lue.reports, rapide=lue.quick),
    ):
        for mesure in mesures:
            print(json.dumps(mesure), flush=True)


if __name__ == "__main__":
    main()
