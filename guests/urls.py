from config.api.routers import Routeur
from guests.views import SessionInviteeViewSet, SuiviViewSet

routeur = Routeur()
routeur.register("guest/sessions", SessionInviteeViewSet, basename="session-invitee")
routeur.register("guest/suivi", SuiviViewSet, basename="suivi")
urlpatterns = routeur.urls
