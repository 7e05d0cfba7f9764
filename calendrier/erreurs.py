from django.utils.translation import gettext_lazy as _

from socle.erreurs import Conflit, JetonInvalide


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


class AbonnementFini(JetonInvalide):
    """410: a phone that is answered 401 asks its owner for a password, and again at each reading."""

    code = "GONE"
    statut_http = 410
    message = _("Cette adresse d'abonnement ne s'ouvre plus. Demandez-en une autre dans votre calendrier du campus.")
