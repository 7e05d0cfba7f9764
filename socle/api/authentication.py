"""Bearer authentication by METRICS_TOKEN, for the operator's programs: no account gives this token."""

from typing import Any

from django.conf import settings
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext as _
from rest_framework.authentication import BaseAuthentication

from socle.erreurs import JetonInvalide, NonAuthentifie


class JetonExploitant(BaseAuthentication):
    """Compare the bearer with METRICS_TOKEN; no actor is set. NonAuthentifie without one, JetonInvalide for another."""

    def authenticate(self, request: Any) -> tuple[None, None]:
        schema, _espace, jeton = request.META.get("HTTP_AUTHORIZATION", "").partition(" ")
        if schema.lower() != "bearer":
            raise NonAuthentifie(_("Le jeton des mesures est attendu : Authorization: Bearer …"))
        if not constant_time_compare(jeton.strip(), settings.METRICS_TOKEN):
            raise JetonInvalide(_("Ce jeton n'est pas celui des mesures."))
        return None, None

    def authenticate_header(self, request: Any) -> str:
        return 'Bearer realm="api"'
