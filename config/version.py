"""Version of the service, parsed from the latest release in the changelog, the only place where it stands."""

import re
from pathlib import Path

INCONNUE = "0+unknown"
_PUBLIEE = re.compile(r"## (\d+\.\d+\.\d+) - \d{4}-\d\d-\d\d$")


def version_de(journal: Path) -> str:
    """Scan down to the first released heading; INCONNUE without a file or a release.

    No reason to refuse to start: a service installed without its documents serves as well as any.
    """
    try:
        with journal.open(encoding="utf-8", errors="replace") as lignes:
            publiees = filter(None, map(_PUBLIEE.match, lignes))
            return next((publiee[1] for publiee in publiees), INCONNUE)
    except OSError:
        return INCONNUE
