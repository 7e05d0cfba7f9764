"""One post, with what people answered; writing, answering, reacting and deleting by the services of the API."""

from contextlib import suppress
from typing import Any
from uuid import UUID

from django import forms
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

from campus.pages.cles import cle_du_formulaire, une_seule_fois
from campus.pages.forum import SANS_TRACE, PageDuForum, categories, etat_de, texte_ecrit
from campus.pages.relecture import RelectureDemandee, a_signaler
from campus.vocabulaire import ICONES_DES_REACTIONS
from forum import services
from forum.models import Commentaire, Poste, Reaction
from forum.permissions import commentaire_de, commentaire_supprimable, poste_supprimable, poste_visible
from forum.serializers import CommentaireCreate, PosteCreate, ReactionCreate
from forum.vocabulaire import LIBELLES_DES_REACTIONS, REACTIONS_CONNUES, categorie_lisible
from portail.pages.page import ailleurs_avec
from resources.models import Fichier
from resources.pages import piece_jointe
from resources.vocabulaire import genre_lisible
from socle.api.pagination import TAILLE_PAR_DEFAUT, LignesDuMoment, decouper, lire_entier
from socle.domaine.acteurs import Acteur
from socle.domaine.droits import Droit
from socle.domaine.texte import mot_lisible
from socle.erreurs import ChampsInvalides, Introuvable
from socle.pages.formulaires import FormulaireDeSerializer, ListeDeChoix
from socle.pages.vues import vers


class PublicationEcrite(FormulaireDeSerializer):
    serializer = PosteCreate
    textes = {("contenu", "blank"): _("Écrivez votre publication.")}

    titre = texte_ecrit(_("Titre (facultatif)"))
    contenu = texte_ecrit(_("Votre publication"), lignes=8)
    categorie = forms.CharField(
        label=_("Catégorie (facultatif)"), required=False, widget=ListeDeChoix(attrs=SANS_TRACE)
    )

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["categorie"].widget.choices = [("", _("Aucune")), *categories()]


class ReponseEcrite(FormulaireDeSerializer):
    serializer = CommentaireCreate
    textes = {("contenu", "blank"): _("Écrivez votre réponse.")}

    contenu = texte_ecrit(_("Votre réponse"), lignes=3)


class ReactionPosee(FormulaireDeSerializer):
    serializer = ReactionCreate

    type = forms.CharField(required=False)


class Ecrire(PageDuForum):
    gabarit = "campus/forum/ecrire.html"
    titre = _("Écrire sur le forum")

    def get(self, request: HttpRequest) -> HttpResponse:
        return self._montrer(request, PublicationEcrite())

    def post(self, request: HttpRequest) -> HttpResponse:
        form = PublicationEcrite(request.POST)
        if not form.is_valid():
            return self._montrer(request, form, statut=422)
        champs = form.cleaned_data
        pk = une_seule_fois(request, self.acteur, champs, lambda: services.publier(acteur=self.acteur, **champs))
        return vers("campus:publication", pk, suite="?fait=publication#fait")

    def remontrer(self, request: HttpRequest) -> HttpResponse:
        return self._montrer(request, PublicationEcrite(initial=request.POST.dict()))

    def _montrer(self, request: HttpRequest, form: PublicationEcrite, statut: int = 200) -> HttpResponse:
        return self.rendre(request, statut, form=form, qui=self.acteur.compte.nom_complet, **cle_du_formulaire(request))


class Publication(PageDuForum):
    def get(self, request: HttpRequest, poste_id: UUID) -> HttpResponse:
        poste = poste_visible(self.acteur, poste_id)
        return montrer(self, request, poste, ReponseEcrite(), fait=request.GET.get("fait"))


class Repondre(PageDuForum):
    get = ailleurs_avec("campus:publication")

    def post(self, request: HttpRequest, poste_id: UUID) -> HttpResponse:
        poste = poste_visible(self.acteur, poste_id)
        form = ReponseEcrite(request.POST)
        if not form.is_valid():
            return montrer(self, request, poste, form, statut=422)
        champs = form.cleaned_data
        pk = une_seule_fois(
            request, self.acteur, champs, lambda: services.commenter(acteur=self.acteur, poste=poste, **champs)
        )
        derniere = max(0, poste.nb_commentaires - 1) // TAILLE_PAR_DEFAUT
        return vers("campus:publication", poste_id, suite=f"{f'?page={derniere}' if derniere else ''}#r-{pk.hex}")

    def remontrer(self, request: HttpRequest, poste_id: UUID) -> HttpResponse:
        poste = poste_visible(self.acteur, poste_id)
        return montrer(self, request, poste, ReponseEcrite(initial=request.POST.dict()))


class Reagir(PageDuForum):
    """Sets a reaction of one's own, or takes it back: the button says which, so that a second click undoes nothing."""

    get = ailleurs_avec("campus:publication")

    def post(self, request: HttpRequest, poste_id: UUID) -> HttpResponse:
        poste = poste_visible(self.acteur, poste_id)
        if "retirer" in request.POST:
            self._retirer(poste, request.POST.get("type", ""))
        else:
            form = ReactionPosee(request.POST)
            if not form.is_valid():
                raise ChampsInvalides.pour("invalid", type=" ".join(str(une) for une in form.errors["type"]))
            services.reagir(acteur=self.acteur, poste=poste, type=form.cleaned_data["type"])
        return vers("campus:publication", poste_id, suite="#reactions")

    def _retirer(self, poste: Poste, type_: str) -> None:
        siennes = poste.reactions.filter(compte=self.acteur.compte)
        posee = next((une for une in siennes if une.type == type_), None)
        if posee is not None:
            with suppress(Introuvable):  # a second click: it is gone
                services.retirer_reaction(acteur=self.acteur, poste=poste, reaction=posee)


class Supprimer(PageDuForum):
    get = ailleurs_avec("campus:publication")

    def post(self, request: HttpRequest, poste_id: UUID) -> HttpResponse:
        try:
            services.supprimer(acteur=self.acteur, poste=poste_supprimable(self.acteur, poste_id))
        except Introuvable:
            if not Poste.objects.filter(pk=poste_id, supprime_par=self.acteur.compte).exists():
                raise  # else a second click leads where the first led
        return vers("campus:forum", suite="?fait#fait")


class SupprimerLaReponse(PageDuForum):
    def get(self, request: HttpRequest, poste_id: UUID, commentaire_id: UUID) -> HttpResponse:
        return vers("campus:publication", poste_id)

    def post(self, request: HttpRequest, poste_id: UUID, commentaire_id: UUID) -> HttpResponse:
        poste = poste_visible(self.acteur, poste_id)
        try:
            commentaire = commentaire_supprimable(self.acteur, poste, commentaire_id)
            services.supprimer_commentaire(acteur=self.acteur, poste=poste, commentaire=commentaire)
        except Introuvable:
            siens = Commentaire.objects.filter(poste=poste, supprime_par=self.acteur.compte)
            if not siens.filter(pk=commentaire_id).exists():
                raise
        return vers("campus:publication", poste_id, suite="?fait=retrait#fait")


class Signaler(PageDuForum):
    """Asks the moderators to read a post again; a second click leads where the first did."""

    get = ailleurs_avec("campus:publication")

    def post(self, request: HttpRequest, poste_id: UUID) -> HttpResponse:
        return demander_relecture(self, request, poste_visible(self.acteur, poste_id))


class SignalerLaReponse(PageDuForum):
    def get(self, request: HttpRequest, poste_id: UUID, commentaire_id: UUID) -> HttpResponse:
        return vers("campus:publication", poste_id)

    def post(self, request: HttpRequest, poste_id: UUID, commentaire_id: UUID) -> HttpResponse:
        poste = poste_visible(self.acteur, poste_id)
        return demander_relecture(self, request, poste, commentaire_de(poste, commentaire_id))


class PieceDePublication(PageDuForum):
    """The bytes of a file of this post, as an attachment."""

    def get(self, request: HttpRequest, poste_id: UUID, fichier_id: UUID) -> HttpResponse:
        if str(fichier_id) not in poste_visible(self.acteur, poste_id).pieces_jointes:
            raise Introuvable
        reponse: HttpResponse = piece_jointe(self.acteur, fichier_id)
        return reponse


def demander_relecture(
    page: PageDuForum, request: HttpRequest, poste: Poste, commentaire: Commentaire | None = None
) -> HttpResponse:
    """Back to what was pointed out, on the page of its answers where it is; 422 with the reason still there."""
    form = RelectureDemandee(commentaire or poste, request.POST)
    if not form.is_valid():
        return montrer(page, request, poste, ReponseEcrite(), statut=422, relecture=form)
    numero = lire_entier(request.GET, "page", defaut=0, minimum=0)
    services.demander_relecture(acteur=page.acteur, poste=poste, commentaire=commentaire, **form.cleaned_data)
    ancre = f"r-{commentaire.pk.hex}" if commentaire else "signalee"
    return vers("campus:publication", poste.pk, suite=f"{f'?page={numero}' if numero else ''}#{ancre}")


def montrer(
    page: PageDuForum,
    request: HttpRequest,
    poste: Poste,
    form: ReponseEcrite,
    statut: int = 200,
    relecture: RelectureDemandee | None = None,
    **contexte: Any,
) -> HttpResponse:
    """The page of a post as its reader sees it, from a page of its answers on; `relecture` is one that was refused."""
    numero = lire_entier(request.GET, "page", defaut=0, minimum=0)
    lues, total, plafonne = decouper(LignesDuMoment(poste.commentaires.pour_lecture()), numero, TAILLE_PAR_DEFAUT)
    acteur = page.acteur
    relire = a_signaler(acteur, poste, relecture)
    return page.rendre(
        request,
        statut,
        "campus/forum/publication.html",
        form=form,
        relecture=relecture,
        faux=relecture is not None,
        numero=numero,
        signaler=relire(poste),
        un=poste,
        qui=acteur.compte.nom_complet,
        est_mienne=acteur.possede(poste),
        supprimable=_est_supprimable(acteur, poste),
        moderable=acteur.peut(Droit.FORUM_MODERER),
        etat=etat_de(poste),
        categorie=categorie_lisible(poste.categorie) if poste.categorie else "",
        reactions=_reactions(acteur, poste),
        pieces=_pieces(acteur, poste),
        reponses=[
            {
                "ligne": une,
                "mienne": acteur.possede(une),
                "supprimable": _est_supprimable(acteur, une),
                "signaler": relire(une),
            }
            for une in lues
        ],
        total=poste.nb_commentaires,
        precedente=f"?page={numero - 1}" if numero else "",
        suivante=f"?page={numero + 1}" if lues and (plafonne or (numero + 1) * TAILLE_PAR_DEFAUT < total) else "",
        **cle_du_formulaire(request),
        **contexte,
    )


def _est_supprimable(acteur: Acteur, ligne: Poste | Commentaire) -> bool:
    """The rule of `poste_supprimable`, to offer what would be granted."""
    return acteur.possede(ligne) or acteur.peut(Droit.FORUM_SUPPRIMER_TOUT)


def _reactions(acteur: Acteur, poste: Poste) -> list[dict[str, Any]]:
    """Each kind that may be set or was, with how many and whether one's own is among them: nobody else is named."""
    posees = {une["type"]: une for une in Reaction.objects.par_type(poste, acteur.compte)}
    offertes = settings.VOCABULAIRES["type_reaction"] or REACTIONS_CONNUES
    return [
        {
            "type": mot,
            "texte": mot_lisible(mot, LIBELLES_DES_REACTIONS),
            "icone": ICONES_DES_REACTIONS.get(mot, "plus"),
            "nombre": posees[mot]["nombre"] if mot in posees else 0,
            "mienne": mot in posees and posees[mot]["miennes"] > 0,
            "offerte": mot in offertes,
        }
        for mot in dict.fromkeys([*offertes, *posees])
    ]


def _pieces(acteur: Acteur, poste: Poste) -> list[dict[str, Any]]:
    """The files of the post, in its order, without those that were deleted since."""
    if not poste.pieces_jointes:
        return []
    connus = Fichier.objects.presents().in_bulk([UUID(pk) for pk in poste.pieces_jointes])
    fichiers = [connus[UUID(pk)] for pk in poste.pieces_jointes if UUID(pk) in connus]
    return [{"pk": un.pk, "nom": un.nom_pour(acteur), "genre": genre_lisible(un.type_mime)} for un in fichiers]
