"""What is really in the database, whatever a model makes of it; and merging, as a client does."""

from collections.abc import Iterable
from typing import Any
from uuid import UUID, uuid4

from django.apps import apps
from django.db import connection

from config.tests.outils import client_de
from discussions import recompte
from guests.fusion.verification import verifier


def tout_ce_qui_est_stocke() -> str:
    """Every row of every table, in the words of the database."""
    lignes: list[str] = []
    with connection.cursor() as curseur:
        for table in connection.introspection.table_names(curseur):
            curseur.execute(f'SELECT * FROM "{table}"')  # noqa: S608 -- the database's own names
            lignes.extend(map(str, curseur.fetchall()))
    return "\n".join(lignes).lower()


def ecritures(guest_id: UUID) -> tuple[str, str]:
    return str(guest_id), guest_id.hex


def colonne(champ: str, session: Any) -> str:
    """The stored value of a column, past the field that reads it."""
    with connection.cursor() as curseur:
        empreinte = [session.guest_id_empreinte]
        requete = f"SELECT {champ} FROM guests_sessioninvitee WHERE guest_id_empreinte = %s"  # noqa: S608 -- a constant
        curseur.execute(requete, empreinte)
        return curseur.fetchone()[0]


# --- Merging, as a client does --------------------------------------------------------------------------------------

SESSIONS = "/api/v1/guest/sessions"
ACTIONS = ("KEEP_TARGET", "KEEP_GUEST", "MERGE_FIELDS", "SKIP")


def demander_fusion(client: Any, session: Any, corps: Any = None, *, cle: str | None = "fusion-1", **extra: Any) -> Any:
    """The answer of one call."""
    entetes = {} if cle is None else {"Idempotency-Key": cle}
    return client.post(f"{SESSIONS}/{session.guest_id}/merge", corps, headers=entetes, **extra)


def fusionner(compte: Any, session: Any, *resolutions: dict[str, str], **corps: Any) -> Any:
    """A merge that succeeds, and after which the database is as it must be."""
    envoye = {"acceptPolicy": "MERGE_SAFE", "resolutions": list(resolutions), **corps}
    reponse = demander_fusion(client_de(compte), session, envoye, cle=str(uuid4()))
    assert reponse.status_code == 200, reponse.content
    assert list(verifier()) == []
    assert not recompte.ecarts()
    return reponse.json()["data"]


def apercevoir(compte: Any, session: Any) -> Any:
    """The preview for this account."""
    reponse = client_de(compte).get(f"{SESSIONS}/{session.guest_id}/merge-preview")
    assert reponse.status_code == 200, reponse.content
    return reponse.json()["data"]


def resolution(action: str, source: Any, cible: Any) -> dict[str, str]:
    return {**_paire(source, cible), "action": action}


def conflit(motif: str, source: Any, cible: Any, actions: Iterable[str] = ACTIONS) -> dict[str, Any]:
    return {**_paire(source, cible), "reason": motif, "allowedActions": list(actions)}


def lignes(*sans: str) -> dict[str, list[Any]]:
    """Every row of every table but these, as values."""
    return {
        modele._meta.label: sorted(modele._base_manager.values_list(), key=str)
        for modele in apps.get_models()
        if modele._meta.label not in sans
    }


def _paire(source: Any, cible: Any) -> dict[str, str]:
    niveau = source._meta.model_name.upper()
    return {"level": niveau, "guestEntityId": str(source.pk), "targetEntityId": str(cible.pk)}
