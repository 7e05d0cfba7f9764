from django.db import transaction

from resources.models import EntreeDAide


@transaction.atomic
def montrer(*, entree: EntreeDAide, visible: bool) -> bool:
    """Set or clear the flag that shows it to everybody; False where it was so already."""
    entree.verrouiller()
    if entree.est_montree == visible:
        return False
    setattr(entree, entree.VISIBLE, visible)
    entree.exiger_de_la_place()
    entree.enregistrer(entree.VISIBLE)
    return True
