from django.utils.translation import gettext_lazy as _

from socle.erreurs import Conflit


class MessagesDepuis(Conflit):
    """409 of a page: somebody wrote since it was shown."""

    message = _("Un message est arrivé depuis.")
