"""The export of one person, for the API and the pages: limited, one at a time, sent as an attachment."""

from functools import partial

from django.conf import settings
from django.http import FileResponse, HttpResponse
from django.utils import timezone
from django.utils.http import content_disposition_header

from personnes.erreurs import ExportDejaEnCours
from personnes.exports.archive import Archive
from personnes.vocabulaire import DUREE_MAX, NOM
from resources.stockage import pannes_dites
from socle.audit.registre import consigner, est_surveille
from socle.audit.vocabulaire import Acte
from socle.domaine.acteurs import Acteur
from socle.domaine.limites import consommer, liberer, occuper

PORTEE, TYPE = "personal_export", "application/zip"


def exporter(acteur: Acteur, *, sans_corps: bool = False) -> HttpResponse | FileResponse:
    """Everything of this actor's own; 429 past the limit, or while another export of theirs is being sent.

    `sans_corps` gives the headers alone, as a HEAD asks for: it takes no place, and counts for nothing.
    """
    nom = f"{NOM}-{timezone.localdate(timezone=settings.TIME_ZONE_CAMPUS):%Y-%m-%d}.zip"
    entetes = {
        "Content-Disposition": content_disposition_header(as_attachment=True, filename=nom) or "attachment",
        "Cache-Control": "private, no-store",
    }
    if sans_corps:
        return HttpResponse(content_type=TYPE, headers=entetes)
    return FileResponse(_ouvrir(acteur), content_type=TYPE, headers=entetes)


def _ouvrir(acteur: Acteur) -> Archive:
    """Take the place and make the archive, which gives it back when it is closed; a refusal gives it back at once."""
    occuper(PORTEE, acteur.cle, DUREE_MAX, refus=ExportDejaEnCours)
    rendre_la_place = partial(liberer, PORTEE, acteur.cle, DUREE_MAX)
    try:
        consommer(PORTEE, acteur.cle)
        if est_surveille(acteur):
            consigner(Acte.DONNEES_EXPORTEES, par=acteur)
    except BaseException:
        rendre_la_place()
        raise
    with pannes_dites():
        return Archive(acteur, a_la_fin=rendre_la_place)
