from typing import Any

from django.contrib.auth.signals import user_logged_in, user_logged_out
from django.dispatch import receiver
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import Compte
from accounts.serializers import AlerteSystemeEvenement, CompteDesactiveEvenement
from accounts.services.sessions import dater_l_entree, noter_l_entree
from accounts.signals import compte_desactive, effacement_demande, jeton_reutilise, role_modifie, sessions_terminees
from accounts.vocabulaire import Facteur
from socle.audit.vocabulaire import Acte
from socle.domaine.droits import DROITS
from socle.domaine.langue import en_francais
from socle.domaine.temps import horodatage
from socle.realtime.declarations import declarer
from socle.realtime.diffusion import fermer_sockets, publier

declarer(
    "user_deactivated",
    CompteDesactiveEvenement,
    "admin",
    "user:{id}",
    quand=gettext_lazy(
        "Un compte est désactivé : au compte lui-même avant que ses sockets se ferment, et à l'administration."
    ),
)
# Sent by whoever has something to tell the administration, or the readers of a case or of a team.
declarer(
    "system_alert",
    AlerteSystemeEvenement,
    "admin",
    "user:{id}",
    quand=gettext_lazy(
        "Quelque chose demande l'attention : de l'administration, ou des seules personnes qui lisent ce dont il s'agit."
    ),
)


@receiver(compte_desactive)
def publier_desactivation(sender: Any, compte: Compte, **kwargs: Any) -> None:
    payload = {
        "userId": str(compte.pk),
        "email": compte.email,
        "dateDesactivation": horodatage(compte.date_modification),
    }
    publier("user_deactivated", ["admin", f"user:{compte.pk}"], payload)
    fermer_sockets(comptes=[compte.pk])  # sockets opened by the admin cookie belong to no Session row that ends


@receiver(role_modifie)
def fermer_les_sockets_d_un_role_reduit(sender: Any, compte: Compte, ancien: str, **kwargs: Any) -> None:
    """Close the account's sockets when its role loses a right: a reconnection is judged by the present role."""
    if DROITS.get(ancien, frozenset()) - DROITS[compte.role]:
        fermer_sockets(comptes=[compte.pk])


@receiver(sessions_terminees)
def fermer_leurs_sockets(sender: Any, session_ids: Any, **kwargs: Any) -> None:
    fermer_sockets(sessions=session_ids)


@receiver(jeton_reutilise)
def alerter_l_administration(sender: Any, compte: Compte, **kwargs: Any) -> None:
    with en_francais():
        message = _("Un jeton de renouvellement déjà dépensé a été présenté ; la session du compte a été terminée.")
    publier("system_alert", ["admin"], {"niveau": "SECURITE", "message": message})


@receiver(effacement_demande)
def annoncer_une_demande_d_effacement(sender: Any, **kwargs: Any) -> None:
    with en_francais():
        message = _("Une personne demande à être effacée. Voyez la page de l'équipe.")
    publier("system_alert", ["admin"], {"niveau": "INFO", "message": message})


@receiver(user_logged_in)
def noter_l_entree_dans_l_espace(sender: Any, user: Any, request: Any, **kwargs: Any) -> None:
    dater_l_entree(user)
    noter_l_entree(user, par="espace", facteur=getattr(request, "facteur", Facteur.MOT_DE_PASSE).value)


@receiver(user_logged_out)
def noter_la_sortie_de_l_espace(sender: Any, user: Any, **kwargs: Any) -> None:
    if isinstance(user, Compte):
        noter_l_entree(user, Acte.DECONNEXION, par="espace")
