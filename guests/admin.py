from typing import Any

from django import forms
from django.contrib import admin
from django.http import HttpRequest
from django.template.response import TemplateResponse
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _
from rest_framework.exceptions import ValidationError

from accounts.admin import LectureSeule
from accounts.historique import AvecHistorique
from guests.models import SessionInvitee
from guests.services import changer_statut
from guests.vocabulaire import StatutInvite
from socle.api.champs import TEXTE, TexteLong
from socle.domaine.acteurs import ActeurCompte
from socle.erreurs import ErreurMetier

A_LA_FOIS = 100  # one page of the list


class FormulaireMotif(forms.Form):
    """Validate the reason with the API's own field, `TexteLong`."""

    motif = forms.CharField(label=capfirst(_("motif")), max_length=TEXTE, widget=forms.Textarea({"rows": 4}))

    def clean_motif(self) -> str:
        try:
            return str(TexteLong().run_validation(self.cleaned_data["motif"]))
        except ValidationError as refus:
            raise forms.ValidationError([str(detail) for detail in refus.detail]) from refus


@admin.register(SessionInvitee)
class SessionInviteeAdmin(AvecHistorique, LectureSeule):
    """Guest sessions, with only the columns needed to disable one: an account or an hour would lead to a case."""

    list_display = ("__str__", "telephone_cache", "statut", "jour")
    list_filter = ("statut",)
    fields = ("telephone_cache", "statut", "jour")
    ordering = ("-jour", "pk")  # within a day by a random key: a rank would tell the hour
    sortable_by = ()
    actions = ("desactiver_sessions", "retablir_sessions")

    @admin.display(description=_("téléphone"))
    def telephone_cache(self, session: SessionInvitee) -> str:
        return session.telephone_masque or self.get_empty_value_display()

    @admin.action(description=_("Désactiver les sessions choisies"), permissions=["desactiver"])
    def desactiver_sessions(self, request: HttpRequest, lignes: Any) -> Any:
        return self._decider(request, lignes, StatutInvite.DISABLED)

    @admin.action(description=_("Rétablir les sessions choisies"), permissions=["desactiver"])
    def retablir_sessions(self, request: HttpRequest, lignes: Any) -> Any:
        return self._decider(request, lignes, StatutInvite.ACTIVE)

    def _decider(self, request: HttpRequest, lignes: Any, statut: StatutInvite) -> TemplateResponse | None:
        """Show the reason form until valid, then call the service row by row; a refusal becomes an error message."""
        sessions = list(lignes[: A_LA_FOIS + 1])
        if len(sessions) > A_LA_FOIS:
            self.message_user(request, _("Choisissez au plus %(n)d sessions.") % {"n": A_LA_FOIS}, level="error")
            return None
        formulaire = FormulaireMotif(request.POST if "motif" in request.POST else None)
        if not formulaire.is_valid():
            return self._demander(request, sessions, formulaire)
        decision: Any = {"statut": statut, "acteur": ActeurCompte(compte=request.user), **formulaire.cleaned_data}  # type: ignore[arg-type]
        faites = 0
        for session in sessions:
            try:
                changer_statut(session=session, **decision)
            except ErreurMetier as refus:
                self.message_user(request, f"{session} : {refus.message}", level="error")
            else:
                faites += 1
        self.dire_combien(request, faites)
        return None

    def _demander(self, request: HttpRequest, sessions: Any, formulaire: FormulaireMotif) -> TemplateResponse:
        acte = request.POST["action"]
        contexte = {
            **self.admin_site.each_context(request),
            "title": dict(self.get_action_choices(request))[acte],
            "opts": self.opts,
            "acte": acte,
            "sessions": sessions,
            "formulaire": formulaire,
        }
        return TemplateResponse(request, "admin/guests/motif.html", contexte)

    def has_desactiver_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("guests.change_sessioninvitee")
