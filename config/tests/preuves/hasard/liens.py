"""OpenAPI links: from what an answer names to every operation that takes it, for sequences that go on."""

from typing import Any

from config.tests.outils.hostiles import METHODES

RACINE = "/api/v1"
# (method, path, where the answer says it) -> the parameters that take it
NOMMENT: dict[tuple[str, str, str], tuple[str, ...]] = {
    ("post", "/signalements", "id"): ("signalement_id", "alert_id"),
    ("post", "/signalements", "reference"): ("reference",),
    ("get", "/signalements", "items/0/id"): ("signalement_id", "alert_id"),
    ("post", "/discussions", "id"): ("discussion_id",),
    ("get", "/discussions", "items/0/id"): ("discussion_id",),
    ("post", "/calendriers", "id"): ("evenement_id",),
    ("get", "/calendriers", "items/0/id"): ("evenement_id",),
    ("post", "/calendriers/{evenement_id}/inscription", "id"): ("participant_id",),
    ("post", "/postes", "id"): ("poste_id",),
    ("get", "/postes/approuves", "items/0/id"): ("poste_id",),
    ("post", "/postes/{poste_id}/commentaires", "id"): ("commentaire_id",),
    ("post", "/postes/{poste_id}/reactions", "id"): ("reaction_id",),
    ("post", "/ressources", "id"): ("resource_id",),
    ("get", "/ressources", "items/0/id"): ("resource_id",),
    ("post", "/fichiers/upload", "fileId"): ("file_id",),
    ("post", "/guest/sessions", "guestId"): ("guestId",),
    ("post", "/comptes", "id"): ("compte_id",),
    ("get", "/comptes", "items/0/id"): ("compte_id",),
    ("post", "/comptes/invitations", "invitationId"): ("invitation_id",),
    ("post", "/stats/signalements/export", "exportId"): ("export_id",),
}


def relier(document: dict[str, Any]) -> dict[str, Any]:
    """The document with these links; a variable of the path that is known already goes on as it was."""
    for (methode, chemin, ou), parametres in NOMMENT.items():
        operation = document["paths"][RACINE + chemin][methode]
        reussite = next(reponse for statut, reponse in operation["responses"].items() if statut in ("200", "201"))
        reussite["links"] = {**reussite.get("links", {}), **_liens(document, chemin, ou, parametres)}
    return document


def _liens(document: dict[str, Any], chemin: str, ou: str, parametres: tuple[str, ...]) -> dict[str, Any]:
    liens = {}
    for autre, methodes in document["paths"].items():
        for nom in parametres:
            if f"{{{nom}}}" in autre:
                connus = [n for n in ("poste_id", "evenement_id") if f"{{{n}}}" in chemin and f"{{{n}}}" in autre]
                valeurs = {f"path.{n}": f"$request.path.{n}" for n in connus}
                valeurs[f"path.{nom}"] = f"$response.body#/data/{ou}"
                for methode in METHODES:
                    if methode in methodes:
                        identifiant = methodes[methode]["operationId"]
                        liens[f"{ou} {identifiant}"] = {"operationId": identifiant, "parameters": valeurs}
    return liens
