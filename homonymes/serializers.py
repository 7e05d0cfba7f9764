from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from homonymes.models import Homonyme
from homonymes.vocabulaire import Decision
from socle.api.champs import Booleen
from socle.api.formulaires import Creation
from socle.api.mots import NOM, PRENOM, aides
from socle.api.serializers import Sortie


class HomonymeUpdate(Creation):
    est_la_personne = Booleen(help_text=_("Vrai : elle ne lit pas le dossier. Faux : ce n'est pas elle."))


class HomonymeDetail(Sortie):
    """A name that a case and a member of the staff share; of the case its reference and its team, no word of it."""

    signalement_id = serializers.UUIDField()
    reference = serializers.CharField(source="signalement.reference")
    equipe_id = serializers.UUIDField(
        source="signalement.equipe_id",
        allow_null=True,
        help_text=_("L'équipe à qui le dossier est confié ; null : toutes les personnes qui traitent."),
    )
    compte_id = serializers.UUIDField(help_text=_("Le compte de la personne de l'équipe qui porte ce nom."))
    nom = serializers.CharField(source="compte.nom", help_text=NOM)
    prenom = serializers.CharField(source="compte.prenom", help_text=PRENOM)
    ecarte = serializers.BooleanField(help_text=_("Vrai tant que cette personne ne peut pas lire le dossier."))
    decision = serializers.ChoiceField(
        choices=Decision.choices,
        help_text=_(
            "EN_ATTENTE : à vérifier ; ECARTE : c'est elle, elle ne lit pas le dossier ; AUTRE : ce n'est pas elle."
        ),
    )
    en_retard = serializers.BooleanField(
        source="est_en_retard", help_text=_("true : ce jour est passé, et rien n'est décidé.")
    )

    class Meta:
        model = Homonyme
        fields = (
            "id",
            "signalement_id",
            "reference",
            "equipe_id",
            "compte_id",
            "nom",
            "prenom",
            "ecarte",
            "decision",
            "jusqu_au",
            "en_retard",
            "date_creation",
        )
        extra_kwargs = aides(
            jusqu_au=_("Le dernier jour pour décider."),
            date_creation=_("Quand les deux noms furent rapprochés, en UTC."),
        )
