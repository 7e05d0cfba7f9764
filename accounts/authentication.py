"""A bearer token, or the cookie of the admin site, as an actor; the role always comes from the database."""

import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from django.contrib import admin
from django.contrib.auth import get_user, login
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import constant_time_compare
from rest_framework.authentication import BaseAuthentication

from accounts import jetons
from accounts.erreurs import EnrolementExige, IdentifiantsInvalides
from accounts.lectures import session_ouverte, sessions_ouvertes
from accounts.models import Compte, Session
from accounts.services.sessions import a_prouver
from accounts.vocabulaire import SECOND_FACTEUR_PROUVE
from socle.api.middleware import ENTETES_RECUS
from socle.api.operations import Acces
from socle.api.reseau import cle_adresse
from socle.domaine.acteurs import Acteur, ActeurCompte
from socle.erreurs import AccesRefuse, JetonInvalide
from socle.moteur.delais import SONDE_SECONDES
from socle.pages.intergiciels import Sessions

ATTENTE = "connexion_en_attente"  # key of a browser session
MOT_DE_PASSE_DONNE = "mot_de_passe_donne"  # so is this: the moment of a sign-in by password alone
ATTENTE_SECONDES = 300.0


def mot_de_passe_recent(requete: HttpRequest) -> bool:
    """True where the password of this browser session was given a moment ago."""
    return float(requete.session.get(MOT_DE_PASSE_DONNE, 0)) > time.time() - ATTENTE_SECONDES


def noter_le_mot_de_passe(requete: HttpRequest) -> None:
    """Note that the password of this browser session was given now."""
    requete.session[MOT_DE_PASSE_DONNE] = time.time()


def acteur_du_jeton(jeton: str, *, quand: float | None = None) -> Acteur:
    """The actor whose session this access token still opens, or JetonInvalide.

    `quand`: when the headers came, for an upload; a session that was closed since is closed.
    """
    contenu = jetons.lire_acces(jeton, quand=quand)
    session = session_ouverte(contenu.session_id, contenu.compte_id).premiere(preuve_de_connexion=SONDE_SECONDES)
    if session is None:
        raise JetonInvalide
    return acteur_de_la_session(session, expire=contenu.expire)


def acteur_de_la_session(session: Session, *, expire: datetime | None = None) -> ActeurCompte:
    """The account of an open session as an actor; EnrolementExige for staff without the second factor they need."""
    compte = session.compte
    if compte.doit_un_second_facteur(prouve=session.second_facteur):
        raise EnrolementExige
    return ActeurCompte(compte=compte, session_id=session.pk, expire=expire)


def acteurs_des_jetons(lus: Iterable[str]) -> dict[str, Acteur]:
    """`acteur_du_jeton` for many, in one query; a token without an actor is not in the answer."""
    contenus: dict[str, jetons.Contenu] = {}
    for jeton in lus:
        with suppress(JetonInvalide):
            contenus[jeton] = jetons.lire_acces(jeton)
    if not contenus:
        return {}
    ouvertes = sessions_ouvertes({contenu.session_id for contenu in contenus.values()})
    sessions = {(session.pk, session.compte_id): session for session in ouvertes}
    acteurs: dict[str, Acteur] = {}
    for jeton, contenu in contenus.items():
        if session := sessions.get((contenu.session_id, contenu.compte_id)):
            with suppress(EnrolementExige):
                acteurs[jeton] = acteur_de_la_session(session, expire=contenu.expire)
    return acteurs


def a_prouve(requete: HttpRequest) -> bool:
    """True where the sign-in of this browser session proved a second factor."""
    return bool(requete.session.get(SECOND_FACTEUR_PROUVE))


@dataclass(frozen=True)
class EnAttente:
    """A sign-in to the admin site whose password was right, and whose code is still to come."""

    compte_id: str
    empreinte: str  # of the account's session hash: a new password, or the end of every access, voids it
    fin: float
    suite: str


def mettre_en_attente(requete: HttpRequest, compte: Compte, *, suite: str) -> None:
    """Remember in this browser session that the password was right, under a new key; it signs nobody in."""
    requete.session.cycle_key()
    fin = time.time() + ATTENTE_SECONDES
    requete.session[ATTENTE] = asdict(EnAttente(str(compte.pk), compte.get_session_auth_hash(), fin, suite))


def en_attente(requete: HttpRequest) -> EnAttente | None:
    """The sign-in that waits for its code in this browser session, if it is not too old."""
    lu = requete.session.get(ATTENTE)
    attente = EnAttente(**lu) if lu else None
    return attente if attente is not None and attente.fin > time.time() else None


def entrer_avec_un_code(requete: HttpRequest, attente: EnAttente, *, otp: str) -> None:
    """Sign the person in, under another key; what `a_prouver` refuses is refused, a sign-in voided meanwhile too."""
    compte = Compte.objects.filter(pk=attente.compte_id, est_actif=True).first()
    if compte is None:
        raise IdentifiantsInvalides
    with a_prouver(compte, otp=otp, adresse=cle_adresse(requete)) as facteur:
        if not constant_time_compare(compte.get_session_auth_hash(), attente.empreinte):
            raise IdentifiantsInvalides
    del requete.session[ATTENTE]
    requete.facteur = facteur  # type: ignore[attr-defined]  # for the register
    login(requete, compte)
    requete.session[SECOND_FACTEUR_PROUVE] = True


def acteur_de_l_equipe(requete: HttpRequest) -> Acteur:
    """Read the admin session cookie into an actor, with the permission check of the admin site itself.

    Raise JetonInvalide where it signs nobody in, AccesRefuse for an account that the site does not admit.
    """
    Sessions(HttpResponse).process_request(requete)
    compte = get_user(requete)
    if not compte.is_authenticated:
        raise JetonInvalide
    requete.user = compte
    if not admin.site.has_permission(requete):
        raise AccesRefuse
    return ActeurCompte(compte=compte)


class AuthentificationJeton(BaseAuthentication):
    """Bearer authenticator: None without a bearer, or where the operation reads none; a bad token raises."""

    def authenticate(self, request: Any) -> tuple[Any, Acteur] | None:
        vue = request.parser_context["view"]
        if not vue.operation.accepte_bearer:
            return None
        if vue.operation.acces is Acces.INVITE and vue.invite_presente(request):
            return None
        schema, _, jeton = request.META.get("HTTP_AUTHORIZATION", "").partition(" ")
        if schema.lower() != "bearer":
            return None
        acteur = acteur_du_jeton(jeton.strip(), quand=request.META.get(ENTETES_RECUS))
        return acteur.compte, acteur

    def authenticate_header(self, request: Any) -> str:
        return 'Bearer realm="api"'
