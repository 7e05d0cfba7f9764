"""The ticked rows of a list, confided to one person."""

from urllib.parse import urlencode
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from accounts.models import Compte
from espace.demandes import Demande
from espace.pages.liste import Liste
from espace.services.lots import CONFIES_A, LOT, Choisi, confier, refus_du_lot
from socle.domaine.droits import Droit
from socle.domaine.limites import consommer
from socle.erreurs import PermissionRefusee
from socle.pages.vues import vers


class Confier(Liste):
    def get(self, request: HttpRequest) -> HttpResponse:
        return vers("espace:liste", suite=Demande.lue_dans(request.GET).adresse)

    def post(self, request: HttpRequest) -> HttpResponse:
        """Back to the list, which says what became of each; refused, the same list with the same rows ticked."""
        if not self.acteur.peut(Droit.SIGNALEMENTS_ASSIGNER):
            raise PermissionRefusee
        demande = Demande.ecrite(request.POST.get("liste", ""))
        choisis = Choisi.lus_dans(request.POST.getlist("dossier"))
        qui = _une_personne(request.POST.get("gestionnaire_id", ""))
        refus = refus_du_lot(choisis) or ("" if qui else _("Choisissez une personne active de l'équipe."))
        if refus or qui is None:
            coches = {un.cle for un in choisis}
            return self.montrer(request, demande, statut=422, lot_refuse=refus, coches=coches)
        consommer("general", self.acteur.cle, pas=len(choisis))  # as many calls of the single act
        confier(acteur=self.acteur, choisis=choisis, a=qui)
        suite = urlencode({CONFIES_A: str(qui), LOT: [un.cle.hex for un in choisis]}, doseq=True)
        return vers("espace:liste", suite=f"{demande.adresse}&{suite}")


def _une_personne(cle: str) -> UUID | None:
    try:
        return Compte.objects.equipe_active().values_list("pk", flat=True).filter(pk=UUID(cle)).first()
    except ValueError:
        return None
