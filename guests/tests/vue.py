"""All that the team reads of the service, and of one case: what must not change is compared as a whole."""

import re

from config.tests.outils import acteur_de
from discussions.tests import fabriques as discussions
from resources.tests import fabriques as fichiers
from signalements.tests import fabriques as signalements
from stats.chiffres import bilan
from stats.chiffres.sources import Filtre
from stats.tests.outils import exporter

SIGNALEMENTS = "/api/v1/signalements/"
DISCUSSIONS = "/api/v1/discussions/"


def lire(client, chemin):
    reponse = client.get(chemin)
    assert reponse.status_code == 200, reponse.content
    return reponse.json()["data"]


def vivre(invite, gestionnaire, mode="ANONYME", titre="Suites"):
    """A case of the guest on which both sides have written, with files."""
    elle, lui = acteur_de(invite), acteur_de(gestionnaire)
    preuve, autre_preuve = (fichiers.fichier(elle).pk for _rang in range(2))
    champs = {"titre": titre, "description": f"Devant l'amphi, {titre}.", "mode_identification": mode}
    dossier = signalements.signalement(elle, pieces_jointes=[preuve], **champs)
    echanges = [discussions.discussion(qui, titre, dossier) for qui in (elle, lui)]
    for rang, echange in enumerate(echanges):
        discussions.message(elle, echange, "Voici.", pieces_jointes=[autre_preuve][rang:])
        discussions.message(lui, echange, "Merci.")
    signalements.services.ajouter_note(signalement=dossier, contenu="À rappeler.", acteur=lui)
    signalements.services.changer_statut(signalement=dossier, statut="EN_COURS", acteur=lui)
    return dossier, echanges


def dossier_vu(client, dossier, echanges):
    """All that is said of one case."""
    chemins = [f"{SIGNALEMENTS}{dossier.pk}", f"{SIGNALEMENTS}{dossier.pk}/timeline"]
    chemins += [f"{DISCUSSIONS}?signalementId={dossier.pk}", f"{SIGNALEMENTS}?search={dossier.reference}"]
    chemins += [f"{DISCUSSIONS}{echange.pk}{suite}" for echange in echanges for suite in ("", "/messages")]
    canaux = [f"signalement:{dossier.pk}", *(f"discussion:{echange.pk}" for echange in echanges)]
    chemins += [f"/api/v1/evenements?canal={canal}" for canal in canaux]
    return {chemin: lire(client, chemin) for chemin in chemins}


def service_vu(client, site, lecteur):
    """All that the team reads of everything: lists, filters, numbers, exports, events, pages."""
    chemins = [SIGNALEMENTS, f"{SIGNALEMENTS}non-traites", DISCUSSIONS]
    chemins += [
        f"{SIGNALEMENTS}{liste}?sourceActeur={source}"
        for liste in ("", "non-traites")
        for source in ("GUEST", "AUTH_USER")
    ]
    chemins += [f"/api/v1/stats/{suite}" for suite in ("signalements", "dashboard", "dashboard/team")]
    chemins += [f"/api/v1/stats/dashboard/{suite}" for suite in ("alerts", "cases/recent", "quick-actions")]
    chemins += [
        f"/api/v1/stats/dashboard/{s}" for s in ("distribution/categories", "trends/cases", "trends/resolution")
    ]
    chemins += [f"/api/v1/evenements?canal={canal}" for canal in ("signalements", "dashboard")]
    vu = {chemin: lire(client, chemin) for chemin in chemins}
    vu["export"] = exporter(client)
    vu["export GUEST"] = exporter(client, sourceActeur="GUEST")
    vu["tableau"] = bilan.lire(acteur_de(lecteur), Filtre())
    (vu["fichiers"],) = re.findall("<tbody>.*</tbody>", site.get("/admin/resources/fichier/").text, re.DOTALL)
    return vu
