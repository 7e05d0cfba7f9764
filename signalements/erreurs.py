from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from socle.erreurs import Conflit, PermissionRefusee, TropDeRequetes


class SonPropreDossier(PermissionRefusee):
    message = gettext_lazy("Ce dossier est le vôtre : c'est à d'autres personnes de l'équipe de le traiter.")


class OuvertureExigee(PermissionRefusee):
    """403 for an administrator who is not of the team of a case, and whom nobody shut out of it."""

    code = "OUVERTURE_MOTIVEE"
    message = gettext_lazy("Ce dossier est à une équipe dont vous n'êtes pas : donnez un motif pour l'ouvrir.")


class LectureSeule(PermissionRefusee):
    message = gettext_lazy("Vous avez ouvert ce dossier pour le lire : vous pouvez seulement le confier à une équipe.")


class DejaLu(Conflit):
    message = gettext_lazy("Vous lisez déjà ce dossier.")


class DemandesChangees(Conflit):
    message = gettext_lazy("Cette liste a changé dans un autre onglet : relisez-la, puis enregistrez.")


class DernierLecteur(Conflit):
    message = gettext_lazy(
        "Personne d'autre ne pourrait lire ce dossier, ni le rouvrir : faites d'abord venir quelqu'un dans l'équipe."
    )


class TropDeSignalements(TropDeRequetes):
    """429 by actor: the message says that all they have sent has arrived."""

    def __init__(self, *, attente: int) -> None:
        super().__init__(attente=attente)
        self.message = " ".join(
            (
                _("Vous avez envoyé beaucoup de signalements en peu de temps ; tous sont arrivés."),
                _("En cas de danger, appelez un contact d'urgence."),
                _("Pour ajouter quelque chose, écrivez dans un dossier déjà ouvert."),
                _dans(attente),
            )
        )


class TropDeSignalementsDIci(TropDeRequetes):
    """429 by address, which a whole campus may share: this person may have sent none."""

    def __init__(self, *, attente: int) -> None:
        super().__init__(attente=attente)
        self.message = " ".join(
            (
                _("Beaucoup de signalements sans compte viennent de ce réseau ; le vôtre n'a pas pu être reçu."),
                _("En cas de danger, appelez un contact d'urgence."),
                _("Vous pouvez signaler tout de suite par un autre réseau, celui d'un téléphone, ou avec un compte."),
                _dans(attente),
            )
        )


def _dans(attente: int) -> str:
    minutes = -(-attente // 60)
    return ngettext(
        "Sinon, un nouveau signalement sera possible dans %(n)d minute.",
        "Sinon, un nouveau signalement sera possible dans %(n)d minutes.",
        minutes,
    ) % {"n": minutes}
