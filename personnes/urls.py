from personnes.views import ExportDeLInviteViewSet, ExportDuCompteViewSet
from socle.api.routers import Routeur

routeur = Routeur()
routeur.register("comptes/me", ExportDuCompteViewSet, basename="export-du-compte")
routeur.register("guest", ExportDeLInviteViewSet, basename="export-de-l-invite")
urlpatterns = routeur.urls
