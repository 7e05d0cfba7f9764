from io import StringIO

from django.core.management import call_command


def semer() -> None:
    """What `seed_demo` brings, said to nobody."""
    call_command("seed_demo", stdout=StringIO())
