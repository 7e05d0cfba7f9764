from config.api.routers import Routeur
from stats.views.exports import DemandeExportViewSet, ExportViewSet
from stats.views.statistiques import StatistiquesViewSet, TableauDeBordViewSet

routeur = Routeur()
routeur.register("stats/dashboard", TableauDeBordViewSet, basename="tableau-de-bord")
routeur.register("stats/signalements", DemandeExportViewSet, basename="demande-export")
routeur.register("stats/exports", ExportViewSet, basename="export")
routeur.register("stats", StatistiquesViewSet, basename="statistiques")
urlpatterns = routeur.urls
