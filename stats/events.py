from typing import Any
from uuid import UUID

from django.dispatch import receiver
from django.utils.translation import gettext_lazy as _

from accounts.models import Compte
from discussions.signals import message_ecrit
from echeances.signals import date_rappelee
from forum import signals as forum
from forum.models import Poste
from signalements.alertes import UneAlerte
from signalements.lecteurs import Acces
from signalements.models import AlerteDeDossier, Signalement
from signalements.serializers import Alerte
from signalements.signals import alerte_ecartee, signalement_cree, statut_modifie
from socle.domaine.temps import horodatage
from socle.moteur.sorties import rendre_un
from socle.realtime.canaux import PUBLIC
from socle.realtime.declarations import declarer
from socle.realtime.diffusion import publier
from stats.models import Export
from stats.serializers import ExportPretEvenement, StatsEvenement
from stats.signals import export_termine
from stats.vocabulaire import POSTE, SIGNALEMENT

declarer(
    "alert_created",
    Alerte,
    "dashboard",
    "user:{id}",
    quand=_(
        "Un dossier demande que l'on s'en occupe ; sur le `user:{id}` de chaque personne qui le lit quand il est "
        "réservé, ou signalé par quelqu'un de l'équipe."
    ),
)
declarer(
    "stats_updated",
    StatsEvenement,
    "dashboard",
    quand=_("Un statut qui compte dans le tableau de bord change, ou une alerte est écartée : relisez ses nombres."),
)
declarer(
    "export_ready",
    ExportPretEvenement,
    "user:{id}",
    quand=_("Un grand export, écrit en arrière-plan, est PRET ou en ECHEC. Sans lien : relisez l'export."),
)


@receiver(signalement_cree)
def alerter_d_un_nouveau(sender: Any, signalement: Signalement, **kwargs: Any) -> None:
    _alerter(signalement)


@receiver(statut_modifie)
def publier_le_statut_d_un_signalement(sender: Any, signalement: Signalement, ancien: str, **kwargs: Any) -> None:
    if signalement.est_reserve:  # the whole team hears this channel
        return
    _annoncer(SIGNALEMENT, signalement, signalement.audience_de_l_equipe)
    if signalement.statut != ancien:
        _alerter(signalement)


@receiver(alerte_ecartee)
def publier_l_alerte_ecartee(sender: Any, signalement: Signalement, **kwargs: Any) -> None:
    if not signalement.est_reserve:
        _annoncer(SIGNALEMENT, signalement, signalement.audience_de_l_equipe)


@receiver([message_ecrit, date_rappelee])
def alerter_au_dela_du_statut(sender: Any, alerte: AlerteDeDossier | None, **kwargs: Any) -> None:
    """To the whole team, or person by person: of a reserved case to those who read it, never to its author."""
    if alerte is None:
        return
    dossier, dite = alerte.signalement, rendre_un(Alerte, UneAlerte.de_dossier(alerte))
    if dossier.est_reserve or Compte.objects.equipe_active().filter(pk=dossier.compte_id).exists():
        publier("alert_created", _a_chacun(dossier), dite)
    else:
        publier("alert_created", ["dashboard"], dite, audience=dossier.audience_de_l_equipe)


@receiver(forum.statut_modifie)
def publier_le_statut_d_une_publication(sender: Any, poste: Poste, **kwargs: Any) -> None:
    _annoncer(POSTE, poste)


@receiver(export_termine)
def publier_export(sender: Any, export: Export, **kwargs: Any) -> None:
    """Publish `export_ready`, without the link: an event is stored, and the link opens the file."""
    payload = {
        "exportId": str(export.pk),
        "statut": export.statut,
        "format": export.format,
        "lignes": export.lignes,
        "exportedAt": horodatage(export.date_creation),
    }
    publier("export_ready", [f"user:{export.compte_id}"], payload)


def _annoncer(source: str, objet: Signalement | Poste, audience: str = PUBLIC) -> None:
    payload = {"source": source, "id": str(objet.pk), "statut": objet.statut}
    publier("stats_updated", ["dashboard"], payload, audience=audience)


def _alerter(signalement: Signalement) -> None:
    if signalement.a_une_alerte:
        dite = rendre_un(Alerte, UneAlerte.de_statut(signalement))
        if signalement.est_reserve:
            publier("alert_created", _a_chacun(signalement), dite)
        else:
            publier("alert_created", ["dashboard"], dite, audience=signalement.audience_de_l_equipe)


def _a_chacun(signalement: Signalement) -> list[str]:
    """The own channel of each of its readers, its author aside."""
    lecteurs = Acces.de(signalement).lecteurs().exclude(pk=signalement.compte_id or UUID(int=0)).order_by("pk")
    return [f"user:{pk}" for pk in lecteurs.values_list("pk", flat=True)]
