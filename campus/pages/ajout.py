"""A document of the library: added from a page as the API adds it, once, and deleted by who may."""

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django import forms
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.decorators import method_decorator
from django.utils.translation import gettext_lazy as _
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from rest_framework.exceptions import ValidationError

from campus.pages.cles import cle_du_formulaire, une_seule_fois
from campus.pages.documents import SANS_TRACE, PageDeLaBibliotheque
from portail.pages.page import ailleurs
from portail.services import sceau
from resources.models import Ressource
from resources.pages import PHRASES, EnvoiDeFichiers, Refuses, lire_le_refus, phrase_de
from resources.permissions import exiger_d_ajouter, peut_supprimer, ressource_a_supprimer
from resources.serializers import COLONNES, FichierCreate, RessourceCreate
from resources.services import ressources as services
from resources.vocabulaire import CATEGORIES_CONNUES, categorie_lisible, genre_lisible
from socle.domaine.droits import Droit
from socle.domaine.limites import consommer
from socle.erreurs import ErreurMetier, Introuvable
from socle.pages.entetes import proteger
from socle.pages.formulaires import FormulaireDeSerializer, ListeDeChoix
from socle.pages.vues import vers

AUCUN = _("Choisissez un fichier, ou donnez l'adresse d'une page.")
LES_DEUX = _("Un fichier ou une adresse : gardez l'un des deux.")
UN_SEUL = _("Un seul fichier à la fois.")
PHRASES_DU_DOCUMENT = PHRASES | {
    "UNSUPPORTED_MEDIA_TYPE": _("La bibliothèque ne prend pas ce format."),
    "BODY_TOO_LARGE": PHRASES["FILE_TOO_LARGE"],
}


class DocumentSaisi(FormulaireDeSerializer):
    """A file or an address, with its words; the service judges the file."""

    serializer = RessourceCreate
    textes = {("titre", "blank"): _("Donnez un titre à ce document.")}

    titre = forms.CharField(
        label=_("Titre"), required=False, widget=forms.TextInput(attrs={**SANS_TRACE, "dir": "auto"})
    )
    fichier = forms.FileField(label=_("Fichier"), required=False, allow_empty_file=True)
    public_url = forms.CharField(
        label=_("Ou l'adresse d'une page"),
        help_text=_("Complète : https://…"),
        required=False,
        widget=forms.TextInput(attrs={**SANS_TRACE, "type": "url", "inputmode": "url"}),
    )
    categorie = forms.CharField(label=_("Catégorie"), required=False, widget=ListeDeChoix(attrs=SANS_TRACE))
    description = forms.CharField(
        label=_("Description (facultatif)"),
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={**SANS_TRACE, "dir": "auto", "rows": 4}),
    )

    def __init__(self, *args: Any, envoi: EnvoiDeFichiers | None = None, **options: Any) -> None:
        super().__init__(*args, **options)
        self.trop_grands = envoi.recus.trop_grands if envoi else []
        admises = settings.VOCABULAIRES["categorie"] or CATEGORIES_CONNUES
        self.fields["categorie"].widget.choices = [(mot, categorie_lisible(mot)) for mot in admises]
        genres = _en_liste(dict.fromkeys(map(genre_lisible, settings.RESOURCE_MIME_TYPES)))
        aide = _("%(genres)s ; %(n)d Mo au plus.") % {"genres": genres, "n": settings.RESOURCE_MAX_FILE_SIZE_MB}
        self.fields["fichier"].help_text = aide
        self.fields["fichier"].widget.attrs["accept"] = ",".join(settings.RESOURCE_MIME_TYPES)

    def clean(self) -> dict[str, Any]:
        champs = super().clean()
        envoyes = [*self.files.getlist("fichier"), *self.trop_grands]
        if len(envoyes) > 1:
            self.refuser("fichier", UN_SEUL)
        elif self.trop_grands:
            self.refuser_le_fichier(self.trop_grands[0][1])
        elif envoyes and champs.get("public_url"):
            self.refuser("public_url", LES_DEUX)
        elif not envoyes and not champs.get("public_url") and "public_url" not in self.errors:
            self.refuser("fichier", AUCUN)
        return champs

    def refuser_le_fichier(self, erreur: ErreurMetier) -> None:
        self.refuser("fichier", phrase_de(erreur, PHRASES_DU_DOCUMENT, settings.RESOURCE_MAX_FILE_SIZE_MB))

    @property
    def dits(self) -> dict[str, Any]:
        """Arguments of the service, file apart: what was left empty is absent."""
        return {nom: valeur for nom, valeur in self.cleaned_data.items() if nom != "fichier" and valeur}


def _en_liste(genres: Iterable[str]) -> str:
    """« PDF, image, vidéo »: a capital for the first, and for initials."""
    dits = list(genres)
    suite = (un if un.isupper() else f"{un[:1].lower()}{un[1:]}" for un in dits[1:])
    return ", ".join([*dits[:1], *suite])


class PageDAjout(PageDeLaBibliotheque):
    gabarit = "campus/ajouter_un_document.html"
    titre = _("Ajouter un document")
    droit = Droit.RESSOURCES_AJOUTER

    def entrer(self, request: HttpRequest) -> str:
        cle = super().entrer(request)
        exiger_d_ajouter(self.acteur)
        return cle

    def demander(self, request: HttpRequest, form: DocumentSaisi, statut: int = 200, **cle: str) -> HttpResponse:
        return self.rendre(request, statut, form=form, **(cle or cle_du_formulaire(request)))


class Ajouter(PageDAjout):
    def get(self, request: HttpRequest) -> HttpResponse:
        return self.demander(request, DocumentSaisi())

    def remontrer(self, request: HttpRequest) -> HttpResponse:
        return self.demander(request, DocumentSaisi(initial=request.POST.dict()))

    post = remontrer


@method_decorator(csrf_exempt, name="dispatch")
class Envoyer(PageDAjout):
    rend_les_textes = False  # before the token of the form is checked

    get = ailleurs("campus:ajouter_un_document")

    def entrer(self, request: HttpRequest) -> str:
        cle = super().entrer(request)
        if request.method == "POST":
            self.envoi = EnvoiDeFichiers(request, self.acteur, "/campus/documents/envoyer")
        return cle

    @method_decorator(csrf_protect)
    def post(self, request: HttpRequest) -> HttpResponse:
        self.rend_les_textes = True
        form = DocumentSaisi(request.POST, request.FILES, envoi=self.envoi)
        if not form.is_valid():
            return self.demander(request, form, statut=422)
        try:
            self._ajouter(request, form)
        except (ErreurMetier, ValidationError) as refus:
            _refus, du_fichier = lire_le_refus(refus)
            if du_fichier is None:
                raise
            return self._redemander(request, form, du_fichier)
        return vers("campus:documents", suite="?fait=ajout#fait")

    def _ajouter(self, request: HttpRequest, form: DocumentSaisi) -> None:
        envoye = form.cleaned_data.get("fichier")
        if envoye is None:
            lien = {COLONNES.get(nom, nom): valeur for nom, valeur in form.dits.items()}
            une_seule_fois(request, self.acteur, lien, lambda: services.ajouter(acteur=self.acteur, **lien))
            return
        lu = FichierCreate(data={"file": envoye})
        lu.is_valid(raise_exception=True)
        dits, condensat = form.dits, self.envoi.recus.condensat.hexdigest()

        def televerser() -> Ressource:
            consommer("upload", self.acteur.cle)
            return services.televerser_ressource(acteur=self.acteur, envoye=lu.validated_data["file"], **dits)

        une_seule_fois(request, self.acteur, {**dits, "condensat": condensat}, televerser)

    def refuser(self, request: HttpRequest, refus: Exception) -> HttpResponse:
        """Ask again, of a form that was not read to its end: what is wrong with its file is all that is known of it."""
        refus, du_fichier = lire_le_refus(refus)
        if du_fichier is None or self.rend_les_textes:
            return super().refuser(request, refus)
        form = DocumentSaisi({})
        form.errors.clear()
        return proteger(self._redemander(request, form, du_fichier, cle_de_la_page=sceau.tirer_jeton()))

    def _redemander(self, request: HttpRequest, form: DocumentSaisi, refuses: Refuses, **cle: str) -> HttpResponse:
        erreur = refuses[0][1]
        form.refuser_le_fichier(erreur)
        reponse = self.demander(request, form, erreur.statut_http, **cle)
        if erreur.attente is not None:
            reponse.headers["Retry-After"] = str(erreur.attente)
        return reponse


class Supprimer(PageDeLaBibliotheque):
    droit = Droit.RESSOURCES_AJOUTER

    def get(self, request: HttpRequest, ressource_id: UUID) -> HttpResponse:
        return vers("campus:documents")

    def post(self, request: HttpRequest, ressource_id: UUID) -> HttpResponse:
        try:
            services.supprimer(acteur=self.acteur, ressource=ressource_a_supprimer(self.acteur, ressource_id))
        except Introuvable:
            supprimee = Ressource.objects.filter(pk=ressource_id).first()
            if supprimee is None or not peut_supprimer(self.acteur, supprimee):
                raise  # else a second click leads where the first led
        return vers("campus:documents", suite="?fait=retrait#fait")
