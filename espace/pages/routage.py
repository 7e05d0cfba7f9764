"""Pages of the routing rules: the list in their order, an example to try them on, and one rule."""

from typing import Any
from uuid import UUID

from django import forms
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

from equipes.en_vigueur import essayer
from equipes.models import Equipe, MembreDEquipe, RegleDeRoutage
from equipes.permissions import regle_connue
from equipes.serializers import EssaiDeRoutage, RegleCreate
from equipes.services import regles
from equipes.vocabulaire import EQUIPES_MAX, REGLES_MAX
from espace.pages.base import PageDEquipe
from espace.pages.formulaires import ECRIT, SANS_TRACE, choix_libre, choix_multiple_libre
from espace.vocabulaire import EQUIPE_MAX
from signalements.vocabulaire import type_lisible, types_admis
from socle.domaine.droits import Droit
from socle.erreurs import ChampsInvalides, Conflit
from socle.pages.formulaires import FormulaireDeSerializer
from socle.pages.vues import vers

FAITS = {
    "ajouter": _("Règle ajoutée."),
    "modifier": _("Règle enregistrée : elle vaut pour les dossiers à venir."),
    "supprimer": _("Règle supprimée."),
}


class Regle(FormulaireDeSerializer):
    serializer = RegleCreate
    textes = {
        ("equipe_id", "invalid"): _("Choisissez une équipe."),
        ("ordre", "invalid"): _("Un nombre entier est attendu."),
    }

    types = choix_multiple_libre(_("Types de dossier"))
    bureaux = forms.CharField(
        label=_("Bureaux"),
        required=False,
        widget=forms.Textarea(attrs={**ECRIT, "rows": 2}),
        help_text=_("Un par ligne, comme les applications les écrivent. Vide : tous."),
    )
    equipe_id = choix_libre(_("Équipe"))
    gestionnaire_id = choix_libre(_("Confié d'abord à"))
    ordre = forms.CharField(
        label=_("Ordre"),
        required=False,
        widget=forms.TextInput(attrs={**SANS_TRACE, "inputmode": "numeric", "size": "5"}),
        help_text=_("La première règle qui convient est suivie. Vide : la dernière."),
    )
    active = forms.BooleanField(
        label=_("Active"), required=False, help_text=_("Décochée, elle s'essaie et ne change rien.")
    )

    def __init__(self, *args: Any, presents: list[str] = (), **options: Any) -> None:  # type: ignore[assignment]
        super().__init__(*args, **options)
        champs: Any = self.fields
        champs["types"].choices = types_admis(*presents)
        actives = Equipe.objects.filter(active=True).order_by("nom", "id")[:EQUIPES_MAX]
        champs["equipe_id"].choices = [("", _("Choisir")), *((str(une.pk), une.nom) for une in actives)]
        membres = MembreDEquipe.objects.qui_lisent().select_related("compte").order_by("compte__nom", "compte__prenom")
        noms = {str(un.compte_id): un.compte.nom_complet for un in membres[:EQUIPE_MAX]}
        champs["gestionnaire_id"].choices = [("", _("Personne : il sera à prendre")), *noms.items()]

    def clean_bureaux(self) -> list[str]:
        return [ligne.strip() for ligne in self.cleaned_data["bureaux"].splitlines() if ligne.strip()]

    def clean_ordre(self) -> Any:
        """A number as one; what is none is for the serializer to refuse."""
        ordre = self.cleaned_data["ordre"].strip()
        return int(ordre) if ordre.isdecimal() and ordre.isascii() and len(ordre) < 10 else ordre

    def clean(self) -> dict[str, Any]:
        """The fields of the service: no order leaves the one there is."""
        donnees = super().clean()
        donnees["gestionnaire_id"] = donnees.get("gestionnaire_id") or None
        return {nom: valeur for nom, valeur in donnees.items() if nom != "ordre" or valeur != ""}


class Exemple(FormulaireDeSerializer):
    serializer = EssaiDeRoutage

    type = choix_libre(_("Type de dossier"))
    bureau_genre_id = forms.CharField(label=_("Bureau (facultatif)"), required=False, widget=forms.TextInput(ECRIT))

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        champ: Any = self.fields["type"]
        champ.choices = types_admis()


class Routage(PageDEquipe):
    gabarit = "espace/routage.html"
    place = "membres"
    titre = _("Où vont les nouveaux dossiers")
    droit = Droit.EQUIPES_GERER

    def get(self, request: HttpRequest) -> HttpResponse:
        """The page; with what an example meets, where one is asked about."""
        if "type" not in request.GET:
            return self._montrer(request, fait=FAITS.get(request.GET.get("fait", "")))
        exemple = Exemple(request.GET)
        valide = exemple.is_valid()
        essai = None
        if valide:
            essai = essayer(exemple.cleaned_data["type"], exemple.cleaned_data["bureau_genre_id"])
        return self._montrer(request, statut=200 if valide else 422, exemple=exemple, essai=essai)

    def post(self, request: HttpRequest) -> HttpResponse:
        form = Regle(request.POST)
        if form.is_valid():
            try:
                regles.ajouter(acteur=self.acteur, **form.cleaned_data)
            except (ChampsInvalides, Conflit) as refus:
                form.accueillir(refus.details or [{"field": "", "message": refus.message, "code": refus.code}])
            else:
                return vers("espace:routage", suite="?fait=ajouter#fait")
        return self._montrer(request, statut=422, form=form)

    def _montrer(self, request: HttpRequest, statut: int = 200, **contexte: Any) -> HttpResponse:
        contexte.setdefault("form", Regle())
        contexte.setdefault("exemple", Exemple())
        toutes = list(RegleDeRoutage.objects.en_ordre()[:REGLES_MAX])
        return self.rendre(
            request,
            statut=statut,
            regles=[(une, types_en_mots(une)) for une in toutes],
            a_des_equipes=Equipe.objects.filter(active=True).exists(),
            **contexte,
        )


class UneRegle(PageDEquipe):
    gabarit = "espace/regle.html"
    place = "membres"
    titre = _("Règle de routage")
    droit = Droit.EQUIPES_GERER

    def get(self, request: HttpRequest, regle_id: UUID) -> HttpResponse:
        return self._montrer(request, regle_connue(regle_id))

    def post(self, request: HttpRequest, regle_id: UUID) -> HttpResponse:
        regle = regle_connue(regle_id)
        if request.POST.get("acte") == "supprimer":
            regles.supprimer(regle=regle, acteur=self.acteur)
            return vers("espace:routage", suite="?fait=supprimer#fait")
        form = Regle(request.POST, presents=regle.types)
        if form.is_valid():
            try:
                regles.modifier(regle=regle, acteur=self.acteur, **form.cleaned_data)
            except ChampsInvalides as refus:
                form.accueillir(refus.details or [])
            else:
                return vers("espace:routage", suite="?fait=modifier#fait")
        return self._montrer(request, regle, statut=422, form=form)

    def _montrer(self, request: HttpRequest, regle: RegleDeRoutage, statut: int = 200, form: Any = None) -> Any:
        initial = {
            "types": regle.types,
            "bureaux": "\n".join(regle.bureaux),
            "equipe_id": str(regle.equipe_id),
            "gestionnaire_id": str(regle.gestionnaire_id or ""),
            "ordre": regle.ordre,
            "active": regle.active,
        }
        form = form or Regle(initial=initial, presents=regle.types)
        return self.rendre(request, statut=statut, regle=regle, form=form)


def types_en_mots(regle: RegleDeRoutage) -> str:
    return ", ".join(map(type_lisible, regle.types))
