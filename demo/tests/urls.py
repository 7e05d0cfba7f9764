"""The routes of the service, with the page of samples that DEBUG adds."""

from django.urls import include, path

from config import urls

urlpatterns = [*urls.urlpatterns, path("composants/", include("demo.urls"))]
handler404 = urls.handler404
