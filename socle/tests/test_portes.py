"""Who asks again is presumed, then looked at with what they ask: what is not as it was is never answered."""

import threading
import time
from contextlib import nullcontext, suppress
from datetime import date, datetime
from typing import Any
from uuid import UUID

import psycopg
import pytest
from django.db import connection, transaction
from django.db.models import Count
from django.utils import timezone

from accounts.lectures import session_ouverte
from accounts.models import Compte, Session
from accounts.services.sessions import terminer_toutes
from accounts.tests import fabriques
from config.tests.outils import refermer
from discussions.models import Message
from guests.models import SessionInvitee
from signalements.lectures import nombres
from signalements.models import Signalement
from signalements.vocabulaire import Axe
from socle.api import voie
from socle.audit.greffe import greffe
from socle.audit.models import Trace
from socle.audit.vocabulaire import Acte
from socle.domaine import limites, portes
from socle.domaine.delais import SONDE_SECONDES, SQL_SECONDES
from socle.domaine.ecritures import inserer
from socle.domaine.erreurs import TropDeRequetes
from socle.domaine.essais import Essai, essai_en_cours
from socle.domaine.limites import Taux, consommer, occuper, reserver
from socle.domaine.portes import premiere
from socle.domaine.variantes import VERSIONS, varier
from socle.postgresql import rafale as module
from socle.postgresql.rafale import PorteFermee, Rafale
from socle.tests.test_lectures import couper

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]
VERSION, PORTE, LECTURE = "version", "porte", "SELECT"
VALIDATE, LES_SIENS = "/api/v1/auth/validate", "/api/v1/signalements/me"


@pytest.fixture(autouse=True)
def _toujours_fraiche(monkeypatch):
    monkeypatch.setattr(portes, "FRAICHE_SECONDES", float("inf"))


@pytest.fixture
def voyages(monkeypatch):
    """What each round trip says, statement by statement, but the health check."""
    vus: list[list[str]] = []
    envoyer = Rafale._envoyer_tout

    def noter(self: Rafale, dits: Any) -> Any:
        if dits[0].cle[0] != b"SELECT 1":
            vus.append([_nom(dit.cle[0]) for dit in dits])
        return envoyer(self, dits)

    monkeypatch.setattr(Rafale, "_envoyer_tout", noter)
    return vus


def _nom(sql: bytes) -> str:
    if b"xmin" in sql:
        return VERSION
    return PORTE if b'FROM "accounts_session"' in sql else sql.split()[0].decode()


@pytest.fixture
def connue(api, etudiante, signalement):
    """The student's client, who has come by the door a moment ago."""
    client = api(etudiante)
    assert client.get(VALIDATE).status_code == 200
    return client


@pytest.fixture
def la_porte(connue, etudiante):
    """The door that she has come by."""
    return Session.objects.get().pk, etudiante.pk


def changer(compte: Compte, **champs: Any) -> None:
    """As another process does."""
    Compte.objects.filter(pk=compte.pk).update(**champs)


# --- One round trip ---------------------------------------------------------------------------------------------------


def test_la_porte_et_ce_qu_elle_garde_se_lisent_en_un_aller(connue, signalement, voyages):
    reponse = connue.get(f"/api/v1/signalements/{signalement.pk}")

    assert reponse.json()["data"]["id"] == str(signalement.pk)
    assert voyages == [[VERSION, LECTURE]]


def test_qui_vient_pour_la_premiere_fois_passe_d_abord_la_porte(api, etudiante, signalement, voyages):
    client = api(etudiante)
    voyages.clear()

    assert client.get(f"/api/v1/signalements/{signalement.pk}").status_code == 200

    assert voyages == [[VERSION, PORTE], [LECTURE]]


def test_ce_qui_ne_demande_rien_passe_la_porte_seule(connue, voyages):
    assert connue.get(VALIDATE).status_code == 200

    assert voyages == [[VERSION]]


@pytest.mark.parametrize("chemin", ["/api/v1/signalements/me?page=x", "/api/v1/comptes/"])
def test_un_refus_n_est_dit_qu_a_qui_est_entre(connue, etudiante, voyages, chemin):
    refuse = connue.get(chemin)
    terminer_toutes(etudiante)
    voyages.clear()

    dehors = connue.get(chemin)

    assert (refuse.status_code, dehors.status_code) in {(422, 401), (403, 401)}
    assert voyages == [[VERSION], [PORTE]]  # found changed, then by the door


def test_devant_une_transaction_la_porte_est_seule(la_porte, voyages):
    with Essai(), transaction.atomic():
        premiere(session_ouverte, *la_porte, sonde=SONDE_SECONDES)
        session_ouverte(*la_porte).lignes()

    assert voyages == [[VERSION], ["BEGIN", PORTE], ["COMMIT"]]


def test_une_demande_n_en_presume_qu_un(la_porte, etudiante, api, autre_etudiante):
    assert api(autre_etudiante).get(VALIDATE).status_code == 200
    l_autre = Session.objects.get(compte=autre_etudiante).pk, autre_etudiante.pk
    terminer_toutes(etudiante)

    with Essai() as essai:
        premiere(session_ouverte, *la_porte, sonde=SONDE_SECONDES)
        premiere(session_ouverte, *l_autre, sonde=SONDE_SECONDES)

    assert not essai.tient


def test_qui_a_change_repasse_par_la_porte_une_fois(connue, etudiante, voyages):
    changer(etudiante, nom="Sow")
    for _fois in range(3):
        assert connue.get(VALIDATE).status_code == 200

    assert voyages == [[VERSION], [PORTE], [VERSION, PORTE], [VERSION]]
    voyages.clear()
    assert connue.get(LES_SIENS).status_code == 200
    assert len(voyages) == 1


def test_une_ecriture_passe_par_la_porte(connue, voyages):
    assert connue.post("/api/v1/signalements/", {}).status_code == 422

    assert voyages == [[PORTE]]


@pytest.mark.parametrize("fraiche", [True, False])
def test_une_connexion_qui_s_est_tue_est_d_abord_sondee(connue, monkeypatch, voyages, fraiche):
    monkeypatch.setattr(portes, "FRAICHE_SECONDES", float("inf") if fraiche else 0.0)

    assert connue.get(LES_SIENS).status_code == 200

    assert voyages[0] == ([VERSION, LECTURE, LECTURE] if fraiche else [VERSION, PORTE])


def test_ce_que_lit_l_orm_attend_la_porte(la_porte, etudiante, voyages):
    with Essai() as essai:
        presumee = premiere(session_ouverte, *la_porte, sonde=SONDE_SECONDES)
        avant = list(voyages)
        assert Signalement.objects.count() == 1

    assert (presumee.compte_id, essai.tient) == (etudiante.pk, True)
    assert (avant, voyages[-1]) == ([], [VERSION])


@pytest.mark.parametrize("colonne", ["nom", "recherche", "nb_coupures"])
def test_ce_que_la_porte_ne_lit_pas_compte_aussi(connue, etudiante, voyages, colonne):
    """Whatever of the row was written, its version is another."""
    changer(etudiante, **{colonne: 1})
    voyages.clear()

    assert connue.get(VALIDATE).status_code == 200

    assert voyages == [[VERSION], [PORTE]]


@pytest.fixture
def entre_les_deux(monkeypatch):
    """entre_les_deux(acte, porte): she comes by the door, and this is done between its versions and its row."""
    lire = Rafale.lire_ensemble

    def entrer(acte: Any, porte: Any) -> Any:
        def couper_en_deux(self: Rafale, ordres: Any, **options: Any) -> Any:
            premieres = lire(self, ordres[:1], **options)
            fil = threading.Thread(target=lambda: (acte(), connection.close()))
            fil.start()
            fil.join()
            return [*premieres, *lire(self, ordres[1:], **options)]

        with monkeypatch.context() as coupee, Essai():
            coupee.setattr(Rafale, "lire_ensemble", couper_en_deux)
            return premiere(session_ouverte, *porte, sonde=SONDE_SECONDES)

    return entrer


def test_ce_qui_change_entre_la_version_et_la_ligne_n_est_pas_presume(api, etudiante, entre_les_deux, voyages):
    client = api(etudiante)
    entree = entre_les_deux(lambda: changer(etudiante, nom="Sow"), (Session.objects.get().pk, etudiante.pk))
    voyages.clear()

    assert client.get("/api/v1/comptes/me").json()["data"]["nom"] == entree.compte.nom == "Sow"
    assert voyages[0] == [VERSION]
    assert len(voyages) > 1  # found changed


def test_qui_n_avait_pas_de_version_n_est_pas_retenu(api, etudiante, entre_les_deux):
    client = api(etudiante)
    changer(etudiante, est_actif=False)
    assert entre_les_deux(lambda: changer(etudiante, est_actif=True), (Session.objects.get().pk, etudiante.pk))
    changer(etudiante, est_actif=False)

    assert client.get("/api/v1/comptes/me").status_code == 401


def test_dans_une_transaction_rien_ne_s_apprend(etudiante, api):
    """What it writes twice has one version."""
    api(etudiante)
    porte = (Session.objects.get().pk, etudiante.pk)
    with transaction.atomic():
        for nom in ("Sow", "Fall"):
            changer(etudiante, nom=nom)
            with Essai() as essai:
                lue = premiere(session_ouverte, *porte, sonde=SONDE_SECONDES)
            assert (lue.compte.nom, essai.tient) == (nom, True)


def test_chaque_ligne_de_la_porte_a_sa_version():
    versions = str(varier(Session.objects.select_related("compte"), VERSIONS).query)

    assert versions.startswith(
        'SELECT "accounts_session".xmin AS "version1", "accounts_compte".xmin AS "version2" FROM '
    )


@pytest.mark.parametrize(
    "lignes",
    [
        Session.objects.select_related(),
        Message.objects.select_related("discussion__signalement"),
        Session.objects.annotate(autres=Count("compte__sessions")),
    ],
)
def test_ce_que_des_versions_ne_diraient_pas_n_est_pas_une_porte(lignes):
    with pytest.raises(TypeError, match="versions"):
        varier(lignes, VERSIONS)


# --- What is no longer so ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("chemin", [VALIDATE, LES_SIENS, "/api/v1/stats/dashboard", "/api/v1/signalements/{}"])
@pytest.mark.parametrize("fin", ["session", "compte"])
def test_une_session_finie_n_ouvre_plus_rien(connue, etudiante, signalement, chemin, fin, caplog):
    chemin = chemin.format(signalement.pk)
    assert connue.get(chemin).status_code == 200
    if fin == "session":
        terminer_toutes(etudiante)
    else:
        changer(etudiante, est_actif=False)

    caplog.clear()
    refusee = connue.get(chemin)

    assert [ligne.acteur for ligne in caplog.records if ligne.name == "campus.acces"] == ["-"]
    assert [ligne for ligne in caplog.records if ligne.name != "campus.acces"] == []
    assert (refusee.status_code, refusee.json()["code"]) == (401, "TOKEN_INVALID")
    assert signalement.reference not in refusee.content.decode()
    assert connue.get(chemin).status_code == 401


def test_un_role_perdu_l_est_aussitot_et_un_role_recu_sert_aussitot(api, gestionnaire, signalement):
    client, chemin = api(gestionnaire), f"/api/v1/signalements/{signalement.pk}"
    assert client.get(chemin).status_code == 200

    changer(gestionnaire, type_utilisateur="UTILISATEUR")
    assert [client.get(chemin).status_code for _fois in range(2)] == [403, 403]

    changer(gestionnaire, type_utilisateur="GESTIONNAIRE")
    assert [client.get(chemin).status_code for _fois in range(2)] == [200, 200]


def test_un_nom_change_est_celui_que_l_on_lit(connue, etudiante):
    changer(etudiante, nom="Sow")

    assert connue.get("/api/v1/comptes/me").json()["data"]["nom"] == "Sow"


def test_une_session_invitee_revoquee_n_ouvre_plus_rien(api, invite, signalement_invite):
    client, chemin = api(invite), f"/api/v1/signalements/{signalement_invite.pk}"
    assert [client.get(chemin).status_code for _fois in range(2)] == [200, 200]

    SessionInvitee.objects.filter(pk=invite.pk).update(statut="DISABLED")

    assert client.get(chemin).status_code == 403


def test_ce_qui_a_ete_lu_pour_qui_n_entre_plus_n_est_pas_rendu(la_porte, etudiante):
    terminer_toutes(etudiante)
    lus: list[Any] = []

    with Essai() as essai:
        premiere(session_ouverte, *la_porte, sonde=SONDE_SECONDES)
        lus += session_ouverte(*la_porte).lignes()

    assert (lus, essai.tient) == ([], False)


def test_ce_qu_une_vue_a_tu_ne_sort_pas_non_plus(la_porte, etudiante):
    terminer_toutes(etudiante)

    with Essai() as essai:
        premiere(session_ouverte, *la_porte, sonde=SONDE_SECONDES)
        with suppress(PorteFermee):
            Signalement.objects.count()
        assert Signalement.objects.count() == 1  # the view goes on

    assert not essai.tient


def nouveau() -> Compte:
    return Compte(email="nouveau@campus.test", nom="Diop", prenom="Awa", password="!")


def ecrire_derriere_un_refus_tu() -> None:
    with suppress(PorteFermee):
        Signalement.objects.count()
    nouveau().save(force_insert=True)


def valider_derriere_un_refus_tu() -> None:
    with transaction.atomic():
        inserer(nouveau())
        with suppress(PorteFermee):
            Signalement.objects.count()


def ecrire_par_une_autre_connexion() -> None:
    connection.close()
    nouveau().save(force_insert=True)


@pytest.mark.parametrize(
    "ecrire", [ecrire_derriere_un_refus_tu, valider_derriere_un_refus_tu, ecrire_par_une_autre_connexion]
)
def test_une_porte_fermee_le_reste_jusqu_a_la_fin_de_la_demande(la_porte, etudiante, ecrire):
    terminer_toutes(etudiante)

    with Essai() as essai:
        premiere(session_ouverte, *la_porte, sonde=SONDE_SECONDES)
        ecrire()

    assert not essai.tient
    assert not Compte.objects.filter(email="nouveau@campus.test").exists()
    assert session_ouverte(*la_porte).premiere(sonde=SONDE_SECONDES) is None


@pytest.mark.parametrize("fin", ["rien", "une écriture", "une erreur"])
def test_ce_qui_attendait_la_fin_d_une_transaction_refusee_n_est_jamais_fait(la_porte, etudiante, fin):
    terminer_toutes(etudiante)
    faits: list[str] = []
    pilote = connection.connection

    with Essai() as essai:
        premiere(session_ouverte, *la_porte, sonde=SONDE_SECONDES)
        with transaction.atomic():
            transaction.on_commit(lambda: faits.append("fait"))
            if fin == "une écriture":
                inserer(nouveau())
            elif fin == "une erreur":
                raise ValueError
    with transaction.atomic():
        assert Signalement.objects.count() == 1

    assert (essai.tient, faits) == (False, [])
    assert connection.connection is pilote


def test_rien_ne_s_ecrit_devant_une_porte_fermee(la_porte, etudiante):
    terminer_toutes(etudiante)

    with Essai() as essai:
        premiere(session_ouverte, *la_porte, sonde=SONDE_SECONDES)
        with transaction.atomic():
            inserer(nouveau())

    assert not essai.tient
    assert not Compte.objects.filter(email="nouveau@campus.test").exists()


def test_la_porte_d_une_demande_n_attend_pas_la_suivante(la_porte, monkeypatch):
    class Arret(BaseException): ...

    def s_arreter(_self: Rafale) -> None:
        raise Arret

    with suppress(Arret), Essai():
        premiere(session_ouverte, *la_porte, sonde=SONDE_SECONDES)
        monkeypatch.setattr(Rafale, "franchir", s_arreter)
    monkeypatch.undo()

    assert (essai_en_cours(), connection.health_check_done) == (None, False)
    assert connection.connection.rafale._porte is None
    connection.close()
    assert Signalement.objects.count() == 1  # by another connection


@pytest.mark.parametrize(
    ("champs", "statut"), [({"est_actif": False}, 401), ({"type_utilisateur": "UTILISATEUR"}, 403)]
)
def test_le_registre_ne_dit_rien_de_qui_n_entre_plus(api, gestionnaire, champs, statut):
    client, canal = api(gestionnaire), "/api/v1/evenements?canal=dashboard"
    assert client.get(VALIDATE).status_code == 200
    changer(gestionnaire, **champs)

    assert client.get(canal).status_code == statut
    greffe.vider()
    assert not Trace.objects.filter(acte=Acte.CANAL_ECOUTE).exists()

    changer(gestionnaire, est_actif=True, type_utilisateur="GESTIONNAIRE")
    assert client.get(canal).status_code == 200
    greffe.vider()
    assert Trace.objects.filter(acte=Acte.CANAL_ECOUTE).count() == 1


def test_qui_n_entre_plus_ne_consomme_pas_ce_qui_est_compte_a_la_personne(connue, etudiante, settings, api):
    settings.THROTTLE_ENABLED = True
    settings.THROTTLES = {**settings.THROTTLES, "personal_export": Taux(1, 3600)}
    export = "/api/v1/comptes/me/export"
    terminer_toutes(etudiante)

    assert connue.get(export).status_code == 401
    siens = api(etudiante).get(export)
    refermer(siens)
    assert siens.status_code == 200


@pytest.mark.parametrize("avec_un_compte", [True, False])
def test_ce_qu_une_vue_compte_elle_meme_ne_l_est_qu_une_fois(connue, etudiante, invite, settings, api, avec_un_compte):
    settings.THROTTLE_ENABLED = True
    settings.THROTTLES = {**settings.THROTTLES, "merge": Taux(3, 3600)}
    client = connue if avec_un_compte else api(None)
    apercu = f"/api/v1/guest/sessions/{invite.guest_id}/merge-preview?userId={etudiante.pk}"
    statuts = []
    for numero in range(3):
        assert connue.get(VALIDATE).status_code == 200
        assert api(invite).get("/api/v1/guest/suivi").status_code == 200
        changer(etudiante, nom=f"Sow{numero}")
        SessionInvitee.objects.filter(pk=invite.pk).update(date_derniere_activite=timezone.now())
        statuts.append(client.get(apercu).status_code)

    assert statuts == [200, 200, 200]


@pytest.mark.parametrize("compter", [consommer, reserver, occuper, limites.compter])
def test_rien_ne_se_compte_au_nom_de_qui_n_est_que_presume(la_porte, etudiante, compter, settings):
    settings.THROTTLE_ENABLED = True
    terminer_toutes(etudiante)
    suite = {reserver: {}, occuper: {"duree": 60, "refus": TropDeRequetes}, limites.compter: {"taux": Taux(1, 60)}}

    with Essai() as essai:
        premiere(session_ouverte, *la_porte, sonde=SONDE_SECONDES)
        with pytest.raises(PorteFermee), compter("merge", "compte", **suite.get(compter, {})) or nullcontext():
            pytest.fail("counted")

    assert not essai.tient


def test_une_demande_qui_recommence_ne_sait_plus_qui_etait_presume(connue, etudiante, monkeypatch):
    vues: list[Any] = []
    noter = voie.noter

    def regarder(request: Any, *reste: Any) -> None:
        vues.append(getattr(request, "source_acteur", None))
        noter(request, *reste)

    monkeypatch.setattr(voie, "noter", regarder)
    assert connue.get(VALIDATE).status_code == 200
    terminer_toutes(etudiante)
    assert connue.get(VALIDATE).status_code == 401

    assert vues == ["AUTH_USER", None]


def test_ce_qui_est_envoye_de_nouveau_est_juge_de_nouveau(connue, etudiante, signalement, monkeypatch):
    """The server has lost the statement of the read; meanwhile the account is closed."""
    examiner, perdues = Rafale._examiner, []

    def perdre(self: Rafale, preparee: Any, dit: Any, resultat: Any) -> None:
        examiner(self, preparee, dit, resultat)
        if dit is not module.PREPARATIF and _nom(dit.cle[0]) != VERSION and not perdues:
            perdues.append(dit)
            ailleurs = connection.copy()
            with ailleurs.cursor() as curseur:
                curseur.execute("UPDATE accounts_compte SET est_actif = FALSE WHERE id = %s", [etudiante.pk])
            ailleurs.close()
            raise psycopg.errors.FeatureNotSupported

    monkeypatch.setattr(Rafale, "_examiner", perdre)

    assert connue.get(f"/api/v1/signalements/{signalement.pk}").status_code == 401
    assert len(perdues) == 1


def test_une_demande_qui_recommence_ne_compte_qu_une_fois(connue, etudiante, settings):
    settings.THROTTLE_ENABLED = True
    settings.THROTTLES = {**settings.THROTTLES, "general": Taux(3, 3600)}
    statuts = []
    for nom in ("Sow", "Fall", "Kane"):
        statuts.append(connue.get(LES_SIENS).status_code)
        changer(etudiante, nom=nom)

    assert [*statuts, connue.get(LES_SIENS).status_code] == [200, 200, 200, 429]


# --- The connection ---------------------------------------------------------------------------------------------------


def test_une_connexion_perdue_se_rouvre_et_la_demande_aboutit(connue, signalement):
    couper()
    connection.health_check_enabled = True

    assert connue.get(f"/api/v1/signalements/{signalement.pk}").status_code == 200


def test_la_porte_seule_n_attend_pas_plus_qu_une_sonde(la_porte, monkeypatch):
    monkeypatch.setattr(module, "SONDE_SECONDES", 0.2)
    ailleurs = connection.copy()
    ailleurs.set_autocommit(False)
    try:
        with ailleurs.cursor() as curseur:
            curseur.execute("LOCK TABLE accounts_session IN ACCESS EXCLUSIVE MODE")
        debut = time.monotonic()
        with Essai() as essai:
            premiere(session_ouverte, *la_porte, sonde=SONDE_SECONDES)
        attendu = time.monotonic() - debut
    finally:
        ailleurs.rollback()
        ailleurs.close()

    assert (essai.tient, attendu < SQL_SECONDES / 2) == (False, True)
    assert session_ouverte(*la_porte).premiere(sonde=SONDE_SECONDES) is not None


def test_une_lecture_qui_echoue_derriere_la_porte_n_est_pas_recommencee(la_porte, voyages):
    """Its failure is its own: the door was open."""
    with pytest.raises(psycopg.errors.DivisionByZero), Essai() as essai:
        premiere(session_ouverte, *la_porte, sonde=SONDE_SECONDES)
        connection.connection.rafale.lire(b"SELECT 1/0", (), sans_effet=True)

    assert (voyages, essai.tient) == ([[VERSION, LECTURE]], True)


def test_ce_qui_se_prepare_derriere_une_porte_fermee_sert_encore(la_porte, etudiante):
    """The server has prepared it, whatever became of the door."""
    terminer_toutes(etudiante)
    with Essai() as essai:
        premiere(session_ouverte, *la_porte, sonde=SONDE_SECONDES)
        nombres(Axe.JOUR, date(2026, 1, 1), None).lignes()

    assert not essai.tient
    assert nombres(Axe.JOUR, date(2026, 1, 1), None).lignes() is not None


def test_qui_regarde_les_requetes_les_voit_toutes(connue, django_assert_num_queries):
    with django_assert_num_queries(1):
        connue.get(VALIDATE)


# --- The memory -------------------------------------------------------------------------------------------------------


def test_ce_qui_est_retenu_est_borne(api, monkeypatch):
    monkeypatch.setattr(portes, "RETENUES_MAX", 3)
    for _une in range(5):
        assert api(fabriques.compte()).get(VALIDATE).status_code == 200

    assert len(portes._retenues) == 3


def test_ce_qui_est_retenu_l_est_peu_de_temps(connue, api, monkeypatch, voyages):
    monkeypatch.setattr(portes, "RETENUE_SECONDES", 0.0)
    assert connue.get(LES_SIENS).status_code == 200
    assert voyages[0] == [VERSION, PORTE]  # by the door

    assert api(fabriques.compte()).get(VALIDATE).status_code == 200
    assert len(portes._retenues) == 1


def test_ce_qui_est_retenu_ne_peut_changer(connue, api, invite, signalement_invite):
    assert api(invite).get("/api/v1/guest/suivi").status_code == 200

    retenues = portes._retenues.values()
    lignes = [ligne for une in retenues for ligne in (*une.lignes, *une.versions, une.dit.parametres)]
    valeurs = [valeur for ligne in lignes for valeur in ligne]

    assert len(portes._retenues) == 2
    assert {type(valeur) for valeur in valeurs} <= {str, int, bool, bytes, UUID, date, datetime, type(None)}


def test_personne_n_est_pris_pour_un_autre(api):
    """Many people at once on few connections: each is told of themselves alone."""
    gens = [fabriques.compte() for _un in range(6)]
    clients = [(api(un), str(un.pk)) for un in gens]
    faux: list[tuple[str, str]] = []

    def insister(siens: Any) -> None:
        for _fois in range(15):
            for client, attendu in siens:
                lu = client.get("/api/v1/comptes/me").json()["data"]["id"]
                if lu != attendu:
                    faux.append((lu, attendu))
        connection.close()

    fils = [threading.Thread(target=insister, args=(clients[rang::2] + clients[:2],)) for rang in range(2)]
    for fil in fils:
        fil.start()
    for fil in fils:
        fil.join(60)
    assert faux == []
