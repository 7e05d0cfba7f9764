from socle.idempotence.models import CleUtilisee
from socle.taches.entretien import purges, supprimer


@purges("Clés d'idempotence de plus d'un jour")
def cles(*, simulation: bool) -> int:
    return supprimer(CleUtilisee.perimees(), simulation=simulation)
