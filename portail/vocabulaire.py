"""The words of the portal: what a status means to whoever reported, what a type is called."""

from datetime import timedelta

from django.utils.translation import gettext_lazy as _

from socle.domaine.limites import Taux

DUREE = timedelta(hours=12)  # of an access, however much it is used
DUREE_BROUILLON = timedelta(hours=2)
GARDE_ACCES = timedelta(days=1)  # after its end
MOTS_DU_CODE = 6
CODES_FAUX = Taux(1_000, 3600)  # of all addresses together: past it the administrators are told, once
NOM_DE_DOMAINE = "PORTAIL"  # category of the FAQs of « Qui lit ? »

# Type -> (what the choice says, the title drawn from it).
TYPES = {
    "HARCELEMENT": (_("Du harcèlement"), _("Harcèlement")),
    "VIOLENCE": (_("Des violences"), _("Violences")),
    "DISCRIMINATION": (_("Une discrimination"), _("Discrimination")),
    "AGRESSION_SEXUELLE": (_("Une agression sexuelle"), _("Agression sexuelle")),
    "VOL": (_("Un vol"), _("Vol")),
    "AUTRE": (_("Autre chose, ou je ne sais pas"), _("Quelque chose s'est passé")),
}
