#!/usr/bin/env python3
"""Entry point of the operators' commands: `manage.py help` lists them."""

import os
import signal
import sys

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    if sys.argv[1:2] == ["serve"]:
        # Until the service takes the signal: KeyboardInterrupt, raised in a callback of an import, is ignored there.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        from django.core.management import execute_from_command_line

        execute_from_command_line(sys.argv)
    except KeyboardInterrupt:  # Ctrl-C: nothing that a traceback would explain
        sys.exit(130)
