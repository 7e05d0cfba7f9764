"""What opens a space in this browser: the former ends, and a text whose access ended meanwhile comes along.

A report that was begun, and is not sent, is said before: it can be sent first, or taken along. A page opens once:
the browser keeps the six words that were posted, and would send them again for whoever goes back to it.
"""

from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse

from discussions.vocabulaire import DOUBLE_CLIC
from portail.models import Acces
from portail.pages.base import (
    ACCES,
    BROUILLON,
    Page,
    acces_ouvert,
    cle_de_la_page,
    jeton_de,
    poser_le_cookie,
    vers,
)
from portail.services import brouillon, sceau
from portail.services.acces import acces_du_jeton, acteur_de
from socle.domaine.acteurs import Acteur
from socle.erreurs import TropDeRequetes
from socle.pages import servies


class PageDOuverture(Page):
    se_remontre = True
    formulaire: type[forms.Form]
    emporte = False  # the draft comes along by itself

    def repondre(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        depuis = servies.secondes_depuis(cle_de_la_page(request)) if request.method == "POST" else None
        if depuis is not None and depuis > DOUBLE_CLIC.total_seconds():
            return self._deja_servie(request)
        return super().repondre(request, *args, **kwargs)

    def _deja_servie(self, request: HttpRequest) -> HttpResponse:
        """Opens nothing: the way in, blank; for who is in already, the text that waits, or the cases."""
        if acces_ouvert(request) is None:
            return vers(request.path)
        return self._a_reprendre(request) or vers("portail:dossiers")

    def _a_reprendre(self, request: HttpRequest) -> HttpResponse | None:
        suspens = en_suspens(request)
        return self.rendre(request, gabarit="portail/reprendre.html", **suspens) if suspens["texte"] else None

    def commun(self, request: HttpRequest) -> dict[str, Any]:
        return {**super().commun(request), "cle_de_la_page": cle_de_la_page(request) or sceau.tirer_jeton()}

    def get(self, request: HttpRequest) -> HttpResponse:
        deja = acces_ouvert(request)
        return self.rendre(request, form=self.formulaire(), deja=deja, **self._du_brouillon(request, deja))

    def demander_d_abord(self, request: HttpRequest) -> HttpResponse | None:
        """The page again, where a draft would be left behind and the one that was posted did not say so."""
        if self.emporte or "laisser" in request.POST:
            return None
        if "brouillon" not in self._du_brouillon(request, acces_ouvert(request)):
            return None
        return self.redemander(request, self.formulaire(request.POST), 409, demande=True)

    def redemander(self, request: HttpRequest, form: forms.Form, statut: int, *, demande: bool = False) -> HttpResponse:
        contexte = self._du_brouillon(request, acces_ouvert(request)) | en_suspens(request)
        contexte["emporter"] = "emporter" in request.POST
        return self.rendre(request, statut=statut, form=form, demande=demande, **contexte)

    def remontrer(self, request: HttpRequest) -> HttpResponse:
        return self.redemander(request, self.formulaire(initial=request.POST.dict()), 200)

    def _du_brouillon(self, request: HttpRequest, deja: Acces | None) -> dict[str, Any]:
        """What this browser's draft is to whoever opens another space: nothing, left, or of a space that has closed."""
        jeton, acteur = jeton_de(request, BROUILLON), acteur_de(deja) if deja else None
        if brouillon.lire(jeton, acteur=acteur):
            return {"brouillon": True, "emporte": self.emporte}
        return {"brouillon_ferme": True} if brouillon.est_d_un_espace_ferme(jeton, acteur=acteur) else {}

    def faire_attendre(self, request: HttpRequest, form: forms.Form, refus: TropDeRequetes) -> HttpResponse:
        reponse = self.redemander(request, form, refus.statut_http)
        reponse.headers["Retry-After"] = str(refus.attente)
        return reponse

    def mener(self, request: HttpRequest, jeton: str, *, depuis: Acteur | None) -> HttpResponse:
        """To the cases, or to the text that waits, under the cookie of the space that is open now."""
        emporte = None
        ici, attendu = acteur_de(acces_du_jeton(jeton)), jeton_de(request, BROUILLON)
        if "emporter" in request.POST:
            emporte = brouillon.emporter(attendu, de=depuis, a=ici)
        a_relire = emporte or brouillon.lire(attendu, acteur=ici)
        reponse = self._a_reprendre(request) or vers("portail:verifier" if a_relire else "portail:dossiers")
        servies.noter(cle_de_la_page(request))
        poser_le_cookie(reponse, ACCES, jeton)
        if emporte:
            poser_le_cookie(reponse, BROUILLON, emporte)
        return reponse

    def d_ou_l_on_vient(self, request: HttpRequest) -> Acteur | None:
        deja = acces_ouvert(request)
        return acteur_de(deja) if deja else None


def en_suspens(request: HttpRequest) -> dict[str, Any]:
    """What was typed before the access ended, and the case it was for."""
    rang = request.POST.get("rang", "")[:6]
    return {
        "texte": request.POST.get("texte", ""),
        "rang": int(rang) if rang.isascii() and rang.isdigit() else 0,
        "pour": request.POST.get("pour", "")[:40],
    }
