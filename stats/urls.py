from config.api.routers import Routeur

routeur = Routeur()
urlpatterns = routeur.urls
