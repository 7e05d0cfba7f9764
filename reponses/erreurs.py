from django.utils.translation import gettext_lazy as _

from socle.erreurs import Conflit

PLUS_DE_PLACE = _("%(n)d textes sont déjà gardés, c'est le maximum : supprimez-en un d'abord.")
DEJA_ORIENTE = _("Ce type a déjà son orientation : modifiez-la.")

DEJA_AUTOMATIQUE = _("Une autre réponse part déjà d'elle-même pour ce type : décochez-la d'abord.")


class PlusDePlace(Conflit):
    def __init__(self, maximum: int) -> None:
        super().__init__(PLUS_DE_PLACE % {"n": maximum})


class TypeDejaOriente(Conflit):
    message = DEJA_ORIENTE


class DejaAutomatique(Conflit):
    message = DEJA_AUTOMATIQUE
