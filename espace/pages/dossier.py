"""One case as the team handles it: facts, conversation, notes, history, and what its author sees of it."""

import secrets
from contextlib import suppress
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse, QueryDict
from django.utils.decorators import method_decorator
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _
from django.views.decorators.csrf import csrf_exempt, csrf_protect

from discussions.conversation import (
    MESSAGES_MAX,
    discussions_en_direct,
    fichiers_nommes,
    histoire,
    joindre,
    messages_du_dossier,
)
from echeances.en_vigueur import en_vigueur
from equipes.lectures import noms_des_equipes
from espace.erreurs import DossierJoint
from espace.pages import formulaires
from espace.pages.accomplis import dire
from espace.pages.base import PageDEquipe
from espace.services.filtres import ADRESSE_MAX
from espace.voisins import voisins
from reponses.selections import accuses_de, modeles_proposes
from resources.pages import EnvoiDeFichiers, PieceJointe, boite, cle_postee, lire_le_refus, piece_jointe, redemander
from signalements.alertes import ecrit_apres_cloture
from signalements.dates import attend_le_retour, dates_montrees, dates_promises
from signalements.lecteurs import Acces
from signalements.models import Signalement
from signalements.permissions import signalement_accessible
from signalements.serializers import SignalementDetail, dites_a_l_auteur
from signalements.vocabulaire import ETATS, IDENTIFIE, Priorite, Statut, TypeEntree, type_lisible
from socle.api.serializers import Regard
from socle.domaine.acteurs import Acteur
from socle.domaine.droits import Droit
from socle.domaine.identite import nom_montre
from socle.erreurs import Introuvable, PermissionRefusee
from socle.moteur.sorties import rendre_un
from socle.pages.entetes import proteger
from socle.pages.typographie import dite
from socle.pages.vues import vers
from socle.realtime.models import CompteurEvenements

JOINT = _("Ce dossier a été joint à un autre, et rien n'est parti. Choisissez de nouveau votre fichier : il ira là.")
ENTREES_MAX = 300  # lines of the history, notes among them: the latest
# The word of a kind of file, by what its type begins or ends with.
GENRES = {"image": _("Image"), "video": _("Vidéo"), "audio": _("Son"), "text": _("Texte"), "pdf": "PDF"}
ACTES = {
    "statut": Droit.SIGNALEMENTS_CHANGER_STATUT,
    "priorite": Droit.SIGNALEMENTS_CHANGER_PRIORITE,
    "assigner": Droit.SIGNALEMENTS_ASSIGNER,
    "noter": Droit.SIGNALEMENTS_NOTER,
    "reserver": Droit.SIGNALEMENTS_RESERVER,
    "repondre": Droit.DISCUSSIONS_PARTICIPER_A_TOUTES,
}


def peut_prendre(acteur: Acteur, dossier: Signalement) -> bool:
    """True for a case that waits for somebody to handle it, and that this actor may take."""
    attend = not (dossier.gestionnaire_id or dossier.est_resolu)
    droits = (Droit.SIGNALEMENTS_ASSIGNER, Droit.SIGNALEMENTS_TRAITER)
    return attend and dossier.pour_l_equipe(acteur) and all(acteur.peut(droit) for droit in droits)


def pieces_du_dossier(du_recit: list[Any], messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """List the files of a case, of its story then of its messages, each once: `genre`, a word; `est_image`, cleaned.

    One that was deleted has no `fileId`.
    """
    des_messages = [fichier for message in messages for fichier in message["fichiers"]]
    uniques = {(une or {}).get("fileId", rang): une for rang, une in enumerate((*du_recit, *des_messages))}
    return [_piece(une) if une else {"est_image": False} for une in uniques.values()]


def _piece(une: dict[str, Any]) -> dict[str, Any]:
    nature, _barre, genre = une["mimeType"].partition("/")
    est_image = nature == "image" and une["metadonneesRetirees"]
    return {**une, "genre": GENRES.get(genre, GENRES.get(nature, _("Document"))), "est_image": est_image}


def _dates(dossier: Signalement, *, en_equipe: bool, agit: bool) -> dict[str, Any]:
    """The dates of a case, which its author reads too; `mene_aux_dates`: to their page, where a meeting is promised."""
    dates = (dates_montrees if en_equipe else dates_promises)(dossier)
    mene = agit and (bool(dates) or en_vigueur().est_voulu)
    return {"dates": dates, "mene_aux_dates": mene}


class PageDeDossier(PageDEquipe):
    gabarit = "espace/dossier.html"

    def montrer(self, request: HttpRequest, dossier: Signalement, statut: int = 200, **contexte: Any) -> HttpResponse:
        """Render the case; `contexte` may bring a form with its errors, or the question of a page that was late."""
        depuis = CompteurEvenements.lire().dernier_numero  # before what is read: an event in between is told again
        en_equipe = dossier.pour_l_equipe(self.acteur)
        agit = en_equipe and dossier.ouvert_jusqu_a is None
        regard = Regard(vu_par=self.acteur, dossier=dossier)
        rendu = rendre_un(SignalementDetail, dossier, regard.contexte)
        entrees = self._entrees(dossier, regard, pour_l_equipe=en_equipe)
        messages = messages_du_dossier(self.acteur, dossier, regard)
        pieces = fichiers_nommes(set(rendu["piecesJointes"]), regard)
        peut = {acte: agit and self.acteur.peut(droit) for acte, droit in ACTES.items()}
        peut["repondre"] = peut["repondre"] or not en_equipe
        peut["prendre"] = agit and peut_prendre(self.acteur, dossier)
        if "form_modele" not in contexte:
            contexte["form_modele"] = self.reponses_types(dossier)
        d_autrui = [un["id"] for un in messages if not un["deMoi"]]
        equipe = self._equipe(dossier) if peut["assigner"] else []
        fait = contexte.pop("fait", request.GET.get("fait", ""))
        return self.rendre(
            request,
            statut=statut,
            titre=dite(dossier.titre_montre),
            dossier=rendu,
            lu=dossier,
            a_des_equipes=bool(noms_des_equipes()),
            confie_a=noms_des_equipes().get(dossier.equipe_id) if en_equipe and dossier.equipe_id else None,
            en_equipe=en_equipe,
            etat=Statut(dossier.statut).label,
            priorite=Priorite(dossier.priorite).label,
            type=type_lisible(dossier.type),
            auteur=nom_montre(dossier, vu_par=self.lu_par(), dossier=dossier),
            est_cachee=dossier.se_cache and not en_equipe,
            montre_son_nom=dossier.mode_identification == IDENTIFIE,
            ecrit_apres=en_equipe and dossier.est_resolu and ecrit_apres_cloture(dossier.pk),
            pour_l_auteur=ETATS[Statut(dossier.statut)],
            vus_par_l_auteur=dites_a_l_auteur(
                self._entrees(dossier, Regard(dossier=dossier), pour_l_equipe=False) if en_equipe else []
            ),
            historique=[une for une in entrees if une["type"] != TypeEntree.NOTE],
            notes=[une for une in entrees if une["type"] == TypeEntree.NOTE],
            messages=messages,
            accuses=accuses_de(dossier),
            messages_max=MESSAGES_MAX if len(messages) == MESSAGES_MAX else 0,
            vu=d_autrui[-1] if d_autrui else "",
            non_lus=dossier.messages_non_lus_count if dossier.ouvert_jusqu_a is None else 0,
            pieces=(siennes := pieces_du_dossier([pieces.get(cle) for cle in rendu["piecesJointes"]], messages)),
            images=[une for une in siennes if une["est_image"]],
            images_montrees="images" in request.GET,
            peut=peut,
            **_dates(dossier, en_equipe=en_equipe, agit=agit),
            attend_le_retour=en_equipe and attend_le_retour(dossier),
            est_le_retour="retour" in request.POST,
            prend=request.method != "POST" or "prendre" in request.POST,
            depuis=depuis,
            entrees_max=ENTREES_MAX if len(entrees) == ENTREES_MAX else 0,
            discussions=discussions_en_direct(dossier),
            fait=fait,
            accompli=dire(fait, dossier, rendu, self.compte),
            voisins=voisins(self.acteur, self._d_ou(request), dossier),
            cle_de_la_page=secrets.token_urlsafe(16),
            etats=[un for un in Statut.choices if un[0] != dossier.statut],
            priorites=[un for un in reversed(Priorite.choices) if un[0] != dossier.priorite],
            equipe=[un for un in equipe if un[0] != str(dossier.gestionnaire_id or "")],
            **self._formulaires(dossier, equipe, contexte),
        )

    def reponses_types(self, dossier: Signalement, donnees: Any = None) -> formulaires.ReponseType:
        """Form of the texts that whoever answers as the team may insert: none on one's own case."""
        langue, repond = get_language() or "fr", self.acteur.peut(ACTES["repondre"])
        modeles = modeles_proposes(dossier, langue) if repond and dossier.pour_l_equipe(self.acteur) else []
        return formulaires.ReponseType(donnees, modeles=modeles, langue=langue)

    def _d_ou(self, request: HttpRequest) -> QueryDict:
        """The list that the page was opened from, as its address or its form names it."""
        return QueryDict(request.POST.get("dans", "")[:ADRESSE_MAX].lstrip("?")) if request.POST else request.GET

    def lu_par(self) -> Acteur | None:
        """Reader for whom the author is named."""
        return self.acteur

    def _equipe(self, dossier: Signalement) -> list[tuple[str, str]]:
        """List the people who may handle the case, and the one who does, though of the team no more."""
        acces = Acces.de(dossier)
        equipe = [(cle, nom) for cle, nom in formulaires.personnes() if acces.admet(UUID(cle))]
        present = str(dossier.gestionnaire_id or "")
        if present and present not in dict(equipe):
            equipe.append((present, dossier.gestionnaire_nom or ""))
        return equipe

    def _entrees(self, dossier: Signalement, regard: Regard, *, pour_l_equipe: bool) -> list[dict[str, Any]]:
        lignes = dossier.timeline.pour_lecture(pour_l_equipe=pour_l_equipe)
        entrees = list(lignes.order_by("-date_creation", "-id")[:ENTREES_MAX])[::-1]
        return histoire(self.acteur, entrees, regard)

    def _formulaires(
        self, dossier: Signalement, equipe: list[tuple[str, str]], contexte: dict[str, Any]
    ) -> dict[str, Any]:
        return {
            "form_etat": formulaires.FormulaireDEtat(initial={"statut": dossier.statut}),
            "form_priorite": formulaires.Urgence(initial={"priorite": dossier.priorite}),
            "form_responsable": formulaires.Responsable(
                initial={"gestionnaire_id": str(dossier.gestionnaire_id or "")}, equipe=equipe
            ),
            "form_note": formulaires.Note(),
            "form_reponse": formulaires.Reponse(),
            **contexte,
        }


class Dossier(PageDeDossier):
    motivee = True

    def get(self, request: HttpRequest, dossier_id: Any) -> HttpResponse:
        dossier = signalement_accessible(self.acteur, dossier_id, a_rendre=True, motivee=self.motivee)
        if dossier.pk != dossier_id:  # joined to another
            return vers("espace:dossier", dossier.pk, suite=self.dans)
        return self.montrer(request, dossier)


class Imprimer(Dossier):
    """A sheet for a meeting: the same case, on paper. What was opened for a reason does not leave the service."""

    motivee = False
    gabarit = "espace/imprimer.html"

    def lu_par(self) -> Acteur | None:
        """Nobody: a sheet goes from hand to hand, its author's too."""
        return None


class Fichier(PageDEquipe):
    def get(self, request: HttpRequest, file_id: Any) -> HttpResponse:
        reponse: HttpResponse = piece_jointe(self.acteur, file_id)
        return reponse


class AjouterUnFichier(PageDEquipe):
    gabarit = "espace/fichier.html"
    titre = _("Ajouter un fichier")

    def get(self, request: HttpRequest, dossier_id: Any) -> HttpResponse:
        dossier = signalement_accessible(self.acteur, dossier_id)
        return self.rendre(request, pour=dossier.pk, **boite())


@method_decorator(csrf_exempt, name="dispatch")
class Envoyer(PageDEquipe):
    """Some files, then a message to the author for each of them."""

    gabarit = "espace/fichier.html"
    titre = _("Ajouter un fichier")
    rend_les_textes = False

    def entrer(self, request: HttpRequest) -> None:
        super().entrer(request)
        if request.method == "POST":
            if not self.acteur.peut(Droit.FICHIERS_TELEVERSER):
                raise PermissionRefusee
            self.envoi = EnvoiDeFichiers(request, self.acteur, "/equipe/fichiers/envoyer")

    def get(self, request: HttpRequest) -> HttpResponse:
        return vers("espace:liste")

    @method_decorator(csrf_protect)
    def post(self, request: HttpRequest) -> HttpResponse:
        dossier = signalement_accessible(self.acteur, demandee := uuid_lu(cle_postee(request)))
        if not (self.acteur.peut(ACTES["repondre"]) or self.acteur.possede(dossier)):
            raise PermissionRefusee
        if dossier.pk != demandee:
            self.demeure = dossier.pk
            raise DossierJoint

        def au_dossier(fichier: Any) -> HttpResponse:
            joindre(acteur=self.acteur, dossier=dossier, fichier=fichier)
            return self.au_dossier(dossier.pk, ancre="messages-titre")

        recu = self.envoi.recevoir(au_dossier)
        return recu if isinstance(recu, HttpResponse) else redemander(request, recu, self.rendre, _pour)

    def refuser(self, request: HttpRequest, refus: Exception) -> HttpResponse:
        if isinstance(refus, DossierJoint):  # asked again, for the case that the one of the page was joined to
            form = PieceJointe({})
            form.add_error("fichier", JOINT)
            return proteger(self.rendre(request, refus.statut_http, pour=self.demeure, **boite(form)))
        refus, du_fichier = lire_le_refus(refus)
        return redemander(request, du_fichier, self.rendre, _pour) if du_fichier else super().refuser(request, refus)


def _pour(cle: str) -> dict[str, Any]:
    with suppress(Introuvable):
        return {"pour": uuid_lu(cle)}
    return {}


def uuid_lu(cle: str) -> UUID:
    """Parse a key that a page sent; Introuvable for what is none."""
    try:
        return UUID(cle)
    except ValueError as illisible:
        raise Introuvable from illisible
