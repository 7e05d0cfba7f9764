from django.utils.translation import gettext_lazy as _

from socle.erreurs import ChampsInvalides, Conflit, Introuvable


class ExportEnCours(Conflit):
    code = "EXPORT_NOT_READY"
    message = _("Cet export n'est pas encore prêt. Attendez l'événement export_ready, ou redemandez où il en est.")


class ExportEnEchec(Conflit):
    code = "EXPORT_FAILED"
    message = _("Cet export n'a pas pu être écrit. Demandez-en un nouveau.")


class ExportRetire(Introuvable):
    message = _("Ce fichier n'est plus gardé. Demandez un nouvel export.")


def periode_trop_longue(maximum: int) -> ChampsInvalides:
    return ChampsInvalides.pour(fin=_("La période est trop longue : %(maximum)d dates au plus.") % {"maximum": maximum})


def type_trop_rare() -> ChampsInvalides:
    return ChampsInvalides.pour(
        type=_("Trop peu de dossiers de ce type sur cette période : ils ne se comptent que réunis à d'autres.")
    )
