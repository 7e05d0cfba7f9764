from django.utils.translation import gettext_lazy as _

from socle.erreurs import ChampsInvalides, Conflit, Introuvable, NonAuthentifie


class AccesTermine(NonAuthentifie):
    """401: no access, or one that has ended."""

    message = _("Votre espace s'est fermé. Entrez vos six mots, ou connectez-vous, pour le rouvrir.")


class BrouillonEfface(Conflit):
    message = _(
        "Ce que vous aviez commencé s'est effacé : deux heures ont passé sans activité. Vous pouvez recommencer."
    )


class CodeInconnu(Introuvable):
    message = _("Ces six mots n'ouvrent rien. Vérifiez chaque mot et leur ordre.")


class CodeEteint(CodeInconnu):
    """Of six words that opened a space and open it no longer: no date, no reason."""

    message = _("Ces six mots n'ouvrent plus cet espace. L'équipe ne peut pas le rouvrir, mais vous pouvez la joindre.")


class MotsDemandes(Conflit):
    """409: an act that takes all six words, and was asked for without."""

    message = _("Entrez d'abord vos six mots.")


class MotsFaux(ChampsInvalides):
    """422 of words that are not this space's: it says nothing of any one of them."""

    message = _("Ce ne sont pas les six mots de cet espace. Vérifiez chaque mot et leur ordre.")


class PasDeMots(MotsFaux):
    """Of a text that cannot be six words, with what it is instead: no try, and nothing of this space is looked at."""


class EssaisEpuises(AccesTermine):
    message = _(
        "Cinq fois, ce n'étaient pas les bons mots : cet espace s'est fermé ici. Vos six mots l'ouvrent encore."
    )


class MotDePasseDemande(NonAuthentifie):
    """401 of a case that is asked for from the campus's pages, minutes after the password was given."""

    message = _("Entrez votre mot de passe pour voir vos dossiers.")


class MotDePasseFaux(ChampsInvalides):
    message = _("Ce n'est pas le mot de passe de ce compte.")


class MotsDePasseEpuises(AccesTermine):
    message = _("Cinq fois, ce n'était pas le bon mot de passe : votre espace s'est fermé ici. Connectez-vous.")


class CodeDansLeTexte(ChampsInvalides):
    message = _("Vos six mots sont dans ce texte. Retirez-les.")


class AutreDossier(Conflit):
    """409 of a page that showed another case than the one its address names now."""

    message = _("Cette page montrait un autre dossier. Relisez où vous écrivez, puis envoyez.")


class LienRompu(Conflit):
    """409: the space that waited to be merged was closed everywhere else, or has another code."""

    message = _("Cet espace n'attend plus d'être rattaché. Ouvrez-le de nouveau avec ses six mots.")
