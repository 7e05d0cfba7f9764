"""Who of the team reads a case: a page of its own, for some who may not read the case."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

from espace.pages import formulaires
from espace.pages.base import PageDEquipe
from signalements.lecteurs import Designation
from signalements.models import Signalement
from signalements.permissions import dossier_a_reserver
from signalements.services import changer_lecteurs
from socle.domaine.droits import Droit
from socle.domaine.erreurs import ChampsInvalides, PermissionRefusee
from socle.pages.vues import vers


class Lecteurs(PageDEquipe):
    gabarit = "espace/lecteurs.html"
    titre = _("Qui lit ce dossier")

    def get(self, request: HttpRequest, dossier_id: Any) -> HttpResponse:
        return self.montrer(request, self._ouvrir(dossier_id))

    def post(self, request: HttpRequest, dossier_id: Any) -> HttpResponse:
        dossier = self._ouvrir(dossier_id)
        form = self._form(dossier, data=request.POST)
        if form.is_valid():
            try:
                changer_lecteurs(signalement=dossier, acteur=self.acteur, **form.cleaned_data)
            except ChampsInvalides as refus:
                form.accueillir(refus.details or [])
            else:
                if dossier.est_ouvert_a(self.acteur):
                    return vers("espace:dossier", dossier.pk, suite="?fait=lecteurs#fait")
                return vers("espace:liste")
        return self.montrer(request, dossier, statut=422, form=form)

    def montrer(self, request: HttpRequest, dossier: Signalement, statut: int = 200, **contexte: Any) -> HttpResponse:
        designation = Designation.de(dossier)
        contexte.setdefault("form", self._form(dossier, designation=designation))
        return self.rendre(
            request,
            statut=statut,
            dossier=dossier,
            designees=[*designation.ecartes, *designation.admis],
            lit=dossier.est_ouvert_a(self.acteur),
            **contexte,
        )

    def _ouvrir(self, dossier_id: Any) -> Signalement:
        if not self.acteur.peut(Droit.SIGNALEMENTS_RESERVER):
            raise PermissionRefusee
        return dossier_a_reserver(self.acteur, dossier_id)

    def _form(self, dossier: Signalement, designation: Designation | None = None, **options: Any) -> Any:
        """A box for everybody of the team, and for who is named already."""
        designation = designation or Designation.de(dossier)
        ecartes, admis = ([(str(u.compte_id), u.compte.nom_complet) for u in d] for d in designation[3:])
        return formulaires.Lecteurs(
            initial={"ecartes": [cle for cle, _nom in ecartes], "admis": [cle for cle, _nom in admis]},
            equipe=_sans_double(formulaires.membres(), ecartes),
            actifs=_sans_double(formulaires.personnes(), admis),
            **options,
        )


def _sans_double(*listes: list[tuple[str, str]]) -> list[tuple[str, str]]:
    return list({cle: (cle, nom) for liste in listes for cle, nom in liste}.values())
