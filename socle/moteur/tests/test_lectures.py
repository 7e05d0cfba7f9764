"""Prepared reads: what a plan keeps of whom, how many are kept, and the connection that they prove."""

import threading
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest
from django.db import DatabaseError, OperationalError, connection, connections, models, transaction
from django.db.models import QuerySet
from django.test.utils import CaptureQueriesContext

from accounts.lectures import session_ouverte
from accounts.models import Compte
from accounts.tests.fabriques import compte as utilisateur
from config.tests.outils import acteur_de
from forum.models import Poste
from forum.vocabulaire import Statut
from guests.models import SessionInvitee
from guests.services import ouvrir
from signalements.lectures import accessible, les_siens
from signalements.tests.fabriques import signalement
from socle.domaine.acteurs import Acteur
from socle.moteur import lectures
from socle.moteur.lectures import Attendu, LecturePreparee
from socle.moteur.pipeline import Pipeline

pytestmark = pytest.mark.django_db


def preparee(ecrire: Any) -> LecturePreparee[Any]:
    """Not among those that the whole service has."""
    return LecturePreparee(ecrire)


def test_rien_de_qui_demande_le_premier_ne_reste_dans_le_plan():
    une, autre = acteur_de(utilisateur()), acteur_de(utilisateur())
    sien, le_sien = signalement(une), signalement(autre)
    les_siens.oublier()

    assert [ligne.pk for ligne in les_siens(une).lignes()] == [sien.pk]
    assert [ligne.pk for ligne in les_siens(autre).lignes()] == [le_sien.pk]
    assert len(les_siens._compilees) == 1


def test_un_autre_role_est_une_autre_requete(gestionnaire):
    sien = signalement(acteur_de(utilisateur()))

    assert accessible(acteur_de(utilisateur()), sien.pk, False).premiere() is None
    assert accessible(acteur_de(gestionnaire), sien.pk, False).premiere() == sien


def test_une_fonction_ne_voit_de_l_acteur_que_son_espece_et_ses_droits():
    vus: list[Acteur] = []

    @preparee
    def espionne(acteur: Acteur) -> QuerySet[Any]:
        vus.append(acteur)
        return Compte.objects.filter(pk=acteur.pk)

    qui = acteur_de(utilisateur(email="secret@example.org"))

    assert [compte.pk for compte in espionne(qui).lignes()] == [qui.pk]
    (gabarit,) = vus
    assert isinstance(gabarit.pk, Attendu)
    assert gabarit.droits == qui.droits
    assert not hasattr(gabarit.compte, "email")


def test_une_valeur_absente_est_une_autre_forme():
    @preparee
    def de_nom(nom: str | None) -> QuerySet[Any]:
        return Compte.objects.order_by() if nom is None else Compte.objects.order_by().filter(nom=nom)

    un, autre = utilisateur(nom="Un"), utilisateur(nom="Autre")

    assert {compte.pk for compte in de_nom(None).lignes()} >= {un.pk, autre.pk}
    assert [compte.pk for compte in de_nom("Autre").lignes()] == [autre.pk]
    assert de_nom("").lignes() == []
    assert len(de_nom._compilees) == 2


def test_les_plans_gardes_sont_bornes(monkeypatch):
    monkeypatch.setattr(lectures, "COMPILEES_MAX", 3)

    @preparee
    def de_noms(noms: tuple[str, ...]) -> QuerySet[Any]:
        return Compte.objects.filter(nom__in=noms).order_by("nom")

    utilisateur(nom="5")

    for nombre in range(10):
        noms = tuple(str(n) for n in range(nombre))
        assert [compte.nom for compte in de_noms(noms).lignes()] == ["5"] * ("5" in noms)
        assert len(de_noms._compilees) <= 3


def test_un_objet_lu_est_un_objet_de_la_base():
    sien = signalement(acteur_de(utilisateur()))
    lu = les_siens(acteur_de(sien.compte)).premiere()

    assert lu == sien
    assert not lu._state.adding
    assert lu._state.db == "default"
    assert lu.comptees == type(sien).objects.get(pk=sien.pk).comptees  # the guard of the counters knows it
    with CaptureQueriesContext(connection) as requetes:
        assert lu.gestionnaire is None
        assert lu.invite is None
    assert len(requetes) == 0


def test_une_colonne_laissee_en_base_se_lit_si_on_la_demande():
    @preparee
    def sans_nom(pk: UUID) -> QuerySet[Any]:
        return Compte.objects.defer("nom").filter(pk=pk)

    qui = utilisateur(nom="Différé")
    lu = sans_nom(qui.pk).premiere()

    assert "nom" not in vars(lu)
    assert lu.nom == "Différé"


def test_ce_que_rien_ne_peut_trouver_ne_demande_rien(django_assert_num_queries):
    @preparee
    def rien(pk: UUID) -> QuerySet[Any]:
        return Compte.objects.none()

    with django_assert_num_queries(0):
        assert (rien(uuid4()).lignes(), rien(uuid4()).premiere(), rien(uuid4()).nombre()) == ([], None, 0)


def test_un_modele_qui_fait_autre_chose_en_lisant_est_refuse():
    @preparee
    def en_dates(pk: UUID) -> QuerySet[Any]:
        return Compte.objects.filter(pk=pk).values_list("nom", named=True)

    with pytest.raises(TypeError, match="ne se prépare pas"):
        en_dates(uuid4()).lignes()


@pytest.mark.django_db(transaction=True)
def test_plusieurs_fils_preparent_la_meme_lecture_a_la_fois():
    @preparee
    def de_nom(nom: str) -> QuerySet[Any]:
        return Compte.objects.filter(nom=nom).order_by("pk")

    attendus = {nom: [utilisateur(nom=nom).pk] for nom in ("Un", "Deux", "Trois", "Quatre")}
    ensemble, lus = threading.Barrier(len(attendus)), {}

    def lire(nom: str) -> None:
        ensemble.wait(10)
        try:
            lus[nom] = [[compte.pk for compte in de_nom(nom).lignes()] for _fois in range(20)]
        finally:
            connections.close_all()

    fils = [threading.Thread(target=lire, args=[nom]) for nom in attendus]
    for un in fils:
        un.start()
    for un in fils:
        un.join(30)

    assert lus == {nom: [pks] * 20 for nom, pks in attendus.items()}


def couper() -> None:
    """End the server's side of this connection, as a restart would."""
    with connection.cursor() as curseur:
        curseur.execute("SELECT pg_backend_pid()")
        (pid,) = curseur.fetchone()
    autre = connection.copy()
    try:
        with autre.cursor() as curseur:
            curseur.execute("SELECT pg_terminate_backend(%s, 5000)", [pid])
    finally:
        autre.close()


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_la_premiere_lecture_d_une_requete_rouvre_une_connexion_perdue():
    couper()
    connection.health_check_enabled, connection.health_check_done = True, False

    assert session_ouverte(uuid4(), uuid4()).premiere(preuve_de_connexion=2.0) is None
    assert connection.health_check_done


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("quand", ["avant", "apres"])
def test_une_session_invitee_s_ouvre_une_fois_par_une_connexion_perdue(monkeypatch, quand):
    """Nothing is read before it is written: it stands for the health check, and may have been written when it fails."""
    connection.ensure_connection()
    if quand == "avant":
        couper()
    else:
        ecrire = Pipeline.ecrire

        def ecrire_et_se_taire(self: Pipeline, *ordre: Any) -> int:
            monkeypatch.setattr(Pipeline, "ecrire", ecrire)
            ecrire(self, *ordre)
            raise psycopg.OperationalError("server closed the connection unexpectedly")

        monkeypatch.setattr(Pipeline, "ecrire", ecrire_et_se_taire)
    connection.health_check_enabled, connection.health_check_done = True, False

    session = ouvrir(telephone=None)

    assert SessionInvitee.objects.get().pk == session.pk


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_une_base_qui_ne_revient_pas_est_une_panne_et_rien_d_autre(monkeypatch):
    def sans_reponse(*args: Any, **options: Any) -> None:
        raise psycopg.errors.ConnectionTimeout("connection timeout expired")

    couper()
    connection.health_check_enabled, connection.health_check_done = True, False

    with monkeypatch.context() as absente, pytest.raises(OperationalError):
        absente.setattr(connection, "get_new_connection", sans_reponse)
        session_ouverte(uuid4(), uuid4()).premiere(preuve_de_connexion=2.0)


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_une_connexion_perdue_au_milieu_d_une_transaction_ne_se_rouvre_pas():
    """What was written in it is gone: the request fails, and is not half done."""
    with pytest.raises(DatabaseError), transaction.atomic():
        utilisateur()
        couper()
        connection.health_check_enabled, connection.health_check_done = True, False
        session_ouverte(uuid4(), uuid4()).premiere(preuve_de_connexion=2.0)


@pytest.mark.postgres
def test_une_lecture_est_preparee_une_fois_par_connexion():
    qui = acteur_de(utilisateur())
    for _fois in range(3):
        les_siens(qui).lignes()

    with connection.cursor() as curseur:
        curseur.execute("SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE '%%signalement%%'")
        assert curseur.fetchone()[0] >= 1


def test_une_constante_est_ecrite_dans_la_requete_et_une_valeur_ne_l_est_pas():
    @preparee
    def a_moderer(nom: str) -> QuerySet[Any]:
        publications = Poste.objects.filter(date_suppression=None, statut=Statut.NOUVEAU, titre=nom)
        return publications.order_by("date_creation", "id")

    a_moderer("x").lignes()
    (plan,) = a_moderer._compilees.values()

    sur_postgresql = connection.vendor == "postgresql"
    texte = plan._direct.decode() if sur_postgresql else plan._direct
    assert "'NOUVEAU'" in texte
    assert texte.count("$" if sur_postgresql else "?") == 1


def test_le_texte_d_une_valeur_n_est_jamais_du_sql():
    @preparee
    def de_nom(nom: str) -> QuerySet[Any]:
        return Compte.objects.filter(nom=nom).annotate(meme=models.Value("100 %s $1 ?"))

    for nom in ("'; DROP TABLE x --", "%s", "$1", "?", "100 %"):
        qui = utilisateur(nom=nom)
        (lu,) = de_nom(nom).lignes()
        assert (lu.pk, lu.nom, lu.meme) == (qui.pk, nom, "100 %s $1 ?")
