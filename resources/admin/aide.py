from typing import Any

from django import forms
from django.contrib import admin
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from resources.admin.filters import FiltreCategorieDeFaq, FiltreLangue, categorie_de_question
from resources.admin.forms import MotSaisi
from resources.admin.textes import TextesEnOrdre
from resources.models import ContactUrgence, Faq
from resources.services.aide import consigner_un_changement, montrer
from resources.vocabulaire import CATEGORIES_DE_FAQ, PAGES_ECRITES, PORTAIL
from socle.domaine.appels import a_composer


class AideAdmin(TextesEnOrdre):
    """Help entries, edited here and nowhere else."""

    actions = ("publier", "retirer")

    def consigner(self, texte: Any, quoi: str, **details: Any) -> None:
        consigner_un_changement(texte, quoi, **details)

    @admin.action(description=_("Publier ce qui est choisi"), permissions=["change"])
    def publier(self, request: HttpRequest, lignes: Any) -> None:
        self._montrer(request, lignes, visible=True)

    @admin.action(description=_("Retirer ce qui est choisi"), permissions=["change"])
    def retirer(self, request: HttpRequest, lignes: Any) -> None:
        self._montrer(request, lignes, visible=False)

    def _montrer(self, request: HttpRequest, lignes: Any, *, visible: bool) -> None:
        faites = 0
        for entree in lignes:
            try:
                change = montrer(entree=entree, visible=visible, par=request.user)
            except ValidationError as refus:
                dit = _("%(quoi)s : %(dit)s") % {"quoi": entree, "dit": " ".join(refus.messages)}
                self.message_user(request, dit, level="error")
                continue
            if change:
                self.noter(request, entree, **{entree.VISIBLE: (not visible, visible)})
                faites += 1
        self.dire_combien(request, faites)


class FormulaireFaq(forms.ModelForm):
    categorie = MotSaisi(
        label=_("Catégorie"),
        max_length=50,
        initial=CATEGORIES_DE_FAQ[0],
        help_text=format_lazy(
            _(
                "Un mot, par exemple {mots}. Pour écrire une page du portail : PORTAIL (« Qui lit ? »), "
                "PORTAIL_CONFIDENTIALITE, PORTAIL_MENTIONS ou PORTAIL_DROITS, suivi de _EN pour l'anglais."
            ),
            mots=", ".join(CATEGORIES_DE_FAQ),
        ),
    )

    def clean_categorie(self) -> str:
        """Refuse a page of the portal that there is not: the answer would be read nowhere."""
        mot: str = self.cleaned_data["categorie"]
        if mot.startswith(PORTAIL) and mot not in PAGES_ECRITES:
            raise ValidationError(
                _("Aucune page du portail n'a ce nom. Choisissez parmi : %(mots)s."),
                params={"mots": ", ".join(PAGES_ECRITES)},
            )
        return mot


@admin.register(Faq)
class FaqAdmin(AideAdmin):
    form = FormulaireFaq
    list_display = ("question", "publiee", "ordre", "categorie_dite", "langue", "date_modification")
    list_filter = ("publiee", ("langue", FiltreLangue), ("categorie", FiltreCategorieDeFaq))
    fields = ("question", "reponse", "categorie", "langue", "ordre", "publiee")
    modele_d_apercu = "admin/resources/apercu_faq.html"

    @admin.display(description=_("catégorie"), ordering="categorie")
    def categorie_dite(self, question: Faq) -> str:
        return categorie_de_question(question.categorie)

    def autour_de(self, texte: Faq) -> dict[str, Any]:
        return {"categorie": self.categorie_dite(texte)}


@admin.register(ContactUrgence)
class ContactUrgenceAdmin(AideAdmin):
    list_display = ("nom", "telephone", "actif", "ordre", "disponibilite", "langue", "date_modification")
    list_filter = ("actif", ("langue", FiltreLangue))
    fields = ("nom", "description", "telephone", "email", "disponibilite", "langue", "ordre", "actif")
    modele_d_apercu = "admin/resources/apercu_contact.html"

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        super().save_model(request, obj, form, change)
        if obj.telephone and (numero := a_composer(obj.telephone)):
            self.message_user(request, _("Sur un téléphone, ce contact appelle le %(numero)s.") % {"numero": numero})
        elif obj.telephone:
            refus = _("Ce numéro se lit, mais un téléphone ne peut pas l'appeler d'un toucher : écrivez-le en premier.")
            self.message_user(request, refus, level="warning")
