from collections.abc import Iterable
from contextlib import suppress
from datetime import date
from typing import Any
from uuid import UUID

from django import forms
from django.utils.formats import date_format
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from accounts.models import Compte
from accounts.vocabulaire import LANGUES
from discussions.serializers import MessageCreate
from espace.vocabulaire import EQUIPE_MAX, TRIS
from reponses.selections import Propose
from signalements.filters import AUCUN
from signalements.serializers import (
    AssignationUpdate,
    GelUpdate,
    LecteursUpdate,
    NoteCreate,
    PrioriteUpdate,
    StatutUpdate,
)
from signalements.vocabulaire import Priorite, Statut
from socle.domaine.acteurs import SourceActeur
from socle.domaine.droits import Droit, roles_ayant
from socle.pages.formulaires import FormulaireDeSerializer, ListeDeChoix
from socle.pages.typographie import en_francais

ACTES = "actes"  # the one form of a case: whatever is done, what is being written comes along
SANS_TRACE = {"autocomplete": "off"}
ECRIT = {**SANS_TRACE, "dir": "auto"}  # in the direction of what is typed there
TOUS = [("", _("Tous"))]
TOUTES = [("", _("Toutes"))]
SOURCES = {SourceActeur.GUEST: _("Sans compte"), SourceActeur.AUTH_USER: _("Avec un compte")}


def personnes() -> list[tuple[str, str]]:
    """List the people who may handle a case, by name."""
    return choix(Compte.objects.equipe_active().order_by("nom", "prenom", "pk")[:EQUIPE_MAX])


def choix(comptes: Iterable[Compte]) -> list[tuple[str, str]]:
    return [(str(un.pk), un.nom_complet) for un in comptes]


def membres() -> list[tuple[str, str]]:
    """List the members of the team, past ones too: the register remembers them."""
    equipe = Compte.objects.filter(type_utilisateur__in=roles_ayant(Droit.ESPACE_ENTRER)).order_by(
        "nom", "prenom", "pk"
    )
    return choix(equipe[:EQUIPE_MAX])


def choix_libre(etiquette: Any, choix: Any = (), **attributs: str) -> forms.ChoiceField:
    """A list to choose in; what is not in it is judged by the serializer, as for the API."""
    widget = ListeDeChoix(attrs={**SANS_TRACE, **attributs})
    return _ChoixLibre(label=etiquette, choices=choix, required=False, widget=widget)


class _ChoixLibre(forms.ChoiceField):
    def valid_value(self, value: Any) -> bool:
        return True


def choix_multiple_libre(etiquette: Any) -> forms.MultipleChoiceField:
    widget = forms.CheckboxSelectMultiple(attrs=SANS_TRACE)
    return _ChoixMultipleLibre(label=etiquette, required=False, widget=widget)


class _ChoixMultipleLibre(forms.MultipleChoiceField):
    def valid_value(self, value: Any) -> bool:
        return True


def _texte(etiquette: Any, lignes: int) -> forms.CharField:
    widget = forms.Textarea(attrs={**ECRIT, "rows": lignes, "form": ACTES})
    return forms.CharField(label=etiquette, required=False, strip=False, widget=widget)


class FormulaireDEtat(FormulaireDeSerializer):
    serializer = StatutUpdate
    statut = choix_libre(_("État"), Statut.choices, form=ACTES)


class Urgence(FormulaireDeSerializer):
    serializer = PrioriteUpdate
    priorite = choix_libre(_("Priorité"), Priorite.choices, form=ACTES)


class Responsable(FormulaireDeSerializer):
    serializer = AssignationUpdate
    gestionnaire_id = choix_libre(_("Suivi par"), form=ACTES)

    def __init__(self, *args: Any, equipe: list[tuple[str, str]] = (), **options: Any) -> None:  # type: ignore[assignment]
        super().__init__(*args, **options)
        champ: Any = self.fields["gestionnaire_id"]
        champ.choices = [("", _("Personne")), *equipe]

    def clean(self) -> dict[str, Any]:
        if not self.cleaned_data.get("gestionnaire_id"):
            self.add_error("gestionnaire_id", _("Choisissez une personne."))
            return self.cleaned_data
        return super().clean()


class Lecteurs(FormulaireDeSerializer):
    """Form of the people shut out, and of those alone admitted: a box for each of the team."""

    serializer = LecteursUpdate
    ecartes = choix_multiple_libre(_("Personnes écartées"))
    admis = choix_multiple_libre(_("Seules personnes à le lire"))
    motif = forms.CharField(
        label=_("Pourquoi (si qui a signalé ne le voulait pas)"),
        required=False,
        widget=forms.TextInput(attrs=ECRIT),
        help_text=_("Qui a signalé lit qui lit de nouveau ce dossier, et pourquoi."),
    )

    def __init__(
        self, *args: Any, equipe: list[tuple[str, str]], actifs: list[tuple[str, str]], motive: bool, **options: Any
    ):
        super().__init__(*args, **options)
        champs: Any = self.fields
        champs["ecartes"].choices, champs["admis"].choices = equipe, actifs
        if not motive:
            del champs["motif"]


class Gel(FormulaireDeSerializer):
    serializer = GelUpdate
    motif = forms.CharField(label=_("Pourquoi le geler"), required=False, widget=forms.TextInput(attrs=ECRIT))

    def clean(self) -> dict[str, Any]:
        donnees = super().clean()
        if not self.errors and not str(donnees.get("motif") or "").strip():
            self.add_error("motif", _("Dites pourquoi ce dossier est gelé."))
        return donnees


class Note(FormulaireDeSerializer):
    serializer = NoteCreate
    textes = {("contenu", "blank"): _("Écrivez votre note.")}
    prefix = "note"
    contenu = _texte(_("Nouvelle note"), 3)


class Reponse(FormulaireDeSerializer):
    serializer = MessageCreate
    prefix = "reponse"
    contenu = _texte(_("Votre réponse"), 4)

    def clean(self) -> dict[str, Any]:
        donnees = super().clean()
        if not self.errors and not str(donnees.get("contenu") or "").strip():
            self.add_error("contenu", _("Écrivez votre réponse."))
        return donnees


def reponse_inseree(ecrit: str, texte: str) -> Reponse:
    """The box with this text after what is written, a blank line between, and the focus: it is read, then sent."""
    form = Reponse(initial={"contenu": f"{ecrit.rstrip()}\n\n{texte}" if ecrit.strip() else texte})
    form.fields["contenu"].widget.attrs |= {"autofocus": True, "rows": 12}
    form.fields["contenu"].help_text = _("Le texte est inséré, rien n'est envoyé. Relisez-le, puis envoyez.")
    return form


class ReponseType(forms.Form):
    """Form of the words that the team uses again, which « Insérer » puts after what is being written."""

    modele = choix_libre(_("Réponses types"), form=ACTES)

    def __init__(self, *args: Any, modeles: list[Propose], langue: str, **options: Any) -> None:
        super().__init__(*args, **options)
        self.propose = bool(modeles)
        champ: Any = self.fields["modele"]
        champ.choices = [("", _("Choisir…")), *((f"{un.langue}:{un.pk}", _titre(un, langue)) for un in modeles)]

    @property
    def choisi(self) -> tuple[UUID, str] | None:
        """Id and language of the text that is chosen, None where nothing is."""
        langue, _separe, cle = str(self["modele"].value() or "").partition(":")
        with suppress(ValueError):
            return UUID(cle), langue
        return None


def _titre(un: Propose, langue: str) -> str:
    """Its title, and its language where that is not the page's."""
    return un.titre if un.langue == langue else f"{un.titre} ({dict(LANGUES)[un.langue]})"


class Filtres(forms.Form):
    """The boxes of the list's filters; the API's own judge what is in them."""

    search = forms.CharField(
        label=_("Chercher"),
        required=False,
        widget=forms.TextInput(
            attrs={**ECRIT, "type": "search", "placeholder": _("Référence, mot, lieu, personne nommée")}
        ),
    )
    statut = choix_libre(_("État"), [*TOUS, *Statut.choices])
    priorite = choix_libre(_("Priorité"), [*TOUTES, *Priorite.choices])
    type = choix_libre(_("Type"))
    gestionnaireId = choix_libre(_("Suivi par"))
    sourceActeur = choix_libre(_("Qui signale"), [*TOUS, *SOURCES.items()])
    debut = forms.CharField(label=_("Reçu depuis le"), required=False, widget=forms.DateInput(attrs={"type": "date"}))
    fin = forms.CharField(label=_("Reçu jusqu'au"), required=False, widget=forms.DateInput(attrs={"type": "date"}))
    tri = choix_libre(_("Ordre"), TRIS.items())

    def __init__(
        self,
        *args: Any,
        types: list[tuple[str, str]],
        equipe: list[tuple[str, str]],
        par_groupes: bool,
        **options: Any,
    ) -> None:
        super().__init__(*args, **options)
        champs: Any = self.fields
        if par_groupes:
            champs["tri"].choices = [("", _("Par groupes")), *TRIS.items()]
        champs["type"].choices = [*TOUS, *types]
        champs["gestionnaireId"].choices = [*TOUS, (AUCUN, _("Personne")), *equipe]


def jour_en_mots(ecrit: str) -> str:
    """The day that an address names, as people write it; what is no day as it is."""
    with suppress(ValueError):
        dit = date_format(date.fromisoformat(ecrit), "DATE_FORMAT")
        return en_francais(dit) if get_language() == "fr" else dit
    return ecrit
