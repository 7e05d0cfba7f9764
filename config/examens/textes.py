"""Examination of the pages that an institution writes: nobody else knows who answers for the data, and where."""

from collections.abc import Iterator

from django.conf import settings
from django.urls import reverse

from config.checks import tout_est_local
from config.examens.constat import Constat, attention, bien, examen
from portail.vocabulaire import ECRITES
from resources.models import Faq

LEGALES = ("confidentialite", "mentions", "droits")


@examen("textes")
def textes() -> Iterator[Constat]:
    """Name the legal pages that still show the software's first text; a laptop owes them to nobody."""
    ecrites = set(Faq.objects.filter(publiee=True).values_list("categorie", flat=True))
    restent = [page for page in LEGALES if ECRITES[page]["fr"] not in ecrites]
    if not restent or not settings.PORTAIL_ENABLED:
        yield bien("Les pages que la loi demande sont écrites." if not restent else "Le portail n'est pas servi.")
        return
    phrase = f"L'établissement n'a pas encore écrit {', '.join(reverse(f'portail:{page}') for page in restent)}."
    if tout_est_local():
        yield bien(phrase)
        return
    yield attention(phrase, "Écrivez-les dans l'administration (docs/portail.md, « Les pages que vous écrivez »).")
