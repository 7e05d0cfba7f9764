"""The admin site: the team's place to work in."""

from typing import Any

from django.contrib.admin import AdminSite
from django.contrib.admin.forms import AdminPasswordChangeForm
from django.contrib.auth.views import PasswordChangeView
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from accounts.services.comptes import imposer_mot_de_passe


class FormulaireMotDePasse(AdminPasswordChangeForm):
    """Through the service: the sessions of the account end, as over the API."""

    def save(self, commit: bool = True) -> Any:
        imposer_mot_de_passe(compte=self.user, nouveau_mot_de_passe=self.cleaned_data["new_password1"])
        return self.user


class EspaceEquipe(AdminSite):
    site_header = _("Espace de l'équipe")
    site_title = _("Signalements de campus")
    index_title = _("Administration")

    def password_change(self, request: HttpRequest, extra_context: Any = None) -> Any:
        request.current_app = self.name
        vue = PasswordChangeView.as_view(
            form_class=FormulaireMotDePasse,
            success_url=reverse("admin:password_change_done", current_app=self.name),
            extra_context={**self.each_context(request), **(extra_context or {})},
        )
        return vue(request)
