from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework.decorators import action

from accounts import serializers as formes
from accounts.services import second_facteur as services
from socle.api.operations import operation
from socle.api.reseau import cle_adresse
from socle.api.viewsets import ApiViewSet
from socle.domaine.droits import Droit


class SecondFacteurViewSet(ApiViewSet):
    etiquette = "Comptes"

    @operation(
        _("Mon second facteur"),
        _("Votre second facteur."),
        droit=Droit.COMPTES_CONSULTER_LE_SIEN,
        sortie=formes.SecondFacteurDetail,
    )
    @action(detail=False, methods=["get"], url_path="second-facteur")
    def mon_second_facteur(self, request: Any) -> Any:
        return self.rendre(services.etat(self.compte))

    @operation(
        _("Demander un secret pour mon application"),
        _("Secret prêt : confirmez-le par un premier code."),
        nom="demander_mon_second_facteur",
        droit=Droit.ESPACE_ENTRER,
        entree=formes.SecondFacteurCreate,
        sortie=formes.EnrolementDetail,
        erreurs=(409,),
        description=_(
            "Réservé à l'équipe. Remplace un secret qui n'a pas été confirmé ; 409 tant qu'un autre est actif."
        ),
    )
    @mon_second_facteur.mapping.post
    def demarrer(self, request: Any) -> Any:
        return self.rendre(services.demarrer(compte=self.compte, **self.donnees()))

    @operation(
        _("Confirmer mon second facteur"),
        _("Second facteur actif. Gardez les codes de secours."),
        nom="confirmer_mon_second_facteur",
        droit=Droit.ESPACE_ENTRER,
        entree=formes.SecondFacteurConfirmation,
        sortie=formes.CodesDeSecours,
        erreurs=(409,),
        description=_(
            "Par un premier code. Les autres sessions du compte se terminent, celle-ci reste. La personne "
            "l'apprend par e-mail."
        ),
    )
    @action(detail=False, methods=["post"], url_path="second-facteur/confirmer")
    def confirmer(self, request: Any) -> Any:
        donnees = {**self.donnees(), "session_id": self.acteur.session_id}
        return self.rendre({"codes": services.confirmer(compte=self.compte, **donnees)})

    @operation(
        _("Refaire mes codes de secours"),
        _("Codes de secours refaits. Les anciens ne servent plus."),
        nom="refaire_mes_codes_de_secours",
        droit=Droit.COMPTES_MODIFIER_LE_SIEN,
        entree=formes.SecondFacteurPreuve,
        sortie=formes.CodesDeSecours,
        erreurs=(409,),
    )
    @action(detail=False, methods=["post"], url_path="second-facteur/codes")
    def codes(self, request: Any) -> Any:
        donnees = {**self.donnees(), "adresse": cle_adresse(self.requete)}
        return self.rendre({"codes": services.refaire_les_codes(compte=self.compte, **donnees)})

    @operation(
        _("Retirer mon second facteur"),
        _("Second facteur retiré."),
        nom="retirer_mon_second_facteur",
        droit=Droit.COMPTES_MODIFIER_LE_SIEN,
        entree=formes.SecondFacteurPreuve,
        erreurs=(409,),
        description=_(
            "Les autres sessions du compte se terminent. Où le service en exige un de l'équipe, celle-ci ne sert plus "
            "non plus : 403 `OTP_ENROLMENT_REQUIRED`. La personne l'apprend par e-mail."
        ),
    )
    @action(detail=False, methods=["post"], url_path="second-facteur/retirer")
    def retirer(self, request: Any) -> Any:
        donnees = {**self.donnees(), "adresse": cle_adresse(self.requete), "session_id": self.acteur.session_id}
        services.retirer(compte=self.compte, **donnees)
        return self.rendre()
