import csv
from collections.abc import Iterator
from typing import Any, ClassVar
from urllib.parse import urlencode

from django import forms
from django.conf import settings
from django.contrib import admin
from django.db import models
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext
from rest_framework.exceptions import ValidationError

from accounts.admin import ChercheSansAccents, LectureSeule, ParLesServices
from calendrier import services
from calendrier.models import EvenementCampus, Participation
from calendrier.serializers import CalendrierCreate, CalendrierUpdate
from calendrier.vocabulaire import TYPES_CONNUS, StatutParticipation, type_lisible
from socle.api.exceptions import en_refus
from socle.api.serializers import chameau
from socle.erreurs import Conflit, ErreurMetier
from socle.pages.formulaires import MomentSaisi


class ParVirgules(forms.CharField):
    """A list of words, written in one line; one that holds a comma stands in quotes, as in a CSV file."""

    def __init__(self, **options: Any) -> None:
        super().__init__(required=False, max_length=2_500, help_text=_("Séparés par des virgules."), **options)

    def prepare_value(self, value: Any) -> Any:
        return ", ".join(map(_entre_guillemets, value)) if isinstance(value, list) else value

    def clean(self, value: Any) -> Any:
        ligne = " ".join(super().clean(value).splitlines())
        mots = next(csv.reader([ligne], skipinitialspace=True), [])
        return [mot.strip() for mot in mots if mot.strip()]

    def has_changed(self, initial: Any, data: Any) -> bool:
        return super().has_changed(self.prepare_value(initial), data)


def _entre_guillemets(mot: str) -> str:
    return '"{}"'.format(mot.replace('"', '""')) if "," in mot or '"' in mot else mot


class FormulaireEvenement(forms.ModelForm):
    """Form validated by the serializers of the API: whichever way an event comes in, the rules are the same."""

    tags = ParVirgules(label=capfirst(_("mots-clés")))
    public_cible = ParVirgules(label=capfirst(_("public")))

    class Meta:
        model = EvenementCampus
        fields = (
            "titre",
            "type",
            "description",
            "date_debut",
            "date_fin",
            "lieu",
            "est_en_ligne",
            "lien_en_ligne",
            "nb_max_participants",
            "public_cible",
            "tags",
            "image_url",
            "discret",
        )

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._forme: Any = CalendrierUpdate if options.get("instance") else CalendrierCreate
        for nom in ("date_debut", "date_fin"):
            if nom in self.fields:  # a cancelled event is only looked at
                self._nommer(self.fields[nom])
                self.fields[nom].help_text = _("À l'heure du campus : %(fuseau)s.") % {
                    "fuseau": settings.TIME_ZONE_CAMPUS
                }

    def _nommer(self, moment: forms.Field) -> None:
        """Give the day and the hour controls an `aria-label` each: the label of the field names neither."""
        for case, nom in zip(moment.widget.widgets, (_("date"), _("heure")), strict=True):
            case.attrs["aria-label"] = f"{moment.label} : {nom}"

    def clean(self) -> dict[str, Any]:
        saisies = super().clean() or {}
        noms = {chameau(nom): nom for nom in saisies}
        brut = {cle: _en_json(saisies[nom]) for cle, nom in noms.items()}
        forme = self._forme(data=brut)
        if forme.is_valid():
            self._verifier_les_places(forme.validated_data.get("nb_max_participants"))
            return saisies | forme.validated_data
        for refus in en_refus(ValidationError(forme.errors)).details:
            nom = noms.get(refus["field"].partition(".")[0])
            if nom is not None and nom not in self.errors:
                self.add_error(nom, refus["message"])
        return saisies

    def _verifier_les_places(self, limite: int | None) -> None:
        """Check the limit before the service does, under its lock: refused here, the form keeps what was typed."""
        try:
            services.verifier_les_places(limite, self.instance.nb_confirmes)
        except Conflit as refus:
            self.add_error("nb_max_participants", str(refus.message))


def _en_json(valeur: Any) -> Any:
    return valeur.isoformat() if hasattr(valeur, "isoformat") else valeur


class FiltrePeriode(admin.SimpleListFilter):
    title = _("période")
    parameter_name = "periode"

    def lookups(self, request: Any, model_admin: Any) -> Any:
        return [("avenir", _("À venir ou en cours")), ("passe", _("Terminés"))]

    def queryset(self, request: Any, queryset: Any) -> Any:
        match self.value():
            case "avenir":
                return queryset.filter(date_fin__gt=timezone.now())
            case "passe":
                return queryset.filter(date_fin__lte=timezone.now())
        return queryset


class FiltreType(admin.SimpleListFilter):
    """Offer the known words only: to list those in use would read the table."""

    title = _("type")
    parameter_name = "type"

    def lookups(self, request: Any, model_admin: Any) -> Any:
        return [(mot, type_lisible(mot)) for mot in settings.VOCABULAIRES["type_evenement"] or TYPES_CONNUS]

    def queryset(self, request: Any, queryset: Any) -> Any:
        return queryset.filter(type=self.value()) if self.value() else queryset


class FiltreStatut(admin.SimpleListFilter):
    title = _("statut")
    parameter_name = "statut"

    def lookups(self, request: Any, model_admin: Any) -> Any:
        return StatutParticipation.choices

    def queryset(self, request: Any, queryset: Any) -> Any:
        return queryset.de_statut(self.value()) if self.value() else queryset


@admin.register(EvenementCampus)
class EvenementCampusAdmin(ParLesServices, ChercheSansAccents):
    """Events, published and changed by the same services as over the API; a cancelled one is only looked at."""

    form = FormulaireEvenement
    formfield_overrides: ClassVar[dict[Any, Any]] = {models.DateTimeField: {"form_class": MomentSaisi}}
    list_display = ("titre", "type_dit", "date_debut", "date_fin", "lieu", "places", "statut")
    list_filter = ("statut", FiltrePeriode, FiltreType)
    search_fields = ("recherche__contains",)
    ordering = ("-date_debut", "-id")
    actions = ("annuler",)

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        return ("statut", "places", "organisateur", "date_modification") if obj else ()

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        return (*FormulaireEvenement.Meta.fields, *self.get_readonly_fields(request, obj))

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return super().has_change_permission(request, obj) and not (obj and obj.est_annule)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False  # an event is cancelled, and stays readable

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        if change:
            changes = {nom: form.cleaned_data[nom] for nom in form.changed_data}
            services.modifier(evenement=EvenementCampus.objects.get(pk=obj.pk), par=request.user, **changes)  # type: ignore[arg-type]
        else:
            services.creer(organisateur=request.user, id=obj.pk, **form.cleaned_data)  # type: ignore[arg-type]

    @admin.display(description=_("type"), ordering="type")
    def type_dit(self, evenement: EvenementCampus) -> str:
        return type_lisible(evenement.type)

    @admin.display(description=_("participants"))
    def places(self, evenement: EvenementCampus) -> str:
        liste = reverse("admin:calendrier_participation_changelist", current_app=self.admin_site.name)
        texte = f"{evenement.nb_participants} / {evenement.nb_max_participants or '∞'}"
        return format_html('<a href="{}?{}">{}</a>', liste, urlencode({"evenement__id__exact": evenement.pk}), texte)

    @admin.action(description=_("Annuler les événements choisis"), permissions=["change"])
    def annuler(self, request: HttpRequest, lignes: Any) -> None:
        annules = [evenement for evenement in lignes if not evenement.est_annule]
        for evenement in annules:
            services.annuler(evenement=evenement, par=request.user)  # type: ignore[arg-type]
            self.log_change(request, evenement, [{"changed": {"fields": [str(_("statut"))]}}])
        nombre = len(annules)
        texte = ngettext("%(n)d événement annulé.", "%(n)d événements annulés.", nombre) % {"n": nombre}
        self.message_user(request, texte)


@admin.register(Participation)
class ParticipationAdmin(LectureSeule, ChercheSansAccents):
    """Registrations, read-only; actions change the status by the service, which keeps places and waiting list right."""

    list_display = ("personne", "email", "evenement", "statut_lisible", "date_inscription")
    list_display_links = ("personne",)
    list_filter = (FiltreStatut,)
    list_select_related = ("compte", "evenement")
    search_fields = ("compte__recherche__contains",)
    fields = ("personne", "email", "evenement", "statut_lisible", "date_inscription", "date_modification")
    ordering = ("-date_inscription", "-id")
    actions = ("confirmer", "mettre_en_liste", "mettre_en_suspens", "desinscrire")

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest | None = None) -> bool:
        """Allow also the filter on one event, to which its page links."""
        return lookup == "evenement__id__exact" or super().lookup_allowed(lookup, value, request)

    @admin.display(description=_("personne"), ordering="compte__nom")
    def personne(self, participation: Participation) -> str:
        return participation.compte.nom_complet

    @admin.display(description=_("e-mail"))
    def email(self, participation: Participation) -> str:
        return participation.compte.email

    @admin.display(description=_("statut"))
    def statut_lisible(self, participation: Participation) -> str:
        return str(StatutParticipation(participation.statut_montre).label)

    def has_statut_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("calendrier.change_participation")

    @admin.action(description=_("Confirmer les participations choisies"), permissions=["statut"])
    def confirmer(self, request: HttpRequest, lignes: Any) -> None:
        self._passer(request, lignes, StatutParticipation.CONFIRMED)

    @admin.action(description=_("Mettre en liste d'attente"), permissions=["statut"])
    def mettre_en_liste(self, request: HttpRequest, lignes: Any) -> None:
        self._passer(request, lignes, StatutParticipation.WAITLISTED)

    @admin.action(description=_("Remettre à confirmer"), permissions=["statut"])
    def mettre_en_suspens(self, request: HttpRequest, lignes: Any) -> None:
        self._passer(request, lignes, StatutParticipation.PENDING)

    @admin.action(description=_("Annuler les participations choisies"), permissions=["statut"])
    def desinscrire(self, request: HttpRequest, lignes: Any) -> None:
        self._passer(request, lignes, StatutParticipation.CANCELLED)

    def _passer(self, request: HttpRequest, lignes: Any, statut: str) -> None:
        nombre = 0
        for participation in _du_plus_ancien(lignes):
            try:
                services.changer_statut(participation=participation, statut=statut, par=request.user)  # type: ignore[arg-type]
            except ErreurMetier as refus:
                qui = f"{participation.compte} – {participation.evenement}"
                self.message_user(request, f"{qui} : {refus.message}", level="error")
            else:
                self.log_change(request, participation, [{"changed": {"fields": [str(_("statut"))]}}])
                nombre += 1
        texte = ngettext("%(n)d participation mise à jour.", "%(n)d participations mises à jour.", nombre)
        self.message_user(request, texte % {"n": nombre})


def _du_plus_ancien(lignes: Any) -> Iterator[Participation]:
    """Yield the rows in the order of registration: the first registered gets the last place."""
    yield from lignes.select_related("compte", "evenement").order_by("date_inscription", "id")
