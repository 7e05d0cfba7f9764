from config.api.routers import Routeur
from stats.views.exports import DemandeExportViewSet, ExportViewSet

routeur = Routeur()
routeur.register("stats/signalements", DemandeExportViewSet, basename="demande-export")
routeur.register("stats/exports", ExportViewSet, basename="export")
urlpatterns = routeur.urls
