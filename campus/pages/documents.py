"""The library: found and sorted by the API's own filters, each file given through the check of access."""

from typing import Any
from urllib.parse import urlencode, urlsplit
from uuid import UUID

from django import forms
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

from campus.pages.base import PageDuCampus
from campus.pages.feuillets import feuilleter
from resources.filters import RessourceFiltre
from resources.models import Ressource
from resources.pages import piece_jointe
from resources.permissions import peut_ajouter, peut_supprimer, ressource_accessible
from resources.vocabulaire import CATEGORIES_CONNUES, categorie_lisible, genre_lisible
from socle.domaine.acteurs import Acteur
from socle.domaine.droits import Droit
from socle.erreurs import Introuvable
from socle.pages.formulaires import FormulaireSaisi, ListeDeChoix

RECENTS = "dateCreation-desc"
# `sort` and `order` of the API, as one choice.
TRIS = {
    RECENTS: _("Les plus récents"),
    "dateCreation-asc": _("Les plus anciens"),
    "titre-asc": _("Titre, de A à Z"),
    "titre-desc": _("Titre, de Z à A"),
    "sizeBytes-asc": _("Les plus légers"),
    "sizeBytes-desc": _("Les plus lourds"),
    "categorie-asc": _("Par catégorie"),
}
TRI_INCONNU = _("Choisissez un ordre de la liste.")
EXTRAIT = 240  # characters of a description; the rest is folded
SANS_TRACE = {"autocomplete": "off"}
FAITS = {"ajout": _("Le document est ajouté."), "retrait": _("Le document est supprimé.")}


class Recherche(FormulaireSaisi):
    """A search, judged by the filters of the API: the fields hold labels and widgets alone."""

    search = forms.CharField(
        label=_("Chercher un document"),
        required=False,
        widget=forms.TextInput(attrs={**SANS_TRACE, "type": "search", "dir": "auto"}),
    )
    categorie = forms.CharField(label=_("Catégorie"), required=False, widget=ListeDeChoix(attrs=SANS_TRACE))
    tri = forms.CharField(
        label=_("Trier par"), required=False, widget=ListeDeChoix(attrs=SANS_TRACE, choices=list(TRIS.items()))
    )

    def __init__(self, donnees: dict[str, str]) -> None:
        super().__init__(donnees)
        admises = settings.VOCABULAIRES["categorie"] or CATEGORIES_CONNUES
        connues = dict.fromkeys([*admises, *([self.data["categorie"]] if self.data["categorie"] else [])])
        choix = [("", _("Toutes")), *((mot, categorie_lisible(mot)) for mot in connues)]
        self.fields["categorie"].widget.choices = choix

    def filtrer(self, lignes: Any) -> Any:
        """The rows that are asked for, in a total order; none, with the errors on the fields, for a bad filter."""
        self.is_valid()
        tri, _tiret, ordre = self.cleaned_data.get("tri", "").partition("-")
        demande = {nom: self.cleaned_data.get(nom, "") for nom in ("search", "categorie")}
        filtre = RessourceFiltre({**demande, "sort": tri, "order": ordre}, queryset=lignes)
        for nom, erreurs in {} if filtre.is_valid() else filtre.form.errors.items():
            if nom in self.fields:
                self.add_error(nom, erreurs)
            elif not self.has_error("tri"):
                self.add_error("tri", TRI_INCONNU)
        return lignes.none() if self.errors else filtre.qs


class PageDeLaBibliotheque(PageDuCampus):
    interrupteur = "BIBLIOTHEQUE_PAGES"
    place = "documents"
    droit = Droit.RESSOURCES_CONSULTER
    titre = _("Documents")


class Documents(PageDeLaBibliotheque):
    gabarit = "campus/documents.html"

    def get(self, request: HttpRequest) -> HttpResponse:
        form = _demande(request)
        feuillet = feuilleter(request, form, form.filtrer(Ressource.objects.pour_lecture()))
        return self.rendre(
            request,
            statut=422 if form.errors else 200,
            form=form,
            filtre=any(form.data[nom] for nom in ("search", "categorie")),
            est_choisi=bool(form.data["categorie"]) or form.data["tri"] != RECENTS,
            documents=[_document(une, self.acteur) for une in feuillet.lignes],
            total=feuillet.total,
            plafonne=feuillet.plafonne,
            est_une_suite=feuillet.numero > 0,
            ajoutable=peut_ajouter(self.acteur),
            fait=FAITS.get(request.GET.get("fait", ""), ""),
            precedente=_adresse(form, feuillet.numero - 1) if feuillet.numero else "",
            suivante=_adresse(form, feuillet.numero + 1) if feuillet.a_une_suite else "",
        )


class PieceDeLaBibliotheque(PageDeLaBibliotheque):
    """The bytes, as an attachment: no link that opens alone is left in the history."""

    def get(self, request: HttpRequest, ressource_id: UUID) -> HttpResponse:
        ressource = ressource_accessible(ressource_id)
        if ressource.fichier_id is None:
            raise Introuvable
        reponse: HttpResponse = piece_jointe(self.acteur, ressource.fichier_id)
        return reponse


def _demande(request: HttpRequest) -> Recherche:
    lus = {nom: request.GET.get(nom, "") for nom in ("search", "tri")}
    return Recherche(
        {**lus, "tri": lus["tri"] or RECENTS, "categorie": request.GET.get("categorie", "").strip().upper()}
    )


def _adresse(form: Recherche, numero: int) -> str:
    """`?…` that asks for the same, from this page on."""
    demande = {nom: form.data[nom] for nom in form.fields if form.data[nom] not in ("", RECENTS)}
    return "?" + urlencode({**demande, **({"page": numero} if numero else {})})


def _document(ressource: Ressource, acteur: Acteur) -> dict[str, Any]:
    """The content of a card: nothing of who added the document, as the API names nobody."""
    fichier = ressource.fichier
    ailleurs = "" if fichier else ressource.url_telechargement or ressource.url_publique
    return {
        "pk": ressource.pk,
        "titre": ressource.titre,
        "description": ressource.description,
        "extrait": _extrait(ressource.description),
        "categorie": categorie_lisible(ressource.categorie),
        "genre": genre_lisible(ressource.type_mime) if ressource.type_mime else "",
        "taille": ressource.taille,
        "le": ressource.date_creation,
        "est_la": fichier is not None and not fichier.est_supprime,
        "ailleurs": ailleurs,
        "hote": urlsplit(ailleurs).hostname if ailleurs else "",
        "supprimable": peut_supprimer(acteur, ressource),
    }


def _extrait(description: str) -> str:
    """Its beginning, cut between words, with `…`; "" where it is short enough to be shown whole."""
    if len(description) <= EXTRAIT:
        return ""
    return f"{description[:EXTRAIT].rsplit(None, 1)[0]}…"
