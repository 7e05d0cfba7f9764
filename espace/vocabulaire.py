"""The words of the workspace."""

from django.utils.translation import gettext_lazy as _

TAILLE = 50  # reports of one page
PAGES_MAX = 1_000
EQUIPE_MAX = 500  # people one may choose among
PARTIS_MAX = 20  # who has left, and still has cases
FILTRES_MAX, NOM_MAX = 20, 60  # kept by one person; characters of a name

A_MOI, NON_ATTRIBUES, NON_LUS, OUVERTS, CLOS = "a-moi", "non-attribues", "non-lus", "ouverts", "clos"
APRES_CLOTURE = (A_MOI, NON_ATTRIBUES)  # where closed cases come first, whose author has written since
JAMAIS_LUS = "jamais-lus"  # led to by a line of the page, where it holds any
VUES = {
    A_MOI: _("À moi"),
    NON_ATTRIBUES: _("Non attribués"),
    NON_LUS: _("Non lus"),
    OUVERTS: _("Ouverts"),
    CLOS: _("Clos"),
}
RECENTS, ANCIENS = "recents", "anciens"
TRIS = {RECENTS: _("Les plus récents d'abord"), ANCIENS: _("Les plus anciens d'abord")}
