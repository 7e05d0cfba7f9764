from collections.abc import Mapping
from datetime import datetime
from typing import Any, ClassVar

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _
from django.utils.translation import override

from accounts.serializers import ForgotPasswordRequest, LoginRequest, SignupRequest
from avis.serializers import AdresseCreate
from discussions.serializers import MessageCreate
from guests.serializers import SessionCreate, TelephoneUpdate
from homonymes.lectures import sont_compares
from portail.services.dates import SansAnnee, lire_le_jour
from portail.vocabulaire import TYPES
from signalements.serializers import SignalementCreate
from signalements.vocabulaire import ANONYME, IDENTIFIE, SANS_HEURE, TYPES_CONNUS, type_lisible
from socle.domaine.telephones import lire, region_du_fuseau
from socle.pages.formulaires import FormulaireDeSerializer

DATE = ("jour", "mois", "annee")
# Nothing is offered from, or kept for, another visit.
SANS_TRACE = {"autocomplete": "off"}
SANS_CORRECTEUR = {**SANS_TRACE, "spellcheck": "false", "autocapitalize": "off", "autocorrect": "off"}


def _texte(etiquette: Any, *, lignes: int = 0, aide: Any = "", **attributs: str) -> forms.CharField:
    """Without a maximum: the service says what is too long, and nothing is cut unseen."""
    attributs = {**SANS_TRACE, "dir": "auto", **attributs}
    widget = forms.Textarea(attrs={**attributs, "rows": lignes}) if lignes else forms.TextInput(attrs=attributs)
    return forms.CharField(label=etiquette, required=False, strip=False, widget=widget, help_text=aide)


def _courriel() -> forms.CharField:
    champ = {**SANS_CORRECTEUR, "type": "email", "inputmode": "email"}
    return forms.CharField(label=_("Adresse e-mail"), required=False, widget=forms.TextInput(attrs=champ))


def _mot_de_passe(aide: Any = "") -> forms.CharField:
    """Never shown again, whatever is refused."""
    widget = forms.PasswordInput(attrs=SANS_CORRECTEUR)
    return forms.CharField(label=_("Mot de passe"), required=False, strip=False, widget=widget, help_text=aide)


# The answers of all the steps, by the names of their fields.
REPONSES = (
    "type",
    "description",
    "jour",
    "mois",
    "annee",
    "date_incident",
    "lieu_incident",
    "auteur_presume",
    "description_temoins",
    "telephone",
    "ne_pas_montrer_a",  # ids, joined by commas
)


def types_proposes() -> list[tuple[str, Any]]:
    """The types that the operator admits, each as a person would say it."""
    admis = settings.VOCABULAIRES["type_signalement"] or TYPES_CONNUS
    return [(type_, TYPES[type_][0] if type_ in TYPES else type_lisible(type_)) for type_ in admis]


def titre_du_type(type_: str) -> str:
    return str(TYPES[type_][1] if type_ in TYPES else type_lisible(type_))


def est_tire_du_type(titre: str, type_: str) -> bool:
    """True of what `titre_du_type` says of it in any language."""
    for langue, _nom in settings.LANGUAGES:
        with override(langue):
            if titre.strip() == titre_du_type(type_):
                return True
    return False


class Faits(FormulaireDeSerializer):
    serializer = SignalementCreate
    textes = {
        ("type", "blank"): _("Choisissez ce qui s'en approche le plus."),
        ("description", "blank"): _("Dites en quelques mots ce qui s'est passé."),
    }

    type = forms.ChoiceField(label=_("De quoi s'agit-il ?"), required=False, widget=forms.RadioSelect(attrs=SANS_TRACE))
    description = _texte(_("Que s'est-il passé ?"), lignes=10)

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        champ: Any = self.fields["type"]
        champ.choices = types_proposes()


def midi_de(reponses: Mapping[str, Any]) -> str | None:
    """The moment of the API that stands for the day of these answers, None for none; ValueError for no day."""
    jour = lire_le_jour(*(str(reponses.get(nom) or "") for nom in DATE))
    return datetime.combine(jour, SANS_HEURE, settings.TIME_ZONE_CAMPUS).isoformat() if jour else None


_PAS_UN_JOUR = _("Cette date n'existe pas, ou pas encore. Laissez vide si vous ne savez plus.")
_SANS_JOUR = _("Il manque le jour. Si vous ne savez plus, laissez ces cases vides et dites-le dans votre texte.")


def _sans_jour(reponses: Mapping[str, Any]) -> bool:
    """True of a month or a year alone; a box may also hold a whole date."""
    jour, mois, annee = (str(reponses.get(nom) or "").strip() for nom in DATE)
    return not jour and (bool(annee) or mois.isalpha())


class Details(FormulaireDeSerializer):
    serializer = SignalementCreate

    jour = _texte(_("Jour"), inputmode="numeric")
    mois = _texte(_("Mois"), inputmode="numeric")
    annee = _texte(_("Année"), inputmode="numeric")
    lieu_incident = _texte(_("Où était-ce ? (facultatif)"))
    auteur_presume = _texte(
        _("Qui l'a fait ? (facultatif)"), aide=_("Un nom, une fonction, une description."), spellcheck="false"
    )
    description_temoins = _texte(
        _("Quelqu'un a-t-il vu ou entendu quelque chose ? (facultatif)"), lignes=3, spellcheck="false"
    )

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        if sont_compares():
            self.fields["auteur_presume"].help_text = _(
                "Un nom, une fonction, une description. Avec son prénom et son nom, quelqu'un de l'équipe peut être "
                "écarté : voyez « Qui lit ? »."
            )

    def clean(self) -> dict[str, Any]:
        donnees = super().clean()
        donnees["date_incident"] = None
        try:
            donnees["date_incident"] = midi_de(donnees)
        except SansAnnee:
            self._refuser_la_date(_("Il manque l'année. Laissez vide si vous ne savez plus."))
        except ValueError:
            self._refuser_la_date(_SANS_JOUR if _sans_jour(donnees) else _PAS_UN_JOUR)
        return donnees

    def _refuser_la_date(self, phrase: Any) -> None:
        """On the first of its three boxes; the two others say the same to who listens."""
        self.add_error("jour", phrase)
        for nom in ("mois", "annee"):
            self.fields[nom].widget.attrs |= {"aria-invalid": "true", "aria-describedby": "id_jour_error"}


class AdresseAPrevenir(FormulaireDeSerializer):
    serializer = AdresseCreate

    email = _courriel()


class NouveauNumero(FormulaireDeSerializer):
    serializer: ClassVar[type[Any]] = TelephoneUpdate
    textes = {
        ("telephone", "telephone"): _("Écrivez un numéro complet, par exemple +33 6 39 98 00 99."),
        ("telephone", "blank"): _("Écrivez un numéro complet, par exemple +33 6 39 98 00 99."),
    }

    telephone = forms.CharField(
        label=_("Numéro de téléphone"),
        required=False,
        widget=forms.TextInput(attrs={**SANS_CORRECTEUR, "type": "tel", "inputmode": "tel"}),
    )

    def clean_telephone(self) -> str:
        """Read a number without its prefix in the country of the campus's time zone, unless a setting names one."""
        tape: str = self.cleaned_data["telephone"]
        region = settings.PHONE_DEFAULT_REGION or region_du_fuseau(str(settings.TIME_ZONE_CAMPUS))
        return lire(tape, region) or tape


class Numero(NouveauNumero):
    """The number of whoever writes for the first time, where one is asked."""

    serializer = SessionCreate


class Verification(FormulaireDeSerializer):
    serializer = SignalementCreate
    textes = {("titre", "blank"): _("Donnez un titre, deux ou trois mots suffisent.")}

    titre = _texte(_("Titre"), aide=_("Vous pouvez le changer. L'équipe le lit d'abord."))


class VerificationDuCompte(Verification):
    """Asks besides whether the team sees the name of the account: not, unless it is said."""

    MODES = ((ANONYME, _("Ne pas montrer mon nom à l'équipe")), (IDENTIFIE, _("Montrer mon nom à l'équipe")))

    mode_identification = forms.ChoiceField(
        label=_("Votre nom"), required=False, widget=forms.RadioSelect(attrs=SANS_TRACE)
    )

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        admis = settings.VOCABULAIRES["mode_identification"]
        champ: Any = self.fields["mode_identification"]
        champ.choices = [choix for choix in self.MODES if not admis or choix[0] in admis]
        champ.initial = next((mode for mode, _texte in champ.choices), "")

    def clean(self) -> dict[str, Any]:
        donnees = super().clean()
        donnees["mode_identification"] = (
            donnees.get("mode_identification") or self.fields["mode_identification"].initial
        )
        return donnees


class FormulaireDeConnexion(FormulaireDeSerializer):
    serializer = LoginRequest
    textes = {
        ("email", "blank"): _("Écrivez votre adresse e-mail."),
        ("mot_de_passe", "blank"): _("Écrivez votre mot de passe."),
    }

    email = _courriel()
    mot_de_passe = _mot_de_passe(_("Si vous laissez le navigateur le garder, il le montrera à qui ouvre cet appareil."))

    def __init__(self, *args: Any, **options: Any) -> None:
        """With a field for a code where one was sent."""
        super().__init__(*args, **options)
        if "otp" in self.data:
            self.demander_le_code()

    def demander_le_code(self) -> None:
        aide = _("Les six chiffres de votre application, ou un code de secours. Écrivez aussi le mot de passe.")
        self.fields["otp"] = _texte(_("Code"), aide=aide, spellcheck="false", autocapitalize="off")


class MotDePasse(forms.Form):
    """The password of the account that is open here, no more."""

    mot_de_passe = _mot_de_passe()

    def clean_mot_de_passe(self) -> str:
        tape: str = self.cleaned_data["mot_de_passe"]
        if not tape:
            raise forms.ValidationError(_("Écrivez votre mot de passe."))
        return tape


class Inscription(FormulaireDeSerializer):
    serializer = SignupRequest
    textes = {
        ("prenom", "blank"): _("Écrivez votre prénom."),
        ("nom", "blank"): _("Écrivez votre nom."),
        ("email", "blank"): _("Écrivez votre adresse e-mail."),
        ("mot_de_passe", "blank"): _("Choisissez un mot de passe."),
    }

    prenom = _texte(_("Prénom"), spellcheck="false")
    nom = _texte(_("Nom"), spellcheck="false")
    email = _courriel()
    mot_de_passe = _mot_de_passe(
        _("8 caractères au moins. Si vous laissez le navigateur le garder, il le montrera à qui ouvre cet appareil.")
    )


class Oubli(FormulaireDeSerializer):
    serializer = ForgotPasswordRequest
    textes = {("email", "blank"): _("Écrivez votre adresse e-mail.")}

    email = _courriel()


class SixMots(forms.Form):
    code = forms.CharField(
        label=_("Vos six mots"),
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={**SANS_CORRECTEUR, "rows": 2, "translate": "no", "class": "notranslate"}),
    )


def refuse(texte: str, message: Any) -> SixMots:
    """The words as they were typed, and what is wrong with them."""
    form = SixMots({"code": texte})
    form.is_valid()
    form.add_error("code", str(message))
    return form


class MessageEcrit(FormulaireDeSerializer):
    serializer = MessageCreate
    contenu = _texte(_("Votre message"), lignes=3)

    def clean(self) -> dict[str, Any]:
        donnees = super().clean()
        if not self.errors and not str(donnees.get("contenu") or "").strip():
            self.add_error("contenu", _("Écrivez votre message."))
        return donnees
