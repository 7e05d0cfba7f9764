"""Page of the register, of what the team did and read, for who may read it."""

from itertools import groupby
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse, QueryDict
from django.utils.translation import gettext_lazy as _

from accounts.filters import TraceFiltre
from accounts.lectures import traces
from espace.pages.base import PageDEquipe
from espace.pages.formulaires import ECRIT, SANS_TRACE, TOUS, choix_libre, membres
from espace.pages.liste import numero_de_page
from espace.vocabulaire import PAGES_MAX, TAILLE
from signalements.models import Signalement
from socle.api.pagination import LignesDuMoment
from socle.audit.models import Trace
from socle.audit.registre import consulter_le_registre
from socle.audit.vocabulaire import POUR_L_EXPLOITANT, Acte, Sorte
from socle.domaine.droits import Droit

MONTRES = (Acte.SIGNALEMENT_MONTRE, Acte.FICHIER_MONTRE)  # a row for each case of a list
FILTRES = ("acte", "acteurId", "objetId", "debut", "fin")


class FiltresDuRegistre(forms.Form):
    acte = choix_libre(_("Acte"), [*TOUS, *((un.value, un.label) for un in Acte if un not in POUR_L_EXPLOITANT)])
    acteurId = choix_libre(_("Qui"))
    objetId = forms.CharField(
        label=_("Identifiant du dossier, du compte, de l'export…"),
        required=False,
        widget=forms.TextInput(attrs=ECRIT),
    )
    debut = forms.CharField(label=_("Du"), required=False, widget=forms.DateInput(attrs={**SANS_TRACE, "type": "date"}))
    fin = forms.CharField(label=_("Au"), required=False, widget=forms.DateInput(attrs={**SANS_TRACE, "type": "date"}))

    def __init__(self, *args: Any, equipe: list[tuple[str, str]], **options: Any) -> None:
        super().__init__(*args, **options)
        champ: Any = self.fields["acteurId"]
        champ.choices = [*TOUS, *equipe]


class Registre(PageDEquipe):
    gabarit = "espace/registre.html"
    place = "registre"
    titre = _("Registre")
    droit = Droit.REGISTRE_CONSULTER

    def get(self, request: HttpRequest) -> HttpResponse:
        donnes = {nom: str(valeur) for nom, valeur in request.GET.items() if nom in FILTRES and str(valeur).strip()}
        page = numero_de_page(request.GET)
        form = FiltresDuRegistre(donnes, equipe=membres())
        filtre = TraceFiltre(donnes, queryset=traces(self.acteur), request=request)
        lignes: Any = traces(self.acteur).none()
        if filtre.is_valid():
            lignes = filtre.qs
        else:
            for champ, erreurs in filtre.form.errors.items():
                form.add_error(champ, erreurs[0])
        lues = LignesDuMoment(lignes).tranche(page * TAILLE, TAILLE + 1)
        consulter_le_registre(self.acteur, donnes)
        return self.rendre(
            request,
            statut=422 if form.errors else 200,
            form=form,
            lignes=_groupees(lues[:TAILLE]),
            filtre=bool(donnes),
            precedente=_adresse(donnes, page - 1) if page else None,
            suivante=_adresse(donnes, page + 1) if len(lues) > TAILLE and page < PAGES_MAX else None,
        )


def _groupees(lues: list[Trace]) -> list[tuple[Trace, list[Trace]]]:
    """Each with those that it stands for: what one list has shown is one line."""
    groupes = [list(groupe) for _cle, groupe in groupby(_nommees(lues), key=_ensemble)]
    return [(groupe[0], groupe) for groupe in groupes]


def _ensemble(une: Trace) -> Any:
    return (une.acteur, une.requete, une.acte) if une.acte in MONTRES else une.pk


def _nommees(lues: list[Trace]) -> list[Trace]:
    """The same, those about a case that is still there with its `reference`."""
    cles = {une.objet for une in lues if une.objet and une.sorte == Sorte.SIGNALEMENT}
    references = dict(Signalement.objects.filter(pk__in=cles).values_list("pk", "reference")) if cles else {}
    for une in lues:
        une.reference = references.get(une.objet) if une.objet else None  # type: ignore[attr-defined]
    return lues


def _adresse(donnes: dict[str, str], page: int) -> str:
    gardee = QueryDict(mutable=True)
    gardee.update({**donnes, **({"page": str(page)} if page else {})})
    return f"?{gardee.urlencode()}"
