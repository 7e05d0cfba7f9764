#!/usr/bin/env python3
"""Entry point of the operators' commands: `manage.py help` lists them."""

import os
import sys

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    try:
        from django.core.management import execute_from_command_line

        execute_from_command_line(sys.argv)
    except KeyboardInterrupt:  # Ctrl-C: nothing that a traceback would explain
        sys.exit(130)
