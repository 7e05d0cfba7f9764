from collections.abc import Callable
from typing import Any

from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Group
from django.http import HttpRequest, HttpResponseRedirect
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext
from django_tasks_db.models import DBTaskResult

from accounts.models import Compte, Invitation, Session
from accounts.services import comptes
from accounts.suivi import en_tableau
from accounts.vocabulaire import StatutInvitation
from config.domaine.acteurs import Acteur
from config.domaine.erreurs import ErreurMetier
from config.domaine.texte import normaliser

admin.site.unregister([Group, DBTaskResult])


class Table(admin.ModelAdmin):
    show_full_result_count = False  # it counts the whole table at each search

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> Any:
        titre = capfirst(str(self.opts.verbose_name_plural))
        return super().changelist_view(request, {"title": titre, **(extra_context or {})})

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest | None = None) -> bool:
        """Only what the page offers: any other would be an oracle on hashes that the page does not show, or a fault."""
        nom, _separe, comment = lookup.partition("__")
        offerts = [_nom_du_filtre(filtre) for filtre in self.list_filter]
        return nom in offerts and comment in ("", "exact", "isnull")

    def agir(self, request: HttpRequest, lignes: Any, acte: Callable[[Acteur, Any], None], champ: Any) -> None:
        """Row by row, by the same services as over the API; a refusal is said, and noted as nothing done."""
        acteur, faites = Acteur(compte=request.user), 0  # type: ignore[arg-type]
        for ligne in lignes:
            try:
                acte(acteur, ligne)
            except ErreurMetier as refus:
                self.message_user(request, f"{ligne} : {refus.message}", level="error")
            else:
                self.log_change(request, ligne, [{"changed": {"fields": [str(champ)]}}])
                faites += 1
        self.dire_combien(request, faites)

    def dire_combien(self, request: HttpRequest, faites: int) -> None:
        texte = ngettext("%(n)d ligne traitée.", "%(n)d lignes traitées.", faites) % {"n": faites}
        self.message_user(request, texte)


def _nom_du_filtre(filtre: Any) -> str:
    """The column of a filter, or the parameter of one that has its own."""
    return str(getattr(filtre, "parameter_name", filtre[0] if isinstance(filtre, tuple) else filtre))


class ChercheSansAccents(Table):
    """Searches the text that the model indexes, as the API does."""

    def get_search_results(self, request: HttpRequest, queryset: Any, search_term: str) -> Any:
        return super().get_search_results(request, queryset, normaliser(search_term))


class ParLesServices(Table):
    """Saves through a service: what it refuses is said, and nothing was written, nor noted as done."""

    def changeform_view(self, request: HttpRequest, *args: Any, **options: Any) -> Any:
        try:
            return super().changeform_view(request, *args, **options)
        except ErreurMetier as refus:
            self.message_user(request, str(refus.message), level="error")
            return HttpResponseRedirect(request.path)


class LectureSeule(Table):
    """A table that is looked at here and changed through its service alone."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(Compte)
class CompteAdmin(ParLesServices, ChercheSansAccents):
    """Names, role and activity, changed by the same services as over the API."""

    list_display = ("nom_complet", "email", "type_utilisateur", "est_actif", "derniere_connexion")
    list_filter = ("type_utilisateur", "est_actif")
    search_fields = ("recherche__contains",)  # as the index serves it
    ordering = ("-date_creation",)
    fields = (
        "email",
        "prenom",
        "nom",
        "type_utilisateur",
        "telephone",
        "bureau_genre_id",
        "est_actif",
        "derniere_connexion",
    )
    readonly_fields = ("est_actif", "derniere_connexion")
    actions = ("desactiver", "reactiver")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False  # an account is invited, or made over the API with its password

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False  # an account is deactivated; its cases stay

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        valeurs = {champ: getattr(obj, champ) for champ in form.changed_data}
        comptes.modifier(compte=Compte.objects.get(pk=obj.pk), acteur=Acteur(compte=request.user), **valeurs)  # type: ignore[arg-type]

    @admin.action(description=_("Désactiver les comptes choisis"))
    def desactiver(self, request: HttpRequest, lignes: Any) -> None:
        self._pour_chacun(request, lignes, lambda c: comptes.desactiver(compte=c, acteur=Acteur(compte=request.user)))  # type: ignore[arg-type]

    @admin.action(description=_("Réactiver les comptes choisis"))
    def reactiver(self, request: HttpRequest, lignes: Any) -> None:
        self._pour_chacun(request, lignes, lambda c: comptes.reactiver(compte=c))

    def _pour_chacun(self, request: HttpRequest, lignes: Any, acte: Any) -> None:
        for compte in lignes:
            try:
                acte(compte)
            except ErreurMetier as refus:
                self.message_user(request, f"{compte} : {refus.message}", level="error")
            else:
                self.log_change(request, compte, [{"changed": {"fields": [str(_("actif"))]}}])


@admin.register(Invitation)
class InvitationAdmin(LectureSeule):
    list_display = ("email", "type_utilisateur", "statut_montre", "expire_le", "invitee_par")
    list_filter = ("statut",)
    list_select_related = ("invitee_par",)
    search_fields = ("email",)
    ordering = ("-date_creation",)

    @admin.display(description=_("statut"))
    def statut_montre(self, invitation: Invitation) -> str:
        return str(StatutInvitation(invitation.statut_montre).label)


@admin.register(Session)
class SessionAdmin(LectureSeule, ChercheSansAccents):
    list_display = ("compte", "appareil", "localisation", "date_creation", "date_fin", "motif_fin")
    list_filter = ("motif_fin",)
    list_select_related = ("compte",)
    fields = ("compte", "appareil", "localisation", "date_creation", "date_expiration", "date_fin", "motif_fin")
    search_fields = ("compte__recherche__contains",)
    ordering = ("-date_creation",)


@admin.register(LogEntry)
class JournalAdmin(LectureSeule):
    """Who changed what in the admin site, deletions included."""

    list_display = ("action_time", "auteur", "acte", "sorte", "object_repr", "resume")
    list_display_links = ("action_time",)
    list_filter = ("action_flag",)
    list_select_related = ("user", "content_type")
    search_fields = ("object_repr",)
    fields = ("action_time", "auteur", "acte", "sorte", "object_repr", "resume", "valeurs")
    ordering = ("-id",)

    @admin.display(description=_("par"))
    def auteur(self, entree: LogEntry) -> str:
        return str(entree.user)

    @admin.display(description=_("action"))
    def acte(self, entree: LogEntry) -> str:
        return str(entree.get_action_flag_display())

    @admin.display(description=_("dans"))
    def sorte(self, entree: LogEntry) -> str:
        return str(entree.content_type.name).capitalize() if entree.content_type else ""

    @admin.display(description=_("détail"))
    def resume(self, entree: LogEntry) -> str:
        return entree.get_change_message()

    @admin.display(description=_("valeurs"))
    def valeurs(self, entree: LogEntry) -> str:
        return en_tableau(entree)
