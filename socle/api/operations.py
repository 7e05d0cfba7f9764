"""What an operation is: who may call it, what goes in, what comes out. The views and OpenAPI read it."""

from dataclasses import dataclass
from enum import Enum
from typing import Any

from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.renderers import BaseRenderer

from socle.api.renderers import EnveloppeRenderer, Telechargement


class Acces(Enum):
    """Whose credentials an operation reads."""

    PUBLIC = "none"
    FACULTATIF = "a bearer where there is one"
    COMPTE = "a bearer"
    COMPTE_OU_INVITE = "a bearer, else a guest id"
    INVITE = "a guest id alone"
    CLE = "a signed key in the query, for programs that send no header"
    EXPLOITANT = "the token of a setting, for the operator's programs"


@dataclass(frozen=True)
class Operation:
    """One row of a view's table; `message` is the sentence of its success envelope."""

    resume: str
    message: Any
    acces: Acces = Acces.COMPTE
    droit: str | None = None
    entree: type[serializers.Serializer[Any]] | None = None
    sortie: type[serializers.BaseSerializer[Any]] | None = None
    sortie_decrite: Any = None  # what OpenAPI says, where the shape depends on the viewer
    statut: int = 200
    statut_deja_fait: int | None = None  # where what was asked for was there already
    liste: bool = False
    page: bool = False
    filtres: Any = None
    corps_facultatif: bool = False  # no body counts as {}
    televersement: bool = False  # the body is multipart/form-data
    limites: tuple[str, ...] = ()  # counted by address, beside the general limit
    guest_id_en_parametre: bool = False  # ?guestId= counts as X-Guest-Id
    rendu: type[BaseRenderer] = EnveloppeRenderer
    renvoi: str = ""  # where a 302 leads to, on routes that may answer one
    erreurs: tuple[int, ...] = ()
    parametres: tuple[OpenApiParameter, ...] = ()
    description: str = ""

    @property
    def accepte_bearer(self) -> bool:
        return self.acces not in (Acces.PUBLIC, Acces.CLE, Acces.EXPLOITANT)

    @property
    def est_un_telechargement(self) -> bool:
        return issubclass(self.rendu, Telechargement)

    @property
    def a_l_enveloppe(self) -> bool:
        return self.rendu is EnveloppeRenderer

    @property
    def accepte_invite(self) -> bool:
        return self.acces in (Acces.COMPTE_OU_INVITE, Acces.INVITE)

    @property
    def exige_un_acteur(self) -> bool:
        return self.acces in (Acces.COMPTE, Acces.COMPTE_OU_INVITE, Acces.INVITE, Acces.CLE)
