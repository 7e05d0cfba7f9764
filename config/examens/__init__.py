"""Examinations of `manage.py doctor`, each apart from the others, and each with a limit on its time.

`constat` holds the registry and runs it; the other modules register examinations, one subject each. What an
examination says never holds a secret: of an error its class is said, not its text.
"""
