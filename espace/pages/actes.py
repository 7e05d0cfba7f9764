"""The acts on a case: each a small form, judged by the API's own, that leads back to its block of the page."""

from contextlib import suppress
from typing import Any, ClassVar

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from discussions.conversation import repondre, tout_marquer_lu
from discussions.erreurs import MessagesDepuis
from espace.demandes import PRISES_MAX, Demande, Prise, prises_dites, rang_dit
from espace.erreurs import ChangeDepuis, DossierJoint, JamaisLus, SansReponse
from espace.pages import formulaires
from espace.pages.dossier import ACTES, PageDeDossier, peut_prendre
from espace.services import actes
from reponses.selections import texte_propose
from signalements.dates import attend_le_retour
from signalements.models import Signalement
from signalements.permissions import signalement_a_traiter, signalement_accessible
from signalements.vocabulaire import Priorite, Statut, TypeEntree
from socle.domaine.identite import nom_montre
from socle.erreurs import ChampsInvalides, PermissionRefusee
from socle.pages import servies
from socle.pages.formulaires import FormulaireDeSerializer
from socle.pages.vues import vers

# Column that changed -> the type of its line in the history.
LIGNES = {
    "statut": TypeEntree.STATUT,
    "priorite": TypeEntree.PRIORITE,
    "gestionnaire_id": TypeEntree.ASSIGNATION,
}
# What a page is asked again for, with what is there now.
A_DEMANDER = (ChangeDepuis, DossierJoint, JamaisLus, MessagesDepuis, SansReponse)
# Name of a form on the page -> the form of a text that somebody may be writing.
TEXTES: dict[str, type[FormulaireDeSerializer]] = {
    "form_note": formulaires.Note,
    "form_reponse": formulaires.Reponse,
}


class Acte(PageDeDossier):
    formulaire: ClassVar[type[FormulaireDeSerializer]]
    nom = ""  # of the act, and of its anchor
    contexte = ""  # the name that the page knows the form by
    champ_vu = ""  # names what the page showed, where it is not the act's own

    def get(self, request: HttpRequest, dossier_id: Any) -> HttpResponse:
        return vers("espace:dossier", dossier_id)

    def post(self, request: HttpRequest, dossier_id: Any) -> HttpResponse:
        dossier = self.ouvrir(dossier_id)
        form = self.former(request)
        if form.is_valid():
            try:
                exiger_le_meme(dossier, dossier_id)
                if servies.secondes_depuis(cle := self.cle(request, form)) is None:
                    self.faire(dossier, form.cleaned_data, self.vu(request))
                    servies.noter(cle)
                return self.revenir(request, dossier)
            except ChampsInvalides as refus:
                form.accueillir(refus.details or [])
            except A_DEMANDER as refus:
                return self._demander(request, dossier, form, refus)
        return self._remontrer(request, dossier, 422, form)

    def ouvrir(self, dossier_id: Any) -> Signalement:
        if not self.acteur.peut(ACTES[self.nom]):
            raise PermissionRefusee
        return signalement_a_traiter(self.acteur, dossier_id)

    def former(self, request: HttpRequest) -> FormulaireDeSerializer:
        return self.formulaire(request.POST)

    def cle(self, request: HttpRequest, form: FormulaireDeSerializer) -> str:
        """Name of this text of this page, where sending it again would not be the same; "" elsewhere.

        Beside another text that is being written the answer is a page, not the way to one: a reload posts it again.
        """
        cle = request.POST.get("cle_de_la_page", "")[:64]
        return f"{self.nom} {cle} {form.cleaned_data['contenu']}" if cle and self.contexte in TEXTES else ""

    def vu(self, request: HttpRequest) -> str:
        """Value that the page showed; a page that asked has shown what is there now."""
        return request.POST.get(f"vu_{self.champ_vu or self.nom}", "")[:50]

    def faire(self, dossier: Signalement, donnees: dict[str, Any], vu: str) -> None:
        raise NotImplementedError

    def revenir(self, request: HttpRequest, dossier: Signalement) -> HttpResponse:
        """To the block that has changed; the same page at once where something else is being written."""
        if brouillons := self._brouillons(request):
            a_montrer = signalement_accessible(self.acteur, dossier.pk, a_rendre=True)
            return self.montrer(request, a_montrer, fait=self.nom, brouillon=True, **brouillons)
        dans = self._d_ou(request).urlencode()
        return vers("espace:dossier", dossier.pk, suite=f"?{dans}{dans and '&'}fait={self.nom}#fait")

    def _brouillons(self, request: HttpRequest) -> dict[str, Any]:
        """The forms, by their names on the page, of the texts that this act did not send."""
        ecrits = {nom: (forme, forme(request.POST)["contenu"].value() or "") for nom, forme in TEXTES.items()}
        return {
            nom: forme(initial={"contenu": texte})
            for nom, (forme, texte) in ecrits.items()
            if nom != self.contexte and texte.strip()
        }

    def _demander(self, request: HttpRequest, dossier: Signalement, form: Any, refus: Any) -> HttpResponse:
        question: dict[str, Any] = {"acte": self.nom, "phrase": self._phrase(dossier, refus)}
        if isinstance(refus, JamaisLus):
            question |= {"jamais_lus": refus.nombre}
        question["sans_reponse"] = isinstance(refus, SansReponse)
        return self._remontrer(request, dossier, refus.statut_http, form, question=question)

    def _remontrer(
        self, request: HttpRequest, dossier: Signalement, statut: int, form: Any, **contexte: Any
    ) -> HttpResponse:
        a_montrer = signalement_accessible(self.acteur, dossier.pk, a_rendre=True)
        formes = {**self._brouillons(request), "form": form, **({self.contexte: form} if self.contexte else {})}
        return self.montrer(request, a_montrer, statut=statut, brouillon=True, **formes, **contexte)

    def _phrase(self, dossier: Signalement, refus: Any) -> str:
        """Say who did what meanwhile, in the words of the history."""
        if isinstance(refus, DossierJoint):
            return _("Le dossier que cette page montrait a été joint à celui-ci. Relisez, puis décidez ici.")
        if isinstance(refus, JamaisLus):
            phrase = ngettext(
                "%(n)d message de qui a signalé n'a été lu de personne.",
                "%(n)d messages de qui a signalé n'ont été lus de personne.",
                refus.nombre,
            )
            return phrase % {"n": refus.nombre}
        if isinstance(refus, SansReponse):
            return _("Personne de l'équipe n'a écrit ici : qui a signalé lirait seulement que l'état a changé.")
        if isinstance(refus, MessagesDepuis):
            return _("Un message est arrivé depuis que cette page a été ouverte. Lisez-le avant de continuer.")
        lignes = dossier.timeline.pour_lecture(pour_l_equipe=True).filter(type=LIGNES[refus.champ])
        derniere = lignes.order_by("-date_creation", "-id").first()
        if derniere is None:
            return _("Ce dossier a changé depuis que cette page a été ouverte.")
        qui = nom_montre(derniere, vu_par=self.acteur, dossier=dossier)
        phrase = _("Depuis que cette page a été ouverte, %(qui)s a changé ce dossier. %(quoi)s")
        return phrase % {"qui": qui, "quoi": derniere.decrire(pour_l_equipe=True)}


class ChangerStatut(Acte):
    formulaire, nom, contexte = formulaires.FormulaireDEtat, "statut", "form_etat"

    def former(self, request: HttpRequest) -> FormulaireDeSerializer:
        """« Rouvrir » is a button beside the choice of a status, and says which."""
        donnees = request.POST.copy()
        if "rouvrir" in donnees:
            donnees["statut"] = Statut.EN_COURS
        return formulaires.FormulaireDEtat(donnees)

    def faire(self, dossier: Signalement, donnees: dict[str, Any], vu: str) -> None:
        statut, dits = Statut(donnees["statut"]), self.request.POST.get("vu_jamais_lus", "")[:6]
        jamais_lus_vus = int(dits) if dits.isascii() and dits.isdigit() else 0
        actes.changer_statut(
            dossier=dossier,
            acteur=self.acteur,
            statut=statut,
            vu=vu,
            jamais_lus_vus=jamais_lus_vus,
            sans_reponse="vu_sans_reponse" in self.request.POST,
        )

    def revenir(self, request: HttpRequest, dossier: Signalement) -> HttpResponse:
        """Back to the list, for who opened a case again there."""
        if "liste" in request.POST:
            return vers("espace:liste", suite=Demande.ecrite(request.POST["liste"]).adresse)
        return super().revenir(request, dossier)


class ChangerPriorite(Acte):
    formulaire, nom, contexte = formulaires.Urgence, "priorite", "form_priorite"

    def faire(self, dossier: Signalement, donnees: dict[str, Any], vu: str) -> None:
        actes.changer_priorite(dossier=dossier, acteur=self.acteur, priorite=Priorite(donnees["priorite"]), vu=vu)


class Assigner(Acte):
    formulaire, nom, contexte = formulaires.Responsable, "assigner", "form_responsable"

    def former(self, request: HttpRequest) -> FormulaireDeSerializer:
        return formulaires.Responsable(request.POST, equipe=formulaires.personnes())

    def faire(self, dossier: Signalement, donnees: dict[str, Any], vu: str) -> None:
        gestionnaire_id = donnees["gestionnaire_id"]
        actes.assigner(dossier=dossier, acteur=self.acteur, gestionnaire_id=gestionnaire_id, vu=vu)

    def revenir(self, request: HttpRequest, dossier: Signalement) -> HttpResponse:
        """Back to the list, for who took a case there."""
        if "liste" in request.POST:
            deja = prises_dites(request.POST.get("prises", "").split())
            prises = [*deja, Prise(dossier.pk, rang_dit(request.GET, "n"))][-PRISES_MAX:]
            dites = "".join(f"&pris={une}" for une in prises)
            suite = f"{Demande.ecrite(request.POST['liste']).adresse}{dites}#fait"
            return vers("espace:liste", suite=suite)
        return super().revenir(request, dossier)


class Noter(Acte):
    formulaire, nom, contexte = formulaires.Note, "noter", "form_note"

    def faire(self, dossier: Signalement, donnees: dict[str, Any], vu: str) -> None:
        actes.noter(dossier=dossier, acteur=self.acteur, contenu=donnees["contenu"])


class Repondre(Acte):
    """A reply; on one's own case, as its author writes."""

    formulaire, nom, contexte, champ_vu = formulaires.Reponse, "repondre", "form_reponse", "messages"

    def ouvrir(self, dossier_id: Any) -> Signalement:
        return signalement_accessible(self.acteur, dossier_id)

    def faire(self, dossier: Signalement, donnees: dict[str, Any], vu: str) -> None:
        retour = "retour" in self.request.POST and attend_le_retour(dossier)
        repondre(acteur=self.acteur, dossier=dossier, contenu=donnees["contenu"], vu=vu, retour=retour)
        if "prendre" in self.request.POST and peut_prendre(self.acteur, dossier):
            # A colleague has taken it since, or one may no longer: the reply stands, whosever the case is.
            with suppress(ChangeDepuis, ChampsInvalides):
                actes.assigner(dossier=dossier, acteur=self.acteur, gestionnaire_id=self.compte.pk, vu="")


class Inserer(Acte):
    """« Insérer »: the page again, with words of the team's after what was being written; nothing is sent."""

    nom, contexte = "repondre", "form_reponse"

    def post(self, request: HttpRequest, dossier_id: Any) -> HttpResponse:
        dossier = self.ouvrir(dossier_id)
        form = self.former(request)
        if dossier.pk != dossier_id:
            return self._demander(request, dossier, form, DossierJoint())
        choix = self.reponses_types(dossier, request.POST)
        texte = texte_propose(dossier, *choix.choisi) if choix.choisi else ""
        if texte:
            form = formulaires.reponse_inseree(str(form["contenu"].value() or ""), texte)
        else:
            choix.add_error("modele", _("Choisissez une réponse type dans la liste."))
        formes = {**self._brouillons(request), "form": choix, "form_modele": choix, "form_reponse": form}
        a_montrer = signalement_accessible(self.acteur, dossier.pk, a_rendre=True)
        return self.montrer(request, a_montrer, statut=200 if texte else 422, brouillon=True, **formes)

    def former(self, request: HttpRequest) -> FormulaireDeSerializer:
        """The reply as it was being written: nobody judges it yet."""
        return formulaires.Reponse(initial={"contenu": formulaires.Reponse(request.POST)["contenu"].value()})


class Lus(Acte):
    """« J'ai lu »: what the page showed, and no more; opening a page marks nothing."""

    nom, champ_vu = "lus", "messages"

    def post(self, request: HttpRequest, dossier_id: Any) -> HttpResponse:
        dossier = signalement_accessible(self.acteur, dossier_id)
        try:
            exiger_le_meme(dossier, dossier_id)
            tout_marquer_lu(acteur=self.acteur, dossier=dossier, vu=self.vu(request))
        except A_DEMANDER as refus:
            return self._demander(request, dossier, None, refus)
        return self.revenir(request, dossier)


def exiger_le_meme(dossier: Signalement, montre: Any) -> None:
    """Refuse where the address leads to the case that the one of the page was joined to."""
    if dossier.pk != montre:
        raise DossierJoint
