from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from socle.api.champs import Courriel
from socle.api.formulaires import Creation
from socle.api.serializers import SortieSimple


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
