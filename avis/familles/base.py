from collections.abc import Sequence
from typing import Any

from django.conf import settings

from accounts.models import Compte
from accounts.tasks import peut_informer
from avis.familles.boites import Boite, boite_du_compte
from avis.models import Avis
from signalements.models import Signalement
from socle.pages.mails import Piece


class Famille:
    """One way of telling: whom an act concerns, what a mail says of it, and whether that is still worth a mail.

    Notices of two families never share a mail.
    """

    nom = ""  # in the link that stops its mails
    natures: frozenset[str]
    modele: str  # of the mail
    sans_retour = False  # its mails have an empty return path
    pour_qui: Any  # in words, where the mail is shown
    ce_qui_s_arrete: Any  # the sentence of the page behind that link

    def tenir(self, ligne: Avis) -> Any:
        """Lock the row that it happened to, read again; None where it is no more."""
        raise NotImplementedError

    def adresser(self, ligne: Avis, objet: Any) -> None:
        """Write one notice for each person whom it concerns, and say it on their own channels."""
        raise NotImplementedError

    def en_reste(self, ligne: Avis, objet: Any) -> bool:
        """True where people are left, whom another transaction addresses."""
        return False

    def boite(self, personne: Any) -> Boite | None:
        """Find where this account, or guest session, is mailed now; None where it may not be, or wants none."""
        return boite_du_compte(personne, self.nom) if peut_informer(personne) else None

    def a_dire(self, personne: Any, lignes: Sequence[Avis]) -> list[Avis]:
        """Filter the notices of one mail, by the rights and the news of this moment."""
        raise NotImplementedError

    def contexte(self, personne: Any, lignes: Sequence[Avis]) -> dict[str, Any]:
        """The values of the mail's template, but those of how to have no more."""
        raise NotImplementedError

    def exemple(self) -> dict[str, Any]:
        """Such values, made up, to show the mail by."""
        raise NotImplementedError

    def pieces(self, personne: Any, lignes: Sequence[Avis]) -> Sequence[Piece]:
        """The files that the mail has with it, in the language that is active."""
        return ()

    def arreter(self, compte: Compte) -> None:
        """Keep, in the account's preferences, that no mail of this family is wanted."""
        raise NotImplementedError


class FamilleDeDossiers(Famille):
    """Families whose objects are cases: their mail says nothing of any, nor, by its envelope, whom it takes you for."""

    modele = "avis"
    sans_retour = True

    def tenir(self, ligne: Avis) -> Signalement | None:
        """Under the lock of the case, whoever loses it at this moment has lost it before, or loses the row too."""
        dossier: Signalement | None = Signalement.objects.vivants().menant_a(ligne.objet).first()
        if dossier is not None:
            dossier.verrouiller()
        return dossier

    def contexte(self, personne: Any, lignes: Sequence[Avis]) -> dict[str, Any]:
        return self.exemple()

    def exemple(self) -> dict[str, Any]:
        return {"lien": f"{settings.PUBLIC_URL}/"}
