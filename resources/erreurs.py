from django.utils.translation import gettext_lazy as _

from socle.erreurs import (
    ChampsInvalides,
    Conflit,
    ErreurMetier,
    PermissionRefusee,
    ServiceIndisponible,
    TropDeRequetes,
    detail,
)


class QuotaDepasse(ErreurMetier):
    code = "QUOTA_EXCEEDED"
    statut_http = 413

    def __init__(self, octets: int) -> None:
        texte = _("Vous avez atteint %(n)d Mo de fichiers. Supprimez-en, ou demandez à l'équipe.")
        super().__init__(texte % {"n": octets // (1024 * 1024)})


class TropEnvoye(TropDeRequetes):
    """429 to the guests of one address, who share so many bytes a day."""

    def __init__(self, *, attente: int) -> None:
        super().__init__(attente=attente)
        self.message = _("Trop de fichiers ont été envoyés d'ici aujourd'hui. Réessayez demain, ou avec un compte.")


class TypeDeFichierRefuse(ErreurMetier):
    code = "UNSUPPORTED_MEDIA_TYPE"
    statut_http = 415

    def __init__(self, acceptes: str) -> None:
        super().__init__(_("Ce type de fichier n'est pas accepté. Types acceptés : %(types)s.") % {"types": acceptes})


class ProgrammeRefuse(ErreurMetier):
    code = "UNSUPPORTED_MEDIA_TYPE"
    statut_http = 415
    message = _("Les programmes ne sont pas acceptés. S'il prouve quelque chose, mettez-le dans un ZIP.")

    def __init__(self) -> None:
        super().__init__(details=[detail("file", self.message, "program")])


class FichierUtilise(Conflit):
    code = "FILE_IN_USE"
    message = _("Ce fichier est joint à un signalement, un message, une publication ou une ressource : il y reste.")


class FichierReserve(FichierUtilise):
    """409: one file on a report that hides its author and elsewhere would tie both to one person."""

    message = _(
        "Un fichier joint à un signalement anonyme n'est joint à rien d'autre : il ferait le lien. "
        "Envoyez-le une seconde fois."
    )


class RessourceSansFichier(Conflit):
    message = _("Le fichier de cette ressource est supprimé : rétablissez-le d'abord.")


class LienPerime(PermissionRefusee):
    message = _("Ce lien a expiré ou n'est pas le bon. Demandez-en un nouveau.")


class StockageIndisponible(ServiceIndisponible):
    message = _("Le fichier n'a pas pu être rangé. Réessayez dans un instant.")


class AnalyseIndisponible(ServiceIndisponible):
    message = _("Le fichier n'a pas pu être analysé, il n'est pas conservé. Réessayez dans un instant.")


def fichier_refuse(code: str, message: object) -> ChampsInvalides:
    """422 on the file itself."""
    return ChampsInvalides.pour(code, file=message)
