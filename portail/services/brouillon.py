"""The draft of a report: kept sealed between two steps, sent once."""

import json
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

from django.db import transaction
from django.utils import timezone

from guests.models import SessionInvitee
from guests.services import ouvrir as ouvrir_une_session
from portail.models import Acces, Brouillon
from portail.services import code, sceau
from portail.services.acces import ouvrir as ouvrir_un_acces
from signalements.services import creer
from socle.domaine.acteurs import Acteur, ActeurInvite

ESPECE = "brouillon"
A_QUI = "_espace"  # among the answers
Cadence = Callable[[Acteur], AbstractContextManager[None]]


def lire(jeton: str, *, invite: SessionInvitee | None) -> dict[str, Any]:
    """What was written so far; `{}` for a draft that is unknown, too old, sent, or written in another space."""
    ligne = _par_jeton(jeton).first() if jeton else None
    contenu = _contenu(ligne, jeton)
    return contenu if contenu.pop(A_QUI, "") == _de(invite) else {}


def est_d_un_espace_ferme(jeton: str, *, invite: SessionInvitee | None) -> bool:
    """True where this draft was begun in a space, and none is open any more: its code opens the draft again."""
    ligne = _par_jeton(jeton).first() if jeton and invite is None else None
    return _contenu(ligne, jeton).get(A_QUI, "") != ""


@transaction.atomic
def completer(jeton: str, *, invite: SessionInvitee | None, **champs: Any) -> str:
    """Keep these answers beside the others; return the token of the draft, a new one where there was none to go on."""
    ligne = _par_jeton(jeton).select_for_update().first() if jeton else None
    contenu = _contenu(ligne, jeton)
    if ligne is None or not contenu or contenu[A_QUI] != _de(invite):
        jeton = sceau.tirer_jeton()
        ligne, contenu = Brouillon(jeton_empreinte=sceau.empreinte_du_jeton(ESPECE, jeton)), {A_QUI: _de(invite)}
    ligne.contenu_scelle = sceau.sceller(jeton, json.dumps({**contenu, **champs}, ensure_ascii=False))
    ligne.date_modification = timezone.now()
    ligne.save()
    return jeton


def effacer(jeton: str) -> None:
    if jeton:
        _par_jeton(jeton).filter(date_envoi=None).delete()


def _contenu(ligne: Brouillon | None, jeton: str) -> dict[str, Any]:
    if ligne is None or ligne.date_envoi is not None or ligne.est_perime(timezone.now()):
        return {}
    contenu: dict[str, Any] = json.loads(sceau.ouvrir(jeton, ligne.contenu_scelle) or "{}")
    return contenu


def _de(invite: SessionInvitee | None) -> str:
    """Whose space a draft is written in, "" in none: two people may use one browser."""
    return str(invite.pk) if invite else ""


def deja_envoye(jeton: str) -> bool:
    return bool(jeton) and _par_jeton(jeton).filter(date_envoi__isnull=False).exists()


def jeton_d_acces(jeton: str) -> str:
    """The token of the access that sending this draft opens: derived, so that a lost answer leads to one receipt."""
    return sceau.deriver_jeton(ESPECE, jeton)


@transaction.atomic
def envoyer(
    jeton: str, *, acces: Acces | None, telephone: str | None, langue: str, cadence: Cadence, **champs: Any
) -> None:
    """File the report, once for a draft: in the session of this access, or in a new one with an access and a code."""
    ligne = _par_jeton(jeton).select_for_update().first()
    if ligne is None or ligne.date_envoi is not None:
        return
    invite = acces.invite if acces else ouvrir_une_session(telephone=telephone)
    if acces:
        code.refuser_le_code(invite, **{nom: texte for nom, texte in champs.items() if isinstance(texte, str)})
    acteur = ActeurInvite(invite=invite)
    with cadence(acteur):
        creer(acteur=acteur, **champs)
        if acces is None:
            six_mots = code.tirer(langue)
            code.poser(invite, six_mots, langue)
            ouvrir_un_acces(invite=invite, jeton=jeton_d_acces(jeton), code=six_mots)
        ligne.contenu_scelle, ligne.date_envoi = "", timezone.now()
        ligne.save()


def _par_jeton(jeton: str) -> Any:
    return Brouillon.objects.filter(jeton_empreinte=sceau.empreinte_du_jeton(ESPECE, jeton))
