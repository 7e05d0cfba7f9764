from config.api.routers import Routeur
from resources.views.aide import AideViewSet
from resources.views.fichiers import FichierViewSet
from resources.views.ressources import RessourceViewSet

routeur = Routeur()
routeur.register("aide", AideViewSet, basename="aide")
routeur.register("fichiers", FichierViewSet, basename="fichier")
routeur.register("ressources", RessourceViewSet, basename="ressource")
urlpatterns = routeur.urls
