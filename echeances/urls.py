from echeances.views import DelaiViewSet, EcheanceViewSet
from socle.api.champs import MOTIF_UUID
from socle.api.routers import Routeur

routeur = Routeur()
routeur.register("delais", DelaiViewSet, basename="delai")
routeur.register(f"signalements/(?P<signalement_id>{MOTIF_UUID})/echeances", EcheanceViewSet, basename="echeance")
urlpatterns = routeur.urls
