from rest_framework import serializers

from equipes.models import Equipe, RegleDeRoutage
from equipes.vocabulaire import DESCRIPTION_MAX, NOM_MAX, ORDRE_MAX, VALEURS_MAX
from socle.api.champs import Booleen, Entier, Identifiant, Texte, TexteLong, Vocabulaire
from socle.api.formulaires import Creation, Modification
from socle.api.serializers import ChampDate, Sortie, SortieSimple

LUE = "Ce que lit qui signale, avant d'envoyer."


class EquipeCreate(Creation):
    nom = Texte(max_length=NOM_MAX)
    description = TexteLong(required=False, allow_blank=True, max_length=DESCRIPTION_MAX, help_text=LUE)


class EquipeUpdate(Modification):
    nom = Texte(max_length=NOM_MAX)
    description = TexteLong(allow_blank=True, max_length=DESCRIPTION_MAX, help_text=LUE)
    responsable_id = Identifiant(allow_null=True, help_text="Une personne qui est de l'équipe ; null : personne.")
    active = Booleen(help_text="Fausse : personne n'en lit plus les dossiers ; elle n'est jamais supprimée.")


class MembreCreate(Creation):
    compte_id = Identifiant()


class EquipeDetail(Sortie):
    """A team, and whether whoever asks reads its cases; its members are asked for apart."""

    responsable_id = serializers.UUIDField(allow_null=True)
    responsable_nom = serializers.CharField(source="responsable.nom_complet", allow_null=True, default=None)
    membre = serializers.BooleanField(help_text="Vrai pour qui lit les dossiers de cette équipe.")

    class Meta:
        model = Equipe
        fields = (
            "id",
            "nom",
            "description",
            "active",
            "responsable_id",
            "responsable_nom",
            "membre",
            "date_creation",
            "date_modification",
        )


class MembreDetail(SortieSimple):
    """One person of a team: `accepteLe` null waits for the yes of somebody else, and reads nothing."""

    id = serializers.UUIDField(source="compte.pk")
    nom = serializers.CharField(source="compte.nom")
    prenom = serializers.CharField(source="compte.prenom")
    par = serializers.CharField(source="par.nom_complet", allow_null=True, default=None)
    accepte_le = ChampDate(allow_null=True)
    date_creation = ChampDate()


class Bureau(Texte):
    """A `bureauGenreId`, compared as it is: none that holds a guest id is kept otherwise."""

    est_exact = True


def _types() -> serializers.ListField:
    return serializers.ListField(
        child=Vocabulaire("type_signalement"), max_length=VALEURS_MAX, required=False, help_text="Vide : tous."
    )


def _bureaux() -> serializers.ListField:
    return serializers.ListField(
        child=Bureau(max_length=64),
        max_length=VALEURS_MAX,
        required=False,
        help_text="Des `bureauGenreId`, au caractère près ; vide : tous, et sans.",
    )


class RegleCreate(Creation):
    types = _types()
    bureaux = _bureaux()
    equipe_id = Identifiant()
    gestionnaire_id = Identifiant(
        required=False, help_text="Une personne de l'équipe, à qui chaque dossier est confié."
    )
    ordre = Entier(required=False, min_value=0, max_value=ORDRE_MAX, help_text="Absent : la dernière.")
    active = Booleen(required=False, help_text="Fausse par défaut : on l'essaie d'abord.")


class RegleUpdate(Modification):
    types = _types()
    bureaux = _bureaux()
    equipe_id = Identifiant()
    gestionnaire_id = Identifiant(allow_null=True)
    ordre = Entier(min_value=0, max_value=ORDRE_MAX)
    active = Booleen()


class RegleDetail(Sortie):
    types = serializers.ListField(child=serializers.CharField())
    bureaux = serializers.ListField(child=serializers.CharField())
    equipe_id = serializers.UUIDField()
    equipe_nom = serializers.CharField(source="equipe.nom")
    gestionnaire_id = serializers.UUIDField(allow_null=True)
    gestionnaire_nom = serializers.CharField(source="gestionnaire.nom_complet", allow_null=True, default=None)

    class Meta:
        model = RegleDeRoutage
        fields = (
            "id",
            "ordre",
            "types",
            "bureaux",
            "equipe_id",
            "equipe_nom",
            "gestionnaire_id",
            "gestionnaire_nom",
            "active",
            "date_creation",
            "date_modification",
        )


class EssaiDeRoutage(Creation):
    type = Vocabulaire("type_signalement")
    bureau_genre_id = Texte(required=False, allow_blank=True, max_length=64)


class EssaiDetail(SortieSimple):
    """Answer of the rules about an example: nothing is written, and nobody is told."""

    suivie = RegleDetail(allow_null=True, help_text="La règle active qu'un tel dossier suivrait ; null : aucune.")
    conviennent = RegleDetail(many=True, help_text="Toutes celles qui lui conviennent, actives ou non, dans l'ordre.")
