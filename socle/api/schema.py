"""One operation of the OpenAPI document, described from the same tables that its view runs on."""

from typing import Any

from django import forms
from django.utils.text import slugify
from django.utils.translation import gettext_lazy as _
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import ResolvedComponent
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, PolymorphicProxySerializer

from socle.api.mots import decrit
from socle.api.operations import Acces, Operation
from socle.api.pagination import PLAFONNE
from socle.api.serializers import ConflitFusion
from socle.erreurs import codes

VIDE = {"type": "object", "nullable": True, "description": _("Toujours null."), "maxProperties": 0}
STATUT = {"type": "integer", "description": _("Le statut HTTP de la réponse.")}
MOMENT = {"type": "string", "format": "date-time", "description": _("Quand la réponse fut faite, en UTC.")}
ENVELOPPE = {
    "message": {"type": "string", "description": _("Une phrase courte, dans la langue de la requête.")},
    "statusCode": STATUT,
    "timestamp": MOMENT,
}
ELEMENTS = _("Les éléments de la page, dans l'ordre de la liste ; vide au-delà de la dernière page.")
PAGES = {
    "total": _("Combien d'éléments a la liste, sous ses filtres ; `X-Total-Capped` dit quand il s'arrête."),
    "page": _("Le numéro de cette page, à partir de 0."),
    "size": _("Combien d'éléments a une page pleine : ce qui fut demandé, 100 au plus."),
    "pages": _("Combien de pages a la liste ; 0 si elle est vide."),
}
DETAIL = {
    "type": "object",
    "properties": {
        "field": {"type": "string", "description": _("Le champ ou le paramètre à corriger ; imbriqué, `a.b.0.c`.")},
        "message": {
            "type": "string",
            "description": _("Ce qui ne va pas, en une phrase, dans la langue de la requête."),
        },
        "code": {"type": "string", "description": _("La règle qui refuse, comme `required` ou `max_length`.")},
    },
    "required": ["field", "message", "code"],
}
ERREUR: dict[str, Any] = {
    "type": "object",
    "description": _("Toute erreur. `code` est stable, `message` est pour la personne, `requestId` pour le support."),
    "properties": {
        "error": {"type": "string", "description": _("Le nom anglais du statut HTTP, comme `Not Found`.")},
        "message": {"type": "string", "description": _("Une phrase pour la personne, dans la langue de la requête.")},
        "statusCode": STATUT,
        "timestamp": MOMENT,
        "path": {"type": "string", "description": _("Le chemin demandé, sans ses paramètres.")},
        "code": decrit({"$ref": "#/components/schemas/CodeErreur"}, _("Ce sur quoi un programme décide.")),
        "requestId": {"type": "string", "description": _("Celui de l'en-tête `X-Request-Id` ; à donner au support.")},
        "details": {
            "type": "array",
            "description": _("422 : les champs à corriger ; GUEST_MERGE_CONFLICT : les conflits."),
            "items": {
                "anyOf": [
                    {"$ref": "#/components/schemas/DetailErreur"},
                    {"$ref": "#/components/schemas/ConflitFusion"},
                ]
            },
        },
    },
    "required": ["error", "message", "statusCode", "timestamp", "path", "code", "requestId"],
}
SIGNIFICATIONS = {
    400: _("Corps, en-tête ou hôte illisible."),
    401: _("Aucun identifiant, ou un identifiant qui ne vaut plus."),
    403: _("Connu, mais pas autorisé."),
    404: _("Introuvable."),
    406: _("Ce que `Accept` demande n'est pas servi ici."),
    408: _("Le corps n'arrive pas, ou trop lentement."),
    409: _("L'état actuel l'interdit."),
    412: _("Ce n'est plus l'état que `If-Match` nomme ; `actuel` est celui qui est là, `ETag` le nomme."),
    413: _("Corps trop volumineux."),
    415: _("Type de contenu non accepté."),
    422: _("Des champs sont à corriger ; `details` les nomme."),
    429: _("Trop de requêtes ; `Retry-After` dit quand réessayer."),
    503: _("La base de données est indisponible ; ou, `RESULT_UNKNOWN`, ce qui fut demandé est peut-être fait."),
}
PAGE = OpenApiParameter("page", OpenApiTypes.INT, description=_("Numéro de page, à partir de 0."), default=0)
GUEST_ID = OpenApiParameter("guestId", OpenApiTypes.UUID, description=_("Vaut l'en-tête X-Guest-Id."))
CLE = OpenApiParameter(
    "Idempotency-Key",
    location=OpenApiParameter.HEADER,
    description=_(
        "De 1 à 255 caractères imprimables, tirés au hasard pour cette création, et les mêmes pour la réessayer : "
        "pendant 24 heures elle rend alors ce qu'elle a créé, tel qu'il est à présent, avec "
        "`Idempotency-Replayed: true`. À une autre demande, 422 IDEMPOTENCY_KEY_REUSED ; si ce qu'elle a créé n'est "
        "plus là, 409 IDEMPOTENCY_RESULT_GONE ; illisible, 400. Une demande refusée ne la dépense pas."
    ),
)
ETAT = OpenApiParameter(
    "If-Match",
    location=OpenApiParameter.HEADER,
    description=_(
        "L'`ETag` de ce qui a été lu, ou plusieurs : si cela a changé depuis, 412 `PRECONDITION_FAILED` avec l'état "
        "présent, et rien n'est fait. `W/` devant l'étiquette ne compte pas ; `*` admet tout état. Absent : le "
        "dernier qui écrit l'emporte."
    ),
)
PEU_DIRE = OpenApiParameter(
    "Prefer",
    location=OpenApiParameter.HEADER,
    description=_("`return=minimal` : 204 au lieu de 200, sans ce qui a changé, et `Preference-Applied`."),
)
REJEU = {
    "Idempotency-Replayed": {
        "description": _("`true` : c'était déjà fait, sous la même `Idempotency-Key`."),
        "schema": {"type": "string", "enum": ["true"]},
    }
}
# Of what is left to the caller, where their requests are counted.
RESTE = ("RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset")
TAILLE = OpenApiParameter("size", OpenApiTypes.INT, description=_("Éléments par page, de 1 à 100."), default=20)


def plafonnement(plafond: int) -> dict[str, Any]:
    """The header that says of a total that it stopped."""
    texte = _(
        "`true` : la liste a plus de {plafond} éléments, et `total` s'arrête là, `pages` avec lui ; les pages qui "
        "suivent se lisent quand même, jusqu'à la première qui est vide. Absent : `total` est exact."
    )
    return {PLAFONNE: {"description": texte.format(plafond=plafond), "schema": {"type": "string", "enum": ["true"]}}}


def codes_d_erreur() -> dict[str, Any]:
    """The codes as an enumeration, each with the statuses that it comes with."""
    connus = codes()
    ligne = _("- `{code}` : {statuts}")
    lignes = [ligne.format(code=code, statuts=", ".join(map(str, statuts))) for code, statuts in connus.items()]
    texte = _("Stable, pour les programmes ; chacun avec le statut HTTP qu'il accompagne.")
    return {"type": "string", "enum": list(connus), "description": "\n".join([f"{texte}\n", *lignes])}


def enveloppe(donnees: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {"data": decrit(donnees, _("Ce que l'opération a lu, créé ou changé.")), **ENVELOPPE},
        "required": ["data", "message", "statusCode", "timestamp"],
    }


def page_de(element: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {
            "items": {"type": "array", "items": element, "description": ELEMENTS},
            **{nom: {"type": "integer", "description": texte} for nom, texte in PAGES.items()},
        },
        "required": ["items", "total", "page", "size", "pages"],
    }


class SchemaOperation(AutoSchema):
    """Describes one action from its `Operation`."""

    view: Any  # an ApiViewSet, which imports this module

    @property
    def operation(self) -> Operation:
        declaree: Operation = self.view.operations[self.view.action]
        return declaree

    def get_operation_id(self) -> str:
        action = self.operation.nom or self.view.action
        return slugify(f"{self.view.etiquette} {action}").replace("-", "_")

    def get_tags(self) -> list[str]:
        return [nom_d_etiquette(self.view.etiquette)]

    def get_summary(self) -> str:
        return str(self.operation.resume)

    def get_description(self) -> str:  # type: ignore[override]
        operation = self.operation
        lignes = [str(operation.description)] if operation.description else []
        if operation.sans_cle:
            lignes.append(_("`Idempotency-Key` est ignoré : {raison}").format(raison=operation.sans_cle))
        if operation.droit:
            lignes.append(_("Droit requis : `{droit}`.").format(droit=operation.droit))
        return "\n\n".join(lignes)

    def get_auth(self) -> list[dict[str, Any]]:
        bearer: dict[str, Any] = {"bearer": []}
        invite: dict[str, Any] = {"invite": []}
        return {
            Acces.PUBLIC: [],  # which the generator leaves out, and `document.achever` puts back
            Acces.FACULTATIF: [bearer, {}],
            Acces.COMPTE: [bearer],
            Acces.COMPTE_OU_INVITE: [bearer, invite],
            Acces.INVITE: [invite],
            Acces.CLE: [{"cle": []}],
            Acces.EXPLOITANT: [{"exploitant": []}],
        }[self.operation.acces]

    def get_override_parameters(self) -> list[Any]:
        operation = self.operation
        pagination = [PAGE, TAILLE] if operation.page else []
        filtres = [_parametre(nom, champ) for nom, champ in _champs(operation.filtres)]
        en_parametre = [GUEST_ID] if operation.guest_id_en_parametre else []
        peut_peu_dire = operation.montre_ce_qu_elle_change(self.method)
        possibles = ((CLE, operation.relire), (ETAT, operation.etat), (PEU_DIRE, peut_peu_dire))
        entetes = [entete for entete, vaut in possibles if vaut]
        return [*operation.parametres, *en_parametre, *entetes, *pagination, *filtres]

    def map_parsers(self) -> list[str]:
        return ["multipart/form-data" if self.operation.televersement else "application/json"]

    def get_request_serializer(self) -> Any:
        return self.operation.entree

    def get_response_serializers(self) -> Any:
        return self.operation.sortie

    def _is_list_view(self, serializer: Any = None) -> bool:
        return False

    def _get_response_bodies(self, direction: str = "response") -> dict[str, Any]:
        operation = self.operation
        reussite: dict[str, Any] = {"description": str(operation.message)}
        entetes = REJEU if operation.relire else plafonnement(self.view.plafond) if operation.page else {}
        if self.view.compte_dans_les_limites and operation.acces is not Acces.PUBLIC:
            entetes = {**entetes, **{nom: {"$ref": f"#/components/headers/{nom}"} for nom in RESTE}}
        if operation.etat and self.view.operations[operation.etat].sortie is operation.sortie:
            entetes = {**entetes, "ETag": {"$ref": "#/components/headers/ETag"}}
        if entetes:
            reussite["headers"] = entetes
        if not operation.a_l_enveloppe:
            forme = {"format": "binary"} if operation.rendu.render_style == "binary" else {}
            reussite["content"] = {operation.rendu.media_type: {"schema": {"type": "string", **forme}}}
        elif operation.statut != 204:
            reussite["content"] = {"application/json": {"schema": self._reussite()}}
        self._composants_communs()
        reponses: dict[str, Any] = {str(operation.statut): reussite}
        if operation.statut_deja_fait:
            reponses[str(operation.statut_deja_fait)] = {**reussite, "description": _("C'était déjà fait.")}
        reponses |= self._sans_enveloppe()
        for statut in sorted(self._statuts_d_erreur()):
            schema = self._autre_etat() if statut == 412 else {"$ref": "#/components/schemas/Erreur"}
            reponses[str(statut)] = {
                "description": SIGNIFICATIONS[statut],
                "content": {"application/json": {"schema": schema}},
            }
        return reponses

    def _sans_enveloppe(self) -> dict[str, Any]:
        """The answers that are neither a success nor a refusal in the envelope."""
        operation = self.operation
        reponses: dict[str, Any] = {}
        if operation.est_un_telechargement or (operation.a_l_enveloppe and self.method == "GET"):
            reponses["304"] = {"description": _("Inchangé depuis l'`ETag` donné dans `If-None-Match`.")}
        if operation.montre_ce_qu_elle_change(self.method):
            entetes = {"Preference-Applied": {"$ref": "#/components/headers/Preference-Applied"}}
            reponses["204"] = {"description": _("C'est fait, sans rien montrer."), "headers": entetes}
        if operation.renvoi:
            reponses["302"] = {"description": operation.renvoi}
        if operation.fini:
            texte = {"text/plain": {"schema": {"type": "string"}}}
            reponses["410"] = {"description": operation.fini, "content": texte}
        return reponses

    def _reussite(self) -> dict[str, Any]:
        """The envelope of the success, as a component that each operation with the same data shares."""
        operation = self.operation
        if operation.sortie is None:
            return self._commun("ReponseVide", enveloppe(VIDE))
        nom, ref = self._forme(operation.sortie_decrite or operation.sortie)
        if operation.page:
            nom, ref = f"Page{nom}", self._commun(f"Page{nom}", page_de(ref))
        elif operation.liste:
            nom, ref = f"Liste{nom}", {"type": "array", "items": ref}
        return self._commun(f"Reponse{nom}", enveloppe(ref))

    def _autre_etat(self) -> dict[str, Any]:
        """The error of a change that meets another state than the one it was meant for, which it shows."""
        lecture = self.view.operations[self.operation.etat]
        nom, ref = self._forme(lecture.sortie_decrite or lecture.sortie)
        actuel = decrit(ref, _("L'état qui est là, tel que l'appelant le lit."))
        proprietes, exiges = {**ERREUR["properties"], "actuel": actuel}, [*ERREUR["required"], "actuel"]
        return self._commun(f"AutreEtat{nom}", {**ERREUR, "properties": proprietes, "required": exiges})

    def _forme(self, forme: Any) -> tuple[str, dict[str, Any]]:
        """Name and reference of a form; of several, those of their union."""
        if hasattr(forme, "decrire"):
            decrite: tuple[str, dict[str, Any]] = forme.decrire(self)
            return decrite
        if not isinstance(forme, PolymorphicProxySerializer):
            composant = self.resolve_serializer(forme, "response")
            return composant.name, composant.ref
        formes = [self._forme(une) for une in forme.serializers]
        # The fuller form has every field of the other: it is one of them, and the other too.
        union = {"anyOf": [ref for _nom, ref in formes]}
        return forme.component_name, self._commun(forme.component_name, union)

    def _statuts_d_erreur(self) -> set[int]:
        operation = self.operation
        est_comptee = self.view.compte_dans_les_limites or operation.limites or operation.lit_un_secret
        possibles: list[tuple[Any, set[int]]] = [
            (not operation.sans_dependance, {503}),
            (self.path.startswith("/api/"), {408}),  # no probe waits for a body
            (est_comptee, {429}),
            (operation.lit_un_secret or operation.exige_un_acteur, {401}),
            (operation.droit or operation.accepte_invite, {403}),
            (operation.accepte_invite, {404, 409}),
            (operation.entree is not None, {415, 422}),
            (operation.relire, {409, 422}),
            (operation.etat, {412}),
            (operation.page or operation.filtres, {422}),
            ("{" in self.path, {404}),
        ]
        a_tous = {400, 406, 413}  # an unknown host, an `Accept` that is not served, a body too large where none is read
        return {*a_tous, *operation.erreurs}.union(*(statuts for peut_arriver, statuts in possibles if peut_arriver))

    def _composants_communs(self) -> None:
        self.resolve_serializer(ConflitFusion, "response")
        for nom, schema in (("Erreur", ERREUR), ("DetailErreur", DETAIL), ("CodeErreur", codes_d_erreur())):
            self._commun(nom, schema)

    def _commun(self, nom: str, schema: dict[str, Any]) -> dict[str, Any]:
        """Reference of this component, registered once."""
        composant = ResolvedComponent(name=nom, type=ResolvedComponent.SCHEMA, schema=schema, object=nom)
        if composant not in self.registry:
            self.registry.register(composant)
        ref: dict[str, Any] = composant.ref
        return ref


def nom_d_etiquette(etiquette: str) -> str:
    """An ASCII name for a tag, of which generators make the name of a class; its words are its `x-displayName`."""
    return slugify(etiquette)


def _champs(filtres: Any) -> list[tuple[str, Any]]:
    return list(filtres.base_filters.items()) if filtres is not None else []


def _parametre(nom: str, filtre: Any) -> OpenApiParameter:
    choix = filtre.extra.get("choices")
    type_: Any = {
        forms.BooleanField: OpenApiTypes.BOOL,
        forms.UUIDField: OpenApiTypes.UUID,
        forms.DateField: OpenApiTypes.DATE,
    }.get(filtre.field_class, OpenApiTypes.STR)
    if mot := filtre.extra.get("mot"):  # `CleOuMot`
        type_ = {"anyOf": [{"type": "string", "format": "uuid"}, {"type": "string", "enum": [mot]}]}
    return OpenApiParameter(
        nom,
        type_,
        description=str(filtre.extra.get("help_text", "")),
        enum=[valeur for valeur, _libelle in choix] if choix else None,
        required=filtre.extra.get("required", False),
    )
