"""The book of a load finds what it is there to find."""

from collections import Counter

from config.tests.preuves.cahier import Cahier


def test_le_cahier_nomme_ce_qui_manque_ce_qui_est_double_et_ce_qui_fut_refuse():
    cahier = Cahier()
    for marque, statut in [("a", 201), ("b", 201), ("c", None), ("d", 503), ("e", 422), ("f", None)]:
        cahier.noter("message", marque, statut)

    torts = cahier.juger("message", Counter({"b": 1, "c": 2, "d": 1, "e": 1}))

    assert torts == ["message perdu : a", "message 2 fois : c", "message refusé, et fait : e"]


def test_la_seule_faute_du_serveur_qui_se_voie_est_503():
    cahier = Cahier()
    for statut in (None, 200, 404, 503, 500):
        cahier.compter(statut, "GET /x", "corps")

    assert cahier.fautes == ["GET /x : 500 corps"]
    assert cahier.statuts == {"sans réponse": 1, "200": 1, "404": 1, "503": 1, "500": 1}
