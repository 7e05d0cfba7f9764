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
from socle.api.mots import NOM, PRENOM, aides, phrases
from socle.api.serializers import ChampDate, Sortie, SortieSimple
from socle.domaine.canonique import StatutCanonique
from socle.erreurs import ChampsInvalides, Details
from socle.moteur.sorties import rendre_un

DISCRET = _(
    "true : aucun e-mail ne nomme l'événement, ni ne dit où et quand il a lieu ; aucun ne joint son fichier d'agenda."
)


MOTS_CLES = _("Des mots-clés, 20 au plus, de 50 caractères chacun ; un mot répété compte une fois.")
A_QUI = _("À qui il s'adresse : des mots en capitales, 20 au plus, comme ETUDIANT et PERSONNEL ; vide : à tous.")


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
    titre = Texte(help_text=_("Ce qui a lieu, en une ligne."))
    description = TexteLong(
        required=False, allow_blank=True, help_text=_("De quoi il s'agit, en texte libre ; les sauts de ligne restent.")
    )
    type = Vocabulaire("type_evenement", connues=TYPES_CONNUS)
    date_debut = DateHeure(help_text=_("Quand il commence ; sans décalage, en UTC."))
    date_fin = DateHeure(help_text=_("Après `dateDebut`."))
    lieu = Texte(required=False, allow_blank=True, help_text=_("Où il a lieu."))
    est_en_ligne = Booleen(required=False, help_text=_("true : on peut y être en ligne ; absent : false."))
    lien_en_ligne = AdresseWeb(
        required=False,
        allow_blank=True,
        help_text=_("L'adresse où on le suit, http ou https ; elle n'est jamais lue par le service."),
    )
    nb_max_participants = Entier(required=False, min_value=1, help_text=_("Absent : sans limite."))
    image_url = AdresseWeb(
        required=False,
        allow_blank=True,
        help_text=_("L'adresse d'une image, http ou https ; elle n'est jamais lue par le service."),
    )
    tags = _tags(help_text=MOTS_CLES)
    public_cible = _public(help_text=A_QUI)
    discret = Booleen(required=False, help_text=DISCRET)

    def refus_du_service(self, bons: Mapping[str, Any]) -> Details:
        return services.refus_des_dates(bons.get("date_debut"), bons.get("date_fin"))


class CalendrierUpdate(Modification):
    titre = Texte(help_text=_("Ce qui a lieu, en une ligne."))
    description = TexteLong(
        allow_blank=True, allow_null=True, help_text=_("De quoi il s'agit, en texte libre ; null : rien.")
    )
    type = Vocabulaire("type_evenement", connues=TYPES_CONNUS)
    date_debut = DateHeure(help_text=_("Quand il commence ; sans décalage, en UTC."))
    date_fin = DateHeure(help_text=_("Après `dateDebut`."))
    lieu = Texte(allow_blank=True, allow_null=True, help_text=_("Où il a lieu ; null : nulle part en particulier."))
    est_en_ligne = Booleen(allow_null=True, help_text=_("true : on peut y être en ligne ; null : false."))
    lien_en_ligne = AdresseWeb(
        allow_blank=True, allow_null=True, help_text=_("L'adresse où on le suit, http ou https ; null : aucune.")
    )
    nb_max_participants = Entier(min_value=1, allow_null=True, help_text=_("null : sans limite."))
    image_url = AdresseWeb(
        allow_blank=True, allow_null=True, help_text=_("L'adresse d'une image, http ou https ; null : aucune.")
    )
    tags = _tags(allow_null=True, help_text=phrases(MOTS_CLES, _("null : aucun.")))
    public_cible = _public(allow_null=True, help_text=phrases(A_QUI, _("null : à tous.")))
    discret = Booleen(allow_null=True, help_text=phrases(DISCRET, _("null : false.")))

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
    statut = Choix(
        choices=StatutParticipation.choices,
        help_text=_("Le nouveau statut ; CONFIRMED tient une place, CANCELLED en libère une."),
    )


class EvenementCampusDetail(Sortie):
    """An event as its reader sees it."""

    statut_canonique = serializers.ChoiceField(choices=StatutCanonique.choices)
    tags = serializers.ListField(child=serializers.CharField(), help_text=MOTS_CLES)
    public_cible = serializers.ListField(child=serializers.CharField(), help_text=A_QUI)
    nb_participants = serializers.IntegerField(help_text=_("Les participations CONFIRMED."))
    places_restantes = serializers.IntegerField(allow_null=True, help_text=_("null : sans limite."))
    est_complet = serializers.BooleanField(
        help_text=_("true : qui s'inscrit attend une place ; toujours false sans limite.")
    )
    ma_participation = serializers.ChoiceField(
        choices=StatutParticipation.choices,
        allow_null=True,
        help_text=_("Celle de qui lit ; null s'il n'est pas inscrit."),
    )
    organisateur_id = serializers.UUIDField(help_text=_("Le compte qui l'a publié."))

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
        extra_kwargs = aides(
            titre=_("Ce qui a lieu, en une ligne."),
            description=_("De quoi il s'agit, en texte libre ; null : rien."),
            type=_("Un mot en capitales, comme ATELIER ; une installation peut en admettre d'autres."),
            date_debut=_("Quand il commence, en UTC."),
            date_fin=_("Quand il finit, en UTC ; toujours après `dateDebut`."),
            lieu=_("Où il a lieu ; null : nulle part en particulier."),
            est_en_ligne=_("true : on peut y être en ligne."),
            lien_en_ligne=_("L'adresse où on le suit, telle qu'elle fut donnée ; null : aucune."),
            nb_max_participants=_("Combien de personnes peuvent être CONFIRMED ; null : sans limite."),
            image_url=_("L'adresse d'une image, telle qu'elle fut donnée ; null : aucune."),
            statut=_("ANNULE : il n'a pas lieu, et reste lisible."),
            discret=DISCRET,
        )


class CalendrierEvenement(EvenementCampusDetail):
    """An event as a channel tells it, which has no reader."""

    class Meta:
        model = EvenementCampus
        fields = tuple(nom for nom in EvenementCampusDetail.Meta.fields if nom != "ma_participation")
        extra_kwargs = EvenementCampusDetail.Meta.extra_kwargs


class CalendrierModifieEvenement(EvenementCampusDetail):
    """The same, with the status of the account whose own channel it is."""

    ma_participation = serializers.ChoiceField(
        choices=StatutParticipation.choices,
        help_text=_("Celle de ce compte, sur `user:{id}` seulement."),
    )

    class Meta:
        model = EvenementCampus
        fields = EvenementCampusDetail.Meta.fields
        extra_kwargs = EvenementCampusDetail.Meta.extra_kwargs
        facultatifs = ("ma_participation",)


class CalendrierAnnuleEvenement(SortieSimple):
    id = serializers.UUIDField(help_text=_("L'événement du calendrier qui est annulé."))


class ParticipantDetail(Sortie):
    event_id = serializers.UUIDField(source="evenement_id", help_text=_("L'événement de cette inscription."))
    user_id = serializers.UUIDField(source="compte_id", help_text=_("Le compte inscrit."))
    statut = serializers.ChoiceField(
        choices=StatutParticipation.choices,
        source="statut_montre",
        help_text=_(
            "CONFIRMED a une place, WAITLISTED en attend une, PENDING n'en tient pas, CANCELLED n'en veut plus."
        ),
    )
    nom = serializers.CharField(source="compte.nom", help_text=NOM)
    prenom = serializers.CharField(source="compte.prenom", help_text=PRENOM)
    email = serializers.CharField(source="compte.email", help_text=_("L'adresse du compte de cette personne."))

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
        extra_kwargs = aides(
            date_inscription=_("Quand la personne s'est inscrite, en UTC ; le rang dans la liste d'attente.")
        )


class FluxDetail(SortieSimple):
    url = serializers.CharField(help_text=_("À garder pour soi : qui l'a lit ce calendrier."))
    date_creation = ChampDate(help_text=_("Quand cette adresse fut demandée, en UTC."))


def pour_tous(evenement: EvenementCampus) -> dict[str, Any]:
    """Event payload for a shared channel: without the status of any reader."""
    return rendre_un(CalendrierEvenement, evenement)


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
