"""The middleware of every request: an id, a log line without secrets, answers in the envelope, headers."""

import logging
import re
import time
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.translation import gettext as _

from socle.api.exceptions import en_refus, rendre
from socle.api.renderers import EnveloppeRenderer
from socle.api.reseau import adresse_journalisee, identifiant_de, venu_en_https
from socle.domaine.envois import envoi_max, prend_plusieurs_fichiers
from socle.domaine.provenance import requete_courante
from socle.erreurs import (
    CorpsTropGrand,
    EnsembleTropGrand,
    EnvoiTropLent,
    FichierTropGrand,
    MethodeRefusee,
    RequeteMalformee,
)
from socle.metriques import compter_requete, methode_connue, route_de

acces = logging.getLogger("campus.acces")
DE_L_EQUIPE = ("/admin", "/equipe")  # pages that only staff open
METHODES_DES_PAGES = ("GET", "HEAD", "POST", "OPTIONS")
UTF_8 = ("utf-8", "utf8")
Suite = Callable[[HttpRequest], HttpResponse]
REFUS = "campus.refus"  # in the WSGI environment: the refusal that was decided before Django saw the request
# There too: when the headers of an upload came, which is when its sender is judged, however long its body takes.
ENTETES_RECUS = "campus.entetes"
SANS_ENVELOPPE = re.compile(r"^/api/v1/(docs(/evenements)?|redoc)/?$")  # pages, though their path is that of the API


CSP = "default-src 'none'; frame-ancestors 'none'; sandbox"  # of an answer that is no page
_AUSSI_EN_JSON = ("/health", "/health/live", "/metrics", "/openapi.json", "/asyncapi.json")


def parle_json(chemin: str) -> bool:
    return chemin.startswith("/api/") or chemin.rstrip("/") in _AUSSI_EN_JSON


class Enveloppe:
    """Outermost: gives the request its id and its true scheme, JSON its headers, and the answer its line in the log."""

    def __init__(self, get_response: Suite) -> None:
        self.suite = get_response

    def __call__(self, request: Any) -> HttpResponse:
        debut = time.perf_counter()
        requete_courante.set(request)
        request.id_requete = identifiant_de(request)
        request.en_json = parle_json(request.path) and not SANS_ENVELOPPE.match(request.path)
        if venu_en_https(request):
            request.META["wsgi.url_scheme"] = "https"
        reponse = self.suite(request)
        entetes = reponse.headers
        if request.en_json:
            entetes.setdefault("Cache-Control", "no-store")
            entetes.setdefault("Content-Security-Policy", CSP)
        entetes["X-Request-Id"] = request.id_requete
        noter(request, reponse.status_code, time.perf_counter() - debut)
        return reponse


def noter(request: Any, statut: int, duree: float) -> None:
    """Count the request and write its line: the route, never the path, which can hold a guest id."""
    route = route_de(request)
    compter_requete(request.method, route, statut, None if REFUS in request.META else duree)
    champs = {
        "methode": methode_connue(request.method),
        "route": route,
        "statut": statut,
        "ms": round(duree * 1000, 1),
        "acteur": getattr(request, "source_acteur", "-"),
        "adresse": adresse_journalisee(request),
        "requestId": request.id_requete,
    }
    acces.info("requete", extra=champs)


class Garde:
    """Refuse before the body is read; inside the security and CORS middleware, so a refusal has their headers."""

    def __init__(self, get_response: Suite) -> None:
        self.suite = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        try:
            refus = request.META.get(REFUS)
            rendue_plus_loin = isinstance(refus, EnvoiTropLent) and refus.recu and not parle_json(request.path)
            if refus and not rendue_plus_loin:  # by a page, with what came
                raise refus
            verifier(request)
        except Exception as erreur:
            return reponse_refus(request, erreur)
        return self.suite(request)

    def process_view(self, request: HttpRequest, *_vue: Any) -> HttpResponse | None:
        """405 on a page before the CSRF check, which would speak of a form."""
        if request.method in METHODES_DES_PAGES or parle_json(request.path):
            return None
        reponse = reponse_refus(request, MethodeRefusee())
        reponse.headers["Allow"] = ", ".join(METHODES_DES_PAGES)
        return reponse


def verifier(request: HttpRequest) -> None:
    """Refuse a host that is not ours, a body declared too large, a NUL in a query of the admin site."""
    if not request.META.get("HTTP_ACCEPT", "*").strip():
        del request.META["HTTP_ACCEPT"]  # empty asks for nothing in particular
    try:
        request.get_host()
    except DisallowedHost as refus:
        raise RequeteMalformee(_("Cet hôte n'est pas servi ici.")) from refus
    longueur = longueur_dite(request)
    if longueur and parle_json(request.path):  # the page of an upload refuses it itself, and says what to do next
        refuser_trop_grand(request.path, longueur)
    if request.content_type == "multipart/form-data":
        codage = (request.content_params or {}).get("charset", "utf-8").lower()
        if codage not in UTF_8:
            raise RequeteMalformee  # other codecs make of bytes what no text may hold
    if request.path.startswith("/admin/") and "%00" in request.META.get("QUERY_STRING", ""):
        raise RequeteMalformee(_("La requête est illisible."))


def refuser_trop_grand(chemin: str, longueur: int) -> None:
    """Compare Content-Length with the limit of this path; 413 above it, for what is too large: a file, all, a text."""
    limite = envoi_max(chemin)
    if limite is None and parle_json(chemin) and longueur > settings.JSON_MAX_OCTETS:
        raise CorpsTropGrand
    if limite is not None and longueur > limite + settings.JSON_MAX_OCTETS:
        raise EnsembleTropGrand(limite) if prend_plusieurs_fichiers(chemin) else FichierTropGrand(limite)


def longueur_dite(request: HttpRequest) -> int:
    texte = request.META.get("CONTENT_LENGTH")
    if not texte:
        return 0
    if not (texte.isascii() and texte.isdigit()):
        raise RequeteMalformee
    return int(texte)


def reponse_erreur(request: HttpRequest, exception: Exception) -> HttpResponse:
    """The error envelope outside DRF."""
    corps, entetes = rendre(exception, request)
    reponse = HttpResponse(status=corps["statusCode"], headers=entetes, content_type=EnveloppeRenderer.media_type)
    reponse.content = EnveloppeRenderer().render(corps, renderer_context={"response": reponse})
    return reponse


def reponse_refus(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Render a refusal in the envelope on paths that speak JSON, as an HTML page with the same status elsewhere."""
    reponse = reponse_erreur(request, exception)
    if parle_json(request.path):
        return reponse
    refus = en_refus(exception)
    contexte = {"titre": refus.message_de_page, "requete": getattr(request, "id_requete", "")}
    # Somebody may have to leave this page as fast as any other.
    contexte["de_l_equipe"] = request.path.startswith(DE_L_EQUIPE)
    contexte["portail"] = settings.PORTAIL_ENABLED and not contexte["de_l_equipe"]
    entetes = {nom: valeur for nom, valeur in reponse.headers.items() if nom != "Content-Type"}
    return HttpResponse(render_to_string("erreur.html", contexte, request), status=refus.statut_http, headers=entetes)
