"""The token of a setting, for programs of the operator: no account gives it."""

from typing import Any

from django.conf import settings
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext as _
from rest_framework.authentication import BaseAuthentication

from socle.domaine.erreurs import JetonInvalide, NonAuthentifie


class JetonExploitant(BaseAuthentication):
    """Nobody is identified: who holds the token may read the figures."""

    def authenticate(self, request: Any) -> tuple[None, None]:
        schema, _espace, jeton = request.META.get("HTTP_AUTHORIZATION", "").partition(" ")
        if schema.lower() != "bearer":
            raise NonAuthentifie(_("Le jeton des mesures est attendu : Authorization: Bearer …"))
        if not constant_time_compare(jeton.strip(), settings.METRICS_TOKEN):
            raise JetonInvalide(_("Ce jeton n'est pas celui des mesures."))
        return None, None

    def authenticate_header(self, request: Any) -> str:
        return 'Bearer realm="api"'
