from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from reponses.erreurs import DEJA_AUTOMATIQUE, DEJA_ORIENTE, PLUS_DE_PLACE
from reponses.querysets import AccuseAutomatiqueQuerySet, ModeleDeReponseQuerySet, OrientationQuerySet
from reponses.vocabulaire import (
    MODELE_MAX,
    MODELES_MAX,
    ORDRE_MAX,
    ORIENTATION_MAX,
    ORIENTATIONS_MAX,
    TITRE_MAX,
    VARIABLES,
    Dit,
    variables_inconnues,
)
from signalements.models import Signalement
from signalements.vocabulaire import Statut, type_lisible
from socle.domaine.identite import masquer_ecrits
from socle.domaine.modeles import ModeleBase
from socle.domaine.recherche import indexable

SANS_TEXTE = _("Écrivez un texte, en français ou en anglais.")
INCONNUES = _("Rien ne remplit %(inconnues)s. Variables admises : %(admises)s.")
ACCOLADES = _(
    "{reference} y devient la référence du dossier, {service} le nom de ce service, {echeance} la prochaine date "
    "promise : sans date, la ligne qui la nomme est laissée de côté."
)


def refus_des_variables(texte: str) -> str:
    """Sentence that names the unknown variables of a text, "" where there are none."""
    if not (inconnues := variables_inconnues(texte)):
        return ""
    noms = {"inconnues": ", ".join(inconnues), "admises": ", ".join(f"{{{nom}}}" for nom in VARIABLES)}
    return str(INCONNUES % noms)


def _ecrit(nom: str) -> models.CheckConstraint:
    return models.CheckConstraint(condition=~Q(texte_fr="", texte_en=""), name=nom, violation_error_message=SANS_TEXTE)


class EnDeuxLangues:
    """Text in French, in English, or in both."""

    texte_fr: Any
    texte_en: Any

    def dits(self, langue: str) -> list[Dit]:
        """The texts that are written, first the one in this language."""
        ecrits = {"fr": self.texte_fr, "en": self.texte_en}
        return [Dit(ecrits[une], une) for une in sorted(ecrits, key=lambda autre: autre != langue) if ecrits[une]]

    def dit(self, langue: str) -> Dit:
        """The text in this language, in the other where it has none in it."""
        return next(iter(self.dits(langue)), Dit("", langue))


class DeuxLangues(EnDeuxLangues, ModeleBase):
    """Abstract text of the administrators."""

    MAXIMUM: int

    recherche = models.TextField(editable=False, default="")

    class Meta:
        abstract = True

    def indexer(self) -> None:
        """Recompute the search text; call before saving the texts."""
        raise NotImplementedError

    @property
    def a_de_la_place(self) -> bool:
        """False past MAXIMUM rows: they are read whole."""
        return bool(type(self)._default_manager.exclude(pk=self.pk).count() < self.MAXIMUM)

    def clean(self) -> None:
        if not self.a_de_la_place:
            raise ValidationError(PLUS_DE_PLACE % {"n": self.MAXIMUM})


class ModeleDeReponse(DeuxLangues):
    """Words that the team uses again; whoever answers reads them, fits them, and sends them."""

    MAXIMUM = MODELES_MAX
    ECRITS = ("titre", "texte_fr", "texte_en")

    titre = models.CharField(_("titre"), max_length=TITRE_MAX, help_text=_("Ce que l'équipe lit dans la liste."))
    texte_fr = models.TextField(_("texte en français"), max_length=MODELE_MAX, blank=True, help_text=ACCOLADES)
    texte_en = models.TextField(_("texte en anglais"), max_length=MODELE_MAX, blank=True, help_text=ACCOLADES)
    # "": of every type, of every state.
    type = models.CharField(_("type"), max_length=50, blank=True, default="")
    statut = models.CharField(
        _("état"), max_length=20, blank=True, default="", choices=[("", _("Tous")), *Statut.choices]
    )
    ordre = models.PositiveSmallIntegerField(
        _("ordre"), validators=[MaxValueValidator(ORDRE_MAX)], help_text=_("Les plus petits d'abord.")
    )
    actif = models.BooleanField(_("actif"), default=True)
    # Of two that fit, the one of the type goes out.
    automatique = models.BooleanField(
        _("automatique"),
        default=False,
        db_default=False,
        help_text=_(
            "Elle part d'elle-même quand un signalement arrive, suivie de l'orientation de son type. Personne ne la "
            "relit avant : n'y promettez que ce qui est toujours vrai."
        ),
    )

    lu: Dit  # what is answered of it, in the language of the request

    objects = ModeleDeReponseQuerySet.as_manager()

    class Meta:
        verbose_name = _("réponse type")
        verbose_name_plural = _("réponses types")
        constraints = [
            _ecrit("modele_de_reponse_ecrit"),
            models.CheckConstraint(condition=Q(statut__in=["", *Statut.values]), name="modele_de_reponse_statut_connu"),
            models.UniqueConstraint(
                fields=["type"],
                condition=Q(automatique=True),
                name="modele_de_reponse_automatique",
                violation_error_message=DEJA_AUTOMATIQUE,
            ),
        ]
        indexes = [
            models.Index(fields=["ordre", "titre", "id"], condition=Q(actif=True), name="modele_de_reponse_actif")
        ]

    def __str__(self) -> str:
        return self.titre

    def clean(self) -> None:
        super().clean()
        refus = {nom: refus_des_variables(getattr(self, nom)) for nom in ("texte_fr", "texte_en")}
        if any(refus.values()):
            raise ValidationError({nom: phrase for nom, phrase in refus.items() if phrase})

    def indexer(self) -> None:
        masquer_ecrits(self)
        self.recherche = indexable(self.titre, self.texte_fr, self.texte_en)


class Orientation(DeuxLangues):
    """Advice that counts at once, for one type of case: whom to call, what to keep, where to be received."""

    MAXIMUM = ORIENTATIONS_MAX
    ECRITS = ("texte_fr", "texte_en")

    type = models.CharField(_("type"), max_length=50, error_messages={"unique": DEJA_ORIENTE})
    texte_fr = models.TextField(_("texte en français"), max_length=ORIENTATION_MAX, blank=True)
    texte_en = models.TextField(_("texte en anglais"), max_length=ORIENTATION_MAX, blank=True)

    objects = OrientationQuerySet.as_manager()

    class Meta:
        verbose_name = _("orientation")
        constraints = [
            _ecrit("orientation_ecrite"),
            models.UniqueConstraint(fields=["type"], name="orientation_une_par_type"),
        ]

    def __str__(self) -> str:
        return type_lisible(self.type)

    def indexer(self) -> None:
        masquer_ecrits(self)
        self.recherche = indexable(self.type.replace("_", " "), self.texte_fr, self.texte_en)


class AccuseAutomatique(EnDeuxLangues, models.Model):
    """The acknowledgement that a case was answered with as it came: filled then, and never changed.

    In each language that it was written in: the one that its author read would tell the team of their device. No
    account has written it, so nobody can sign in as its author, and no count has it: neither of messages, nor of what
    is unread, nor of a merge.
    """

    signalement = models.OneToOneField(
        Signalement, primary_key=True, on_delete=models.CASCADE, related_name="accuse_automatique"
    )
    texte_fr = models.TextField(blank=True, default="")
    texte_en = models.TextField(blank=True, default="")
    date_creation = models.DateTimeField(default=timezone.now)

    objects = AccuseAutomatiqueQuerySet.as_manager()

    class Meta:
        verbose_name = _("accusé automatique")
        verbose_name_plural = _("accusés automatiques")
        constraints = [_ecrit("accuse_automatique_ecrit")]

    def __str__(self) -> str:
        return "Accusé automatique"

    @property
    def montre(self) -> Dit:
        """In the language of whoever asks now."""
        return self.dit(get_language() or "fr")
