from typing import Any

from django.db import models
from django.utils.translation import gettext_lazy as _

from socle.domaine.texte import mot_lisible
from socle.domaine.vocabulaires import montrer_des_choix, montrer_des_mots


class Statut(models.TextChoices):
    NOUVEAU = "NOUVEAU", _("Nouveau")
    APPROUVER_IA = "APPROUVER_IA", _("Approuvé automatiquement")
    REJETER_IA = "REJETER_IA", _("Rejeté automatiquement")
    APPROUVER = "APPROUVER", _("Approuvé")
    REJETER = "REJETER", _("Rejeté")
    ARCHIVER = "ARCHIVER", _("Archivé")


# The statuses that everybody may see, and the answers that a moderator hook may give.
PUBLICS = (Statut.APPROUVER, Statut.APPROUVER_IA)
AVIS = (Statut.APPROUVER_IA, Statut.REJETER_IA)
REFUSES = (Statut.REJETER, Statut.REJETER_IA)

CATEGORIES_CONNUES = ("ANNONCE", "ENTRAIDE", "QUESTION", "VIE_DU_CAMPUS")
LIBELLES_DES_CATEGORIES = {
    "ANNONCE": _("Annonces"),
    "ENTRAIDE": _("Entraide"),
    "QUESTION": _("Questions"),
    "VIE_DU_CAMPUS": _("Vie du campus"),
}
REACTIONS_CONNUES = ("LIKE", "SOUTIEN", "MERCI")
LIBELLES_DES_REACTIONS = {"LIKE": _("J'aime"), "SOUTIEN": _("Soutien"), "MERCI": _("Merci")}
PIECE_DE_POSTE = "poste"
TAGS_MAX = 20
FORME_MAX = 200  # of a watched word, as it is compared: some letters are several once folded
MOTIF_MAX = 500  # characters of why a post is to be read again
DEMANDES_PAR_JOUR = 20  # of one account, in any 24 hours
REACTIONS_MONTREES = 1_000  # of one post, the latest ones; the counter is exact beyond


def categorie_lisible(categorie: str) -> Any:
    return mot_lisible(categorie, LIBELLES_DES_CATEGORIES)


montrer_des_choix("statutPoste", Statut)
montrer_des_mots("categoriePoste", "categorie_poste", CATEGORIES_CONNUES, LIBELLES_DES_CATEGORIES)
montrer_des_mots("typeReaction", "type_reaction", REACTIONS_CONNUES, LIBELLES_DES_REACTIONS)
