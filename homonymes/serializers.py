from rest_framework import serializers

from homonymes.models import Homonyme
from homonymes.vocabulaire import Decision
from socle.api.champs import Booleen
from socle.api.formulaires import Creation
from socle.api.serializers import Sortie


class HomonymeUpdate(Creation):
    est_la_personne = Booleen(help_text="Vrai : elle ne lit pas le dossier. Faux : ce n'est pas elle.")


class HomonymeDetail(Sortie):
    """A name that a case and a member of the staff share; of the case its reference and its team, no word of it."""

    signalement_id = serializers.UUIDField()
    reference = serializers.CharField(source="signalement.reference")
    equipe_id = serializers.UUIDField(source="signalement.equipe_id", allow_null=True)
    compte_id = serializers.UUIDField()
    nom = serializers.CharField(source="compte.nom")
    prenom = serializers.CharField(source="compte.prenom")
    ecarte = serializers.BooleanField(help_text="Vrai tant que cette personne ne peut pas lire le dossier.")
    decision = serializers.ChoiceField(choices=Decision.choices)
    en_retard = serializers.BooleanField(source="est_en_retard")

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
