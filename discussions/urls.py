from config.api.routers import Routeur
from discussions.views import DiscussionViewSet

routeur = Routeur()
routeur.register("discussions", DiscussionViewSet, basename="discussion")
urlpatterns = routeur.urls
