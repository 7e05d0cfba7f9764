from signalements.views import DossierDEquipeViewSet, SignalementViewSet
from socle.api.champs import MOTIF_UUID
from socle.api.routers import Routeur

routeur = Routeur()
routeur.register("signalements", SignalementViewSet, basename="signalement")
routeur.register(f"equipes/(?P<equipe_id>{MOTIF_UUID})/dossiers", DossierDEquipeViewSet, basename="dossier-d-equipe")
urlpatterns = routeur.urls
