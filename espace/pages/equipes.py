"""Pages of the teams: all of them, and who is of each."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django import forms
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

from equipes.models import Equipe
from equipes.permissions import equipe_connue, membres_lisibles
from equipes.serializers import EquipeCreate, EquipeUpdate, MembreCreate
from equipes.services import equipes as services
from equipes.vocabulaire import EQUIPES_MAX
from espace.pages.base import PageDEquipe
from espace.pages.dossier import uuid_lu
from espace.pages.formulaires import ECRIT, choix_libre, personnes
from espace.vocabulaire import TAILLE
from signalements.lecteurs import connus_de
from socle.domaine.droits import Droit
from socle.erreurs import ChampsInvalides, Conflit, PermissionRefusee
from socle.pages.formulaires import FormulaireDeSerializer
from socle.pages.vues import vers

FAITS = {
    "modifier": _("C'est enregistré."),
    "ajouter": _("Cette personne est ajoutée ; les membres l'apprennent."),
    "accorder": _("Cette personne lit maintenant les dossiers de l'équipe ; les membres l'apprennent."),
    "retirer": _("Cette personne n'est plus de l'équipe ; les membres l'apprennent."),
    "fermer": _("L'équipe est inactive : personne n'en lit plus les dossiers."),
    "rouvrir": _("L'équipe est active de nouveau."),
}


class _UneEquipe(FormulaireDeSerializer):
    textes = {("nom", "blank"): _("Donnez un nom à l'équipe.")}

    nom = forms.CharField(label=_("Nom de l'équipe"), required=False, widget=forms.TextInput(attrs=ECRIT))
    description = forms.CharField(
        label=_("Ce que lit qui signale, avant d'envoyer"),
        required=False,
        widget=forms.Textarea(attrs={**ECRIT, "rows": 3}),
        help_text=_("Qui sont ces personnes, à quoi elles sont tenues."),
    )


class NouvelleEquipe(_UneEquipe):
    serializer = EquipeCreate


class EquipeChangee(_UneEquipe):
    serializer = EquipeUpdate

    responsable_id = choix_libre(_("Personne responsable"))

    def __init__(self, *args: Any, membres: list[tuple[str, str]], **options: Any) -> None:
        super().__init__(*args, **options)
        champ: Any = self.fields["responsable_id"]
        champ.choices = [("", _("Personne")), *membres]

    def clean(self) -> dict[str, Any]:
        donnees = super().clean()
        return {**donnees, "responsable_id": donnees.get("responsable_id") or None}


class NouveauMembre(FormulaireDeSerializer):
    serializer = MembreCreate
    textes = {("compte_id", "invalid"): _("Choisissez une personne.")}

    compte_id = choix_libre(_("Ajouter une personne"))

    def __init__(self, *args: Any, candidats: list[tuple[str, str]], **options: Any) -> None:
        super().__init__(*args, **options)
        champ: Any = self.fields["compte_id"]
        champ.choices = [("", _("Choisir")), *candidats]


class Equipes(PageDEquipe):
    gabarit = "espace/equipes.html"
    place = "membres"
    titre = _("Équipes")
    droit = Droit.SIGNALEMENTS_TRAITER

    def get(self, request: HttpRequest) -> HttpResponse:
        return self._montrer(request)

    def post(self, request: HttpRequest) -> HttpResponse:
        if not self.acteur.peut(Droit.EQUIPES_GERER):
            raise PermissionRefusee
        form = NouvelleEquipe(request.POST)
        if form.is_valid():
            try:
                equipe = services.creer(acteur=self.acteur, **form.cleaned_data)
            except (ChampsInvalides, Conflit) as refus:
                form.accueillir(refus.details or [{"field": "nom", "message": refus.message, "code": refus.code}])
            else:
                return vers("espace:equipe", equipe.pk)
        return self._montrer(request, statut=422, form=form)

    def _montrer(self, request: HttpRequest, statut: int = 200, form: Any = None) -> HttpResponse:
        gere = self.acteur.peut(Droit.EQUIPES_GERER)
        equipes = list(Equipe.objects.pour_lecture(self.acteur)[:EQUIPES_MAX])
        return self.rendre(
            request, statut=statut, equipes=equipes, gere=gere, form=form or (NouvelleEquipe() if gere else None)
        )


class UneEquipe(PageDEquipe):
    gabarit = "espace/equipe.html"
    place = "membres"
    titre = _("Équipe")
    droit = Droit.SIGNALEMENTS_TRAITER

    def get(self, request: HttpRequest, equipe_id: UUID) -> HttpResponse:
        demande = request.GET.get("demande", "")
        return self._montrer(request, equipe_id, demande=demande, fait=FAITS.get(request.GET.get("fait", "")))

    def post(self, request: HttpRequest, equipe_id: UUID) -> HttpResponse:
        equipe, acte = equipe_connue(self.acteur, equipe_id), request.POST.get("acte", "")
        faire: Callable[[Equipe, HttpRequest], FormulaireDeSerializer | None] | None = {
            "modifier": self._modifier,
            "ajouter": self._ajouter,
            "accorder": self._accorder,
            "retirer": self._retirer,
            "fermer": lambda une, requete: self._activer(une, active=False),
            "rouvrir": lambda une, requete: self._activer(une, active=True),
        }.get(acte)
        if faire is None:
            return self._montrer(request, equipe_id, statut=422)
        refuse = faire(equipe, request)
        if refuse is not None:
            return self._montrer(request, equipe_id, statut=422, **{f"form_{acte}": refuse})
        if acte == "retirer" and uuid_lu(request.POST.get("membre", "")) == self.compte.pk:
            return vers("espace:equipes")
        return vers("espace:equipe", equipe.pk, suite=f"?fait={acte}#fait")

    def _modifier(self, equipe: Equipe, request: HttpRequest) -> FormulaireDeSerializer | None:
        self._exiger_de_gerer()
        form = EquipeChangee(request.POST, membres=self._lecteurs(equipe))
        return self._juger(form, lambda saisi: services.modifier(equipe=equipe, acteur=self.acteur, **saisi))

    def _ajouter(self, equipe: Equipe, request: HttpRequest) -> FormulaireDeSerializer | None:
        self._exiger_de_gerer()
        form = NouveauMembre(request.POST, candidats=self._candidats(equipe))
        return self._juger(form, lambda saisi: services.ajouter(equipe=equipe, acteur=self.acteur, **saisi))

    def _accorder(self, equipe: Equipe, request: HttpRequest) -> None:
        membre = uuid_lu(request.POST.get("membre", ""))
        services.accorder(equipe=equipe, compte_id=membre, acteur=self.acteur)

    def _retirer(self, equipe: Equipe, request: HttpRequest) -> None:
        membre = uuid_lu(request.POST.get("membre", ""))
        services.retirer(equipe=equipe, compte_id=membre, acteur=self.acteur)

    def _activer(self, equipe: Equipe, *, active: bool) -> None:
        self._exiger_de_gerer()
        services.modifier(equipe=equipe, acteur=self.acteur, active=active)

    def _juger(
        self, form: FormulaireDeSerializer, faire: Callable[[dict[str, Any]], Any]
    ) -> FormulaireDeSerializer | None:
        """Do what the form says; None where it is done, else the form with what is refused."""
        if not form.is_valid():
            return form
        try:
            faire(form.cleaned_data)
        except (ChampsInvalides, Conflit) as refus:
            premier = next(iter(form.fields))
            form.accueillir(refus.details or [{"field": premier, "message": refus.message, "code": refus.code}])
            return form
        return None

    def _exiger_de_gerer(self) -> None:
        if not self.acteur.peut(Droit.EQUIPES_GERER):
            raise PermissionRefusee

    def _lecteurs(self, equipe: Equipe) -> list[tuple[str, str]]:
        """The people who may be its head."""
        return [(str(un.compte_id), un.compte.nom_complet) for un in membres_lisibles(self.acteur, equipe.pk) if un.lit]

    def _candidats(self, equipe: Equipe) -> list[tuple[str, str]]:
        presents = {str(cle) for cle in equipe.membres.values_list("compte", flat=True)}
        return [(cle, nom) for cle, nom in personnes() if cle not in presents]

    def _montrer(self, request: HttpRequest, equipe_id: UUID, statut: int = 200, **contexte: Any) -> HttpResponse:
        equipe = equipe_connue(self.acteur, equipe_id)
        gere = self.acteur.peut(Droit.EQUIPES_GERER)
        voit = equipe.membre or gere
        if gere:
            nommes = {"nom": equipe.nom, "description": equipe.description}
            initial = {**nommes, "responsable_id": str(equipe.responsable_id or "")}
            contexte.setdefault("form_modifier", EquipeChangee(initial=initial, membres=self._lecteurs(equipe)))
            contexte.setdefault("form_ajouter", NouveauMembre(candidats=self._candidats(equipe)))
        return self.rendre(
            request,
            statut=statut,
            titre=equipe.nom,
            une=equipe,
            gere=gere,
            voit=voit,
            membres=list(membres_lisibles(self.acteur, equipe_id)) if voit else [],
            dossiers=connus_de(self.acteur, equipe.pk)[:TAILLE] if gere and not equipe.membre else None,
            form=next((un for nom, un in contexte.items() if nom.startswith("form_") and un.errors), None),
            **contexte,
        )
