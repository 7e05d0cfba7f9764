from signalements.views import SignalementViewSet
from socle.api.routers import Routeur

routeur = Routeur()
routeur.register("signalements", SignalementViewSet, basename="signalement")
urlpatterns = routeur.urls
