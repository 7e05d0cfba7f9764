"""The files of objects that are deleted whole: what nothing else uses goes with them."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from resources.models import Attache, Fichier
from resources.services.fichiers import effacer_au_commit
from resources.stockage import seaux_connus
from socle.domaine.verrous import verrouiller_dans_l_ordre

# Kind of object -> {id of the object: ids of its files}.
Pieces = Mapping[str, Mapping[UUID, list[str]]]


@transaction.atomic
def retirer(pieces: Pieces) -> int:
    """Detach the files of these objects, and delete those attached to nothing else, row and bytes; return how many.

    The bytes go after the commit: what a crash leaves of them, `sweep_files` removes. A file in a store that the
    settings no longer name waits among the deleted ones until they do.
    """
    cles = sorted({UUID(cle) for objets in pieces.values() for siens in objets.values() for cle in siens})
    if not cles:
        return 0
    verrouilles = verrouiller_dans_l_ordre(Fichier.objects.filter(pk__in=cles), exclusif=True)
    fichiers: dict[UUID, Any] = {fichier.pk: fichier for fichier in verrouilles}
    utilisations = Q()
    for sorte, objets in pieces.items():
        utilisations |= Q(sorte=sorte, objet__in=list(objets))
    Attache.objects.filter(utilisations, fichier__in=cles).delete()
    gardes = set(Attache.objects.filter(fichier__in=cles).values_list("fichier", flat=True))
    seuls = [fichier for pk, fichier in fichiers.items() if pk not in gardes]
    joignables = [fichier for fichier in seuls if fichier.seau in seaux_connus()]
    Fichier.objects.filter(pk__in=[fichier.pk for fichier in joignables]).delete()
    ailleurs = [fichier.pk for fichier in seuls if fichier.seau not in seaux_connus()]
    Fichier.objects.filter(pk__in=ailleurs).update(date_suppression=timezone.now())
    for fichier in joignables:
        effacer_au_commit(fichier.seau, fichier.cle)
    return len(seuls)
