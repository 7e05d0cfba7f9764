"""The root URLconf and the error handlers."""

from django.conf import settings
from django.contrib import admin
from django.urls import include, path, re_path
from django.views.generic import RedirectView

from accounts import pages
from avis.pages import ConfirmerMesMails, NePlusPrevenir
from config import racine
from socle.api import views
from socle.metriques import SANS_ROUTE
from socle.pages.evenements import Evenements

urlpatterns = [
    re_path(r"^health/?$", views.HealthViewSet.as_view({"get": "list"})),
    re_path(r"^health/live/?$", views.HealthViewSet.as_view({"get": "vie"})),
    re_path(r"^metrics/?$", views.MetriquesViewSet.as_view({"get": "metriques"})),
    re_path(r"^openapi\.json/?$", views.OpenApiViewSet.as_view({"get": "lire"})),
    re_path(r"^api/v1/openapi\.json/?$", views.OpenApiViewSet.as_view({"get": "lire"}), name="openapi"),
    re_path(r"^asyncapi\.json/?$", views.AsyncApiViewSet.as_view({"get": "lire"})),
    re_path(r"^api/v1/asyncapi\.json/?$", views.AsyncApiViewSet.as_view({"get": "lire"})),
    re_path(r"^api/v1/docs/?$", views.Swagger.as_view()),
    re_path(r"^api/v1/docs/evenements/?$", Evenements.as_view(), name="evenements"),
    re_path(r"^api/v1/redoc/?$", views.Redoc.as_view()),
    re_path(r"^api/v1/config/?$", views.ConfigViewSet.as_view({"get": "configuration"})),
    re_path(r"^api/v1/evenements/?$", views.EvenementViewSet.as_view({"get": "list"})),
    path("api/v1/", include("personnes.urls")),
    path("api/v1/", include("accounts.urls")),
    path("api/v1/", include("guests.urls")),
    path("api/v1/", include("avis.urls")),
    path("api/v1/", include("resources.urls")),
    path("api/v1/", include("signalements.urls")),
    path("api/v1/", include("calendrier.urls")),
    path("api/v1/", include("discussions.urls")),
    path("api/v1/", include("equipes.urls")),
    path("api/v1/", include("reponses.urls")),
    path("api/v1/", include("echeances.urls")),
    path("api/v1/", include("homonymes.urls")),
    path("api/v1/", include("forum.urls")),
    path("api/v1/", include("stats.urls")),
    re_path(r"^api/", views.inconnu, name=SANS_ROUTE),
    path("admin", RedirectView.as_view(pattern_name="admin:index")),
    path("admin/", admin.site.urls),
    re_path(r"^reinitialisation/?$", pages.Reinitialisation.as_view(), name="reinitialisation"),
    # The name that Django's sign-in page looks for.
    re_path(r"^mot-de-passe-oublie/?$", pages.Oubli.as_view(), name="admin_password_reset"),
    re_path(r"^confirmer-adresse/?$", pages.ConfirmerAdresse.as_view(), name="confirmer_adresse"),
    re_path(r"^contester-adresse/?$", pages.ContesterAdresse.as_view(), name="contester_adresse"),
    re_path(r"^confirmer-e-mail/?$", ConfirmerMesMails.as_view(), name="confirmer_e_mail"),
    re_path(r"^ne-plus-prevenir/?$", NePlusPrevenir.as_view(), name="ne_plus_prevenir"),
    re_path(r"^invitation/?$", pages.Invitation.as_view(), name="invitation"),
    path("equipe", RedirectView.as_view(pattern_name="espace:liste")),
    path("equipe/", include("espace.urls")),
    path("", include("portail.urls")),
    path("campus/", include("campus.urls")),
    path("campus.css", racine.couleurs, name="couleurs"),
    path("campus-logo", racine.logo, name="logo"),
    path("robots.txt", racine.robots),
    path("favicon.ico", racine.icone),
    path(".well-known/security.txt", racine.securite),
    path(".well-known/change-password", racine.mot_de_passe),
]
if settings.DEBUG:
    urlpatterns.append(path("composants/", include("demo.urls")))  # the page of samples
handler400 = views.refusee
handler403 = views.interdite
handler404 = views.inconnu
handler500 = views.panne
