from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Event

import pytest
from django.db import connection, connections, transaction
from django.utils import timezone

from accounts.tests.outils import attendre_un_verrou
from socle.moteur.pipeline import Ordre, Pipeline
from socle.realtime import numerotation
from socle.realtime.diffusion import publier
from socle.realtime.models import CompteurEvenements, Evenement
from socle.realtime.numerotation import numeroter
from socle.realtime.tests.fabriques import evenement, publier_puis_echouer
from socle.realtime.vocabulaire import PERSONNEL


def numeros():
    return list(Evenement.objects.order_by("id").values_list("numero", flat=True))


@pytest.fixture
def confies(monkeypatch):
    """What the sender was handed."""
    evenements = []
    monkeypatch.setattr(numerotation._expediteur, "deposer", evenements.extend)
    return evenements


def test_les_numeros_suivent_l_ordre_d_ecriture_sans_trou(db, confies):
    publier("essai_fait", ["equipe", "dashboard"], {"n": 1})
    publier("essai_fait", ["equipe"], {"n": 2})

    numeroter()

    assert numeros() == [1, 2, 3]
    assert [e.numero for e in confies] == [1, 2, 3]
    assert CompteurEvenements.lire().dernier_numero == 3


def test_les_numeros_continuent_d_un_appel_au_suivant(db, confies):
    for _fois in range(2):
        publier("essai_fait", ["equipe"], {})
        numeroter()
    numeroter()

    assert [e.numero for e in confies] == [1, 2]


def test_chaque_evenement_connait_celui_d_avant_sur_son_canal(db, confies):
    publier("essai_fait", ["a", "b", "a"], {})
    numeroter()
    publier("essai_fait", ["b", "a"], {})
    numeroter()

    assert [(e.canal, e.precedent) for e in confies[3:]] == [("b", 2), ("a", 3)]


def test_un_evenement_est_confie_tel_qu_il_est_ecrit(db, confies):
    masque = {"objet": "a", "lecteur": "b", "champs": ["n"]}
    publier("essai_fait", ["a", "b"], {"n": 1, "quand": timezone.now(), "é": [None, 2.5]}, masque=masque)
    publier("essai_fait", ["a"], {}, audience=PERSONNEL)

    numeroter()

    champs = [champ.attname for champ in Evenement._meta.concrete_fields]
    ecrits = list(Evenement.objects.order_by("numero").values_list(*champs))
    assert [tuple(getattr(e, champ) for champ in champs) for e in confies] == ecrits
    assert [e.precedent or 0 for e in confies] == [0, 0, 1]


def test_le_reveil_de_l_expediteur_pour_rien_ne_numerote_rien(db, confies):
    for _fois in range(2):
        publier("essai_fait", ["a"], {})
        numerotation._expediteur._numeroter()
        numerotation._expediteur._numeroter()

    assert [e.numero for e in confies] == [1, 2]
    assert CompteurEvenements.lire().dernier_numero == 2


def test_plusieurs_lots_sont_numerotes_en_une_fois(db, monkeypatch):
    monkeypatch.setattr(numerotation, "LOT", 2)
    publier("essai_fait", ["a", "b", "c", "d", "e"], {})

    numeroter()

    assert numeros() == [1, 2, 3, 4, 5]


def test_numeroter_coute_autant_pour_un_que_pour_beaucoup(db, django_assert_num_queries, monkeypatch):
    envois = []
    envoyer = Pipeline._envoyer
    monkeypatch.setattr(Pipeline, "_envoyer", lambda self, dits: [envois.append(len(dits)), envoyer(self, dits)][1])
    publier("essai_fait", ["equipe"], {})
    numeroter()
    publier("essai_fait", ["equipe"] * 50, {})
    envois.clear()

    # A look; on SQLite savepoint, lock, numbers, counter, release, and what reads back.
    with django_assert_num_queries(1 if connection.vendor == "postgresql" else 7):
        numeroter()

    assert [nombre for nombre in envois if nombre > 1] == ([3] if connection.vendor == "postgresql" else [])


def test_sans_rien_a_numeroter_le_verrou_n_est_pas_pris(db, django_assert_num_queries):
    with django_assert_num_queries(1):
        numeroter()


def test_un_compteur_disparu_repart_du_plus_haut_numero(db):
    evenement("equipe", numero=7)
    CompteurEvenements.objects.all().delete()
    publier("essai_fait", ["equipe"], {})

    numeroter()

    assert numeros() == [7, 8]


def test_un_evenement_annule_n_est_jamais_annonce(transactional_db):
    with pytest.raises(RuntimeError):
        publier_puis_echouer()

    assert not Evenement.objects.exists()


def test_numeroter_refuse_une_transaction_qui_pourrait_etre_annulee(transactional_db):
    publier("essai_fait", ["equipe"], {})

    with pytest.raises(RuntimeError), transaction.atomic():
        numeroter()


def sur_un_fil(fonction, *args):
    try:
        return fonction(*args)
    finally:
        connections.close_all()


@pytest.mark.postgres
def test_l_ordre_est_celui_des_validations(transactional_db, confies):
    ecrit, termine = Event(), Event()

    def publier_puis_attendre():
        with transaction.atomic():
            publier("essai_fait", ["lent"], {})
            ecrit.set()
            termine.wait(5)

    with ThreadPoolExecutor(1) as fils:
        lent = fils.submit(sur_un_fil, publier_puis_attendre)
        ecrit.wait(5)
        publier("essai_fait", ["rapide"], {})
        numeroter()
        termine.set()
        lent.result()
    numeroter()

    assert [(e.canal, e.numero) for e in confies] == [("rapide", 1), ("lent", 2)]


@pytest.mark.postgres
def test_deux_fils_ne_donnent_pas_deux_fois_un_numero(transactional_db, confies):
    depart = Barrier(4)

    def publier_et_numeroter(nom):
        depart.wait(5)
        for _ in range(20):
            publier("essai_fait", [nom], {})
            numeroter()

    with ThreadPoolExecutor(4) as fils:
        for attendu in [fils.submit(sur_un_fil, publier_et_numeroter, f"fil{i}") for i in range(4)]:
            attendu.result()

    assert sorted(e.numero for e in confies) == list(range(1, 81))
    assert CompteurEvenements.lire().dernier_numero == 80


@pytest.mark.skipif(connection.vendor != "postgresql", reason="demande PostgreSQL")
def test_un_compteur_qui_revient_entre_deux_ordres_ne_numerote_rien_sans_verrou(transactional_db, confies):
    """What was numbered so would be in nobody's hands: the answer of who found no counter is not read."""
    publier("essai_fait", ["equipe"], {})
    CompteurEvenements.objects.all().delete()
    verrouiller, numeroter_et_lire, avancer = numerotation._en_un_envoi()
    revenu = Ordre(b"INSERT INTO realtime_compteurevenements (id, dernier_numero, dernier_purge) VALUES (1, 0, 0)")

    verrou, _, lignes, _ = connection.connection.en_pipeline.lire_ensemble(
        [verrouiller, revenu, numeroter_et_lire, avancer]
    )

    assert (verrou, lignes, numeros()) == ([], [], [None])
    numeroter()
    assert [e.numero for e in confies] == [1]


@pytest.mark.postgres
def test_qui_attendait_un_compteur_refait_ne_numerote_rien_sans_verrou(transactional_db, confies):
    publier("essai_fait", ["equipe"], {})
    numeroter()
    publier("essai_fait", ["equipe"], {})
    with ThreadPoolExecutor(1) as fils:
        with transaction.atomic():
            compteur = CompteurEvenements.verrouille()
            attendu = fils.submit(sur_un_fil, numerotation._numeroter_sur_postgresql)
            attendre_un_verrou()
            compteur.delete()
            CompteurEvenements(dernier_numero=1).save()
        lot = attendu.result()

    assert (lot, numeros()) == (None, [1, None])


@pytest.mark.postgres
def test_un_plus_grand_numero_n_est_jamais_visible_avant_un_plus_petit(transactional_db):
    fin = Event()

    def ecrire():
        while not fin.is_set():
            publier("essai_fait", ["a", "b"], {})
            numeroter()

    def observer():
        trous = 0
        for _ in range(150):
            vus = list(
                Evenement.objects.filter(numero__isnull=False).order_by("numero").values_list("numero", flat=True)
            )
            trous += vus != list(range(1, len(vus) + 1))
        return trous

    with ThreadPoolExecutor(3) as fils:
        ecrivains = [fils.submit(sur_un_fil, ecrire) for _ in range(2)]
        trous = fils.submit(sur_un_fil, observer).result()
        fin.set()
        [ecrivain.result() for ecrivain in ecrivains]

    assert trous == 0


@pytest.mark.skipif(connection.vendor != "postgresql", reason="demande PostgreSQL")
def test_ce_qui_est_deja_numerote_n_est_pas_relu(db):
    publier("essai_fait", [f"canal:{rang}" for rang in range(2_000)], {})
    numeroter()
    publier("essai_fait", [f"canal:{rang}" for rang in range(200)], {})
    with connection.cursor() as curseur:
        # Statistics of a rush, in a table whose rows are out of order: PostgreSQL would read the whole of it.
        curseur.execute("UPDATE realtime_evenement SET type = type WHERE numero % 2 = 0")
        curseur.execute("ANALYZE realtime_evenement")
    numeroter()
    publier("essai_fait", ["equipe"], {})

    verrouiller, *suite = numerotation._en_un_envoi()
    plan = ""
    with transaction.atomic(), connection.cursor() as curseur:
        curseur.execute(verrouiller.texte)
        for ordre in suite:
            curseur.execute(b"EXPLAIN " + ordre.texte)
            plan += "\n".join(ligne for (ligne,) in curseur.fetchall())
        transaction.set_rollback(True)

    assert "using evenement_a_numeroter" in plan
    assert not [mot for mot in ("Bitmap", "Seq Scan", "Sort", "Merge", "Hash", "JIT") if mot in plan]
