from typing import Any

from django.dispatch import receiver
from django.utils.translation import gettext as _

from resources.signals import virus_trouve
from socle.domaine.langue import en_francais
from socle.realtime.diffusion import publier


@receiver(virus_trouve)
def alerter(sender: Any, virus: str, **kwargs: Any) -> None:
    """Alert with the name of the virus, not of the sender: the file is not kept, and a report may be anonymous."""
    with en_francais():
        message = _("Un fichier envoyé contenait un virus (%(nom)s) : il a été refusé.") % {"nom": virus[:100]}
        publier("system_alert", ["admin"], {"niveau": "SECURITE", "message": message})
