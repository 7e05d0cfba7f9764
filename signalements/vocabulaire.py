import re
from datetime import date, time, timedelta
from itertools import dropwhile
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from socle.domaine.canonique import StatutCanonique
from socle.domaine.recherche import indexable
from socle.domaine.texte import mot_lisible
from socle.domaine.vocabulaires import montrer_des_choix, montrer_des_mots


class Statut(models.TextChoices):
    NOUVEAU = "NOUVEAU", _("Nouveau")
    ASSIGNE = "ASSIGNE", _("Assigné")
    EN_COURS = "EN_COURS", _("En cours")
    EN_ATTENTE = "EN_ATTENTE", _("En attente")
    TRAITE = "TRAITE", _("Traité")
    CLOTURE = "CLOTURE", _("Clôturé")


class Priorite(models.TextChoices):
    LOW = "LOW", _("Basse")
    MEDIUM = "MEDIUM", _("Moyenne")
    HIGH = "HIGH", _("Haute")
    CRITICAL = "CRITICAL", _("Critique")


class TypeEntree(models.TextChoices):
    CREATION = "CREATION", _("Création")
    STATUT = "STATUT", _("Statut")
    ASSIGNATION = "ASSIGNATION", _("Assignation")
    PRIORITE = "PRIORITE", _("Priorité")
    NOTE = "NOTE", _("Note interne")
    FUSION = "FUSION", _("Rattachement")
    ALERTE_ECARTEE = "ALERTE_ECARTEE", _("Alerte écartée")
    PIECE_SUPPRIMEE = "PIECE_SUPPRIMEE", _("Pièce supprimée")
    PIECE_RETABLIE = "PIECE_RETABLIE", _("Pièce rétablie")
    ECHEANCE = "ECHEANCE", _("Échéance")
    EQUIPE = "EQUIPE", _("Équipe")
    OUVERTURE = "OUVERTURE", _("Ouverture motivée")
    RETRAIT = "RETRAIT", _("Retrait de soi-même")
    LECTURE_RENDUE = "LECTURE_RENDUE", _("Lecture rendue")


# Lines of the history that its author never reads.
DE_L_EQUIPE_SEULE = (TypeEntree.NOTE, TypeEntree.OUVERTURE, TypeEntree.RETRAIT)
# After an assignment that a routing rule made: nobody did it, though a line names somebody of the team.
PAR_REGLE = "REGLE"
# A line that its author alone reads: whoever reads the case again must not learn that they had been shut out.
DE_L_AUTEUR_SEUL = TypeEntree.LECTURE_RENDUE


class Ouverture(models.TextChoices):
    """Rule by which the team reads a case; its `RegleDeLecture` rows name the people."""

    TOUS = "TOUS", _("Toute l'équipe")
    EQUIPE = "EQUIPE", _("Une seule des équipes")
    SAUF = "SAUF", _("Toute l'équipe, sauf des personnes écartées")
    SEULS = "SEULS", _("Des personnes nommées, et elles seules")


class Origine(models.TextChoices):
    """Source of a `RegleDeLecture`: what the author said, managers may not take back."""

    EQUIPE = "EQUIPE", _("Décidé par l'équipe")
    AUTEUR = "AUTEUR", _("Demandé par qui a signalé")
    LES_DEUX = "LES_DEUX", _("Demandé par qui a signalé, et décidé par l'équipe")
    SOI = "SOI", _("Retrait de soi-même")
    HOMONYME = "HOMONYME", _("Du nom que donne le signalement, à vérifier par l'administration")


# What an administrator alone takes back, with a reason that the author reads.
DE_L_AUTEUR = (Origine.AUTEUR, Origine.LES_DEUX)
# What some of those who would read it by their team may not: counted and told person by person.
RESERVES = (Ouverture.SAUF, Ouverture.SEULS)


class Axe(models.TextChoices):
    """Axes of the counters: the dimensions counted together, one set a kind of reading, so that it finds few cells.

    Each looks at the team as well, by which a number is limited to what its reader reads.
    """

    TOUT = "TOUT"  # type, statut, priorite, mode, source; no day
    JOUR = "JOUR"  # day of creation, type
    STATUT = "STATUT"  # day of creation, type, and one of these
    PRIORITE = "PRIORITE"
    MODE = "MODE"
    SOURCE = "SOURCE"
    MOIS = "MOIS"  # month of creation, by its first day, type
    RESOLUTION = "RESOLUTION"  # day of resolution, type
    MOIS_RESOLU = "MOIS_RESOLU"  # month of resolution, type
    ECHEANCE = "ECHEANCE"  # day that is promised, type; as statut its nature, as priorite whether it is kept
    GESTIONNAIRE = "GESTIONNAIRE"  # who handles, statut; no day
    # A change, in one row for several axes (`ETALEES`), which folding tells apart. Whoever reads one of these axes
    # reads its changes too.
    ENSEMBLE = "ENSEMBLE"  # day of creation, type, statut, priorite, mode, source
    RESOLU = "RESOLU"  # day of resolution, type


# What each axis that a row of changes is for looks at of it.
ETALEES: dict[Axe, dict[Axe, tuple[str, ...]]] = {
    Axe.ENSEMBLE: {
        Axe.TOUT: ("type", "statut", "priorite", "mode", "source", "equipe"),
        Axe.JOUR: ("jour", "type", "equipe"),
        Axe.MOIS: ("jour", "type", "equipe"),
        **{axe: ("jour", "type", axe.lower(), "equipe") for axe in (Axe.STATUT, Axe.PRIORITE, Axe.MODE, Axe.SOURCE)},
    },
    Axe.RESOLU: {
        Axe.RESOLUTION: ("jour", "type", "equipe"),
        Axe.MOIS_RESOLU: ("jour", "type", "equipe"),
    },
}
# Axis of the changes of each of these.
CHANGEMENTS: dict[Axe, Axe] = {axe: changes for changes, regards in ETALEES.items() for axe in regards}
# Axes whose day is the first of a month.
AU_MOIS = (Axe.MOIS, Axe.MOIS_RESOLU)
# Axis by month of those by day that have one.
MOIS_DE = {Axe.JOUR: Axe.MOIS, Axe.RESOLUTION: Axe.MOIS_RESOLU}


CANONIQUE: dict[str, StatutCanonique] = {
    Statut.NOUVEAU: StatutCanonique.PENDING,
    Statut.ASSIGNE: StatutCanonique.IN_PROGRESS,
    Statut.EN_COURS: StatutCanonique.IN_PROGRESS,
    Statut.EN_ATTENTE: StatutCanonique.PENDING,
    Statut.TRAITE: StatutCanonique.RESOLVED,
    Statut.CLOTURE: StatutCanonique.RESOLVED,
}
RESOLUS = (Statut.TRAITE, Statut.CLOTURE)
# The statuses that ask for somebody's attention, and the type of their alert.
ALERTES = {Statut.NOUVEAU: "NOUVEAU_SIGNALEMENT", Statut.EN_ATTENTE: "SIGNALEMENT_EN_ATTENTE"}


class NatureAlerte(models.TextChoices):
    """Natures of the alerts beside those of a status."""

    MESSAGE_APRES_CLOTURE = "MESSAGE_APRES_CLOTURE", _("Message après la clôture")
    ECHEANCE_PROCHE = "ECHEANCE_PROCHE", _("Une date approche")
    ECHEANCE_DEPASSEE = "ECHEANCE_DEPASSEE", _("Une date est dépassée")


# Of the dates of a case, whatever its status.
ALERTES_DE_DATE = (NatureAlerte.ECHEANCE_PROCHE, NatureAlerte.ECHEANCE_DEPASSEE)
# Status before an alert is dismissed -> status after.
SUITES_D_ALERTE = {Statut.NOUVEAU: Statut.ASSIGNE, Statut.EN_ATTENTE: Statut.EN_COURS}
JOURS_AVANT = timedelta(days=2)  # from a promised day, when its handler is told that it comes
BIENTOT = timedelta(days=7)  # how far ahead a promised day is near
# The hour of a day whose hour nobody gave: the portal asks for none.
SANS_HEURE = time(12)
TOUJOURS = date.min  # sentinel: the day of cells without a day
SANS_EQUIPE = UUID(int=0)  # sentinel: the team of cells of what all of the team reads

ANONYME, IDENTIFIE = "ANONYME", "IDENTIFIE"
TYPES_CONNUS = ("HARCELEMENT", "VIOLENCE", "DISCRIMINATION", "AGRESSION_SEXUELLE", "VOL", "AUTRE")
MODES_CONNUS = (ANONYME, IDENTIFIE)
LIBELLES_DES_MODES = {ANONYME: _("Anonyme"), IDENTIFIE: _("Nominatif")}

LIBELLES_DES_TYPES: dict[str, Any] = {
    "HARCELEMENT": _("Harcèlement"),
    "VIOLENCE": _("Violence"),
    "DISCRIMINATION": _("Discrimination"),
    "AGRESSION_SEXUELLE": _("Agression sexuelle"),
    "VOL": _("Vol"),
    "AUTRE": _("Autre"),
}
# The title of a case whose author gave neither one nor a type.
TITRE_SANS_TYPE = _("Quelque chose s'est passé")
# What a status means to whoever reported.
ETATS = {
    Statut.NOUVEAU: _("Reçu, pas encore pris en charge"),
    Statut.ASSIGNE: _("Une personne de l'équipe s'en occupe"),
    Statut.EN_COURS: _("L'équipe y travaille"),
    Statut.EN_ATTENTE: _("L'équipe attend, peut-être une réponse de vous"),
    Statut.TRAITE: _("L'équipe a terminé ; vous pouvez encore écrire"),
    Statut.CLOTURE: _("Clos ; vous pouvez encore écrire"),
}

NE_PAS_MONTRER_MAX = 20  # people whom an author does not want to read a case
PERSONNES_MAX = 100  # that one list of a reserved case may name
MOTIF_MAX = 500  # why a case goes to another team, or is opened
MOTIF_MIN = 10  # of an opening
OUVERTURE_MINUTES = 60  # for which a reason opens a case

PIECE_DE_SIGNALEMENT = "signalement"
# Crockford's base 32, five bits a letter, without I L O U: read over the phone, none is taken for another.
ALPHABET_REFERENCE = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_PRIS_POUR = str.maketrans("OIL", "011")
_AVANT_UNE_REFERENCE = frozenset(("dossier", "signalement", "reference", "ref", "numero", "no", "n"))
_MARQUE = re.compile("s[i1l]g")
_MORCEAUX = 6  # in how many words one may be written: « SIG 2026 7KF3 9WS1 »
MOTIF_REFERENCE = r"SIG-[0-9]{4}-[0-9A-HJKMNP-TV-Z]{8}"
# Columns of a report that `Signalement.indexer` writes to be searched; no answer needs them.
RECHERCHES = ("recherche", "recherche_auteur")
# Cases with unread messages are looked for, and their messages summed, up to so many discussions, the latest.
NON_LUS_MAX = 10_000


def reference_ecrite(texte: str) -> str | None:
    """The reference that a text is, in any case, with any signs or words before it, O for 0, I or L for 1."""
    mots = _mots(texte)
    return _reference("".join(dropwhile(_AVANT_UNE_REFERENCE.__contains__, mots))) or _reference_marquee(mots)


def reference_dans(texte: str) -> str | None:
    """The first reference among other words: there it has its SIG; `reference_ecrite` for what is nothing else."""
    return _reference_marquee(_mots(texte), seule=False) or reference_ecrite(texte)


def _mots(texte: str) -> list[str]:
    return re.findall("[a-z0-9]+", indexable(texte))


def _reference_marquee(mots: list[str], *, seule: bool = True) -> str | None:
    """One that begins with SIG and ends with a word; `seule`: after words alone (« case … »), and nothing after."""
    for debut, mot in enumerate(mots):
        if _MARQUE.match(mot):
            if seule and not all(un.isalpha() for un in mots[:debut]):
                return None
            for fin in range(debut + 1, min(debut + _MORCEAUX, len(mots)) + 1):
                if lue := _reference("".join(mots[debut:fin])):
                    return lue if not seule or fin == len(mots) else None
    return None


def _reference(lettres: str) -> str | None:
    # Without its SIG it has a digit in its code: « 2026 garderie » has none.
    trouvee = re.fullmatch("(?:s[i1l]g|(?=.{4}[a-z]*[0-9]))([0-9oil]{4})([0-9a-z]{8})", lettres)
    if trouvee is None:
        return None
    annee, code = (partie.upper().translate(_PRIS_POUR) for partie in trouvee.groups())
    reference = f"SIG-{annee}-{code}"
    return reference if re.fullmatch(MOTIF_REFERENCE, reference) else None


def types_admis(*presents: str) -> list[tuple[str, str]]:
    """The types that cases are given, each with its word, and those present, which a program may have written."""
    admis = settings.VOCABULAIRES["type_signalement"] or TYPES_CONNUS
    return [(un, type_lisible(un)) for un in dict.fromkeys((*admis, *presents)) if un]


def type_lisible(type_: str) -> str:
    return str(mot_lisible(type_, LIBELLES_DES_TYPES))


montrer_des_choix("statutSignalement", Statut)
montrer_des_choix("priorite", Priorite)
montrer_des_mots("typeSignalement", "type_signalement", TYPES_CONNUS, LIBELLES_DES_TYPES)
montrer_des_mots("modeIdentification", "mode_identification", MODES_CONNUS, LIBELLES_DES_MODES)
