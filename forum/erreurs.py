from django.utils.translation import gettext_lazy as _

from socle.erreurs import ErreurMetier, TropDeRequetes


class TropDeDemandes(ErreurMetier):
    """More in a day than one person reads for the others; a limit as the others, said in its own words."""

    code, statut_http = TropDeRequetes.code, TropDeRequetes.statut_http
    message = _("Vous avez beaucoup signalé sur le forum aujourd'hui. Écrivez à l'équipe, ou revenez demain.")
