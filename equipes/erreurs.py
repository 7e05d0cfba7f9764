from django.utils.translation import gettext_lazy as _

from equipes.vocabulaire import EQUIPES_MAX, MEMBRES_MAX, REGLES_MAX
from socle.erreurs import Conflit

EQUIPES_PLEINES = _("%(n)d équipes sont déjà gardées, c'est le maximum.")
EQUIPE_PLEINE = _("Cette équipe a déjà %(n)d membres, c'est le maximum.")
REGLES_PLEINES = _("%(n)d règles sont déjà gardées, c'est le maximum.")


class PlusDEquipes(Conflit):
    def __init__(self) -> None:
        super().__init__(EQUIPES_PLEINES % {"n": EQUIPES_MAX})


class PlusDeMembres(Conflit):
    def __init__(self) -> None:
        super().__init__(EQUIPE_PLEINE % {"n": MEMBRES_MAX})


class DejaMembre(Conflit):
    message = _("Cette personne est déjà de l'équipe, ou attend d'y être acceptée.")


class PlusDeRegles(Conflit):
    def __init__(self) -> None:
        super().__init__(REGLES_PLEINES % {"n": REGLES_MAX})
