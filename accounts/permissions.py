from uuid import UUID

from accounts.erreurs import CompteIntrouvable
from accounts.models import Compte, Invitation
from socle.domaine.acteurs import Acteur
from socle.domaine.droits import Droit
from socle.erreurs import Introuvable, PermissionRefusee


def compte_connu(pk: UUID | str) -> Compte:
    """Fetch any account, or 404; the serializer decides what of it the viewer is shown."""
    compte = Compte.objects.filter(pk=pk).first()
    if compte is None:
        raise CompteIntrouvable
    return compte


def compte_modifiable(acteur: Acteur, pk: UUID | str) -> Compte:
    """Fetch one's own account, or any with COMPTES_MODIFIER; else 404 or 403."""
    compte = compte_connu(pk)
    if not acteur.peut(Droit.COMPTES_MODIFIER) and (acteur.compte is None or acteur.compte.pk != compte.pk):
        raise PermissionRefusee
    return compte


def invitation_connue(pk: UUID | str) -> Invitation:
    invitation = Invitation.objects.filter(pk=pk).first()
    if invitation is None:
        raise Introuvable
    return invitation
