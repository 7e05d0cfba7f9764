from typing import Any

from django.utils.translation import gettext_lazy as _

from socle.erreurs import TropDeRequetes


class ExportDejaEnCours(TropDeRequetes):
    """429 while the same person's export is still being sent."""

    def __init__(self, *, attente: int) -> None:
        super().__init__(attente=attente)
        self.message = _("Un téléchargement de vos données est déjà en cours. Attendez qu'il finisse.")


class EffacementRefuse(Exception):
    """Said by `manage.py effacer` to the operator, in French as all commands; nothing was changed."""

    message = ""

    def __init__(self, message: str = "") -> None:
        super().__init__(message or self.message)


class PersonneInconnue(EffacementRefuse):
    message = "Aucun compte, ni aucune session invitée, n'a cet identifiant."


class CompteDeLEquipe(EffacementRefuse):
    message = "Ce compte est de l'équipe et actif : désactivez-le d'abord, dans l'espace de l'équipe."


class RattachementsEnCours(EffacementRefuse):
    message = "Des sessions invitées se rattachent à ce compte en ce moment : recommencez."


class SessionDUnCompte(EffacementRefuse):
    """Names the account, to the operator, who can read it anyway."""

    def __init__(self, compte: Any) -> None:
        super().__init__(f"C'est d'un compte : effacez-le, --compte {compte}.")


class DossierGele(EffacementRefuse):
    """Refusal to erase the author of a held case: who wrote it is a part of what must stay whole."""

    def __init__(self, reference: str) -> None:
        super().__init__(f"Le dossier {reference} est gelé : nul n'en efface l'auteur tant qu'il l'est.")


class JournalPerdu(EffacementRefuse):
    message = (
        "Le journal des effacements (ERASURE_LOG) a disparu, et la base en connaît : retrouvez-le, "
        "ou refaites-le d'après elle par « manage.py effacer --completer-le-journal »."
    )
