"""The apps whose rows a merge moves, in this order, and what each leaves in the record for the way back."""

from typing import TypedDict

from discussions import fusion as fusion_des_discussions
from discussions.models import Discussion
from signalements import fusion as fusion_des_dossiers
from signalements.models import Signalement
from socle.domaine.fusions import Rattachable

VERSION = 2


class RetourDUneFusion(TypedDict):
    """`AuditFusion.retour`; 1 is what was written without a version."""

    version: int
    signalements: fusion_des_dossiers.RetourDesDossiers
    discussions: fusion_des_discussions.RetourDesDiscussions
    fichiers: list[str]  # those that the merge bound to one report


# mypy holds both modules to what a merge asks of them.
_DOSSIERS: Rattachable[Signalement, fusion_des_dossiers.RetourDesDossiers] = fusion_des_dossiers
_DISCUSSIONS: Rattachable[Discussion, fusion_des_discussions.RetourDesDiscussions] = fusion_des_discussions
