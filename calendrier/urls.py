from django.urls import re_path

from calendrier.views import CalendrierViewSet, FluxViewSet
from socle.api.routers import Routeur

routeur = Routeur()
routeur.register("calendriers", CalendrierViewSet, basename="calendrier")
urlpatterns = [
    re_path(r"^calendriers/flux/?$", FluxViewSet.as_view({"get": "retrieve", "post": "create", "delete": "destroy"})),
    re_path(r"^calendriers/flux\.ics/?$", FluxViewSet.as_view({"get": "lire"})),
    *routeur.urls,
]
