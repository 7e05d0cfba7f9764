"""`Operation`: one declaration of access, input, output and limits, which the views and OpenAPI both read."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from functools import cached_property, partial, wraps
from typing import Any, TypeVar, cast
from uuid import UUID

from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.renderers import BaseRenderer

from socle.api.renderers import EnveloppeRenderer, Telechargement
from socle.domaine.acteurs import Acteur
from socle.domaine.droits import Droit

F = TypeVar("F", bound=Callable[..., Any])
# Methods that a router of DRF serves by their names.
ROUTES_DE_DRF = {"list", "create", "retrieve", "update", "partial_update", "destroy"}
# Attributes that DRF would follow instead of the operation.
REGLES_DE_DRF = {"permission_classes", "throttle_classes"}


class Acces(Enum):
    """Credentials that an operation reads."""

    PUBLIC = "none"
    FACULTATIF = "a bearer where there is one"
    COMPTE = "a bearer"
    COMPTE_OU_INVITE = "a bearer, else a guest id"
    INVITE = "a guest id alone"
    CLE = "a signed key in the query, for programs that send no header"
    EXPLOITANT = "the token of a setting, for the operator's programs"


@dataclass(frozen=True)
class Operation:
    """The declaration that `@operation` attaches to a method; `message` is the sentence of its success envelope.

    Its texts are lazy: the document is made in each language of the service.
    """

    resume: Any
    message: Any
    nom: str = ""  # in its operationId, where the method's name is that of a route and says something else
    acces: Acces = Acces.COMPTE
    droit: Droit | None = None
    entree: type[serializers.Serializer[Any]] | None = None
    sortie: type[serializers.BaseSerializer[Any]] | None = None
    sortie_decrite: Any = None  # what OpenAPI says, where the shape depends on the viewer
    statut: int = 200
    statut_deja_fait: int | None = None  # status when the row was there already
    liste: bool = False
    page: bool = False
    filtres: Any = None
    corps_facultatif: bool = False  # no body counts as {}
    televersement: bool = False  # the body is multipart/form-data
    limites: tuple[str, ...] = ()  # counted by address, beside the general limit
    guest_id_en_parametre: bool = False  # ?guestId= counts as X-Guest-Id
    rendu: type[BaseRenderer] = EnveloppeRenderer
    # A creation that has it honours Idempotency-Key: (acteur, pk) -> the row, as this actor may read it today.
    relire: Callable[[Acteur, UUID], Any] | None = None
    sans_cle: Any = ""  # why a creation ignores Idempotency-Key
    etat: str = ""  # the method that shows what this one changes: If-Match then names the state that it changes
    renvoi: Any = ""  # where a 302 leads to, on routes that may answer one
    fini: Any = ""  # what a 410 says, a sentence in text, on routes that may answer one
    sans_dependance: bool = False  # answered whatever is away: never 503
    erreurs: tuple[int, ...] = ()
    parametres: tuple[OpenApiParameter, ...] = ()
    description: Any = ""

    @cached_property
    def accepte_bearer(self) -> bool:
        return self.acces not in (Acces.PUBLIC, Acces.CLE, Acces.EXPLOITANT)

    @property
    def lit_un_secret(self) -> bool:
        """True where a credential is read: a wrong one counts in the general limit of its address."""
        return self.accepte_bearer or self.acces is Acces.EXPLOITANT

    @property
    def est_un_telechargement(self) -> bool:
        return issubclass(self.rendu, Telechargement)

    @property
    def a_l_enveloppe(self) -> bool:
        return self.rendu is EnveloppeRenderer

    @cached_property
    def accepte_invite(self) -> bool:
        return self.acces in (Acces.COMPTE_OU_INVITE, Acces.INVITE)

    def montre_ce_qu_elle_change(self, methode: str | None) -> bool:
        """True where the answer to this method shows what its client has just sent, and may do without."""
        return methode in ("PUT", "PATCH") and self.statut == 200 and self.sortie is not None

    @property
    def exige_un_acteur(self) -> bool:
        return self.acces in (Acces.COMPTE, Acces.COMPTE_OU_INVITE, Acces.INVITE, Acces.CLE)


def operation(resume: Any, message: Any, **reste: Any) -> Callable[[F], F]:
    """Declare the method of an `ApiViewSet` as an operation; the arguments are those of `Operation`.

    It stands above `@action`, and decides alone who may call and how often.
    """
    declaree = Operation(resume, message, **reste)

    def poser(methode: F) -> F:
        posee = methode if declaree.relire is None else _sous_sa_cle(methode)
        posee = _sous_condition(posee) if declaree.etat else posee
        posee.operation = declaree  # type: ignore[attr-defined]
        return posee

    return poser


def _sous_sa_cle(methode: F) -> F:
    """Wrap the method in `ApiViewSet.sous_sa_cle`, so that an Idempotency-Key runs it once."""

    @wraps(methode)
    def repondre(vue: Any, *args: Any, **kwargs: Any) -> Any:
        return vue.sous_sa_cle(partial(methode, vue, *args, **kwargs))

    return cast(F, repondre)


def _sous_condition(methode: F) -> F:
    """Wrap the method in `ApiViewSet.sous_condition`, so that it changes the state that If-Match names, or none."""

    @wraps(methode)
    def repondre(vue: Any, *args: Any, **kwargs: Any) -> Any:
        return vue.sous_condition(partial(methode, vue, *args, **kwargs))

    return cast(F, repondre)


def operations_de(vue: type) -> dict[str, Operation]:
    """The operations of a view by the names of their methods.

    TypeError for a route that declares none, for one that asks who calls and names no right, and for rules of DRF's
    own beside them, which would open it or do nothing.
    """
    methodes = {nom: getattr(vue, nom) for nom in dir(vue) if callable(getattr(vue, nom, None))}
    relies = {nom for methode in methodes.values() for nom in getattr(methode, "mapping", {}).values()}
    declarees = {nom: methode.operation for nom, methode in methodes.items() if hasattr(methode, "operation")}
    if muettes := ((relies | ROUTES_DE_DRF) & methodes.keys()) - declarees.keys():
        raise TypeError(f"{vue.__name__} : {', '.join(sorted(muettes))} est une route sans @operation.")
    if sans_droit := [nom for nom, une in declarees.items() if une.exige_un_acteur and une.droit is None]:
        raise TypeError(f"{vue.__name__} : {', '.join(sorted(sans_droit))} ne dit pas quel droit l'ouvre.")
    regles = {nom for methode in methodes.values() for nom in getattr(methode, "kwargs", {})} | vue.__dict__.keys()
    if de_trop := REGLES_DE_DRF & regles:
        raise TypeError(f"{vue.__name__} : {', '.join(sorted(de_trop))} n'a pas cours ici : @operation seule décide.")
    return declarees
