from django.dispatch import Signal

export_termine = Signal()  # (export): a background export has ended, ready or failed
