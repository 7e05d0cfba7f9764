from django.contrib.sessions.models import Session as SessionWeb
from django.utils import timezone

from accounts.models import DemandeAdresse, DemandeMotDePasse, Session
from socle.taches.entretien import purges, supprimer


# Ended rows stay until their expiry: a refresh token is recognised as reused for as long as it could have lived.
@purges("Sessions expirées")
def sessions(*, simulation: bool) -> int:
    return supprimer(Session.objects.filter(date_expiration__lt=timezone.now()), simulation=simulation)


@purges("Sessions de l'espace de l'équipe expirées")
def sessions_de_l_equipe(*, simulation: bool) -> int:
    return supprimer(SessionWeb.objects.filter(expire_date__lt=timezone.now()), simulation=simulation)


@purges("Demandes de mot de passe expirées")
def demandes(*, simulation: bool) -> int:
    return supprimer(DemandeMotDePasse.objects.filter(date_expiration__lt=timezone.now()), simulation=simulation)


@purges("Demandes d'adresse expirées")
def demandes_d_adresse(*, simulation: bool) -> int:
    return supprimer(DemandeAdresse.objects.filter(date_expiration__lt=timezone.now()), simulation=simulation)
