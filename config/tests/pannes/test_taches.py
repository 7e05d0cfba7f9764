"""Background work while the base stops, the mail server hangs and the process is told to end."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import psycopg
import pytest

from config.tests.outils.serveur import Serveur, attendre
from config.tests.pannes.conftest import REGLAGES
from config.tests.pannes.machines import Postgres
from config.tests.pannes.sourds import boite_qui_prend, muet, serveur_sourd
from demo.textes import ADMIN, AUTRE_GESTIONNAIRE, ETUDIANTE, GESTIONNAIRE

pytestmark = pytest.mark.parcours
LONGTEMPS = 240.0  # a step of each minute that one error has put off, twice
A_TEMPS = 8  # seconds, on a machine that does much else; a mail server that hangs is waited for ten
TACHES = "django_tasks_database_dbtaskresult"
BATTEMENTS = "taches_battement"
COURRIEL = f"from accounts.services import mot_de_passe_oublie; mot_de_passe_oublie.demander(email={ADMIN.email!r});"
EXPORT = f"""
from accounts.models import Compte
from socle.domaine.acteurs import ActeurCompte
from stats.exports import services
services.demander(acteur=ActeurCompte(compte=Compte.objects.get(email={ADMIN.email!r})), format="xlsx", filtres={{}})
"""


class Base(NamedTuple):
    """A demonstration on a PostgreSQL of its own; nothing runs on it."""

    postgres: Postgres
    donnees: Path

    def serveur(self, **reglages: str) -> Serveur:
        base = {"DATABASE_URL": self.postgres.adresse, "EXPORT_BACKGROUND_ROWS": "1"}
        return Serveur(self.donnees, **{**REGLAGES, **base, **reglages})

    def lire(self, requete: str) -> list[str]:
        with psycopg.connect(self.postgres.adresse, autocommit=True, connect_timeout=3) as connexion:
            return [str(valeur) for (valeur,) in connexion.execute(requete).fetchall()]

    def ecrire(self, requete: str) -> None:
        with psycopg.connect(self.postgres.adresse, autocommit=True) as connexion:
            connexion.execute(requete)

    def statuts(self, file: str) -> list[str]:
        return self.lire(f"SELECT status FROM {TACHES} WHERE queue_name = '{file}'")  # noqa: S608 -- our own names


@pytest.fixture
def base(postgres: Postgres, donnees: Path) -> Base:
    """Its queues are empty."""
    with psycopg.connect(postgres.adresse) as connexion:
        for table in (TACHES, BATTEMENTS, "stats_export"):
            connexion.execute(f"DELETE FROM {table}")  # noqa: S608 -- our own names
    return Base(postgres, donnees)


class Boite(NamedTuple):
    """A mail server: its address, the lines it was told."""

    adresse: str
    recu: list[str]


@pytest.fixture
def boite() -> Iterator[Boite]:
    recu: list[str] = []
    with serveur_sourd(boite_qui_prend(recu)) as port:
        yield Boite(f"smtp://127.0.0.1:{port}", recu)


@pytest.fixture
def lancer(base: Base, boite: Boite) -> Iterator[Callable[..., Serveur]]:
    """lancer("db_worker", NOM="valeur"): a process on this base, ended with the test."""
    lances = []

    def faire(commande: str, **reglages: str) -> Serveur:
        serveur = base.serveur(**{"EMAIL_URL": boite.adresse, **reglages})
        lances.append(serveur)
        serveur.lancer(*commande.split())
        return serveur

    yield faire
    for serveur in lances:
        serveur.tuer()


def a_fini_de_demarrer(base: Base) -> None:
    """The worker hears signals (it does before it beats), and its first look is over."""
    attendre(lambda: base.lire(f"SELECT ouvrier FROM {BATTEMENTS}"), "l'ouvrier bat", 30)  # noqa: S608 -- our own names
    time.sleep(1.5)


# --- The base goes and comes back -------------------------------------------------------------------------------------


def test_db_worker_attend_une_base_qui_redemarre_et_poursuit(base, lancer, boite):
    ouvrier = lancer("db_worker")
    a_fini_de_demarrer(base)
    arrets = [base.postgres.arreter, base.postgres.tuer, base.postgres.arreter]

    for arreter in arrets:
        arreter()
        time.sleep(2)
        base.postgres.demarrer()
        time.sleep(2)
    base.serveur().commander("shell", "-c", COURRIEL)

    attendre(lambda: "data" in boite.recu, "le courriel part", 30)
    lignes = [ligne["message"] for ligne in ouvrier.lignes("campus.taches")]
    remises = [ligne for ligne in lignes if "remis à la minute prochaine" in ligne]  # where a minute began meanwhile
    assert 1 <= len(lignes) - len(remises) <= len(arrets)
    assert len(remises) <= 2
    assert ouvrier.terminer() == 0


@contextmanager
def absente(postgres: Postgres, comment: str) -> Iterator[None]:
    """Stopped or frozen for the block."""
    partir, revenir = {
        "arretee": (postgres.arreter, postgres.demarrer),
        "gelee": (postgres.geler, postgres.degeler),
    }[comment]
    partir()
    try:
        yield
    finally:
        revenir()


@pytest.mark.parametrize("comment", ["arretee", "gelee"])
def test_db_worker_finit_en_quelques_secondes_aussi_sans_base(base, lancer, comment):
    ouvrier = lancer("db_worker")
    a_fini_de_demarrer(base)

    with absente(base.postgres, comment):
        time.sleep(3)
        debut = time.monotonic()
        code = ouvrier.terminer()
        duree = time.monotonic() - debut

    assert (code, duree < A_TEMPS) == (0, True), duree
    assert "Traceback" not in ouvrier.journal.read_text()


# --- A mail server that hangs -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("commande", ["db_worker", "serve --no-migrate"])
def test_un_serveur_d_e_mail_qui_pend_n_arrete_pas_les_exports(base, lancer, commande):
    with serveur_sourd(muet) as port:
        lancer(commande, EMAIL_URL=f"smtp://127.0.0.1:{port}")
        base.serveur().commander("shell", "-c", COURRIEL * 3)
        attendre(lambda: "RUNNING" in base.statuts("mail"), "un courriel pend", 30)

        base.serveur().commander("shell", "-c", EXPORT)

        attendre(lambda: base.statuts("exports") == ["SUCCESSFUL"], "l'export est écrit", 8)
        assert base.lire("SELECT statut FROM stats_export") == ["PRET"]


# --- Told to end ------------------------------------------------------------------------------------------------------


def finir(processus: Serveur) -> float:
    """The seconds it took to end, with status 0."""
    debut = time.monotonic()
    assert processus.terminer() == 0
    return time.monotonic() - debut


def test_un_arret_remet_en_file_le_courriel_qui_pend_et_un_autre_l_envoie(base, lancer, boite):
    with serveur_sourd(muet) as port:
        premier = lancer("serve --no-migrate", EMAIL_URL=f"smtp://127.0.0.1:{port}")
        base.serveur().commander("shell", "-c", COURRIEL)
        attendre(lambda: base.statuts("mail") == ["RUNNING"], "le courriel pend", 30)

        duree = finir(premier)

    assert (duree < A_TEMPS, base.statuts("mail")) == (True, ["READY"]), duree
    lancer("db_worker")
    attendre(lambda: base.statuts("mail") == ["SUCCESSFUL"], "le courriel part", 30)
    assert boite.recu.count("data") == 1


def test_un_arret_pendant_un_export_ne_laisse_aucun_fichier_et_un_autre_l_ecrit(base, lancer):
    rangement, brouillons = base.donnees / "files" / "exports", base.donnees / "tmp"
    avant = set(rangement.glob("*"))
    base.serveur().commander("shell", "-c", EXPORT)
    with psycopg.connect(base.postgres.adresse) as verrou:
        verrou.execute("LOCK TABLE signalements_signalement IN ACCESS EXCLUSIVE MODE")
        premier = lancer("db_worker")
        attendre(lambda: list(brouillons.glob("*/*")), "l'export est commencé", 30)

        duree = finir(premier)

        assert (duree < A_TEMPS, base.statuts("exports")) == (True, ["READY"]), duree
        assert list(brouillons.glob("*")) == []
    lancer("db_worker")
    attendre(lambda: base.statuts("exports") == ["SUCCESSFUL"], "l'export est écrit", 30)
    assert base.lire("SELECT statut FROM stats_export") == ["PRET"]
    assert len(set(rangement.glob("*")) - avant) == 1


# --- Notices, under kills ---------------------------------------------------------------------------------------------

CONFIER = f"""
from accounts.models import Compte
from signalements import services
from signalements.models import Signalement
from socle.domaine.acteurs import ActeurCompte
nadia, paul = (Compte.objects.get(email=email) for email in ({AUTRE_GESTIONNAIRE.email!r}, {GESTIONNAIRE.email!r}))
lus = Signalement.objects.visibles_par(ActeurCompte(compte=nadia))
for dossier in lus.exclude(gestionnaire=paul).order_by("pk"):
    if dossier.est_visible_de(ActeurCompte(compte=paul)):
        services.assigner(signalement=dossier, gestionnaire_id=paul.pk, acteur=ActeurCompte(compte=nadia))
"""
# Its people are their authors, who asked to be told: an account, and guests at an address of theirs.
SUIVRE = f"""
from django.utils import timezone
from accounts.models import Compte, Preferences
from avis.models import AdresseInvitee
from discussions.conversation import repondre
from guests.models import SessionInvitee
from signalements.models import Signalement
from socle.domaine.acteurs import ActeurCompte
rose, awa = (Compte.objects.get(email=email) for email in ({ADMIN.email!r}, {ETUDIANTE.email!r}))
Compte.objects.filter(pk=awa.pk).update(email_verifie=True)
Preferences.objects.update_or_create(compte=awa, defaults={{"avis_dossiers": True}})
maintenant = timezone.now()
SessionInvitee.objects.update(date_derniere_activite=maintenant)
for rang, session in enumerate(SessionInvitee.objects.filter(statut="ACTIVE")):
    AdresseInvitee.objects.create(
        session=session, adresse=f"invite{{rang}}@campus.example", langue="fr", minute=600, date_confirmation=maintenant
    )
for dossier in Signalement.objects.vivants().filter(ouvert_a="TOUS").exclude(compte=rose).order_by("pk"):
    repondre(acteur=ActeurCompte(compte=rose), dossier=dossier, contenu="Des nouvelles.")
"""
ADRESSES = "SELECT count(*) FROM avis_avis WHERE nature = %r AND NOT est_adresse"
NON_ENVOYES = "SELECT count(*) FROM avis_avis WHERE date_envoi IS NULL AND nature = %r"


@pytest.mark.parametrize(("agir", "nature"), [(CONFIER, "DOSSIER_CONFIE"), (SUIVRE, "SUITE")])
def test_des_avis_ecrits_sont_dits_quels_que_soient_les_ouvriers_tues(base, lancer, boite, agir, nature):
    base.serveur().commander("shell", "-c", agir)
    (ecrits,) = base.lire(ADRESSES % nature)

    for secondes in (1.5, 2.0, 2.5, 3.0, 3.5):
        ouvrier = lancer("db_worker")
        time.sleep(secondes)
        ouvrier.tuer()
        hater(base)
        base.ecrire(f"UPDATE {TACHES} SET started_at = now() - interval '1 hour'")  # noqa: S608 -- of a dead worker
    lancer("db_worker")
    attendre(lambda: base.lire(ADRESSES % nature) == ["0"], "tous sont adressés", LONGTEMPS)
    attendre(lambda: hater(base) or base.lire(NON_ENVOYES % nature) == ["0"], "tout est envoyé", LONGTEMPS)

    courriers = base.lire("SELECT DISTINCT courrier FROM avis_avis WHERE date_envoi IS NOT NULL")
    envoyes = "\n".join(boite.recu)
    assert int(ecrits) > 5
    assert courriers
    assert all(f"Message-ID: <{courrier}@" in envoyes for courrier in courriers)


def hater(base: Base) -> None:
    """Their time has come; of what a worker has in hand, when it comes again: two that wait for each other's rows are a
    deadlock, of which the worker leaves the rest for the next minute."""
    for table, cle, valeurs, condition in (
        ("avis_avis", "id", "du = now()", "courrier IS NULL AND est_adresse"),
        ("avis_cadence", "compte_id", "prochain = now(), prochaine_suite = now()", "true"),
        ("avis_adresseinvitee", "id", "prochaine_suite = now()", "true"),
    ):
        libres = f"SELECT {cle} FROM {table} WHERE {condition} FOR UPDATE SKIP LOCKED"  # noqa: S608 -- our own names
        base.ecrire(f"UPDATE {table} SET {valeurs} WHERE {cle} IN ({libres})")  # noqa: S608 -- our own names
