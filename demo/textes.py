"""Texts of the demonstration: people, and reports as a campus receives them."""

from typing import NamedTuple

from signalements.vocabulaire import ANONYME, IDENTIFIE, Priorite, Statut
from socle.domaine.droits import Role

DOMAINE = "campus.example"
MOT_DE_PASSE = "Demonstration-2026"


class Personne(NamedTuple):
    role: Role
    prenom: str
    nom: str
    adresse: str

    @property
    def email(self) -> str:
        return f"{self.adresse}@{DOMAINE}"


ETUDIANTE = Personne(Role.UTILISATEUR, "Awa", "Diop", "awa.diop")
GESTIONNAIRE = Personne(Role.GESTIONNAIRE, "Paul", "Ilunga", "paul.ilunga")
AUTRE_GESTIONNAIRE = Personne(Role.GESTIONNAIRE, "Nadia", "Benali", "nadia.benali")
ADMIN = Personne(Role.ADMIN_SYSTEME, "Rose", "Kabila", "rose.kabila")
PERSONNES = (ETUDIANTE, GESTIONNAIRE, ADMIN, AUTRE_GESTIONNAIRE)

# Numbers reserved for fiction: they ring nowhere.
TELEPHONES = ("+33639980011", "+33639980042", "+33639980073")

NOUVEAU, ASSIGNE, EN_COURS, EN_ATTENTE, TRAITE, CLOTURE = Statut
LOW, MEDIUM, HIGH, CRITICAL = Priorite

# The path of statuts to each statut, after NOUVEAU.
CHEMINS: dict[str, tuple[Statut, ...]] = {
    NOUVEAU: (),
    ASSIGNE: (ASSIGNE,),
    EN_COURS: (ASSIGNE, EN_COURS),
    EN_ATTENTE: (ASSIGNE, EN_COURS, EN_ATTENTE),
    TRAITE: (ASSIGNE, EN_COURS, TRAITE),
    CLOTURE: (ASSIGNE, EN_COURS, TRAITE, CLOTURE),
}


class Recit(NamedTuple):
    """A report of the demonstration; `invite` is the rank of its guest session, None for the student."""

    jours: int
    invite: int | None
    type: str
    titre: str
    description: str
    lieu: str
    statut: Statut = NOUVEAU
    priorite: Priorite = MEDIUM
    mode: str = ANONYME
    auteur_presume: str = ""
    temoins: str = ""
    notes: tuple[str, ...] = ()


RECITS = (
    Recit(
        0,
        None,
        "HARCELEMENT",
        "Messages insistants d'un chargé de TD",
        "Depuis trois semaines il m'écrit tous les soirs et insiste pour que l'on se voie hors du campus. "
        "Je lui ai demandé d'arrêter par écrit.",
        "Bâtiment C, salle 204",
        priorite=HIGH,
        mode=IDENTIFIE,
        auteur_presume="Chargé de TD du groupe 3",
    ),
    Recit(
        0,
        0,
        "VIOLENCE",
        "Bousculade à la sortie du gymnase",
        "Deux personnes ont poussé un étudiant contre le mur et l'ont menacé. Il est reparti seul, choqué.",
        "Gymnase, sortie côté parking",
        priorite=CRITICAL,
        temoins="Une quinzaine de personnes attendaient le bus.",
    ),
    Recit(
        1,
        None,
        "VOL",
        "Ordinateur volé à la bibliothèque",
        "Je me suis absentée dix minutes ; l'ordinateur n'était plus sur la table à mon retour.",
        "Bibliothèque, deuxième étage",
        statut=ASSIGNE,
        mode=IDENTIFIE,
        notes=("Demander les images de la caméra du couloir avant vendredi.",),
    ),
    Recit(
        2,
        1,
        "DISCRIMINATION",
        "Refus de stage à cause du voile",
        "Le responsable m'a dit en entretien que « la structure préfère une image neutre ».",
        "Service des stages",
        statut=ASSIGNE,
        priorite=HIGH,
        auteur_presume="Responsable de l'accueil des stagiaires",
    ),
    Recit(
        3,
        None,
        "HARCELEMENT",
        "Surnoms et moqueries dans le groupe de projet",
        "À chaque réunion, les mêmes surnoms, et mes tâches sont distribuées sans moi.",
        "Bâtiment A, salle de projet",
        statut=EN_COURS,
        temoins="Deux membres du groupe sont prêts à en parler.",
        notes=("Premier entretien fait, la personne souhaite rester anonyme devant le groupe.",),
    ),
    Recit(
        4,
        2,
        "AUTRE",
        "Éclairage en panne sur le chemin de la résidence",
        "Cinq lampadaires sont éteints depuis la rentrée, on rentre avec la lampe du téléphone.",
        "Chemin de la résidence Est",
        statut=EN_ATTENTE,
        priorite=LOW,
        notes=("Transmis au service technique, devis attendu.",),
    ),
    Recit(
        6,
        0,
        "AGRESSION_SEXUELLE",
        "Agression après la soirée d'intégration",
        "Un étudiant de troisième année m'a suivie et bloquée dans le local à vélos.",
        "Local à vélos, résidence Ouest",
        statut=EN_COURS,
        priorite=CRITICAL,
        auteur_presume="Étudiant de troisième année",
        notes=("Orientée vers la cellule d'écoute le jour même.", "Certificat médical remis."),
    ),
    Recit(
        8,
        None,
        "DISCRIMINATION",
        "Remarques sur mon accent pendant les oraux",
        "Le jury a ri deux fois et m'a demandé de « faire un effort pour parler comme tout le monde ».",
        "Amphithéâtre Senghor",
        statut=EN_COURS,
        mode=IDENTIFIE,
        temoins="Les étudiants qui passaient après moi.",
    ),
    Recit(
        10,
        1,
        "HARCELEMENT",
        "Photos prises à mon insu au restaurant universitaire",
        "Un homme photographie les étudiantes dans la file. Il était là lundi et mercredi.",
        "Restaurant universitaire",
        statut=EN_COURS,
        priorite=HIGH,
        temoins="Le personnel de la caisse l'a remarqué.",
    ),
    Recit(
        13,
        None,
        "VOL",
        "Vélo disparu malgré l'antivol",
        "Antivol coupé entre 9 h et 12 h. Le numéro de cadre est déclaré.",
        "Abri à vélos nord",
        statut=EN_ATTENTE,
        priorite=LOW,
        mode=IDENTIFIE,
    ),
    Recit(
        16,
        2,
        "VIOLENCE",
        "Menaces dans le parking souterrain",
        "Un automobiliste est descendu de voiture et a levé la main sur un vigile.",
        "Parking souterrain, niveau -1",
        statut=TRAITE,
        priorite=HIGH,
        notes=("Plaque relevée par le vigile, plainte déposée.",),
    ),
    Recit(
        19,
        None,
        "AUTRE",
        "Affiches insultantes dans le hall",
        "Des affiches visent une association étudiante avec des insultes.",
        "Hall du bâtiment A",
        statut=TRAITE,
        mode=IDENTIFIE,
    ),
    Recit(
        24,
        0,
        "DISCRIMINATION",
        "Salle inaccessible en fauteuil",
        "Le cours a été déplacé au premier étage, l'ascenseur est en panne depuis un mois.",
        "Bâtiment D, premier étage",
        statut=TRAITE,
        notes=("Cours ramené au rez-de-chaussée, réparation programmée.",),
    ),
    Recit(
        30,
        None,
        "HARCELEMENT",
        "Appels répétés d'un ancien camarade",
        "Il appelle plusieurs fois par nuit depuis des numéros différents.",
        "Résidence Ouest",
        statut=CLOTURE,
        priorite=HIGH,
        notes=("Mesure d'éloignement rappelée par écrit.", "Plus d'appel depuis quinze jours."),
    ),
    Recit(
        37,
        1,
        "VIOLENCE",
        "Bagarre pendant un match interfacultés",
        "Coups échangés entre deux supporters, un blessé léger.",
        "Terrain de sport",
        statut=CLOTURE,
        temoins="Les deux équipes et l'arbitre.",
    ),
    Recit(
        45,
        None,
        "VOL",
        "Téléphone volé dans les vestiaires",
        "Le casier a été forcé pendant le cours de natation.",
        "Piscine, vestiaires",
        statut=CLOTURE,
        mode=IDENTIFIE,
    ),
    Recit(
        52,
        2,
        "HARCELEMENT",
        "Commentaires sur le physique pendant les travaux pratiques",
        "L'assistant commente les tenues des étudiantes devant tout le groupe.",
        "Laboratoire de chimie",
        statut=EN_ATTENTE,
        priorite=HIGH,
        auteur_presume="Assistant de laboratoire",
        notes=("En attente de la réponse de la direction du département.",),
    ),
    Recit(
        60,
        None,
        "DISCRIMINATION",
        "Note baissée après un congé maternité",
        "Le contrôle continu a été compté à zéro malgré le justificatif.",
        "Scolarité",
        statut=TRAITE,
        mode=IDENTIFIE,
    ),
    Recit(
        72,
        None,
        "AUTRE",
        "Alarme incendie débranchée",
        "Le boîtier de l'étage pend, les fils sont visibles.",
        "Résidence Est, troisième étage",
        statut=CLOTURE,
        priorite=CRITICAL,
        notes=("Rétablie le lendemain, contrôle demandé dans les autres étages.",),
    ),
    Recit(
        85,
        0,
        "HARCELEMENT",
        "Pressions pour rejoindre une association",
        "On attend les nouveaux à la sortie des cours et on insiste, parfois à cinq contre un.",
        "Esplanade",
        statut=CLOTURE,
        temoins="Plusieurs étudiants de première année.",
    ),
    Recit(
        98,
        None,
        "VIOLENCE",
        "Gifle pendant une dispute en cours",
        "Deux étudiants se sont disputés une place, l'un a giflé l'autre.",
        "Amphithéâtre Lumumba",
        statut=CLOTURE,
    ),
    Recit(
        110,
        1,
        "AGRESSION_SEXUELLE",
        "Attouchements dans la navette",
        "Dans la navette de 18 h, bondée, un homme s'est collé à moi malgré mes protestations.",
        "Navette du campus, arrêt central",
        statut=CLOTURE,
        priorite=CRITICAL,
        temoins="Une passagère est intervenue.",
        notes=("Signalé au transporteur, la police est saisie.",),
    ),
    Recit(
        125,
        None,
        "VOL",
        "Badge utilisé par quelqu'un d'autre",
        "Des repas ont été débités pendant que j'étais en stage.",
        "Restaurant universitaire",
        statut=CLOTURE,
        priorite=LOW,
        mode=IDENTIFIE,
    ),
    Recit(
        140,
        2,
        "AUTRE",
        "Propos homophobes dans la cour",
        "Un groupe crie des insultes quand des couples passent, presque chaque midi.",
        "Cour du bâtiment B",
        statut=TRAITE,
        temoins="Les agents d'accueil.",
    ),
    Recit(
        158,
        None,
        "HARCELEMENT",
        "Faux profil créé à mon nom",
        "Quelqu'un publie en mon nom des photos prises dans l'annuaire de la promotion.",
        "En ligne",
        statut=CLOTURE,
        priorite=HIGH,
        mode=IDENTIFIE,
        notes=("Profil retiré par la plateforme.",),
    ),
)

# The word lists of the mass of reports: a sentence is made of one word of each.
PRENOMS = ("Awa", "Grâce", "Moussa", "Inès", "Jean", "Fatou", "Chloé", "Yanis", "Merveille", "Lucas", "Aminata", "Élie")
NOMS = ("Diallo", "Mbuyi", "Moreau", "Kasongo", "Traoré", "Lefèvre", "Ndiaye", "Haddad", "Okafor", "Rakoto", "Tshala")
LIEUX = (
    "Bibliothèque",
    "Amphithéâtre Senghor",
    "Résidence Est",
    "Résidence Ouest",
    "Restaurant universitaire",
    "Gymnase",
    "Parking nord",
    "Laboratoire de chimie",
    "Bâtiment A",
    "Bâtiment C",
    "Esplanade",
    "Navette du campus",
)
MOMENTS = ("ce matin", "hier soir", "pendant la pause", "après le dernier cours", "à plusieurs reprises", "ce week-end")
SUITES = (
    "Je souhaite que cela cesse.",
    "Plusieurs personnes peuvent en témoigner.",
    "Ce n'est pas la première fois.",
    "Je ne me sens plus en sécurité.",
    "Je peux montrer les messages reçus.",
    "Personne n'est intervenu.",
)
FAITS = {
    "HARCELEMENT": ("Remarques déplacées", "Messages insistants", "Moqueries répétées", "Photos prises à mon insu"),
    "VIOLENCE": ("Bousculade", "Menaces", "Coups échangés", "Objet lancé sur un groupe"),
    "DISCRIMINATION": ("Refus d'inscription", "Propos sur l'origine", "Accès refusé", "Note contestée"),
    "AGRESSION_SEXUELLE": ("Gestes imposés", "Contact non voulu", "Agression en fin de soirée"),
    "VOL": ("Téléphone volé", "Ordinateur disparu", "Vélo volé", "Casier forcé"),
    "AUTRE": ("Éclairage en panne", "Affiche insultante", "Alarme hors service", "Porte de secours bloquée"),
}
PRESUMES = ("", "", "Un étudiant de l'atelier", "Le surveillant de l'examen", "Un chargé de cours", "Je ne sais pas")
NOTES = (
    "Premier contact pris par téléphone.",
    "Entretien fixé à la semaine prochaine.",
    "En attente de la réponse du service concerné.",
    "Orientation proposée vers la cellule d'écoute.",
    "Pièces reçues, dossier complet.",
)
