"""Identity of who speaks where the framework does not ask: a socket that opens, an upload before its body is kept.

The one place that knows the four kinds of credentials: token, guest id, the portal's cookie, the workspace's. The rooms
below do not know each other, so that this is decided where they are assembled.
"""

from collections.abc import Mapping, Sequence
from io import BytesIO
from typing import Any

from django.core.handlers.asgi import ASGIRequest

from accounts.authentication import acteur_de_l_equipe, acteur_du_jeton, acteurs_des_jetons
from accounts.models import Session
from guests.authentication import acteur_invite
from guests.erreurs import ModeInviteFerme
from guests.services import actives_parmi, exiger_etape, session_de
from portail.models import Acces
from portail.pages.cookies import acces_de
from portail.services import mot_de_passe
from portail.services.acces import acteur_de, exiger_l_etape
from socle.api.reseau import cle_adresse, vient_de_nos_pages
from socle.domaine.acteurs import Acteur
from socle.domaine.limites import consommer
from socle.erreurs import AccesRefuse, ErreurMetier, JetonInvalide, TropDeRequetes
from socle.realtime.auth import DemandeDeSocket, Identite, IdentiteRefusee
from socle.realtime.vocabulaire import FERMETURE_ACCES, FERMETURE_IDENTITE, FERMETURE_REESSAYER

API, EQUIPE, CAMPUS = "/api/", "/equipe/", "/campus/"


def identifier(demandes: Sequence[DemandeDeSocket]) -> list[Identite | IdentiteRefusee]:
    """Identify sockets by token, all of them in one query, else by guest id, else by a cookie (4001 or 4003).

    The cookie is the portal's where the query says `portail`, the admin site's elsewhere.
    """
    acteurs = acteurs_des_jetons({jeton for demande in demandes if (jeton := demande.parametres.get("token"))})
    return [_identifier(demande, acteurs) for demande in demandes]


def _identifier(demande: DemandeDeSocket, acteurs: Mapping[str, Acteur]) -> Identite | IdentiteRefusee:
    jeton, guest_id = demande.parametres.get("token"), demande.parametres.get("guestId")
    try:
        if jeton:
            return _du_compte(acteurs.get(jeton))
        if guest_id:
            exiger_etape("read")
            acteur = acteur_invite(session_de(guest_id))
            return Identite(acteur, invite_id=acteur.invite.pk)
        requete = requete_de(demande.scope)
        if not vient_de_nos_pages(requete):  # a browser sends its cookies for another site's page too
            raise JetonInvalide
        return _du_portail(acces_de(requete)) if "portail" in demande.parametres else _de_l_equipe(requete)
    except (ModeInviteFerme, AccesRefuse):
        return IdentiteRefusee(FERMETURE_ACCES)
    except ErreurMetier:
        return IdentiteRefusee(FERMETURE_IDENTITE)


def _du_compte(acteur: Acteur | None) -> Identite:
    if acteur is None or acteur.compte is None:
        raise JetonInvalide
    return Identite(acteur, acteur.expire, session_id=acteur.session_id, compte_id=acteur.compte.pk)


def _de_l_equipe(requete: ASGIRequest) -> Identite:
    acteur = acteur_de_l_equipe(requete)
    return Identite(acteur, compte_id=acteur.compte.pk)


def _du_portail(acces: Acces) -> Identite:
    """An access that is not used by being heard: it ends by its own clock, and takes its sockets with it."""
    mot_de_passe.exiger(acces)
    acteur, fin = acteur_de(acces), acces.fin_au_plus_tard
    if acces.session is not None:
        return Identite(acteur, fin, session_id=acces.session_id, compte_id=acces.session.compte_id)
    return Identite(acteur, fin, session_id=acces.pk, invite_id=acces.invite_id)


def requete_de(scope: Mapping[str, Any]) -> ASGIRequest:
    """Rebuild the handshake of a socket as a Django GET request, without its query string, which is read elsewhere."""
    garde = {nom: scope[nom] for nom in ("headers", "client", "server") if scope.get(nom)}
    schema = "https" if scope.get("scheme") == "wss" else "http"
    return ASGIRequest({"headers": [], **garde, "method": "GET", "path": "/", "scheme": schema}, BytesIO())


def revoir(identites: list[Identite]) -> set[Identite]:
    """Keep the identities whose session is unchanged, in two queries.

    An admin session is in neither, nor is a guest's access by the portal, which has a clock: they are in doubt.
    """
    sessions = Session.objects.filter(
        pk__in={i.session_id for i in identites if i.session_id}, date_fin__isnull=True, compte__est_actif=True
    )
    lues = sessions.select_related("compte").only("pk", "second_facteur", "compte__type_utilisateur")
    roles = {
        (session.pk, session.compte.type_utilisateur)
        for session in lues
        if not session.compte.doit_un_second_facteur(prouve=session.second_facteur)
    }
    invites = set(actives_parmi({i.invite_id for i in identites if i.invite_id}))
    return {i for i in identites if (i.invite_id in invites and not i.session_id) or (i.session_id, _role(i)) in roles}


def _role(identite: Identite) -> str | None:
    compte = identite.acteur.compte
    return compte.type_utilisateur if compte is not None else None


def admettre(scope: Mapping[str, Any]) -> None:
    """Count the opening of a socket in the general limit of its address; IdentiteRefusee (1013) above it."""
    try:
        consommer("general", cle_adresse(requete_de(scope)))
    except TropDeRequetes as refus:
        raise IdentiteRefusee(FERMETURE_REESSAYER) from refus


def televerse(scope: Mapping[str, Any]) -> str | None:
    """The key of the actor who uploads, by their credentials; None for one who may not, whose body is not kept."""
    entetes = {nom.decode("latin-1").lower(): valeur.decode("latin-1") for nom, valeur in scope["headers"]}
    bearer, _separe, jeton = entetes.get("authorization", "").partition(" ")
    try:
        if bearer:
            return acteur_du_jeton(jeton.strip()).cle
        if scope["path"].startswith(EQUIPE):
            return acteur_de_l_equipe(requete_de(scope)).cle
        if not scope["path"].startswith(API):
            return _du_cookie(acces_de(requete_de(scope)), scope["path"]).cle
        exiger_etape("create")
        return acteur_invite(session_de(entetes.get("x-guest-id"))).cle
    except ErreurMetier:
        return None  # the view refuses it, and says why


def _du_cookie(acces: Acces, chemin: str) -> Acteur:
    exiger_l_etape(acces, "create")
    if not chemin.startswith(CAMPUS):  # which shows no case
        mot_de_passe.exiger(acces)
    return acteur_de(acces)
