from accounts import views
from config.api.routers import Routeur

routeur = Routeur()
routeur.register("auth", views.AuthViewSet, basename="auth")
routeur.register("comptes/invitations", views.InvitationViewSet, basename="invitation")
routeur.register("comptes", views.CompteViewSet, basename="compte")
routeur.register("preferences", views.PreferencesViewSet, basename="preferences")
routeur.register("roles", views.RoleViewSet, basename="role")
urlpatterns = routeur.urls
