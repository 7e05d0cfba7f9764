"""Forms of « Mon compte »: the rules of the API's own serializers; nothing of them is offered or kept by a browser."""

from typing import Any
from uuid import UUID

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.serializers import (
    ChangePasswordRequest,
    CompteUpdate,
    ForgotPasswordRequest,
    PreferenceUpdate,
    SecondFacteurCreate,
)
from accounts.vocabulaire import FONCTION_MAX, LANGUES, NatureAvis, Rythme
from socle.pages.formulaires import FormulaireDeSerializer, ListeDeChoix

SANS_TRACE = {"autocomplete": "off", "spellcheck": "false"}
ECRIVEZ_LE = _("Écrivez votre mot de passe.")
CHOISISSEZ_QUAND = _("Choisissez quand.")


def _nom(etiquette: Any, vide: Any) -> forms.CharField:
    widget = forms.TextInput(attrs={**SANS_TRACE, "dir": "auto"})
    return forms.CharField(label=etiquette, widget=widget, error_messages={"required": vide})


def _mot_de_passe(etiquette: Any, vide: Any = ECRIVEZ_LE, aide: Any = "") -> forms.CharField:
    """Never shown again, whatever is refused."""
    widget = forms.PasswordInput(attrs={**SANS_TRACE, "autocapitalize": "off", "autocorrect": "off"})
    mots = {"required": vide}
    return forms.CharField(
        label=etiquette, strip=False, max_length=1024, widget=widget, help_text=aide, error_messages=mots
    )


def _case(etiquette: Any) -> forms.BooleanField:
    return forms.BooleanField(
        label=etiquette, required=False, widget=forms.CheckboxInput(attrs={"autocomplete": "off"})
    )


class Vous(FormulaireDeSerializer):
    serializer = CompteUpdate

    prenom = _nom(_("Prénom"), _("Écrivez votre prénom."))
    nom = _nom(_("Nom"), _("Écrivez votre nom."))
    langue = forms.ChoiceField(
        label=_("Langue de ces pages et des e-mails"),
        choices=LANGUES,
        widget=ListeDeChoix(attrs={"autocomplete": "off"}),
        error_messages={"invalid_choice": _("Choisissez une langue."), "required": _("Choisissez une langue.")},
    )


class Adresse(FormulaireDeSerializer):
    """Its password is judged by the service alone."""

    serializer = ForgotPasswordRequest

    email = forms.CharField(
        label=_("Nouvelle adresse e-mail"),
        widget=forms.TextInput(attrs={**SANS_TRACE, "type": "email", "inputmode": "email", "autocapitalize": "off"}),
        error_messages={"required": _("Écrivez la nouvelle adresse.")},
    )
    mot_de_passe = _mot_de_passe(_("Mot de passe actuel"))


class NouveauMotDePasse(FormulaireDeSerializer):
    serializer = ChangePasswordRequest

    ancien_mot_de_passe = _mot_de_passe(_("Mot de passe actuel"))
    nouveau_mot_de_passe = _mot_de_passe(
        _("Nouveau mot de passe"), _("Choisissez un mot de passe."), _("8 caractères au moins.")
    )


class Preuve(FormulaireDeSerializer):
    """The present password, and no more."""

    serializer = SecondFacteurCreate

    mot_de_passe = _mot_de_passe(_("Votre mot de passe"))


class Effacement(Preuve):
    """The same, to ask to be erased: in a form of its own, whose password is typed on purpose."""


class Rythmes(FormulaireDeSerializer):
    """The rhythm of mails for each nature of notice to the team; `avis`, of valid data, is what the API takes."""

    serializer = PreferenceUpdate

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        for nature in NatureAvis:
            self.fields[nature.value] = forms.ChoiceField(
                label=nature.label,
                choices=Rythme.choices,
                widget=ListeDeChoix(attrs={"autocomplete": "off"}),
                error_messages={"invalid_choice": CHOISISSEZ_QUAND, "required": CHOISISSEZ_QUAND},
            )

    def clean(self) -> dict[str, Any]:
        return {"avis": super().clean()}


class DuCampus(FormulaireDeSerializer):
    """The mails about one's events and one's posts, off until they are ticked."""

    serializer = PreferenceUpdate

    avis_evenements = _case(
        _("Mes événements : une place qui se libère, un changement, une annulation, et la veille de chacun.")
    )
    avis_publications = _case(_("Mes publications : mises en ligne, ou refusées."))


class Parution(FormulaireDeSerializer):
    """Being named to whoever reports, by what one does."""

    serializer = PreferenceUpdate

    parait_au_portail = _case(_("Me proposer à qui signale, par mon nom et ma fonction."))
    fonction = forms.CharField(
        label=_("Ma fonction"),
        required=False,
        max_length=FONCTION_MAX,
        widget=forms.TextInput(attrs={**SANS_TRACE, "dir": "auto"}),
        help_text=_("Comme on la connaît sur le campus : « Référente égalité »."),
    )


class UnAppareil(forms.Form):
    session_id = forms.UUIDField()

    @property
    def choisi(self) -> UUID | None:
        """The session that is meant, None for what is no id: nothing is closed then."""
        return self.cleaned_data["session_id"] if self.is_valid() else None
