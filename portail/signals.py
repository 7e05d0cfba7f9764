from django.dispatch import Signal

acces_fermes = Signal()  # acces_ids: of the accesses to guest sessions that have just ended
codes_essayes = Signal()  # nombre: of wrong codes within the hour, from all addresses
