from collections.abc import Iterable
from typing import Any

from django.db import transaction

from resources.models import EntreeDAide, Faq
from socle.audit.registre import consigner
from socle.audit.vocabulaire import Acte, Sorte


@transaction.atomic
def montrer(*, entree: EntreeDAide, visible: bool, par: Any = None) -> bool:
    """Set or clear the flag that shows it to everybody; False where it was so already."""
    entree.verrouiller()
    if entree.est_montree == visible:
        return False
    setattr(entree, entree.VISIBLE, visible)
    entree.exiger_de_la_place()
    entree.enregistrer(entree.VISIBLE)
    consigner_un_changement(entree, "montree" if visible else "retiree", par=par)
    return True


def consigner_un_changement(entree: EntreeDAide, quoi: str, *, par: Any, champs: Iterable[str] = ()) -> None:
    """Into the register: which entry, what was done and which columns changed, never their texts or numbers."""
    details: dict[str, Any] = {"quoi": quoi, "table": entree._meta.model_name}
    if isinstance(entree, Faq):
        details["categorie"] = entree.categorie  # PORTAIL: what the portal answers, « Qui lit ? »
    if champs := sorted(champs):
        details["champs"] = champs
    consigner(Acte.AIDE_CHANGEE, par=par, objet=entree.pk, sorte=Sorte.AIDE, **details)
