"""What is counted of sockets and events."""

import asyncio

import pytest
from channels.layers import InMemoryChannelLayer

from socle.realtime import expedition
from socle.realtime.diffusion import fermer_sockets, publier
from socle.realtime.expedition import Expediteur
from socle.realtime.numerotation import numeroter
from socle.realtime.table import Table
from socle.realtime.tests.fabriques import fermer_plus_tard, publier_plus_tard
from socle.realtime.tests.test_diffusion import attendre, prets
from socle.realtime.tests.test_table import Oreille, trame
from socle.realtime.vocabulaire import CONTROLE, PUBLIC
from socle.tests.mesures import Releve


async def jusqu_a(compte, nombre):
    await asyncio.to_thread(attendre, lambda: compte.plus == nombre)


async def test_les_sockets_se_comptent_par_nom_de_canal_tant_qu_ils_sont_ouverts(foyer, canal):
    essais, equipe = Releve("campus_sockets", canal="essai"), Releve("campus_sockets", canal="equipe")
    premier = await foyer.entrer(canal)
    await foyer.entrer(canal, "invite")
    await foyer.entrer("equipe", "gestionnaire")
    ouverts = essais.plus, equipe.plus

    await premier.raccrocher()
    await jusqu_a(essais, 1)
    await fermer_plus_tard(invites=[foyer.invite.invite_id])
    await jusqu_a(essais, 0)

    assert ouverts == (2, 1)
    assert equipe.plus == 1


@pytest.mark.parametrize(("canal", "qui"), [("equipe", "etudiante"), ("inconnu:12", "etudiante"), ("equipe", "faux")])
async def test_un_socket_refuse_ne_compte_pas(foyer, canal, qui):
    comptes = [Releve("campus_sockets", canal=nom) for nom in ("equipe", "inconnu", "inconnu:12")]

    await (await foyer.frapper(canal, qui)).code()

    assert [compte.plus for compte in comptes] == [0, 0, 0]


def test_un_evenement_publie_compte_une_fois_numerote(db):
    publies, ordres = (Releve("campus_events_published_total", type=t) for t in ("essai_fait", "fermer_sockets"))
    publier("essai_fait", ["equipe", "dashboard"], {"n": 1}, {"n": 2})
    fermer_sockets(comptes=["5f0c2a9e-6a7c-4c7e-9f6b-0a1b2c3d4e5f"])
    avant = publies.plus

    numeroter()
    numeroter()

    assert (avant, publies.plus, ordres.plus) == (0, 4, 1)


def test_ce_que_la_couche_refuse_ou_qui_l_attend_est_en_retard(settings, monkeypatch):
    class Couche:
        async def group_send(self, groupe, message):
            raise OSError

    settings.DIFFUSION_ACTIVE = True
    monkeypatch.setattr(expedition, "get_channel_layer", Couche)
    monkeypatch.setattr(expedition, "REPOS_APRES_ECHEC", 60.0)
    echecs, pauses = (Releve("campus_events_late_total", cause=cause) for cause in ("echec", "pause"))
    expediteur = Expediteur(lambda: None)

    expediteur.deposer(prets(1, 2))
    attendre(lambda: echecs.plus == 2)
    expediteur.deposer(prets(3, 4, 5))
    attendre(lambda: pauses.plus == 3)

    expediteur.arreter()
    assert echecs.plus == 2


def test_ce_qui_deborde_est_en_retard(settings, monkeypatch):
    settings.DIFFUSION_ACTIVE = True
    monkeypatch.setattr(expedition, "EN_ATTENTE", 3)
    monkeypatch.setattr(Expediteur, "reveiller", lambda self: None)
    debordes = Releve("campus_events_late_total", cause="debordement")
    expediteur = Expediteur(lambda: None)

    for lot in (prets(1, 2, 3), prets(4), prets(5, 6)):
        expediteur.deposer(lot)

    assert debordes.plus == 3
    assert [e.numero for e in expediteur._file] == [4, 5, 6]


async def test_ce_que_la_couche_n_apporte_pas_compte_comme_rattrape(foyer, canal, monkeypatch):
    rattrapes = Releve("campus_events_caught_up_total", canal="essai")
    prise = await foyer.entrer(canal)

    async def perdre(self, groupe, message):
        return None

    monkeypatch.setattr(InMemoryChannelLayer, "group_send", perdre)
    await publier_plus_tard("essai_fait", [canal], {"n": 1})

    assert (await prise.entendre())["type"] == "essai_fait"
    assert rattrapes.plus == 1


def test_ce_que_la_couche_a_apporte_et_les_ordres_ne_sont_pas_rattrapes():
    comptes = [Releve("campus_events_caught_up_total", canal=nom) for nom in ("a", CONTROLE)]
    table = Table()
    table.inscrire(Oreille(), [PUBLIC])
    ordre = trame(3, canal=CONTROLE, texte='{"payload": {}}')

    table.recevoir(trame(1))
    table.appliquer([trame(1), trame(2), ordre], dict(table.ouvertures), 3)
    table.appliquer([trame(2)], dict(table.ouvertures), 3)

    assert table.dernier_ordre == 3
    assert [compte.plus for compte in comptes] == [1, 0]
