from typing import Any
from uuid import UUID

from django.utils.translation import gettext_lazy as _

from socle.domaine.acteurs import Acteur
from socle.domaine.droits import Droit
from socle.realtime.canaux import PERSONNEL, PUBLIC, canal


@canal("admin", cle=False, qui=_("L'administration."))
def administration(acteur: Acteur, cle: Any) -> list[str]:
    return [PUBLIC, PERSONNEL] if acteur.peut(Droit.SERVICE_SURVEILLER) else []


@canal("user", qui=_("Ce compte seul."))
def le_sien(acteur: Acteur, cle: UUID) -> list[str]:
    return [PUBLIC] if acteur.compte is not None and acteur.compte.pk == cle else []
