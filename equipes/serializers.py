from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from equipes.models import Equipe, RegleDeRoutage
from equipes.vocabulaire import DESCRIPTION_MAX, NOM_MAX, ORDRE_MAX, VALEURS_MAX
from socle.api.champs import Booleen, Entier, Identifiant, Texte, TexteLong, Vocabulaire
from socle.api.formulaires import Creation, Modification
from socle.api.mots import NOM, PRENOM, aides
from socle.api.serializers import ChampDate, Sortie, SortieSimple

ORDRE = _("Le rang de la règle, de 0 à 9 999 : les plus petits d'abord.")
ACTIVE = _("true : les nouveaux dossiers la suivent ; false : elle s'essaie seulement.")
LUE = _("Ce que lit qui signale, avant d'envoyer.")


class EquipeCreate(Creation):
    nom = Texte(max_length=NOM_MAX, help_text=_("Un nom qu'aucune autre équipe ne porte, sans égard à la casse."))
    description = TexteLong(required=False, allow_blank=True, max_length=DESCRIPTION_MAX, help_text=LUE)


class EquipeUpdate(Modification):
    nom = Texte(max_length=NOM_MAX, help_text=_("Un nom qu'aucune autre équipe ne porte, sans égard à la casse."))
    description = TexteLong(allow_blank=True, max_length=DESCRIPTION_MAX, help_text=LUE)
    responsable_id = Identifiant(allow_null=True, help_text=_("Une personne qui est de l'équipe ; null : personne."))
    active = Booleen(help_text=_("Fausse : personne n'en lit plus les dossiers ; elle n'est jamais supprimée."))


class MembreCreate(Creation):
    compte_id = Identifiant(
        help_text=_("Le compte d'une personne active qui traite les signalements ; tout autre : 422.")
    )


class EquipeDetail(Sortie):
    """A team, and whether whoever asks reads its cases; its members are asked for apart."""

    responsable_id = serializers.UUIDField(
        allow_null=True, help_text=_("Le compte de la personne responsable, qui est de l'équipe ; null : personne.")
    )
    responsable_nom = serializers.CharField(
        source="responsable.nom_complet",
        allow_null=True,
        default=None,
        help_text=_("Le nom de la personne responsable ; null : personne."),
    )
    membre = serializers.BooleanField(help_text=_("Vrai pour qui lit les dossiers de cette équipe."))

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
        extra_kwargs = aides(
            description=_("Ce que lit qui signale, avant d'envoyer ; null : rien."),
            nom=_("Comment l'équipe s'appelle, aussi pour qui signale."),
            active=_("false : personne n'en lit plus les dossiers, et elle n'en reçoit pas."),
        )


class MembreDetail(SortieSimple):
    """One person of a team: `accepteLe` null waits for the yes of somebody else, and reads nothing."""

    id = serializers.UUIDField(
        source="compte.pk", help_text=_("Le compte de cette personne ; c'est le `membre_id` des chemins.")
    )
    nom = serializers.CharField(source="compte.nom", help_text=NOM)
    prenom = serializers.CharField(source="compte.prenom", help_text=PRENOM)
    par = serializers.CharField(
        source="par.nom_complet",
        allow_null=True,
        default=None,
        help_text=_("Le nom de qui l'a ajoutée, ou le lui a accordé ; null : ce n'est pas gardé."),
    )
    accepte_le = ChampDate(
        allow_null=True,
        help_text=_(
            "Depuis quand elle lit les dossiers de l'équipe, en UTC ; null : elle attend l'accord de quelqu'un d'autre."
        ),
    )
    date_creation = ChampDate(help_text=_("Quand cette personne fut ajoutée, en UTC."))


class Bureau(Texte):
    """A `bureauGenreId`, compared as it is: none that holds a guest id is kept otherwise."""

    est_exact = True


def _types() -> serializers.ListField:
    return serializers.ListField(
        child=Vocabulaire("type_signalement"), max_length=VALEURS_MAX, required=False, help_text=_("Vide : tous.")
    )


def _bureaux() -> serializers.ListField:
    return serializers.ListField(
        child=Bureau(max_length=64),
        max_length=VALEURS_MAX,
        required=False,
        help_text=_("Des `bureauGenreId`, au caractère près ; vide : tous, et sans."),
    )


class RegleCreate(Creation):
    types = _types()
    bureaux = _bureaux()
    equipe_id = Identifiant(help_text=_("L'équipe active à qui vont les dossiers."))
    gestionnaire_id = Identifiant(
        required=False, help_text=_("Une personne de l'équipe, à qui chaque dossier est confié.")
    )
    ordre = Entier(required=False, min_value=0, max_value=ORDRE_MAX, help_text=_("Absent : la dernière."))
    active = Booleen(required=False, help_text=_("Fausse par défaut : on l'essaie d'abord."))


class RegleUpdate(Modification):
    types = _types()
    bureaux = _bureaux()
    equipe_id = Identifiant(help_text=_("L'équipe active à qui vont les dossiers."))
    gestionnaire_id = Identifiant(
        allow_null=True, help_text=_("Une personne de l'équipe, à qui chaque dossier est confié ; null : personne.")
    )
    ordre = Entier(min_value=0, max_value=ORDRE_MAX, help_text=ORDRE)
    active = Booleen(help_text=ACTIVE)


class RegleDetail(Sortie):
    types = serializers.ListField(
        child=serializers.CharField(), help_text=_("Les types de signalement qui lui conviennent ; vide : tous.")
    )
    bureaux = serializers.ListField(
        child=serializers.CharField(),
        help_text=_("Les `bureauGenreId` qui lui conviennent, au caractère près ; vide : tous, et sans."),
    )
    equipe_id = serializers.UUIDField(help_text=_("L'équipe à qui vont les dossiers."))
    equipe_nom = serializers.CharField(source="equipe.nom", help_text=_("Le nom de cette équipe."))
    gestionnaire_id = serializers.UUIDField(
        allow_null=True, help_text=_("La personne à qui chaque dossier est confié ; null : personne.")
    )
    gestionnaire_nom = serializers.CharField(
        source="gestionnaire.nom_complet",
        allow_null=True,
        default=None,
        help_text=_("Le nom de cette personne ; null : personne."),
    )

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
        extra_kwargs = aides(
            ordre=ORDRE,
            active=ACTIVE,
        )


class EssaiDeRoutage(Creation):
    type = Vocabulaire("type_signalement", help_text=_("Le type du dossier d'exemple."))
    bureau_genre_id = Texte(
        required=False, allow_blank=True, max_length=64, help_text=_("Le bureau du dossier d'exemple ; absent : sans.")
    )


class EssaiDetail(SortieSimple):
    """Answer of the rules about an example: nothing is written, and nobody is told."""

    suivie = RegleDetail(allow_null=True, help_text=_("La règle active qu'un tel dossier suivrait ; null : aucune."))
    conviennent = RegleDetail(
        many=True, help_text=_("Toutes celles qui lui conviennent, actives ou non, dans l'ordre.")
    )
