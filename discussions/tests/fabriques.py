from typing import Any

from discussions import services
from discussions.models import Discussion, Message
from discussions.participants import TOUS
from discussions.recompte import recompter
from signalements.models import Signalement
from socle.domaine.acteurs import Acteur


def discussion(acteur: Acteur, titre: str = "Mon dossier", signalement: Signalement | None = None) -> Discussion:
    return services.ouvrir(acteur=acteur, titre=titre, signalement_id=signalement.pk if signalement else None)


def message(acteur: Acteur, discussion: Discussion, contenu: str = "Bonjour.", **champs: Any) -> Message:
    return services.ecrire(acteur=acteur, discussion=discussion, contenu=contenu, **champs)


def joindre(absorbee: Discussion, restante: Discussion) -> None:
    """As a merge leaves two discussions: one conversation in the order of time, and the marks where they were."""
    messages = list(Message.objects.filter(discussion__in=[absorbee, restante]).order_by("date_creation", "pk"))
    for signe in (-1, 1):  # a number is never taken twice, not even on the way
        for rang, message in enumerate(messages, 1):
            Message.objects.filter(pk=message.pk).update(discussion=restante, numero_sequence=signe * rang)
    restante.dernier_numero, restante.participants = len(messages), TOUS
    restante.enregistrer("dernier_numero", "participants")
    Discussion.objects.filter(absorbe_par=absorbee).update(absorbe_par=restante)
    absorbee.absorbe_par, absorbee.signalement = restante, restante.signalement
    absorbee.enregistrer("absorbe_par", "signalement")
    recompter([restante.pk])
