"""Examinations of background work: a worker that lives, tasks that wait, fail or are never purged."""

from collections.abc import Iterator
from datetime import timedelta

from django.conf import settings
from django.db.models import Case, DateTimeField, F, Min, When
from django.utils import timezone
from django_tasks.base import TaskResultStatus
from django_tasks_db.models import DBTaskResult

from config.examens.constat import Constat, attention, bien, examen, panne
from socle.taches.entretien import GARDE_TACHES
from socle.taches.models import Battement

SILENCE = timedelta(minutes=3)  # a worker beats each minute
ATTENTE = timedelta(minutes=5)
REMEDE = "Il faut un processus « serve », ou « db_worker » à côté d'un autre serveur."


@examen("taches")
def taches() -> Iterator[Constat]:
    maintenant = timezone.now()
    vivants = Battement.objects.filter(date__gte=maintenant - SILENCE)
    servies = [
        set(files.split(",")) if files else set(files_connues()) for files in vivants.values_list("files", flat=True)
    ]
    if not servies:
        dernier = Battement.objects.order_by("-date").first()
        quand = (
            f"le dernier s'est tu il y a {duree(maintenant - dernier.date)}" if dernier else "aucun n'a jamais tourné"
        )
        yield panne(f"Aucun ouvrier ne vit : {quand}. E-mails, exports et sceaux n'avancent pas.", REMEDE)
    elif delaissees := sorted(set(files_connues()).difference(*servies)):
        yield panne(f"Aucun ouvrier ne sert : {', '.join(delaissees)}.", REMEDE)
    else:
        yield bien(f"{len(servies)} ouvrier(s) en vie.")
    yield from _en_attente()


def files_connues() -> list[str]:
    return list(settings.TASKS["default"]["QUEUES"])


def _en_attente() -> Iterator[Constat]:
    maintenant = timezone.now()
    dues = DBTaskResult.objects.ready().order_by()
    # A task for at once has a date beyond all others.
    depuis = Case(When(run_after__lte=maintenant, then=F("run_after")), default=F("enqueued_at"))
    ancienne = dues.aggregate(date=Min(depuis, output_field=DateTimeField()))["date"]
    if ancienne and maintenant - ancienne > ATTENTE:
        yield attention(f"La plus ancienne tâche due attend depuis {duree(maintenant - ancienne)}.", REMEDE)
    finies = DBTaskResult.objects.filter(finished_at__isnull=False).order_by()
    ratees = finies.filter(status=TaskResultStatus.FAILED, finished_at__gte=maintenant - timedelta(days=1)).count()
    if ratees:
        yield attention(
            f"{ratees} tâche(s) abandonnée(s) en vingt-quatre heures.",
            "Le journal « campus.taches » nomme chacune et la sorte de son erreur.",
        )
    if finies.filter(finished_at__lt=maintenant - GARDE_TACHES - timedelta(days=1)).exists():
        yield attention(
            "Ce qui a fait son temps n'est plus effacé : des tâches finies depuis plus de huit jours sont là.",
            "Lancez « manage.py purge » chaque heure.",
        )


def duree(ecoule: timedelta) -> str:
    """In the largest unit that fits."""
    secondes = int(ecoule.total_seconds())
    for unite, longueur in (("jour(s)", 86_400), ("heure(s)", 3_600), ("minute(s)", 60)):
        if secondes >= longueur:
            return f"{secondes // longueur} {unite}"
    return f"{secondes} seconde(s)"
