from typing import Any

from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _
from rest_framework.decorators import action

from resources import serializers as formes
from resources.models import ContactUrgence, Faq
from resources.vocabulaire import CONTACTS_MAX, FAQS_MAX
from socle.api.operations import operation
from socle.api.viewsets import ApiViewSet
from socle.domaine.droits import Droit


class AideViewSet(ApiViewSet):
    etiquette = "Aide"

    @operation(
        _("Questions fréquentes"),
        _("Questions fréquentes."),
        droit=Droit.AIDE_CONSULTER,
        sortie=formes.FaqDetail,
        liste=True,
        description=format_lazy(
            _("Celles qui sont publiées, par `ordre` ; {maximum} au plus. `reponse` est du texte simple."),
            maximum=FAQS_MAX,
        ),
    )
    @action(detail=False, methods=["get"])
    def faqs(self, request: Any) -> Any:
        return self.rendre(Faq.objects.pour_lecture())

    @operation(
        _("Contacts d'urgence"),
        _("Contacts d'urgence."),
        droit=Droit.AIDE_CONSULTER,
        sortie=formes.ContactUrgenceDetail,
        liste=True,
        description=format_lazy(
            _(
                "Ceux qui sont actifs, par `ordre` ; {maximum} au plus. `telephone` est tel que l'équipe l'a "
                "écrit, numéros courts compris ; l'un au moins de `telephone` et `email` est donné."
            ),
            maximum=CONTACTS_MAX,
        ),
    )
    @action(detail=False, methods=["get"], url_path="contacts-urgence")
    def contacts_urgence(self, request: Any) -> Any:
        return self.rendre(ContactUrgence.objects.pour_lecture())
