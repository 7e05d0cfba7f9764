from django.utils.translation import gettext_lazy as _

from avis.serializers import AvisEvenement
from avis.vocabulaire import EVENEMENT
from socle.realtime.declarations import declarer

declarer(
    EVENEMENT,
    AvisEvenement,
    "user:{id}",
    quand=_(
        "Une chose concerne cette personne de l'équipe, ou il advient quelque chose d'un événement où ce compte est "
        "inscrit, d'une publication qu'il a écrite."
    ),
)
