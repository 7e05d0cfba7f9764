import re
from collections.abc import Mapping
from datetime import date
from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from calendrier import services
from calendrier.models import EvenementCampus, Participation
from calendrier.vocabulaire import MOTS, PUBLICS_CONNUS, TYPES_CONNUS, StatutParticipation
from socle.api.champs import AdresseWeb, Booleen, Choix, DateHeure, Entier, Texte, TexteLong, Vocabulaire
from socle.api.formulaires import Creation, Modification
from socle.api.serializers import ChampDate, Regard, Sortie, SortieSimple
from socle.domaine.canonique import StatutCanonique
from socle.erreurs import ChampsInvalides, Details
from socle.moteur.sorties import rendre_un

DISCRET = (
    "true : aucun e-mail ne nomme l'événement, ni ne dit où et quand il a lieu ; aucun ne joint son fichier d'agenda."
)


class Mots(serializers.ListField):
    """A few words, in the order given, each once."""

    def __init__(self, *, child: Any, **options: Any) -> None:
        super().__init__(child=child, max_length=MOTS, required=False, **options)

    def to_internal_value(self, data: Any) -> list[Any]:
        return list(dict.fromkeys(super().to_internal_value(data)))


def _tags(**options: Any) -> Mots:
    return Mots(child=Texte(max_length=50), **options)


def _public(**options: Any) -> Mots:
    return Mots(child=Vocabulaire("public_cible", connues=PUBLICS_CONNUS), **options)


class CalendrierCreate(Creation):
    titre = Texte()
    description = TexteLong(required=False, allow_blank=True)
    type = Vocabulaire("type_evenement", connues=TYPES_CONNUS)
    date_debut = DateHeure()
    date_fin = DateHeure(help_text="Après `dateDebut`.")
    lieu = Texte(required=False, allow_blank=True)
    est_en_ligne = Booleen(required=False)
    lien_en_ligne = AdresseWeb(required=False, allow_blank=True)
    nb_max_participants = Entier(required=False, min_value=1, help_text="Absent : sans limite.")
    image_url = AdresseWeb(required=False, allow_blank=True)
    tags = _tags()
    public_cible = _public()
    discret = Booleen(required=False, help_text=DISCRET)

    def refus_du_service(self, bons: Mapping[str, Any]) -> Details:
        return services.refus_des_dates(bons.get("date_debut"), bons.get("date_fin"))


class CalendrierUpdate(Modification):
    titre = Texte()
    description = TexteLong(allow_blank=True, allow_null=True)
    type = Vocabulaire("type_evenement", connues=TYPES_CONNUS)
    date_debut = DateHeure()
    date_fin = DateHeure(help_text="Après `dateDebut`.")
    lieu = Texte(allow_blank=True, allow_null=True)
    est_en_ligne = Booleen(allow_null=True)
    lien_en_ligne = AdresseWeb(allow_blank=True, allow_null=True)
    nb_max_participants = Entier(min_value=1, allow_null=True, help_text="null : sans limite.")
    image_url = AdresseWeb(allow_blank=True, allow_null=True)
    tags = _tags(allow_null=True)
    public_cible = _public(allow_null=True)
    discret = Booleen(allow_null=True, help_text=DISCRET)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Replace null by the empty value of the field's type."""
        vides: dict[str, Any] = {
            "est_en_ligne": False,
            "nb_max_participants": None,
            "tags": [],
            "public_cible": [],
            "discret": False,
        }
        return {nom: vides.get(nom, "") if valeur is None else valeur for nom, valeur in attrs.items()}


class StatutParticipationUpdate(Creation):
    statut = Choix(choices=StatutParticipation.choices)


class EvenementCampusDetail(Sortie):
    """An event as its reader sees it. As an event of a channel it has no reader; `statut` names that of one person."""

    statut_canonique = serializers.ChoiceField(choices=StatutCanonique.choices)
    tags = serializers.ListField(child=serializers.CharField())
    public_cible = serializers.ListField(child=serializers.CharField())
    nb_participants = serializers.IntegerField(help_text="Les participations CONFIRMED.")
    places_restantes = serializers.IntegerField(allow_null=True, help_text="null : sans limite.")
    est_complet = serializers.BooleanField()
    ma_participation = serializers.ChoiceField(
        choices=StatutParticipation.choices, allow_null=True, help_text="Celle de qui lit."
    )
    organisateur_id = serializers.UUIDField()

    class Meta:
        model = EvenementCampus
        fields = (
            "id",
            "titre",
            "description",
            "type",
            "date_debut",
            "date_fin",
            "lieu",
            "est_en_ligne",
            "lien_en_ligne",
            "nb_max_participants",
            "image_url",
            "tags",
            "public_cible",
            "discret",
            "statut",
            "statut_canonique",
            "nb_participants",
            "places_restantes",
            "est_complet",
            "ma_participation",
            "organisateur_id",
            "date_creation",
            "date_modification",
        )
        extra_kwargs = {"discret": {"help_text": DISCRET}}

    def to_representation(self, instance: EvenementCampus) -> Any:
        rendu = super().to_representation(instance)
        if self.regard.evenement:
            del rendu["maParticipation"]
        return rendu


class ParticipantDetail(Sortie):
    event_id = serializers.UUIDField(source="evenement_id")
    user_id = serializers.UUIDField(source="compte_id")
    statut = serializers.ChoiceField(choices=StatutParticipation.choices, source="statut_montre")
    nom = serializers.CharField(source="compte.nom")
    prenom = serializers.CharField(source="compte.prenom")
    email = serializers.CharField(source="compte.email")

    class Meta:
        model = Participation
        fields = (
            "id",
            "event_id",
            "user_id",
            "statut",
            "nom",
            "prenom",
            "email",
            "date_inscription",
            "date_modification",
        )


class FluxDetail(SortieSimple):
    url = serializers.CharField(help_text="À garder pour soi : qui l'a lit ce calendrier.")
    date_creation = ChampDate()


def pour_tous(evenement: EvenementCampus) -> dict[str, Any]:
    """Event payload for a shared channel: without the status of any reader."""
    return rendre_un(EvenementCampusDetail, evenement, Regard(evenement=True).contexte)


def pour_participant(evenement: EvenementCampus, statut: str) -> dict[str, Any]:
    """Event payload for a person's own channel: with their status."""
    return {**pour_tous(evenement), "maParticipation": statut}


def lire_jour(texte: str) -> date:
    """The day of a path, YYYY-MM-DD, or 422."""
    if re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", texte):
        try:
            return date.fromisoformat(texte)
        except ValueError:
            pass  # a day that does not exist: the same refusal as one that cannot be read
    raise ChampsInvalides.pour(target_date=_("Un jour est attendu sous la forme AAAA-MM-JJ."))
