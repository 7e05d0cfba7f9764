"""Every setting, in sections; the environment is read here and nowhere else."""

import ipaddress
import os
import secrets
import socket
import zoneinfo
from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from cryptography.fernet import Fernet
from django.utils.translation import gettext_lazy as _

from config import env
from config.magasins import magasin_s3
from config.version import version_de
from socle.domaine.limites import Taux
from socle.moteur.delais import SERVEUR_SECONDES
from socle.pages.marque import lire_couleur, lire_logo, lire_numero_court, lire_une_ligne

BASE_DIR = Path(__file__).resolve().parent.parent
VERSION = version_de(BASE_DIR / "CHANGELOG.md")
DATA_DIR = Path(env.texte("DATA_DIR", str(BASE_DIR / "data"))).resolve()
DEBUG = env.booleen("DEBUG", False)

# --- Database -------------------------------------------------------------------------------------------------------
BASE = env.base_de_donnees("DATABASE_URL", f"sqlite:///{DATA_DIR / 'campus.sqlite3'}")
ORDINAIRE = env.choix("MOTEUR", "rapide", ("rapide", "ordinaire")) == "ordinaire"
EMBARQUE = BASE["ENGINE"].endswith("sqlite3")
# What SQLite makes of our indexes and constraints is in docs/decisions/0004: it is not said again at each command.
# Django looks for its CSRF middleware by name: ours, `socle.pages.intergiciels.Formulaires`, extends it.
SILENCED_SYSTEM_CHECKS = ["security.W003", *(["models.W039", "models.W040"] if EMBARQUE else [])]
if EMBARQUE:
    BASE["OPTIONS"] = {
        "timeout": SERVEUR_SECONDES,
        "transaction_mode": "IMMEDIATE",
        "init_command": (
            "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA foreign_keys=ON; "
            "PRAGMA cache_size=-64000; PRAGMA mmap_size=268435456; PRAGMA temp_store=MEMORY;"
        ),
    }
else:
    BASE["ENGINE"] = "django.db.backends.postgresql" if ORDINAIRE else "socle.moteur.postgresql"
    BASE["OPTIONS"] = {
        "application_name": f"campus {socket.gethostname()[:40]} {os.getpid()}",
        # TCP keepalive: the system finds out a host that vanished without closing.
        "keepalives_idle": 15,
        "keepalives_interval": 5,
        "keepalives_count": 3,
        "tcp_user_timeout": 15_000,
        **BASE.get("OPTIONS", {}),
        # Values travel apart from the statement: the server's log of a failed one holds nobody's words.
        "server_side_binding": True,
        "connect_timeout": 3,
        # Without jit: a statement whose cost is thought high is compiled for seconds, to read a few dozen rows.
        "options": (
            f"-c statement_timeout={SERVEUR_SECONDES}s -c lock_timeout=8s -c idle_in_transaction_session_timeout=30s "
            "-c log_parameter_max_length_on_error=0 -c jit=off"
        ),
    }
    BASE["CONN_HEALTH_CHECKS"] = True
BASE["CONN_MAX_AGE"] = None
DATABASES = {"default": BASE}
DATABASE_WAIT_SECONDS = env.entier("DATABASE_WAIT_SECONDS", 30, minimum=0)
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
if EMBARQUE:
    _fichier = Path(BASE["NAME"])
    env.exiger_dossier("DATABASE_URL" if env.texte("DATABASE_URL") else "DATA_DIR", _fichier.parent)
    if BASE["NAME"] != ":memory:":
        env.creer_reserve(_fichier)
        env.reserver(DATA_DIR, *(_fichier.with_name(_fichier.name + fin) for fin in ("", "-wal", "-shm", "-journal")))
else:
    env.reserver(DATA_DIR)

# --- Secrets --------------------------------------------------------------------------------------------------------
# The embedded default makes its own, once; a service on PostgreSQL must be given them.
SECRETS_DIR = DATA_DIR / "secrets"
if not EMBARQUE:
    env.exiger_presents("SECRET_KEY", "HASH_KEY", "FIELD_ENCRYPTION_KEYS", "PUBLIC_URL")


def _secret(nom: str, generer: Any = lambda: secrets.token_urlsafe(48)) -> str:
    return env.secret(nom, dossier=SECRETS_DIR, generer=generer if EMBARQUE else None)


SECRET_KEY = _secret("SECRET_KEY")
HASH_KEY = _secret("HASH_KEY")
FIELD_ENCRYPTION_KEYS = [
    cle.strip() for cle in _secret("FIELD_ENCRYPTION_KEYS", lambda: Fernet.generate_key().decode()).split(",")
]
try:
    [Fernet(cle) for cle in FIELD_ENCRYPTION_KEYS]
except ValueError:
    env.refuser("FIELD_ENCRYPTION_KEYS", "on attend des clés Fernet séparées par des virgules")
SIGNING_SECRET = env.texte("SIGNING_SECRET") or SECRET_KEY
for _nom, _valeur in (("SECRET_KEY", SECRET_KEY), ("HASH_KEY", HASH_KEY), ("SIGNING_SECRET", SIGNING_SECRET)):
    env.exiger_longueur(_nom, _valeur)

# --- Addresses ------------------------------------------------------------------------------------------------------
HOST = env.lire("HOST", "127.0.0.1", env.hote, "un nom d'hôte ou une adresse IP")
PORT = env.entier("PORT", 8000, maximum=65535)
DEMO = env.booleen("DEMO", False)
PUBLIC_URL = env.url("PUBLIC_URL", f"http://{env.hote_d_adresse(HOST)}:{PORT}")
ALLOWED_HOSTS = env.liste(
    "ALLOWED_HOSTS", [env.hote_d_adresse(urlsplit(PUBLIC_URL).hostname or ""), "localhost", "127.0.0.1"]
)
RESET_URL = env.url("RESET_URL", f"{PUBLIC_URL}/reinitialisation")
INVITATION_URL = env.url("INVITATION_URL", f"{PUBLIC_URL}/invitation")
CSRF_TRUSTED_ORIGINS = ["/".join(PUBLIC_URL.split("/")[:3])]
TRUSTED_PROXIES = env.liste("TRUSTED_PROXIES")
try:
    [ipaddress.ip_network(reseau, strict=False) for reseau in TRUSTED_PROXIES]
except ValueError:
    env.refuser("TRUSTED_PROXIES", "on attend des adresses ou des réseaux séparés par des virgules")
CORS_ALLOWED_ORIGINS = env.liste("CORS_ALLOWED_ORIGINS")
CORS_URLS_REGEX = r"^/(api/|health|(open|async)api\.json)"
CORS_ALLOW_HEADERS = (
    "accept",
    "accept-language",
    "authorization",
    "content-type",
    "idempotency-key",
    "if-match",
    "if-none-match",
    "prefer",
    "traceparent",
    "tracestate",
    "x-guest-id",
)
CORS_EXPOSE_HEADERS = (
    "Content-Disposition",
    "ETag",
    "Idempotency-Replayed",
    "Preference-Applied",
    "RateLimit-Limit",
    "RateLimit-Remaining",
    "RateLimit-Reset",
    "Retry-After",
    "X-Request-Id",
    "X-Total-Capped",
)

# --- Applications ---------------------------------------------------------------------------------------------------
INSTALLED_APPS = [
    "config",  # first: its db_worker and migrate are those that manage.py finds
    "accounts.apps.AccountsConfig",  # so is its changepassword
    "accounts.apps.EquipeConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "corsheaders",
    "rest_framework",
    "django_filters",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "channels",
    "django_tasks",
    "django_tasks_db",
    "socle.taches",
    "socle.audit",
    "socle.idempotence",
    "socle.realtime",
    "resources",
    "equipes.apps.EquipesConfig",
    "signalements",
    "calendrier",
    "discussions",
    "reponses",
    "forum",
    "guests",
    "stats",
    "avis.apps.AvisConfig",
    "echeances.apps.EcheancesConfig",
    "homonymes.apps.HomonymesConfig",
    "personnes.apps.PersonnesConfig",
    "portail",
    "espace",
    "campus",
    "demo",
]
if DEBUG:
    INSTALLED_APPS.insert(0, "daphne")  # `runserver` then serves sockets too, and reloads
MIDDLEWARE = [
    "socle.api.middleware.Enveloppe",
    "django.middleware.security.SecurityMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "config.statiques.Statiques",
    "socle.api.entetes.OriginesCroisees",
    "socle.api.entetes.Langue",
    "socle.pages.intergiciels.Csp",
    "socle.pages.typographie.Typographie",
    "socle.api.middleware.Garde",
    # What follows are Django's own, which JSON passes by.
    "socle.pages.intergiciels.Sessions",
    "socle.pages.intergiciels.Origines",
    "socle.pages.intergiciels.Formulaires",
    "socle.pages.intergiciels.Comptes",
    "socle.pages.intergiciels.Messages",
    "socle.pages.intergiciels.EnvoisCoupes",
]
ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
ASGI_APPLICATION = "config.asgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "socle.pages.marque.marque",
            ],
            "builtins": ["socle.pages.balises"],
        },
    }
]
STATIC_URL = "/static/"
STATIC_ROOT = DATA_DIR / "static"  # filled by config.statiques; where it cannot be, the finders serve
WHITENOISE_USE_FINDERS = True

# --- Accounts -------------------------------------------------------------------------------------------------------
AUTH_USER_MODEL = "accounts.Compte"
AUTHENTICATION_BACKENDS = ["accounts.backends.ParCourriel"]
PASSWORD_HASHERS = ["accounts.hashers.Argon2Borne"]
AUTH_PASSWORD_VALIDATORS = [
    {
        "NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator",
        "OPTIONS": {"user_attributes": ("email", "nom", "prenom")},
    },
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 8}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]
ACCESS_TOKEN_LIFETIME = timedelta(minutes=env.entier("ACCESS_TOKEN_LIFETIME_MINUTES", 60))
REFRESH_TOKEN_LIFETIME = timedelta(days=env.entier("REFRESH_TOKEN_LIFETIME_DAYS", 7))
SIMPLE_JWT = {
    "ALGORITHM": "HS256",
    "SIGNING_KEY": SIGNING_SECRET,
    "ACCESS_TOKEN_LIFETIME": ACCESS_TOKEN_LIFETIME,
    "REFRESH_TOKEN_LIFETIME": REFRESH_TOKEN_LIFETIME,
    "USER_ID_CLAIM": "sub",
    "TOKEN_TYPE_CLAIM": "typ",
    "UPDATE_LAST_LOGIN": False,
    "LEEWAY": 5,  # seconds by which the clock of who issued a token may be ahead; its end is to the second
}
INVITATION_LIFETIME = timedelta(days=env.entier("INVITATION_LIFETIME_DAYS", 7))
RESET_LIFETIME = timedelta(hours=1)
SIGNUP_EMAIL_DOMAINS = [domaine.lower() for domaine in env.liste("SIGNUP_EMAIL_DOMAINS")]
STAFF_OTP_REQUIRED = env.booleen("STAFF_OTP_REQUIRED", False)
SIGNUP_INVITATION_ONLY = env.booleen("SIGNUP_INVITATION_ONLY", False)
SESSION_ENGINE = "socle.pages.sessions"
SESSION_COOKIE_AGE = 12 * 3600
CSRF_COOKIE_HTTPONLY = True
CSRF_COOKIE_AGE = None  # nothing of a visit outlives the browser
CSRF_FAILURE_VIEW = "socle.pages.erreurs.formulaire_perime"

# --- Guest mode -----------------------------------------------------------------------------------------------------
GUEST_MODE_ENABLED = env.booleen("GUEST_MODE_ENABLED", True)
GUEST_MODE_STAGE = env.choix("GUEST_MODE_STAGE", "merge", ("read", "create", "merge"))
MERGE_REVERT_DAYS = env.entier("MERGE_REVERT_DAYS", 7)
PHONE_DEFAULT_REGION = env.lire("PHONE_DEFAULT_REGION", None, env.region, "un code de pays comme CD")

# --- Portal: the pages of whoever reports ---------------------------------------------------------------------------
PORTAIL_ENABLED = env.booleen("PORTAIL_ENABLED", True)
PORTAIL_NOM = env.qui_se_voit("PORTAIL_NOM", env.texte("PORTAIL_NOM", "Campus"))
PORTAIL_COULEUR = env.lire("PORTAIL_COULEUR", "", lire_couleur, "une couleur #rrvvbb")
PORTAIL_LOGO = env.lire("PORTAIL_LOGO", "", lire_logo, "un fichier SVG, PNG ou WebP de 64 Ko au plus")
PORTAIL_URGENCE = env.lire("PORTAIL_URGENCE", "112", lire_numero_court, "un numéro de téléphone, avec ou sans espaces")
UNE_LIGNE = "une ligne de 100 signes au plus"
PORTAIL_LECTURE = {  # by language: the other is not promised what nobody wrote in its words
    "fr": env.lire("PORTAIL_LECTURE", "", lire_une_ligne, UNE_LIGNE),
    "en": env.lire("PORTAIL_LECTURE_EN", "", lire_une_ligne, UNE_LIGNE),
}
PORTAIL_INACTIVITE = timedelta(minutes=env.entier("PORTAIL_INACTIVITE_MINUTES", 30, maximum=12 * 60))
PORTAIL_GARDE = timedelta(days=env.entier("PORTAIL_GARDE_JOURS", 14, minimum=0, maximum=90))
PORTAIL_SORTIE_URL = env.url("PORTAIL_SORTIE_URL", "https://fr.wikipedia.org")
PORTAIL_TELEPHONE_EXIGE = env.booleen("PORTAIL_TELEPHONE_EXIGE", False)
PORTAIL_AIDE_PUBLIQUE = env.booleen("PORTAIL_AIDE_PUBLIQUE", True)
# The students' rooms: None where nobody has said, and the base decides (`campus/interrupteurs.py`).
CALENDRIER_PAGES = env.oui_ou_non("CALENDRIER_PAGES")
FORUM_PAGES = env.oui_ou_non("FORUM_PAGES")
BIBLIOTHEQUE_PAGES = env.oui_ou_non("BIBLIOTHEQUE_PAGES")

# Whether a case is hidden from whom its presumed author's name means: the same, asked of `homonymes/lectures.py`.
ECARTER_HOMONYMES = env.oui_ou_non("ECARTER_HOMONYMES")

# --- Vocabularies that an operator may close ------------------------------------------------------------------------
VOCABULAIRES = {
    "type_signalement": env.liste("SIGNALEMENT_TYPES", majuscules=True),
    "mode_identification": env.liste("MODES_IDENTIFICATION", majuscules=True),
    "type_message": env.liste("MESSAGE_TYPES", majuscules=True),
    "categorie": env.liste("RESOURCE_CATEGORIES", majuscules=True),
    "type_evenement": env.liste("EVENEMENT_TYPES", majuscules=True),
    "public_cible": env.liste("PUBLICS_CIBLES", majuscules=True),
    "categorie_poste": env.liste("POSTE_CATEGORIES", majuscules=True),
    "type_reaction": env.liste("REACTION_TYPES", majuscules=True),
}

# --- Forum ----------------------------------------------------------------------------------------------------------
FORUM_MODERATOR = env.lire("FORUM_MODERATOR", "", env.chemin_python, "un chemin comme forum.moderation.par_mots")
FORUM_MODERATOR_APPROVES = env.booleen("FORUM_MODERATOR_APPROVES", False)

# --- API ------------------------------------------------------------------------------------------------------------
JSON_MAX_OCTETS = 1024 * 1024
JSON_MAX_PROFONDEUR = 32
DATA_UPLOAD_MAX_MEMORY_SIZE = JSON_MAX_OCTETS + 1024  # a JSON body is judged by our parser first
MAX_FILE_SIZE_MB = env.entier("MAX_FILE_SIZE_MB", 10)
RESOURCE_MAX_FILE_SIZE_MB = env.entier("RESOURCE_MAX_FILE_SIZE_MB", 20)
RESOURCE_MIME_TYPES = env.liste(
    "RESOURCE_MIME_TYPES", ["application/pdf", "image/jpeg", "image/png", "image/webp", "video/mp4"]
)
# The routes whose body is a file, and how many bytes one may have; the texts beside it count as a JSON body.
TELEVERSEMENTS = {
    "/api/v1/fichiers/upload": MAX_FILE_SIZE_MB * 1024 * 1024,
    "/fichiers/envoyer": MAX_FILE_SIZE_MB * 1024 * 1024,
    "/equipe/fichiers/envoyer": MAX_FILE_SIZE_MB * 1024 * 1024,
    "/api/v1/ressources/upload": RESOURCE_MAX_FILE_SIZE_MB * 1024 * 1024,
    "/campus/documents/envoyer": RESOURCE_MAX_FILE_SIZE_MB * 1024 * 1024,
}
# Those that are the form of a page take several files, each within that; and how many bytes together. The library's
# takes one: a file that is too large is read and dropped up to there, so that the texts beside it come back.
ENSEMBLE_MAX_MB = 5 * MAX_FILE_SIZE_MB
ENSEMBLES = {
    "/fichiers/envoyer": ENSEMBLE_MAX_MB * 1024 * 1024,
    "/equipe/fichiers/envoyer": ENSEMBLE_MAX_MB * 1024 * 1024,
    "/campus/documents/envoyer": max(ENSEMBLE_MAX_MB, RESOURCE_MAX_FILE_SIZE_MB) * 1024 * 1024,
}
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "accounts.authentication.AuthentificationJeton",
        "guests.authentication.AuthentificationInvite",
    ],
    "DEFAULT_RENDERER_CLASSES": ["socle.api.renderers.EnveloppeRenderer"],
    "DEFAULT_PARSER_CLASSES": ["socle.api.parsers.JsonStrictParser"],
    "DEFAULT_CONTENT_NEGOTIATION_CLASS": "socle.api.renderers.Negociation",
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "socle.api.exceptions.gestionnaire",
    "UNAUTHENTICATED_USER": None,
    "FORMAT_SUFFIX_KWARG": None,
    "URL_FORMAT_OVERRIDE": None,
}
SPECTACULAR_SETTINGS = {
    "TITLE": _("Signalements de campus"),
    "DESCRIPTION": _(
        "Signaler, suivre et traiter les incidents d'un campus, avec ou sans compte.\n\n"
        "Réussites et erreurs sont en `application/json`, chacune sous son enveloppe, fichiers et mesures exceptés ; "
        "`Accept: application/problem+json` reçoit les mêmes, sous `application/json`."
    ),
    "VERSION": "1",
    "CONTACT": {"name": _("L'équipe qui tient le service")},
    "LICENSE": {"name": "MIT", "url": "https://opensource.org/license/mit"},
    "OAS_VERSION": "3.0.3",
    "DEFAULT_GENERATOR_CLASS": "socle.api.document.Generateur",
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "socle.api.document.facultatifs",
        "socle.api.evenements.typer",
        "socle.api.document.decrire",
        "socle.api.document.achever",
    ],
    "DISABLE_DOCSTRING_DESCRIPTIONS": True,  # they are for developers
    "SERVE_INCLUDE_SCHEMA": False,
    "SERVE_AUTHENTICATION": [],
    "SERVE_PERMISSIONS": [],
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "REDOC_DIST": "SIDECAR",
    "COMPONENT_SPLIT_REQUEST": False,
    "COMPONENT_SPLIT_PATCH": False,
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
    "ENUM_ADD_EXPLICIT_BLANK_NULL_CHOICE": False,  # their components make code that some generators cannot import
    "ENUM_NAME_OVERRIDES": {
        "Role": "socle.domaine.droits.Role",
        "StatutSignalement": "signalements.vocabulaire.Statut",
        "StatutPoste": "forum.vocabulaire.Statut",
        "Priorite": "signalements.vocabulaire.Priorite",
        "StatutCanonique": "socle.domaine.canonique.StatutCanonique",
        "StatutInvitation": "accounts.vocabulaire.StatutInvitation",
        "EtatSonde": "socle.api.vocabulaire.EtatSonde",
        "StatutEvenement": "calendrier.vocabulaire.StatutEvenement",
        "StatutParticipation": "calendrier.vocabulaire.StatutParticipation",
        "StatutInvite": "guests.vocabulaire.StatutInvite",
        "DecisionInvite": "guests.vocabulaire.DECISIONS",
        "ActionFusion": "socle.domaine.fusions.Action",
        "StatutExport": "stats.vocabulaire.StatutExport",
        "FormatExport": "stats.vocabulaire.FormatExport",
        "SourceStats": "stats.vocabulaire.SOURCES",
        "NiveauAlerte": "accounts.vocabulaire.NIVEAUX",
        "NatureEnum": "echeances.vocabulaire.NatureDelai",
        "NatureAvis": "avis.vocabulaire.NATURES_ANNONCEES",
    },
}

# --- Limits: calls in a window --------------------------------------------------------------------------------------
THROTTLE_ENABLED = env.booleen("THROTTLE_ENABLED", True)
THROTTLES = {
    portee: env.lire(f"THROTTLE_{portee.upper()}", Taux.lire(defaut), Taux.lire, "un taux comme 60/min ou 10/15min")
    for portee, defaut in {
        "general": "1200/min",
        "guest_session_address": "60/min",
        "guest_unknown": "30/min",
        "report": "20/h",
        "report_address": "600/h",
        "merge": "30/min",
        "login": "10/15min",
        "login_address": "100/15min",
        "signup": "600/h",
        "forgot_password_account": "5/h",
        "forgot_password_address": "600/h",
        "upload": "120/h",
        "export": "30/h",
        "personal_export": "6/h",
        "address_change": "5/j",
        "erasure_request": "3/j",
        "notice_session": "5/j",
        "notice_mailbox": "3/j",
        "notice_address": "120/h",
    }.items()
}
# Bytes, not calls: opening one session after the other does not fill the disk.
# Of texts that nobody has sent yet: a window so short that who fills it stops others for minutes, not for a day.
PORTAIL_BROUILLONS = Taux(env.entier("PORTAIL_BROUILLONS_MO", 50) * 1024 * 1024, 600)
GUEST_UPLOADS = Taux(env.entier("GUEST_UPLOAD_MB_PER_ADDRESS_DAY", 500) * 1024 * 1024, 24 * 3600)

# --- Cache, channels, background work -------------------------------------------------------------------------------
REDIS_URL = env.url("REDIS_URL", "", schemas=("redis", "rediss", "unix"))
if REDIS_URL:
    from redis.backoff import NoBackoff  # 6 MB and 45 ms, for who has none
    from redis.retry import Retry

    CACHES: dict[str, Any] = {
        "default": {
            "BACKEND": "django.core.cache.backends.redis.RedisCache",
            "LOCATION": REDIS_URL,
            "KEY_PREFIX": "campus",
            # A cache that is dead or frozen costs a request two of these at the most.
            "OPTIONS": {"socket_timeout": 0.12, "socket_connect_timeout": 0.12, "retry": Retry(NoBackoff(), 0)},
        }
    }
    CHANNEL_LAYERS: dict[str, Any] = {
        "default": {
            "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer"
            if ORDINAIRE
            else "socle.realtime.couche_redis.CoucheRedis",
            # An idle subscriber must outlive the client library's own five-second limit on reads.
            "CONFIG": {"hosts": [{"address": REDIS_URL, "socket_timeout": None}], "prefix": "campus"},
        }
    }
else:
    # Limits are counted here: the default of 300 entries could be flooded to forget them.
    CACHES = {
        "default": {
            "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
            "OPTIONS": {"MAX_ENTRIES": 200_000},
        }
    }
    en_memoire = "channels.layers.InMemoryChannelLayer" if ORDINAIRE else "socle.realtime.couche.CoucheEnMemoire"
    CHANNEL_LAYERS = {"default": {"BACKEND": en_memoire}}
DIFFUSION_ACTIVE = True
EVENEMENTS_INCONNUS_REFUSES = DEBUG  # an event of an undeclared type; elsewhere it is sent, and the log says so
AUDIT_EN_FOND = True  # a thread writes the reads that staff make; tests do it themselves
BACKUP_DIR = env.texte("BACKUP_DIR")
ERASURE_LOG = Path(env.texte("ERASURE_LOG") or DATA_DIR / "effacements.jsonl")
AUDIT_KEPT_DAYS = env.entier("AUDIT_KEPT_DAYS", 1095, minimum=366)
REPORTS_KEPT_DAYS = env.entier("REPORTS_KEPT_DAYS", 0, minimum=90, maximum=36_500, ou_zero=True)
REPORTS_WARNING_DAYS = env.entier("REPORTS_WARNING_DAYS", 30, minimum=7, maximum=365)
GUEST_SESSIONS_KEPT_DAYS = env.entier("GUEST_SESSIONS_KEPT_DAYS", 0, minimum=90, maximum=36_500, ou_zero=True)
EVENEMENTS_CONSERVES_HEURES = env.entier("EVENTS_KEPT_HOURS", 24)
SOCKET_REVALIDATION_SECONDS = 30
SOCKETS_PAR_ACTEUR = 20
TASKS = {"default": {"BACKEND": "django_tasks_db.DatabaseBackend", "QUEUES": ["default", "mail", "exports"]}}
TASK_RECLAIM_AFTER = timedelta(minutes=env.entier("TASK_RECLAIM_MINUTES", 15))

# --- Mail -----------------------------------------------------------------------------------------------------------
_COURRIEL = env.lire(
    "EMAIL_URL",
    env.courriel("consolemail://"),
    env.courriel,
    "une adresse comme smtp+tls://utilisateur:secret@hote:587 ; dans le secret, / s'écrit %2F et # s'écrit %23",
)
EMAIL_BACKEND = _COURRIEL["EMAIL_BACKEND"]
if EMAIL_BACKEND == "django.core.mail.backends.smtp.EmailBackend":
    EMAIL_BACKEND = "socle.courriel.Courrier"
EMAIL_HOST = _COURRIEL.get("EMAIL_HOST") or "localhost"
EMAIL_PORT = _COURRIEL.get("EMAIL_PORT") or 25
EMAIL_HOST_USER = _COURRIEL.get("EMAIL_HOST_USER") or ""
EMAIL_HOST_PASSWORD = _COURRIEL.get("EMAIL_HOST_PASSWORD") or ""
EMAIL_USE_TLS = _COURRIEL.get("EMAIL_USE_TLS", False)
EMAIL_USE_SSL = _COURRIEL.get("EMAIL_USE_SSL", False)
EMAIL_FILE_PATH = _COURRIEL.get("EMAIL_FILE_PATH") or None
EMAIL_TIMEOUT = 10
EMAIL_TRY_SECONDS = 30
DEFAULT_FROM_EMAIL = env.texte("DEFAULT_FROM_EMAIL", "Campus <ne-pas-repondre@localhost>")
# Between two mails of news to one member of the team.
AVIS_INTERVALLE = timedelta(minutes=env.entier("AVIS_INTERVALLE_MINUTES", 15, maximum=24 * 60))

# --- Files ----------------------------------------------------------------------------------------------------------
FILE_QUOTA_OCTETS = env.entier("FILE_QUOTA_MB", 200) * 1024 * 1024
FILE_LINK_LIFETIME = timedelta(hours=1)
DELETED_FILES_KEPT = timedelta(days=env.entier("DELETED_FILES_KEPT_DAYS", 30))
UNATTACHED_FILES_KEPT = timedelta(days=env.entier("UNATTACHED_FILES_DAYS", 7))
# Below this floor the service takes no file; unset, the floor is lower on a small disk.
FREE_DISK_FLOOR_MB = env.lire("FREE_DISK_FLOOR_MB", None, env.zero_ou_plus, "un entier d'au moins 0")
RESOURCES_STAFF_ONLY = env.booleen("RESOURCES_STAFF_ONLY", False)
CLAMD_SOCKET = env.texte("CLAMD_SOCKET")
STORAGE_ENABLED = env.booleen("STORAGE_ENABLED", False)
_LOCAL = {"BACKEND": "resources.stockage.StockageLocal", "OPTIONS": {"location": DATA_DIR / "files"}}
STORAGES: dict[str, Any] = {
    "default": _LOCAL,
    "local": _LOCAL,
    "staticfiles": {"BACKEND": "config.statiques.Magasin"},
}
AWS_STORAGE_BUCKET_NAME = env.texte("AWS_STORAGE_BUCKET_NAME")
if STORAGE_ENABLED and not AWS_STORAGE_BUCKET_NAME:
    env.refuser("AWS_STORAGE_BUCKET_NAME", "on attend le nom du seau où STORAGE_ENABLED range les fichiers")
if AWS_STORAGE_BUCKET_NAME:  # files already in the bucket are read, wherever new ones go
    STORAGES["s3"] = magasin_s3(
        AWS_STORAGE_BUCKET_NAME,
        adresse=env.url("AWS_S3_ENDPOINT_URL", ""),
        region=env.texte("AWS_S3_REGION_NAME"),
        cle=env.texte("AWS_ACCESS_KEY_ID"),
        secret=env.texte("AWS_SECRET_ACCESS_KEY"),
    )
FILE_UPLOAD_HANDLERS = ["django.core.files.uploadhandler.TemporaryFileUploadHandler"]

# --- Exports and statistics -----------------------------------------------------------------------------------------
EXPORT_BACKGROUND_ROWS = env.entier("EXPORT_BACKGROUND_ROWS", 20_000)
EXPORT_FILE_LIFETIME = timedelta(hours=24)
EXPORT_TEMP_DIR = DATA_DIR / "tmp"  # a machine's own temporary folder may be in its memory
# A type, a place or an office that fewer share than this is shown as "Autre"; 0 shows all.
SMALL_CELLS_BELOW = env.entier("SMALL_CELLS_BELOW", 0, minimum=0)

# --- Metrics --------------------------------------------------------------------------------------------------------
METRICS_TOKEN = env.lire("METRICS_TOKEN", "", env.jeton, "16 caractères ou plus, ASCII et sans espace")
PROMETHEUS_MULTIPROC_DIR = env.texte("PROMETHEUS_MULTIPROC_DIR") if METRICS_TOKEN else ""
if PROMETHEUS_MULTIPROC_DIR:
    PROMETHEUS_MULTIPROC_DIR = str(Path(PROMETHEUS_MULTIPROC_DIR).resolve())
    env.exiger_dossier("PROMETHEUS_MULTIPROC_DIR", Path(PROMETHEUS_MULTIPROC_DIR))
env.transmettre("PROMETHEUS_MULTIPROC_DIR", PROMETHEUS_MULTIPROC_DIR)

# --- Language and time ----------------------------------------------------------------------------------------------
LANGUAGE_CODE = "fr"
LANGUAGES = [("fr", "Français"), ("en", "English")]
LOCALE_PATHS = [BASE_DIR / "config" / "locale"]
FORMAT_MODULE_PATH = ["config.formats"]
TIME_ZONE = "UTC"
TIME_ZONE_CAMPUS = env.lire(
    "TIME_ZONE_CAMPUS", zoneinfo.ZoneInfo("UTC"), zoneinfo.ZoneInfo, "un fuseau comme Africa/Kinshasa"
)

# Days that are no working days: the public holidays of a country, of its region, and days of the week, 1 for Monday.
PAYS_FERIES = env.lire("PAYS_FERIES", "", env.pays_feries, "un pays comme FR, ou sa région comme FR-57")
JOURS_DE_REPOS = env.lire(
    "JOURS_DE_REPOS", frozenset({6, 7}), env.jours_de_la_semaine, "des jours comme 6,7 (1 : lundi)"
)
# Whether the automatic acknowledgement keeps the date promised for one: else the team's first message does.
ACCUSE_AUTOMATIQUE_COMPTE = env.booleen("ACCUSE_AUTOMATIQUE_COMPTE", False)

# --- Security -------------------------------------------------------------------------------------------------------
HTTPS_ONLY = env.booleen("HTTPS_ONLY", False)
SECURE_SSL_REDIRECT = HTTPS_ONLY
SECURE_REDIRECT_EXEMPT = [r"^(health(/live)?|metrics)/?$"]  # asked by balancers and monitors from inside
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS_ONLY else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = HTTPS_ONLY
SESSION_COOKIE_SECURE = HTTPS_ONLY
CSRF_COOKIE_SECURE = HTTPS_ONLY
CSRF_COOKIE_NAME = "__Host-csrftoken" if HTTPS_ONLY else "csrftoken"  # of this host alone: no neighbour sets it
SECURITY_CONTACT: list[str] = env.lire(
    "SECURITY_CONTACT", [], env.contacts, "des adresses mailto:, https:// ou tel:, séparées par des virgules"
)
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": ["'self'"],
        "script-src": ["'self'"],
        "style-src": ["'self'"],
        "img-src": ["'self'", "data:"],
        # To older browsers 'self' is no socket.
        "connect-src": ["'self'", CSRF_TRUSTED_ORIGINS[0].replace("http", "ws", 1)],
        "object-src": ["'none'"],
        "base-uri": ["'self'"],
        "form-action": ["'self'"],
        "frame-ancestors": ["'none'"],
    }
}

# --- Logs -----------------------------------------------------------------------------------------------------------
LOG_ADDRESSES = env.choix("LOG_ADDRESSES", "full", ("full", "short", "none"))
LOG_LEVEL = env.choix("LOG_LEVEL", "INFO", ("DEBUG", "INFO", "WARNING", "ERROR"))
_DES_AUTRES = max("WARNING", LOG_LEVEL, key=("DEBUG", "INFO", "WARNING", "ERROR").index)
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"json": {"()": "socle.journal.Lignes"}, "console": {"()": "socle.journal.Console"}},
    "handlers": {
        "console": {
            "class": "logging.StreamHandler",
            "formatter": env.choix("LOG_FORMAT", "json", ("json", "console")),
        }
    },
    # Libraries say at DEBUG what nobody may log, such as the values of a statement: never theirs.
    "root": {"handlers": ["console"], "level": "INFO" if LOG_LEVEL == "DEBUG" else LOG_LEVEL},
    "loggers": {
        "campus": {"level": LOG_LEVEL},
        # These write whole request lines, with the query: ours in campus.acces replaces them.
        "uvicorn.access": {"level": "CRITICAL", "propagate": False},
        "uvicorn.error": {"level": _DES_AUTRES},
        "daphne": {"level": _DES_AUTRES},
        "django.request": {"level": "CRITICAL", "propagate": False},
        "django.security": {"level": "CRITICAL", "propagate": False},
        "django.channels.server": {"level": "CRITICAL", "propagate": False},
        "django_tasks": {"level": _DES_AUTRES},
        # A traceback a second while Redis is away; our own line says it once.
        "channels_redis": {"level": "CRITICAL", "propagate": False},
    },
}
