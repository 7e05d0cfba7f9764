from django.utils.translation import gettext as _

from config.domaine.erreurs import ChampsInvalides


def periode_trop_longue(maximum: int) -> ChampsInvalides:
    return ChampsInvalides.pour(fin=_("La période est trop longue : %(maximum)d dates au plus.") % {"maximum": maximum})
