from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from avis.vocabulaire import NATURES_ANNONCEES
from socle.api.champs import Courriel
from socle.api.formulaires import Creation
from socle.api.serializers import ChampDate, SortieSimple


class AdresseCreate(Creation):
    email = Courriel(help_text=_("Gardée chiffrée ; l'équipe ne la voit nulle part."))


class EtatDesMails(SortieSimple):
    demande = serializers.BooleanField(help_text=_("Une adresse est gardée."))
    confirme = serializers.BooleanField(help_text=_("Le lien qui y est parti a été ouvert : des e-mails y partent."))
    silencieux = serializers.BooleanField(help_text=_("Elle a refusé trop d'e-mails : rien n'y part plus."))
    email_masked = serializers.CharField(
        source="masquee",
        allow_null=True,
        help_text=_(
            "Première lettre et domaine : a**@campus.test ; null sans adresse, ou d'une que le service ne sait plus "
            "lire : elle est à donner de nouveau."
        ),
    )


class AvisEvenement(SortieSimple):
    """A notice: of a case, of an event or of a post, by its id alone."""

    nature = serializers.ChoiceField(
        choices=NATURES_ANNONCEES,
        help_text=_("Ce qui arrive, sans rien de ce qui s'est dit."),
    )
    date = ChampDate(help_text=_("Quand c'est arrivé."))
    signalement_id = serializers.UUIDField(required=False, help_text=_("Le dossier, d'un avis à l'équipe."))
    evenement_id = serializers.UUIDField(required=False, help_text=_("L'événement du calendrier, d'un avis de lui."))
    poste_id = serializers.UUIDField(required=False, help_text=_("La publication, d'un avis d'elle."))
