"""The words of the workspace."""

from django.utils.translation import gettext_lazy as _

TAILLE = 50  # reports of one page
EQUIPE_MAX = 500  # people one may choose among
PARTIS_MAX = 20  # who has left, and still has cases
FILTRES_MAX, NOM_MAX = 20, 60  # kept by one person; characters of a name

A_FAIRE, A_MOI, NON_ATTRIBUES = "a-faire", "a-moi", "non-attribues"
NON_LUS, OUVERTS, CLOS = "non-lus", "ouverts", "clos"
EN_RETARD, BIENTOT = "en-retard", "bientot"
DE_DATE = (EN_RETARD, BIENTOT)  # in the order of the days promised; shown where any are
APRES_CLOTURE = (A_MOI, NON_ATTRIBUES)  # where closed cases come first, whose author has written since
TRIEES = (A_FAIRE, A_MOI)  # by groups, where nothing is filtered or sorted (`triage.py`)
JAMAIS_LUS = "jamais-lus"  # led to by a line of the page, where it holds any
VUES = {
    A_FAIRE: _("À faire"),
    A_MOI: _("À moi"),
    NON_ATTRIBUES: _("Non attribués"),
    EN_RETARD: _("En retard"),
    BIENTOT: _("Bientôt"),
    NON_LUS: _("Non lus"),
    OUVERTS: _("Ouverts"),
    CLOS: _("Clos"),
}
TITRES = VUES | {JAMAIS_LUS: _("Jamais lus")}
RECENTS, ANCIENS, URGENTS = "recents", "anciens", "urgents"
PROMIS = "promis"  # the own order of the lists of DE_DATE
TRIS = {
    RECENTS: _("Les plus récents d'abord"),
    ANCIENS: _("Les plus anciens d'abord"),
    URGENTS: _("Les plus urgents d'abord"),
}
VOISINS_MAX = 500  # of a list, those among which the page of a case finds the one before it and the one after
