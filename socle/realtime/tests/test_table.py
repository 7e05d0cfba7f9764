import json
from types import SimpleNamespace
from uuid import uuid4

from socle.realtime.enveloppe import Trame, masquer_a
from socle.realtime.table import Table
from socle.realtime.tests.fabriques import identite, identite_invitee
from socle.realtime.vocabulaire import CONTROLE, PERSONNEL, PUBLIC


class Oreille(SimpleNamespace):
    def __init__(self, depart=0, qui=None, canal="a"):
        super().__init__(
            demande=canal, canal=canal, depart=depart, identite=qui or identite(), entendus=[], code=None, menee=None
        )

    __hash__ = object.__hash__

    def offrir(self, numero, ecrit):
        self.entendus.append(numero)

    def fermer(self, code):
        self.code = code

    def rediriger(self, canal, numero):
        self.menee = canal, numero


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


def chemins(numero, **ou):
    return trame(numero, canal=CONTROLE, texte=json.dumps({"payload": {"canaux": ou}}))


def test_un_canal_joint_mene_ses_auditeurs_et_eux_seuls():
    table, menee, tardive, ailleurs = Table(), Oreille(2), Oreille(9), Oreille(2, canal="b")
    sans_suite = Oreille(2, identite_invitee())
    for oreille in (menee, tardive, ailleurs, sans_suite):
        table.inscrire(oreille, [PUBLIC])

    table.appliquer([chemins(5, a="b")], dict(table.ouvertures), 5)

    assert [o.menee for o in (menee, tardive, ailleurs, sans_suite)] == [("b", 5), None, None, None]


def test_un_canal_rendu_a_lui_meme_reprend_qui_l_avait_demande():
    table, revenue, restee = Table(), Oreille(2), Oreille(2, canal="b")
    revenue.canal = "b"
    for oreille in (revenue, restee):
        table.inscrire(oreille, [PUBLIC])

    table.appliquer([chemins(5, a="a")], dict(table.ouvertures), 5)

    assert (revenue.menee, restee.menee) == (("a", 5), None)


def test_un_auditeur_deplace_garde_ses_audiences_et_quitte_l_autre_canal():
    table, etudiante, gestionnaire = Table(), Oreille(), Oreille()
    table.inscrire(etudiante, [PUBLIC])
    table.inscrire(gestionnaire, [PUBLIC, PERSONNEL])

    for oreille in (etudiante, gestionnaire):
        oreille.depart = 4
        table.deplacer(oreille, "b")
    for recue in (trame(5), trame(5, canal="b"), trame(6, 5, PERSONNEL, canal="b")):
        table.recevoir(recue)

    assert table.ouvertures.keys() == {CONTROLE, "b"}
    assert (etudiante.entendus, gestionnaire.entendus) == ([5], [5, 6])


def test_ce_qui_est_masque_a_une_personne_ne_l_est_qu_a_elle():
    table, elle, autre = Table(), Oreille(), Oreille()
    for oreille in (elle, autre):
        oreille.offrir = lambda numero, ecrit, qui=oreille: qui.entendus.append(json.loads(ecrit.texte)["payload"])
        table.inscrire(oreille, [PUBLIC])
    masque = masquer_a(elle.identite.compte_id, uuid4(), ["qui"])

    table.recevoir(trame(1, texte='{"payload": {"qui": "Paul", "quoi": 1}}')._replace(masque=masque))

    assert (elle.entendus, autre.entendus) == ([{"qui": None, "quoi": 1}], [{"qui": "Paul", "quoi": 1}])
    assert str(elle.identite.compte_id) not in str(masque)


def test_le_dernier_socket_ferme_tous_les_canaux():
    table, oreille = Table(), Oreille()
    table.inscrire(oreille, [PUBLIC])

    table.retirer(oreille)
    table.retirer(oreille)

    assert table.ouvertures == {}
    assert table.nombre(oreille.identite.personne) == 0
