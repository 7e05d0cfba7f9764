from avis.views import AvisInviteViewSet
from socle.api.routers import Routeur

routeur = Routeur()
routeur.register("guest", AvisInviteViewSet, basename="avis-invite")
urlpatterns = routeur.urls
