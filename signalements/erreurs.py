from django.utils.translation import gettext_lazy as _

from config.domaine.erreurs import PermissionRefusee


class SonPropreDossier(PermissionRefusee):
    message = _("Ce dossier est le vôtre : c'est à d'autres personnes de l'équipe de le traiter.")
