from equipes.views import EquipeViewSet, MembreViewSet, RegleViewSet
from socle.api.champs import MOTIF_UUID
from socle.api.routers import Routeur

routeur = Routeur()
routeur.register("equipes", EquipeViewSet, basename="equipe")
routeur.register(f"equipes/(?P<equipe_id>{MOTIF_UUID})/membres", MembreViewSet, basename="membre-d-equipe")
routeur.register("regles-routage", RegleViewSet, basename="regle-de-routage")
urlpatterns = routeur.urls
