"""Well-known paths at the root of the host: for crawlers, browsers, password managers and security researchers."""

from datetime import timedelta
from pathlib import Path

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect
from django.templatetags.static import static
from django.utils import timezone
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from socle.api.views import inconnu
from socle.pages.couleurs import feuille
from socle.pages.marque import LOGOS

TEXTE = "text/plain; charset=utf-8"
FLUX = "/api/v1/calendriers/flux.ics"
UN_JOUR = 24 * 3600
UNE_HEURE = 3600
VALABLE = timedelta(days=90)


@require_safe
@cache_control(public=True, max_age=UN_JOUR)
def robots(request: HttpRequest) -> HttpResponse:
    """Nothing is for an index; the calendar feed is read by programs that ask here first, and says `noindex` itself."""
    lignes = ("User-agent: *", f"Allow: {FLUX}", "Disallow: /")
    return HttpResponse("".join(f"{ligne}\n" for ligne in lignes), content_type=TEXTE)


@require_safe
@cache_control(public=True, max_age=UN_JOUR)
def icone(request: HttpRequest) -> HttpResponseRedirect:
    """Redirect /favicon.ico, which browsers ask for where no page names an icon."""
    return HttpResponseRedirect(static("campus/icone.svg"))


@require_safe
def securite(request: HttpRequest) -> HttpResponse:
    """security.txt (RFC 9116), 404 without SECURITY_CONTACT; `Expires` is always 90 days ahead, as it is made anew."""
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
@cache_control(public=True, max_age=UNE_HEURE)
def couleurs(request: HttpRequest) -> HttpResponse:
    """The campus's own colour as a style sheet; 404 without PORTAIL_COULEUR."""
    if not settings.PORTAIL_COULEUR:
        return inconnu(request)
    return HttpResponse(feuille(settings.PORTAIL_COULEUR), content_type="text/css; charset=utf-8")


@require_safe
@cache_control(public=True, max_age=UNE_HEURE)
def logo(request: HttpRequest) -> HttpResponse:
    """The campus's logo, a picture and nothing else: no script of it runs; 404 without PORTAIL_LOGO."""
    fichier = Path(settings.PORTAIL_LOGO)
    if not settings.PORTAIL_LOGO or not fichier.is_file():
        return inconnu(request)
    reponse = HttpResponse(fichier.read_bytes(), content_type=LOGOS[fichier.suffix.lower()])
    reponse.headers["Content-Security-Policy"] = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
    return reponse


@require_safe
def mot_de_passe(request: HttpRequest) -> HttpResponse:
    """Redirect to the reset page of every account; the admin site's own changes only those of the team."""
    return redirect("admin_password_reset")
