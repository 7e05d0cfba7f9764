from datetime import timedelta
from importlib import import_module
from uuid import uuid4

import pytest
from django.apps import apps
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from hypothesis import given, settings
from hypothesis import strategies as st

from socle.realtime.diffusion import publier
from socle.realtime.enveloppe import masquer_a
from socle.realtime.models import CompteurEvenements, Evenement
from socle.realtime.numerotation import numeroter
from socle.realtime.purge import purger
from socle.realtime.relecture import lire_suite, plus_recent, relire
from socle.realtime.tests.fabriques import evenement
from socle.realtime.vocabulaire import PERSONNEL, PUBLIC

pytestmark = pytest.mark.django_db


def raconter(nombre, canal="equipe"):
    for n in range(nombre):
        publier("essai_fait", [canal], {"n": n})
    numeroter()


def vieillir(jusqu_a):
    Evenement.objects.filter(numero__lte=jusqu_a).update(date_creation=timezone.now() - timedelta(hours=30))


def purger_la_veille(**options):
    return purger(timezone.now() - timedelta(hours=24), **options)


def ids(enveloppes):
    return [e["eventId"] for e in enveloppes]


def test_la_relecture_reprend_apres_le_dernier_evenement_vu():
    raconter(4)

    assert ids(relire("equipe", [PUBLIC], "2")) == ["3", "4"]
    assert relire("equipe", [PUBLIC], "4") == []


def test_une_enveloppe_a_la_forme_du_contrat():
    raconter(1)

    (enveloppe,) = relire("equipe", [PUBLIC], "0")

    assert set(enveloppe) == {"type", "canal", "payload", "timestamp", "eventId"}
    assert enveloppe["payload"] == {"n": 0}
    assert enveloppe["timestamp"].endswith("Z")


def test_la_relecture_numerote_d_abord_ce_qui_est_valide():
    publier("essai_fait", ["equipe"], {})

    assert ids(relire("equipe", [PUBLIC], "0")) == ["1"]


def test_la_relecture_ne_dit_que_ce_que_le_lecteur_peut_entendre():
    publier("essai_fait", ["equipe"], {})
    publier("essai_fait", ["equipe"], {}, audience=PERSONNEL)
    publier("essai_fait", ["ailleurs"], {})

    assert ids(relire("equipe", [PUBLIC], "0")) == ["1"]
    assert ids(relire("equipe", [PUBLIC, PERSONNEL], "0")) == ["1", "2"]


def test_la_relecture_s_arrete_a_sa_limite():
    raconter(5)

    assert ids(relire("equipe", [PUBLIC], "1", 2)) == ["2", "3"]


@pytest.mark.parametrize("depuis", ["3", "9" * 19, "9" * 20, "-1", "deux", "", "١", "1.0"])
def test_une_position_impossible_demande_de_rafraichir(depuis):
    raconter(2)

    (enveloppe,) = relire("equipe", [PUBLIC], depuis)

    assert enveloppe["type"] == "refresh_required"
    assert enveloppe["payload"] == {"canal": "equipe", "eventId": "2"}
    assert "eventId" not in enveloppe


def test_une_position_plus_ancienne_que_la_purge_demande_de_rafraichir():
    raconter(4)
    vieillir(2)
    purger_la_veille()

    assert [e["type"] for e in relire("equipe", [PUBLIC], "1")] == ["refresh_required"]
    assert ids(relire("equipe", [PUBLIC], "2")) == ["3", "4"]


def test_ce_que_la_purge_efface_ailleurs_ne_demande_pas_de_rafraichir():
    raconter(1)
    raconter(3, "ailleurs")
    raconter(1)
    vieillir(4)
    purger_la_veille()

    assert ids(relire("equipe", [PUBLIC], "1")) == ["5"]
    assert relire("jamais", [PUBLIC], "1") == []
    assert [e["type"] for e in relire("ailleurs", [PUBLIC], "3")] == ["refresh_required"]


def test_ce_que_le_lecteur_ne_pouvait_pas_entendre_ne_lui_manque_pas():
    publier("essai_fait", ["equipe"], {})
    publier("essai_fait", ["equipe"], {}, audience=PERSONNEL)
    raconter(1)
    vieillir(2)
    purger_la_veille()

    assert ids(relire("equipe", [PUBLIC], "1")) == ["3"]
    assert [e["type"] for e in relire("equipe", [PUBLIC, PERSONNEL], "1")] == ["refresh_required"]


def test_ce_qui_fut_efface_avant_que_les_canaux_le_sachent_compte_pour_tous():
    raconter(4)
    Evenement.objects.filter(numero__lte=3).delete()
    CompteurEvenements.objects.update(dernier_purge=3)

    import_module("socle.realtime.migrations.0005_effaces_d_avant").retenir(apps, None)

    assert [e["type"] for e in relire("equipe", [PUBLIC], "2")] == ["refresh_required"]
    assert [e["type"] for e in relire("ailleurs", [PUBLIC], "2")] == ["refresh_required"]
    assert plus_recent({"ailleurs"}, [PUBLIC], 4) == 3
    assert relire("ailleurs", [PUBLIC], "3") == []


def test_le_plus_recent_ne_dit_rien_des_autres_canaux():
    raconter(2)
    publier("essai_fait", ["equipe"], {}, audience=PERSONNEL)
    raconter(5, "ailleurs")

    assert plus_recent({"equipe"}, [PUBLIC], 8) == 2
    assert plus_recent({"equipe"}, [PUBLIC, PERSONNEL], 8) == 3
    assert plus_recent({"equipe"}, [PUBLIC], 1) == 1
    assert [plus_recent({"jamais"}, [PUBLIC], jusque) for jusque in (0, 1, 8)] == [0, 1, 1]


def test_ce_qui_est_demande_de_rafraichir_ne_dit_rien_des_autres_canaux():
    raconter(2)
    raconter(5, "ailleurs")

    (enveloppe,) = relire("equipe", [PUBLIC], "deux")

    assert enveloppe["payload"]["eventId"] == "2"


@given(
    st.lists(
        st.one_of(
            st.tuples(st.sampled_from(["a", "b", "c"]), st.sampled_from([PUBLIC, PERSONNEL])),
            st.just("purger"),
        ),
        max_size=12,
    ),
    st.lists(
        st.one_of(
            st.tuples(st.sampled_from(["a", "b", "c"]), st.sampled_from([PUBLIC, PERSONNEL])),
            st.just("purger"),
        ),
        max_size=12,
    ),
)
@settings(max_examples=60, deadline=None)
def test_qui_revient_avec_le_numero_annonce_ne_manque_rien_ou_l_apprend(avant, apres):
    """Whatever is published and deleted before and after: each later event comes, or `refresh_required` does."""
    with transaction.atomic():
        _vivre([("tout", PUBLIC), *avant])
        annonce = plus_recent({"a"}, [PUBLIC], CompteurEvenements.lire().dernier_numero)
        attendus = _vivre(apres)

        rendus = relire("a", [PUBLIC], str(annonce))

        gardes = {n for n in attendus if Evenement.objects.filter(numero=n).exists()}
        if [e["type"] for e in rendus] == ["refresh_required"]:
            assert gardes != attendus
            assert relire("a", [PUBLIC], rendus[0]["payload"]["eventId"]) == []
        else:
            assert {int(e["eventId"]) for e in rendus} == attendus
        transaction.set_rollback(True)


def _vivre(actes):
    """Publish, or delete all there is; the numbers of what the public of "a" could hear."""
    entendus = set()
    for acte in actes:
        if acte == "purger":
            purger(timezone.now() + timedelta(hours=1))
            continue
        canal, audience = acte
        numero = CompteurEvenements.lire().dernier_numero + 1
        evenement(canal, numero, audience=audience)
        CompteurEvenements.objects.update(dernier_numero=numero)
        entendus |= {numero} if acte == ("a", PUBLIC) else set()
    return entendus


def test_depuis_zero_rend_tout_ce_qui_est_garde():
    raconter(4)
    vieillir(2)
    purger_la_veille()

    assert ids(relire("equipe", [PUBLIC], "0")) == ["3", "4"]


def test_la_purge_ne_laisse_pas_de_trou():
    raconter(4)
    Evenement.objects.filter(numero__in=[1, 3]).update(date_creation=timezone.now() - timedelta(hours=30))

    assert purger_la_veille() == 1
    assert CompteurEvenements.lire().dernier_purge == 1


def test_la_purge_simulee_compte_sans_effacer():
    raconter(3)
    vieillir(2)

    assert purger_la_veille(simulation=True) == 2
    assert Evenement.objects.count() == 3
    assert CompteurEvenements.lire().dernier_purge == 0


def test_la_purge_epargne_ce_qui_n_a_pas_de_numero():
    evenement("equipe", date_creation=timezone.now() - timedelta(hours=30))

    assert purger_la_veille() == 0


def test_la_suite_ne_relit_que_ce_qui_n_est_pas_encore_recu():
    publier("essai_fait", ["a", "b", "a", "c", "b"], {})

    suite = lire_suite({"a": 1, "b": 5})

    assert [(t.canal, t.numero) for t in suite.trames] == [("a", 3)]
    assert (suite.jusque, suite.est_complete) == (5, True)


def test_la_suite_d_un_long_silence_vient_en_plusieurs_fois(monkeypatch):
    monkeypatch.setattr("socle.realtime.relecture.LOT", 2)
    publier("essai_fait", ["a"] * 3, {})

    suite = lire_suite({"a": 0})

    assert [t.numero for t in suite.trames] == [1, 2]
    assert (suite.jusque, suite.est_complete) == (2, False)


# --- A channel that leads to another, and what is kept from one account ---------------------------------------------


def test_un_canal_qui_mene_a_un_autre_a_d_abord_ce_qui_s_y_est_dit():
    for canal in ("ancien", "present", "ailleurs", "ancien", "present", "present"):
        publier("essai_fait", [canal], {})

    assert ids(relire("present", [PUBLIC], "0", demande="ancien")) == ["1", "2", "4", "5", "6"]
    assert ids(relire("present", [PUBLIC], "2", 2, demande="ancien")) == ["4", "5"]
    assert ids(relire("present", [PUBLIC], "0", demande="present")) == ["2", "5", "6"]


def test_la_relecture_tait_a_une_personne_ce_qui_lui_est_masque():
    elle, autre = uuid4(), uuid4()
    publier("essai_fait", ["equipe"], {"qui": "Paul", "quoi": 1}, masque=masquer_a(elle, uuid4(), ["qui"]))

    lus = [relire("equipe", [PUBLIC], "0", lecteur=lecteur)[0]["payload"] for lecteur in (elle, autre, None)]

    assert lus == [{"qui": None, "quoi": 1}, {"qui": "Paul", "quoi": 1}, {"qui": "Paul", "quoi": 1}]


@pytest.mark.postgres
def test_un_canal_se_relit_par_son_index():
    Evenement.objects.bulk_create(
        Evenement(numero=n, type="essai_fait", canal=f"a{n % 50}", payload={}) for n in range(1, 2_001)
    )
    with connection.cursor() as curseur:
        curseur.execute("ANALYZE realtime_evenement")
    with CaptureQueriesContext(connection) as prises:
        relire("a1", [PUBLIC, PERSONNEL], "0", demande="a2")

    lectures = [une["sql"] for une in prises if '"canal" = ' in une["sql"]]
    with connection.cursor() as curseur:
        plans = []
        for lecture in lectures:
            curseur.execute(f"EXPLAIN {lecture}")
            plans.append(str(curseur.fetchall()))
    assert len(plans) == 2
    assert all("evenement_canal_numero" in plan for plan in plans)
