"""What the log says of a request, and what it does not."""

import json
import logging
import os
import re
import sys
import threading
from uuid import uuid4

import pytest

from accounts.tests.fabriques import MOT_DE_PASSE
from calendrier.services import ouvrir_flux
from config.tests.outils.envois import CORPS, SIGNALER
from config.tests.outils.scene import Scene
from socle.journal import Console, Lignes

pytestmark = pytest.mark.django_db


def test_le_journal_ne_dit_ni_jeton_ni_identifiant_ni_coordonnees_ni_contenu(brut, caplog):
    caplog.set_level(logging.DEBUG)
    scene = Scene()
    connexion, guest_id = scene.connexion("user_owner"), scene.guest_id("guest_owner")
    bearer, invite = {"Authorization": f"Bearer {connexion.token}"}, {"X-Guest-Id": guest_id}
    cle = ouvrir_flux(compte=scene.user_owner).cle
    phrase = "Il attendait devant la bibliothèque"
    identite = {"email": "awa@campus.test", "motDePasse": MOT_DE_PASSE}

    for methode, url, corps, entetes in [
        ("POST", "/api/v1/auth/login", identite, {}),
        ("POST", "/api/v1/auth/login", {**identite, "motDePasse": f"{MOT_DE_PASSE}!"}, {}),
        ("POST", "/api/v1/auth/signup", {**identite, "nom": "Diop", "prenom": "Awa"}, {}),
        ("POST", "/api/v1/auth/forgot-password", {"email": "awa@campus.test"}, {}),
        ("GET", "/api/v1/comptes/me", None, bearer),
        ("GET", f"/api/v1/comptes/?search=awa@campus.test&token={connexion.token}", None, bearer),
        ("POST", SIGNALER, {**CORPS, "description": phrase}, bearer),
        ("POST", SIGNALER, {**CORPS, "description": phrase}, invite),
        ("POST", SIGNALER, {"description": phrase, "auteurPresume": "+243812345621"}, invite),
        ("GET", f"/api/v1/signalements/guest/me?guestId={guest_id}", None, {}),
        ("GET", f"/api/v1/guest/sessions/{guest_id}", None, {}),
        ("GET", f"/api/v1/guest/sessions/{guest_id.upper()}/", None, {}),
        ("GET", f"/api/v1/guest/sessions/{guest_id}/inconnu", None, {}),
        ("GET", f"/api/v1/inconnu/{guest_id}", None, invite),
        ("GET", f"/inconnue/{guest_id}", None, {}),
        ("PUT", f"/api/v1/guest/sessions/{guest_id}", None, {}),
        ("PATCH", f"/api/v1/guest/sessions/{guest_id}/telephone", {"telephone": "+243812345699"}, {}),
        ("POST", "/api/v1/guest/sessions", {"telephone": "+243812345699", "deviceFingerprint": phrase}, {}),
        ("POST", "/api/v1/auth/refresh", {"refreshToken": connexion.refresh_token}, {}),
        ("GET", "/api/v1/comptes/me", None, {"Authorization": f"Basic {connexion.token}"}),
        ("GET", f"/api/v1/evenements?canal=signalement:{uuid4()}&guestId={guest_id}", None, invite),
        ("GET", f"/api/v1/calendriers/flux.ics?cle={cle}", None, {}),
        ("GET", f"/api/v1/calendriers/flux.ics/?cle={cle}x", None, {}),
        ("PUT", f"/api/v1/calendriers/flux.ics?cle={cle}", None, {}),
        ("GET", f"/api/v1/config?{connexion.token}", None, {"Host": f"{guest_id}.example"}),
        ("GET", f"/api/v1/config?guestId={guest_id}", None, {"Referer": f"https://x/?token={connexion.token}"}),
    ]:
        brut.generic(methode, url, json.dumps(corps or {}), "application/json", headers=entetes)
    lignes = [Lignes().format(record) for record in caplog.records if record.name != "django.db.backends"]

    journal = "\n".join(lignes).lower()
    secrets = [connexion.token, connexion.refresh_token, guest_id, guest_id.replace("-", ""), MOT_DE_PASSE, phrase]
    secrets += ["awa@campus.test", "243812345621", "243812345699", connexion.token.rpartition(".")[2]]
    secrets += cle.split(".")
    assert [secret for secret in secrets if secret.lower() in journal] == []
    assert sum('"logger":"campus.acces"' in ligne for ligne in lignes) == 26


def test_le_journal_d_acces_dit_qui_quoi_combien_de_temps(api, invite, signalement_invite, caplog):
    caplog.set_level(logging.INFO)

    reponse = api(invite).get(f"/api/v1/signalements/{signalement_invite.pk}")

    ligne = next(r for r in caplog.records if r.name == "campus.acces")
    assert (ligne.methode, ligne.route, ligne.statut) == ("GET", "/api/v1/signalements/{signalement_id}", 200)
    assert (ligne.acteur, ligne.adresse) == ("GUEST", "127.0.0.1")
    assert (ligne.requestId, ligne.ms > 0) == (reponse.headers["X-Request-Id"], True)


def test_le_format_d_un_autre_serveur_ecrit_le_processus_et_le_fil_de_chaque_ligne(brut, caplog):
    """As hypercorn and gunicorn write theirs; ours too, where somebody gives them such a form."""
    caplog.set_level(logging.INFO)
    forme = logging.Formatter("[%(process)d] [%(processName)s] [%(threadName)s %(thread)d] %(message)s")
    fil = threading.Thread(target=brut.get, args=("/api/v1/config",), name="un-fil")
    fil.start()
    fil.join()

    logging.getLogger("gunicorn.error").warning("Starting")
    la_leur = next(r for r in caplog.records if r.name == "gunicorn.error")
    la_notre = next(r for r in caplog.records if r.name == "campus.acces")

    assert (logging.logThreads, logging.logProcesses, logging.logMultiprocessing) == (True, True, True)
    assert forme.format(la_leur).startswith(f"[{os.getpid()}] [MainProcess] [MainThread ")
    assert forme.format(la_notre) == f"[{os.getpid()}] [MainProcess] [un-fil {la_notre.thread}] requete"
    assert la_notre.thread != threading.get_ident()


def test_une_methode_inventee_n_est_pas_ecrite_au_journal(brut, caplog):
    caplog.set_level(logging.INFO)

    brut.generic("MOT-DE-PASSE", "/api/v1/config")

    assert next(r for r in caplog.records if r.name == "campus.acces").methode == "AUTRE"


@pytest.mark.parametrize(
    ("reglage", "v4", "v6"),
    [
        ("full", "203.0.113.9", "2001:db8:7:8::1"),
        ("short", "203.0.113.0/24", "2001:db8:7::/48"),
        ("none", "", ""),
    ],
)
def test_le_journal_d_acces_garde_de_l_adresse_ce_que_le_reglage_dit(client, settings, caplog, reglage, v4, v6):
    caplog.set_level(logging.INFO)
    settings.LOG_ADDRESSES = reglage

    for adresse in ("203.0.113.9", "::ffff:203.0.113.9", "2001:db8:7:8::1", "fe80::1%eth0", ""):
        client.get("/api/v1/config", REMOTE_ADDR=adresse)

    lignes = [r for r in caplog.records if r.name == "campus.acces"]
    assert [r.adresse for r in lignes[:3]] == [v4, v4, v6]
    if reglage != "full":
        ecrit = "".join(Lignes().format(ligne) for ligne in lignes)
        assert [entiere for entiere in ("203.0.113.9", "2001:db8:7:8", "fe80::1", "eth0") if entiere in ecrit] == []


def test_ce_qu_une_bibliotheque_ecrit_est_caviarde(caplog):
    jeton = Scene().connexion("user_owner").token
    textes = [
        f"GET /ws/user:1?token={jeton}&depuis=3",
        f"GET /api/v1/guest/sessions/{uuid4()}/merge",
        "IntegrityError DETAIL: Key (email)=(awa@campus.test) already exists.",
        f"en-têtes : {{'X-Guest-Id': '{uuid4()}'}}",
        "SMS vers +243 812 345 621",
    ]
    fuites = [jeton, textes[1].split("/")[5], "awa@campus.test", textes[3].split("'")[3], "812 345 621"]

    ecrites = [Lignes().format(logging.LogRecord("x", 20, "", 0, texte, (), None)) for texte in textes]

    assert [fuite for fuite, ecrite in zip(fuites, ecrites, strict=True) if fuite in ecrite] == []


# --- Forms and ids


def une_ligne(**champs):
    ligne = logging.LogRecord(
        "campus.base", logging.WARNING, __file__, 1, "absente pour %s", ("awa@campus.test",), None
    )
    vars(ligne).update(champs)
    return ligne


def test_les_cles_sont_celles_des_collecteurs():
    lue = json.loads(Lignes().format(une_ligne(methode="GET", route="/x", statut=200, ms=1.5, requestId="abc")))

    assert lue.pop("timestamp").endswith("+00:00")
    assert lue == {
        "level": "WARNING",
        "logger": "campus.base",
        "message": "absente pour [courriel]",
        "method": "GET",
        "route": "/x",
        "status": 200,
        "duration_ms": 1.5,
        "request_id": "abc",
    }


@pytest.mark.parametrize("forme", [Lignes, Console])
def test_une_exception_est_caviardee_dans_les_deux_formes(forme):
    try:
        raise ValueError("DETAIL: awa@campus.test")
    except ValueError:
        ligne = une_ligne(exc_info=sys.exc_info())

    ecrite = forme().format(ligne)

    assert "ValueError" in ecrite
    assert "awa@" not in ecrite


def test_la_console_tient_sur_une_ligne():
    ecrite = Console().format(une_ligne(methode="GET", statut=200))

    assert ecrite[8:] == " WARNING campus.base absente pour [courriel] method=GET status=200"


@pytest.mark.parametrize(
    ("mandataires", "recu", "garde"),
    [
        (["127.0.0.1"], "req-2026.11_23-abc", True),
        (["127.0.0.1"], "x" * 64, True),
        ([], "req-2026.11_23-abc", False),
        (["10.0.0.1"], "req-2026.11_23-abc", False),
        (["127.0.0.1"], "court", False),
        (["127.0.0.1"], "x" * 65, False),
        (["127.0.0.1"], "deux mots ici", False),
        (["127.0.0.1"], "awa@campus.test", False),
        (["127.0.0.1"], "", False),
    ],
)
@pytest.mark.parametrize("adresse", ["/api/v1/config", "/aide/"])
def test_un_identifiant_de_requete_ne_vient_que_d_un_mandataire(brut, settings, adresse, mandataires, recu, garde):
    settings.TRUSTED_PROXIES = mandataires

    rendu = brut.get(adresse, headers={"X-Request-Id": recu})["X-Request-Id"]

    assert (rendu == recu) is garde
    assert garde or re.fullmatch("[0-9a-f]{32}", rendu)
