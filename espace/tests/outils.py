"""A browser of the team, and what it does in the workspace."""

import html
from typing import Any

from django.test import Client

from accounts.models import Compte
from config.tests.outils.typographie import ordinaire

LISTE = "/equipe/dossiers/"
VUS = {"lus": "messages"}


class Equipiere(Client):
    """A signed-in browser that checks the CSRF token, and reads pages."""

    def __init__(self, compte: Compte | None = None) -> None:
        super().__init__(enforce_csrf_checks=True)
        self.compte = compte
        if compte is not None:
            self.force_login(compte)

    def lire(self, adresse: str = LISTE, attendu: int = 200, **question: Any) -> str:
        reponse = self.get(adresse, question)
        assert reponse.status_code == attendu, (adresse, reponse.status_code, reponse.content.decode()[:2000])
        return texte_de(reponse)

    def envoyer(self, adresse: str, donnees: dict[str, Any] | None = None) -> Any:
        if "csrftoken" not in self.cookies:
            self.get("/admin/login/" if self.compte is None else LISTE)
        if "csrftoken" not in self.cookies:  # of somebody whom the team's pages refuse
            self.get("/ecrire/faits/")
        jeton = self.cookies["csrftoken"].value
        return self.post(adresse, {**(donnees or {}), "csrfmiddlewaretoken": jeton})

    def agir(self, dossier: Any, acte: str, /, **donnees: Any) -> Any:
        if "vu" in donnees:  # what the page showed of it
            donnees[f"vu_{VUS.get(acte, acte)}"] = donnees.pop("vu")
        return self.envoyer(f"{LISTE}{dossier.pk}/{acte}/", donnees)

    def dossier(self, dossier: Any) -> str:
        return self.lire(f"{LISTE}{dossier.pk}/")


def texte_de(reponse: Any) -> str:
    """What a page says, as the code writes it."""
    return ordinaire(html.unescape(reponse.content.decode()))


def valeur(page: str, nom: str) -> str:
    """The value of the hidden field of this name."""
    return page.partition(f'name="{nom}" value="')[2].partition('"')[0]


def section(page: str, identifiant: str) -> str:
    """What follows this id, up to the end of its section."""
    return page.partition(f'id="{identifiant}"')[2].partition("</section>")[0]
