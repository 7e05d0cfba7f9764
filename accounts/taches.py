"""Former name of `accounts.tasks`, under which its tasks are stored: processes of two versions share a queue."""

from accounts.tasks import (
    envoyer_invitation,
    envoyer_reinitialisation,
    prevenir_du_changement,
    prevenir_l_ancienne_adresse,
)

__all__ = ["envoyer_invitation", "envoyer_reinitialisation", "prevenir_du_changement", "prevenir_l_ancienne_adresse"]
