from datetime import date

from django.utils.translation import gettext_lazy as _

PREMIERE_ANNEE, DERNIERE_ANNEE = 2000, 2099  # of the months that one can turn to
EVENEMENTS_MAX = 200  # on one page
INSCRIPTIONS_MAX = 100
PAR_JOUR = 3  # in a cell of the month; the list under it has them all
# Whoever judged a post, a person or the hook, it is said the same.
ETATS_DU_FORUM = {
    "APPROUVER_IA": _("Approuvée"),
    "APPROUVER": _("Approuvée"),
    "NOUVEAU": _("En attente de relecture"),
    "REJETER_IA": _("Refusée"),
    "REJETER": _("Refusée"),
    "ARCHIVER": _("Archivée"),
}
ICONES_DES_REACTIONS = {"LIKE": "ok", "SOUTIEN": "abri", "MERCI": "coeur"}


def mois_d_apres(premier: date, pas: int) -> date | None:
    """The first day of the month that many months later, None past the ends of the calendar."""
    rang = premier.year * 12 + premier.month - 1 + pas
    annee, mois = divmod(rang, 12)
    return date(annee, mois + 1, 1) if PREMIERE_ANNEE <= annee <= DERNIERE_ANNEE else None
