from homonymes.views import HomonymeViewSet
from socle.api.routers import Routeur

routeur = Routeur()
routeur.register("homonymes", HomonymeViewSet, basename="homonyme")
urlpatterns = routeur.urls
