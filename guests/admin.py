from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from accounts.admin import LectureSeule
from config.domaine.erreurs import ErreurMetier
from guests.models import SessionInvitee
from guests.services import desactiver


@admin.register(SessionInvitee)
class SessionInviteeAdmin(LectureSeule):
    """Guest sessions, as little of them as it takes to disable one: neither an account nor an hour leads to a case."""

    list_display = ("__str__", "telephone_cache", "statut", "jour")
    list_filter = ("statut",)
    fields = ("telephone_cache", "statut", "jour")
    ordering = ("-jour", "pk")  # within a day by a random key: a rank would tell the hour
    sortable_by = ()
    actions = ("desactiver_sessions",)

    @admin.display(description=_("téléphone"))
    def telephone_cache(self, session: SessionInvitee) -> str:
        return session.telephone_masque

    @admin.action(description=_("Désactiver les sessions choisies"), permissions=["desactiver"])
    def desactiver_sessions(self, request: HttpRequest, lignes: Any) -> None:
        faites = 0
        for session in lignes:
            try:
                desactiver(session=session)
                self.log_change(request, session, [{"changed": {"fields": [str(_("statut"))]}}])
                faites += 1
            except ErreurMetier as refus:
                self.message_user(request, f"{session} : {refus.message}", level="error")
        texte = ngettext("%(n)d session désactivée.", "%(n)d sessions désactivées.", faites) % {"n": faites}
        self.message_user(request, texte)

    def has_desactiver_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("guests.change_sessioninvitee")
