"""The draft of a report: kept sealed between two steps, sent once."""

import json
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

from django.db import transaction
from django.utils import timezone

from guests.services import ouvrir as ouvrir_une_session
from portail.models import Brouillon
from portail.services import code, sceau
from portail.services.acces import ouvrir as ouvrir_un_acces
from signalements.services import creer
from socle.domaine.acteurs import Acteur, ActeurInvite

ESPECE = "brouillon"
A_QUI = "_espace"  # among the answers
Cadence = Callable[[Acteur], AbstractContextManager[None]]


def lire(jeton: str, *, acteur: Acteur | None) -> dict[str, Any]:
    """What was written so far; `{}` for a draft that is unknown, too old, sent, or written in another space."""
    ligne = _par_jeton(jeton).first() if jeton else None
    contenu = _contenu(ligne, jeton)
    return contenu if contenu.pop(A_QUI, "") == _de(acteur) else {}


def est_d_un_espace_ferme(jeton: str, *, acteur: Acteur | None) -> bool:
    """True where this draft was begun in a space, and none is open any more: who opens it again has it again."""
    ligne = _par_jeton(jeton).first() if jeton and acteur is None else None
    return _contenu(ligne, jeton).get(A_QUI, "") != ""


@transaction.atomic
def completer(jeton: str, *, acteur: Acteur | None, **champs: Any) -> str:
    """Keep these answers beside the others; return the token of the draft, a new one where there was none to go on."""
    ligne = _par_jeton(jeton).select_for_update().first() if jeton else None
    contenu = _contenu(ligne, jeton)
    if ligne is None or not contenu or contenu[A_QUI] != _de(acteur):
        jeton = sceau.tirer_jeton()
        ligne, contenu = Brouillon(jeton_empreinte=sceau.empreinte_du_jeton(ESPECE, jeton)), {A_QUI: _de(acteur)}
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


def _de(acteur: Acteur | None) -> str:
    """Whose space a draft is written in, "" in none: two people may use one browser."""
    return acteur.cle if acteur else ""


def deja_envoye(jeton: str) -> bool:
    return bool(jeton) and _par_jeton(jeton).filter(date_envoi__isnull=False).exists()


def jeton_d_acces(jeton: str) -> str:
    """The token of the access that sending this draft opens: derived, so that a lost answer leads to one receipt."""
    return sceau.deriver_jeton(ESPECE, jeton)


@transaction.atomic
def envoyer(
    jeton: str, *, acteur: Acteur | None, telephone: str | None, langue: str, cadence: Cadence, **champs: Any
) -> None:
    """File the report, once for a draft: as this actor, or in a new session with an access and a code."""
    ligne = _par_jeton(jeton).select_for_update().first()
    if ligne is None or ligne.date_envoi is not None:
        return
    auteur = acteur or ActeurInvite(invite=ouvrir_une_session(telephone=telephone))
    with cadence(auteur):
        creer(acteur=auteur, **champs)
        if acteur is None:
            six_mots = code.tirer(langue)
            code.poser(auteur.invite, six_mots, langue)
            ouvrir_un_acces(invite=auteur.invite, jeton=jeton_d_acces(jeton), code=six_mots)
        ligne.contenu_scelle, ligne.date_envoi = "", timezone.now()
        ligne.save()


def _par_jeton(jeton: str) -> Any:
    return Brouillon.objects.filter(jeton_empreinte=sceau.empreinte_du_jeton(ESPECE, jeton))
