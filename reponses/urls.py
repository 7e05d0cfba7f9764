from reponses.views import AccuseViewSet, ModeleDeReponseViewSet, OrientationViewSet
from socle.api.champs import MOTIF_UUID
from socle.api.routers import Routeur

routeur = Routeur()
routeur.register("modeles-reponse", ModeleDeReponseViewSet, basename="modele-de-reponse")
routeur.register("orientations", OrientationViewSet, basename="orientation")
routeur.register(f"signalements/(?P<signalement_id>{MOTIF_UUID})/accuses", AccuseViewSet, basename="accuse")
urlpatterns = routeur.urls
