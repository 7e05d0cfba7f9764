from django.utils.translation import gettext_lazy as _

from socle.erreurs import Conflit


class DejaDecide(Conflit):
    code = "NAME_ALREADY_DECIDED"
    message = _("Un autre administrateur a déjà décidé de ce nom. « Qui lit ce dossier » y revient.")
