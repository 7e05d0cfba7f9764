"""HTTP alone, behind a WSGI server; `config.asgi` does without, and has the sockets."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

application = get_wsgi_application()
