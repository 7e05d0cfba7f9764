"""Export of what a page of the team shows: the API's own exports, asked for by a form, answered by the file."""

from typing import Any, NamedTuple

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

from espace.pages.base import PageDEquipe
from espace.services.lots import Choisi, refus_du_lot
from espace.vocabulaire import A_FAIRE, A_MOI, APRES_CLOTURE, BIENTOT, CLOS, EN_RETARD, NON_ATTRIBUES, NON_LUS, OUVERTS
from resources.vocabulaire import LOCAL
from signalements.filters import AUCUN
from signalements.models import Signalement
from socle.audit.registre import consigner, montrer
from socle.audit.vocabulaire import Acte, Sorte
from socle.domaine.acteurs import Acteur
from socle.domaine.droits import Droit
from socle.domaine.limites import consommer
from socle.erreurs import ChampsInvalides
from socle.pages.vues import vers
from socle.realtime.models import CompteurEvenements
from stats.exports import services
from stats.exports.avancement import progression
from stats.exports.envoi import envoyer
from stats.exports.liens import lien_de_l_export
from stats.exports.permissions import export_accessible
from stats.exports.selection import CHOISIS
from stats.vocabulaire import FormatExport, PartDeListe, StatutExport

# What a form may ask for: the filters of the list, and which part of it.
FILTRES = ("part", "search", "statut", "priorite", "type", "gestionnaireId", "nonLus", "sourceActeur", "debut", "fin")


class Exportation(NamedTuple):
    """Content of the form of a page, `champs`; None where an export has no way to say which cases the page shows.

    `est_moindre`: the page begins with cases that the export leaves out; `est_de_ses_lus`: it counts some that its
    reader may not read, and no export holds those.
    """

    champs: list[tuple[str, str]] | None
    est_moindre: bool = False
    est_de_ses_lus: bool = False

    @classmethod
    def pour(cls, acteur: Acteur, filtres: dict[str, str] | None, **options: bool) -> "Exportation | None":
        """None for who may not export."""
        if not acteur.peut(Droit.STATS_EXPORTER):
            return None
        champs = None if filtres is None else [(nom, filtres[nom]) for nom in FILTRES if filtres.get(nom)]
        return cls(champs, **options)


def de_la_liste(acteur: Acteur, vue: str, donnes: dict[str, str]) -> Exportation | None:
    """The list under these filters, as an export."""
    filtres = _en_filtres(acteur, vue, donnes)
    return Exportation.pour(acteur, filtres, est_moindre=vue in (A_FAIRE, *APRES_CLOTURE) and not donnes)


def _en_filtres(acteur: Acteur, vue: str, donnes: dict[str, str]) -> dict[str, str] | None:
    """These filters with those that stand for the list; None for a list that no filter stands for."""
    de_la_vue: dict[str, dict[str, str]] = {
        OUVERTS: {"part": PartDeListe.OUVERTS},
        CLOS: {"part": PartDeListe.CLOS},
        A_MOI: {"part": PartDeListe.OUVERTS, "gestionnaireId": str(acteur.pk)},
        NON_ATTRIBUES: {"part": PartDeListe.OUVERTS, "gestionnaireId": AUCUN},
        NON_LUS: {"nonLus": "true"},
        A_FAIRE: {"part": PartDeListe.A_FAIRE},
        EN_RETARD: {"part": PartDeListe.EN_RETARD},
        BIENTOT: {"part": PartDeListe.BIENTOT},
    }
    sien = de_la_vue.get(vue)
    if sien is None or any(donnes.get(nom, valeur) != valeur for nom, valeur in sien.items()):
        return None  # « À moi », of somebody else
    return {**donnes, **sien}


class Exporter(PageDEquipe):
    """Asks for an export: a small one is the answer, a large one has a page that says when it is there."""

    titre = _("Exporter")
    droit = Droit.STATS_EXPORTER

    def get(self, request: HttpRequest) -> HttpResponse:
        return vers("espace:liste")

    def post(self, request: HttpRequest) -> Any:
        format_ = request.POST.get("format") or FormatExport.CSV
        if format_ not in FormatExport.values:
            raise ChampsInvalides.pour(format=_("Choisissez CSV ou XLSX."))
        filtres = self._choisis(request) or {nom: request.POST[nom] for nom in FILTRES if request.POST.get(nom)}
        consommer("export", self.acteur.cle)
        export = services.demander(acteur=self.acteur, format=format_, filtres=filtres)
        # To a bucket a form may lead nobody: a link of a page may.
        if export.statut != StatutExport.PRET or export.seau != LOCAL:
            return vers("espace:export", export.pk)
        consigner(Acte.EXPORT_TELECHARGE, par=self.compte, objet=export.pk, sorte=Sorte.EXPORT)
        return envoyer(export)

    def _choisis(self, request: HttpRequest) -> dict[str, Any]:
        """The ticked rows of a list, each noted as shown; {} of a form that asks for a whole list."""
        if "choisis" not in request.POST:
            return {}
        choisis = Choisi.lus_dans(request.POST.getlist("dossier"))
        if refus := refus_du_lot(choisis):
            raise ChampsInvalides.pour(dossier=refus)
        cles = [un.cle for un in choisis]
        visibles = Signalement.objects.visibles_par(self.acteur).filter(pk__in=cles).exclude(compte=self.acteur.pk)
        montrer(self.acteur, visibles.order_by().values_list("pk", flat=True), {})
        return {CHOISIS: [str(cle) for cle in cles]}


class UnExport(PageDEquipe):
    """State of an export: being written, ready, failed, or no longer kept."""

    gabarit = "espace/export.html"
    titre = _("Export")
    droit = Droit.STATS_EXPORTER

    def get(self, request: HttpRequest, export_id: Any) -> HttpResponse:
        depuis = CompteurEvenements.lire().dernier_numero
        export = export_accessible(self.acteur, export_id)
        return self.rendre(
            request,
            depuis=depuis,
            export=export,
            progression=progression(export),
            adresse=lien_de_l_export(export) if export.statut == StatutExport.PRET and not export.est_retire else "",
        )
