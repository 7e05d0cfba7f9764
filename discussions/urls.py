from discussions.views import DiscussionViewSet
from socle.api.routers import Routeur

routeur = Routeur()
routeur.register("discussions", DiscussionViewSet, basename="discussion")
urlpatterns = routeur.urls
