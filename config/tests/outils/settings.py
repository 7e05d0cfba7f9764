"""The settings of the suite: SQLite alone, or what TEST_DATABASE_URL and TEST_REDIS_URL name."""

import os
import tempfile
from pathlib import Path

from config.tests.outils.ouvriers import redis_a_soi

_dossier = Path(tempfile.mkdtemp(prefix="campus-tests-"))
for nom in [
    n for n in os.environ if n.startswith(("THROTTLE_", "GUEST_", "SIGNUP_", "STAFF_", "EMAIL_", "PROMETHEUS_"))
]:
    del os.environ[nom]
os.environ.update(
    {
        "DATA_DIR": str(_dossier),
        "DATABASE_URL": os.environ.get("TEST_DATABASE_URL") or f"sqlite:///{_dossier / 'base.sqlite3'}",
        "REDIS_URL": redis_a_soi(os.environ.get("TEST_REDIS_URL") or ""),
        "SECRET_KEY": "secret-de-test-" + "s" * 40,
        "HASH_KEY": "hachage-de-test-" + "h" * 40,
        "FIELD_ENCRYPTION_KEYS": "dGVzdC10ZXN0LXRlc3QtdGVzdC10ZXN0LXRlc3QtMTI=",
        "PUBLIC_URL": "http://testserver",
        "METRICS_TOKEN": "mesures-de-test-mmmm",
    }
)

from config.settings import *  # noqa: E402, F403
from config.settings import CACHES, DATABASES, EMBARQUE  # noqa: E402

if EMBARQUE:
    DATABASES["default"]["TEST"] = {"NAME": str(_dossier / "test.sqlite3")}
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
THROTTLE_ENABLED = False
DIFFUSION_ACTIVE = False
EVENEMENTS_INCONNUS_REFUSES = True
AUDIT_EN_FOND = False
WHITENOISE_AUTOREFRESH = True
if "OPTIONS" in CACHES["default"]:
    # A busy machine must not push a test of limits to the counters of its process.
    CACHES["default"]["OPTIONS"] |= {"socket_timeout": 5, "socket_connect_timeout": 5}
