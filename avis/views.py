from typing import Any

from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _
from rest_framework.decorators import action

from avis import demandes
from avis import serializers as formes
from socle.api.operations import Acces, operation
from socle.api.viewsets import ApiViewSet
from socle.domaine.droits import Droit


class AvisInviteViewSet(ApiViewSet):
    etiquette = "Mode invité"

    @operation(
        _("Mes e-mails"),
        _("Vos e-mails."),
        acces=Acces.INVITE,
        droit=Droit.SIGNALEMENTS_CONSULTER_LES_SIENS,
        sortie=formes.EtatDesMails,
        description=_("Où en est l'adresse à prévenir. Elle n'est jamais rendue en entier, et à personne d'autre."),
    )
    @action(detail=False, methods=["get"])
    def avis(self, request: Any) -> Any:
        return self.rendre(demandes.etat_de(self.acteur))

    @operation(
        _("Être prévenu par e-mail"),
        _("C'est noté : une adresse compte une fois confirmée, par le lien qui y part."),
        acces=Acces.INVITE,
        droit=Droit.SIGNALEMENTS_CONSULTER_LES_SIENS,
        entree=formes.AdresseCreate,
        sortie=formes.EtatDesMails,
        statut=202,
        statut_deja_fait=200,
        limites=("notice_address",),
        erreurs=(409,),
        description=_(
            "Un e-mail par jour au plus, jamais dans les deux heures, qui dit « Il y a du nouveau dans votre espace » "
            "et rien d'autre. L'adresse prend la place d'une autre ; elle est confirmée par un lien, valable trois "
            "jours, avant tout autre e-mail. 200 si elle l'était déjà. 409 `MAILS_NON_REMIS` sans serveur d'e-mail : "
            "rien n'est gardé."
        ),
    )
    @avis.mapping.put
    def demander(self, request: Any) -> Any:
        deja = demandes.demander(acteur=self.acteur, langue=get_language() or "fr", **self.donnees())
        etat = demandes.etat_de(self.acteur)
        return self.rendre_deja_fait(etat) if deja else self.rendre(etat)

    @operation(
        _("Ne plus être prévenu"),
        _("C'est fait : cette adresse est effacée."),
        acces=Acces.INVITE,
        droit=Droit.SIGNALEMENTS_CONSULTER_LES_SIENS,
        sortie=formes.EtatDesMails,
        description=_("Efface l'adresse et ce qui attendait de lui être dit ; sans adresse, ne change rien."),
    )
    @avis.mapping.delete
    def arreter(self, request: Any) -> Any:
        demandes.arreter(acteur=self.acteur)
        return self.rendre(demandes.etat_de(self.acteur))
