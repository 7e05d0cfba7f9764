from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from reponses.models import AccuseAutomatique, ModeleDeReponse, Orientation, refus_des_variables
from reponses.vocabulaire import AUTOMATIQUE, MODELE_MAX, ORDRE_MAX, ORIENTATION_MAX, TITRE_MAX
from signalements.vocabulaire import TYPES_CONNUS, Statut
from socle.api.champs import Booleen, Choix, Entier, Texte, TexteLong, Vocabulaire
from socle.api.formulaires import Creation, Modification
from socle.api.mots import aides
from socle.api.serializers import Sortie

TITRE = _("Ce que l'équipe lit dans la liste.")
EN_FRANCAIS = _("Le texte en français ; null : en anglais seulement.")
EN_ANGLAIS = _("Le texte en anglais ; null : en français seulement.")
ORDRE = _("Les plus petits d'abord.")
ACTIF = _("true : elle est proposée à l'équipe, ou part d'elle-même ; false : elle est gardée sans servir.")
AUTOMATIQUEMENT = _("true : elle répond d'elle-même à chaque nouveau signalement.")
DU_TYPE = _("Le type de signalement auquel elle convient ; null : tous.")
DE_TOUS = _("null : tous.")
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
    titre = Texte(max_length=TITRE_MAX, help_text=TITRE)
    texte_fr = TexteAVariables(required=False, help_text=_("L'un au moins des deux textes."))
    texte_en = TexteAVariables(required=False, help_text=_("L'un au moins des deux textes."))
    type = Vocabulaire("type_signalement", connues=TYPES_CONNUS, required=False)
    statut = Choix(choices=Statut.choices, required=False, help_text=_("Absent : tous."))
    ordre = Entier(required=False, min_value=0, max_value=ORDRE_MAX, help_text=_("Absent : le dernier."))
    actif = Booleen(required=False, help_text=_("Faux : gardée sans être proposée ; vrai par défaut."))
    automatique = Booleen(required=False, help_text=_("Elle répond d'elle-même à chaque nouveau signalement."))


class ModeleDeReponseUpdate(Modification):
    titre = Texte(max_length=TITRE_MAX, help_text=TITRE)
    texte_fr = TexteAVariables(allow_null=True, help_text=EN_FRANCAIS)
    texte_en = TexteAVariables(allow_null=True, help_text=EN_ANGLAIS)
    type = Vocabulaire("type_signalement", allow_null=True, help_text=DU_TYPE)
    statut = Choix(choices=Statut.choices, allow_null=True, help_text=DE_TOUS)
    ordre = Entier(min_value=0, max_value=ORDRE_MAX, help_text=ORDRE)
    actif = Booleen(help_text=ACTIF)
    automatique = Booleen(help_text=AUTOMATIQUEMENT)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        return _sans_nuls(attrs)


class OrientationCreate(Creation):
    type = Vocabulaire("type_signalement", connues=TYPES_CONNUS)
    texte_fr = _langue(ORIENTATION_MAX, required=False, help_text=_("L'un au moins des deux textes."))
    texte_en = _langue(ORIENTATION_MAX, required=False, help_text=_("L'un au moins des deux textes."))


class OrientationUpdate(Modification):
    type = Vocabulaire("type_signalement", connues=TYPES_CONNUS)
    texte_fr = _langue(ORIENTATION_MAX, allow_null=True, help_text=EN_FRANCAIS)
    texte_en = _langue(ORIENTATION_MAX, allow_null=True, help_text=EN_ANGLAIS)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        return _sans_nuls(attrs)


class ModeleDeReponsePropose(Sortie):
    """A template as whoever answers reads it, in one language."""

    texte = serializers.CharField(
        source="lu.texte", help_text=_("Le texte à relire ; ses variables sont remplies si un signalement est donné.")
    )
    langue = serializers.CharField(source="lu.langue", help_text=_("Celle de `texte` : fr ou en."))

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
        extra_kwargs = aides(
            texte_fr=EN_FRANCAIS,
            texte_en=EN_ANGLAIS,
            type=DU_TYPE,
            statut=_("Le statut auquel elle convient ; null : tous."),
            actif=ACTIF,
        )


class OrientationDetail(Sortie):
    class Meta:
        model = Orientation
        fields = ("id", "type", "texte_fr", "texte_en", "date_modification")
        extra_kwargs = aides(
            type=_("Le type de signalement dont elle parle ; chacun a une orientation au plus."),
            texte_fr=EN_FRANCAIS,
            texte_en=EN_ANGLAIS,
        )


class AccuseDetail(Sortie):
    """In the form of a message, of nobody: « Équipe »."""

    contenu = serializers.CharField(
        source="montre.texte", help_text=_("Le texte qui fut envoyé, sauts de ligne compris.")
    )
    langue = serializers.CharField(source="montre.langue", help_text=_("Celle de `contenu` : de qui lit, ou l'autre."))
    auteur_id = serializers.UUIDField(allow_null=True, default=None, help_text=_("Nul : personne ne l'a écrit."))
    auteur_nom = serializers.SerializerMethodField(help_text=_("Toujours « Équipe », dans la langue de la requête."))
    type = serializers.SerializerMethodField(help_text=_("Toujours AUTOMATIQUE."))

    class Meta:
        model = AccuseAutomatique
        fields = ("signalement_id", "contenu", "langue", "auteur_id", "auteur_nom", "type", "date_creation")
        extra_kwargs = aides(
            signalement_id=_("Le dossier auquel il a répondu, parfois un dossier joint depuis à celui du chemin."),
            date_creation=_("Quand il est parti, en UTC."),
        )

    def get_auteur_nom(self, accuse: AccuseAutomatique) -> str:
        return str(_("Équipe"))

    def get_type(self, accuse: AccuseAutomatique) -> str:
        return AUTOMATIQUE
