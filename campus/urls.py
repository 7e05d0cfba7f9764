from django.urls import path

from campus.pages import accueil, calendrier

app_name = "campus"
urlpatterns = [
    path("", accueil.Accueil.as_view(), name="accueil"),
    path("calendrier/", calendrier.Calendrier.as_view(), name="calendrier"),
]
