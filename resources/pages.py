"""A file as a page gives it: through the check of access each time, so that no link that opens alone is left behind."""

from typing import Any
from uuid import UUID

from django.http import FileResponse

from resources import stockage
from resources.permissions import fichier_accessible
from socle.domaine.acteurs import Acteur
from socle.domaine.erreurs import Introuvable


def piece_jointe(acteur: Acteur, file_id: UUID) -> Any:
    """The bytes as an attachment, under the name that this actor may read; 404 or 403."""
    fichier = fichier_accessible(acteur, file_id)
    try:
        contenu = stockage.ouvrir(fichier)
    except FileNotFoundError as perdu:
        raise Introuvable from perdu
    nom = fichier.nom_pour(acteur)
    return FileResponse(contenu, as_attachment=True, filename=nom, content_type=fichier.type_servi)
