"""The shape at run time, seen from outside: a stranger's middleware, signals and wraps meet every JSON request."""

import io
import json
from collections import Counter

import pytest
from django.core.signals import request_finished, request_started

from config.serveur.gestionnaire import Gestionnaire, connexion_gardee
from config.serveur.pont import environ_de
from config.serveur.tests.boucle import portee
from config.tests.outils import acteur_de, client_de
from signalements.tests.fabriques import signalement
from socle.api.acces import AccesOperation, LimitesDeLOperation
from socle.api.filters import FiltresDeLOperation
from socle.api.pagination import PageEnItems
from socle.api.renderers import EnveloppeRenderer, Negociation

pytestmark = pytest.mark.django_db
CROCHETS = {
    Negociation: "select_renderer",
    LimitesDeLOperation: "allow_request",
    AccesOperation: "has_permission",
    FiltresDeLOperation: "filter_queryset",
    PageEnItems: "paginate_queryset",
    EnveloppeRenderer: "render",
}
TOUTE = ["EnveloppeRenderer", "LimitesDeLOperation", "Negociation", "request_finished", "request_started"]
ADMISE = sorted([*TOUTE, "AccesOperation"])
PAGE = sorted([*ADMISE, "FiltresDeLOperation", "PageEnItems"])
SIGNALEMENT = {"titre": "Sac volé", "description": "Devant la bibliothèque.", "type": "VOL"}
API = "/api/v1"
vues: Counter[str] = Counter()
passees: list[tuple[str, int]] = []


def etranger(get_response):
    """A middleware that an operator adds at the end of the list."""

    def repondre(request):
        reponse = get_response(request)
        passees.append((request.resolver_match.route, reponse.status_code))
        return reponse

    return repondre


@pytest.fixture
def demander(settings, monkeypatch):
    """What the server's own handler answers, and what met that request: the classes and signals, the middleware."""
    settings.MIDDLEWARE = [*settings.MIDDLEWARE, f"{__name__}.etranger"]
    for classe, nom in CROCHETS.items():
        monkeypatch.setattr(classe, nom, _compter(classe.__name__, getattr(classe, nom)))
    signaux = {request_started: _dire("request_started"), request_finished: _dire("request_finished")}
    for signal, dire in signaux.items():
        signal.connect(dire)
    gestionnaire = Gestionnaire()

    def demander(qui, methode, chemin, corps=None):
        vues.clear()
        passees.clear()
        brut = b"" if corps is None else json.dumps(corps).encode()
        entetes = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(brut))] if brut else []
        if qui is not None:
            entetes.append((b"authorization", f"Bearer {client_de(qui).jeton}".encode()))
        nu, _, question = chemin.partition("?")
        scope = portee(nu, methode, headers=entetes, query_string=question.encode(), corps=io.BytesIO(brut))
        with connexion_gardee():
            reponse = gestionnaire.repondre(environ_de(scope))
        assert set(vues.values()) == {1}
        ((_route, statut),) = passees
        assert statut == reponse.statut
        return statut, sorted(vues), json.loads(reponse.corps)

    yield demander
    for signal, dire in signaux.items():
        signal.disconnect(dire)


def _compter(nom, vraie):
    def appeler(*args, **options):
        vues[nom] += 1
        return vraie(*args, **options)

    return appeler


def _dire(nom):
    def noter(**_dit):
        vues[nom] += 1

    return noter


def test_une_creation_un_detail_et_une_page_passent_par_tout(demander, etudiante):
    statut, vu, cree = demander(etudiante, "POST", f"{API}/signalements/", SIGNALEMENT)
    assert (statut, vu) == (201, ADMISE)

    statut, vu, lu = demander(etudiante, "GET", f"{API}/signalements/{cree['data']['id']}")
    assert (statut, vu, lu["data"]["titre"]) == (200, ADMISE, "Sac volé")

    statut, vu, page = demander(etudiante, "GET", f"{API}/signalements/me?size=5")
    assert (statut, vu, page["data"]["total"]) == (200, PAGE, 1)


def test_une_liste_filtree_passe_par_les_filtres_et_les_pages(demander, etudiante, gestionnaire):
    for titre in ("Sac volé", "Vitre cassée"):
        signalement(acteur_de(etudiante), titre=titre)

    statut, vu, page = demander(gestionnaire, "GET", f"{API}/signalements/?search=vitre")

    assert (statut, vu, [un["titre"] for un in page["data"]["items"]]) == (200, PAGE, ["Vitre cassée"])


def test_une_sonde_passe_par_la_meme_chaine(demander):
    statut, vu, _corps = demander(None, "GET", "/health/live")

    assert (statut, vu) == (200, ADMISE)


def test_une_page_fausse_se_dit_avant_ses_filtres(demander, gestionnaire):
    statut, _vu, refus = demander(gestionnaire, "GET", f"{API}/signalements/?statut=FAUX&page=-1")

    assert (statut, [un["field"] for un in refus["details"]]) == (422, ["page"])


@pytest.mark.parametrize(
    ("methode", "chemin", "corps", "statut", "vu"),
    [
        ("GET", "/signalements/me", None, 401, ADMISE),  # refused by the permission class itself
        ("POST", "/auth/login", {"email": "a"}, 422, ADMISE),
        ("PATCH", "/signalements/me", None, 405, ["EnveloppeRenderer", "request_finished", "request_started"]),
        ("GET", "/rien", None, 404, ["EnveloppeRenderer", "request_finished", "request_started"]),
    ],
)
def test_un_refus_passe_par_la_meme_chaine(demander, methode, chemin, corps, statut, vu):
    assert demander(None, methode, f"{API}{chemin}", corps)[:2] == (statut, vu)
