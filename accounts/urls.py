from accounts.views.audit import AuditViewSet
from accounts.views.auth import AuthViewSet
from accounts.views.comptes import CompteViewSet
from accounts.views.invitations import InvitationViewSet
from accounts.views.preferences import PreferencesViewSet, RoleViewSet
from accounts.views.second_facteur import SecondFacteurViewSet
from socle.api.routers import Routeur

routeur = Routeur()
routeur.register("auth", AuthViewSet, basename="auth")
routeur.register("comptes/invitations", InvitationViewSet, basename="invitation")
routeur.register("comptes/me", SecondFacteurViewSet, basename="second-facteur")
routeur.register("comptes", CompteViewSet, basename="compte")
routeur.register("preferences", PreferencesViewSet, basename="preferences")
routeur.register("roles", RoleViewSet, basename="role")
routeur.register("audit", AuditViewSet, basename="audit")
urlpatterns = routeur.urls
