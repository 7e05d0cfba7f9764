"""ASGI entry point: HTTP and sockets in one process, on any ASGI server."""

import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from config.serveur.assemblage import application  # noqa: E402 -- models are imported once Django is set up

__all__ = ["application"]
