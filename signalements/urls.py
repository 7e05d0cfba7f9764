from signalements.views import DossierDEquipeViewSet, LecteurViewSet, SignalementViewSet
from socle.api.champs import MOTIF_UUID
from socle.api.routers import Routeur

routeur = Routeur()
routeur.register("signalements", SignalementViewSet, basename="signalement")
routeur.register("lecteurs", LecteurViewSet, basename="lecteur")
routeur.register(f"equipes/(?P<equipe_id>{MOTIF_UUID})/dossiers", DossierDEquipeViewSet, basename="dossier-d-equipe")
urlpatterns = routeur.urls
