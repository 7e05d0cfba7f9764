from typing import Any
from uuid import uuid4

from accounts.models import Compte
from accounts.tests.fabriques import admin
from guests.fusion import execution
from guests.models import SessionInvitee
from guests.services import changer_statut, ouvrir
from guests.vocabulaire import Politique, StatutInvite
from socle.domaine.acteurs import ActeurCompte


def session_invitee(telephone: str = "+243812345621") -> SessionInvitee:
    return ouvrir(telephone=telephone)


def fusionner(session: SessionInvitee, compte: Compte, **champs: Any) -> execution.Resultat:
    defauts = {"cle": str(uuid4()), "accept_policy": Politique.MERGE_ALL}
    return execution.fusionner(session=session, compte=compte, **{**defauts, **champs})


def desactiver(session: SessionInvitee, statut: str = StatutInvite.DISABLED) -> None:
    """As an administrator does from the list of sessions."""
    changer_statut(session=session, statut=statut, motif="Pour essayer.", acteur=ActeurCompte(compte=admin()))
