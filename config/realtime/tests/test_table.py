from types import SimpleNamespace

from config.realtime.enveloppe import Trame
from config.realtime.table import Table
from config.realtime.tests.fabriques import identite
from config.realtime.vocabulaire import CONTROLE, PERSONNEL, PUBLIC


class Oreille(SimpleNamespace):
    def __init__(self, depart=0, qui=None):
        super().__init__(canal="a", depart=depart, identite=qui or identite(), entendus=[], code=None)

    __hash__ = object.__hash__

    def offrir(self, numero, texte):
        self.entendus.append(numero)

    def fermer(self, code):
        self.code = code


def trame(numero, precedent=0, audience=PUBLIC, canal="a", texte="{}"):
    return Trame(canal, audience, numero, precedent, texte)


def test_une_trame_est_livree_a_son_audience_une_seule_fois():
    table, etudiante, gestionnaire = Table(), Oreille(), Oreille()
    table.inscrire(etudiante, [PUBLIC])
    table.inscrire(gestionnaire, [PUBLIC, PERSONNEL])

    suites = [table.recevoir(t) for t in (trame(1), trame(1), trame(2, 1, PERSONNEL))]

    assert suites == [True, True, True]
    assert (etudiante.entendus, gestionnaire.entendus) == ([1], [1, 2])


def test_une_trame_qui_en_double_une_autre_attend_la_lecture():
    table, oreille = Table(), Oreille()
    table.inscrire(oreille, [PUBLIC])

    assert not table.recevoir(trame(2, precedent=1))
    table.appliquer([trame(1), trame(2)], dict(table.ouvertures), 2)
    assert table.recevoir(trame(1))

    assert oreille.entendus == [1, 2]


def test_apres_une_lecture_complete_le_precedent_d_un_autre_temps_est_connu():
    table, oreille = Table(), Oreille(depart=3)
    table.inscrire(oreille, [PUBLIC])
    table.appliquer([], dict(table.ouvertures), 9)

    assert table.recevoir(trame(10, precedent=8))
    assert oreille.entendus == [10]


def test_une_lecture_commencee_avant_une_ouverture_ne_l_avance_pas():
    table, ancienne, nouvelle = Table(), Oreille(), Oreille(depart=4)
    table.inscrire(ancienne, [PUBLIC])
    avant = dict(table.ouvertures)
    table.retirer(ancienne)
    table.inscrire(nouvelle, [PUBLIC])

    table.appliquer([trame(5)], avant, 7)

    assert nouvelle.entendus == []
    assert table.ouvertures["a"].dernier == 4


def test_un_ordre_ne_vise_que_les_sockets_plus_anciens_que_lui():
    table, qui = Table(), identite()
    ancienne, nouvelle, autre = Oreille(2, qui), Oreille(5, qui), Oreille(2)
    for oreille in (ancienne, nouvelle, autre):
        table.inscrire(oreille, [PUBLIC])
    ordre = trame(5, canal=CONTROLE, texte=f'{{"payload": {{"comptes": ["{qui.compte_id}"]}}}}')

    assert not table.recevoir(ordre)
    table.appliquer([ordre], dict(table.ouvertures), 5)

    assert [oreille.code for oreille in (ancienne, nouvelle, autre)] == [4001, None, None]


def test_ce_qui_suit_un_ordre_ne_le_double_pas():
    table, oreille = Table(), Oreille()
    table.inscrire(oreille, [PUBLIC])
    ordre = trame(1, canal=CONTROLE, texte=f'{{"payload": {{"comptes": ["{oreille.identite.compte_id}"]}}}}')

    assert not table.recevoir(ordre)
    assert not table.recevoir(trame(2))
    table.appliquer([ordre, trame(2)], dict(table.ouvertures), 2)
    assert table.recevoir(trame(3, precedent=2))

    assert (oreille.code, oreille.entendus) == (4001, [2, 3])  # the socket itself is deaf once closed


def test_le_dernier_socket_ferme_tous_les_canaux():
    table, oreille = Table(), Oreille()
    table.inscrire(oreille, [PUBLIC])

    table.retirer(oreille)
    table.retirer(oreille)

    assert table.ouvertures == {}
    assert table.nombre(oreille.identite.personne) == 0
