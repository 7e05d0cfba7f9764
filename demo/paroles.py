"""Conversations of the demonstration about its reports."""

from typing import NamedTuple

AUTEUR, EQUIPE = "auteur", "équipe"


class Propos(NamedTuple):
    cote: str
    contenu: str


class Echange(NamedTuple):
    """A conversation; unless it is `lu`, its last messages are unread by the other side."""

    titre: str
    propos: tuple[Propos, ...]
    lu: bool = True


def elle(contenu: str) -> Propos:
    return Propos(AUTEUR, contenu)


def equipe(contenu: str) -> Propos:
    return Propos(EQUIPE, contenu)


# By the title of the report.
ECHANGES: dict[str, Echange] = {
    "Messages insistants d'un chargé de TD": Echange(
        "Dois-je continuer d'aller au TD ?",
        (
            elle("Bonjour, j'ai TD avec lui jeudi et je ne sais pas si je dois y aller."),
            elle("J'ai gardé tous les messages, je peux vous les montrer."),
        ),
        lu=False,
    ),
    "Bousculade à la sortie du gymnase": Echange(
        "Comment va l'étudiant ?",
        (elle("Je ne connais pas son nom, mais il porte le maillot du club de handball. Quelqu'un l'a-t-il vu ?"),),
        lu=False,
    ),
    "Ordinateur volé à la bibliothèque": Echange(
        "Images de la caméra",
        (
            equipe("Bonjour Awa, pouvez-vous préciser l'heure et la table où vous étiez ?"),
            elle("Entre 14 h 10 et 14 h 20, la table ronde au fond, près de la fenêtre."),
            equipe("Merci. La demande d'images est faite, nous aurons la réponse vendredi."),
            elle("D'accord. J'ai aussi le numéro de série, sur la facture."),
        ),
        lu=False,
    ),
    "Refus de stage à cause du voile": Echange(
        "Suites de l'entretien",
        (
            equipe("Nous avons bien reçu votre signalement. Aviez-vous un écrit de la structure avant l'entretien ?"),
            elle("Oui, un courriel qui disait que mon dossier était retenu."),
            equipe("Gardez-le précieusement. Souhaitez-vous que nous contactions le service des stages ?"),
            elle("Oui, mais sans donner mon nom pour l'instant."),
        ),
    ),
    "Surnoms et moqueries dans le groupe de projet": Echange(
        "Préparer la rencontre",
        (
            elle("Est-ce que le groupe saura que c'est moi ?"),
            equipe("Non. Nous parlerons des faits, sans dire qui les a signalés."),
            elle("Merci, ça me rassure. Les deux personnes dont je parlais sont d'accord pour vous voir."),
            equipe("Parfait. Mardi à 17 h, bureau 12, leur conviendrait ?"),
            elle("Mardi, c'est bon pour elles."),
        ),
    ),
    "Éclairage en panne sur le chemin de la résidence": Echange(
        "Quand les lampes seront-elles réparées ?",
        (
            elle("Bonsoir, une sixième lampe vient de s'éteindre, près de l'arrêt de bus."),
            equipe("Merci, nous l'ajoutons à la demande. Le devis est attendu cette semaine."),
        ),
        lu=False,
    ),
    "Agression après la soirée d'intégration": Echange(
        "Nous sommes là",
        (
            equipe("Vous n'êtes pas seule. La cellule d'écoute peut vous recevoir aujourd'hui, sans rendez-vous."),
            elle("Merci. J'ai vu le médecin hier soir."),
            equipe("Vous avez bien fait. Le certificat peut rester chez nous, ou chez vous : c'est vous qui décidez."),
            elle("Je préfère que vous le gardiez."),
            equipe("C'est noté. Voulez-vous que quelqu'un vous accompagne si vous portez plainte ?"),
            elle("Je ne sais pas encore. Est-ce que je peux vous répondre lundi ?"),
        ),
        lu=False,
    ),
    "Remarques sur mon accent pendant les oraux": Echange(
        "Les étudiants qui ont entendu",
        (
            equipe("Bonjour, seriez-vous d'accord pour que nous parlions aux étudiants qui passaient après vous ?"),
            elle("Oui, j'ai leurs prénoms : Inès et Moussa."),
            equipe("Merci, nous leur écrivons aujourd'hui."),
        ),
    ),
    "Salle inaccessible en fauteuil": Echange(
        "Cours du mardi",
        (
            elle("Le cours a encore lieu à l'étage ce mardi."),
            equipe("Il est ramené au rez-de-chaussée dès mardi, salle D 02. L'ascenseur sera réparé le mois prochain."),
            elle("Merci, la salle convient très bien."),
        ),
    ),
    "Faux profil créé à mon nom": Echange(
        "Retrait du profil",
        (
            elle("Le profil est toujours en ligne ce matin."),
            equipe("La plateforme a accusé réception. Avez-vous des captures avec la date ?"),
            elle("Oui, une dizaine, je les garde."),
            equipe("Le profil a été retiré cette nuit. Dites-nous s'il reparaît."),
            elle("Je confirme, il n'y est plus. Merci beaucoup."),
        ),
    ),
}

# The words of the mass of conversations: each side draws among its own, never twice the same.
SUJETS = (
    "Suites de mon signalement",
    "Une précision",
    "Prendre rendez-vous",
    "Pièces à transmettre",
    "Où en est-on ?",
    "Question sur la procédure",
)
PAROLES = {
    AUTEUR: (
        "Bonjour, y a-t-il du nouveau ?",
        "Cela s'est reproduit hier, au même endroit.",
        "Je peux venir en parler cette semaine.",
        "J'ai retrouvé deux messages de plus.",
        "Une autre personne a vu la scène et accepte de témoigner.",
        "Je préfère que mon nom ne soit pas donné.",
        "Merci pour votre réponse.",
        "Est-ce que je serai prévenue de la suite ?",
        "Je ne me sens pas tranquille en y retournant.",
        "D'accord, je vous envoie cela demain.",
    ),
    EQUIPE: (
        "Bonjour, nous avons bien reçu votre signalement.",
        "Pouvez-vous préciser le lieu et l'heure ?",
        "Nous avons contacté le service concerné.",
        "Un rendez-vous est possible jeudi à 14 h.",
        "Votre nom ne sera pas donné sans votre accord.",
        "Gardez les messages reçus, ils peuvent servir.",
        "La cellule d'écoute peut aussi vous recevoir.",
        "Nous attendons une réponse avant la fin de la semaine.",
        "La personne responsable du bâtiment est prévenue.",
        "N'hésitez pas à nous écrire si cela recommence.",
    ),
}
