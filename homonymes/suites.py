"""Cases that an account is compared with in the background, past the first ones."""

from uuid import UUID

from accounts.models import Compte
from homonymes.lectures import sont_compares
from homonymes.services import rapprocher
from socle.taches.reprise import exiger_la_suite, tache


@tache()
def rapprocher_la_suite(qui: str) -> None:
    """Go on after a case, in another task while there are any: `qui` is the key of the account, then of the case."""
    compte_id, apres = map(UUID, qui.split())
    compte = Compte.objects.equipe_active().filter(pk=compte_id).first()
    exiger_la_suite()
    if compte is not None and sont_compares() and (dernier := rapprocher(compte, apres)) is not None:
        rapprocher_la_suite.enqueue(f"{compte_id} {dernier}")
