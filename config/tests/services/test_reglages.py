"""The environment as an operator gives it: what is wrong is said in one line, and nothing starts."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from cryptography.fernet import Fernet

from config.tests.outils.serveur import RACINE

pytestmark = pytest.mark.longue

GARDE = ("PATH", "HOME", "LANG")
PRODUCTION = {
    "DATABASE_URL": "postgres://campus:secret@127.0.0.1:9/campus",
    "SECRET_KEY": "s" * 50,
    "HASH_KEY": "h" * 50,
    "FIELD_ENCRYPTION_KEYS": Fernet.generate_key().decode(),
    "PUBLIC_URL": "https://campus.example.org",
    "REDIS_URL": "redis://127.0.0.1:9/0",
    "EMAIL_URL": "smtp+tls://campus:s%2Fcret@mail.campus.example:587",
}


def lancer(dossier: Path, *commande: str, au_plus: float = 60, **reglages: str) -> subprocess.CompletedProcess[str]:
    """A process whose environment holds these settings and no other; killed after `au_plus` seconds."""
    garde = {nom: os.environ[nom] for nom in GARDE if nom in os.environ}
    return subprocess.run(  # noqa: S603 -- our own command
        [sys.executable, *commande],
        cwd=RACINE,
        env={**garde, "PYTHONIOENCODING": "utf-8", "DATA_DIR": str(dossier), **reglages},
        capture_output=True,
        encoding="utf-8",
        timeout=au_plus,
        check=False,
    )


def verifier(dossier: Path, **reglages: str) -> subprocess.CompletedProcess[str]:
    return lancer(dossier, "manage.py", "check", **reglages)


def lire(dossier: Path, *noms: str, **reglages: str) -> Any:
    """What the settings of these names are."""
    script = f"import json; from config import settings as s; print(json.dumps([getattr(s, n) for n in {noms!r}]))"
    fait = lancer(dossier, "-c", script, **reglages)
    assert fait.returncode == 0, fait.stderr
    return json.loads(fait.stdout)


def dit_en_une_ligne(fait: subprocess.CompletedProcess[str], nom: str) -> bool:
    lignes = fait.stderr.splitlines()
    return fait.returncode != 0 and len(lignes) == 1 and lignes[0].startswith(f"Réglage {nom} : ")


# --- Bad values -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("nom", "valeur"),
    [
        ("DATABASE_URL", "postgres://u:p@h:port/x"),
        ("DATABASE_URL", "postgres://u:p@h:99999/x"),
        ("DATABASE_URL", "mysql://u:p@h/x"),
        ("EMAIL_URL", "foo"),
        ("EMAIL_URL", "smtp://h:port"),
        ("EMAIL_URL", "smtp:/x"),
        ("EMAIL_URL", "smtp:h"),
        ("EMAIL_URL", "smtp://"),
        ("EMAIL_URL", "smtp+tls:///h:587"),
        ("EMAIL_URL", "smtp+tls://u:12/3@h:587"),
        ("EMAIL_URL", "smtp+tls://u:12#3@h:587"),
        ("EMAIL_URL", "smtp+tls://u:25?x@h:587"),
        ("EMAIL_URL", "smtp+tls://u:1 2@h:587"),
        ("EMAIL_URL", "filemail://dossier"),
        ("EMAIL_URL", "filemail://dossier/"),
        ("EMAIL_URL", "filemail://"),
        ("EMAIL_URL", "memorymail://"),
        ("REDIS_URL", "redis://x:y"),
        ("REDIS_URL", "http://x"),
        ("HOST", "http://x"),
        ("HOST", "::z"),
        ("PORT", "0"),
        ("PORT", "99999"),
        ("PORT", "http"),
        ("PUBLIC_URL", "campus.example.org"),
        ("PUBLIC_URL", "http://h:port"),
        ("PUBLIC_URL", "http://[::1"),
        ("PUBLIC_URL", "http://:8000"),
        ("RESET_URL", "http://h /x"),
        ("PORTAIL_NOM", ""),
        ("PORTAIL_NOM", " \t"),
        ("PORTAIL_NOM", "\u200b\u3164\u2800\u00ad"),
        ("PORTAIL_LECTURE", "sous deux jours\nouvrés"),
        ("PORTAIL_LECTURE_EN", "within " + "9" * 100),
        ("PHONE_DEFAULT_REGION", "ZZ"),
        ("TIME_ZONE_CAMPUS", "Kinshasa"),
        ("GUEST_MODE_STAGE", "write"),
        ("LOG_ADDRESSES", "peu"),
        ("GUEST_MODE_ENABLED", "oui"),
        ("FORUM_MODERATOR", "par_mots"),
        ("FORUM_MODERATOR", "forum.moderation:par_mots"),
        ("FORUM_MODERATOR_APPROVES", "oui"),
        ("THROTTLE_LOGIN", "10"),
        ("TRUSTED_PROXIES", "proxy"),
        ("METRICS_TOKEN", "quinze-lettres-"),
        ("METRICS_TOKEN", "seize lettres et des espaces"),
        ("METRICS_TOKEN", "seize-lettres-accentuées"),
        ("SECURITY_CONTACT", "securite@campus.example.org"),
        ("SECURITY_CONTACT", "http://campus.example.org/faille"),
        ("SECURITY_CONTACT", "mailto:a@campus.example.org,"),
        ("SECURITY_CONTACT", "mailto:a@campus.example.org\nExpires: 2000-01-01T00:00:00Z"),
        ("REPORTS_KEPT_DAYS", "30"),
        ("REPORTS_KEPT_DAYS", "-1"),
        ("REPORTS_KEPT_DAYS", "3 ans"),
        ("REPORTS_WARNING_DAYS", "0"),
        ("GUEST_SESSIONS_KEPT_DAYS", "89"),
        ("SECRET_KEY", "court"),
        ("SIGNING_SECRET", "court"),
        ("FIELD_ENCRYPTION_KEYS", "x" * 44),
    ],
)
def test_une_valeur_fausse_arrete_par_une_ligne_qui_la_nomme(tmp_path, nom, valeur):
    fait = verifier(tmp_path, **{nom: valeur})

    assert dit_en_une_ligne(fait, nom), fait.stderr


@pytest.mark.parametrize("nom", ["SECRET_KEY", "HASH_KEY", "FIELD_ENCRYPTION_KEYS", "PUBLIC_URL"])
def test_la_production_ne_demarre_pas_sans_ses_secrets_ni_son_adresse(tmp_path, nom):
    sans = {cle: valeur for cle, valeur in PRODUCTION.items() if cle != nom}

    fait = verifier(tmp_path, **sans)

    assert dit_en_une_ligne(fait, nom), fait.stderr
    assert list(tmp_path.iterdir()) == []


def test_tout_ce_qui_manque_a_la_production_est_nomme_d_un_coup(tmp_path):
    noms = ("SECRET_KEY", "HASH_KEY", "FIELD_ENCRYPTION_KEYS", "PUBLIC_URL")

    fait = verifier(tmp_path, **{cle: valeur for cle, valeur in PRODUCTION.items() if cle not in noms})

    (ligne,) = fait.stderr.splitlines()
    assert fait.returncode != 0
    assert ligne.startswith("Réglages SECRET_KEY, HASH_KEY, FIELD_ENCRYPTION_KEYS, PUBLIC_URL : absents")


def test_la_production_entiere_passe_sans_un_avertissement(tmp_path):
    fait = verifier(tmp_path, **PRODUCTION)

    assert fait.returncode == 0, fait.stderr
    assert "WARNINGS" not in fait.stderr


@pytest.mark.parametrize(
    ("reglages", "numero"),
    [({"EMAIL_URL": ""}, "campus.W003"), ({"SECRET_KEY": "s" * 32}, "campus.W004")],
)
def test_ce_qui_demarrait_hier_demarre_encore_et_avertit(tmp_path, reglages, numero):
    fait = verifier(tmp_path, **{**PRODUCTION, **reglages})

    assert fait.returncode == 0, fait.stderr
    assert numero in fait.stderr


def test_un_ordinateur_portable_n_est_averti_de_rien(tmp_path):
    assert "WARNINGS" not in verifier(tmp_path).stderr


# --- Good values ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("reglages", "adresse", "hote"),
    [
        ({}, "http://127.0.0.1:8000", "127.0.0.1"),
        ({"HOST": "::1", "PORT": "65535"}, "http://[::1]:65535", "[::1]"),
        ({"HOST": "[::1]"}, "http://[::1]:8000", "[::1]"),
        ({"PUBLIC_URL": "http://[::1]:8000"}, "http://[::1]:8000", "[::1]"),
        ({"PUBLIC_URL": "https://Campus.example.org/s/"}, "https://Campus.example.org/s", "campus.example.org"),
    ],
)
def test_l_hote_servi_est_celui_de_l_adresse_publique(tmp_path, reglages, adresse, hote):
    public, hotes = lire(tmp_path, "PUBLIC_URL", "ALLOWED_HOSTS", **reglages)

    assert (public, hotes) == (adresse, [hote, "localhost", "127.0.0.1"])


@pytest.mark.parametrize(
    ("url", "attendu"),
    [
        ("smtp://mail", ["mail", 25, "", "", False, False]),
        ("smtp+tls://u%40c:s%2Fc%23@mail:587/", ["mail", 587, "u@c", "s/c#", True, False]),
        ("smtp+ssl://u:s@mail:465", ["mail", 465, "u", "s", False, True]),
        ("smtp://[::1]:2525", ["::1", 2525, "", "", False, False]),
    ],
)
def test_un_serveur_de_courriel_se_donne_par_son_adresse(tmp_path, url, attendu):
    noms = ("HOST", "PORT", "HOST_USER", "HOST_PASSWORD", "USE_TLS", "USE_SSL")

    assert lire(tmp_path, *(f"EMAIL_{nom}" for nom in noms), EMAIL_URL=url) == attendu


@pytest.mark.parametrize(
    ("url", "dossier"),
    [
        ("filemail:///dossier", "dossier"),
        ("filemail:////var/mail", "/var/mail"),
        ("filemail://relatif/dossier", "dossier"),
    ],
)
def test_un_dossier_de_courriels_se_donne_par_son_chemin(tmp_path, url, dossier):
    backend = "django.core.mail.backends.filebased.EmailBackend"

    assert lire(tmp_path, "EMAIL_BACKEND", "EMAIL_FILE_PATH", EMAIL_URL=url) == [backend, dossier]


def test_un_pays_s_ecrit_comme_on_veut(tmp_path):
    assert lire(tmp_path, "PHONE_DEFAULT_REGION", PHONE_DEFAULT_REGION="cd") == ["CD"]


# --- Secrets --------------------------------------------------------------------------------------------------------

SECRETS = ("SECRET_KEY", "HASH_KEY", "FIELD_ENCRYPTION_KEYS")


def test_la_base_embarquee_tire_ses_secrets_une_fois_et_les_garde_pour_elle(tmp_path):
    premiers = lire(tmp_path, *SECRETS)
    fichiers = sorted((tmp_path / "secrets").iterdir())

    assert lire(tmp_path, *SECRETS) == premiers
    assert [fichier.name for fichier in fichiers] == sorted(f"{nom.lower()}.secret" for nom in SECRETS)
    assert {fichier.stat().st_mode & 0o777 for fichier in fichiers} == {0o600}
    assert len({str(secret) for secret in premiers}) == 3


def test_deux_services_ne_tirent_pas_les_memes_secrets(tmp_path):
    un, autre = (lire(tmp_path / nom, *SECRETS) for nom in ("un", "autre"))

    assert [a for a, b in zip(un, autre, strict=True) if a == b] == []


def test_une_valeur_se_lit_dans_le_fichier_nomme(tmp_path):
    fichier = tmp_path / "cle"
    fichier.write_text("c" * 40 + "\n", encoding="utf-8")

    assert lire(tmp_path, "SECRET_KEY", SECRET_KEY_FILE=str(fichier)) == ["c" * 40]


@pytest.mark.parametrize("contenu", [None, b"\xff" * 40])
def test_un_fichier_illisible_arrete_par_une_ligne_qui_le_nomme(tmp_path, contenu):
    fichier = tmp_path / "cle"
    if contenu is not None:
        fichier.write_bytes(contenu)

    fait = verifier(tmp_path, SECRET_KEY_FILE=str(fichier))

    assert dit_en_une_ligne(fait, "SECRET_KEY_FILE"), fait.stderr


def test_un_dossier_impossible_arrete_par_une_ligne_qui_le_nomme(tmp_path):
    (tmp_path / "fichier").write_text("", encoding="utf-8")

    fait = verifier(tmp_path / "fichier")

    assert dit_en_une_ligne(fait, "DATA_DIR"), fait.stderr


def test_un_seau_nomme_est_lu_meme_quand_les_nouveaux_fichiers_vont_ailleurs(tmp_path):
    script = "from config import settings as s; print(s.STORAGE_ENABLED, sorted(s.STORAGES))"

    fait = lancer(tmp_path, "-c", script, AWS_STORAGE_BUCKET_NAME="campus-fichiers")

    assert fait.stdout.strip() == "False ['default', 'local', 's3', 'staticfiles']"


# --- Who else may read ----------------------------------------------------------------------------------------------


def modes(*chemins: Path) -> list[str]:
    return [oct(chemin.stat().st_mode & 0o777) for chemin in chemins]


def test_le_dossier_et_la_base_ne_se_lisent_que_de_leur_proprietaire(tmp_path):
    dossier = tmp_path / "neuf"
    masque = "import os; os.umask(0o022); from django.core.management import execute_from_command_line as executer"
    script = f"{masque}; os.environ['DJANGO_SETTINGS_MODULE'] = 'config.settings'; executer(['manage.py', 'migrate'])"

    fait = lancer(dossier, "-c", script)

    assert fait.returncode == 0, fait.stderr
    assert modes(dossier, dossier / "campus.sqlite3") == ["0o700", "0o600"]


def test_une_installation_ancienne_est_refermee_au_demarrage(tmp_path):
    fichiers = [tmp_path / nom for nom in ("campus.sqlite3", "campus.sqlite3-wal", "campus.sqlite3-shm")]
    for fichier in fichiers:
        fichier.touch(0o644)
    tmp_path.chmod(0o755)

    assert verifier(tmp_path).returncode == 0

    assert modes(tmp_path, *fichiers) == ["0o700", "0o600", "0o600", "0o600"]


def test_sur_postgresql_le_dossier_des_fichiers_est_referme_aussi(tmp_path):
    tmp_path.chmod(0o755)

    assert verifier(tmp_path, **PRODUCTION).returncode == 0

    assert modes(tmp_path) == ["0o700"]


def test_un_dossier_de_tous_reste_ouvert_a_tous(tmp_path):
    tmp_path.chmod(0o1777)

    assert verifier(tmp_path).returncode == 0

    assert oct(tmp_path.stat().st_mode & 0o7777) == "0o1777"
