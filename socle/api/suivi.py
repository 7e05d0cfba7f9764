"""Hook for an error tracker (sentry-sdk's `before_send`): what of an error may leave the machine.

An allow list: a request, its body and headers, the values of local variables and the words of an exception may hold
a guest id, an address or the text of a report. What stays says where the code failed, under which route, and the
`requestId` by which the log of the service says the rest.
"""

from typing import Any

from socle.domaine.provenance import requete_courante
from socle.journal import caviarder
from socle.metriques import route_de

Valeurs = dict[str, Any]
# Of an event, of an exception, of a frame, of a span: what the tracker adds of itself, and the source.
_D_UN_EVENEMENT = (
    *("event_id", "timestamp", "start_timestamp", "type", "platform", "level", "logger", "release", "environment"),
    *("server_name", "sdk", "modules", "transaction_info", "measurements"),
)
_D_UNE_EXCEPTION = ("type", "module", "mechanism", "thread_id")
_D_UN_CADRE = (
    *("filename", "abs_path", "function", "module", "lineno", "in_app"),
    *("pre_context", "context_line", "post_context"),
)
_D_UN_INTERVALLE = (
    *("trace_id", "span_id", "parent_span_id", "op", "origin", "status", "same_process_as_parent"),
    *("timestamp", "start_timestamp"),
)
_CONTEXTES = ("runtime", "os", "device")


def avant_envoi(evenement: Valeurs, indice: Any = None) -> Valeurs:
    """`before_send` and `before_send_transaction`: a new event with what may leave, and the route of its request."""
    requete = requete_courante.get()
    garde = _parmi(evenement, _D_UN_EVENEMENT)
    contextes = _parmi(evenement.get("contexts") or {}, _CONTEXTES)
    if trace := (evenement.get("contexts") or {}).get("trace"):
        contextes["trace"] = _parmi(trace, _D_UN_INTERVALLE)
    garde["contexts"] = contextes
    if exceptions := (evenement.get("exception") or {}).get("values"):
        garde["exception"] = {"values": [_exception(une) for une in exceptions]}
    if modele := (evenement.get("logentry") or {}).get("message"):
        garde["logentry"] = {"message": caviarder(str(modele))}  # as it is written in the code, without its values
    if "spans" in evenement:
        garde["spans"] = [_parmi(un, _D_UN_INTERVALLE) for un in evenement["spans"]]
    if requete is not None:
        route = route_de(requete)
        garde |= {"transaction": route, "request": {"method": requete.method, "url": route}}
        garde["tags"] = {"requestId": getattr(requete, "id_requete", "")}
    return garde


def _exception(exception: Valeurs) -> Valeurs:
    cadres = (exception.get("stacktrace") or {}).get("frames") or []
    gardee = _parmi(exception, _D_UNE_EXCEPTION)
    if mecanisme := gardee.get("mechanism"):
        gardee["mechanism"] = _parmi(mecanisme, ("type", "handled"))
    return {**gardee, "stacktrace": {"frames": [_parmi(un, _D_UN_CADRE) for un in cadres]}}


def _parmi(valeurs: Valeurs, noms: tuple[str, ...]) -> Valeurs:
    return {nom: valeurs[nom] for nom in noms if nom in valeurs}
