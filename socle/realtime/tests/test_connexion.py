"""One socket: who is let in, what it says, what ends it."""

import asyncio
from uuid import uuid4

import pytest
from django.db import OperationalError

from socle.realtime import consumers, guichet
from socle.realtime.tests.fabriques import Prise, fermer_plus_tard, publier_plus_tard
from socle.realtime.vocabulaire import PERSONNEL


async def test_la_connexion_est_saluee(foyer, canal):
    await publier_plus_tard("essai_fait", [canal], {})

    salut = await (await foyer.frapper(canal)).entendre()

    assert (salut["type"], salut["canal"]) == ("connected", canal)
    assert salut["payload"] == {"userId": str(foyer.etudiante.compte_id), "canal": canal, "eventId": "1"}
    assert salut["timestamp"].endswith("Z")


@pytest.mark.parametrize("qui", ["etudiante", "invite"])
async def test_le_salut_ne_compte_pas_ce_qui_arrive_ailleurs(foyer, canal, qui):
    await publier_plus_tard("essai_fait", [canal], {})
    await publier_plus_tard("note", [canal], {}, audience=PERSONNEL)
    await publier_plus_tard("essai_fait", ["equipe"], {})

    salut = await (await foyer.frapper(canal, qui)).entendre()
    ailleurs = await (await foyer.frapper(f"essai:{uuid4()}", qui)).entendre()

    assert (salut["payload"]["eventId"], ailleurs["payload"]["eventId"]) == ("1", "1")


async def test_revenir_avec_le_numero_du_salut_rend_la_suite(foyer, canal):
    await publier_plus_tard("essai_fait", ["equipe"], {})
    await publier_plus_tard("essai_fait", ["equipe"], {})
    prise = await foyer.frapper(canal)
    annonce = (await prise.entendre())["payload"]["eventId"]
    await prise.raccrocher()
    await publier_plus_tard("essai_fait", [canal], {"n": 1})

    retour = await foyer.entrer(canal, depuis=annonce)

    assert (await retour.entendre())["payload"] == {"n": 1}


async def test_un_invite_est_salue_sans_identifiant(foyer, canal):
    salut = await (await foyer.frapper(canal, "invite")).entendre()

    assert salut["payload"] == {"userId": None, "canal": canal, "eventId": "0"}


@pytest.mark.parametrize("prefixe", ["/ws/", "/api/v1/ws/"])
@pytest.mark.parametrize("fin", ["", "/"])
async def test_les_deux_adresses_menent_au_canal(foyer, canal, prefixe, fin):
    prise = await foyer.frapper(canal + fin, prefixe=prefixe)

    assert (await prise.entendre())["payload"]["canal"] == canal


async def test_une_adresse_sans_canal_est_refusee_avant_l_ouverture(foyer):
    accepte, _ = await Prise(foyer._app, "/ailleurs")._communicateur.connect()

    assert not accepte


async def test_un_jeton_inconnu_ferme_en_4001(foyer, canal):
    prise = await foyer.frapper(canal, "inconnue")

    assert await prise.code() == 4001


@pytest.mark.parametrize(
    "refuse", ["equipe", "inconnu", "essai:12", "essai", "", "prive:5f0c2a9e-6a7c-4c7e-9f6b-0a1b2c3d4e5f", "_controle"]
)
async def test_un_canal_refuse_inconnu_ou_mal_forme_ferme_en_4003(foyer, refuse):
    prise = await foyer.frapper(refuse)

    assert await prise.code() == 4003


async def test_une_base_absente_ferme_en_1013(foyer, canal, monkeypatch):
    def echouer(*args):
        raise OperationalError

    monkeypatch.setattr(guichet, "etablir", echouer)
    prise = await foyer.frapper(canal)

    assert await prise.code() == 1013


async def test_ping_repond_pong(foyer, canal):
    prise = await foyer.entrer(canal)

    await prise.dire("ping")

    assert await prise.entendre() == "pong"


@pytest.mark.parametrize("trame", [{"texte": "bonjour"}, {"texte": "Ping"}, {"texte": "{}"}, {"octets": b"ping"}])
async def test_une_autre_trame_recoit_une_erreur_et_la_session_continue(foyer, canal, trame):
    prise = await foyer.entrer(canal)

    await prise.dire(**trame)
    erreur = await prise.entendre()
    await prise.dire("ping")

    assert (erreur["type"], erreur["canal"]) == ("error", canal)
    assert erreur["payload"]["code"] == "INVALID_FRAME"
    assert erreur["payload"]["message"]
    assert await prise.entendre() == "pong"


@pytest.mark.parametrize("trame", [{"texte": "é" * 2049}, {"octets": b"x" * 4097}])
async def test_une_trame_trop_longue_ferme_en_1009(foyer, canal, trame):
    prise = await foyer.entrer(canal)

    await prise.dire(**trame)

    assert await prise.code() == 1009


async def test_un_socket_de_trop_ferme_en_4008(foyer, canal, settings):
    settings.SOCKETS_PAR_ACTEUR = 2
    premiere, _ = await foyer.entrer(canal), await foyer.entrer(canal)

    code = await (await foyer.frapper(canal)).code()
    autre = await foyer.entrer(canal, "invite")
    await premiere.raccrocher()
    await foyer.entrer(canal)

    assert code == 4008
    assert await autre.est_silencieuse(0.1)


async def test_un_evenement_arrive_a_qui_ecoute_son_canal(foyer, canal):
    prise, ailleurs = await foyer.entrer(canal), await foyer.entrer(f"essai:{uuid4()}")

    await publier_plus_tard("essai_fait", [canal], {"n": 1})
    recu = await prise.entendre()

    assert (recu["type"], recu["canal"], recu["payload"], recu["eventId"]) == ("essai_fait", canal, {"n": 1}, "1")
    assert await ailleurs.est_silencieuse()


async def test_ce_qui_est_pour_le_personnel_n_est_pas_entendu_du_public(foyer, canal):
    etudiante, gestionnaire = await foyer.entrer(canal), await foyer.entrer(canal, "gestionnaire")

    await publier_plus_tard("note", [canal], {}, audience=PERSONNEL)
    await publier_plus_tard("reponse", [canal], {})

    assert [e["type"] for e in await gestionnaire.entendre_tout(2)] == ["note", "reponse"]
    assert (await etudiante.entendre())["type"] == "reponse"


async def test_une_session_revoquee_ferme_apres_ce_qui_precede(foyer):
    canal = f"prive:{foyer.etudiante.compte_id}"
    prise, autre = await foyer.entrer(canal), await foyer.entrer(f"essai:{uuid4()}", "gestionnaire")

    await publier_plus_tard("essai_fait", [canal], {})
    await fermer_plus_tard(comptes=[foyer.etudiante.compte_id])
    await publier_plus_tard("trop_tard", [canal], {})

    assert (await prise.entendre())["type"] == "essai_fait"
    assert await prise.code() == 4001
    assert await autre.est_silencieuse()


@pytest.mark.parametrize(
    ("qui", "cible"), [("etudiante", "session_id"), ("etudiante", "compte_id"), ("invite", "invite_id")]
)
async def test_fermer_sockets_vise_par_session_compte_ou_invite(foyer, canal, qui, cible):
    prise = await foyer.entrer(canal, qui)
    nom = {"session_id": "sessions", "compte_id": "comptes", "invite_id": "invites"}[cible]

    await fermer_plus_tard(**{nom: [getattr(foyer.jetons[qui], cible)]})

    assert await prise.code() == 4001


async def test_un_jeton_qui_expire_ferme_en_4001(foyer, canal):
    foyer.expirer_dans(0.4)
    prise = await foyer.entrer(canal)

    assert await prise.est_silencieuse(0.1)
    assert await prise.code() == 4001


async def test_la_session_est_reverifiee_sans_la_couche(foyer, canal, settings):
    settings.SOCKET_REVALIDATION_SECONDS = 0.2
    prise = await foyer.entrer(canal)
    await asyncio.sleep(0.5)
    verifications = foyer.verifications
    del foyer.jetons["etudiante"]

    assert verifications > 1
    assert await prise.code() == 4001


async def test_un_droit_perdu_ferme_en_4003(foyer, settings):
    settings.SOCKET_REVALIDATION_SECONDS = 0.2
    prise = await foyer.entrer("equipe", "gestionnaire")

    foyer.jetons["gestionnaire"] = foyer.etudiante

    assert await prise.code() == 4003


async def test_un_droit_reduit_cesse_d_entendre_le_personnel(foyer, canal, settings):
    settings.SOCKET_REVALIDATION_SECONDS = 0.2
    prise = await foyer.entrer(canal, "gestionnaire")
    foyer.gestionnaire.acteur.compte.role = foyer.etudiante.acteur.compte.role
    await asyncio.sleep(0.5)

    await publier_plus_tard("note", [canal], {}, audience=PERSONNEL)
    await publier_plus_tard("reponse", [canal], {})

    assert (await prise.entendre())["type"] == "reponse"


async def test_une_base_absente_ne_ferme_pas_un_socket_ouvert(foyer, canal, settings, monkeypatch):
    def echouer(*args):
        raise OperationalError

    settings.SOCKET_REVALIDATION_SECONDS = 0.1
    monkeypatch.setattr(consumers, "verifier", echouer)
    prise = await foyer.entrer(canal)
    await asyncio.sleep(0.3)

    await prise.dire("ping")

    assert await prise.entendre() == "pong"


async def test_un_socket_trop_lent_ferme_en_1013(foyer, canal, monkeypatch):
    monkeypatch.setattr(consumers, "FILE_MAXIMALE", 3)
    prise = await foyer.entrer(canal)
    bloquee = asyncio.Event()

    async def ne_rien_lire(*args, **options):
        await bloquee.wait()

    monkeypatch.setattr(consumers.Consommateur, "send", ne_rien_lire)
    for n in range(6):
        await publier_plus_tard("essai_fait", [canal], {"n": n})

    assert await prise.code() == 1013
