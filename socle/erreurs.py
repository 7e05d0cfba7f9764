"""Refusals: a rule that refuses raises one of these, and one handler renders them all."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

if TYPE_CHECKING:
    from socle.domaine.acteurs import Acteur


class ErreurMetier(Exception):
    """A named refusal: `code` for machines, `message` for the person, `details` where there are some."""

    code = "CONFLICT"
    statut_http = 409
    message: Any = _("Cette action n'est pas possible dans l'état actuel.")
    en_page: Any = ""  # what a page says where the message of the class speaks to a program

    def __init__(
        self, message: Any = None, *, details: Any = None, code: str | None = None, attente: int | None = None
    ) -> None:
        self.message = message if message is not None else type(self).message
        self.code = code or type(self).code
        self.details = details
        self.attente = attente  # seconds, becomes Retry-After
        super().__init__(self.code)

    @property
    def message_de_page(self) -> Any:
        """The message for somebody in front of a page."""
        return self.en_page if self.en_page and self.message is type(self).message else self.message


class RequeteMalformee(ErreurMetier):
    code = "MALFORMED_REQUEST"
    statut_http = 400
    message = _("La requête est illisible : un objet JSON en UTF-8 est attendu.")
    en_page = _("Votre envoi n'est pas arrivé entier. Rien n'a été gardé : revenez à la page, puis envoyez de nouveau.")


class EnvoiTropLent(ErreurMetier):
    """`recu`: what had come of a text, which its page gives back."""

    recu = b""
    code = "REQUEST_TIMEOUT"
    statut_http = 408
    message = _(
        "Tout n'est pas arrivé : la connexion est trop lente, ou s'est interrompue. Rien n'est fait ; réessayez."
    )


class EtatChange(ErreurMetier):
    """`actuel`: the state that is there, as the caller reads it, under this entity tag."""

    code = "PRECONDITION_FAILED"
    statut_http = 412
    message = _("Cela a changé depuis que vous l'avez lu. Rien n'est fait : relisez, puis recommencez.")

    def __init__(self, actuel: Any = None, etag: str = "") -> None:
        super().__init__()
        self.actuel, self.etag = actuel, etag


class CleMalformee(ErreurMetier):
    code = "IDEMPOTENCY_KEY_INVALID"
    statut_http = 400
    message = _("L'en-tête Idempotency-Key est illisible : de 1 à 255 caractères imprimables sont attendus.")


class NonAuthentifie(ErreurMetier):
    code = "AUTH_REQUIRED"
    statut_http = 401
    message = _("Connectez-vous pour continuer.")


class JetonInvalide(NonAuthentifie):
    code = "TOKEN_INVALID"
    message = _("Votre session a expiré ou n'est plus valable. Reconnectez-vous.")


class PermissionRefusee(ErreurMetier):
    code = "PERMISSION_DENIED"
    statut_http = 403
    message = _("Vous n'avez pas le droit de faire cela.")


class AccesInviteRefuse(PermissionRefusee):
    code = "GUEST_ACCESS_DENIED"
    message = _("GUEST_ACCESS_DENIED: ce dossier n'appartient pas à votre session.")


class AccesRefuse(PermissionRefusee):
    message = _("Ce dossier ne vous est pas accessible.")

    @classmethod
    def pour(cls, acteur: "Acteur") -> PermissionRefusee:
        """The 403 in the form that this actor's clients know.

        The actor's lock is taken first: where a merge has just moved a guest's rows, it raises the merge's own refusal.
        """
        acteur.verrouiller()
        return AccesInviteRefuse() if acteur.est_invite else cls()


class Introuvable(ErreurMetier):
    code = "NOT_FOUND"
    statut_http = 404
    message = _("Cette ressource est introuvable.")


class Conflit(ErreurMetier):
    pass


class ResultatDisparu(Conflit):
    """409 for a replay whose row was deleted or may no longer be read by its author; which of the two is not told."""

    code = "IDEMPOTENCY_RESULT_GONE"
    message = _(
        "C'était déjà fait avec cette Idempotency-Key, mais le résultat a été supprimé ou ne vous est plus accessible. "
        "Pour recommencer, choisissez une nouvelle clé."
    )


class CorpsTropGrand(ErreurMetier):
    code = "BODY_TOO_LARGE"
    statut_http = 413
    message = _("La requête est trop volumineuse : 1 Mo au plus.")


class FichierTropGrand(ErreurMetier):
    code = "FILE_TOO_LARGE"
    statut_http = 413

    def __init__(self, limite: int) -> None:
        super().__init__(_("Ce fichier est trop volumineux : %(n)d Mo au plus.") % {"n": limite // (1024 * 1024)})


class EnsembleTropGrand(CorpsTropGrand):
    """413 of a form of several files: each may be small enough, and they are not read."""

    def __init__(self, limite: int) -> None:
        message = _(
            "Cet envoi fait plus de %(n)d Mo en tout, et rien n'est parti. Choisissez moins de fichiers à la fois. "
            "Une vidéo : coupez-la, ou filmez en moindre qualité."
        )
        super().__init__(message % {"n": limite // (1024 * 1024)})


Details = list[dict[str, Any]]


def detail(champ: str, message: Any, code: str = "invalid") -> dict[str, Any]:
    """One entry of a 422, `{field, message, code}`; `Details` are those of a whole form."""
    return {"field": champ, "message": message, "code": code}


class ChampsInvalides(ErreurMetier):
    """422 whose details name each field: `ChampsInvalides.pour(email="Adresse inconnue.")`."""

    code = "VALIDATION_ERROR"
    statut_http = 422
    message = _("Certains champs sont à corriger.")

    @classmethod
    def pour(cls, code: str = "invalid", /, **messages: Any) -> "ChampsInvalides":
        return cls.depuis(detail(champ, texte, code) for champ, texte in messages.items())

    @classmethod
    def depuis(cls, details: Iterable[Mapping[str, Any]]) -> "ChampsInvalides":
        return cls(details=list(details))

    @classmethod
    def exiger_aucun(cls, details: Iterable[Mapping[str, Any]]) -> None:
        """Raise with all these details, unless there are none."""
        if tous := list(details):
            raise cls(details=tous)


class CleReutilisee(ChampsInvalides):
    code = "IDEMPOTENCY_KEY_REUSED"
    message = _("Cette Idempotency-Key a déjà servi pour une autre demande. Choisissez-en une nouvelle.")


class TropDeRequetes(ErreurMetier):
    code = "RATE_LIMITED"
    statut_http = 429

    def __init__(self, *, attente: int) -> None:
        if attente < 90:
            message = ngettext(
                "Trop de tentatives. Réessayez dans %(n)d seconde.",
                "Trop de tentatives. Réessayez dans %(n)d secondes.",
                attente,
            ) % {"n": attente}
        else:
            message = _("Trop de tentatives. Réessayez dans %(n)d minutes.") % {"n": -(-attente // 60)}
        super().__init__(message, attente=attente)


class ServiceIndisponible(ErreurMetier):
    code = "SERVICE_UNAVAILABLE"
    statut_http = 503
    message = _("Le service est momentanément indisponible. Réessayez dans un instant.")


class ResultatInconnu(ErreurMetier):
    """503 without Retry-After: a client that would begin again by itself might do the same thing twice."""

    code = "RESULT_UNKNOWN"
    statut_http = 503
    message = _(
        "Nous ne savons pas si c'est fait : le service s'est arrêté avant de pouvoir répondre. Vérifiez avant de "
        "recommencer. Avec la même Idempotency-Key, une création ne se fait pas deux fois."
    )
    en_page = _(
        "Nous ne savons pas si c'est fait : le service s'est arrêté avant de pouvoir répondre. Regardez avant de le "
        "refaire."
    )


class MethodeRefusee(ErreurMetier):
    code = "METHOD_NOT_ALLOWED"
    statut_http = 405
    message = _("Cette méthode n'est pas permise ici.")


class FormatRefuse(ErreurMetier):
    code = "NOT_ACCEPTABLE"
    statut_http = 406
    message = _("Seul application/json est servi ici.")
    en_page = _("Cette page ne se sert pas sous cette forme.")


class TypeDeContenuRefuse(ErreurMetier):
    code = "UNSUPPORTED_MEDIA_TYPE"
    statut_http = 415
    message = _(
        "Ce type de contenu n'est pas accepté ici : envoyez application/json, ou multipart/form-data pour un fichier."
    )
    en_page = _("Ce type de contenu n'est pas accepté ici.")


class ErreurInterne(ErreurMetier):
    code = "INTERNAL_ERROR"
    statut_http = 500
    message = _("Une erreur est survenue. Réessayez ; si elle revient, donnez la référence de la requête (requestId).")


def codes() -> dict[str, list[int]]:
    """Map each code that a refusal may bear to its statuses, in their order."""
    connus: dict[str, set[int]] = {}
    a_voir = [ErreurMetier]
    while a_voir:
        classe = a_voir.pop()
        a_voir += classe.__subclasses__()
        connus.setdefault(classe.code, set()).add(classe.statut_http)
    return {code: sorted(connus[code]) for code in sorted(connus)}
