from datetime import timedelta
from uuid import UUID

from django.db import models
from django.utils.translation import gettext_lazy as _

from accounts.vocabulaire import NatureAvis

GARDE = timedelta(hours=24)  # of a row, once mailed, or never to be
ABANDON = timedelta(days=7)  # of one that no mail server has taken
ESSAIS = timedelta(days=3)  # more than all tries of a mail last
HASARD_MINUTES = 5  # at most, added to a mail that leaves at once: its moment tells less
# Hours of the campus between which a daily mail leaves, at a minute of its own for each person.
PREMIERE_HEURE, DERNIERE_HEURE = 7, 21
PERSONNES_PAR_LOT = 500  # addressed in one transaction: an event may have any number of participants
NOMMES_MAX = 20  # events, or posts, that one mail names
# Fields of an event whose change its participants are told of: what they come for, when and where.
CE_QUI_COMPTE = frozenset({"titre", "date_debut", "date_fin", "lieu", "est_en_ligne", "lien_en_ligne"})
EVENEMENT = "avis"  # type, on `user:{id}`
# Of the mails of who reported: from an act to its mail, from a mail to the next, refusals in a row before silence.
RETENUE, ENTRE_DEUX, REFUS_MAX = timedelta(hours=2), timedelta(hours=12), 5
# Of a guest's address: the link that confirms it; kept, once all of their cases are closed.
VALIDITE_DU_LIEN, GARDE_DES_CLOS = timedelta(days=3), timedelta(days=30)


class NatureSuite(models.TextChoices):
    """Kind of thing that the author of a case is told of: whatever it was, there is news."""

    SUITE = "SUITE", _("Du nouveau dans votre dossier")


class NatureCampus(models.TextChoices):
    """Kind of thing that a participant is told of an event, or an author of a post."""

    PLACE_OBTENUE = "PLACE_OBTENUE", _("Une place s'est libérée pour vous")
    EVENEMENT_MODIFIE = "EVENEMENT_MODIFIE", _("Un événement a changé")
    EVENEMENT_ANNULE = "EVENEMENT_ANNULE", _("Un événement est annulé")
    EVENEMENT_DEMAIN = "EVENEMENT_DEMAIN", _("Un événement a lieu demain")
    PUBLICATION_APPROUVEE = "PUBLICATION_APPROUVEE", _("Votre publication est en ligne")
    PUBLICATION_REFUSEE = "PUBLICATION_REFUSEE", _("Votre publication n'a pas été retenue")


NATURES = [*NatureAvis.choices, *NatureSuite.choices, *NatureCampus.choices]
# Those that an event tells; of the others, of who reported, a mail alone does.
NATURES_ANNONCEES = [*NatureAvis.choices, *NatureCampus.choices]


def canal_de(cle: UUID) -> str:
    """The channel of this account's own notices."""
    return f"user:{cle}"
