"""« Mon compte » in the team's workspace: the blocks of the portal's, for a browser that the admin site let in."""

from collections.abc import Callable
from typing import Any

from django.contrib.auth import update_session_auth_hash
from django.http import HttpRequest, HttpResponse

from accounts.appareils import connait, retenir
from accounts.authentication import mot_de_passe_recent, noter_le_mot_de_passe
from accounts.services.comptes import exiger_mot_de_passe
from espace.pages.base import PageDEquipe
from personnes.pages.mon_compte import MonCompte
from socle.domaine.droits import Droit


class LeCompte(MonCompte, PageDEquipe):
    gabarit = "espace/compte.html"
    ici = "espace:compte"
    place = "compte"
    droit = Droit.ESPACE_ENTRER

    def commun(self, request: HttpRequest) -> dict[str, Any]:
        return {**super().commun(request), "dans_l_espace": True}

    def est_prouve(self, request: HttpRequest) -> bool:
        return mot_de_passe_recent(request)

    def prouver(self, request: HttpRequest, mot_de_passe: str) -> None:
        exiger_mot_de_passe(compte=self.compte, mot_de_passe=mot_de_passe)
        noter_le_mot_de_passe(request)

    def rester(self, request: HttpRequest) -> Callable[[HttpResponse], None]:
        """Keep this browser alone signed in, under a new key, and known if it was."""
        etait_connu = connait(request)

        def rester(reponse: HttpResponse) -> None:
            update_session_auth_hash(request, self.compte)
            if etait_connu:
                retenir(request, reponse)

        return rester
