"""What the root of the host answers to programs: crawlers, browsers, password managers, and who has found a fault."""

from datetime import timedelta

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect
from django.templatetags.static import static
from django.utils import timezone
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from socle.api.views import inconnu

TEXTE = "text/plain; charset=utf-8"
UN_JOUR = 24 * 3600
VALABLE = timedelta(days=90)


@require_safe
@cache_control(public=True, max_age=UN_JOUR)
def robots(request: HttpRequest) -> HttpResponse:
    return HttpResponse("User-agent: *\nDisallow: /\n", content_type=TEXTE)


@require_safe
@cache_control(public=True, max_age=UN_JOUR)
def icone(request: HttpRequest) -> HttpResponseRedirect:
    """Asked for where no page says which icon it has."""
    return HttpResponseRedirect(static("campus/icone.svg"))


@require_safe
def securite(request: HttpRequest) -> HttpResponse:
    """RFC 9116; it expires later than whoever reads it today: the setting is what is true as long as it is served."""
    if not settings.SECURITY_CONTACT:
        return inconnu(request)
    fin = (timezone.now() + VALABLE).strftime("%Y-%m-%dT00:00:00Z")
    lignes = [
        *(f"Contact: {contact}" for contact in settings.SECURITY_CONTACT),
        f"Expires: {fin}",
        "Preferred-Languages: fr, en",
        f"Canonical: {settings.PUBLIC_URL}/.well-known/security.txt",
    ]
    return HttpResponse("".join(f"{ligne}\n" for ligne in lignes), content_type=TEXTE)


@require_safe
def mot_de_passe(request: HttpRequest) -> HttpResponse:
    """Where any account gets another password; the admin site changes those of the team alone."""
    return redirect("admin_password_reset")
