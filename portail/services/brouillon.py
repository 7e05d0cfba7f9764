"""The draft of a report: kept sealed between two steps, sent once."""

import json
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from cryptography.fernet import InvalidToken
from django.conf import settings
from django.db import transaction
from django.utils import timezone

from guests.models import SessionInvitee
from guests.services import ouvrir as ouvrir_une_session
from portail.models import Brouillon
from portail.services import code, sceau
from portail.services.acces import ouvrir as ouvrir_un_acces
from signalements.services import creer
from socle.domaine.acteurs import Acteur, ActeurInvite
from socle.domaine.chiffrement import boite
from socle.domaine.limites import reserver

ESPECE = "brouillon"
# Among the answers: whose they are; the fingerprint of the token of before; which story it is, whatever its token;
# what was being typed on a step that was not sent.
A_QUI, AVANT, RECIT, SAISIES = "_espace", "_avant", "_recit", "_saisies"
INVITE = "invite"  # kind of a guest's key
Cadence = Callable[[Acteur], AbstractContextManager[None]]


def lire(jeton: str, *, acteur: Acteur | None) -> dict[str, Any]:
    """Read the answers written so far; `{}` for a draft that is unknown, too old, sent, or another space's."""
    ligne = _par_jeton(jeton).first() if jeton else None
    contenu = _contenu(ligne, jeton)
    for suivi in (AVANT, RECIT, SAISIES):
        contenu.pop(suivi, None)
    return contenu if _est_a(acteur, contenu.pop(A_QUI, "")) else {}


def saisies(jeton: str, *, acteur: Acteur | None) -> dict[str, dict[str, Any]]:
    """Read the text being typed and not sent, by step; `{}` where `lire` would tell nothing either."""
    contenu = _contenu(_par_jeton(jeton).first(), jeton) if jeton else {}
    lues: dict[str, dict[str, Any]] = contenu.get(SAISIES, {})
    return lues if lues and _est_a(acteur, contenu.get(A_QUI, "")) else {}


def est_commence(jeton: str, *, acteur: Acteur | None) -> bool:
    return bool(lire(jeton, acteur=acteur) or saisies(jeton, acteur=acteur))


def recit(jeton: str) -> str:
    """Id of the story that the draft of this token tells, through all its steps; "" where there is none."""
    ligne = _par_jeton(jeton).first() if jeton else None
    return str(_contenu(ligne, jeton).get(RECIT, ""))


def version(jeton: str) -> str:
    """Hash that names the draft as a page has shown it, and opens nothing."""
    return sceau.empreinte_du_jeton(ESPECE, jeton) if jeton else ""


def est_envoyee(version: str) -> bool:
    return Brouillon.objects.filter(jeton_empreinte=version, date_envoi__isnull=False).exists()


def _est_a(acteur: Acteur | None, de: str) -> bool:
    """Begun in this space, or in a guest's that was merged into this account since."""
    espece, _separe, cle = de.partition(":")
    if acteur is None or acteur.compte is None or espece != INVITE:
        return de == _de(acteur)
    return SessionInvitee.objects.filter(pk=cle, fusionnee_dans=acteur.compte).exists()


def emporter(jeton: str, *, de: Acteur | None, a: Acteur) -> str | None:
    """Take what was begun in one space into another, on demand; its token there, None where there was nothing."""
    ecrits = lire(jeton, acteur=de)
    if not ecrits:
        return None
    effacer(jeton)
    return completer("", acteur=a, **ecrits)


def place(
    acteur: Acteur | None, adresse: str, ecrit: dict[str, Any], *, au_lieu_de: dict[str, Any] | None = None
) -> AbstractContextManager[None]:
    """Rate limit, in bytes, of what is written without an account from one address, and sent by nobody yet.

    What replaces something takes the room by which it is longer.
    """
    if acteur is not None and not acteur.est_invite:
        return nullcontext()
    octets = _octets(ecrit) - (_octets(au_lieu_de) if au_lieu_de else 0)
    return reserver("brouillons", adresse, pas=max(octets, 0), taux=settings.PORTAIL_BROUILLONS)


def _octets(ecrit: dict[str, Any]) -> int:
    return len(json.dumps(ecrit, ensure_ascii=False).encode(errors="replace"))


def est_d_un_espace_ferme(jeton: str, *, acteur: Acteur | None, espace: str = "") -> bool:
    """True where this draft, or this page of it, was begun in a space, and none is open: who opens it again has it."""
    if acteur is None and _espace_scelle(espace):
        return True
    ligne = _par_jeton(jeton).first() if jeton and acteur is None else None
    return _contenu(ligne, jeton).get(A_QUI, "") != ""


def sceller_l_espace(acteur: Acteur | None) -> str:
    """Encrypt a name of this space that we alone can read, for a page that writes in it; "" for none."""
    return boite().encrypt(acteur.cle.encode()).decode().rstrip("=") if acteur else ""


def _espace_scelle(scelle: str) -> str:
    try:
        return boite().decrypt(scelle + "=" * (-len(scelle) % 4)).decode() if scelle.isascii() else ""
    except InvalidToken:
        return ""


@transaction.atomic
def completer(jeton: str, *, acteur: Acteur | None, **champs: Any) -> str:
    """Keep these answers beside the others, under another token each time; return it.

    Whoever put the cookie into this browser, or read it there, does not go on reading. The row of before stays as it
    was, and the one before that goes: an answer that was lost on the way does not take the draft with it.
    """
    attendent = saisies(jeton, acteur=acteur)
    suite = {etape: saisi for etape, saisi in attendent.items() if not saisi.keys() & champs.keys()}
    deja = {**lire(jeton, acteur=acteur), **({SAISIES: attendent} if attendent else {})}
    return _ecrire(jeton, deja, _de(acteur), {**champs, SAISIES: suite})


@transaction.atomic
def noter_la_saisie(jeton: str, *, acteur: Acteur | None, etape: str, saisi: dict[str, Any]) -> str:
    """Keep what is being typed on a step beside the answers, in place of the former; the token, "" for nothing left.

    An emptied box empties its answer too: it was sent once, and is not wanted any more.
    """
    deja, attendent = lire(jeton, acteur=acteur), saisies(jeton, acteur=acteur)
    ecrits = {nom: texte for nom, texte in deja.items() if saisi.get(nom, texte)}
    autres = {une: champs for une, champs in attendent.items() if une != etape}
    a_garder = any(texte and texte != deja.get(nom) for nom, texte in saisi.items())
    gardees = {**autres, **({etape: saisi} if a_garder else {})}
    if not ecrits and not gardees:
        effacer(jeton)
        return ""
    vides = dict.fromkeys(deja.keys() - ecrits.keys(), "")
    return _ecrire(
        jeton, {**deja, **({SAISIES: attendent} if attendent else {})}, _de(acteur), {**vides, SAISIES: gardees}
    )


@transaction.atomic
def completer_dans_l_espace_ferme(jeton: str, *, espace: str, **champs: Any) -> str:
    """The same for the space where it was begun, though it has closed: it waits for who opens it again.

    `espace` is what `sceller_l_espace` had put into the page, which names it where nothing of it was kept yet.
    """
    deja = _contenu(_par_jeton(jeton).first(), jeton) if jeton else {}
    return _ecrire(jeton, deja, deja.get(A_QUI, "") or _espace_scelle(espace), champs)


def _ecrire(jeton: str, deja: dict[str, Any], a_qui: str, champs: dict[str, Any]) -> str:
    nouveau = sceau.tirer_jeton()
    le_recit = recit(jeton) if deja else ""
    if deja:
        _effacer_celui_d_avant(jeton)
    suivi = {A_QUI: a_qui, AVANT: version(jeton) if deja else "", RECIT: le_recit or sceau.tirer_jeton()[:16]}
    ecrits = {**deja, **champs, **suivi}
    ligne = Brouillon(jeton_empreinte=sceau.empreinte_du_jeton(ESPECE, nouveau))
    ligne.contenu_scelle = sceau.sceller(nouveau, json.dumps(ecrits, ensure_ascii=False))
    ligne.save(force_insert=True)
    return nouveau


def oublier_les_saisies(jeton: str, *, acteur: Acteur | None) -> str:
    """Keep the answers that were sent, without what was being typed; the token, "" for nothing left."""
    if not saisies(jeton, acteur=acteur):
        return jeton
    deja = lire(jeton, acteur=acteur)
    nouveau = _ecrire(jeton, deja, _de(acteur), {}) if deja else ""
    effacer(jeton)
    return nouveau


def effacer(jeton: str) -> None:
    if jeton:
        _effacer_celui_d_avant(jeton)
        _par_jeton(jeton).filter(date_envoi=None).delete()


def _effacer_celui_d_avant(jeton: str) -> None:
    avant = _contenu(_par_jeton(jeton).first(), jeton).get(AVANT, "")
    Brouillon.objects.filter(jeton_empreinte=avant, date_envoi=None).delete()


def _contenu(ligne: Brouillon | None, jeton: str) -> dict[str, Any]:
    if ligne is None or ligne.date_envoi is not None or ligne.est_perime(timezone.now()):
        return {}
    contenu: dict[str, Any] = json.loads(sceau.ouvrir(jeton, ligne.contenu_scelle) or "{}")
    return contenu


def _de(acteur: Acteur | None) -> str:
    """Key of the actor in whose space a draft is written, "" in none: two people may use one browser."""
    return acteur.cle if acteur else ""


def deja_envoye(jeton: str) -> bool:
    return bool(jeton) and _par_jeton(jeton).filter(date_envoi__isnull=False).exists()


def jeton_d_acces(jeton: str, cle: str) -> str:
    """The token of the access that sending this draft opens: derived, so that a lost answer leads to one receipt.

    `cle` was drawn for the page that sends: without it, whoever has the cookie of the draft opens nothing.
    """
    return sceau.deriver_jeton(ESPECE, f"{jeton} {cle}") if cle else sceau.tirer_jeton()


@transaction.atomic
def envoyer(
    jeton: str,
    *,
    acteur: Acteur | None,
    acces: str,
    telephone: str | None,
    langue: str,
    cadence: Cadence,
    **champs: Any,
) -> None:
    """File the report, once for a draft: as this actor, or in a new session with a code and an access, `acces`."""
    ligne = _par_jeton(jeton).select_for_update().first()
    if ligne is None or ligne.date_envoi is not None:
        return
    auteur = acteur or ActeurInvite(invite=ouvrir_une_session(telephone=telephone))
    with cadence(auteur):
        creer(acteur=auteur, **champs)
        if acteur is None:
            six_mots = code.tirer(langue)
            code.poser(auteur.invite, six_mots, langue)
            ouvrir_un_acces(invite=auteur.invite, jeton=acces, code=six_mots)
        _effacer_celui_d_avant(jeton)
        ligne.contenu_scelle, ligne.date_envoi = "", timezone.now()
        ligne.save()


def _par_jeton(jeton: str) -> Any:
    return Brouillon.objects.filter(jeton_empreinte=sceau.empreinte_du_jeton(ESPECE, jeton))
