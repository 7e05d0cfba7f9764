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
from socle.api.mots import aides
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


DE_QUOI = _("De quoi elle parle, en texte libre.")


@extend_schema_field(OpenApiTypes.BINARY)
class FichierRecu(serializers.FileField):
    default_error_messages = {
        "invalid": _("Un fichier est attendu."),
        "empty": _("Ce fichier est vide."),
        "no_name": _("Ce fichier n'a pas de nom."),
    }


class FichierCreate(Creation):
    file = FichierRecu(help_text=_("Le fichier ; au-delà de `maxFileSizeMb` (`GET /config`) : 413."))


class RessourceUpload(Creation):
    file = FichierRecu(help_text=_("Le fichier ; au-delà de `resourceMaxFileSizeMb` (`GET /config`) : 413."))
    titre = Texte(required=False, allow_blank=True, help_text=_("Sans titre, le nom du fichier."))
    description = TexteLong(required=False, allow_blank=True, help_text=DE_QUOI)
    categorie = Vocabulaire("categorie", connues=CATEGORIES_CONNUES, required=False)


class RessourceCreate(Creation):
    titre = Texte(help_text=_("Le nom de la ressource, en une ligne."))
    description = TexteLong(required=False, allow_blank=True, help_text=DE_QUOI)
    categorie = Vocabulaire("categorie", connues=CATEGORIES_CONNUES, required=False)
    file_id = Identifiant(required=False, help_text=_("Un de ses fichiers ; ce qu'il dit de lui-même l'emporte."))
    public_url = AdresseWeb(required=False, help_text=_("Requis sans `fileId`."))
    download_url = AdresseWeb(
        required=False,
        help_text=_("L'adresse qui télécharge, si elle n'est pas `publicUrl` ; sans effet avec `fileId`."),
    )
    bucket_id = Texte(required=False, help_text=_("Où le fichier est rangé ailleurs ; sans effet avec `fileId`."))
    file_name = Texte(required=False, help_text=_("Le nom du fichier ; sans effet avec `fileId`."))
    mime_type = Texte(
        required=False, max_length=100, help_text=_("Le type MIME du fichier ; sans effet avec `fileId`.")
    )
    size_bytes = Entier(
        required=False,
        min_value=0,
        max_value=2**53,
        help_text=_("La taille du fichier, en octets ; sans effet avec `fileId`."),
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if not attrs.get("file_id") and not attrs.get("public_url"):
            message = _("Donnez un fichier (fileId) ou une adresse (publicUrl).")
            raise serializers.ValidationError({"publicUrl": message}, code="required")
        return {COLONNES.get(nom, nom): valeur for nom, valeur in attrs.items()}


class FichierDetail(Sortie):
    file_id = serializers.UUIDField(
        source="id", help_text=_("L'identifiant du fichier, à donner dans `piecesJointes`.")
    )
    url = serializers.SerializerMethodField(
        help_text=_("Une adresse signée qui rend le fichier pendant une heure, sans autre identifiant.")
    )
    file_name = serializers.SerializerMethodField(
        help_text=_(
            "Le nom sous lequel il fut envoyé ; pour autrui, un nom neutre tant qu'il peut dire qui l'a envoyé."
        )
    )
    mime_type = serializers.CharField(source="type_mime", help_text=_("Le type MIME, jugé par le contenu."))
    size_bytes = serializers.IntegerField(source="taille", help_text=_("Sa taille telle qu'il est gardé, en octets."))

    class Meta:
        model = Fichier
        fields = ("file_id", "url", "file_name", "mime_type", "size_bytes", "metadonnees_retirees", "date_creation")
        extra_kwargs = aides(
            metadonnees_retirees=_(
                "true : lieu, appareil, auteur et contenu caché en ont été ôtés ; false : gardé tel quel."
            ),
            date_creation=_("Quand il fut envoyé, en UTC."),
        )

    def get_url(self, fichier: Fichier) -> str:
        return lien(fichier, self.vu_par)

    def get_file_name(self, fichier: Fichier) -> str:
        return fichier.nom_pour(self.vu_par)


class RessourceDetail(Sortie):
    resource_id = serializers.UUIDField(source="id", help_text=_("Le même que `id`."))
    bucket_id = ChampTexte(
        source="seau",
        allow_null=True,
        help_text=_("Où le fichier est rangé : `local`, ou le nom d'un seau ; null : ce n'est pas dit."),
    )
    file_id = serializers.UUIDField(
        source="fichier_id",
        allow_null=True,
        help_text=_("Le fichier de ce service qu'elle donne ; null : elle mène ailleurs, ou il fut supprimé."),
    )
    public_url = serializers.SerializerMethodField(
        help_text=_("L'adresse où on la lit, signée et valable une heure pour un fichier d'ici ; null : aucune.")
    )
    download_url = serializers.SerializerMethodField(
        help_text=_("L'adresse qui la télécharge, signée et valable une heure pour un fichier d'ici ; null : aucune.")
    )
    file_name = ChampTexte(
        source="nom_fichier", allow_null=True, help_text=_("Le nom du fichier ; null : ce n'est pas dit.")
    )
    mime_type = ChampTexte(
        source="type_mime", allow_null=True, help_text=_("Le type MIME du fichier ; null : ce n'est pas dit.")
    )
    size_bytes = serializers.IntegerField(
        source="taille", help_text=_("La taille du fichier, en octets ; 0 : ce n'est pas dit.")
    )
    cree_par_id = serializers.UUIDField(help_text=_("Le compte qui l'a ajoutée."))
    created_at = serializers.SerializerMethodField(help_text=_("Quand elle fut ajoutée, en UTC."))

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
        extra_kwargs = aides(
            titre=_("Le nom de la ressource, en une ligne."),
            description=_("De quoi elle parle, en texte libre ; null : rien."),
            categorie=_("Un mot en capitales, comme DOCUMENT ; une installation peut en admettre d'autres."),
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
    deleted = serializers.BooleanField(source="est_supprimee", help_text=_("Toujours true."))


class FaqDetail(Sortie):
    class Meta:
        model = Faq
        fields = ("id", "question", "reponse", "categorie", "ordre")
        extra_kwargs = aides(
            question=_("La question, en une ligne."),
            reponse=_("La réponse, en texte simple, sauts de ligne compris."),
            categorie=_("Un mot en capitales, que l'équipe choisit."),
        )


class ContactUrgenceDetail(Sortie):
    class Meta:
        model = ContactUrgence
        fields = ("id", "nom", "description", "telephone", "email", "disponibilite", "ordre")
        extra_kwargs = aides(
            nom=_("Qui l'on joint."),
            description=_("Ce que fait ce contact, et pour qui ; null : ce n'est pas dit."),
            telephone=_("Un numéro tel que l'équipe l'a écrit, court parfois ; null : aucun."),
            email=_("Une adresse e-mail ; null : aucune."),
            disponibilite=_("Quand on peut le joindre, en peu de mots ; null : ce n'est pas dit."),
        )
