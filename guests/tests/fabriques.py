from typing import Any
from uuid import uuid4

from accounts.models import Compte
from guests.fusion import execution
from guests.models import SessionInvitee
from guests.services import ouvrir
from guests.vocabulaire import Politique


def session_invitee(telephone: str = "+243812345621") -> SessionInvitee:
    return ouvrir(telephone=telephone)


def fusionner(session: SessionInvitee, compte: Compte, **champs: Any) -> execution.Resultat:
    defauts = {"cle": str(uuid4()), "accept_policy": Politique.MERGE_ALL}
    return execution.fusionner(session=session, compte=compte, **{**defauts, **champs})
