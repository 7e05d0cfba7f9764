from config.api.champs import MOTIF_UUID
from config.api.routers import Routeur
from forum.views import CommentaireViewSet, PosteViewSet, ReactionViewSet

_POSTE = f"postes/(?P<poste_id>{MOTIF_UUID})"

routeur = Routeur()
routeur.register("postes", PosteViewSet, basename="poste")
routeur.register(f"{_POSTE}/commentaires", CommentaireViewSet, basename="commentaire")
routeur.register(f"{_POSTE}/reactions", ReactionViewSet, basename="reaction")
urlpatterns = routeur.urls
