"""Events of the demonstration's calendar, in days from the day it is installed."""

from typing import NamedTuple

from calendrier.vocabulaire import StatutParticipation
from demo.textes import ADMIN, AUTRE_GESTIONNAIRE, ETUDIANTE, GESTIONNAIRE, Personne

PENDING, CONFIRMED, CANCELLED, WAITLISTED = StatutParticipation


class RendezVous(NamedTuple):
    """An event; its participants in the order of their registration."""

    jours: int
    heure: int
    duree: int  # hours
    type: str
    titre: str
    description: str
    lieu: str = ""
    lien: str = ""
    places: int | None = None
    tags: tuple[str, ...] = ()
    public: tuple[str, ...] = ("ETUDIANT", "PERSONNEL")
    annule: bool = False
    participants: tuple[tuple[Personne, StatutParticipation], ...] = ()


RENDEZ_VOUS = (
    RendezVous(
        -24,
        18,
        2,
        "CONFERENCE",
        "Consentement : de quoi parle-t-on ?",
        "Une juriste et une psychologue répondent aux questions de la salle.",
        lieu="Amphi A",
        places=180,
        tags=("prévention", "droit"),
        participants=((ETUDIANTE, CONFIRMED), (AUTRE_GESTIONNAIRE, CONFIRMED)),
    ),
    RendezVous(
        -3,
        12,
        1,
        "REUNION",
        "Point mensuel de la cellule d'écoute",
        "Bilan des dossiers du mois, organisation des permanences.",
        lieu="Salle du conseil",
        public=("PERSONNEL",),
        participants=((GESTIONNAIRE, CONFIRMED), (AUTRE_GESTIONNAIRE, CONFIRMED), (ADMIN, CANCELLED)),
    ),
    RendezVous(
        -2,
        9,
        14 * 24,
        "EXPOSITION",
        "Regards croisés",
        "Vingt photographies d'étudiantes et d'étudiants sur la vie du campus.",
        lieu="Hall de la bibliothèque",
        tags=("culture",),
    ),
    RendezVous(
        2,
        17,
        2,
        "ATELIER",
        "Autodéfense verbale",
        "Poser des limites, se faire entendre, demander de l'aide. Tenue confortable.",
        lieu="Gymnase, salle 2",
        places=2,
        tags=("prévention", "pratique"),
        participants=((AUTRE_GESTIONNAIRE, CONFIRMED), (ADMIN, CONFIRMED), (ETUDIANTE, WAITLISTED)),
    ),
    RendezVous(
        6,
        18,
        1,
        "FORMATION",
        "Témoin : comment réagir ?",
        "Une heure en visioconférence : repérer, intervenir sans danger, signaler.",
        lien="https://visio.campus.example/temoins",
        places=100,
        tags=("prévention", "en ligne"),
        participants=((ETUDIANTE, CONFIRMED), (GESTIONNAIRE, CONFIRMED)),
    ),
    RendezVous(
        9,
        16,
        2,
        "ATELIER",
        "Groupe de parole",
        "Huit personnes au plus, animé par la psychologue du centre de santé. Elle vous reçoit avant, si vous voulez.",
        lieu="Centre de santé, 1er étage",
        places=8,
        public=("ETUDIANT",),
        participants=((ETUDIANTE, PENDING),),
    ),
    RendezVous(
        13,
        19,
        3,
        "PROJECTION",
        "Ciné-débat en plein air",
        "Annulé : la pelouse est en travaux.",
        lieu="Pelouse centrale",
        tags=("culture",),
        annule=True,
        participants=((ETUDIANTE, CONFIRMED), (GESTIONNAIRE, CONFIRMED)),
    ),
    RendezVous(
        30,
        9,
        7,
        "FORMATION",
        "Accueillir la parole d'une victime",
        "Une journée pour le personnel en contact avec les étudiants.",
        lieu="Salle B12",
        places=15,
        tags=("formation",),
        public=("PERSONNEL",),
        participants=((AUTRE_GESTIONNAIRE, CONFIRMED), (ADMIN, CONFIRMED)),
    ),
)
