"""The base of every view: operations, each a method of one to three lines."""

from collections.abc import Callable, Iterator
from copy import copy
from functools import cache
from typing import Any, ClassVar
from uuid import UUID

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.functional import cached_property
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django_filters import FilterSet
from rest_framework.renderers import BaseRenderer
from rest_framework.response import Response
from rest_framework.viewsets import GenericViewSet

from socle.api.acces import AccesOperation, LimitesDeLOperation
from socle.api.copies import PEU, est_attendue, est_connue, etag_de, veut_peu
from socle.api.filters import FiltresDeLOperation, formulaire_de
from socle.api.operations import Acces, Operation, operations_de
from socle.api.pagination import PLAFOND, Comptage, PageEnItems, lire_page
from socle.api.parsers import FichierParser, JsonStrictParser
from socle.api.rejeu import cle_presentee, demande_de
from socle.api.renderers import EnveloppeRenderer, Reussite, en_json
from socle.api.reseau import cle_adresse
from socle.api.schema import SchemaOperation
from socle.api.serializers import Regard
from socle.domaine.acteurs import Acteur
from socle.domaine.condition import Condition, sous_condition
from socle.domaine.limites import Reste, consommer
from socle.erreurs import (
    ChampsInvalides,
    ErreurMetier,
    EtatChange,
    FormatRefuse,
    Introuvable,
    JetonInvalide,
    MethodeRefusee,
    PermissionRefusee,
    RequeteMalformee,
    ResultatDisparu,
    ServiceIndisponible,
)
from socle.idempotence.creation import DejaFaite, sous
from socle.idempotence.models import CleUtilisee
from socle.moteur.lectures import LectureRemplie
from socle.moteur.sorties import rendre_chacun, rendre_un, serialiseur


class ApiViewSet(GenericViewSet[Any]):
    """Each action has its `Operation`; nothing here knows a domain."""

    operations: ClassVar[dict[str, Operation]] = {}
    throttle_classes = [LimitesDeLOperation]
    permission_classes = [AccesOperation]
    filter_backends = [FiltresDeLOperation]
    pagination_class = PageEnItems
    schema = SchemaOperation()
    etiquette: ClassVar[str] = ""
    compte_dans_les_limites: ClassVar[bool] = True
    comptage: Callable[[Acteur, dict[str, Any]], Comptage | None] | None = None  # of the page, for its total
    reste: Reste | None = None  # to the caller, of the general limit
    plafond = PLAFOND  # where a total that no counter gives stops
    format_kwarg = None
    requete: Any
    _illisible: Exception | None = None
    http_method_names = ["get", "post", "put", "patch", "delete", "head"]

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls.operations = operations_de(cls)

    @cached_property
    def operation(self) -> Operation:
        """Operation of the request; None for a method that has none, which `initial` refuses.

        DRF names the action after it has asked for the parsers; where OpenAPI is described there is no request.
        """
        methode = self.request.method if self.request is not None else None
        action = self.action_map.get(methode.lower()) if methode else self.action
        return self.operations.get(action or "")  # type: ignore[return-value]

    def initialize_request(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        self.requete = request  # Django's, which DRF wraps
        return super().initialize_request(request, *args, **kwargs)

    @property
    def acteur(self) -> Acteur:
        return self.request.auth  # type: ignore[return-value]

    @property
    def compte(self) -> Any:
        """The account, on routes that take a bearer or a key."""
        return self.acteur.compte

    @property
    def allowed_methods(self) -> list[str]:
        return _permises(tuple(self.action_map))

    def get_parsers(self) -> list[Any]:
        return [FichierParser()] if self.operation and self.operation.televersement else [JsonStrictParser()]

    @property
    def rendus(self) -> tuple[type[BaseRenderer], ...]:
        """The forms that a success may have, the one meant where the client does not mind first."""
        return (self.operation.rendu,)

    def get_renderers(self) -> list[BaseRenderer]:
        return [rendu() for rendu in self.rendus]

    def initial(self, request: Any, *args: Any, **kwargs: Any) -> None:
        """Check route, format, credentials, limits, then rights, in this order and before the body is parsed.

        Where a key opens the address, the format comes last: a dead one is said to any program, whatever it accepts.
        """
        if self.operation is None:
            raise MethodeRefusee
        par_cle = self.operation.acces is Acces.CLE
        if not par_cle:
            self._negocier(request)
        self.perform_authentication(request)
        self.check_throttles(request)
        self.check_permissions(request)
        if par_cle:
            self._negocier(request)

    def _negocier(self, request: Any) -> None:
        try:
            negocie = self.perform_content_negotiation(request)
        except FormatRefuse as refus:
            if self.operation.a_l_enveloppe:
                raise
            type_ = self.operation.rendu.media_type
            raise FormatRefuse(_("Seul %(type)s est servi ici.") % {"type": type_}) from refus
        request.accepted_renderer, request.accepted_media_type = negocie

    def perform_authentication(self, request: Any) -> None:
        """Find out who is asking; a wrong credential counts in the general limit of its address."""
        try:
            acteur = request.auth
        except JetonInvalide:
            consommer("general", cle_adresse(self.requete))
            raise
        if acteur is not None:
            self.requete.source_acteur = str(acteur.source)

    def limites(self, request: Any) -> Iterator[tuple[str, str]]:
        """The limits that the request counts in, each with its key."""
        if self.compte_dans_les_limites:
            yield "general", request.auth.cle if request.auth else cle_adresse(self.requete)
        for portee in self.operation.limites:
            yield portee, cle_adresse(self.requete)

    def finalize_response(self, request: Any, response: Any, *args: Any, **kwargs: Any) -> Any:
        """DRF's, with every refusal in the JSON envelope, whatever renderer a success would have had."""
        if getattr(response, "exception", False):
            request.accepted_renderer, request.accepted_media_type = _ENVELOPPE, EnveloppeRenderer.media_type
        if self.reste is not None:
            restent, nombre, secondes = map(str, self.reste)
            response["RateLimit-Limit"], response["RateLimit-Remaining"] = nombre, restent
            response["RateLimit-Reset"] = secondes
        return super().finalize_response(request, response, *args, **kwargs)

    def identifiants_invites(self, request: Any) -> list[str]:
        """The guest ids that the request presents: the header, and the query where the operation lists it."""
        valeurs = [request.META.get("HTTP_X_GUEST_ID", "").strip()]
        if self.operation.guest_id_en_parametre:
            valeurs.append(request.query_params.get("guestId", "").strip())
        return [valeur for valeur in valeurs if valeur]

    def invite_presente(self, request: Any) -> bool:
        return bool(self.identifiants_invites(request))

    def donnees(self) -> dict[str, Any]:
        """Validate the body with the operation's form; refuses with 400, 413, 415 or 422, asked again the same."""
        if self.request.stream is None and not self.operation.corps_facultatif:  # DRF reads no body as an empty object
            raise RequeteMalformee
        formulaire = serialiseur(self.operation.entree, self.regard.contexte)
        formulaire.initial_data = self._corps_lu()
        formulaire.is_valid(raise_exception=True)
        return dict(formulaire.validated_data)

    def _corps_lu(self) -> Any:
        """Body as the parser made it: of one that it refused DRF would make an empty one, asked a second time."""
        if self._illisible is not None:
            raise self._illisible
        try:
            return self.request.data
        except Exception as refus:
            self._illisible = refus
            raise

    @cached_property
    def regard(self) -> Regard:
        """Reader for whom serializers render; a view replaces it where a row needs more."""
        return Regard(vu_par=self.request.auth)  # type: ignore[arg-type]

    def rendre(self, objet: Any = None, *, message: Any = None, **entetes: str) -> HttpResponse:
        """Serialize the object with the operation's output; answer with its status and its sentence, or another.

        204 without it, where the client asks for as little of a change (RFC 7240).
        """
        if self.operation.montre_ce_qu_elle_change(self.request.method) and veut_peu(self.request):
            return self._reponse(None, 204, **entetes, **{"Preference-Applied": PEU})
        return self._reponse(self._corps(objet), message=message, **entetes)

    def rendre_deja_fait(self, objet: Any, **entetes: str) -> HttpResponse:
        """`rendre` with `statut_deja_fait`, for an object that was there already."""
        return self._reponse(self._corps(objet), self.operation.statut_deja_fait, **entetes)

    def sous_sa_cle(self, faire: Callable[[], HttpResponse]) -> HttpResponse:
        """Run a creation once for its Idempotency-Key; a replay answers the row already made, as it is today."""
        cle = cle_presentee(self.request)
        if cle is None:
            return faire()
        demande = demande_de(self.request, self.acteur, cle, avec_corps=self.operation.entree is not None)
        if (faite := demande.deja_faite()) is not None:
            return self._refaire(faite)
        try:
            with sous(demande):
                return faire()
        except (DejaFaite, ErreurMetier) as empechee:
            # Another call with this key may have ended meanwhile, and taken the place that this one was refused.
            if (faite := demande.deja_faite()) is not None:
                return self._refaire(faite)
            if isinstance(empechee, ErreurMetier):
                raise
            raise ServiceIndisponible(attente=1) from empechee

    def sous_condition(self, faire: Callable[[], HttpResponse]) -> HttpResponse:
        """Run a change; where If-Match names another state than the one that is there once it is locked: 412."""
        if "HTTP_IF_MATCH" not in self.request.META:
            return faire()
        cle = self.kwargs.get(self.lookup_url_kwarg or "")
        with sous_condition(Condition(self._juger, UUID(cle) if cle else None)):
            return faire()

    def _juger(self) -> None:
        """Read the state anew, as its own operation shows it to the caller; EtatChange where it is another."""
        lecture = copy(self)
        lecture.operation = self.operations[self.operation.etat]
        actuel = getattr(lecture, self.operation.etat)(self.request, *self.args, **self.kwargs).data
        etag = etag_de(en_json(actuel))
        if not est_attendue(self.request, etag):
            raise EtatChange(actuel, etag)

    @property
    def montre_un_etat(self) -> bool:
        """True where the answer has an entity tag: of a reading, and of a change that shows what a reading would."""
        etat = self.operation.etat
        return self.est_une_lecture or (bool(etat) and self.operations[etat].sortie is self.operation.sortie)

    @property
    def est_une_lecture(self) -> bool:
        return self.request.method in ("GET", "HEAD")

    def _refaire(self, faite: CleUtilisee) -> HttpResponse:
        """Replay the first answer by reading the row anew; ResultatDisparu (409) where it may no longer be read."""
        try:
            objet = self.operation.relire(self.acteur, faite.objet)  # type: ignore[misc, arg-type]
        except (Introuvable, PermissionRefusee) as fermee:
            raise ResultatDisparu from fermee
        rendre = self.rendre if faite.est_nouveau else self.rendre_deja_fait
        return rendre(objet, **{"Idempotency-Replayed": "true"})

    def _corps(self, objet: Any) -> Any:
        operation = self.operation
        if operation.sortie is None:
            return None
        if operation.liste:
            return rendre_chacun(operation.sortie, objet, self.regard.contexte)
        return rendre_un(operation.sortie, objet, self.regard.contexte)

    def telecharger(self, contenu: bytes, nom: str) -> HttpResponse:
        """Answer a private file as an attachment of this name, with an ETag; 304 when If-None-Match has it."""
        etag = etag_de(contenu)
        entetes = {"ETag": etag, "Cache-Control": "private, no-cache"}
        if est_connue(self.request, etag):
            return self.brut(b"", entetes, statut=304)
        entetes["Content-Disposition"] = content_disposition_header(as_attachment=True, filename=nom) or "attachment"
        return self.brut(contenu, entetes)

    def brut(self, contenu: bytes, entetes: dict[str, str], *, statut: int = 200) -> HttpResponse:
        """Answer these bytes, under the type that was negotiated; none, without a type."""
        return Response(contenu, statut, headers=entetes)

    def paginer(
        self,
        lignes: LectureRemplie | QuerySet[Any],
        comptage: Callable[[Acteur, dict[str, Any]], Comptage | None] | None = None,
    ) -> HttpResponse:
        """Answer one page of the filtered rows; `comptage(actor, filters)`: counters that spare the COUNT, or None.

        A prepared read is run as it is where no filter is given, and as a queryset otherwise.
        """
        self.comptage = comptage
        lire_page(self.request.query_params)  # refused before its filters
        items: Any = self.paginate_queryset(self.filter_queryset(lignes))  # type: ignore[arg-type]
        self.lues(items, self.parametres())
        return self.get_paginated_response(rendre_chacun(self.operation.sortie, items, self.regard.contexte))

    def lues(self, lignes: list[Any], filtres: dict[str, Any]) -> None:
        """Called with the rows of a page before they are rendered, and the filters that found them."""

    def _reponse(
        self, corps: Any, statut: int | None = None, /, *, message: Any = None, **entetes: str
    ) -> HttpResponse:
        reponse = Reussite(corps, statut or self.operation.statut, message)
        for nom, dit in entetes.items():
            reponse.headers[nom] = dit
        return reponse

    @property
    def est_filtree(self) -> bool:
        """True where the query names one of the operation's filters, one of them is required, or they sort as well."""
        filtres = self.operation.filtres
        if filtres is None:
            return False
        if _toujours_lus(filtres):
            return True
        donnes = self.request.query_params
        return bool(donnes) and any(nom in donnes for nom in filtres.base_filters)

    def parametres(self) -> dict[str, Any]:
        """The cleaned query parameters by the names of the operation's filters; ChampsInvalides (422) for a bad one.

        Empty where the query names none of them.
        """
        return dict(self.formulaire.cleaned_data) if self.est_filtree else {}

    @cached_property
    def formulaire(self) -> Any:
        """The query, judged by the operation's filters; ChampsInvalides (422) where one of them refuses it."""
        formulaire = formulaire_de(self.operation.filtres)(self.request.query_params)
        if not formulaire.is_valid():
            details = [
                {"field": champ, "message": str(erreur.messages[0]), "code": erreur.code or "invalid"}
                for champ, erreurs in formulaire.errors.as_data().items()
                for erreur in erreurs
            ]
            raise ChampsInvalides.depuis(details)
        return formulaire


@cache
def _toujours_lus(filtres: type[FilterSet]) -> bool:
    """True where one of them is required, or they sort as well."""
    if filtres.filter_queryset is not FilterSet.filter_queryset:
        return True
    return any(filtre.extra["required"] for filtre in filtres.base_filters.values())


@cache
def _permises(methodes: tuple[str, ...]) -> list[str]:
    return [nom.upper() for nom in ApiViewSet.http_method_names if nom in methodes]


_ENVELOPPE = EnveloppeRenderer()
