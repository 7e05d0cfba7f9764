from socle.api.routers import Routeur
from stats.chiffres.views import StatistiquesViewSet, TableauDeBordViewSet
from stats.exports.views import DemandeExportViewSet, ExportViewSet

routeur = Routeur()
routeur.register("stats/dashboard", TableauDeBordViewSet, basename="tableau-de-bord")
routeur.register("stats/signalements", DemandeExportViewSet, basename="demande-export")
routeur.register("stats/exports", ExportViewSet, basename="export")
routeur.register("stats", StatistiquesViewSet, basename="statistiques")
urlpatterns = routeur.urls
