"""Free settings of a person on the workspace, beside what other clients keep there."""

from typing import Any

from accounts.models import Compte, Preferences
from accounts.serializers import PreferenceUpdate
from accounts.services.comptes import modifier_preferences, preferences_de


def lire(compte: Compte) -> dict[str, Any]:
    """As they are, in one query; {} where nothing was ever kept."""
    return Preferences.objects.filter(compte=compte).values_list("parametres", flat=True).first() or {}


def verrouiller(compte: Compte) -> dict[str, Any]:
    """A copy of them, under their lock."""
    preferences_de(compte)
    return dict(Preferences.objects.select_for_update().get(compte=compte).parametres)


def poser(compte: Compte, parametres: dict[str, Any]) -> None:
    """Write them, under `verrouiller`; the refusals of `PUT /preferences/`, as over 16 KB."""
    lu = PreferenceUpdate(data={"parametres": parametres}, partial=True)
    lu.is_valid(raise_exception=True)
    modifier_preferences(compte=compte, **lu.validated_data)
