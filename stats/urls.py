from config.api.routers import Routeur
from stats.views.statistiques import StatistiquesViewSet, TableauDeBordViewSet

routeur = Routeur()
routeur.register("stats/dashboard", TableauDeBordViewSet, basename="tableau-de-bord")
routeur.register("stats", StatistiquesViewSet, basename="statistiques")
urlpatterns = routeur.urls
