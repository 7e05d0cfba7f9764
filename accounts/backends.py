"""Sign-in to the admin site: the same check, the same limit on failures as the API."""

from typing import Any

from django.contrib.auth.backends import BaseBackend
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest

from accounts.models import Compte
from accounts.services.sessions import identifier
from socle.api.reseau import cle_adresse
from socle.erreurs import NonAuthentifie, PermissionRefusee


class ParCourriel(BaseBackend):
    def authenticate(
        self, request: HttpRequest | None, username: str | None = None, password: str | None = None, **autres: Any
    ) -> Compte | None:
        if not username or not password:
            return None
        adresse = cle_adresse(request) if request is not None else ""
        try:
            return identifier(email=username, mot_de_passe=password, adresse=adresse)
        except (NonAuthentifie, PermissionRefusee) as refus:
            raise PermissionDenied from refus  # ends Django's backends; TropDeRequetes passes, for the form to say

    def get_user(self, user_id: Any) -> Compte | None:
        return Compte.objects.filter(pk=user_id, est_actif=True).first()
