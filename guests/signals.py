from django.dispatch import Signal

session_desactivee = Signal()  # session
