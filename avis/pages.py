"""The page behind the link of a mail of news, and the one click of a mail program (RFC 8058)."""

from typing import Any
from uuid import UUID

from django.http import HttpRequest
from django.utils.decorators import method_decorator
from django.utils.translation import gettext_lazy as _
from django.views.decorators.csrf import csrf_exempt

from accounts.models import Compte, arret_du_jeton
from accounts.pages import FormulaireDeLien, PageDeLien
from avis import demandes
from avis.familles import AUTEUR, Famille, familles_nommees
from avis.models import AdresseInvitee
from avis.services import arreter


@method_decorator(csrf_exempt, name="dispatch")  # a mail program has no cookie; the token is the proof
class NePlusPrevenir(PageDeLien):
    """Stops the mails of one family to the account that the token names, or erases the guest's address that it names.

    Nothing of either is shown.
    """

    formulaire = FormulaireDeLien
    titre = _("Ne plus recevoir ces e-mails")
    fait = _("C'est fait : vous n'en recevrez plus.")
    mort = _("Ce lien n'est plus valable. Vos e-mails se choisissent dans le service.")

    def saisie(self, request: HttpRequest) -> dict[str, str]:
        """Of the form of the page, or of a mail program, which has the token in the address alone."""
        return {"token": request.POST.get("token", request.GET.get("token", ""))}

    def objet(self, jeton: str) -> tuple[Compte, list[Famille]] | UUID | None:
        """The account and the families of a token, or the key of a guest's address."""
        cle, nom = arret_du_jeton(jeton) or (None, "")
        if cle is None:
            return demandes.de_l_arret(jeton)
        compte = Compte.objects.filter(pk=cle, est_actif=True).first()
        familles = familles_nommees(nom)
        return (compte, familles) if compte and familles else None

    def agir(self, objet: Any, donnees: dict[str, Any]) -> None:
        if isinstance(objet, UUID):
            demandes.oublier_l_adresse(objet)
        else:
            arreter(*objet)

    def contexte(self, objet: Any) -> dict[str, Any]:
        famille = AUTEUR if isinstance(objet, UUID) else objet[1][0]
        return {"bouton": _("Ne plus en recevoir"), "explication": famille.ce_qui_s_arrete}


class ConfirmerMesMails(PageDeLien):
    """Confirms the address of a guest, by its button alone: programs that open the links of a mail confirm nothing."""

    formulaire = FormulaireDeLien
    titre = _("Confirmer une adresse e-mail")
    explication = _("Vous avez donné cette adresse pour recevoir des e-mails de ce service ? Confirmez-la.")
    fait = _("C'est fait : cette adresse est confirmée.")
    mort = _("Ce lien n'est plus valable. Si vous l'attendiez, demandez-en un autre dans le service.")

    def objet(self, jeton: str) -> AdresseInvitee | None:
        return demandes.confirmable(jeton)

    def agir(self, objet: Any, donnees: dict[str, Any]) -> None:
        demandes.confirmer(objet)

    def contexte(self, objet: Any) -> dict[str, Any]:
        return {"bouton": _("Confirmer cette adresse")}
