from forum.views import CommentaireViewSet, PosteViewSet, ReactionViewSet
from socle.api.champs import MOTIF_UUID
from socle.api.routers import Routeur

_POSTE = f"postes/(?P<poste_id>{MOTIF_UUID})"

routeur = Routeur()
routeur.register("postes", PosteViewSet, basename="poste")
routeur.register(f"{_POSTE}/commentaires", CommentaireViewSet, basename="commentaire")
routeur.register(f"{_POSTE}/reactions", ReactionViewSet, basename="reaction")
urlpatterns = routeur.urls
