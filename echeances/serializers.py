from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from echeances.models import ChoixDesDates, Delai
from echeances.vocabulaire import MOTIF_MAX
from socle.api.champs import Booleen, Jour, Texte
from socle.api.formulaires import Creation
from socle.api.mots import aides
from socle.api.serializers import ChampDate, Sortie, SortieSimple


class DelaiDetail(Sortie):
    class Meta:
        model = Delai
        fields = ("id", "nature", "libelle", "type", "nombre", "unite", "actif", "date_modification")
        extra_kwargs = aides(
            nature=_(
                "ACCUSE : accusé de réception ; RETOUR : retour sur les suites ; ENTRETIEN ; AUTRE : un "
                "délai de l'établissement."
            ),
            libelle=_("Ce qui est promis, pour AUTRE, comme qui a signalé le lit ; null pour les autres."),
            type=_("Le type de signalement qu'il concerne, à la place du délai de tous ; null : tous."),
            nombre=_("Combien d'`unite`, de 1 à 1 000."),
            unite=_("Des jours, des jours ouvrés du campus, ou des mois."),
            actif=_("true : les nouveaux dossiers en reçoivent la date ; d'un ENTRETIEN, ceux où il est prévu."),
        )


class ChoixUpdate(Creation):
    accepte = Booleen(
        help_text=_(
            "Vrai : les trois délais légaux deviennent actifs ; les dossiers ouverts reçoivent leurs dates à compter "
            "de ce jour, et leurs auteurs les lisent. Faux : plus aucun délai n'est actif ; les dates données restent."
        )
    )


class ChoixDetail(SortieSimple):
    """The answer to « donner des dates ? »; both null where nobody has been asked yet."""

    accepte = serializers.BooleanField(
        allow_null=True,
        help_text=_("true : les dossiers ont des dates ; false : non ; null : personne n'a encore choisi."),
    )
    date_choix = ChampDate(allow_null=True, help_text=_("Quand ce fut choisi, en UTC ; null : pas encore."))

    @classmethod
    def present(cls) -> Any:
        """The row, or what says that there is none."""
        return ChoixDesDates.objects.first() or {"accepte": None, "date_choix": None}


class EntretienCreate(Creation):
    pour_le = Jour(
        required=False, help_text=_("Dernier jour pour le tenir ; absent : selon le délai actif, sinon 422.")
    )


class DateTenueUpdate(Creation):
    faite_le = Jour(required=False, help_text=_("Aujourd'hui, ou un jour passé depuis que la date est posée."))


class ProlongationUpdate(Creation):
    pour_le = Jour(help_text=_("Après le jour promis, dans l'année qui le suit."))
    motif = Texte(max_length=MOTIF_MAX, help_text=_("Pourquoi ; qui a signalé le lit."))
