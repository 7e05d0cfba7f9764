from typing import Any

from signalements import services
from signalements.compteurs.suivi import suivre, suivre_lignes
from signalements.models import Signalement
from socle.domaine.acteurs import Acteur


def signalement(acteur: Acteur, **champs: Any) -> Signalement:
    defauts = {"titre": "Remarques déplacées", "description": "Devant l'amphi, deux fois.", "type": "HARCELEMENT"}
    return services.creer(acteur=acteur, **{**defauts, **champs})


def mettre(signalement: Signalement, **champs: Any) -> Signalement:
    """As it has long been, told to nobody: these columns, a statut with what goes with it."""
    with suivre(signalement):
        if statut := champs.pop("statut", None):
            signalement.passer_a(statut)
        for nom, valeur in champs.items():
            setattr(signalement, nom, valeur)
        signalement.save()
    return signalement


def joindre(absorbe: Signalement, dossier: Signalement) -> None:
    """As a merge leaves two reports of one case: its history is the case's, and the report leads there."""
    absorbe.timeline.update(signalement=dossier)
    deja = Signalement.objects.filter(absorbe_par=absorbe)
    with suivre_lignes([absorbe.pk, *deja.values_list("pk", flat=True)]):
        deja.update(absorbe_par=dossier)
        absorbe.absorbe_par = dossier
        absorbe.enregistrer("absorbe_par")
