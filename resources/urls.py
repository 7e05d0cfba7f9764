from resources.views.aide import AideViewSet
from resources.views.fichiers import FichierViewSet
from resources.views.ressources import RessourceViewSet
from socle.api.routers import Routeur

routeur = Routeur()
routeur.register("aide", AideViewSet, basename="aide")
routeur.register("fichiers", FichierViewSet, basename="fichier")
routeur.register("ressources", RessourceViewSet, basename="ressource")
urlpatterns = routeur.urls
