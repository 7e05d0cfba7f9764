from typing import Any
from uuid import UUID

from django import forms
from django.contrib import admin
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import HttpRequest
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.html import format_html, format_html_join
from django.utils.safestring import mark_safe
from django.utils.timezone import localtime
from django.utils.translation import gettext_lazy as _

from accounts.admin import ActesSurPlace, ChercheSansAccents, LectureSeule, Table
from forum import services
from forum.models import Commentaire, DemandeDeRelecture, Moderation, MotSurveille, Poste
from forum.mots import forme
from forum.vocabulaire import FORME_MAX, Statut, categorie_lisible
from resources.models import Fichier
from socle.domaine.acteurs import Acteur, ActeurCompte
from socle.domaine.identite import sans_guest_ids


class ParLigne(LectureSeule):
    """Read-only table; its actions call the services of the API row by row."""

    @admin.display(description=_("contenu"))
    def contenu_montre(self, ligne: Poste | Commentaire) -> str:
        return ligne.contenu

    @admin.display(description=_("contenu"))
    def extrait(self, ligne: Poste | Commentaire) -> str:
        texte = self.contenu_montre(ligne)
        return texte if len(texte) <= 80 else f"{texte[:79]}…"

    def has_moderer_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("forum.change_poste")


class FiltreEtat(admin.SimpleListFilter):
    title = _("état")
    parameter_name = "etat"

    def lookups(self, request: Any, model_admin: Any) -> Any:
        return [("presents", _("En ligne")), ("supprimes", _("Supprimés"))]

    def queryset(self, request: Any, queryset: Any) -> Any:
        if self.value() not in ("presents", "supprimes"):
            return queryset
        return queryset.filter(date_suppression__isnull=self.value() == "presents")


class ModerationEnLigne(admin.TabularInline):
    model = Moderation
    template = "admin/forum/historique.html"
    verbose_name_plural = _("historique de modération")
    fields = readonly_fields = ("date_creation", "avant", "apres", "par")
    ordering = ("numero",)
    extra = 0
    can_delete = False

    def get_queryset(self, request: HttpRequest) -> Any:
        return super().get_queryset(request).select_related("compte")

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    @admin.display(description=_("par"))
    def par(self, decision: Moderation) -> str:
        return decision.auteur_nom or str(_("modérateur automatique"))


def _fichiers(poste: Poste) -> list[Fichier]:
    """Files of the post, in its order, without those that an administrator has deleted."""
    connus = Fichier.objects.presents().in_bulk([UUID(pk) for pk in poste.pieces_jointes])
    return [connus[UUID(pk)] for pk in poste.pieces_jointes if UUID(pk) in connus]


@admin.register(Poste)
class PosteAdmin(ActesSurPlace, ParLigne, ChercheSansAccents):
    """Posts: judged and pinned one by one or many at once, deleted from the list."""

    list_display = (
        "titre_montre",
        "compte",
        "statut",
        "etat",
        "nb_commentaires",
        "nb_reactions",
        "date_creation",
    )
    list_filter = ("statut", "est_epingle", FiltreEtat)
    list_select_related = ("compte",)
    search_fields = ("recherche__contains",)  # as the index serves it
    ordering = ("-date_creation", "-id")
    fields = (
        "titre_montre",
        "contenu_montre",
        "categorie_dite",
        "mots_cles",
        "pieces",
        "compte",
        "statut",
        "approuver_par",
        "est_epingle",
        "nb_commentaires",
        "nb_reactions",
        "date_creation",
        "date_suppression",
        "supprime_par",
    )
    inlines = (ModerationEnLigne,)
    actions = ("approuver", "rejeter", "archiver", "epingler", "desepingler", "supprimer")

    def actes_sur(self, poste: Poste) -> dict[str, Any]:
        if poste.date_suppression is not None:
            return {}
        jugements = {
            Statut.APPROUVER: ("approuver", _("Approuver")),
            Statut.REJETER: ("rejeter", _("Rejeter")),
            Statut.ARCHIVER: ("archiver", _("Archiver")),
        }
        epingle = ("desepingler", _("Ne plus épingler")) if poste.est_epingle else ("epingler", _("Épingler"))
        return dict([*(acte for statut, acte in jugements.items() if statut != poste.statut), epingle])

    @admin.display(description=_("titre"))
    def titre_montre(self, poste: Poste) -> str:
        return poste.titre or self.extrait(poste)

    @admin.display(description=_("catégorie"))
    def categorie_dite(self, poste: Poste) -> str:
        return categorie_lisible(poste.categorie) if poste.categorie else self.get_empty_value_display()

    @admin.display(description=_("mots-clés"))
    def mots_cles(self, poste: Poste) -> str:
        return ", ".join(poste.tags)

    @admin.display(description=_("pièces jointes"))
    def pieces(self, poste: Poste) -> str:
        """Links to the files, to be opened before the post is judged."""
        return format_html_join(mark_safe("<br>"), '<a href="{}">{}</a>', map(self._piece, _fichiers(poste)))

    def _piece(self, fichier: Fichier) -> tuple[str, str]:
        site = self.admin_site.name
        return reverse("admin:resources_fichier_ouvrir", args=[fichier.pk], current_app=site), fichier.nom_d_autrui

    @admin.display(description=_("état"))
    def etat(self, poste: Poste) -> str:
        """Name the unusual states, pinned or deleted; empty for neither."""
        mots = [(poste.est_epingle, _("épinglée")), (poste.date_suppression, _("supprimée"))]
        return ", ".join(str(mot) for est_vrai, mot in mots if est_vrai)

    @admin.action(description=_("Approuver les publications choisies"), permissions=["moderer"])
    def approuver(self, request: HttpRequest, lignes: Any) -> None:
        self._moderer(request, lignes, Statut.APPROUVER)

    @admin.action(description=_("Rejeter les publications choisies"), permissions=["moderer"])
    def rejeter(self, request: HttpRequest, lignes: Any) -> None:
        self._moderer(request, lignes, Statut.REJETER)

    @admin.action(description=_("Archiver les publications choisies"), permissions=["moderer"])
    def archiver(self, request: HttpRequest, lignes: Any) -> None:
        self._moderer(request, lignes, Statut.ARCHIVER)

    @admin.action(description=_("Épingler les publications choisies"), permissions=["moderer"])
    def epingler(self, request: HttpRequest, lignes: Any) -> None:
        self.agir(request, lignes, lambda acteur, poste: services.epingler(acteur=acteur, poste=poste), _("épinglé"))

    @admin.action(description=_("Ne plus épingler les publications choisies"), permissions=["moderer"])
    def desepingler(self, request: HttpRequest, lignes: Any) -> None:
        def acte(acteur: Acteur, poste: Poste) -> bool:
            return services.epingler(acteur=acteur, poste=poste, epingle=False)

        self.agir(request, lignes, acte, _("épinglé"))

    @admin.action(description=_("Supprimer les publications choisies"), permissions=["supprimer"])
    def supprimer(self, request: HttpRequest, lignes: Any) -> None:
        self.agir(request, lignes, lambda acteur, poste: services.supprimer(acteur=acteur, poste=poste), _("supprimée"))

    def _moderer(self, request: HttpRequest, lignes: Any, statut: Statut) -> None:
        def acte(acteur: Acteur, poste: Poste) -> bool:
            return services.moderer(acteur=acteur, poste=poste, statut=statut)

        self.agir(request, lignes, acte, _("statut"))

    def has_supprimer_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("forum.delete_poste")


@admin.register(Commentaire)
class CommentaireAdmin(ParLigne, ChercheSansAccents):
    list_display = ("extrait", "compte", "poste_montre", "date_creation", "est_supprime")
    list_filter = (FiltreEtat,)
    list_select_related = ("compte", "poste")
    search_fields = ("recherche__contains",)
    ordering = ("-date_creation", "-id")
    fields = ("contenu_montre", "compte", "poste_montre", "date_creation", "date_suppression", "supprime_par")
    actions = ("supprimer",)

    @admin.display(description=_("publication"))
    def poste_montre(self, commentaire: Commentaire) -> str:
        return commentaire.poste.titre_court

    @admin.display(description=_("supprimé"), boolean=True)
    def est_supprime(self, commentaire: Commentaire) -> bool:
        return commentaire.date_suppression is not None

    @admin.action(description=_("Supprimer les commentaires choisis"), permissions=["supprimer"])
    def supprimer(self, request: HttpRequest, lignes: Any) -> None:
        def acte(acteur: Acteur, commentaire: Commentaire) -> None:
            services.supprimer_commentaire(acteur=acteur, poste=commentaire.poste, commentaire=commentaire)

        self.agir(request, lignes, acte, _("supprimé"))

    def has_supprimer_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("forum.delete_commentaire")


@admin.register(DemandeDeRelecture)
class DemandeDeRelectureAdmin(ActesSurPlace, ParLigne):
    """The open requests about what others wrote, by day alone: nothing of who asks is shown, nor may be filtered by."""

    list_display = ("extrait", "sorte", "motif", "jour")
    ordering = ("date_creation", "id")  # as the index serves it
    sortable_by = ()
    fields = ("sorte", "contenu_montre", "motif", "jour", "ou")
    actions = ("rien_a_changer", "rejeter", "supprimer")

    def get_queryset(self, request: HttpRequest) -> Any:
        acteur = ActeurCompte(compte=request.user)  # type: ignore[arg-type]
        return DemandeDeRelecture.objects.pour_lecture().ouvertes().decidables_par(acteur)

    def attendent(self, request: HttpRequest) -> int:
        return int(self.get_queryset(request).order_by().count())

    def actes_sur(self, demande: DemandeDeRelecture) -> dict[str, Any]:
        if demande.commentaire is not None:
            return {"rien_a_changer": _("Rien à changer"), "supprimer": _("Supprimer ce commentaire")}
        rejeter, supprimer = _("Rejeter la publication"), _("Supprimer la publication")
        return {"rien_a_changer": _("Rien à changer"), "rejeter": rejeter, "supprimer": supprimer}

    def change_view(self, request: HttpRequest, *args: Any, **options: Any) -> Any:
        """Once decided, lead to what is left to read: the page of a closed request is no more."""
        reponse = super().change_view(request, *args, **options)
        return redirect("admin:forum_demandederelecture_changelist") if "action" in request.POST else reponse

    @admin.display(description=_("contenu"))
    def contenu_montre(self, demande: DemandeDeRelecture) -> str:  # type: ignore[override]
        return demande.vise.contenu

    @admin.display(description=_("ce qui est signalé"))
    def sorte(self, demande: DemandeDeRelecture) -> str:
        return str(demande.vise._meta.verbose_name).capitalize()

    @admin.display(description=_("signalé le"))
    def jour(self, demande: DemandeDeRelecture) -> str:
        return date_format(localtime(demande.date_creation).date())

    @admin.display(description=_("où le lire"))
    def ou(self, demande: DemandeDeRelecture) -> str:
        """A link to the page of the post, where every other decision is taken."""
        adresse = reverse("admin:forum_poste_change", args=[demande.poste_id], current_app=self.admin_site.name)
        return format_html('<a href="{}">{}</a>', adresse, demande.poste.titre_court)

    @admin.action(description=_("Rien à changer à ce qui est choisi"), permissions=["moderer"])
    def rien_a_changer(self, request: HttpRequest, lignes: Any) -> None:
        def acte(acteur: Acteur, demande: DemandeDeRelecture) -> bool:
            return services.rien_a_changer(acteur=acteur, demande=demande)

        self.agir(request, lignes, acte)

    @admin.action(description=_("Rejeter les publications choisies"), permissions=["moderer"])
    def rejeter(self, request: HttpRequest, lignes: Any) -> None:
        def acte(acteur: Acteur, demande: DemandeDeRelecture) -> bool:
            a_change = services.moderer(acteur=acteur, poste=demande.poste, statut=Statut.REJETER)
            if a_change:
                self._noter(request, demande.poste, _("statut"))
            return a_change

        self.agir(request, lignes.filter(commentaire=None), acte)

    @admin.action(description=_("Supprimer ce qui est choisi"), permissions=["supprimer"])
    def supprimer(self, request: HttpRequest, lignes: Any) -> None:
        def acte(acteur: Acteur, demande: DemandeDeRelecture) -> None:
            if demande.commentaire is None:
                services.supprimer(acteur=acteur, poste=demande.poste)
                self._noter(request, demande.poste, _("supprimée"))
            else:
                services.supprimer_commentaire(acteur=acteur, poste=demande.poste, commentaire=demande.commentaire)
                self._noter(request, demande.commentaire, _("supprimé"))

        self.agir(request, lignes, acte)

    def _noter(self, request: HttpRequest, ligne: Poste | Commentaire, champ: Any) -> None:
        """Into the journal as the table of this row does: under what was decided on, never under the request."""
        self.log_change(request, ligne, [{"changed": {"fields": [str(champ)]}}])

    def has_supprimer_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("forum.delete_poste")


class FormulaireMot(forms.ModelForm):
    class Meta:
        model = MotSurveille
        fields = ("mot",)
        help_texts = {
            "mot": _(
                "Un mot entier, ou une expression. Casse et accents sont ignorés ; les lettres séparées par de la "
                "ponctuation, ou une à une par des espaces, sont reconnues."
            )
        }

    def clean_mot(self) -> str:
        mot: str = sans_guest_ids(self.cleaned_data["mot"])
        self.instance.forme = forme(mot)
        if not self.instance.forme or len(self.instance.forme) > FORME_MAX:
            raise ValidationError(_("Écrivez un mot fait de lettres ou de chiffres."))
        if MotSurveille.objects.filter(forme=self.instance.forme).exclude(pk=self.instance.pk).exists():
            raise ValidationError(_("Ce mot est déjà dans la liste, sous cette forme ou une autre."))
        return mot


@admin.register(MotSurveille)
class MotSurveilleAdmin(Table):
    """The word list; the admin history keeps who added or removed each word."""

    form = FormulaireMot
    list_display = ("mot", "date_creation")
    search_fields = ("forme",)
    ordering = ("mot", "id")

    def get_search_results(self, request: HttpRequest, queryset: Any, search_term: str) -> Any:
        return super().get_search_results(request, queryset, forme(search_term))

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        super().save_model(request, obj, form, change)
        if form.changed_data:
            services.consigner_un_mot(obj, "CHANGE" if change else "AJOUTE", par=request.user)

    @transaction.atomic
    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        services.consigner_un_mot(obj, "RETIRE", par=request.user)
        super().delete_model(request, obj)

    @transaction.atomic
    def delete_queryset(self, request: HttpRequest, queryset: Any) -> None:
        for mot in queryset:
            self.delete_model(request, mot)
