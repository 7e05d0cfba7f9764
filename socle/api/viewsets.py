"""The base of every view: operations, each a method of one to three lines."""

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, ClassVar

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.functional import cached_property
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django_filters import FilterSet
from rest_framework.renderers import BaseRenderer
from rest_framework.viewsets import ViewSet

from socle.api.copies import est_connue, etag_de
from socle.api.filters import formulaire_de
from socle.api.middleware import reponse_erreur
from socle.api.operations import Acces, Operation, operations_de
from socle.api.pagination import PLAFONNE, Comptage, LignesDuMoment, decouper, enveloppe, lire_page
from socle.api.parsers import FichierParser, JsonStrictParser
from socle.api.permissions import AccesOperation
from socle.api.rejeu import cle_presentee, demande_de
from socle.api.rendus import rendre_chacun, rendre_un, serialiseur
from socle.api.reponses import ReponseEnOctets, en_json, succes
from socle.api.requetes import Requete, instances, negocier
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
    MethodeRefusee,
    PermissionRefusee,
    RequeteMalformee,
    ResultatDisparu,
    ServiceIndisponible,
)
from socle.domaine.lectures import Demande
from socle.domaine.limites import consommer
from socle.idempotence.creation import DejaFaite, sous
from socle.idempotence.models import CleUtilisee


class ApiViewSet(ViewSet):
    """Each action has its `Operation`; nothing here knows a domain."""

    operations: ClassVar[dict[str, Operation]] = {}
    # That of the request; None for a method that has none, which `initial` refuses.
    operation: Operation = None  # type: ignore[assignment]
    permission_classes = [AccesOperation]
    schema = SchemaOperation()
    etiquette: ClassVar[str] = ""
    compte_dans_les_limites: ClassVar[bool] = True
    format_kwarg = None
    http_method_names = ["get", "post", "put", "patch", "delete", "head"]

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls.operations = operations_de(cls)

    @classmethod
    def as_view(cls, actions: Any = None, **initkwargs: Any) -> Any:
        """DRF's view, without what it does anew for each request."""
        methodes = {**actions, "head": actions["get"]} if "get" in actions else actions
        vue = super().as_view(methodes, **initkwargs)
        attributs = {**vars(cls(**initkwargs)), "action_map": methodes}

        def servir(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            soi = object.__new__(cls)
            vars(soi).update(attributs)
            return soi.dispatch(request, *args, **kwargs)

        vars(servir).update(vars(vue))  # what routers, OpenAPI and the CSRF check read of a view
        return servir

    @property
    def acteur(self) -> Acteur:
        return self.request.auth  # type: ignore[return-value]

    @property
    def compte(self) -> Any:
        """The account, on routes that take a bearer or a key."""
        return self.acteur.compte

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """DRF's, with every refusal in the JSON envelope, whatever renderer a success would have had."""
        self.args, self.kwargs = args, kwargs
        self.action = self.action_map.get((request.method or "").lower(), "")
        self.operation = self.operations.get(self.action)  # type: ignore[assignment]
        self.request = requete = Requete(request, self)
        try:
            self.initial(requete)
            reponse: HttpResponse = getattr(self, self.action)(requete, *args, **kwargs)
        except Exception as refus:
            reponse = reponse_erreur(request, refus)
        reponse.headers._store.setdefault("allow", ("Allow", _permises(tuple(self.action_map))))
        # A view is in a cycle with its methods: what it held of a request would stay until the garbage collector comes.
        requete.parser_context.clear()
        requete.refus = None
        del self.request
        return reponse

    def get_parsers(self) -> list[Any]:
        return _DE_FICHIERS if self.operation and self.operation.televersement else _DE_JSON

    def initial(self, request: Any, *args: Any, **kwargs: Any) -> None:
        """Check route, format, credentials, limits, then rights, in this order and before the body is parsed.

        Where a key opens the address, the format comes last: a dead one is said to any program, whatever it accepts.
        """
        if self.operation is None:
            raise MethodeRefusee
        par_cle = self.operation.acces is Acces.CLE
        if not par_cle:
            self._negocier(request)
        self._authentifier(request)
        self._limiter(request)
        self.check_permissions(request)
        if par_cle:
            self._negocier(request)

    def check_permissions(self, request: Any) -> None:
        """The rule of `permission_classes`, which no view changes."""
        _acces.has_permission(request, self)

    @property
    def rendus(self) -> tuple[type[BaseRenderer], ...]:
        """The forms that a success may have, the one meant where the client does not mind first."""
        return (self.operation.rendu,)

    def _negocier(self, request: Any) -> None:
        type_ = negocier(self.rendus, request.META.get("HTTP_ACCEPT", "*/*"))
        if type_ is None and self.operation.a_l_enveloppe:
            raise FormatRefuse
        if type_ is None:
            raise FormatRefuse(_("Seul %(type)s est servi ici.") % {"type": self.operation.rendu.media_type})
        self._type = type_

    def _authentifier(self, request: Any) -> None:
        try:
            for lecteur in instances(tuple(self.authentication_classes)):
                if (lu := lecteur.authenticate(request)) is not None:
                    request.user, request.auth = lu
                    break
        except JetonInvalide:
            consommer("general", cle_adresse(request._request))
            raise
        if request.auth is not None:
            request._request.source_acteur = str(request.auth.source)

    def _limiter(self, request: Any) -> None:
        for portee, cle in self._limites(request):
            consommer(portee, cle)

    def _limites(self, request: Any) -> Iterator[tuple[str, str]]:
        """The limits that the request counts in, each with its key."""
        if self.compte_dans_les_limites:
            yield "general", request.auth.cle if request.auth else cle_adresse(request._request)
        for portee in self.operation.limites:
            yield portee, cle_adresse(request._request)

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
        formulaire = serialiseur(self.operation.entree, self.regard.contexte)
        formulaire.initial_data = self.request.data
        formulaire.is_valid(raise_exception=True)
        return dict(formulaire.validated_data)

    @cached_property
    def regard(self) -> Regard:
        """For whom serializers render; a view replaces it where a row needs more."""
        return Regard(vu_par=self.request.auth)  # type: ignore[arg-type]

    def rendre(self, objet: Any = None, *, message: Any = None, **entetes: str) -> HttpResponse:
        """Serialize the object with the operation's output; answer with its status and its sentence, or another."""
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
        reponse = ReponseEnOctets(contenu, statut, self._type)
        for nom, dit in entetes.items():
            reponse[nom] = dit
        if not contenu:
            del reponse["Content-Type"]
        return reponse

    def paginer(
        self,
        lignes: Demande | QuerySet[Any],
        comptage: Callable[[Acteur, dict[str, Any]], Comptage | None] | None = None,
    ) -> HttpResponse:
        """Answer one page of the filtered rows; `comptage(actor, filters)`: counters that spare the COUNT, or None.

        A prepared read is run as it is where no filter is given, and as a queryset otherwise.
        """
        page, taille = lire_page(self.request.query_params)
        filtres = self.parametres()
        if filtres or not isinstance(lignes, Demande):
            lues = lignes.queryset() if isinstance(lignes, Demande) else lignes
            a_lire: Demande | LignesDuMoment = LignesDuMoment(self.filtrer(lues) if filtres else lues)
        else:
            a_lire = lignes
        items, total, plafonne = decouper(
            a_lire, page, taille, comptage(self.acteur, filtres) if comptage is not None else None
        )
        self.lues(items, filtres)
        rendus = rendre_chacun(self.operation.sortie, items, self.regard.contexte)
        entetes = {PLAFONNE: "true"} if plafonne else {}
        return self._reponse(enveloppe(rendus, total=total, page=page, taille=taille), **entetes)

    def lues(self, lignes: list[Any], filtres: dict[str, Any]) -> None:
        """Called with the rows of a page before they are rendered, and the filters that found them."""

    def _reponse(
        self, corps: Any, statut: int | None = None, /, *, message: Any = None, **entetes: str
    ) -> HttpResponse:
        statut = statut or self.operation.statut
        phrase = message or self.operation.phrase(self.request._request.LANGUAGE_CODE)
        contenu = b"" if statut == 204 else en_json(succes(corps, phrase, statut))
        return self.brut(contenu, entetes, statut=statut)

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

    def filtrer(self, lignes: QuerySet[Any]) -> QuerySet[Any]:
        filtre = self.operation.filtres(self.request.query_params, queryset=lignes, request=self.request)
        filtre._form = self._formulaire
        return filtre.qs  # type: ignore[no-any-return]

    def parametres(self) -> dict[str, Any]:
        """The cleaned query parameters by the names of the operation's filters; ChampsInvalides (422) for a bad one.

        Empty where the query names none of them.
        """
        return dict(self._formulaire.cleaned_data) if self.est_filtree else {}

    @cached_property
    def _formulaire(self) -> Any:
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
def _permises(methodes: tuple[str, ...]) -> str:
    return ", ".join(nom.upper() for nom in ApiViewSet.http_method_names if nom in methodes)


_acces = AccesOperation()
_DE_JSON, _DE_FICHIERS = [JsonStrictParser()], [FichierParser()]  # they keep nothing of a request
