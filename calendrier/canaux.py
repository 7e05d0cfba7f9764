from typing import Any

from django.utils.translation import gettext_lazy as _

from socle.domaine.acteurs import Acteur
from socle.domaine.droits import Droit
from socle.realtime.canaux import PUBLIC, canal


@canal("calendriers", cle=False, qui=_("Tout compte."))
def tous(acteur: Acteur, cle: Any) -> list[str]:
    return [PUBLIC] if acteur.peut(Droit.CALENDRIER_CONSULTER) else []
