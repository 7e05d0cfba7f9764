"""`manage.py doctor` finds what is wrong, says what to do, never hangs, never tells a secret."""

import json
import re
import stat
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as django_settings
from django.core.management import CommandError, call_command
from django.db import OperationalError, connection
from django.db.migrations.recorder import MigrationRecorder
from django.middleware.csrf import CsrfViewMiddleware
from django.utils import timezone
from django.utils.module_loading import import_string
from django_tasks_db.models import DBTaskResult

from accounts.models import Compte, Preferences
from config import env
from config.examens import machine, services
from config.examens.constat import Gravite, bien, examens, examiner
from config.management.commands import doctor  # noqa: F401 -- its examinations register themselves
from config.sauvegarde import manifeste as m
from config.tests.outils.clients import acteur_de
from config.tests.pannes.sourds import bavard, goutte_a_goutte, muet, serveur_sourd
from config.tests.services.test_mise_a_jour import SECRETS
from config.tests.services.test_reglages import lancer
from echeances.tests.fabriques import promettre
from personnes.services.effacements import effacer_compte
from resources.tests import fabriques as aide
from signalements.models import Effectif
from signalements.reserve import changer_lecteurs
from socle.audit import protection
from socle.audit.models import Trace
from socle.audit.sceaux import sceller
from socle.courriel import CONSOLE
from socle.taches.entretien import purges
from socle.taches.models import Battement
from socle.taches.ouvrier import OuvrierInterne

pytestmark = pytest.mark.longue

NOMS = {
    *("reglages", "mandataire", "fuseau", "demonstration", "base", "schema", "horloge", "adresses", "compteurs"),
    *("lecteurs", "campus", "registre", "textes"),
    *("taches", "disque", "permissions", "sauvegarde", "redis", "stockage", "courriel", "antivirus", "effacements"),
    "avis",
}


# Of shells, of systemd, of containers, of libraries.
D_AUTRUI = (
    *("HOSTNAME", "HOSTTYPE", "LOGNAME", "MAIL", "SHELL", "TMPDIR", "XDG_DATA_DIRS", "XDG_DATA_HOME", "HTTPS_PROXY"),
    *("STATE_DIRECTORY", "LOGS_DIRECTORY", "CREDENTIALS_DIRECTORY", "NOTIFY_SOCKET", "LISTEN_PID", "REDIS_PORT"),
    *("PGHOST", "PGPORT", "PGDATABASE", "POSTGRES_DB", "TEST_DATABASE_URL", "TEST_REDIS_URL", "KUBERNETES_PORT"),
    *("AWS_ENDPOINT_URL", "AWS_ENDPOINT_URL_S3", "AWS_REGION", "AWS_DEFAULT_REGION", "AWS_PROFILE"),
    *("DJANGO_SETTINGS_MODULE", "DJANGO_SECRET_KEY", "DJANGO_DEBUG", "DOMAINE", "CLE_SEAU", "MOT_DE_PASSE_BASE"),
)


def dit(nom: str) -> list[tuple[str, str]]:
    """State and sentence of each line of this examination, in this thread."""
    return [(constat.etat.mot, constat.constat) for constat in examens[nom]()]


def etats(nom: str) -> list[str]:
    return [etat for etat, _constat in dit(nom)]


def ce_qui_va_mal(nom: str) -> str:
    return " ".join(constat for etat, constat in dit(nom) if etat != "ok")


def test_la_documentation_nomme_chaque_examen():
    texte = (Path(django_settings.BASE_DIR) / "docs" / "operations.md").read_text(encoding="utf-8")

    assert {nom for nom in NOMS if f"\n| `{nom}` | " not in texte} == set()


# --- The page


def test_un_service_en_ordre_sort_0_et_tout_est_examine(tmp_path):
    lancer(tmp_path, "manage.py", "migrate", "--if-needed", "--verbosity=0")
    battre = "import django; django.setup(); from socle.taches.ouvrier import OuvrierInterne as O; O()._battre()"
    lancer(tmp_path, "-c", battre, DJANGO_SETTINGS_MODULE="config.settings")

    fait = lancer(tmp_path, "manage.py", "doctor", "--json")

    lu = json.loads(fait.stdout)
    assert (fait.returncode, lu["etat"]) == (0, "ok")
    assert {un["nom"] for un in lu["examens"]} == NOMS == set(examens)


@pytest.mark.parametrize("donne", ["60/h", "n'importe quoi"])
def test_un_reglage_retire_n_arrete_rien_et_se_dit(tmp_path, donne):
    fait = lancer(tmp_path, "manage.py", "doctor", "reglages", THROTTLE_GUEST_SESSION_PHONE=donne)

    assert fait.returncode == 1
    assert "THROTTLE_GUEST_SESSION_PHONE est donné et n'a plus d'effet" in fait.stdout


@pytest.mark.parametrize(("nom", "voulu"), [("PUBLIC_ULR", "PUBLIC_URL"), ("HASHKEY_FILE", "HASH_KEY_FILE")])
def test_un_nom_voisin_d_un_reglage_se_dit_sans_sa_valeur(tmp_path, nom, voulu):
    fait = lancer(tmp_path, "manage.py", "doctor", "reglages", **{nom: "https://valeur.example"})

    assert fait.returncode == 1
    assert f"{nom} est inconnu : vouliez-vous {voulu} ?" in fait.stdout
    assert "valeur" not in fait.stdout + fait.stderr


def test_ni_nos_reglages_ni_les_noms_d_autrui_ne_sont_pris_pour_une_faute(monkeypatch):
    noms = re.findall(r"^\| `([A-Z0-9_]+)` \|", (Path(django_settings.BASE_DIR) / "docs/reglages.md").read_text(), re.M)
    assert len(noms) > 100
    for nom in (*noms, *D_AUTRUI, "THROTTLE_GUEST_SESSION_PHONE_FILE", *(f"{nom}_FILE" for nom in noms)):
        monkeypatch.setenv(nom, "x")

    assert env.meconnus() == {}


def test_une_base_sans_tables_sort_2_et_dit_de_migrer(tmp_path):
    fait = lancer(tmp_path, "manage.py", "doctor")

    assert fait.returncode == 2
    lignes = fait.stdout.splitlines()
    (rang,) = [rang for rang, ligne in enumerate(lignes) if ligne.startswith("panne     schema")]
    assert lignes[rang + 1].strip() == "→ Lancez « manage.py migrate »."
    assert "Traceback" not in fait.stderr


def test_des_serveurs_qui_se_taisent_ne_retiennent_pas_la_page_et_aucun_secret_n_est_dit(tmp_path):
    """All three at once: it waits some ten seconds for each."""
    conduites = (muet, goutte_a_goutte, bavard)
    dossiers = [tmp_path / conduite.__name__ for conduite in conduites]
    for dossier in dossiers:
        dossier.mkdir()
    with ThreadPoolExecutor(len(conduites)) as fils:
        assert list(fils.map(_examiner_des_sourds, dossiers, conduites)) == [None] * len(conduites)


def _examiner_des_sourds(dossier: Path, conduite: Any) -> None:
    with serveur_sourd(conduite) as port:
        reglages = {
            **SECRETS,
            "PUBLIC_URL": "https://campus.example",
            "DATABASE_URL": f"postgres://campus:Secret-base@127.0.0.1:{port}/campus",
            "REDIS_URL": f"redis://:Secret-redis@127.0.0.1:{port}/0",
            "EMAIL_URL": f"smtp://campus:Secret-courriel@127.0.0.1:{port}",
            "CLAMD_SOCKET": f"127.0.0.1:{port}",
            "STORAGE_ENABLED": "true",
            "AWS_STORAGE_BUCKET_NAME": "campus",
            "AWS_S3_ENDPOINT_URL": f"http://127.0.0.1:{port}",
            "AWS_ACCESS_KEY_ID": "Secret-cle",
            "AWS_SECRET_ACCESS_KEY": "Secret-seau",
            "METRICS_TOKEN": "Secret-mesures-mmmm",
        }

        fait = lancer(dossier, "manage.py", "doctor", "--json", **reglages)

    lu = json.loads(fait.stdout)
    par_nom = {un["nom"]: un["etat"] for un in lu["examens"]}
    absents = ("base", "schema", "horloge", "adresses", "compteurs", "lecteurs", "registre", "taches", "redis")
    absents += ("courriel", "stockage")
    assert fait.returncode == 2
    assert {nom: par_nom[nom] for nom in (*absents, "antivirus")} == dict.fromkeys((*absents, "antivirus"), "panne")
    assert par_nom["disque"] == "ok"
    dit = fait.stdout + fait.stderr
    assert [mot for mot in ("Secret-", *SECRETS.values()) if mot in dit] == []


@pytest.mark.django_db
def test_les_pages_que_personne_n_a_ecrites_se_disent(settings):
    ecrite = partial(aide.faq, question="Qui en répond ?", reponse="L'université.", publiee=True)
    settings.PUBLIC_URL = "https://campus.example"
    ecrite(categorie="PORTAIL_MENTIONS")
    ecrite(categorie="PORTAIL_DROITS_EN")  # in English alone
    assert dit("textes") == [
        ("attention", "L'établissement n'a pas encore écrit /confidentialite/, /mes-droits/."),
    ]
    settings.PUBLIC_URL, settings.ALLOWED_HOSTS = "http://127.0.0.1:8000", ["localhost"]
    assert etats("textes") == ["ok"]

    settings.PUBLIC_URL = "https://campus.example"
    ecrite(categorie="PORTAIL_CONFIDENTIALITE")
    ecrite(categorie="PORTAIL_DROITS")

    assert dit("textes") == [("ok", "Les pages que la loi demande sont écrites.")]


def test_ce_qui_pend_et_ce_qui_casse_ne_gatent_pas_les_autres():
    def casser() -> Any:
        raise RuntimeError("mot-de-passe-de-la-base")

    def pendre() -> Any:
        time.sleep(30)

    def perdre() -> Any:
        raise OperationalError("host=secret")

    examines = examiner({"casse": casser, "pend": pendre, "perdue": perdre, "va": lambda: [bien("Oui.")]}, 0.3)

    dits = [un.constats[0].constat for un in examines]
    assert [un.etat for un in examines] == [Gravite.PANNE, Gravite.PANNE, Gravite.PANNE, Gravite.OK]
    assert "(RuntimeError)" in dits[0]
    assert "Pas de réponse" in dits[1]
    assert "(OperationalError)" in dits[2]
    assert "mot-de-passe" not in str(examines)
    assert "secret" not in str(examines)


def test_un_examen_seul_et_un_nom_inconnu(capsys):
    with pytest.raises(SystemExit) as fin:
        call_command("doctor", "fuseau")
    with pytest.raises(CommandError, match=r"Examen inconnu : lune\."):
        call_command("doctor", "lune")

    assert fin.value.code == 1  # tests give no time zone, and a public name
    assert "attention fuseau" in " ".join(capsys.readouterr().out.split())


# --- Work in the background


@pytest.fixture
def ouvrier(db):
    ouvrier = OuvrierInterne()
    ouvrier._battre()
    return ouvrier


def test_sans_ouvrier_c_est_une_panne_et_son_age_est_dit(ouvrier):
    assert etats("taches") == ["ok"]

    Battement.objects.update(date=timezone.now() - timedelta(minutes=10))

    assert "le dernier s'est tu il y a 10 minute(s)" in ce_qui_va_mal("taches")


def test_un_ouvrier_bat_a_chaque_entretien_sur_une_seule_ligne(ouvrier):
    Battement.objects.update(date=timezone.now() - timedelta(minutes=10))

    ouvrier._entretenir()

    assert Battement.objects.count() == 1
    assert etats("taches") == ["ok"]


def test_une_file_que_nul_ne_sert_est_nommee(db):
    OuvrierInterne(["mail"])._battre()

    assert "Aucun ouvrier ne sert : default, exports." in ce_qui_va_mal("taches")


def tache(**champs: Any) -> None:
    ligne = DBTaskResult.objects.create(
        args_kwargs={"args": [], "kwargs": {}}, task_path="x.y", backend_name="default", **champs
    )
    DBTaskResult.objects.filter(pk=ligne.pk).update(enqueued_at=timezone.now() - timedelta(hours=2))


def test_une_tache_due_qui_attend_est_dite_une_tache_differee_ne_l_est_pas(ouvrier):
    tache(status="READY", run_after=timezone.now() + timedelta(hours=1))
    assert etats("taches") == ["ok"]

    tache(status="READY")
    assert "attend depuis 2 heure(s)" in ce_qui_va_mal("taches")


def test_une_tache_remise_a_plus_tard_attend_depuis_ce_moment(ouvrier):
    tache(status="READY", run_after=timezone.now() - timedelta(minutes=7))

    assert "attend depuis 7 minute(s)" in ce_qui_va_mal("taches")


def test_les_taches_ratees_et_celles_que_nul_n_a_purgees(ouvrier):
    tache(status="FAILED", finished_at=timezone.now() - timedelta(hours=1))
    tache(status="SUCCESSFUL", finished_at=timezone.now() - timedelta(days=9))

    assert "1 tâche(s) abandonnée(s)" in ce_qui_va_mal("taches")
    assert "n'est plus effacé" in ce_qui_va_mal("taches")


def test_la_purge_retire_les_ouvriers_disparus(ouvrier):
    Battement.objects.create(ouvrier="ouvrier-ancien", date=timezone.now() - timedelta(days=8))

    assert purges["Ouvriers disparus"](simulation=False) == 1
    assert Battement.objects.get().ouvrier == ouvrier.nom


# --- The database


def test_le_schema_dit_ce_qui_manque_et_ce_qui_est_de_trop(db):
    assert etats("schema") == ["ok"]

    MigrationRecorder.Migration.objects.filter(app="taches").delete()
    MigrationRecorder(connection).record_applied("taches", "0099_a_venir")

    assert "taches.0001_battement" in ce_qui_va_mal("schema")
    assert "plus récente : taches.0099_a_venir" in ce_qui_va_mal("schema")


def test_la_base_dit_sa_version_et_l_horloge_s_accorde(db):
    assert f"{'PostgreSQL' if connection.vendor == 'postgresql' else 'SQLite'} " in dit("base")[0][1]
    assert etats("horloge") == ["ok"]


@pytest.mark.postgres
def test_une_base_qui_ne_s_entretient_plus(db):
    """Only who runs the server turns it off: what is said follows what it is here."""
    with connection.cursor() as curseur:
        curseur.execute("SELECT setting FROM pg_settings WHERE name IN ('autovacuum', 'track_counts')")
        dit_par_la_base = curseur.fetchall()

    assert ("autovacuum est arrêté" in ce_qui_va_mal("base")) == (("off",) in dit_par_la_base)


@pytest.mark.parametrize(("ecart", "etat"), [(0.4, "OK"), (-5, "ATTENTION"), (90, "PANNE")])
def test_une_horloge_qui_s_ecarte(ecart, etat):
    assert services.ecart_d_horloge("Redis", ecart).etat.name == etat


def test_une_adresse_qui_vaut_celle_d_un_autre_se_compte_sans_se_dire(etudiante, autre_etudiante):
    assert etats("adresses") == ["ok"]

    Compte.objects.filter(pk=etudiante.pk).update(email="awa@münchen.test")
    Compte.objects.filter(pk=autre_etudiante.pk).update(email="awa@xn--mnchen-3ya.test")

    assert "1 compte(s)" in ce_qui_va_mal("adresses")
    assert "nchen" not in ce_qui_va_mal("adresses")


def test_un_compteur_faux_est_dit(signalement):
    assert etats("compteurs") == ["ok"]

    Effectif.objects.all().delete()

    assert "ne disent pas vrai" in ce_qui_va_mal("compteurs")


def test_le_registre_dit_ses_declencheurs_otes_et_ce_qui_attend_son_sceau(db):
    assert "ses déclencheurs manquent" in ce_qui_va_mal("registre")  # the suite takes them away
    protection.poser(connection)
    try:
        assert etats("registre") == ["ok"]

        Trace.objects.create(acte="CONNEXION", date=timezone.now() - timedelta(minutes=20))
        assert "attendent leur sceau" in ce_qui_va_mal("registre")

        sceller()
        assert etats("registre") == ["ok"]
    finally:
        protection.lever(connection)


# --- Settings


@pytest.mark.parametrize(
    ("reglages", "mal"),
    [
        ({"PUBLIC_URL": "http://campus.example"}, "en clair"),
        ({"HTTPS_ONLY": False}, "HTTPS_ONLY est faux"),
        ({"TRUSTED_PROXIES": []}, "renvoie à elle-même"),
        ({"TRUSTED_PROXIES": ["0.0.0.0/0"]}, "croit tout le monde (0.0.0.0/0)"),
        ({"ALLOWED_HOSTS": ["*"]}, "tout nom d'hôte"),
        ({}, ""),
    ],
)
def test_le_mandataire(settings, reglages, mal):
    justes = {"PUBLIC_URL": "https://campus.example", "HTTPS_ONLY": True, "TRUSTED_PROXIES": ["10.0.0.2"]}
    for nom, valeur in {**justes, **reglages}.items():
        setattr(settings, nom, valeur)

    assert mal in ce_qui_va_mal("mandataire")
    assert bool(ce_qui_va_mal("mandataire")) == bool(mal)


def test_les_verifications_du_projet_y_sont_par_leur_identifiant(settings):
    settings.HASH_KEY = settings.SECRET_KEY

    assert "(campus.E002)" in ce_qui_va_mal("reglages")
    assert "panne" in etats("reglages")


def test_notre_controle_des_formulaires_n_est_pas_dit_absent(settings):
    assert any(issubclass(import_string(un), CsrfViewMiddleware) for un in settings.MIDDLEWARE)
    assert "security.W003" not in ce_qui_va_mal("reglages")

    settings.SILENCED_SYSTEM_CHECKS = []

    assert "security.W003" in ce_qui_va_mal("reglages")  # Django's name for it is not in MIDDLEWARE


def test_debug_en_public_est_une_panne(settings):
    settings.DEBUG = True

    assert "DEBUG est vrai" in ce_qui_va_mal("reglages")


def test_les_comptes_de_demonstration_d_un_service_public(db, settings):
    call_command("seed_demo", "--accounts-only", "--force", verbosity=0)
    assert "4 compte(s) s'ouvrent" in ce_qui_va_mal("demonstration")

    settings.PUBLIC_URL, settings.ALLOWED_HOSTS = "http://127.0.0.1:8000", ["localhost"]
    assert etats("demonstration") == ["ok"]


# --- What answers, and this machine


def test_un_message_publie_sur_redis_est_entendu(settings):
    if not settings.REDIS_URL:
        pytest.skip("demande Redis")

    assert etats("redis") == ["ok", "ok"]


def test_le_stockage_est_eprouve_et_ne_garde_rien(settings, tmp_path):
    settings.STORAGES = {**settings.STORAGES, "local": _local(tmp_path / "files")}

    assert etats("stockage") == ["ok"]
    assert [un for un in tmp_path.rglob("*") if un.is_file()] == []


def test_un_stockage_ou_rien_ne_s_ecrit_est_une_panne(settings, tmp_path):
    (tmp_path / "files").write_text("un fichier où l'on attend un dossier")
    settings.STORAGES = {**settings.STORAGES, "local": _local(tmp_path / "files")}

    assert etats("stockage") == ["panne"]


def _local(dossier: Path) -> dict[str, Any]:
    return {"BACKEND": "resources.stockage.StockageLocal", "OPTIONS": {"location": dossier}}


def test_sans_serveur_d_e_mail_personne_ne_recoit_rien(settings):
    assert "Personne ne reçoit" in ce_qui_va_mal("courriel")

    settings.HOST = "127.0.0.1"
    settings.PUBLIC_URL = "http://127.0.0.1:8000"
    settings.ALLOWED_HOSTS = ["127.0.0.1"]
    assert etats("courriel") == ["ok"]


def test_un_disque_presque_plein(monkeypatch, settings):
    assert set(etats("disque")) == {"ok"}

    monkeypatch.setattr(machine, "plancher", lambda total: total)
    assert "panne" in etats("disque")


def test_ce_que_d_autres_peuvent_lire_est_nomme(settings, tmp_path, monkeypatch):
    settings.DATA_DIR = tmp_path
    secret = tmp_path / "cle"
    secret.write_text("secret")
    secret.chmod(0o644)
    tmp_path.chmod(0o700)
    monkeypatch.setattr(env, "fichiers", {"SECRET_KEY": secret})
    assert str(secret) in ce_qui_va_mal("permissions")

    secret.chmod(0o600)
    assert "autres" not in ce_qui_va_mal("permissions")

    tmp_path.chmod(0o755)
    assert str(tmp_path) in ce_qui_va_mal("permissions")
    assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o755  # it says, and changes nothing


@pytest.mark.parametrize(("heures", "attendu"), [(5, "ok"), (48, "attention"), (24 * 9, "panne")])
def test_l_age_de_la_derniere_sauvegarde(settings, tmp_path, heures, attendu):
    settings.BACKUP_DIR = str(tmp_path)
    ecrire_une_sauvegarde(tmp_path, heures)

    assert etats("sauvegarde") == [attendu]


def test_sans_sauvegarde_ou_sous_une_autre_cle(settings, tmp_path):
    settings.BACKUP_DIR = str(tmp_path)
    assert "Aucune sauvegarde entière" in ce_qui_va_mal("sauvegarde")

    ecrire_une_sauvegarde(tmp_path, 1)
    settings.HASH_KEY = "une-autre-cle-" + "x" * 40
    assert "n'est plus celle" in ce_qui_va_mal("sauvegarde")


def ecrire_une_sauvegarde(dans: Path, heures: int) -> None:
    dossier = dans / "campus-20260101T000000Z"
    dossier.mkdir(mode=0o700)
    date = (m.maintenant() - timedelta(hours=heures)).isoformat(timespec="seconds")
    cles = m.empreintes_des_cles()
    m.Manifeste(date, "0", connection.vendor, cles, nombre_de_fichiers=0, sommes="").ecrire(dossier)


def test_un_journal_des_effacements_qu_on_ne_peut_croire_ou_ecrire(settings, tmp_path, etudiante):
    settings.ERASURE_LOG = tmp_path / "effacements.jsonl"
    assert etats("effacements") == ["ok"]
    effacer_compte(etudiante.pk)
    assert etats("effacements") == ["ok"]

    settings.ERASURE_LOG.chmod(0o644)
    assert "chmod 600" in str(list(examens["effacements"]()))
    settings.ERASURE_LOG.write_text(settings.ERASURE_LOG.read_text().replace("COMPTE", "AUTRE"))
    assert "ligne 1" in ce_qui_va_mal("effacements")
    settings.ERASURE_LOG.unlink()
    assert "1 effacement(s) de la base ne sont pas au journal" in ce_qui_va_mal("effacements")
    settings.ERASURE_LOG = tmp_path / "nulle-part" / "effacements.jsonl"
    assert "ne s'écrit pas" in ce_qui_va_mal("effacements")


# --- Who is told


def test_sans_dossier_personne_n_est_a_prevenir(db):
    assert etats("avis") == ["ok"]


def test_sans_equipe_un_dossier_n_arrive_chez_personne(signalement):
    assert "Personne de l'équipe n'est actif" in ce_qui_va_mal("avis")


def test_sans_serveur_d_e_mail_personne_n_apprend_rien(signalement, gestionnaire, settings):
    settings.EMAIL_BACKEND = CONSOLE

    assert "Aucun e-mail ne part" in ce_qui_va_mal("avis")


def test_une_equipe_qui_refuse_tout_avis_se_dit(signalement, gestionnaire):
    assert etats("avis") == ["ok"]

    Preferences.objects.create(compte=gestionnaire, notifications_email=False)

    assert "Toute l'équipe a refusé les avis" in ce_qui_va_mal("avis")


def test_un_retard_que_personne_ne_peut_ouvrir_se_compte(signalement, gestionnaire, admin):
    changer_lecteurs(signalement=signalement, acteur=acteur_de(admin), ecartes=[admin.pk])
    promettre(signalement, "RETOUR", jours=-3)

    assert "1 dossier(s) en retard qu'aucun administrateur actif ne peut ouvrir." in ce_qui_va_mal("avis")
