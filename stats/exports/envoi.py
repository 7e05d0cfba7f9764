"""The answer that is the file of an export."""

import logging

from django.http import FileResponse, HttpResponse, HttpResponseRedirect

from resources import stockage
from resources.vocabulaire import LOCAL
from stats.erreurs import ExportRetire
from stats.exports.liens import adresse_dans_le_seau
from stats.models import Export

journal = logging.getLogger("campus.exports")


def envoyer(export: Export) -> HttpResponse | FileResponse:
    """Answer a local file, or redirect to the bucket, so that its files pass through no thread of the service."""
    reponse = _depuis_le_disque(export) if export.seau == LOCAL else _vers_le_seau(export)
    reponse["Cache-Control"] = "private, no-store"
    reponse["Referrer-Policy"] = "no-referrer"
    return reponse


def _depuis_le_disque(export: Export) -> FileResponse:
    try:
        contenu = stockage.ouvrir(export)
    except FileNotFoundError as perdu:
        journal.error("export %s absent du stockage", export.pk)
        raise ExportRetire from perdu
    return FileResponse(contenu, as_attachment=True, filename=export.nom_fichier, content_type=export.type_servi)


def _vers_le_seau(export: Export) -> HttpResponse:
    reponse = HttpResponseRedirect(adresse_dans_le_seau(export))
    del reponse["Content-Type"]  # it has no body
    return reponse
