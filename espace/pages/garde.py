"""Pages on the keeping of cases: the legal hold of one, and those that come to their term soon."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

from espace.erreurs import ChangeDepuis, DossierJoint
from espace.pages import formulaires
from espace.pages.base import PageDEquipe
from espace.services import actes
from espace.services.reprises import Reprise, feuillet
from espace.vocabulaire import TAILLE
from signalements.garde import a_rouvrir, bientot_effaces
from signalements.models import Signalement
from signalements.permissions import signalement_a_traiter
from socle.audit.registre import montrer
from socle.domaine.droits import Droit
from socle.domaine.temps import jour_du_campus
from socle.erreurs import PermissionRefusee
from socle.pages.vues import vers

LUES = ("reference", "titre", "statut", "date_cloture")


class Gel(PageDEquipe):
    gabarit = "espace/gel.html"
    titre = _("Temps de garde de ce dossier")
    droit = Droit.SIGNALEMENTS_LIRE_EN_EQUIPE

    def get(self, request: HttpRequest, dossier_id: Any) -> HttpResponse:
        dossier = signalement_a_traiter(self.acteur, dossier_id)
        if dossier.pk != dossier_id:  # joined to another
            return vers("espace:gel", dossier.pk, suite=self.dans)
        return self.montrer(request, dossier)

    def post(self, request: HttpRequest, dossier_id: Any) -> HttpResponse:
        if not self.acteur.peut(Droit.SIGNALEMENTS_GELER):
            raise PermissionRefusee
        dossier = signalement_a_traiter(self.acteur, dossier_id)
        form = formulaires.Gel(request.POST)
        vu, gele = request.POST.get("vu_gel", ""), request.POST.get("acte") != "lever"
        if dossier.pk != dossier_id:
            statut, ecrit = DossierJoint.statut_http, {"form": form} if gele else {}
            return self.montrer(request, dossier, statut=statut, question=True, joint=True, **ecrit)
        if gele and not form.is_valid():
            return self.montrer(request, dossier, statut=422, form=form)
        try:
            motif = form.cleaned_data["motif"] if gele else ""
            actes.geler(dossier=dossier, acteur=self.acteur, gele=gele, motif=motif, vu=vu)
        except ChangeDepuis as refus:
            ecrit = {"form": form} if gele else {}
            return self.montrer(request, dossier, statut=refus.statut_http, question=True, **ecrit)
        return self.au_dossier(dossier.pk, "gel")

    def montrer(self, request: HttpRequest, dossier: Signalement, statut: int = 200, **contexte: Any) -> HttpResponse:
        contexte.setdefault("form", formulaires.Gel(initial={"motif": dossier.gel_motif}))
        return self.rendre(
            request,
            statut=statut,
            dossier=dossier,
            jours=settings.REPORTS_KEPT_DAYS,
            vu=actes.marque_du_gel(dossier.est_gele, dossier.gel_motif),
            est_passe=dossier.conserve_jusquau is not None and dossier.conserve_jusquau < jour_du_campus(),
            peut_geler=self.acteur.peut(Droit.SIGNALEMENTS_GELER),
            **contexte,
        )


class BientotEffaces(PageDEquipe):
    """Page of the cases that come to their term soon, the earliest first."""

    gabarit = "espace/bientot_effaces.html"
    titre = _("Dossiers bientôt effacés")

    def get(self, request: HttpRequest) -> HttpResponse:
        reprise = Reprise.lue_dans(request.GET)
        lignes = bientot_effaces(self.acteur).only(*LUES)
        lus, precedente, suivante = feuillet([lignes], reprise, champ="date_cloture", croissant=True, taille=TAILLE)
        montrer(self.acteur, [un.pk for un in lus], {})
        return self.rendre(
            request,
            dossiers=lus,
            a_rouvrir=[]
            if reprise
            else list(a_rouvrir(self.acteur).only("reference", "statut", "date_cloture", "equipe")[:TAILLE]),
            jours=settings.REPORTS_WARNING_DAYS if settings.REPORTS_KEPT_DAYS else 0,
            precedente=precedente and f"?{precedente.cote}={precedente.valeur}",
            suivante=suivante and f"?{suivante.cote}={suivante.valeur}",
        )
