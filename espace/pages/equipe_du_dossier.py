"""Pages of a case that a team has: giving it to another, and opening it for a reason where one is not of it."""

from contextlib import suppress
from typing import Any
from uuid import UUID

from django import forms
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

from equipes.lectures import noms_des_equipes
from equipes.models import Equipe
from equipes.vocabulaire import EQUIPES_MAX
from espace.erreurs import ChangeDepuis, DossierJoint
from espace.pages.base import PageDEquipe
from espace.pages.formulaires import ECRIT, choix_libre
from espace.services import actes
from signalements.dates import dates_montrees
from signalements.erreurs import DejaLu
from signalements.models import Signalement
from signalements.ouvertures import ouvrir
from signalements.permissions import dossier_a_deplacer, dossier_a_ouvrir
from signalements.serializers import EquipeDuDossierUpdate, OuvertureCreate
from socle.domaine.droits import Droit
from socle.erreurs import ChampsInvalides
from socle.pages.formulaires import FormulaireDeSerializer
from socle.pages.vues import vers


class DeplacerVers(FormulaireDeSerializer):
    serializer = EquipeDuDossierUpdate
    textes = {("motif", "blank"): _("Dites pourquoi, en quelques mots.")}

    equipe_id = choix_libre(_("Qui aura ce dossier"))
    motif = forms.CharField(
        label=_("Pourquoi"),
        required=False,
        widget=forms.TextInput(attrs=ECRIT),
        help_text=_("Ceux qui liront le dossier le trouvent dans son historique ; qui a signalé ne le lit pas."),
    )

    def __init__(self, *args: Any, equipes: list[tuple[str, str]], **options: Any) -> None:
        super().__init__(*args, **options)
        champ: Any = self.fields["equipe_id"]
        champ.choices = [("", _("Toutes les personnes qui traitent les signalements")), *equipes]

    def clean_equipe_id(self) -> str | None:
        return self.cleaned_data["equipe_id"] or None


class MotifDOuverture(FormulaireDeSerializer):
    serializer = OuvertureCreate
    textes = {("motif", "blank"): _("Dites pourquoi vous ouvrez ce dossier.")}

    motif = forms.CharField(
        label=_("Pourquoi"),
        required=False,
        widget=forms.TextInput(attrs=ECRIT),
        help_text=_("De dix à cinq cents caractères. Ses lecteurs le lisent dans l'historique du dossier."),
    )


class OuvrirSurMotif(PageDEquipe):
    """Page of a case that this administrator does not read: what may be known of it, and the reason to open it."""

    gabarit = "espace/ouverture.html"
    titre = _("Un dossier d'une équipe")
    droit = Droit.SIGNALEMENTS_ROUVRIR

    def get(self, request: HttpRequest, dossier_id: UUID) -> HttpResponse:
        dossier = dossier_a_ouvrir(self.acteur, dossier_id)
        if dossier.est_visible_de(self.acteur) or dossier.pk != dossier_id:
            return vers("espace:dossier", dossier.pk)
        return self._montrer(request, dossier)

    def post(self, request: HttpRequest, dossier_id: UUID) -> HttpResponse:
        dossier = dossier_a_ouvrir(self.acteur, dossier_id)
        form = MotifDOuverture(request.POST)
        if not form.is_valid():
            return self._montrer(request, dossier, statut=422, form=form)
        with suppress(DejaLu):  # since the page: it is there to read
            ouvrir(signalement=dossier, acteur=self.acteur, **form.cleaned_data)
        return vers("espace:dossier", dossier.pk)

    def _montrer(self, request: HttpRequest, dossier: Signalement, statut: int = 200, form: Any = None) -> HttpResponse:
        return self.rendre(
            request,
            statut=statut,
            dossier=dossier,
            equipe=noms_des_equipes().get(dossier.equipe_id) if dossier.equipe_id else None,
            dates=dates_montrees(dossier),
            form=form or MotifDOuverture(),
        )


class EquipeDuDossier(PageDEquipe):
    gabarit = "espace/equipe_du_dossier.html"
    titre = _("Confier ce dossier à une équipe")
    droit = Droit.SIGNALEMENTS_RESERVER

    def get(self, request: HttpRequest, dossier_id: UUID) -> HttpResponse:
        dossier = dossier_a_deplacer(self.acteur, dossier_id)
        if dossier.pk != dossier_id:  # joined to another
            return vers("espace:equipe_du_dossier", dossier.pk, suite=self.dans)
        return self._montrer(request, dossier)

    def post(self, request: HttpRequest, dossier_id: UUID) -> HttpResponse:
        dossier = dossier_a_deplacer(self.acteur, dossier_id)
        form = self._form(request.POST)
        if dossier.pk != dossier_id:
            return self._montrer(
                request, dossier, statut=DossierJoint.statut_http, form=form, question=True, joint=True
            )
        if form.is_valid():
            try:
                vu = request.POST.get("vu_equipe", "")
                actes.confier_a_une_equipe(dossier=dossier, acteur=self.acteur, vu=vu, **form.cleaned_data)
            except ChampsInvalides as refus:
                form.accueillir(refus.details or [])
            except ChangeDepuis as refus:
                return self._montrer(request, dossier, statut=refus.statut_http, form=form, question=True)
            else:
                if dossier.est_visible_de(self.acteur):
                    return self.au_dossier(dossier.pk, "equipe")
                return vers("espace:liste")
        return self._montrer(request, dossier, statut=422, form=form)

    def _form(self, donnees: Any = None, **options: Any) -> DeplacerVers:
        actives = Equipe.objects.filter(active=True).order_by("nom", "id")[:EQUIPES_MAX]
        return DeplacerVers(donnees, equipes=[(str(une.pk), une.nom) for une in actives], **options)

    def _montrer(self, request: HttpRequest, dossier: Signalement, statut: int = 200, **contexte: Any) -> HttpResponse:
        contexte.setdefault("form", self._form(initial={"equipe_id": str(dossier.equipe_id or "")}))
        return self.rendre(
            request,
            statut=statut,
            dossier=dossier,
            lit=dossier.est_visible_de(self.acteur),
            vu=str(dossier.equipe_id or ""),
            **contexte,
        )
