from django.utils.translation import gettext_lazy as _

from socle.domaine.erreurs import ChampsInvalides, Conflit, Introuvable, NonAuthentifie


class AccesTermine(NonAuthentifie):
    """401: no access, or one that has ended."""

    message = _("Votre espace s'est fermé. Entrez votre code, ou connectez-vous, pour le rouvrir.")


class BrouillonEfface(Conflit):
    message = _(
        "Ce que vous aviez commencé s'est effacé : deux heures ont passé sans activité. Vous pouvez recommencer."
    )


class CodeInconnu(Introuvable):
    message = _("Ce code n'ouvre rien. Vérifiez chaque mot et leur ordre.")


class CodeDansLeTexte(ChampsInvalides):
    message = _("Votre code est dans ce texte. Retirez-le.")


class AutreDossier(Conflit):
    """409 of a page that showed another case than the one its address names now."""

    message = _("Cette page montrait un autre dossier. Relisez où vous écrivez, puis envoyez.")


class LienRompu(Conflit):
    """409: the space that waited to be merged was closed everywhere else, or has another code."""

    message = _("Cet espace n'attend plus d'être rattaché. Ouvrez-le de nouveau avec ses six mots.")
