"""Routes of the service itself: health, configuration, events to catch up on, documentation."""

import sys
from typing import Any

from csp.decorators import csp_update
from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse
from django.utils.decorators import method_decorator
from django.utils.translation import activate
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import OpenApiParameter
from drf_spectacular.views import SpectacularRedocView, SpectacularSwaggerSplitView
from prometheus_client import CONTENT_TYPE_PLAIN_0_0_4
from rest_framework import serializers
from rest_framework.renderers import TemplateHTMLRenderer

from socle.api import asyncapi
from socle.api.authentication import JetonExploitant
from socle.api.copies import accepte_gzip, est_connue
from socle.api.document import document_imprime
from socle.api.entetes import langue_demandee
from socle.api.evenements import Evenement
from socle.api.middleware import reponse_refus
from socle.api.operations import Acces, operation
from socle.api.releve import relever
from socle.api.renderers import (
    DocumentDesEvenementsRenderer,
    DocumentEnJsonRenderer,
    DocumentRenderer,
    MetriquesRenderer,
)
from socle.api.serializers import SortieSimple
from socle.api.sondes import ETATS, sonder
from socle.api.viewsets import ApiViewSet
from socle.api.vocabulaire import EtatSonde
from socle.domaine.droits import Droit
from socle.domaine.vocabulaires import VocabulaireMontre, montres
from socle.erreurs import (
    AccesRefuse,
    ChampsInvalides,
    ErreurInterne,
    Introuvable,
    PermissionRefusee,
    RequeteMalformee,
    ServiceIndisponible,
)
from socle.realtime.canaux import ouvrir
from socle.realtime.relecture import relire

EVENEMENTS_MAX = 500


class HealthDetail(SortieSimple):
    statut = serializers.ChoiceField(
        choices=("OK", "DEGRADE"),
        help_text=_("OK : tout répond ; DEGRADE : la base répond, mais quelque chose manque."),
    )
    base_de_donnees = serializers.ChoiceField(
        choices=EtatSonde.choices,
        help_text=_("La base de données ; INDISPONIBLE se dit par un 503, LECTURE_SEULE : rien ne s'y écrit."),
    )
    cache = serializers.ChoiceField(
        choices=EtatSonde.choices, help_text=_("Le cache partagé, où se comptent les cadences.")
    )
    temps_reel = serializers.ChoiceField(
        choices=EtatSonde.choices, help_text=_("La couche qui porte les événements aux sockets.")
    )
    disque = serializers.ChoiceField(
        choices=EtatSonde.choices, help_text=_("Le disque des envois ; LECTURE_SEULE : il n'a plus assez de place.")
    )


class VieDetail(SortieSimple):
    statut = serializers.ChoiceField(
        choices=("OK",), help_text=_("Toujours OK : un processus qui ne répond pas ne dit rien.")
    )


class HealthViewSet(ApiViewSet):
    etiquette = "Service"
    compte_dans_les_limites = False

    @operation(
        _("État du service"),
        _("État du service."),
        nom="sante",
        acces=Acces.PUBLIC,
        sortie=HealthDetail,
        description=_(
            "En deux secondes au plus. 503 quand la base de données est indisponible ; le reste absent, la base en "
            "lecture seule ou un disque plein, le service est DEGRADE. LECTURE_SEULE : rien ne peut s'y écrire."
        ),
    )
    def list(self, request: Any) -> Any:
        etats = request.META.get(ETATS) or sonder()
        if etats["base_de_donnees"] == EtatSonde.INDISPONIBLE:
            raise ServiceIndisponible(attente=5)
        return self.rendre({"statut": "OK" if set(etats.values()) == {EtatSonde.OK} else "DEGRADE", **etats})

    @operation(
        _("Le processus répond"),
        _("Le processus répond."),
        acces=Acces.PUBLIC,
        sortie=VieDetail,
        sans_dependance=True,
        description=_("Ne dépend de rien d'autre : pour qui redémarre un processus qui ne répond plus."),
    )
    def vie(self, request: Any) -> Any:
        return self.rendre({"statut": "OK"})


class MetriquesViewSet(ApiViewSet):
    etiquette = "Service"
    compte_dans_les_limites = False
    authentication_classes = [JetonExploitant]

    def initial(self, request: Any, *args: Any, **kwargs: Any) -> None:
        if not settings.METRICS_TOKEN:
            raise Introuvable(_("Cette adresse n'existe pas."))
        super().initial(request, *args, **kwargs)

    @operation(
        _("Mesures du service"),
        _("Mesures du service."),
        acces=Acces.EXPLOITANT,
        rendu=MetriquesRenderer,
        erreurs=(404,),
        description=_("Pour Prometheus, sans enveloppe. 404 tant que le réglage METRICS_TOKEN est vide."),
    )
    def metriques(self, request: Any) -> HttpResponse:
        return HttpResponse(relever(), content_type=CONTENT_TYPE_PLAIN_0_0_4)


class MotDetail(SortieSimple):
    """A value, and its word in the language of the request."""

    valeur = serializers.CharField(help_text=_("La valeur à envoyer, et que les réponses portent."))
    libelle = serializers.CharField(help_text=_("Son mot, à montrer, dans la langue de la requête."))


class VocabulaireDetail(SortieSimple):
    ouvert = serializers.BooleanField(help_text=_("Une autre valeur est acceptée aussi."))
    valeurs = MotDetail(
        many=True, help_text=_("Les valeurs admises ou, là où d'autres le sont aussi, celles que l'on connaît.")
    )


class ConfigDetail(SortieSimple):
    guest_mode_enabled = serializers.BooleanField(
        help_text=_("true : on peut signaler sans compte, jusqu'à l'étape que dit `guestModeStage`.")
    )
    guest_mode_stage = serializers.ChoiceField(
        choices=("read", "create", "merge"),
        help_text=_("Ce qui est ouvert aux invités : read, lire ; create, écrire aussi ; merge, rattacher aussi."),
    )
    max_file_size_mb = serializers.IntegerField(help_text=_("Taille d'un fichier envoyé, en Mo, au plus."))
    resource_max_file_size_mb = serializers.IntegerField(
        help_text=_("Taille d'un document de la bibliothèque, en Mo, au plus.")
    )
    resource_mime_types = serializers.ListField(
        child=serializers.CharField(), help_text=_("Les types MIME qu'admet la bibliothèque.")
    )
    version = serializers.CharField(help_text=_("La version du service, comme 0.4.0."))
    vocabulaires = serializers.DictField(
        child=VocabulaireDetail(), help_text=_("Par nom : ce qui peut être choisi ici, et comment cela se dit.")
    )


class ConfigViewSet(ApiViewSet):
    etiquette = "Service"

    @operation(
        _("Ce que le service permet"),
        _("Configuration."),
        acces=Acces.PUBLIC,
        sortie=ConfigDetail,
        description=_("Ce qu'un client demande avant de montrer une page : ce qui est ouvert ici, et ses bornes."),
    )
    def configuration(self, request: Any) -> Any:
        reglages = [str(champ.source) for nom, champ in ConfigDetail().fields.items() if nom != "vocabulaires"]
        permis = {nom: getattr(settings, nom.upper()) for nom in reglages}
        return self.rendre({**permis, "vocabulaires": {nom: _montrer(lire()) for nom, lire in montres.items()}})


def _montrer(vocabulaire: VocabulaireMontre) -> dict[str, Any]:
    valeurs = [{"valeur": valeur, "libelle": libelle} for valeur, libelle in vocabulaire.valeurs]
    return {"ouvert": vocabulaire.ouvert, "valeurs": valeurs}


class EvenementViewSet(ApiViewSet):
    etiquette = "Temps réel"

    @operation(
        _("Rattraper les événements d'un canal"),
        _("Événements."),
        nom="rattraper",
        acces=Acces.COMPTE_OU_INVITE,
        droit=Droit.EVENEMENTS_ECOUTER,
        sortie=Evenement,
        liste=True,
        erreurs=(422,),
        parametres=(
            OpenApiParameter("canal", str, required=True, description=_("Comme `signalement:{id}`.")),
            OpenApiParameter("depuis", str, description=_("Le dernier `eventId` reçu ; 0 pour tout ce qui est gardé.")),
        ),
        description=_(
            "Les mêmes règles d'accès que le WebSocket, du plus ancien au plus récent, 500 au plus. "
            "Un seul élément `refresh_required` quand `depuis` est plus ancien que ce qui est gardé : relisez tout."
        ),
    )
    def list(self, request: Any) -> Any:
        canal = request.query_params.get("canal", "")
        depuis = request.query_params.get("depuis", "0")
        if not canal:
            raise ChampsInvalides.pour("required", canal=_("Ce paramètre est obligatoire."))
        (ouverture,) = ouvrir([(self.acteur, canal)])
        if not ouverture.audiences:
            raise AccesRefuse.pour(self.acteur)
        if not (depuis.isascii() and depuis.isdigit() and len(depuis) <= 18):
            raise ChampsInvalides.pour(depuis=_("Un eventId est attendu : un entier décimal."))
        lecteur = self.compte.pk if self.compte is not None else None
        ouverture.dire()  # what it gives is what a socket would have given
        return self.rendre(relire(ouverture.canal, ouverture.audiences, int(depuis), EVENEMENTS_MAX, canal, lecteur))


class OpenApiViewSet(ApiViewSet):
    """Serve the OpenAPI document without an envelope, in the language asked for, 304 by its ETag.

    The document does not list this route.
    """

    schema = None  # type: ignore[assignment]

    rendus = (DocumentRenderer, DocumentEnJsonRenderer)
    imprimer = staticmethod(document_imprime)

    @operation(_("Description de l'API"), "", acces=Acces.PUBLIC, rendu=DocumentRenderer)
    def lire(self, request: Any) -> HttpResponse:
        langue = langue_demandee(request)
        copie = self.imprimer(langue)[accepte_gzip(request)]
        entetes = {
            "ETag": copie.etag,
            "Cache-Control": "no-cache",
            "Content-Language": langue,
            "Vary": "Accept, Accept-Encoding, Accept-Language",
        }
        if est_connue(request, copie.etag):
            return self.brut(b"", entetes, statut=304)
        return self.brut(copie.octets, entetes | copie.entetes)


class DansSaLangue:
    """Language of a page of documentation: its address names it, and is followed by that of the document."""

    def dispatch(self, request: Any, *args: Any, **kwargs: Any) -> Any:
        request.LANGUAGE_CODE = langue_demandee(request)
        activate(request.LANGUAGE_CODE)
        return super().dispatch(request, *args, **kwargs)  # type: ignore[misc]


class AsyncApiViewSet(OpenApiViewSet):
    """The same of the AsyncAPI document."""

    rendus = (DocumentDesEvenementsRenderer, DocumentEnJsonRenderer)
    imprimer = staticmethod(asyncapi.imprimer)


class Swagger(DansSaLangue, SpectacularSwaggerSplitView):
    http_method_names = ["get", "head"]  # OPTIONS would render a template that there is not
    url_name = "openapi"
    template_name = "swagger.html"
    authentication_classes = ()
    permission_classes = ()


@method_decorator(csp_update({"style-src": ["'unsafe-inline'"], "worker-src": ["blob:"]}), name="dispatch")
class Redoc(DansSaLangue, SpectacularRedocView):
    http_method_names = ["get", "head"]
    url_name = "openapi"
    template_name = "redoc.html"
    authentication_classes = ()
    permission_classes = ()
    renderer_classes = [TemplateHTMLRenderer]


def inconnu(request: HttpRequest, exception: Exception | None = None, **kwargs: Any) -> HttpResponse:
    """Answer 404 to an unknown address, in the envelope or as a page; Django's handler404."""
    return reponse_refus(request, Introuvable(_("Cette adresse n'existe pas.")))


def refusee(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    if isinstance(exception, RequestDataTooBig):
        return reponse_refus(request, exception)  # 413
    return reponse_refus(request, RequeteMalformee(_("La requête est illisible.")))


def interdite(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return reponse_refus(request, PermissionRefusee())


def panne(request: HttpRequest) -> HttpResponse:
    """Django's handler500: render the exception being handled, which nobody caught."""
    panne = sys.exc_info()[1]
    return reponse_refus(request, panne if isinstance(panne, Exception) else ErreurInterne())
