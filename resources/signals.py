from django.dispatch import Signal

virus_trouve = Signal()  # virus: str, its name
