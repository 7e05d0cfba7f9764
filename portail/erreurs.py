from django.utils.translation import gettext_lazy as _

from socle.domaine.erreurs import ChampsInvalides, Introuvable, NonAuthentifie


class AccesTermine(NonAuthentifie):
    """401: no access, or one that has ended."""

    message = _("Votre espace s'est fermé. Entrez votre code pour le rouvrir.")


class CodeInconnu(Introuvable):
    message = _("Ce code n'ouvre rien. Vérifiez chaque mot et leur ordre.")


class CodeDansLeTexte(ChampsInvalides):
    message = _("Votre code est dans ce texte. Retirez-le.")
