"""The path that a page leads back to: of ours, in the rooms that it may lead to; never another site's."""

from typing import Any
from urllib.parse import quote

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import Resolver404, resolve
from django.utils.http import url_has_allowed_host_and_scheme

CAMPUS = "campus"
RETOUR_MAX = 500  # characters


def retour_au_campus(request: HttpRequest) -> str:
    """The path of the campus, or of one's account, that this page was asked to lead back to, "" for none."""
    return _retour(request, lambda page: page.namespace == CAMPUS or getattr(_vue(page.func), "est_le_compte", False))


def retour_aux_dossiers(request: HttpRequest) -> str:
    """The path, among those of one's cases, that this page was asked to lead back to, "" for none."""
    return _retour(request, lambda page: getattr(_vue(page.func), "est_un_dossier", False))


def _retour(request: HttpRequest, est_permise: Any) -> str:
    texte = request.POST.get("retour") or request.GET.get("retour", "")
    if len(texte) > RETOUR_MAX or not (texte.isascii() and texte.isprintable() and texte.startswith("/")):
        return ""
    if not url_has_allowed_host_and_scheme(texte, allowed_hosts=None):
        return ""
    try:
        return texte if est_permise(resolve(texte.partition("?")[0])) else ""
    except Resolver404:
        return ""


def _vue(fonction: Any) -> Any:
    return getattr(fonction, "view_class", None)


def suite_de(chemin: str) -> str:
    """The query by which a page is asked to lead back to this path, "" for none."""
    return f"?retour={quote(chemin)}" if chemin else ""


def revenir(chemin: str) -> HttpResponse:
    """303 to a path that `retour_au_campus` or `retour_aux_dossiers` gave."""
    reponse = redirect(chemin)
    reponse.status_code = 303
    return reponse
