from typing import Any

from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from homonymes import serializers as formes
from homonymes import services
from homonymes.permissions import a_decider, homonyme_connu
from homonymes.vocabulaire import ECARTES_MAX, JOURS_OUVRES
from socle.api.champs import MOTIF_UUID
from socle.api.operations import operation
from socle.api.viewsets import ApiViewSet
from socle.domaine.droits import Droit


class HomonymeViewSet(ApiViewSet):
    etiquette = "Noms à vérifier"
    lookup_url_kwarg = "homonyme_id"
    lookup_value_regex = MOTIF_UUID  # a malformed id never reaches a query: 404

    @operation(
        _("Noms à vérifier"),
        _("Noms à vérifier."),
        droit=Droit.SIGNALEMENTS_ROUVRIR,
        sortie=formes.HomonymeDetail,
        page=True,
        description=format_lazy(
            _(
                "Dossiers dont l'auteur présumé porte le nom entier d'une personne active de l'équipe. Elle ne le lit "
                "pas en attendant ; au-delà de {maximum} noms, ou si plus personne ne le lisait, aucune n'est écartée. "
                "Un administrateur décide sous {jours} jours ouvrés ; ni ceux que le dossier nomme, ni ceux qui en "
                "sont écartés ne le voient ici. Aucun nom nouveau n'y vient où ECARTER_HOMONYMES est faux."
            ),
            maximum=ECARTES_MAX,
            jours=JOURS_OUVRES,
        ),
    )
    def list(self, request: Any) -> Any:
        return self.paginer(a_decider(self.acteur))

    @operation(
        _("Décider d'un nom"),
        _("Décision enregistrée."),
        droit=Droit.SIGNALEMENTS_ROUVRIR,
        entree=formes.HomonymeUpdate,
        sortie=formes.HomonymeDetail,
        erreurs=(409,),
        description=_(
            "Une fois : redire la même chose ne change rien, l'inverse est un 409 NAME_ALREADY_DECIDED, "
            "`PUT /signalements/{id}/lecteurs` d'un administrateur y revient. Ce qu'a demandé qui a signalé reste. "
            "Personne n'en est prévenu. Écrit au registre que lit l'exploitant."
        ),
    )
    def update(self, request: Any, homonyme_id: str) -> Any:
        homonyme = homonyme_connu(self.acteur, homonyme_id)
        services.decider(homonyme=homonyme, acteur=self.acteur, **self.donnees())
        return self.rendre(homonyme_connu(self.acteur, homonyme_id))
