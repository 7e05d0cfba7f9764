"""A bearer token, or the cookie of the admin site, as an actor; the role always comes from the database."""

from collections.abc import Iterable
from contextlib import suppress
from typing import Any

from django.contrib import admin
from django.contrib.auth import get_user
from django.http import HttpRequest, HttpResponse
from rest_framework.authentication import BaseAuthentication

from accounts import jetons
from accounts.lectures import session_ouverte, sessions_ouvertes
from socle.api.middleware import Sessions
from socle.api.operations import Acces
from socle.domaine.acteurs import Acteur, ActeurCompte
from socle.domaine.delais import SONDE_SECONDES
from socle.domaine.erreurs import AccesRefuse, JetonInvalide


def acteur_du_jeton(jeton: str) -> Acteur:
    """The actor whose session this access token still opens, or JetonInvalide."""
    contenu = jetons.lire_acces(jeton)
    session = session_ouverte(contenu.session_id, contenu.compte_id).premiere(sonde=SONDE_SECONDES)
    if session is None:
        raise JetonInvalide
    return ActeurCompte(compte=session.compte, session_id=session.pk, expire=contenu.expire)


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
    return {
        jeton: ActeurCompte(compte=session.compte, session_id=session.pk, expire=contenu.expire)
        for jeton, contenu in contenus.items()
        if (session := sessions.get((contenu.session_id, contenu.compte_id)))
    }


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
        operation = getattr(request.parser_context.get("view"), "operation", None)
        if operation is None or not operation.accepte_bearer:
            return None
        if operation.acces is Acces.INVITE and request.parser_context["view"].invite_presente(request):
            return None
        schema, _, jeton = request.META.get("HTTP_AUTHORIZATION", "").partition(" ")
        if schema.lower() != "bearer":
            return None
        acteur = acteur_du_jeton(jeton.strip())
        return acteur.compte, acteur

    def authenticate_header(self, request: Any) -> str:
        return 'Bearer realm="api"'
