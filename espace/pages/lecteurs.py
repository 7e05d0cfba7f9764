"""Page of a case's readers in the team: on its own, for some who may not read the case."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

from espace.erreurs import ChangeDepuis, DossierJoint
from espace.pages import formulaires
from espace.pages.base import PageDEquipe
from espace.services import actes
from signalements.ecarts import se_retirer
from signalements.lecteurs import Acces, Designation
from signalements.models import Signalement
from signalements.permissions import dossier_a_reserver, signalement_a_traiter
from signalements.vocabulaire import DE_L_AUTEUR
from socle.domaine.droits import Droit
from socle.erreurs import ChampsInvalides, PermissionRefusee
from socle.pages.vues import vers


class Lecteurs(PageDEquipe):
    gabarit = "espace/lecteurs.html"
    titre = _("Qui lit ce dossier")

    def get(self, request: HttpRequest, dossier_id: Any) -> HttpResponse:
        dossier = self._ouvrir(dossier_id)
        if dossier.pk != dossier_id:  # joined to another
            return vers("espace:lecteurs", dossier.pk, suite=self.dans)
        return self.montrer(request, dossier)

    def post(self, request: HttpRequest, dossier_id: Any) -> HttpResponse:
        dossier = self._ouvrir(dossier_id)
        if dossier.pk != dossier_id:
            return self._demander(request, dossier, DossierJoint())
        form = self._form(dossier, data=request.POST)
        if form.is_valid():
            try:
                vu = request.POST.get("vu_lecteurs", "")
                actes.changer_lecteurs(dossier=dossier, acteur=self.acteur, vu=vu, **form.cleaned_data)
            except ChampsInvalides as refus:
                form.accueillir(refus.details or [])
            except ChangeDepuis as refus:
                return self._demander(request, dossier, refus)
            else:
                if dossier.est_ouvert_a(self.acteur):
                    return self.au_dossier(dossier.pk, "lecteurs")
                return vers("espace:liste")
        return self.montrer(request, dossier, statut=422, form=form)

    def _demander(self, request: HttpRequest, dossier: Signalement, refus: ChangeDepuis | DossierJoint) -> HttpResponse:
        """The page again, its boxes ticked by either: whom a colleague shut out stays so unless somebody unticks it."""
        donnees, designation = request.POST.copy(), Designation.de(dossier)
        for nom, regles in (("ecartes", designation.ecartes), ("admis", designation.admis)):
            cles = [*donnees.getlist(nom), *(str(regle.compte_id) for regle in regles)]
            donnees.setlist(nom, list(dict.fromkeys(cles)))
        form = self._form(dossier, designation=designation, data=donnees)
        joint = isinstance(refus, DossierJoint)
        return self.montrer(request, dossier, statut=refus.statut_http, form=form, question=True, joint=joint)

    def montrer(self, request: HttpRequest, dossier: Signalement, statut: int = 200, **contexte: Any) -> HttpResponse:
        designation = Designation.de(dossier)
        contexte.setdefault("form", self._form(dossier, designation=designation))
        return self.rendre(
            request,
            statut=statut,
            dossier=dossier,
            designees=[*designation.ecartes, *designation.admis],
            lit=dossier.est_ouvert_a(self.acteur),
            rouvre=self._rouvre,
            vu=actes.marque_de_l_acces(Acces.de(dossier)),
            **contexte,
        )

    @property
    def _rouvre(self) -> bool:
        return self.acteur.peut(Droit.SIGNALEMENTS_ROUVRIR)

    def _ouvrir(self, dossier_id: Any) -> Signalement:
        if not self.acteur.peut(Droit.SIGNALEMENTS_RESERVER):
            raise PermissionRefusee
        return dossier_a_reserver(self.acteur, dossier_id)

    def _form(self, dossier: Signalement, designation: Designation | None = None, **options: Any) -> Any:
        """A box for everybody of the team, and for who is named already."""
        designation = designation or Designation.de(dossier)
        ecartes, admis = (
            [(str(u.compte_id), u.compte.nom_complet) for u in d] for d in (designation.ecartes, designation.admis)
        )
        return formulaires.Lecteurs(
            initial={"ecartes": [cle for cle, _nom in ecartes], "admis": [cle for cle, _nom in admis]},
            equipe=_sans_double(formulaires.membres(), ecartes),
            actifs=_sans_double(formulaires.personnes(), admis),
            motive=self._rouvre and any(un.origine in DE_L_AUTEUR for un in designation.ecartes),
            **options,
        )


class NePlusLire(PageDEquipe):
    """Withdrawing from a case that one must not read: asked once, as one does not come back by oneself."""

    gabarit = "espace/retrait.html"
    titre = _("Ne plus lire ce dossier")
    droit = Droit.SIGNALEMENTS_RESERVER

    def get(self, request: HttpRequest, dossier_id: Any) -> HttpResponse:
        return self.rendre(request, dossier=signalement_a_traiter(self.acteur, dossier_id))

    def post(self, request: HttpRequest, dossier_id: Any) -> HttpResponse:
        se_retirer(signalement=signalement_a_traiter(self.acteur, dossier_id), acteur=self.acteur)
        return vers("espace:liste")


def _sans_double(*listes: list[tuple[str, str]]) -> list[tuple[str, str]]:
    return list({cle: (cle, nom) for liste in listes for cle, nom in liste}.values())
