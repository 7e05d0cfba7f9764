from typing import Any

from forum import services
from forum.models import Commentaire, MotSurveille, Poste, Reaction
from forum.mots import forme
from forum.vocabulaire import Statut
from socle.domaine.acteurs import Acteur


def poste(acteur: Acteur, *, par: Acteur | None = None, statut: str = Statut.APPROUVER, **champs: Any) -> Poste:
    """A post that `par`, a member of staff, has given this statut; NOUVEAU where nobody has."""
    publie = services.publier(acteur=acteur, **{"contenu": "Qui vient à la chorale jeudi ?", **champs})
    if par is not None:
        services.moderer(acteur=par, poste=publie, statut=statut)
    return publie


def commentaire(acteur: Acteur, poste: Poste, contenu: str = "Moi !") -> Commentaire:
    return services.commenter(acteur=acteur, poste=poste, contenu=contenu)


def reaction(acteur: Acteur, poste: Poste, type: str = "LIKE") -> Reaction:
    return services.reagir(acteur=acteur, poste=poste, type=type)[0]


def demande(acteur: Acteur, poste: Poste, commentaire: Commentaire | None = None, motif: str = "") -> Any:
    return services.demander_relecture(acteur=acteur, poste=poste, commentaire=commentaire, motif=motif)


def mot(mot: str) -> MotSurveille:
    return MotSurveille.objects.create(mot=mot, forme=forme(mot))
