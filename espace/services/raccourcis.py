"""Choice to act by single keys: `parametres.raccourcis` of a person's preferences, off until they say so."""

from typing import Any

from django.db import transaction

from accounts.models import Compte
from espace.services import parametres as libres

CLE = "raccourcis"


def sont_actifs(parametres: dict[str, Any]) -> bool:
    """True where single keys are on; what another client has written there in another form is no."""
    return parametres.get(CLE) is True


@transaction.atomic
def choisir(compte: Compte, *, actifs: bool) -> None:
    parametres = libres.verrouiller(compte)
    if sont_actifs(parametres) != actifs:
        libres.poser(compte, {**parametres, CLE: actifs})
