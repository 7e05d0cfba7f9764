"""Page of the register, of what the team did and read, for who may read it."""

from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse, QueryDict
from django.utils.translation import gettext_lazy as _

from accounts.filters import TraceFiltre
from accounts.lectures import traces
from espace.pages.base import PageDEquipe
from espace.pages.formulaires import ECRIT, SANS_TRACE, TOUS, choix_libre, membres
from espace.pages.lignes import par_jour
from espace.pages.phrases import REPLIES
from espace.services.reprises import Reprise, feuillet
from espace.vocabulaire import TAILLE
from signalements.filters import dossier_nomme
from socle.audit.registre import consulter_le_registre
from socle.audit.vocabulaire import POUR_L_EXPLOITANT, Acte
from socle.domaine.droits import Droit

FILTRES = ("acte", "acteurId", "objetId", "debut", "fin")
TOUT = "tout"  # nothing folded
ILLISIBLE = _("Donnez la référence d'un dossier (SIG-…) ou un identifiant entier.")


class FiltresDuRegistre(forms.Form):
    acte = choix_libre(_("Acte"), [*TOUS, *((un.value, un.label) for un in Acte if un not in POUR_L_EXPLOITANT)])
    acteurId = choix_libre(_("Qui"))
    objetId = forms.CharField(
        label=_("Dossier (SIG-…) ou identifiant"),
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
        tout = request.GET.get(TOUT) == "1"
        reprise = Reprise.lue_dans(request.GET, int)
        form = FiltresDuRegistre(donnes, equipe=membres())
        criteres = _en_cles(donnes)
        filtre = TraceFiltre(criteres, queryset=traces(self.acteur), request=request)
        # Of one case, or of one kind of act, all is wanted.
        replie = not (tout or donnes.keys() & {"acte", "objetId"})
        lignes: Any = traces(self.acteur).none()
        if filtre.is_valid():
            lignes = filtre.qs.exclude(acte__in=REPLIES) if replie else filtre.qs
        else:
            for champ, erreurs in filtre.form.errors.items():
                form.add_error(champ, ILLISIBLE if champ == "objetId" else erreurs[0])
        lues, precedente, suivante = feuillet([lignes], reprise, champ="date", croissant=False, taille=TAILLE)
        consulter_le_registre(self.acteur, criteres)
        return self.rendre(
            request,
            statut=422 if form.errors else 200,
            form=form,
            jours=par_jour(lues, self.acteur),
            filtre=bool(donnes),
            tout=tout,
            replies=[un.label for un in REPLIES] if replie else [],
            depliee=_adresse(donnes, tout=True),
            repliee=_adresse(donnes, tout=False),
            precedente=precedente and _adresse(donnes, tout, precedente),
            suivante=suivante and _adresse(donnes, tout, suivante),
        )


def _en_cles(donnes: dict[str, str]) -> dict[str, str]:
    """The same, with the id of the case for a reference: one that nobody bears leads where a closed case does."""
    dossier = dossier_nomme({"search": donnes.get("objetId", "")})
    return {**donnes, "objetId": str(dossier)} if dossier is not None else donnes


def _adresse(donnes: dict[str, str], tout: bool, reprise: Reprise | None = None) -> str:
    gardee = QueryDict(mutable=True)
    gardee.update({**donnes, **({TOUT: "1"} if tout else {})})
    if reprise is not None:
        gardee[reprise.cote] = reprise.valeur
    return f"?{gardee.urlencode()}"
