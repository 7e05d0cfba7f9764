from django.dispatch import Signal

codes_essayes = Signal()  # nombre: of wrong codes within the hour, from all addresses
