"""What the team does on a case from a page: done where the page still showed the truth, asked about elsewhere.

`vu` is what the page showed. Once asked, the person sees what is there now, and that is what the page sends then.
"""

from uuid import UUID

from django.db import transaction
from django.utils import timezone

from accounts.models import Compte
from discussions.vocabulaire import DOUBLE_CLIC
from espace.erreurs import ChangeDepuis
from signalements import services
from signalements.models import Signalement
from signalements.vocabulaire import TypeEntree
from socle.domaine.acteurs import Acteur
from socle.domaine.identite import sans_guest_ids


@transaction.atomic
def changer_statut(*, dossier: Signalement, acteur: Acteur, statut: str, vu: str) -> None:
    _exiger_tel_que_vu(dossier, "statut", vu, voulu=statut)
    services.changer_statut(signalement=dossier, statut=statut, acteur=acteur)


@transaction.atomic
def changer_priorite(*, dossier: Signalement, acteur: Acteur, priorite: str, vu: str) -> None:
    _exiger_tel_que_vu(dossier, "priorite", vu, voulu=priorite)
    services.changer_priorite(signalement=dossier, priorite=priorite, acteur=acteur)


@transaction.atomic
def assigner(*, dossier: Signalement, acteur: Acteur, gestionnaire_id: UUID, vu: str) -> None:
    # The account before the case, as the service locks them: two who assign at once never wait for each other.
    list(Compte.objects.select_for_update(no_key=True).filter(pk=gestionnaire_id).values_list("pk"))
    _exiger_tel_que_vu(dossier, "gestionnaire_id", vu, voulu=str(gestionnaire_id))
    services.assigner(signalement=dossier, gestionnaire_id=gestionnaire_id, acteur=acteur)


@transaction.atomic
def noter(*, dossier: Signalement, acteur: Acteur, contenu: str) -> None:
    """One note for a click, however often it is sent: notes cannot be taken back."""
    dossier.verrouiller()
    notes = dossier.timeline.filter(type=TypeEntree.NOTE, date_creation__gt=timezone.now() - DOUBLE_CLIC)
    if sans_guest_ids(contenu) not in notes.filter(**acteur.proprietaire).values_list("contenu", flat=True):
        services.ajouter_note(signalement=dossier, contenu=contenu, acteur=acteur)


def _exiger_tel_que_vu(dossier: Signalement, champ: str, vu: str, *, voulu: str) -> None:
    """Lock the case; ChangeDepuis where this column is neither what the page showed nor what is wanted."""
    dossier.verrouiller()
    if str(getattr(dossier, champ) or "") not in (vu, voulu):
        raise ChangeDepuis(champ)
