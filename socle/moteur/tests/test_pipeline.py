"""Statements sent together, and writes that wait for the next round trip: what goes wrong, and where it is said."""

import threading
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest
from django.db import (
    DataError,
    IntegrityError,
    InternalError,
    NotSupportedError,
    OperationalError,
    connection,
    transaction,
)

from accounts.lectures import session_ouverte
from accounts.models import Compte
from accounts.tests.fabriques import compte as utilisateur
from signalements.models import Effectif
from socle.moteur import pipeline as module
from socle.moteur.delais import echeance
from socle.moteur.ecritures import inserer, modifier, verrouiller_ligne
from socle.moteur.lectures import LecturePreparee, ensemble
from socle.moteur.pipeline import Ordre, Pipeline
from socle.realtime.models import Evenement
from socle.realtime.numerotation import _numeroter_au_reveil

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


def en_pipeline() -> Pipeline:
    connection.ensure_connection()
    en_cours: Pipeline = connection.connection.en_pipeline
    return en_cours


def neuf(email: str = "") -> Compte:
    return Compte(email=email or f"{uuid4()}@campus.test", nom="Diop", prenom="Awa", password="!")


def existe(compte: Compte) -> bool:
    return Compte.objects.filter(pk=compte.pk).exists()


@pytest.fixture
def voyages(monkeypatch):
    """The statements of each round trip, but the health check's."""
    vus: list[list[bytes]] = []
    envoyer = Pipeline._envoyer

    def noter(self: Pipeline, dits: Any) -> Any:
        if dits[0].cle[0] != b"SELECT 1":
            vus.append([dit.cle[0].split()[0] for dit in dits])
        return envoyer(self, dits)

    monkeypatch.setattr(Pipeline, "_envoyer", noter)
    return vus


def test_les_ecritures_d_une_transaction_partent_avec_sa_fin(voyages):
    compte = utilisateur()
    voyages.clear()

    with transaction.atomic():
        verrouiller_ligne(compte)
        compte.nom = "Moreau"
        modifier(compte, "nom")
        inserer(neuf())

    assert voyages == [[b"BEGIN", b"SELECT"], [b"WITH", b"INSERT", b"COMMIT"]]
    assert Compte.objects.get(pk=compte.pk).nom == "Moreau"


def test_une_transaction_qui_ne_dit_rien_n_envoie_rien(voyages):
    with transaction.atomic():
        pass

    assert voyages == []


@pytest.mark.parametrize("par_le_pilote", [True, False])
def test_une_lecture_voit_ce_qui_a_ete_ecrit_avant_elle(par_le_pilote):
    @LecturePreparee
    def de_nom(nom: str) -> Any:
        return Compte.objects.filter(nom=nom)

    compte = neuf()
    with transaction.atomic():
        inserer(compte)
        lus = de_nom("Diop").lignes() if par_le_pilote else list(Compte.objects.filter(nom="Diop"))

    assert lus == [compte]


def test_ce_que_la_base_refuse_est_dit_a_la_fin_et_rien_n_est_garde():
    pris, autre = utilisateur(), neuf()

    with pytest.raises(IntegrityError), transaction.atomic():
        inserer(autre)
        inserer(neuf(email=pris.email))

    assert not existe(autre)
    assert existe(pris)  # and the connection goes on


def test_ce_qui_ne_s_ecrit_pas_est_dit_sur_le_champ():
    with transaction.atomic():
        avant = neuf()
        inserer(avant)
        mauvais = neuf()
        mauvais.nom = "a\x00b"
        with pytest.raises(DataError):
            inserer(mauvais)

    assert existe(avant)


def test_ce_qui_ne_se_demande_pas_ne_perd_rien_de_ce_qui_attendait():
    @LecturePreparee
    def de_nom(nom: str) -> Any:
        return Compte.objects.filter(nom=nom)

    avant, apres = neuf(), neuf()
    with transaction.atomic():
        inserer(avant)
        with pytest.raises(DataError):
            de_nom("a\x00b").lignes()
        with pytest.raises(DataError):
            inserer(neuf(email="a\x00b@campus.test"), sauf_conflit=True)
        inserer(apres)

    assert [existe(avant), existe(apres)] == [True, True]


def test_un_refus_que_quelqu_un_a_tu_n_est_pas_une_reussite():
    pris, avant, apres = utilisateur(), neuf(), []

    with pytest.raises(InternalError), transaction.atomic():
        transaction.on_commit(lambda: apres.append("faite"))
        inserer(avant)
        inserer(neuf(email=pris.email))
        with pytest.raises(IntegrityError):
            Compte.objects.count()

    assert not existe(avant)
    assert apres == []


def test_une_fin_refusee_n_est_pas_recommencee_en_partie():
    """By a check that the server makes at the commit, under a code that a lost statement has too."""
    with connection.cursor() as curseur:
        curseur.execute(
            "CREATE FUNCTION refuser() RETURNS trigger LANGUAGE plpgsql AS "
            "$$ BEGIN RAISE EXCEPTION 'non' USING ERRCODE = '0A000'; END $$"
        )
        curseur.execute(
            "CREATE CONSTRAINT TRIGGER refus AFTER INSERT ON realtime_evenement DEFERRABLE INITIALLY DEFERRED "
            "FOR EACH ROW EXECUTE FUNCTION refuser()"
        )
    un, autre = neuf(), neuf()
    try:
        with pytest.raises(NotSupportedError), transaction.atomic():
            un.save()
            Evenement.objects.create(type="essai", canal="equipe", payload={})
            inserer(autre)
    finally:
        with connection.cursor() as curseur:
            curseur.execute("DROP TRIGGER refus ON realtime_evenement")
            curseur.execute("DROP FUNCTION refuser")

    assert [existe(un), existe(autre)] == [False, False]


def test_ce_qui_finit_trop_tard_n_est_pas_fait():
    """The end waits behind somebody's uncommitted row: when its time is over, the server leaves it too."""
    compte = neuf()
    pret, lache = threading.Event(), threading.Event()

    def tenir() -> None:
        try:
            with pytest.raises(KeyError), transaction.atomic():
                Compte(email=compte.email, nom="Autre", prenom="Lea", password="!").save()
                pret.set()
                lache.wait(10)
                raise KeyError
        finally:
            connection.close()

    fil = threading.Thread(target=tenir)
    fil.start()
    pret.wait(5)
    try:
        with pytest.raises(OperationalError), echeance(0.5), transaction.atomic():
            inserer(compte)
    finally:
        lache.set()
        fil.join(5)

    connection.close()
    assert not existe(compte)


def test_une_transaction_se_valide_meme_quand_le_serveur_a_tout_oublie():
    compte = neuf()
    en_pipeline().lire(b"SELECT 1", [])
    with transaction.atomic():
        compte.save()
        with connection.cursor() as curseur:
            curseur.execute("DEALLOCATE ALL")

    assert existe(compte)


def test_ce_qui_attend_est_borne(voyages, monkeypatch):
    monkeypatch.setattr(module, "REMIS_MAX", 3)

    with transaction.atomic():
        for _rang in range(4):
            inserer(neuf())

    assert [len(voyage) for voyage in voyages] == [1 + 3, 1 + 1]


def test_ce_qu_une_transaction_defaite_avait_prepare_ne_reste_pas_au_serveur(monkeypatch):
    monkeypatch.setattr(module, "PREPAREES_MAX", 2)
    connection.close()  # what earlier tests have prepared goes with it
    envois = en_pipeline()
    for rang in range(3):
        envois.lire(b"SELECT %d" % rang, [])
    with pytest.raises(InternalError), transaction.atomic():
        with pytest.raises(psycopg.errors.UndefinedTable):
            envois.lire(b"SELECT * FROM nulle_part", [])
        Compte.objects.count()
    for rang in range(3, 6):
        envois.lire(b"SELECT %d" % rang, [])

    with connection.cursor() as curseur:
        curseur.execute("SELECT count(*) FROM pg_prepared_statements WHERE name ~ '^c[0-9]+$'")
        assert curseur.fetchone()[0] <= 3


@pytest.mark.parametrize("grands", [(1, 70_000, 2**40), (2**40, 1, 70_000)])
def test_une_ecriture_n_est_preparee_qu_une_fois_quels_que_soient_ses_nombres(grands):
    """A number has the type of its column, and not that of its size, which would prepare as many statements."""
    connection.close()
    for grand in grands:
        inserer(Effectif(axe="ESSAI", nombre=grand, resolus=grand, secondes=-grand))

    assert list(Effectif.objects.order_by("id").values_list("nombre", flat=True)) == list(grands)
    with connection.cursor() as curseur:
        curseur.execute("SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE 'INSERT%%effectif%%'")
        assert curseur.fetchone() == (1,)


def test_l_expediteur_rouvre_une_connexion_perdue():
    en_pipeline()
    _couper()
    connection.health_check_enabled, connection.health_check_done = True, False

    _numeroter_au_reveil()


def test_une_ligne_partie_avant_d_etre_modifiee_defait_tout():
    compte, autre = utilisateur(), neuf()
    Compte.objects.filter(pk=compte.pk).delete()

    with pytest.raises(DataError), transaction.atomic():
        inserer(autre)
        modifier(compte, "nom")

    assert not existe(autre)


def test_un_retour_au_jalon_n_oublie_que_ce_qui_le_suit():
    avant, apres = neuf(), neuf()

    with transaction.atomic():
        inserer(avant)
        with pytest.raises(KeyError), transaction.atomic():
            inserer(apres)
            raise KeyError

    assert [existe(avant), existe(apres)] == [True, False]


def test_un_refus_dans_un_jalon_se_rattrape():
    pris, apres = utilisateur(), neuf()

    with transaction.atomic():
        with pytest.raises(IntegrityError), transaction.atomic():
            inserer(neuf(email=pris.email))
        inserer(apres)

    assert existe(apres)


def test_une_transaction_defaite_n_envoie_rien(voyages):
    compte = neuf()
    with pytest.raises(KeyError), transaction.atomic():
        inserer(compte)
        raise KeyError

    assert voyages == []
    assert not existe(compte)


def test_derriere_un_verrou_on_lit_ce_que_l_autre_a_valide():
    compte = utilisateur()
    pris, lus = threading.Event(), []

    @LecturePreparee
    def nom_de(pk: Any) -> Any:
        return Compte.objects.filter(pk=pk).values_list("nom", flat=True)

    def attendre_puis_lire() -> None:
        try:
            with transaction.atomic():
                pris.wait(5)
                lus.extend(verrouiller_ligne(Compte.objects.only("pk").get(pk=compte.pk), nom_de(compte.pk)))
        finally:
            connection.close()

    fil = threading.Thread(target=attendre_puis_lire)
    fil.start()
    with transaction.atomic():
        verrouiller_ligne(compte)
        pris.set()
        fil.join(0.5)
        compte.nom = "Moreau"
        modifier(compte, "nom")
        modifier(compte, "prenom")
    fil.join(5)

    assert lus == ["Moreau"]


def test_les_requetes_preparees_d_une_connexion_sont_bornees(monkeypatch):
    monkeypatch.setattr(module, "PREPAREES_MAX", 5)
    connection.close()  # what earlier tests have prepared goes with it
    envois = en_pipeline()

    for rang in range(40):
        assert envois.lire(b"SELECT %d" % rang, []) == [(rang,)]
        assert envois.lire_ensemble([Ordre(b"SELECT %d" % (rang // 3)), Ordre(b"SELECT %d" % rang)])

    with connection.cursor() as curseur:
        curseur.execute("SELECT count(*) FROM pg_prepared_statements WHERE name ~ '^c[0-9]+$'")
        assert curseur.fetchone()[0] <= 6  # the last one forgotten goes with the next new one


@pytest.fixture
def une_table():
    """A table of one row, and the statement that looks one up in it by its key."""
    with connection.cursor() as curseur:
        curseur.execute("CREATE TEMPORARY TABLE petite (id int PRIMARY KEY)")
        curseur.execute("INSERT INTO petite VALUES (1)")
        curseur.execute("ANALYZE petite")
        yield b"SELECT id FROM petite WHERE id = $1::int"
        curseur.execute("DROP TABLE petite")


def passer_la_vie(texte: bytes) -> float:
    """Let the time be over that this statement is kept; return its seconds."""
    (preparee,) = [une for (mots, _types), une in en_pipeline()._preparees.items() if mots == texte]
    preparee.fin = en_pipeline().entendue
    return preparee.vie


def plan(texte: bytes) -> tuple[str, str]:
    """The name of the statement that has these words, and the plan that the server follows for it."""
    with connection.cursor() as curseur:
        curseur.execute("SELECT name FROM pg_prepared_statements WHERE statement = %s", [texte.decode()])
        ((nom,),) = curseur.fetchall()
        curseur.execute(f"EXPLAIN EXECUTE {nom}(1)")
        return nom, "\n".join(ligne for (ligne,) in curseur.fetchall())


def test_un_plan_fait_pour_une_table_presque_vide_ne_reste_pas(une_table):
    """Nobody analyzes it here: the server alone would read the whole table, whatever it has become."""
    texte = une_table
    lues = [en_pipeline().lire(texte, [1]) for _ in range(12)]
    with connection.cursor() as curseur:
        curseur.execute("INSERT INTO petite SELECT generate_series(2, 20000)")
    lues.append(en_pipeline().lire(texte, [1]))
    garde, avant = plan(texte)

    passer_la_vie(texte)
    lues += [en_pipeline().lire(texte, [1]) for _ in range(12)]

    assert lues == [[(1,)]] * 25
    neuve, apres = plan(texte)
    assert ("Seq Scan" in avant, "Index" in apres, neuve != garde) == (True, True, True)


def test_ce_que_le_serveur_n_a_pas_prepare_se_ferme_avant_de_se_preparer_encore(une_table, monkeypatch):
    """Behind an error it was not read; a pooler between has, and cuts whoever gives the name of one that it knows."""
    texte, fermees = une_table, []
    oublier = Pipeline._oublier_au_serveur
    monkeypatch.setattr(Pipeline, "_oublier_au_serveur", lambda self: fermees.extend(self._a_oublier) or oublier(self))
    en_pipeline().lire(b"SELECT 1 / $1::int", [1])

    with pytest.raises(psycopg.errors.DivisionByZero):
        en_pipeline().lire_ensemble([Ordre(b"SELECT 1 / $1::int", [0]), Ordre(texte, [1])])
    (nom,) = [une.nom for (mots, _types), une in en_pipeline()._preparees.items() if mots == texte]

    assert en_pipeline().lire(texte, [1]) == [(1,)]
    assert fermees == [nom]


def test_une_requete_se_prepare_de_plus_en_plus_rarement(une_table):
    texte, vies = une_table, []
    for _ in range(6):
        en_pipeline().lire(texte, [1])
        vies.append(passer_la_vie(texte))

    assert vies == [15, 60, 240, 900, 900, 900]


def test_une_requete_que_le_serveur_a_oubliee_est_preparee_de_nouveau():
    envois = en_pipeline()
    envois.lire(b"SELECT 1", [])
    with connection.cursor() as curseur:
        curseur.execute("DEALLOCATE ALL")

    assert envois.lire(b"SELECT 1", []) == [(1,)]


def test_une_colonne_qui_change_de_type_ne_casse_pas_les_lectures():
    envois = en_pipeline()
    with connection.cursor() as curseur:
        curseur.execute("CREATE TABLE colonne_changeante (n integer)")
        curseur.execute("INSERT INTO colonne_changeante VALUES (7)")
    try:
        assert envois.lire(b"SELECT n FROM colonne_changeante", []) == [(7,)]
        with connection.cursor() as curseur:
            curseur.execute("ALTER TABLE colonne_changeante ALTER n TYPE text")

        assert envois.lire(b"SELECT n FROM colonne_changeante", []) == [("7",)]
    finally:
        with connection.cursor() as curseur:
            curseur.execute("DROP TABLE colonne_changeante")


def test_dans_une_transaction_elle_est_une_erreur_puis_se_prepare_de_nouveau():
    envois = en_pipeline()
    envois.lire(b"SELECT 1", [])
    with connection.cursor() as curseur:
        curseur.execute("DEALLOCATE ALL")

    with pytest.raises(psycopg.errors.InvalidSqlStatementName), transaction.atomic():
        envois.lire(b"SELECT 1", [])

    assert envois.lire(b"SELECT 1", []) == [(1,)]


@pytest.mark.parametrize("ensemble", [True, False])
def test_une_base_qui_ne_repond_pas_coupe_la_connexion(ensemble):
    dormir = b"SELECT pg_sleep(0.6)"
    envois = en_pipeline()
    envois.lire(b"SELECT 1", [])

    with pytest.raises(psycopg.OperationalError), echeance(0.2):
        envois.lire_ensemble([Ordre(dormir)] * (2 if ensemble else 1))

    assert connection.connection.closed
    connection.close()
    assert session_ouverte(uuid4(), uuid4()).premiere() is None


def test_une_connexion_perdue_avant_la_fin_est_une_panne_et_rien_n_est_ecrit():
    compte = neuf()

    with pytest.raises(OperationalError), transaction.atomic():
        assert Compte.objects.count() == 0
        inserer(compte)
        _couper()

    connection.close()
    assert not existe(compte)


def _couper() -> None:
    autre = connection.copy()
    try:
        with autre.cursor() as curseur:
            curseur.execute("SELECT pg_terminate_backend(%s, 5000)", [connection.connection.info.backend_pid])
    finally:
        autre.close()


def test_beaucoup_de_reponses_derriere_beaucoup_de_valeurs():
    """More than the buffers of both sides hold: what is answered is read while the rest is sent."""
    texte = "x" * 1_000_000

    lues = en_pipeline().lire_ensemble([Ordre(b"SELECT $1::text", [texte])] * 20)

    assert [len(lignes[0][0]) for lignes in lues] == [1_000_000] * 20


def test_des_lectures_ensemble_se_lisent_chacune():
    compte = utilisateur()

    @LecturePreparee
    def de_cle(pk: Any, actif: bool) -> Any:
        return Compte.objects.filter(pk=pk, est_actif=actif)

    lues = ensemble(de_cle(compte.pk, True).une(), de_cle(compte.pk, False).toutes(), de_cle(compte.pk, True).combien())

    assert lues == [[compte], [], [1]]


def test_les_nombres_lus_ensemble_gardent_leur_plan_et_eux_seuls():
    """A plan that is kept is a generic one: PostgreSQL would count the first five that it makes for the values."""

    @LecturePreparee
    def actifs(role: str) -> Any:
        return Compte.objects.filter(type_utilisateur=role, est_actif=True)

    utilisateur()
    for role, attendu in (("UTILISATEUR", 1), ("GESTIONNAIRE", 0)):
        assert ensemble(actifs(role).toutes(), actifs(role).combien(), actifs(role).combien())[1:] == [[attendu]] * 2

    with connection.cursor() as curseur:
        curseur.execute("SELECT generic_plans, custom_plans FROM pg_prepared_statements WHERE statement LIKE '%COUNT%'")
        assert curseur.fetchall() == [(2, 0)]
        curseur.execute("SHOW plan_cache_mode")
        assert curseur.fetchone() == ("auto",)


def test_dans_une_transaction_le_plan_des_nombres_est_l_affaire_de_postgresql():
    """What is set there would stay set for all that comes behind it."""

    @LecturePreparee
    def actifs(role: str) -> Any:
        return Compte.objects.filter(type_utilisateur=role, est_actif=True)

    with transaction.atomic(), connection.cursor() as curseur:
        assert ensemble(actifs("UTILISATEUR").combien(), actifs("UTILISATEUR").combien()) == [[0], [0]]
        curseur.execute("SHOW plan_cache_mode")
        assert curseur.fetchone() == ("auto",)


@pytest.mark.parametrize(
    "payload",
    [
        {"n": 2**70},
        {"quand": datetime(2026, 3, 1, tzinfo=UTC), "qui": UUID(int=5), "combien": Decimal("1.5")},
        {"liste": [None, True, 1.5, "é"], "1": {}},
    ],
)
def test_un_json_s_ecrit_comme_son_champ_l_ecrirait(payload):
    with transaction.atomic():
        ecrit = Evenement(type="essai", canal="equipe", payload=payload)
        inserer(ecrit)
        Evenement(type="essai", canal="equipe", payload=payload).save()

    un, autre = Evenement.objects.order_by("id").values_list("payload", flat=True)
    assert un == autre
