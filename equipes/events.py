from typing import Any
from uuid import UUID

from django.dispatch import receiver
from django.utils.translation import gettext as _

from equipes.models import Equipe, MembreDEquipe
from equipes.signals import composition_changee, routage_change
from equipes.tasks import prevenir_de_la_composition
from socle.domaine.langue import en_francais
from socle.realtime.diffusion import fermer_sockets, publier


@receiver(composition_changee)
def dire_la_composition(
    sender: Any, equipe: Equipe, gagnes: set[UUID], perdus: set[UUID], prevenus: set[UUID], **kwargs: Any
) -> None:
    """Tell its readers, by their own channels and by mail, then have those that change come back to what they read."""
    with en_francais():
        message = _("La composition de l'équipe « %(nom)s » a changé. Voyez-la dans l'espace.") % {"nom": equipe.nom}
    _dire(prevenus, message)
    fermer_sockets(comptes=sorted(gagnes | perdus))


@receiver(routage_change)
def dire_le_routage(sender: Any, equipe: Equipe, par: UUID, **kwargs: Any) -> None:
    lecteurs = set(MembreDEquipe.objects.comptes_de(equipe.pk).values_list("compte", flat=True))
    with en_francais():
        message = _("Les règles qui confient des dossiers à l'équipe « %(nom)s » ont changé. Voyez-les dans l'espace.")
        dit = message % {"nom": equipe.nom}
    _dire(lecteurs - {par}, dit)


def _dire(comptes: set[UUID], message: str) -> None:
    """Tell these people alone, by their own channels and by a mail that says neither what nor of whom."""
    a_dire = sorted(comptes)
    if a_dire:
        publier("system_alert", [f"user:{compte}" for compte in a_dire], {"niveau": "SECURITE", "message": message})
    for compte in a_dire:
        prevenir_de_la_composition.enqueue(str(compte))
