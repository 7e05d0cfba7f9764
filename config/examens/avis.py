"""Examination of who is told: mails that reach nobody, dates that passed with no administrator to tell."""

from collections.abc import Iterator

from accounts.models import Compte, Preferences
from accounts.vocabulaire import Rythme
from config.examens.constat import Constat, attention, bien, examen
from echeances.mesures import oubliees
from signalements.models import Signalement
from socle.courriel import est_remis


@examen("avis")
def avis() -> Iterator[Constat]:
    equipe = list(Compte.objects.equipe_active().values_list("pk", flat=True))
    if not Signalement.objects.vivants().exists():
        yield bien("Aucun dossier : rien n'est à dire à personne.")
    elif not equipe:
        yield attention(
            "Personne de l'équipe n'est actif : personne n'apprend qu'un dossier arrive.", "Invitez l'équipe."
        )
    elif not est_remis():
        yield attention(
            "Aucun e-mail ne part : qui est de l'équipe n'apprend rien sans ouvrir l'espace.", "Donnez EMAIL_URL."
        )
    elif all(map(_est_tu, _preferences(equipe))):
        yield attention(
            "Toute l'équipe a refusé les avis : personne n'apprend par e-mail qu'un dossier arrive.",
            "Chacun choisit les siens dans « Mon compte ».",
        )
    else:
        yield bien("Quelqu'un de l'équipe est prévenu.")
    if nombre := oubliees().count():
        yield attention(
            f"{nombre} dossier(s) en retard qu'aucun administrateur actif ne peut ouvrir.",
            "Nommez un administrateur que ces dossiers n'écartent pas.",
        )


def _preferences(equipe: list[object]) -> list[Preferences]:
    tenues = Preferences.objects.in_bulk(equipe)
    return [tenues.get(cle) or Preferences() for cle in equipe]


def _est_tu(preferences: Preferences) -> bool:
    return not preferences.admet_les_e_mails or set(preferences.rythmes.values()) == {Rythme.JAMAIS.value}
