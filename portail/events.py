"""Sockets of accesses that have ended; what administrators are told."""

from typing import Any

from django.db import transaction
from django.dispatch import receiver
from django.utils.translation import gettext as _

from portail.signals import acces_fermes, codes_essayes
from socle.domaine.langue import en_francais
from socle.realtime.diffusion import fermer_sockets, publier


@receiver(acces_fermes)
def fermer_leurs_sockets(sender: Any, acces_ids: Any, **kwargs: Any) -> None:
    fermer_sockets(sessions=acces_ids)


@receiver(codes_essayes)
def alerter_l_administration(sender: Any, nombre: int, **kwargs: Any) -> None:
    with transaction.atomic(), en_francais():
        message = _("%(n)d codes du portail faux en moins d'une heure : quelqu'un en essaie peut-être au hasard.")
        publier("system_alert", ["admin"], {"niveau": "SECURITE", "message": message % {"n": nombre}})
