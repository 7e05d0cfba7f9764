from config.api.routers import Routeur
from signalements.views import SignalementViewSet

routeur = Routeur()
routeur.register("signalements", SignalementViewSet, basename="signalement")
urlpatterns = routeur.urls
