from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

from accounts.admin import ChercheSansAccents, LectureSeule
from resources.admin.filters import FiltreCategorie, FiltreEtat
from resources.models import Ressource
from resources.services import ressources
from resources.vocabulaire import categorie_lisible, genre_lisible
from socle.domaine.acteurs import Acteur
from socle.pages.balises import poids


@admin.register(Ressource)
class RessourceAdmin(LectureSeule, ChercheSansAccents):
    """The library: added over the API; deleted, and taken back, by the same services."""

    list_display = ("titre", "categorie_dite", "sorte", "taille_lisible", "ajoutee_par", "date_creation")
    list_filter = (FiltreEtat, FiltreCategorie)
    list_select_related = ("cree_par",)
    search_fields = ("recherche__contains",)
    fields = (
        "titre",
        "description",
        "categorie_dite",
        "ouvrir",
        "sorte",
        "taille_lisible",
        "ajoutee_par",
        "date_creation",
        "date_suppression",
    )
    ordering = ("-date_creation", "-id")
    actions = ("supprimer", "retablir")

    @admin.display(description=_("catégorie"), ordering="categorie")
    def categorie_dite(self, ressource: Ressource) -> str:
        return categorie_lisible(ressource.categorie)

    @admin.display(description=_("type"))
    def sorte(self, ressource: Ressource) -> str:
        return genre_lisible(ressource.type_mime) if ressource.type_mime else str(_("lien")).capitalize()

    @admin.display(description=_("taille"), ordering="taille")
    def taille_lisible(self, ressource: Ressource) -> str:
        return poids(ressource.taille) if ressource.taille else ""

    @admin.display(description=_("ajoutée par"))
    def ajoutee_par(self, ressource: Ressource) -> str:
        return ressource.cree_par.nom_complet

    @admin.display(description=_("ouvrir"))
    def ouvrir(self, ressource: Ressource) -> str:
        if ressource.fichier_id:
            adresse = reverse("admin:resources_fichier_ouvrir", args=[ressource.fichier_id])
            return format_html('<a href="{}">{}</a>', adresse, ressource.nom_fichier)
        if ressource.url_publique:
            return format_html('<a href="{0}" rel="noopener noreferrer">{0}</a>', ressource.url_publique)
        return str(_("Le fichier a été supprimé."))

    @admin.action(description=_("Supprimer les ressources choisies"), permissions=["gerer"])
    def supprimer(self, request: HttpRequest, lignes: Any) -> None:
        def acte(acteur: Acteur, ressource: Ressource) -> None:
            ressources.supprimer(ressource=ressource, acteur=acteur)

        self.agir(request, lignes.filter(date_suppression__isnull=True), acte, _("supprimée"))

    @admin.action(description=_("Rétablir les ressources choisies"), permissions=["gerer"])
    def retablir(self, request: HttpRequest, lignes: Any) -> None:
        def acte(acteur: Acteur, ressource: Ressource) -> None:
            ressources.retablir(ressource=ressource, acteur=acteur)

        self.agir(request, lignes.filter(date_suppression__isnull=False), acte, _("rétablie"))

    def has_gerer_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("resources.change_ressource")
