"""Openings judged together: as each alone, in as many statements for many tokens as for one."""

import asyncio
import threading
from uuid import uuid4

import pytest
from django.db import DataError, OperationalError, connection
from django.test.utils import CaptureQueriesContext

from accounts.authentication import acteurs_des_jetons
from accounts.services import sessions
from accounts.tests.outils import se_connecter
from config.serveur.identites import acteur_du_jeton, identifier
from config.tests.outils import acteur_de
from discussions.tests import fabriques as discussions
from guests.tests.fabriques import fusionner
from signalements.tests import fabriques as signalements
from socle.erreurs import JetonInvalide
from socle.realtime import guichet
from socle.realtime.auth import DemandeDeSocket, Ecoute, Identite, IdentiteRefusee, Portier, etablir
from socle.realtime.canaux import audiences, mener, ouvrir
from socle.realtime.diffusion import publier
from socle.realtime.guichet import Guichet, etablir_chacune
from socle.realtime.numerotation import numeroter
from socle.realtime.tests.fabriques import identite
from socle.realtime.vocabulaire import PERSONNEL, PUBLIC

CLE = uuid4()
SCOPE = {"headers": [], "client": ("192.0.2.7", 4000)}


def demande(jeton, **scope):
    return DemandeDeSocket({"token": jeton}, {**SCOPE, **scope})


def jeton_de(compte):
    return se_connecter(compte).json()["data"]["token"]


# --- What is judged -------------------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_des_jetons_lus_ensemble_sont_ceux_qu_on_lirait_un_a_un(etudiante, autre_etudiante, gestionnaire, admin):
    finie, inactif, *restes = map(jeton_de, (etudiante, autre_etudiante, gestionnaire, admin))
    sessions.deconnecter(acteur=acteur_du_jeton(finie))
    type(autre_etudiante).objects.filter(pk=autre_etudiante.pk).update(est_actif=False)

    lus = acteurs_des_jetons([finie, inactif, "", "faux", "a.b.c", *restes])

    assert lus == {jeton: acteur_du_jeton(jeton) for jeton in restes}
    for jeton in (finie, inactif, "faux"):
        with pytest.raises(JetonInvalide):
            acteur_du_jeton(jeton)


@pytest.mark.django_db
def test_beaucoup_d_ouvertures_coutent_autant_de_requetes_qu_une(etudiante, gestionnaire):
    echanges = [discussions.discussion(acteur_de(etudiante)) for _rang in range(3)]
    jetons = [jeton_de(etudiante), jeton_de(gestionnaire)]
    portier = Portier(identifier)
    numeroter()  # what was published by the lines above

    def requetes(entrees):
        with CaptureQueriesContext(connection) as lues:
            assert all(isinstance(reponse, Ecoute) for reponse in etablir(portier, entrees))
        return len(lues)

    seule = [(demande(jetons[0]), f"discussion:{echanges[0].pk}")]
    toutes = [(demande(jeton), f"discussion:{echange.pk}") for jeton in jetons for echange in echanges] * 5
    assert requetes(seule) == requetes(toutes) == 4  # numbers, sessions, discussions, newest events


@pytest.mark.django_db
def test_chacune_a_sa_reponse(etudiante, gestionnaire, canaux_d_essai):
    def admettre(scope):
        if scope["client"] is None:
            raise IdentiteRefusee(1013)

    publier("essai_fait", ["equipe"], {})
    publier("note", ["equipe"], {}, audience=PERSONNEL)
    publier("essai_fait", [f"essai:{CLE}"], {})
    elle, lui = jeton_de(etudiante), jeton_de(gestionnaire)
    entrees = [
        (demande(elle, client=None), f"essai:{CLE}"),
        (demande("faux"), f"essai:{CLE}"),
        (demande(elle), "equipe"),
        (demande(lui), "equipe"),
        (demande(elle), f"essai:{CLE}"),
        (demande(lui), "inconnu"),
        (demande(elle), f"essai:{uuid4()}"),
    ]

    reponses = etablir(Portier(identifier, admettre), entrees)

    codes = [reponse.code if isinstance(reponse, IdentiteRefusee) else None for reponse in reponses]
    assert codes == [1013, 4001, 4003, None, None, 4003, None]
    entendues = [reponse for reponse in reponses if isinstance(reponse, Ecoute)]
    assert [(e.identite.compte_id, e.audiences, e.depart, e.dernier) for e in entendues] == [
        (gestionnaire.pk, [PUBLIC, PERSONNEL], 3, 2),
        (etudiante.pk, [PUBLIC], 3, 3),
        (etudiante.pk, [PUBLIC], 3, 1),
    ]


@pytest.mark.django_db
def test_ce_qui_est_joint_mene_au_meme_canal_par_la_regle_que_seul(etudiante, invite):
    memes_faits = {"titre": "Vol", "description": "Un sac.", "type": "VOL", "mode_identification": "ANONYME"}
    cible, joint = (signalements.signalement(acteur_de(qui), **memes_faits) for qui in (etudiante, invite))
    fusionner(invite, etudiante)
    canaux = [f"signalement:{joint.pk}", f"signalement:{cible.pk}", f"signalement:{uuid4()}", "calendriers"]

    acteur = acteur_de(etudiante)

    attendus = [(audiences(acteur, canal), mener(canal)) for canal in canaux]
    assert [une[:2] for une in ouvrir([(acteur, canal) for canal in canaux])] == attendus
    assert attendus[0][1] == f"signalement:{cible.pk}"


# --- Who waits for whom ---------------------------------------------------------------------------------------------


@pytest.fixture
def essai(monkeypatch):
    """Openings of this channel are judged by the test alone, without a database."""
    lots = []

    def juger(portier, entrees):
        lots.append([canal for _demande, canal in entrees])
        return [portier.identifier(canal) for _demande, canal in entrees]

    monkeypatch.setattr(guichet, "etablir", juger)
    return lots


async def test_ce_qui_vient_pendant_qu_on_juge_est_juge_ensemble(essai):
    entre, suite = threading.Event(), threading.Event()
    qui = identite()

    def juger(canal):
        entre.set()
        assert suite.wait(10)
        return Ecoute(qui, [PUBLIC], canal=canal)

    bureau = Guichet(Portier(juger))
    premiere = asyncio.create_task(bureau.etablir(demande("a"), "0"))
    await asyncio.to_thread(entre.wait, 10)
    autres = [asyncio.create_task(bureau.etablir(demande("a"), str(rang))) for rang in range(1, 150)]
    await asyncio.sleep(0.05)
    suite.set()

    ecoutes = await asyncio.gather(premiere, *autres)

    assert [ecoute.canal for ecoute in ecoutes] == [str(rang) for rang in range(150)]
    assert [len(lot) for lot in essai] == [1, guichet.LOT, 49]


async def test_celle_qui_pend_ne_retient_pas_les_suivantes(essai, monkeypatch):
    monkeypatch.setattr(guichet, "PATIENCE", 0.05)
    entre, suite = threading.Event(), threading.Event()

    def juger(canal):
        if canal == "pend":
            entre.set()
            assert suite.wait(10)
        return Ecoute(identite(), [PUBLIC], canal=canal)

    bureau = Guichet(Portier(juger))
    pendue = asyncio.create_task(bureau.etablir(demande("a"), "pend"))
    await asyncio.to_thread(entre.wait, 10)

    suivante = await asyncio.wait_for(bureau.etablir(demande("a"), "suit"), 5)

    assert suivante.canal == "suit"
    assert not pendue.done()
    suite.set()
    assert (await pendue).canal == "pend"


async def test_celle_qui_vient_quand_la_precedente_finit_n_attend_personne(essai, monkeypatch):
    monkeypatch.setattr(guichet, "REPONSE_SECONDES", 5)
    bureau = Guichet(Portier(lambda canal: Ecoute(identite(), [PUBLIC], canal=canal)))

    for rang in range(20):  # with no turn of the loop between the answer and the next question
        assert (await bureau.etablir(demande("a"), str(rang))).canal == str(rang)


async def test_celle_qui_n_est_jamais_jugee_est_remise_a_plus_tard(essai, monkeypatch):
    monkeypatch.setattr(guichet, "REPONSE_SECONDES", 0.1)
    suite = threading.Event()
    bureau = Guichet(Portier(lambda canal: suite.wait(10)))

    with pytest.raises(OperationalError):
        await bureau.etablir(demande("a"), "pend")

    suite.set()


async def test_l_echec_de_l_une_n_est_pas_celui_des_autres(essai):
    def juger(canal):
        if canal == "1":
            raise DataError
        return IdentiteRefusee(4003) if canal == "2" else Ecoute(identite(), [PUBLIC], canal=canal)

    bureau = Guichet(Portier(juger))

    reponses = await asyncio.gather(
        *(bureau.etablir(demande("a"), str(rang)) for rang in range(4)), return_exceptions=True
    )

    assert [type(reponse) for reponse in reponses] == [Ecoute, DataError, IdentiteRefusee, Ecoute]


def test_une_base_absente_n_est_pas_demandee_pour_chacune(essai):
    def juger(canal):
        raise OperationalError

    with pytest.raises(OperationalError):
        etablir_chacune(Portier(juger), [(demande("a"), str(rang)) for rang in range(50)])

    assert len(essai) == 1


async def test_qui_s_en_va_avant_son_tour_n_arrete_pas_les_autres(essai):
    entre, suite = threading.Event(), threading.Event()

    def juger(canal):
        entre.set()
        assert suite.wait(10)
        return Ecoute(Identite(identite().acteur), [PUBLIC], canal=canal)

    bureau = Guichet(Portier(juger))
    partie, restee = (asyncio.create_task(bureau.etablir(demande("a"), canal)) for canal in ("part", "reste"))
    await asyncio.to_thread(entre.wait, 10)
    partie.cancel()
    suite.set()

    assert (await restee).canal == "reste"
    assert partie.cancelled() or partie.cancelling()
