"""Erasure of the portal's rows on a guest: six words, former ones, and browsers."""

from guests.models import SessionInvitee
from personnes.services.effacements import traces_d_un_invite
from portail.models import Acces, AncienCode, CodeRetour


@traces_d_un_invite("portail")
def oublier(session: SessionInvitee) -> dict[str, int]:
    """Delete the code and the accesses of a session that is erased: they were closed, and so were their sockets."""
    return {
        "codes de retour": CodeRetour.objects.filter(invite=session).delete()[0],
        "anciens codes": AncienCode.objects.filter(invite=session).delete()[0],
        "accès du portail": Acces.objects.filter(invite=session).delete()[0],
    }
