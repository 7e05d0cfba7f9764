from django.utils.translation import gettext_lazy as _

from socle.erreurs import Conflit


class DateDejaTenue(Conflit):
    code = "DEADLINE_DONE"
    message = _("C'est déjà fait.")


class DejaProlongee(Conflit):
    code = "DEADLINE_ALREADY_EXTENDED"
    message = _("Cette date a déjà été prolongée une fois.")


class EntretienDejaOuvert(Conflit):
    code = "MEETING_ALREADY_OPEN"
    message = _("Un entretien est déjà prévu sur ce dossier.")
