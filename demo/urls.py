from django.urls import path

from demo.composants import Composants

urlpatterns = [
    path("", Composants.as_view(cadre="portail")),
    path("equipe/", Composants.as_view(cadre="equipe")),
]
