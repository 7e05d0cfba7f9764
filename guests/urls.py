from guests.views import SessionDuDossierViewSet, SessionInviteeViewSet, SuiviViewSet
from socle.api.routers import Routeur

routeur = Routeur()
routeur.register("guest/sessions", SessionInviteeViewSet, basename="session-invitee")
routeur.register("signalements", SessionDuDossierViewSet, basename="session-du-dossier")
routeur.register("guest/suivi", SuiviViewSet, basename="suivi")
urlpatterns = routeur.urls
