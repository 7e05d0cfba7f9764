"""The base of every view: operations, each a method of one to three lines."""

from collections.abc import Callable
from typing import Any, ClassVar

from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.functional import cached_property
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from rest_framework.exceptions import MethodNotAllowed, NotAcceptable
from rest_framework.response import Response
from rest_framework.viewsets import ViewSet

from socle.api.copies import est_connue, etag_de
from socle.api.operations import Operation, operations_de
from socle.api.pagination import Comptage, decouper, enveloppe, lire_page
from socle.api.parsers import FichierParser
from socle.api.permissions import AccesOperation
from socle.api.rejeu import cle_presentee, demande_de
from socle.api.renderers import EnveloppeRenderer
from socle.api.reseau import cle_adresse
from socle.api.schema import SchemaOperation
from socle.api.serializers import Regard
from socle.domaine.acteurs import Acteur
from socle.domaine.erreurs import (
    ChampsInvalides,
    ErreurMetier,
    FormatRefuse,
    Introuvable,
    JetonInvalide,
    PermissionRefusee,
    RequeteMalformee,
    ResultatDisparu,
    ServiceIndisponible,
)
from socle.domaine.limites import consommer
from socle.idempotence.creation import DejaFaite, sous
from socle.idempotence.models import CleUtilisee


class ApiViewSet(ViewSet):
    """Each action has its `Operation`; nothing here knows a domain."""

    operations: ClassVar[dict[str, Operation]] = {}
    permission_classes = [AccesOperation]
    schema = SchemaOperation()
    etiquette: ClassVar[str] = ""
    compte_dans_les_limites: ClassVar[bool] = True
    format_kwarg = None
    http_method_names = ["get", "post", "put", "patch", "delete", "head"]

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls.operations = operations_de(cls)

    @property
    def operation(self) -> Operation:
        return self.operations[self.action]

    @property
    def acteur(self) -> Acteur:
        return self.request.auth  # type: ignore[return-value]

    @property
    def compte(self) -> Any:
        """The account, on routes that take a bearer or a key."""
        return self.acteur.compte

    def initialize_request(self, request: Any, *args: Any, **kwargs: Any) -> Any:
        """Set the action before DRF builds the request: `get_parsers` depends on it."""
        self.action = self.action_map.get(request.method.lower(), "")
        return super().initialize_request(request, *args, **kwargs)

    def get_parsers(self) -> list[Any]:
        operation = self.operations.get(self.action)
        return [FichierParser()] if operation and operation.televersement else super().get_parsers()

    def initial(self, request: Any, *args: Any, **kwargs: Any) -> None:
        """Check route, format, credentials, limits, then rights, in this order and before the body is parsed."""
        if self.action not in self.operations:
            raise MethodNotAllowed(request.method)
        self._negocier(request)
        self._authentifier(request)
        self._limiter(request)
        self.check_permissions(request)

    def get_renderers(self) -> list[Any]:
        operation = self.operations.get(self.action)
        return [operation.rendu() if operation else EnveloppeRenderer()]

    def _negocier(self, request: Any) -> None:
        try:
            request.accepted_renderer, request.accepted_media_type = self.perform_content_negotiation(request)
        except NotAcceptable:
            if self.operation.a_l_enveloppe:
                raise
            type_ = self.operation.rendu.media_type
            raise FormatRefuse(_("Seul %(type)s est servi ici.") % {"type": type_}) from None

    def finalize_response(self, request: Any, response: Any, *args: Any, **kwargs: Any) -> Any:
        """Render a refusal in the JSON envelope, whatever renderer a success would have had."""
        response = super().finalize_response(request, response, *args, **kwargs)
        if response.status_code >= 400 and isinstance(response, Response):
            response.accepted_renderer = EnveloppeRenderer()
            response.accepted_media_type = EnveloppeRenderer.media_type
        return response

    def _authentifier(self, request: Any) -> None:
        try:
            self.perform_authentication(request)
        except JetonInvalide:
            consommer("general", cle_adresse(request._request))
            raise
        if request.auth is not None:
            request._request.source_acteur = str(request.auth.source)

    def _limiter(self, request: Any) -> None:
        requete: HttpRequest = request._request
        if self.compte_dans_les_limites:
            consommer("general", request.auth.cle if request.auth else cle_adresse(requete))
        for portee in self.operation.limites:
            consommer(portee, cle_adresse(requete))

    def identifiants_invites(self, request: Any) -> list[str]:
        """The guest ids that the request presents: the header, and the query where the operation lists it."""
        valeurs = [request.META.get("HTTP_X_GUEST_ID", "").strip()]
        if self.operation.guest_id_en_parametre:
            valeurs.append(request.query_params.get("guestId", "").strip())
        return [valeur for valeur in valeurs if valeur]

    def invite_presente(self, request: Any) -> bool:
        return bool(self.identifiants_invites(request))

    def donnees(self) -> dict[str, Any]:
        """Validate the body with the operation's form; refuses with 400, 413, 415 or 422."""
        if self.request.stream is None and not self.operation.corps_facultatif:  # DRF reads no body as an empty object
            raise RequeteMalformee
        classe: Any = self.operation.entree
        formulaire = classe(data=self.request.data, context=self.regard.contexte)
        formulaire.is_valid(raise_exception=True)
        return dict(formulaire.validated_data)

    @cached_property
    def regard(self) -> Regard:
        """For whom serializers render; a view replaces it where a row needs more."""
        return Regard(vu_par=self.request.auth)  # type: ignore[arg-type]

    def rendre(self, objet: Any = None, **entetes: str) -> Response:
        """Serialize the object with the operation's output; answer with its status and its sentence."""
        return self._reponse(self._corps(objet), **entetes)

    def rendre_deja_fait(self, objet: Any, **entetes: str) -> Response:
        """`rendre` with `statut_deja_fait`, for an object that was there already."""
        return self._reponse(self._corps(objet), self.operation.statut_deja_fait, **entetes)

    def sous_sa_cle(self, faire: Callable[[], Response]) -> Response:
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

    def _refaire(self, faite: CleUtilisee) -> Response:
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
        return operation.sortie(objet, many=operation.liste, context=self.regard.contexte).data

    def telecharger(self, contenu: bytes, nom: str) -> Response:
        """Answer a private file as an attachment of this name, with an ETag; 304 when If-None-Match has it."""
        etag = etag_de(contenu)
        entetes = {"ETag": etag, "Cache-Control": "private, no-cache"}
        if est_connue(self.request, etag):
            return Response(status=304, headers=entetes)
        entetes["Content-Disposition"] = content_disposition_header(as_attachment=True, filename=nom) or "attachment"
        return Response(contenu, headers=entetes)

    def paginer(
        self, lignes: QuerySet[Any], comptage: Callable[[dict[str, Any]], Comptage | None] | None = None
    ) -> Response:
        """Answer one page of the filtered rows; `comptage(filters)` gives counters that spare the COUNT, or None."""
        page, taille = lire_page(self.request.query_params)
        sans_compter = comptage(self.parametres()) if comptage is not None else None
        items, total = decouper(self.filtrer(lignes), page, taille, sans_compter)
        rendus = self.operation.sortie(items, many=True, context=self.regard.contexte).data  # type: ignore[misc]
        return self._reponse(enveloppe(rendus, total=total, page=page, taille=taille))

    def _reponse(self, corps: Any, statut: int | None = None, /, **entetes: str) -> Response:
        reponse = Response(corps, status=statut or self.operation.statut, headers=entetes or None)
        reponse.message = self.operation.message  # type: ignore[attr-defined]
        return reponse

    def filtrer(self, lignes: QuerySet[Any]) -> QuerySet[Any]:
        return lignes if self.operation.filtres is None else self._filtre(lignes).qs

    def parametres(self) -> dict[str, Any]:
        """The cleaned query parameters by the names of the operation's filters; ChampsInvalides (422) for a bad one."""
        return dict(self._filtre(None).form.cleaned_data)

    def _filtre(self, lignes: Any) -> Any:
        filtre = self.operation.filtres(self.request.query_params, queryset=lignes, request=self.request)
        if not filtre.is_valid():
            details = [
                {"field": champ, "message": str(erreur.messages[0]), "code": erreur.code or "invalid"}
                for champ, erreurs in filtre.form.errors.as_data().items()
                for erreur in erreurs
            ]
            raise ChampsInvalides.depuis(details)
        return filtre
