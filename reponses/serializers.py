from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers

from reponses.models import AccuseAutomatique, ModeleDeReponse, Orientation, refus_des_variables
from reponses.vocabulaire import AUTOMATIQUE, MODELE_MAX, ORDRE_MAX, ORIENTATION_MAX, TITRE_MAX
from signalements.vocabulaire import TYPES_CONNUS, Statut
from socle.api.champs import Booleen, Choix, Entier, Texte, TexteLong, Vocabulaire
from socle.api.formulaires import Creation, Modification
from socle.api.serializers import Sortie

DE_TOUS = "null : tous."
VIDES = {"type": "", "statut": "", "texte_fr": "", "texte_en": ""}


class TexteAVariables(TexteLong):
    """Prose with our variables between braces; any other word between braces is refused by its name."""

    def __init__(self, **options: Any) -> None:
        super().__init__(max_length=MODELE_MAX, allow_blank=True, **options)

    def to_internal_value(self, data: Any) -> str:
        texte = super().to_internal_value(data)
        if refus := refus_des_variables(texte):
            raise serializers.ValidationError(refus, code="variable")
        return texte


def _langue(maximum: int, **options: Any) -> TexteLong:
    return TexteLong(max_length=maximum, allow_blank=True, **options)


def _sans_nuls(attrs: dict[str, Any]) -> dict[str, Any]:
    """Replace null by the empty value of its column."""
    return {nom: VIDES[nom] if valeur is None else valeur for nom, valeur in attrs.items()}


class ModeleDeReponseCreate(Creation):
    titre = Texte(max_length=TITRE_MAX)
    texte_fr = TexteAVariables(required=False, help_text="L'un au moins des deux textes.")
    texte_en = TexteAVariables(required=False)
    type = Vocabulaire("type_signalement", connues=TYPES_CONNUS, required=False)
    statut = Choix(choices=Statut.choices, required=False, help_text="Absent : tous.")
    ordre = Entier(required=False, min_value=0, max_value=ORDRE_MAX, help_text="Absent : le dernier.")
    actif = Booleen(required=False)
    automatique = Booleen(required=False, help_text="Elle répond d'elle-même à chaque nouveau signalement.")


class ModeleDeReponseUpdate(Modification):
    titre = Texte(max_length=TITRE_MAX)
    texte_fr = TexteAVariables(allow_null=True)
    texte_en = TexteAVariables(allow_null=True)
    type = Vocabulaire("type_signalement", connues=TYPES_CONNUS, allow_null=True)
    statut = Choix(choices=Statut.choices, allow_null=True, help_text=DE_TOUS)
    ordre = Entier(min_value=0, max_value=ORDRE_MAX)
    actif = Booleen()
    automatique = Booleen()

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        return _sans_nuls(attrs)


class OrientationCreate(Creation):
    type = Vocabulaire("type_signalement", connues=TYPES_CONNUS)
    texte_fr = _langue(ORIENTATION_MAX, required=False, help_text="L'un au moins des deux textes.")
    texte_en = _langue(ORIENTATION_MAX, required=False)


class OrientationUpdate(Modification):
    type = Vocabulaire("type_signalement", connues=TYPES_CONNUS)
    texte_fr = _langue(ORIENTATION_MAX, allow_null=True)
    texte_en = _langue(ORIENTATION_MAX, allow_null=True)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        return _sans_nuls(attrs)


class ModeleDeReponsePropose(Sortie):
    """A template as whoever answers reads it, in one language."""

    texte = serializers.CharField(source="lu.texte")
    langue = serializers.CharField(source="lu.langue", help_text="Celle de `texte` : fr ou en.")

    class Meta:
        model = ModeleDeReponse
        fields = ("id", "titre", "texte", "langue")


class ModeleDeReponseDetail(Sortie):
    """A template as administrators write it."""

    class Meta:
        model = ModeleDeReponse
        fields = (
            "id",
            "titre",
            "texte_fr",
            "texte_en",
            "type",
            "statut",
            "ordre",
            "actif",
            "automatique",
            "date_creation",
            "date_modification",
        )


class OrientationDetail(Sortie):
    class Meta:
        model = Orientation
        fields = ("id", "type", "texte_fr", "texte_en", "date_modification")


class AccuseDetail(Sortie):
    """In the form of a message, of nobody: « Équipe »."""

    contenu = serializers.CharField(source="montre.texte")
    langue = serializers.CharField(source="montre.langue", help_text="Celle de `contenu` : de qui lit, ou l'autre.")
    auteur_id = serializers.UUIDField(allow_null=True, default=None, help_text="Nul : personne ne l'a écrit.")
    auteur_nom = serializers.SerializerMethodField()
    type = serializers.SerializerMethodField(help_text="AUTOMATIQUE.")

    class Meta:
        model = AccuseAutomatique
        fields = ("signalement_id", "contenu", "langue", "auteur_id", "auteur_nom", "type", "date_creation")

    def get_auteur_nom(self, accuse: AccuseAutomatique) -> str:
        return str(_("Équipe"))

    def get_type(self, accuse: AccuseAutomatique) -> str:
        return AUTOMATIQUE
