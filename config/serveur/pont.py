"""Bridge from ASGI to Django: one hop into a thread, the whole answer out of it, files sent from the loop."""

import asyncio
import io
import re
import sys
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from django.db import connection

from config.serveur.corps import LONGUEURS, Appel, exiger_une_longueur, jeter, sans_corps
from config.serveur.gestionnaire import Environ, Reponse
from socle.api.exceptions import SANS_EFFET
from socle.api.middleware import ENTETES_RECUS, REFUS
from socle.erreurs import EnvoiTropLent, ErreurMetier, ResultatInconnu, ServiceIndisponible
from socle.moteur.delais import REPONSE_SECONDES, REQUETE_SECONDES, Suivi, fixer_echeance, suivre
from socle.moteur.executeur import Executeur, SansReponse

Repondre = Callable[[Environ], Reponse]

MORCEAU = 256 * 1024
_SEPARATEURS = {"HTTP_COOKIE": "; "}
_COUPE = re.compile(rb"%[0-9A-Fa-f]?$")
_NOM_COURANT = 64  # a longer name is not remembered


class Pont:
    """Django as the last ASGI application; `scope["corps"]` is the body, already received."""

    def __init__(
        self, repondre: Repondre, fils: Executeur, sans_base: Executeur, *, delai: float = REPONSE_SECONDES
    ) -> None:
        self._repondre = repondre
        self._fils = fils
        self._sans_base = sans_base
        self._delai = delai

    async def __call__(self, scope: Any, receive: Appel, send: Appel) -> None:
        environ = environ_de(scope)
        fils = self._sans_base if est_sans_base(scope) else self._fils
        try:
            reponse = await fils.passer(self._delai, self._dans_le_fil, environ, suivi := Suivi())
        except TimeoutError as trop_tard:
            reponse = self.dans_la_boucle(scope, {REFUS: _refus(scope, trop_tard, suivi)})
        await envoyer(reponse, send)

    def _dans_le_fil(self, environ: Environ, suivi: Suivi) -> Reponse:
        fixer_echeance(REQUETE_SECONDES)
        suivre(suivi)
        return self._repondre(environ)

    def dans_la_boucle(self, scope: Mapping[str, Any], su: Environ) -> Reponse:
        """Run Django in the loop, with `su` in the environment: a refusal, or the states of the service.

        It makes no query then; headers, log line and metrics are those of every answer.
        """
        return self._repondre({**environ_de(scope), **su})


def _refus(scope: Mapping[str, Any], trop_tard: TimeoutError, suivi: Suivi) -> ErreurMetier:
    """ResultatInconnu for a request that has begun, and may change something: nobody knows what it has done by now.

    Unless nothing of it was to be committed yet: then nothing is any more.
    """
    peut_etre_fait = isinstance(trop_tard, SansReponse) and scope["method"] not in SANS_EFFET
    return ResultatInconnu() if peut_etre_fait and not _arrete(suivi) else ServiceIndisponible(attente=5)


def _arrete(suivi: Suivi) -> bool:
    """On PostgreSQL, whose commits ask first."""
    return connection.vendor == "postgresql" and suivi.renoncer()


class Filet:
    """Outermost ASGI layer: catches what the loop's parts raise, and has Django answer it."""

    def __init__(self, suite: Appel, repondre: Callable[[Any, Environ], Reponse]) -> None:
        self._suite = suite
        self._repondre = repondre

    async def __call__(self, scope: Any, receive: Appel, send: Appel) -> None:
        commencee = attendu = False

        async def suivre(message: Any) -> None:
            nonlocal commencee
            commencee = True
            await send(message)

        async def ecouter() -> Any:
            nonlocal attendu
            message = await receive()
            attendu = message.get("more_body", False)
            return message

        try:
            exiger_une_longueur(scope)
            # Who asks before sending (Expect) is answered before they send.
            attendu = not sans_corps(scope) and all(nom != b"expect" for nom, _valeur in scope["headers"])
            await self._suite(scope, ecouter, suivre)
        except (Exception, asyncio.CancelledError) as erreur:
            if commencee:
                raise
            if attendu and not isinstance(erreur, EnvoiTropLent | asyncio.CancelledError):
                await jeter(receive)
            await self._refuser(scope, erreur, send)

    async def _refuser(self, scope: Any, erreur: BaseException, send: Appel) -> None:
        if isinstance(erreur, asyncio.CancelledError):  # the server stops, and waits for this one no longer
            erreur = ServiceIndisponible(attente=5)
        reponse = self._repondre(_avec_ce_qui_est_venu(scope, erreur), {REFUS: erreur})
        # Close the connection: the unread rest of the body would be taken for the next request.
        await envoyer(reponse._replace(entetes=[*reponse.entetes, (b"connection", b"close")]), send)


def _avec_ce_qui_est_venu(scope: Mapping[str, Any], erreur: BaseException) -> Mapping[str, Any]:
    """Of a text that stopped coming, the page gives back the part that came; a letter cut in two is dropped."""
    recu = _COUPE.sub(b"", erreur.recu) if isinstance(erreur, EnvoiTropLent) else b""
    if not recu:
        return scope
    autres = [(nom, dit) for nom, dit in scope["headers"] if nom not in LONGUEURS]
    return {**scope, "headers": [*autres, (b"content-length", b"%d" % len(recu))], "corps": io.BytesIO(recu)}


def est_sans_base(scope: Mapping[str, Any]) -> bool:
    """True for paths that need no database: a thread pool of their own answers them while the database hangs."""
    chemin = scope["path"]
    return chemin.startswith("/static/") or chemin.rstrip("/") in SANS_BASE


SANS_BASE = {
    "",
    "/securite",
    "/quitter",
    "/quitter/suite",
    "/robots.txt",
    "/favicon.ico",
    "/.well-known/security.txt",
    "/.well-known/change-password",
    "/openapi.json",
    "/asyncapi.json",
    *(f"/api/v1/{nom}" for nom in ("config", "docs", "docs/evenements", "redoc", "openapi.json", "asyncapi.json")),
}


def environ_de(scope: Mapping[str, Any]) -> Environ:
    """Build the WSGI environment, without headers whose name holds `_`: they would pass for the ones with `-`."""
    serveur, client = scope.get("server") or ("localhost", 80), scope.get("client") or ("", 0)
    environ: Environ = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": scope["path"].encode().decode("latin-1"),
        "QUERY_STRING": scope.get("query_string", b"").decode("latin-1"),
        "SERVER_PROTOCOL": f"HTTP/{scope.get('http_version', '1.1')}",
        "SERVER_NAME": str(serveur[0]),
        "SERVER_PORT": str(serveur[1] or 0),
        "REMOTE_ADDR": str(client[0]),
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope.get("scheme", "http"),
        "wsgi.input": scope.get("corps") or io.BytesIO(),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
    }
    if ENTETES_RECUS in scope:
        environ[ENTETES_RECUS] = scope[ENTETES_RECUS]
    for brut, valeur in scope["headers"]:
        if cle := _cle(brut) if len(brut) <= _NOM_COURANT else _cle.__wrapped__(brut):
            texte = valeur.decode("latin-1")
            environ[cle] = f"{environ[cle]}{_SEPARATEURS.get(cle, ',')}{texte}" if cle in environ else texte
    return environ


@lru_cache(maxsize=512)
def _cle(brut: bytes) -> str:
    """The variable of a header, empty for a name with `_`."""
    nom = brut.decode("latin-1")
    if "_" in nom:
        return ""
    cle = nom.upper().replace("-", "_")
    return cle if cle in ("CONTENT_LENGTH", "CONTENT_TYPE") else f"HTTP_{cle}"


async def envoyer(reponse: Reponse, send: Appel) -> None:
    try:
        await send({"type": "http.response.start", "status": reponse.statut, "headers": reponse.entetes})
        if reponse.fichier is not None:
            while morceau := await asyncio.to_thread(reponse.fichier.read, MORCEAU):
                await send({"type": "http.response.body", "body": morceau, "more_body": True})
        await send({"type": "http.response.body", "body": reponse.corps})
    finally:
        if reponse.fichier is not None:
            await asyncio.to_thread(reponse.fichier.close)
