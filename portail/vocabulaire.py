"""The words of the portal: what a status means to whoever reported, what a type is called."""

from datetime import timedelta

from django.utils.translation import gettext_lazy as _

from signalements.vocabulaire import TITRE_SANS_TYPE
from socle.domaine.fusions import Action
from socle.domaine.limites import Taux

DUREE = timedelta(hours=12)  # of an access, however much it is used
DUREE_BROUILLON = timedelta(hours=2)
GARDE_ACCES = timedelta(days=1)  # after its end
MOTS_DU_CODE = 6
PREUVE = timedelta(minutes=10)  # how long six words, typed or shown, prove whose space it is
ESSAIS = 5  # wrong tries of an access, which ends at the last
GARDE_ANCIEN_CODE = timedelta(days=30)  # of the hash of former words, which say that they open nothing any more
CODES_FAUX = Taux(1_000, 3600)  # of all addresses together: past it the administrators are told, once
# Page -> language -> category of the FAQs that write it: French stands in for a language that has none.
ECRITES = {
    "qui_lit": {"fr": "PORTAIL", "en": "PORTAIL_EN"},
    "confidentialite": {"fr": "PORTAIL_CONFIDENTIALITE", "en": "PORTAIL_CONFIDENTIALITE_EN"},
    "mentions": {"fr": "PORTAIL_MENTIONS", "en": "PORTAIL_MENTIONS_EN"},
    "droits": {"fr": "PORTAIL_DROITS", "en": "PORTAIL_DROITS_EN"},
}

ACTIONS = {
    Action.KEEP_TARGET: _("Garder le texte de mon compte"),
    Action.KEEP_GUEST: _("Garder le texte d'ici"),
    Action.MERGE_FIELDS: _("Compléter l'un par l'autre"),
    Action.SKIP: _("Garder les deux dossiers"),
}
GARDER_LES_DEUX_CONVERSATIONS = _("Garder les deux conversations")
# Type -> (what the choice says, the title drawn from it).
TYPES = {
    "HARCELEMENT": (_("Du harcèlement"), _("Harcèlement")),
    "VIOLENCE": (_("Des violences"), _("Violences")),
    "DISCRIMINATION": (_("Une discrimination"), _("Discrimination")),
    "AGRESSION_SEXUELLE": (_("Une agression sexuelle"), _("Agression sexuelle")),
    "VOL": (_("Un vol"), _("Vol")),
    "AUTRE": (_("Autre chose, ou je ne sais pas"), TITRE_SANS_TYPE),
}
