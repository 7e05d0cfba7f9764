from django.utils.translation import gettext_lazy as _

from socle.domaine.erreurs import Conflit


class DejaInscrit(Conflit):
    code = "ALREADY_REGISTERED"
    message = _("Vous avez déjà une inscription à cet événement.")


class EvenementAnnule(Conflit):
    code = "EVENT_CANCELLED"
    message = _("Cet événement est annulé.")


class EvenementTermine(Conflit):
    message = _("Cet événement est terminé : les inscriptions sont closes.")


class EvenementComplet(Conflit):
    message = _("Toutes les places sont prises : augmentez leur nombre ou libérez-en une.")
