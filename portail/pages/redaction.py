"""A report that is being written: the draft of the browser, beside the answers that its page brought along.

Each page brings its story along, so that two tabs write two without harm.
"""

from contextlib import suppress
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

from portail.erreurs import AccesTermine
from portail.pages.cookies import BROUILLON, acces_ouvert, jeton_de, poser_le_cookie
from portail.pages.formulaires import REPONSES
from portail.pages.page import Page, brouillon_en_attente, vers
from portail.services import brouillon
from portail.services.acces import acteur_de
from socle.api.reseau import cle_adresse
from socle.erreurs import TropDeRequetes

RECITS = ("description", "description_temoins")  # bounded by the body of the request alone: nothing is cut unsaid
LIGNE_MAX = 40_000  # characters of another answer that a page brings along
PORTE = "porte_"  # before the name of an answer that a page brings along
TEXTES = ("securite", "qui_lit", "confidentialite", "mentions", "droits", "accessibilite")
A_LIRE = ("accueil", "aide", *TEXTES, "dossiers", "acces", "terminer")  # from any step
# The step of each answer that the last page shows, and its field there: of some boxes the first.
CHAMPS = {
    "type": ("faits", "#id_type_0"),
    "description": ("faits", "#id_description"),
    "jour": ("details", "#id_jour"),
    "lieu_incident": ("details", "#id_lieu_incident"),
    "auteur_presume": ("details", "#id_auteur_presume"),
    "description_temoins": ("details", "#id_description_temoins"),
    "telephone": ("numero", "#id_telephone"),
    "ne_pas_montrer_a": ("ne_pas_montrer", "#id_ne_pas_montrer_a_0"),
}
AILLEURS = {nom: f"portail:{nom}" for nom in ("faits", "details", "numero", *A_LIRE)} | {
    nom: f"portail:{etape}" for nom, (etape, _ancre) in CHAMPS.items()
}
# The steps, in few words.
PAS = {
    "faits": _("Les faits"),
    "details": _("Précisions"),
    "numero": _("Numéro"),
    "verifier": _("Relire et envoyer"),
}
GARDER = "garder"  # sent by the script of a page by itself
REPRENDRE = "reprendre"  # a button


class RecitEnCours:
    """The draft of the cookie, and what the page posted; `ecrit`: what was typed on it, as a step keeps it."""

    def __init__(self, request: HttpRequest) -> None:
        self.request = request
        self.jeton = jeton_de(request, BROUILLON)
        self.acces = acces_ouvert(request)
        self.acteur = acteur_de(self.acces) if self.acces else None

    def exiger_le_meme_espace(self) -> None:
        """AccesTermine where what is posted goes on from a space that has closed."""
        if self.request.method == "POST" and "sans_espace" not in self.request.POST:
            espace = self.request.POST.get("espace", "")
            if brouillon.est_d_un_espace_ferme(self.jeton, acteur=self.acteur, espace=espace):
                raise AccesTermine

    def lire(self) -> dict[str, Any]:
        return brouillon.lire(self.jeton, acteur=self.acteur)

    @property
    def se_montre(self) -> bool:
        """True where a page says that something was begun, here or in the guest space that waits."""
        commence = brouillon.est_commence(self.jeton, acteur=self.acteur)
        return commence or brouillon_en_attente(self.request, self.acces)

    def contexte(self, ici: str = "") -> dict[str, Any]:
        """Context of the page of this step; of a page before the first one, without a name."""
        return {
            "pas": self._pas(ici) if ici else [],
            "brouillon_qui_attend": brouillon_en_attente(self.request, self.acces),
            "espace_de_la_page": brouillon.sceller_l_espace(self.acteur),
        }

    @property
    def demande_un_numero(self) -> bool:
        """True where the operator wants one of each new session; whoever writes from a space has theirs."""
        return settings.PORTAIL_TELEPHONE_EXIGE and self.acteur is None

    def _pas(self, ici: str) -> list[dict[str, Any]]:
        noms = [nom for nom in PAS if nom != "numero" or self.demande_un_numero]
        rang = noms.index(ici)
        return [{"titre": PAS[nom], "est_fait": autre < rang, "est_ici": nom == ici} for autre, nom in enumerate(noms)]

    def portees(self) -> dict[str, str]:
        """The answers that the page brought along: what it showed, or what its tab had written before."""
        portees = ((nom, self.request.POST.get(f"{PORTE}{nom}", "")) for nom in REPONSES)
        return {nom: texte if nom in RECITS else texte[:LIGNE_MAX] for nom, texte in portees if texte}

    def est_d_un_autre_recit(self) -> bool:
        """True where this page tells another story than the draft of the cookie: another tab has begun or sent one."""
        montre = self.request.POST.get("recit")
        return montre is not None and montre != brouillon.recit(self.jeton)

    def destination(self, *, ici: str, avant: str) -> str:
        """Address that a button of this form leads to before it is sent on, "" for no such button."""
        demandee = self.request.POST.get("vers", "")
        menent = {"avant": avant, **AILLEURS, **dict.fromkeys(dict(settings.LANGUAGES), ici)}
        return menent.get(demandee, "")

    def partir(self, ou: str, ecrit: dict[str, Any]) -> HttpResponse:
        """Away with what was typed kept for the return as it is: it is judged when it is sent on."""
        tout = {**self.portees(), **ecrit}
        _etape, ancre = CHAMPS.get(self.request.POST.get("vers", ""), ("", ""))
        return self.mener(ou, tout, ecrit, ancre) if any(tout.values()) else vers(ou, suite=ancre)

    def mener(self, ou: str, tout: dict[str, Any], ecrit: dict[str, Any], ancre: str = "") -> HttpResponse:
        """To this page, with what was typed in the draft of this story, or in one of its own where that is another."""
        reponse = vers(ou, suite=ancre)
        if self.est_d_un_autre_recit() or not brouillon.est_commence(self.jeton, acteur=self.acteur):
            self.garder(reponse, "", **tout)
        else:
            self.garder(reponse, self.jeton, **ecrit)
        return reponse

    def garder(self, reponse: HttpResponse, jeton: str, **ecrit: Any) -> str:
        """Complete this draft, and put its token into the cookie; what nobody has sent yet takes room too."""
        with brouillon.place(self.acteur, cle_adresse(self.request), ecrit):
            nouveau = brouillon.completer(jeton, acteur=self.acteur, **ecrit)
        poser_le_cookie(reponse, BROUILLON, nouveau)
        return nouveau

    def garder_pour_l_espace(self, reponse: HttpResponse, ecrit: dict[str, Any]) -> None:
        """Sealed until it opens again; past what an address may leave here, the text is on this page alone."""
        autre = self.est_d_un_autre_recit()
        tout = {**(self.portees() if autre else {}), **ecrit}
        if any(tout.values()):
            espace = self.request.POST.get("espace", "")
            with suppress(TropDeRequetes), brouillon.place(None, cle_adresse(self.request), tout):
                nouveau = brouillon.completer_dans_l_espace_ferme("" if autre else self.jeton, espace=espace, **tout)
                poser_le_cookie(reponse, BROUILLON, nouveau)


def portees_de(ecrit: dict[str, Any], propres: Any = ()) -> list[tuple[str, str]]:
    """Fields that a page brings along beside its own, as hidden ones."""
    return [(f"{PORTE}{nom}", str(ecrit[nom])) for nom in REPONSES if ecrit.get(nom) and nom not in propres]


def pour_ecrire(page: Any, request: HttpRequest) -> str:
    """`entrer` for anybody, but not going on from a space that has closed."""
    page.va_sans_espace, page.recit = True, RecitEnCours(request)
    page.acces = page.recit.acces
    page.recit.exiger_le_meme_espace()
    return cle_adresse(request)


# `est_un_dossier` of a page that shows the draft: what is posted is kept first, and shown once the password is given.
MONTRE_LE_RECIT = property(
    lambda page: page.recit.se_montre and (page.request.method != "POST" or REPRENDRE in page.request.POST)
)
# The same of the page that shows all of it: a post shows it again, or sends it, unless it only leads away.
MONTRE_TOUT_LE_RECIT = property(
    lambda page: (
        page.recit.se_montre and (page.request.method != "POST" or not page.recit.destination(ici="ici", avant="avant"))
    )
)


def refuser_en_gardant(page: Any, request: HttpRequest, refus: Exception) -> HttpResponse:
    """`refuser`: what was typed for a space that has closed waits for it, unless one goes on without."""
    reponse = Page.refuser(page, request, refus)
    if isinstance(refus, AccesTermine) and request.method == "POST" and GARDER not in request.POST:
        page.recit.garder_pour_l_espace(reponse, page.ecrits(request))
    return reponse
