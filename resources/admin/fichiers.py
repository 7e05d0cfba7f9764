from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import Exists, OuterRef, Q
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.urls import path, reverse
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

from accounts.admin import ChercheSansAccents, LectureSeule
from accounts.historique import criteres_de
from resources.admin.filters import FiltreGarde, FiltreType
from resources.lecteurs import fermes
from resources.models import Attache, Fichier
from resources.permissions import fichier_accessible, noter_la_liste, noter_la_page
from resources.querysets import JOINT
from resources.services import fichiers
from resources.stockage import lien
from resources.vocabulaire import RESSOURCE, genre_lisible
from socle.domaine.acteurs import Acteur, ActeurCompte
from socle.domaine.identite import DossierInconnu, nom_montre
from socle.erreurs import ErreurMetier, Introuvable
from socle.pages.balises import poids

# Label by kind of object that a file can be attached to; the apps above name their own kinds.
USAGES = {
    RESSOURCE: _("bibliothèque"),
    "signalement": _("signalement"),
    "message": _("message"),
    "poste": _("publication"),
}


@admin.register(Fichier)
class FichierAdmin(LectureSeule, ChercheSansAccents):
    """Uploaded files, read-only; administrators delete and restore them, evidence being kept for a time."""

    list_display = ("nom_montre", "ouvrir", "genre", "taille_lisible", "envoye_par", "joint_a", "date_creation")
    list_filter = (FiltreGarde, FiltreType)
    list_select_related = ("compte",)
    search_fields = ("recherche__contains",)
    fields = (
        "nom_montre",
        "type_mime",
        "taille_lisible",
        "metadonnees_retirees",
        "envoye_par",
        "joint_a",
        "date_creation",
        "date_suppression",
        "ouvrir",
    )
    ordering = ("-date_creation", "-id")
    actions = ("retablir",)

    def get_queryset(self, request: HttpRequest) -> Any:
        """Exclude deleted files for those who may not restore them, those of cases closed to the reader, and those of
        others that are attached to nothing yet.
        """
        lignes: Any = super().get_queryset(request).prefetch_related("attaches")
        acteur = ActeurCompte(compte=request.user)  # type: ignore[arg-type]
        lignes = lignes.filter(JOINT | Q(compte=acteur.compte))
        for sorte, caches in fermes.items():
            siens = Attache.objects.filter(fichier=OuterRef("pk"), sorte=sorte, objet__in=caches(acteur))
            lignes = lignes.filter(~Exists(siens))
        return lignes if self.has_delete_permission(request) else lignes.presents()

    def get_urls(self) -> Any:
        vue = self.admin_site.admin_view(self.telecharger)
        return [path("<uuid:pk>/ouvrir/", vue, name="resources_fichier_ouvrir"), *super().get_urls()]

    def telecharger(self, request: HttpRequest, pk: UUID) -> HttpResponse:
        """Redirect to a one-hour link, which sends an attachment under a type that no browser runs."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        get_object_or_404(self.get_queryset(request).presents(), pk=pk)
        return HttpResponseRedirect(lien(fichier_accessible(ActeurCompte(compte=request.user), pk)))  # type: ignore[arg-type]

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return request.user.has_perm("resources.delete_fichier")

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> Any:
        """List, for the confirmation page, the files and the kinds of objects they are attached to."""
        lignes = []
        for fichier in objs:
            usages = self.joint_a(fichier)
            lignes.append(
                _("%(nom)s, joint à : %(usages)s") % {"nom": fichier, "usages": usages} if usages else fichier
            )
        return lignes, {self.opts.verbose_name_plural: len(lignes)}, set(), []

    def delete_view(self, request: HttpRequest, object_id: str, extra_context: Any = None) -> Any:
        return self._dire(request, lambda: super(FichierAdmin, self).delete_view(request, object_id, extra_context))

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> Any:
        reponse = self._dire(request, lambda: super(FichierAdmin, self).changelist_view(request, extra_context))
        if liste := (getattr(reponse, "context_data", None) or {}).get("cl"):
            acteur = ActeurCompte(compte=request.user)  # type: ignore[arg-type]
            noter_la_liste(acteur, liste.result_list, criteres_de(request))
        return reponse

    def get_object(self, request: HttpRequest, object_id: str, from_field: str | None = None) -> Any:
        """Fetch it for the pages that name it, and note that they do."""
        fichier = super().get_object(request, object_id, from_field)
        if fichier is not None:
            noter_la_page(ActeurCompte(compte=request.user), fichier)  # type: ignore[arg-type]
        return fichier

    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        try:
            fichiers.supprimer(fichier=obj, acteur=ActeurCompte(compte=request.user))  # type: ignore[arg-type]
        except Introuvable:
            return  # somebody else has just done it

    def delete_queryset(self, request: HttpRequest, queryset: Any) -> None:
        for fichier in queryset:
            self.delete_model(request, fichier)

    @admin.action(description=_("Rétablir les fichiers choisis"), permissions=["delete"])
    def retablir(self, request: HttpRequest, lignes: Any) -> None:
        def acte(acteur: Acteur, fichier: Fichier) -> None:
            fichiers.retablir(fichier=fichier, acteur=acteur)

        self.agir(request, lignes.supprimes(), acte, _("rétabli"))

    def log_change(self, request: HttpRequest, obj: Any, message: Any) -> Any:
        """Write nothing: the service writes the journal, for the API as for this page."""

    def log_deletions(self, request: HttpRequest, queryset: Any) -> Any:
        """Write nothing: the service writes the journal."""

    def _dire(self, request: HttpRequest, montrer: Callable[[], Any]) -> Any:
        """Call the view; turn a service's refusal into an error message and a redirect to the list."""
        try:
            return montrer()
        except ErreurMetier as refus:
            self.message_user(request, str(refus.message), level="error")
            return HttpResponseRedirect(reverse("admin:resources_fichier_changelist", current_app=self.admin_site.name))

    @admin.display(description=_("nom"))
    def nom_montre(self, fichier: Fichier) -> str:
        return fichier.nom_d_autrui

    @admin.display(description=_("type"), ordering="type_mime")
    def genre(self, fichier: Fichier) -> str:
        return genre_lisible(fichier.type_mime)

    @admin.display(description=_("taille"), ordering="taille")
    def taille_lisible(self, fichier: Fichier) -> str:
        return poids(fichier.taille)

    @admin.display(description=_("envoyé par"))
    def envoye_par(self, fichier: Fichier) -> str:
        """Name the uploader in the library alone: another file may be, or become, part of a report that hides them."""
        au_grand_jour = {attache.sorte for attache in fichier.attaches.all()} == {RESSOURCE}
        return nom_montre(fichier, vu_par=None, dossier=None if au_grand_jour else DossierInconnu.de(fichier))

    @admin.display(description=_("joint à"))
    def joint_a(self, fichier: Fichier) -> str:
        sortes = sorted({attache.sorte for attache in fichier.attaches.all()})
        return ", ".join(str(USAGES.get(sorte, sorte)) for sorte in sortes)

    @admin.display(description=_("ouvrir"))
    def ouvrir(self, fichier: Fichier) -> str:
        if fichier.est_supprime:
            return str(_("Supprimé : rétablissez-le d'abord."))
        adresse = reverse("admin:resources_fichier_ouvrir", args=[fichier.pk], current_app=self.admin_site.name)
        return format_html('<a href="{}">{}</a>', adresse, _("Télécharger"))
