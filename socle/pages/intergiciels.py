"""The middleware that only pages use: what speaks JSON has no session, form or message, and passes them by."""

from typing import Any

from csp.middleware import CSPMiddleware
from django.conf import settings
from django.contrib.auth.middleware import AuthenticationMiddleware
from django.contrib.messages.middleware import MessageMiddleware
from django.contrib.sessions.middleware import SessionMiddleware
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import CsrfViewMiddleware
from django.utils.deprecation import MiddlewareMixin

from socle.pages.erreurs import envoi_coupe
from socle.pages.venue import OrigineTue


class DesPages:
    """Before a middleware among the bases of a class: hands on what `Enveloppe` found to speak JSON, as it is."""

    get_response: Any

    def __call__(self, request: Any) -> Any:
        return self.get_response(request) if request.en_json else super().__call__(request)  # type: ignore[misc]


class Csp(DesPages, CSPMiddleware):
    pass


class Sessions(DesPages, SessionMiddleware):
    def process_request(self, request: HttpRequest) -> None:
        """Drop a session cookie that is not alphanumeric: no key is, and PostgreSQL refuses the NUL it may hold."""
        cle = request.COOKIES.get(settings.SESSION_COOKIE_NAME, "")
        if not (cle.isascii() and cle.isalnum()):
            request.COOKIES.pop(settings.SESSION_COOKIE_NAME, None)
        super().process_request(request)


class Origines(DesPages, OrigineTue):
    pass


class Formulaires(DesPages, CsrfViewMiddleware):
    def process_view(self, request: Any, *vue: Any) -> Any:
        return None if request.en_json else super().process_view(request, *vue)


class Comptes(DesPages, AuthenticationMiddleware):
    pass


class Messages(DesPages, MessageMiddleware):
    pass


class EnvoisCoupes(DesPages, MiddlewareMixin):
    """Behind the check of the token, so that a form that stopped coming is given back to who sent it."""

    def process_view(self, request: Any, *_vue: Any) -> HttpResponse | None:
        return None if request.en_json else envoi_coupe(request)
