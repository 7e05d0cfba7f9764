"""The forum: what is approved, pinned first, by category and by search; one's own, and what waits for the team.

Read by the rule of the API, found by its filters.
"""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

from campus.pages.base import PageDuCampus
from campus.pages.feuillets import feuilleter
from campus.vocabulaire import ETATS_DU_FORUM
from forum import lectures
from forum.filters import PosteFiltre
from forum.models import Poste
from forum.vocabulaire import CATEGORIES_CONNUES, Statut, categorie_lisible
from socle.domaine.acteurs import Acteur
from socle.domaine.droits import Droit
from socle.pages.formulaires import FormulaireSaisi

MIENNES, EN_ATTENTE = "miennes", "attente"
EXTRAIT = 240  # characters of a post in the list
SANS_TRACE = {"autocomplete": "off"}


def texte_ecrit(etiquette: Any, lignes: int = 0) -> forms.CharField:
    """Without a maximum: the serializer says what is too long, and nothing is cut unseen."""
    attributs = {**SANS_TRACE, "dir": "auto"}
    widget = forms.Textarea(attrs={**attributs, "rows": lignes}) if lignes else forms.TextInput(attrs=attributs)
    return forms.CharField(label=etiquette, required=False, strip=False, widget=widget)


class PageDuForum(PageDuCampus):
    interrupteur = "FORUM_PAGES"
    place = "forum"
    droit = Droit.FORUM_PARTICIPER
    titre = _("Forum")


class Recherche(FormulaireSaisi):
    """A search, judged by the filters of the API; the category and the view come by links."""

    search = forms.CharField(
        label=_("Chercher dans le forum"),
        required=False,
        widget=forms.TextInput(attrs={**SANS_TRACE, "type": "search", "dir": "auto"}),
    )
    categorie = forms.CharField(required=False, widget=forms.HiddenInput)
    vue = forms.CharField(required=False, widget=forms.HiddenInput)

    def filtrer(self, lignes: Any) -> Any:
        """The rows that are asked for; none, with what is wrong, for a bad filter."""
        self.is_valid()
        filtre = PosteFiltre({nom: self.cleaned_data.get(nom, "") for nom in ("search", "categorie")}, queryset=lignes)
        for nom, erreurs in {} if filtre.is_valid() else filtre.form.errors.items():
            self.add_error(nom if nom == "search" else None, erreurs)
        return lignes.none() if self.errors else filtre.qs

    def adresse(self, **changes: Any) -> str:
        """`?…` that asks for the same with some of it changed, from its first page on unless one is named."""
        demande = {nom: self.data[nom] for nom in self.fields} | changes
        return "?" + urlencode({nom: valeur for nom, valeur in demande.items() if valeur})


class Forum(PageDuForum):
    gabarit = "campus/forum/liste.html"

    def get(self, request: HttpRequest) -> HttpResponse:
        form = _demande(request.GET)
        feuillet = feuilleter(request, form, form.filtrer(_lignes_de(self.acteur, form.data["vue"])))
        return self.rendre(
            request,
            statut=422 if form.errors else 200,
            form=form,
            filtre=bool(form.data["search"] or form.data["categorie"]),
            vue=form.data["vue"],
            onglets=_onglets(form, self.acteur),
            postes=[_ligne(un, form.data["vue"]) for un in feuillet.lignes],
            total=feuillet.total,
            plafonne=feuillet.plafonne,
            precedente=form.adresse(page=feuillet.numero - 1) or "?" if feuillet.numero else "",
            suivante=form.adresse(page=feuillet.numero + 1) if feuillet.a_une_suite else "",
            fait="fait" in request.GET,
        )


def categories() -> list[tuple[str, str]]:
    """The categories that one may write in, each with its word."""
    admises = settings.VOCABULAIRES["categorie_poste"] or CATEGORIES_CONNUES
    return [(mot, categorie_lisible(mot)) for mot in admises]


def etat_de(poste: Poste) -> str:
    """The word for what keeps a post from being read by everybody, "" for nothing."""
    return "" if poste.est_public else str(ETATS_DU_FORUM[poste.statut])


def _demande(parametres: Mapping[str, str]) -> Recherche:
    vue = parametres.get("vue", "")
    return Recherche(
        {
            "search": parametres.get("search", ""),
            "categorie": parametres.get("categorie", "").strip().upper(),
            "vue": vue if vue in (MIENNES, EN_ATTENTE) else "",
        }
    )


def _lignes_de(acteur: Acteur, vue: str) -> Any:
    """The posts of a view, in its order: what waits is the team's, the oldest first, and of others one's own."""
    if not vue:
        return lectures.approuves().queryset()
    lignes = lectures.visibles(acteur).queryset()
    if vue == MIENNES:
        return lignes.filter(compte=acteur.compte)
    return lignes.de_statut(Statut.NOUVEAU, acteur).a_moderer_d_abord()


def _onglets(form: Recherche, acteur: Acteur) -> list[dict[str, Any]]:
    """The links above the list: all, each category, one's own, and for the team what waits for it."""
    vue, categorie = form.data["vue"], form.data["categorie"]
    connues = dict(categories())
    if categorie and not form.errors:
        connues.setdefault(categorie, categorie_lisible(categorie))
    choix = [("", "", str(_("Tout"))), *(("", mot, texte) for mot, texte in connues.items())]
    choix.append((MIENNES, "", str(_("Mes publications"))))
    if acteur.peut(Droit.FORUM_MODERER):
        choix.append((EN_ATTENTE, "", str(_("À relire"))))
    return [
        {"texte": texte, "adresse": _adresse_d_onglet(une_vue, mot), "choisi": (une_vue, mot) == (vue, categorie)}
        for une_vue, mot, texte in choix
    ]


def _adresse_d_onglet(vue: str, categorie: str) -> str:
    return "?" + urlencode({nom: mot for nom, mot in (("vue", vue), ("categorie", categorie)) if mot})


def _ligne(poste: Poste, vue: str) -> dict[str, Any]:
    """The content of one row: a post without a title goes by its first words, one's own says that it was approved."""
    texte = " ".join(poste.contenu.split())
    titre = poste.titre or _couper(texte, 60)
    return {
        "pk": poste.pk,
        "titre": titre,
        "extrait": "" if titre == texte else _couper(texte, EXTRAIT),
        "auteur": poste.compte.nom_complet,
        "le": poste.date_creation,
        "categorie": categorie_lisible(poste.categorie) if poste.categorie else "",
        "etat": str(ETATS_DU_FORUM[poste.statut]) if vue == MIENNES else etat_de(poste),
        "est_public": poste.est_public,
        "est_epingle": poste.est_epingle,
        "reponses": poste.nb_commentaires,
        "reactions": poste.nb_reactions,
    }


def _couper(texte: str, taille: int) -> str:
    """Its beginning, cut between words where there are some, with `…`; whole where it is short enough."""
    return texte if len(texte) <= taille else f"{texte[:taille].rsplit(None, 1)[0]}…"
