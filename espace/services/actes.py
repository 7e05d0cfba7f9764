"""What the team does on a case from a page: done where the page still showed the truth, asked about elsewhere.

`vu` is what the page showed; None when the person has been asked, and wants it anyway.
"""

from uuid import UUID

from django.db import transaction

from accounts.models import Compte
from espace.erreurs import ChangeDepuis
from signalements import services
from signalements.models import Signalement
from socle.domaine.acteurs import Acteur


@transaction.atomic
def changer_statut(*, dossier: Signalement, acteur: Acteur, statut: str, vu: str | None) -> None:
    _exiger_tel_que_vu(dossier, "statut", vu, voulu=statut)
    services.changer_statut(signalement=dossier, statut=statut, acteur=acteur)


@transaction.atomic
def changer_priorite(*, dossier: Signalement, acteur: Acteur, priorite: str, vu: str | None) -> None:
    _exiger_tel_que_vu(dossier, "priorite", vu, voulu=priorite)
    services.changer_priorite(signalement=dossier, priorite=priorite, acteur=acteur)


@transaction.atomic
def assigner(*, dossier: Signalement, acteur: Acteur, gestionnaire_id: UUID, vu: str | None) -> None:
    # The account before the case, as the service locks them: two who assign at once never wait for each other.
    list(Compte.objects.select_for_update(no_key=True).filter(pk=gestionnaire_id).values_list("pk"))
    _exiger_tel_que_vu(dossier, "gestionnaire_id", vu, voulu=str(gestionnaire_id))
    services.assigner(signalement=dossier, gestionnaire_id=gestionnaire_id, acteur=acteur)


def _exiger_tel_que_vu(dossier: Signalement, champ: str, vu: str | None, *, voulu: str) -> None:
    """Lock the case; ChangeDepuis where this column is neither what the page showed nor what is wanted."""
    dossier.verrouiller()
    if vu is not None and str(getattr(dossier, champ) or "") not in (vu, voulu):
        raise ChangeDepuis(champ)
