from django.dispatch import Signal

export_termine = Signal()  # export, ready or failed, of those that are written in the background
