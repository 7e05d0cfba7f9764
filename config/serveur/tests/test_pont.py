"""From the loop to Django and back: the environment, one hop, deadlines, files, faults."""

import asyncio
import io
import json
import threading
from contextvars import ContextVar

import pytest
from django.db import OperationalError, connections
from django.http import FileResponse, HttpResponse

from config.serveur import pont
from config.serveur.gestionnaire import Gestionnaire, Reponse, connexion_gardee
from config.serveur.pont import Pont, environ_de
from config.serveur.tests.boucle import DJANGO, PONT, appeler, attendre_que, avec_filet, morceau, portee
from config.tests.outils.serveur import attendre
from socle.api.reseau import adresse_client
from socle.moteur.delais import commencer_une_fin
from socle.moteur.executeur import Executeur


def servir(repondre, *, delai=1.0, fils=None):
    return Pont(repondre, fils or Executeur(1, "essai"), Executeur(1, "essai-sans-base"), delai=delai)


def reponse_de(envoyes):
    return envoyes[0]["status"], b"".join(m.get("body", b"") for m in envoyes[1:])


def ok(environ):
    return Reponse(200, [(b"content-type", b"text/plain")], b"corps de " + environ["wsgi.input"].read())


async def test_un_corps_va_a_django_et_sa_reponse_revient_entiere():
    envoyes = await appeler(servir(ok), portee(corps=io.BytesIO(b"la requete")), [])

    assert reponse_de(envoyes) == (200, b"corps de la requete")
    assert len(envoyes) == 2


# --- Headers ----------------------------------------------------------------------------------------------------------


def test_un_en_tete_dont_le_nom_a_un_souligne_n_atteint_pas_django():
    entetes = [(b"x_forwarded_for", b"203.0.113.9"), (b"x-guest_id", b"a"), (b"x-forwarded-for", b"198.51.100.4")]

    environ = environ_de(portee(headers=entetes))

    assert [environ.get(nom) for nom in ("HTTP_X_FORWARDED_FOR", "HTTP_X_GUEST_ID")] == ["198.51.100.4", None]


def test_derriere_un_mandataire_un_souligne_ne_choisit_pas_l_adresse(rf, settings):
    settings.TRUSTED_PROXIES = ["192.0.2.7"]
    environ = environ_de(portee(headers=[(b"x_forwarded_for", b"203.0.113.9")]))

    requete = rf.get("/", **{nom: valeur for nom, valeur in environ.items() if nom.isupper()})

    assert adresse_client(requete) == "192.0.2.7"


def test_des_en_tetes_repetes_se_joignent_comme_http_le_veut():
    entetes = [(b"cookie", b"a=1"), (b"cookie", b"b=2"), (b"accept", b"text/html"), (b"accept", b"*/*")]

    environ = environ_de(portee(headers=entetes))

    assert (environ["HTTP_COOKIE"], environ["HTTP_ACCEPT"]) == ("a=1; b=2", "text/html,*/*")


def test_des_noms_d_en_tete_inconnus_sans_fin_ne_remplissent_rien():
    for rang in range(2000):
        environ_de(portee(headers=[(b"x-%d" % rang, b"a"), (b"x" * 60_000 + b"%d" % rang, b"b")]))

    gardes = pont._cle.cache_info()
    assert gardes.currsize <= gardes.maxsize == 512
    environ = environ_de(portee(headers=[(b"x" * 65, b"b")]))
    assert environ["HTTP_" + "X" * 65] == "b"
    assert pont._cle.cache_info().misses == gardes.misses


async def test_la_boucle_n_ouvre_pas_de_connexion_pour_ce_qu_elle_rend():
    """Each task of a loop has its own set of connections."""

    async def rendre():
        return PONT.dans_la_boucle(portee("/health/live", methode="GET"), {}).statut, connections.all(True)

    await asyncio.create_task(rendre())  # the first one loads the routes
    assert await asyncio.create_task(rendre()) == (200, [])


@pytest.fixture
def rendre():
    """What the server's handler makes of this answer of Django's."""

    def rendre(reponse):
        gestionnaire = Gestionnaire()
        gestionnaire.get_response = lambda _requete: reponse
        return gestionnaire.repondre(environ_de(portee(methode="GET")))

    with connexion_gardee():
        yield rendre


def test_un_cookie_part_sans_blancs_autour(rendre):
    reponse = HttpResponse()
    reponse.set_cookie("csrftoken", "abc")

    assert (b"set-cookie", b"csrftoken=abc; Path=/") in rendre(reponse).entetes


# --- Deadlines --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("methode", "code", "quand"), [("GET", "SERVICE_UNAVAILABLE", [b"5"]), ("POST", "RESULT_UNKNOWN", [])]
)
async def test_ce_qui_pend_recoit_un_503_dans_son_delai(methode, code, quand, monkeypatch):
    """What has begun, and changes something, may be done by then: nobody is told to begin again."""
    fin = threading.Event()
    monkeypatch.setattr(pont, "_arrete", lambda _suivi: False)

    def pendre(environ):
        fin.wait(10)
        return ok(environ)

    envoyes = await appeler(servir_sur_django(pendre, delai=0.2), portee(methode=methode), [])
    fin.set()

    statut, corps = reponse_de(envoyes)
    assert (statut, json.loads(corps)["code"]) == (503, code)
    assert [valeur for nom, valeur in envoyes[0]["headers"] if nom == b"retry-after"] == quand


async def test_ce_qui_a_commence_avant_un_gel_est_repondu_comme_fait(monkeypatch):
    """The process was stopped past its deadline: its timers come before its threads have said what they did."""
    monkeypatch.setattr("socle.moteur.executeur.RETARD_SECONDES", 0.1)
    commence, repart, boucle = threading.Event(), threading.Event(), asyncio.get_running_loop()

    def valider(environ):
        commence.set()
        repart.wait(10)
        return ok(environ)

    reponse = asyncio.create_task(appeler(servir_sur_django(valider, delai=0.3), portee(), []))
    await attendre_que(commence.is_set)
    threading.Event().wait(0.8)  # nothing of the loop runs
    boucle.call_later(0.2, repart.set)

    assert reponse_de(await reponse) == (200, b"corps de ")


async def test_ce_qui_attendait_pendant_un_gel_n_est_jamais_fait(monkeypatch):
    monkeypatch.setattr("socle.moteur.executeur.RETARD_SECONDES", 0.1)
    fils, fin, vus = Executeur(1, "gel"), threading.Event(), []
    fils.submit(fin.wait, 10)
    en_retard = asyncio.create_task(fils.passer(0.2, vus.append, "en retard"))
    await asyncio.sleep(0)
    threading.Event().wait(0.6)

    with pytest.raises(TimeoutError) as refus:
        await en_retard
    fin.set()
    await fils.passer(10, vus.append, "à l'heure")

    assert (type(refus.value), vus) == (TimeoutError, ["à l'heure"])


async def test_une_requete_refusee_dans_la_file_n_est_jamais_executee():
    fin, vues = threading.Event(), []

    def pendre(environ):
        vues.append(environ["PATH_INFO"])
        fin.wait(10)
        return ok(environ)

    application = servir_sur_django(pendre, delai=1.0)
    premiere = asyncio.create_task(appeler(application, portee("/api/v1/un"), []))
    await attendre_que(lambda: vues)
    seconde = await appeler(application, portee("/api/v1/deux"), [])
    fin.set()
    await premiere
    await appeler(application, portee("/api/v1/trois"), [])

    assert reponse_de(seconde)[0] == 503
    assert vues == ["/api/v1/un", "/api/v1/trois"]


async def test_ce_qui_se_passe_de_la_base_est_servi_pendant_qu_elle_pend():
    fin, occupes = threading.Event(), Executeur(1, "essai")
    occupes.submit(fin.wait, 10)
    application = Pont(ok, occupes, Executeur(1, "essai-sans-base"), delai=2.0)

    envoyes = await appeler(application, portee("/api/v1/config/", "GET"), [])
    fin.set()

    assert reponse_de(envoyes)[0] == 200


def servir_sur_django(repondre, *, delai):
    """The given application in the thread; what the loop answers itself is Django's."""

    def choisir(environ):
        return (DJANGO.repondre if pont.REFUS in environ else repondre)(environ)

    return servir(choisir, delai=delai)


# --- Faults -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("chemin", "type_"), [("/api/v1/fichiers/upload", "application/json"), ("/admin/", "text/html; charset=utf-8")]
)
async def test_une_base_absente_avant_django_est_un_503_dans_la_forme_du_chemin(chemin, type_):
    async def panne(scope, receive, send):
        raise OperationalError("connection refused")

    envoyes = await appeler(avec_filet(panne), portee(chemin, headers=[(b"host", b"testserver")]), [morceau(b"")])

    entetes = dict(envoyes[0]["headers"])
    assert envoyes[0]["status"] == 503
    assert (entetes[b"content-type"].decode(), entetes[b"retry-after"]) == (type_, b"5")


async def test_qui_envoie_encore_quand_le_serveur_s_arrete_recoit_un_refus(caplog):
    async def attendre(scope, receive, send):
        await receive()

    demande = asyncio.create_task(appeler(avec_filet(attendre), portee(headers=[(b"host", b"testserver")]), []))
    await asyncio.sleep(0)
    demande.cancel()

    envoyes = await demande

    entetes = dict(envoyes[0]["headers"])
    assert (envoyes[0]["status"], entetes[b"retry-after"], entetes[b"connection"]) == (503, b"5", b"close")
    assert not [ligne for ligne in caplog.records if ligne.exc_info]


async def test_une_panne_pendant_la_reponse_remonte_au_serveur():
    async def panne(scope, receive, send):
        await send({"type": "http.response.start", "status": 200, "headers": []})
        raise ConnectionResetError("parti")

    with pytest.raises(ConnectionResetError, match="parti"):
        await appeler(avec_filet(panne), portee(), [])


# --- Files ------------------------------------------------------------------------------------------------------------


async def test_un_fichier_part_de_la_boucle_et_se_ferme(rendre):
    lus_par = []

    class Fichier(io.BytesIO):
        def read(self, *taille):
            lus_par.append(threading.current_thread().name)
            return super().read(*taille)

    fichier = Fichier(b"a" * 600_000)

    messages = await appeler(servir(lambda environ: rendre(FileResponse(fichier))), portee(methode="GET"), [])

    assert reponse_de(messages) == (200, b"a" * 600_000)
    assert [m.get("more_body", False) for m in messages[1:]] == [True, True, True, False]
    assert fichier.closed
    assert not [nom for nom in lus_par if nom.startswith("essai")]


def test_ce_qui_rend_son_fil_ferme_aussi_sa_reponse(rendre):
    fermees = []
    reponse = HttpResponse(b"a")
    reponse._resource_closers.append(lambda: fermees.append(True))

    assert (rendre(reponse).corps, fermees, reponse.closed) == (b"a", [True], True)


def test_une_reponse_qui_ne_s_ecrit_pas_est_fermee(rendre):
    reponse = FileResponse(io.BytesIO(b"a"))
    reponse.items = lambda: [("X-Essai", "…")]

    with pytest.raises(UnicodeEncodeError):
        rendre(reponse)

    assert reponse.file_to_stream.closed


# --- Threads ----------------------------------------------------------------------------------------------------------


def test_un_service_calme_ne_se_sert_que_d_un_fil():
    fils = Executeur(4, "calme")

    noms = set()
    for _rang in range(20):
        noms.add(fils.submit(lambda: threading.current_thread().name).result())
        attendre(lambda: fils._boites, "un fil oisif")  # it puts itself there after it has answered

    assert noms == {"calme-1"}


def test_des_fils_ne_depassent_pas_leur_nombre_et_font_tout():
    fils, fin, faits = Executeur(3, "nombre"), threading.Event(), []

    def travailler(rang):
        fin.wait(5)
        faits.append((rang, threading.current_thread().name))

    futurs = [fils.submit(travailler, rang) for rang in range(10)]
    fin.set()
    for futur in futurs:
        futur.result(5)

    assert sorted(rang for rang, _nom in faits) == list(range(10))
    assert {nom for _rang, nom in faits} <= {f"nombre-{n}" for n in (1, 2, 3)}


def test_un_fil_qui_pend_ne_retient_pas_ce_qui_le_suit():
    fils, fin = Executeur(2, "pend"), threading.Event()
    for _rang in range(2):  # with threads still to launch, then with all of them launched
        pendu = fils.submit(fin.wait, 10)
        suivis = [fils.submit(threading.get_ident) for _rang in range(5)]

        assert len({futur.result(5) for futur in suivis}) == 1
        fin.set()
        pendu.result(5)
        fin.clear()


async def test_un_appel_abandonne_dans_la_file_n_est_jamais_execute():
    fils, fin, vus = Executeur(1, "abandon"), threading.Event(), []
    fils.submit(fin.wait, 10)
    abandonne = asyncio.create_task(fils.passer(10, vus.append, "abandonné"))
    await asyncio.sleep(0)
    abandonne.cancel()
    with pytest.raises(TimeoutError):
        await fils.passer(0.05, vus.append, "en retard")
    fin.set()
    await fils.passer(10, vus.append, "à l'heure")

    assert (abandonne.cancelled(), vus) == (True, ["à l'heure"])


async def test_des_appels_echelonnes_ont_chacun_leur_delai():
    fils, fin = Executeur(1, "délais"), threading.Event()
    fils.submit(fin.wait, 10)
    boucle, duree = asyncio.get_running_loop(), 0.3

    async def attendre(apres):
        await asyncio.sleep(apres)
        debut = boucle.time()
        with pytest.raises(TimeoutError):
            await fils.passer(duree, int)
        return boucle.time() - debut

    attentes = await asyncio.gather(*(attendre(rang / 20) for rang in range(5)))
    fin.set()

    assert min(attentes) >= duree - 0.02
    assert await fils.passer(duree, int) == 0


async def test_un_appel_rend_son_erreur_et_garde_son_contexte():
    fils, qui = Executeur(1, "contexte"), ContextVar("qui")
    qui.set("elle")

    with pytest.raises(ZeroDivisionError):
        await fils.passer(10, lambda: 1 / 0)

    assert await fils.passer(10, qui.get) == "elle"


def test_un_fil_oisif_rend_sa_connexion(monkeypatch):
    rendues = threading.Event()
    monkeypatch.setattr("socle.moteur.executeur.connections.close_all", rendues.set)
    fils = Executeur(1, "oisif", oisif=0.05)

    fils.submit(int).result()

    assert rendues.wait(10)
    assert fils.submit(lambda: 7).result(2) == 7


def test_une_erreur_d_un_travail_est_pour_qui_l_attend():
    fils = Executeur(1, "erreur")

    with pytest.raises(ZeroDivisionError):
        fils.submit(lambda: 1 / 0).result()

    assert fils.submit(int).result() == 0


@pytest.mark.parametrize(("avant", "code"), [(True, "RESULT_UNKNOWN"), (False, "SERVICE_UNAVAILABLE")])
async def test_ce_dont_rien_n_etait_encore_valide_ne_le_sera_plus(avant, code, monkeypatch):
    fin, validees = threading.Event(), []
    monkeypatch.setattr(pont, "_arrete", lambda suivi: suivi.renoncer())

    def pendre(environ):
        if avant:
            commencer_une_fin()
        fin.wait(10)
        try:
            commencer_une_fin()
            validees.append(True)
        except OperationalError:
            validees.append(False)
        return ok(environ)

    envoyes = await appeler(servir_sur_django(pendre, delai=0.2), portee(), [])
    fin.set()
    await attendre_que(lambda: validees)

    assert (json.loads(reponse_de(envoyes)[1])["code"], validees) == (code, [avant])
