"""A browser of the portal, and what people do with it."""

import html
import re
from contextlib import suppress
from typing import Any

from django.conf import settings
from django.test import Client

from accounts.tests.fabriques import MOT_DE_PASSE
from config.tests.outils.typographie import ordinaire
from guests.models import SessionInvitee
from portail.services.acces import acces_du_jeton, acteur_de
from signalements.models import Signalement
from socle.erreurs import ErreurMetier

FAITS = {"type": "HARCELEMENT", "description": "Il m'attend tous les soirs devant l'amphi."}
NUMERO = "+33 6 39 98 00 99"
DETAILS = {"lieu_incident": "Amphi B", "jour": "3", "mois": "11", "annee": "2026"}
PERSONNE = {"prenom": "Awa", "nom": "Diop", "email": "awa.diop@campus.test", "mot_de_passe": MOT_DE_PASSE}
DU_DOSSIER = re.compile(r"/dossiers/(\d+)/(?:repondre|lus)/")
FORMULES = re.compile(r"<(?:input|textarea|form|a)\b[^>]*>")


class Visiteuse(Client):
    """A client that keeps cookies, checks the CSRF token, and reads pages."""

    def __init__(self, **options: Any) -> None:
        super().__init__(enforce_csrf_checks=True, **options)

    def lire(self, adresse: str, **options: Any) -> str:
        reponse = self.get(adresse, **options)
        assert reponse.status_code == 200, (adresse, reponse.status_code, reponse.content.decode()[:2000])
        return texte_de(reponse)

    def envoyer(self, adresse: str, donnees: dict[str, Any] | None = None, **options: Any) -> Any:
        """Post a form with the token of the page that shows it."""
        if "csrftoken" not in self.cookies:
            self.get("/retrouver/")
        jeton = self.cookies["csrftoken"].value
        if page := DU_DOSSIER.fullmatch(adresse):
            donnees = {"dossier": self.montre(int(page[1])), **(donnees or {})}
        return self.post(adresse, {**(donnees or {}), "csrfmiddlewaretoken": jeton}, **options)

    def montre(self, rang: int) -> str:
        """The key of the case that the page of this rank shows, or has shown."""
        dossiers = Signalement.objects.vivants().order_by("date_creation", "id")
        with suppress(ErreurMetier, KeyError):
            dossiers = dossiers.de(acteur_de(acces_du_jeton(self.cookies["espace"].value)))
        return next((str(cle) for cle in dossiers.values_list("pk", flat=True)[rang - 1 : rang]), "")

    def remplir(self, *, telephone: str = NUMERO, **faits: str) -> None:
        """The steps up to the last page; the number is asked where PORTAIL_TELEPHONE_EXIGE says so."""
        assert self.envoyer("/ecrire/faits/", {**FAITS, **faits}).status_code == 303
        assert self.envoyer("/ecrire/details/", DETAILS).status_code == 303
        if settings.PORTAIL_TELEPHONE_EXIGE:
            assert self.envoyer("/ecrire/numero/", {"telephone": telephone}).status_code == 303

    def signaler(self, titre: str = "Harcèlement", **faits: str) -> str:
        """Report, and return the six words of the receipt."""
        self.remplir(**faits)
        envoye = self.envoyer("/ecrire/verifier/", {"titre": titre})
        assert (envoye.status_code, envoye.headers["Location"]) == (303, "/recu/")
        return six_mots(self.lire("/recu/"))

    def se_connecter(self, compte: Any, **champs: str) -> Any:
        return self.envoyer("/compte/connexion/", {"email": compte.email, "mot_de_passe": MOT_DE_PASSE, **champs})

    def s_inscrire(self, adresse: str = "/compte/inscription/", **champs: str) -> Any:
        return self.envoyer(adresse, {**PERSONNE, **champs})

    def ecrire_en_son_nom(self, titre: str = "Vol", mode: str = "ANONYME", **faits: str) -> Any:
        """A report of an account: a step less, and whether the team sees the name."""
        assert self.envoyer("/ecrire/faits/", {**FAITS, **faits}).status_code == 303
        assert self.envoyer("/ecrire/details/", DETAILS).status_code == 303
        return self.envoyer("/ecrire/verifier/", {"titre": titre, "mode_identification": mode})

    def passer_au_compte(self, compte: Any) -> str:
        """From an open guest access to the preview of its merge."""
        passee = self.envoyer("/rattacher/connexion/", {"email": compte.email, "mot_de_passe": MOT_DE_PASSE})
        assert (passee.status_code, passee.headers["Location"]) == (303, "/rattacher/apercu/"), texte_de(passee)
        return self.lire("/rattacher/apercu/")

    def confirmer(self, apercu: str, *choix: str, **champs: str) -> Any:
        """Post the form of a preview as it is, but these choices, each the value of a radio."""
        faits = {nom: une for nom, offertes in choix_de(apercu).items() for une in offertes if une in choix}
        caches = {nom: cache(apercu, nom) for nom in ("plan_digest", "cle")}
        return self.envoyer("/rattacher/apercu/", {**caches, **coches_de(apercu), **faits, **champs})

    def revenir(self, code: str, **champs: str) -> Any:
        return self.envoyer("/retrouver/", {"code": code, **champs})


def texte_de(reponse: Any) -> str:
    """What a page says, as the code writes it."""
    return ordinaire(html.unescape(reponse.content.decode()))


def cache(page: str, nom: str) -> str:
    """The value of a hidden field."""
    return page.partition(f'name="{nom}" value="')[2].partition('"')[0]


def cle_de(page: str) -> dict[str, str]:
    """What the page drew for its form, as its form sends it."""
    return {"cle_de_la_page": cache(page, "cle_de_la_page")}


def page_de(page: str) -> dict[str, str]:
    """All that a page of the report brings along, as its form sends it."""
    champs = dict(re.findall(r'<input type="hidden" name="(recit|version|cle_de_la_page)" value="([^"]*)"', page))
    portees = re.findall(r'<textarea name="(porte_\w+)" hidden[^>]*>\n(.*?)</textarea>', page, re.S)
    return {**champs, **dict(portees)}


def choix_de(apercu: str) -> dict[str, list[str]]:
    """Name of each group of radios -> the values that it offers."""
    offerts: dict[str, list[str]] = {}
    for nom, valeur in re.findall(r'<input type="radio" name="(choix-\d+)" value="([^"]+)"', apercu):
        offerts.setdefault(nom, []).append(valeur)
    return offerts


def coches_de(apercu: str) -> dict[str, str]:
    return dict(re.findall(r'<input type="radio" name="(choix-\d+)" value="([^"]+)"[^>]* checked>', apercu))


def six_mots(page: str) -> str:
    return " ".join(re.findall(r"<li>([^<\s]+)</li>", page.partition('class="mots"')[2].partition("</ol>")[0]))


def la_session() -> SessionInvitee:
    """The one guest session that there is."""
    return SessionInvitee.objects.get()


def le_dossier() -> Signalement:
    return Signalement.objects.get()
