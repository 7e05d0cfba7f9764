from typing import Any

from django.utils.translation import gettext_lazy as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from resources.models import ContactUrgence, Faq, Fichier, Ressource
from resources.stockage import lien
from resources.vocabulaire import CATEGORIES_CONNUES
from socle.api.champs import AdresseWeb, Entier, Identifiant, Texte, TexteLong, Vocabulaire
from socle.api.formulaires import Creation
from socle.api.serializers import ChampTexte, Sortie, SortieSimple
from socle.domaine.temps import horodatage

# Field of the contract, in English -> column of the model.
COLONNES = {
    "public_url": "url_publique",
    "download_url": "url_telechargement",
    "bucket_id": "seau",
    "file_name": "nom_fichier",
    "mime_type": "type_mime",
    "size_bytes": "taille",
}


@extend_schema_field(OpenApiTypes.BINARY)
class FichierRecu(serializers.FileField):
    default_error_messages = {
        "invalid": _("Un fichier est attendu."),
        "empty": _("Ce fichier est vide."),
        "no_name": _("Ce fichier n'a pas de nom."),
    }


class FichierCreate(Creation):
    file = FichierRecu()


class RessourceUpload(Creation):
    file = FichierRecu()
    titre = Texte(required=False, allow_blank=True, help_text="Sans titre, le nom du fichier.")
    description = TexteLong(required=False, allow_blank=True)
    categorie = Vocabulaire("categorie", connues=CATEGORIES_CONNUES, required=False)


class RessourceCreate(Creation):
    titre = Texte()
    description = TexteLong(required=False, allow_blank=True)
    categorie = Vocabulaire("categorie", connues=CATEGORIES_CONNUES, required=False)
    file_id = Identifiant(required=False, help_text="Un de ses fichiers ; ce qu'il dit de lui-même l'emporte.")
    public_url = AdresseWeb(required=False, help_text="Requis sans `fileId`.")
    download_url = AdresseWeb(required=False)
    bucket_id = Texte(required=False)
    file_name = Texte(required=False)
    mime_type = Texte(required=False, max_length=100)
    size_bytes = Entier(required=False, min_value=0, max_value=2**53)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if not attrs.get("file_id") and not attrs.get("public_url"):
            message = _("Donnez un fichier (fileId) ou une adresse (publicUrl).")
            raise serializers.ValidationError({"publicUrl": message}, code="required")
        return {COLONNES.get(nom, nom): valeur for nom, valeur in attrs.items()}


class FichierDetail(Sortie):
    file_id = serializers.UUIDField(source="id")
    url = serializers.SerializerMethodField()
    file_name = serializers.SerializerMethodField()
    mime_type = serializers.CharField(source="type_mime")
    size_bytes = serializers.IntegerField(source="taille")

    class Meta:
        model = Fichier
        fields = ("file_id", "url", "file_name", "mime_type", "size_bytes", "metadonnees_retirees", "date_creation")

    def get_url(self, fichier: Fichier) -> str:
        return lien(fichier, self.vu_par)

    def get_file_name(self, fichier: Fichier) -> str:
        return fichier.nom_pour(self.vu_par)


class RessourceDetail(Sortie):
    resource_id = serializers.UUIDField(source="id")
    bucket_id = ChampTexte(source="seau", allow_null=True)
    file_id = serializers.UUIDField(source="fichier_id", allow_null=True)
    public_url = serializers.SerializerMethodField()
    download_url = serializers.SerializerMethodField()
    file_name = ChampTexte(source="nom_fichier", allow_null=True)
    mime_type = ChampTexte(source="type_mime", allow_null=True)
    size_bytes = serializers.IntegerField(source="taille")
    cree_par_id = serializers.UUIDField()
    created_at = serializers.SerializerMethodField()

    class Meta:
        model = Ressource
        fields = (
            "id",
            "resource_id",
            "titre",
            "description",
            "categorie",
            "bucket_id",
            "file_id",
            "public_url",
            "download_url",
            "file_name",
            "mime_type",
            "size_bytes",
            "cree_par_id",
            "created_at",
            "date_modification",
        )

    def get_public_url(self, ressource: Ressource) -> str | None:
        return lien(ressource.fichier) if ressource.fichier else ressource.url_publique or None

    def get_download_url(self, ressource: Ressource) -> str | None:
        if ressource.fichier:
            return lien(ressource.fichier)
        return ressource.url_telechargement or ressource.url_publique or None

    def get_created_at(self, ressource: Ressource) -> str:
        return horodatage(ressource.date_creation)


class RessourceSupprimee(SortieSimple):
    id = serializers.UUIDField()
    deleted = serializers.BooleanField(source="est_supprimee")


class FaqDetail(Sortie):
    class Meta:
        model = Faq
        fields = ("id", "question", "reponse", "categorie", "ordre")


class ContactUrgenceDetail(Sortie):
    class Meta:
        model = ContactUrgence
        fields = ("id", "nom", "description", "telephone", "email", "disponibilite", "ordre")
