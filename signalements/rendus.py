"""Open cases that their handler may not read any more, given back in the background: there may be thousands."""

from uuid import UUID

from accounts.models import Compte
from signalements.models import Signalement
from signalements.services import rendre_faute_de_lire
from socle.domaine.acteurs import ActeurCompte
from socle.taches.reprise import exiger_la_suite, tache

LOT = 100


@tache()
def rendre_les_illisibles(qui: str) -> None:
    """Give back the open cases of a team that an account handles: `qui` is the keys of both, then of who took them out.

    A lot at a time; it goes on in another task while there are any.
    """
    equipe, compte, par = map(UUID, qui.split())
    acteur = ActeurCompte(compte=Compte.objects.get(pk=par))
    ouverts = Signalement.objects.vivants().ouverts().filter(equipe=equipe, gestionnaire=compte).order_by("pk")
    rendus = 0
    for cle in list(ouverts.values_list("pk", flat=True)[:LOT]):
        exiger_la_suite()
        rendus += rendre_faute_de_lire(cle, acteur)
    if rendus == LOT:
        rendre_les_illisibles.enqueue(qui)
