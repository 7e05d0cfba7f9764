"""Page of one member of the team: the cases this person holds, a reset link, leaving the team and coming back."""

import secrets
from typing import Any
from uuid import UUID

from django import forms
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from accounts.models import Compte, SecondFacteur
from accounts.services.comptes import reactiver
from accounts.services.mot_de_passe_oublie import envoyer_un_lien
from espace.pages.base import PageDEquipe
from espace.pages.formulaires import choix_libre, personnes
from espace.selections import combien_en_tient
from espace.services.departs import Depart, faire_partir
from socle.api.pagination import lire_entier
from socle.courriel import est_remis
from socle.domaine.droits import Droit, Role, a_le_droit
from socle.erreurs import ChampsInvalides, Introuvable, PermissionRefusee
from socle.pages import servies
from socle.pages.vues import vers

FAITS = {
    "lien": _("Lien envoyé : cette personne choisira un nouveau mot de passe."),
    "sans_courrier": _("Lien prêt, mais ce service n'envoie pas d'e-mail : il est écrit là où le service tourne."),
    "parti": _("Compte désactivé."),
    "retour": _("Compte réactivé."),
    "suite": "",  # the numbers say it
    "deja": _("Rien n'a changé : le compte était déjà désactivé, et ses dossiers confiés."),
}


class FormulaireDeDepart(forms.Form):
    """Form of who takes the cases: nobody, or an active member of the team."""

    repreneurId = choix_libre(_("Qui reprend ses dossiers"))

    def __init__(self, *args: Any, equipe: list[tuple[str, str]], **options: Any) -> None:
        super().__init__(*args, **options)
        champ: Any = self.fields["repreneurId"]
        champ.choices = [("", _("Personne : ils seront à prendre")), *equipe]

    def clean_repreneurId(self) -> UUID | None:
        """The id of somebody who may be chosen, or None for nobody."""
        choisi = self.cleaned_data["repreneurId"]
        champ: Any = self.fields["repreneurId"]
        if choisi and choisi not in dict(champ.choices):
            raise forms.ValidationError(_("Choisissez une personne active de l'équipe."))
        return UUID(choisi) if choisi else None

    @property
    def repreneur(self) -> str:
        """The name of who was chosen, "" for nobody."""
        champ: Any = self.fields["repreneurId"]
        choisi = self.cleaned_data.get("repreneurId")
        return str(dict(champ.choices)[str(choisi)]) if choisi else ""


class Membre(PageDEquipe):
    gabarit = "espace/membre.html"
    place = "membres"
    titre = _("Équipe")
    droit = Droit.COMPTES_MODIFIER

    def get(self, request: HttpRequest, membre_id: UUID) -> HttpResponse:
        """The page; where somebody was chosen, with what it does and the button that does it."""
        membre = _membre(membre_id)
        if request.GET.get("depart") != "oui":
            return self._montrer(request, membre, fait=_faits(request))
        form = self._form(membre, request.GET)
        valide = form.is_valid()
        return self._montrer(request, membre, statut=200 if valide else 422, form=form, demande=valide)

    def post(self, request: HttpRequest, membre_id: UUID) -> HttpResponse:
        membre = _membre(membre_id)
        if request.POST.get("acte") == "lien":
            return self._envoyer_un_lien(request, membre)
        if request.POST.get("acte") == "reactiver":
            return self._reactiver(membre)
        return self._faire_partir(request, membre)

    def _envoyer_un_lien(self, request: HttpRequest, membre: Compte) -> HttpResponse:
        if not self.acteur.peut(Droit.COMPTES_REINITIALISER_MOT_DE_PASSE):
            raise PermissionRefusee
        cle = request.POST.get("cle_de_la_page", "")[:64]
        cle = f"{cle} lien {membre.pk}" if cle else ""
        if servies.secondes_depuis(cle) is None:  # a second click would close the link of the first
            envoyer_un_lien(compte=membre, acteur=self.acteur)
            servies.noter(cle)
        return vers("espace:membre", membre.pk, suite="?fait=lien#fait")

    def _reactiver(self, membre: Compte) -> HttpResponse:
        if not self.acteur.peut(Droit.COMPTES_ACTIVER):
            raise PermissionRefusee
        reactiver(compte=membre, acteur=self.acteur)
        return vers("espace:membre", membre.pk, suite="?fait=retour#fait")

    def _faire_partir(self, request: HttpRequest, membre: Compte) -> HttpResponse:
        if not (self.acteur.peut(Droit.COMPTES_ACTIVER) and self.acteur.peut(Droit.SIGNALEMENTS_ASSIGNER)):
            raise PermissionRefusee
        form = self._form(membre, request.POST)
        if form.is_valid():
            try:
                depart = faire_partir(compte=membre, acteur=self.acteur, repreneur_id=form.cleaned_data["repreneurId"])
            except ChampsInvalides as refus:  # this person has left since
                form.add_error("repreneurId", refus.details[0]["message"])
            else:
                return vers("espace:membre", membre.pk, suite=f"?{_suite(depart)}#fait")
        return self._montrer(request, membre, statut=422, form=form)

    def _montrer(self, request: HttpRequest, membre: Compte, statut: int = 200, **contexte: Any) -> HttpResponse:
        contexte.setdefault("form", self._form(membre))
        connexions = self.acteur.peut(Droit.COMPTES_CONSULTER_CONNEXIONS)
        facteurs = SecondFacteur.objects.filter(pk=membre.pk, date_activation__isnull=False)
        return self.rendre(
            request,
            statut=statut,
            titre=membre.nom_complet,
            membre=membre,
            role=Role(membre.role).label,
            est_soi=membre.pk == self.compte.pk,
            connexions=connexions,
            second_facteur_actif=connexions and facteurs.exists(),
            tenus=combien_en_tient(self.acteur, membre),
            peut_activer=self.acteur.peut(Droit.COMPTES_ACTIVER),
            peut_faire_partir=self.acteur.peut(Droit.COMPTES_ACTIVER) and self.acteur.peut(Droit.SIGNALEMENTS_ASSIGNER),
            peut_envoyer=self.acteur.peut(Droit.COMPTES_REINITIALISER_MOT_DE_PASSE),
            cle_de_la_page=secrets.token_urlsafe(16),
            **contexte,
        )

    def _form(self, membre: Compte, donnees: Any = None) -> FormulaireDeDepart:
        autres = [(cle, nom) for cle, nom in personnes() if cle != str(membre.pk)]
        return FormulaireDeDepart(donnees, equipe=autres)


def _membre(membre_id: UUID) -> Compte:
    """An account of the team, active or not, or 404."""
    compte = Compte.objects.filter(pk=membre_id).first()
    if compte is None or not a_le_droit(compte.role, Droit.ESPACE_ENTRER):
        raise Introuvable
    return compte


def _suite(depart: Depart) -> str:
    """Query of the page that says what was done: an act of `FAITS`, and how many cases went to whom."""
    fait = "parti" if depart.etait_actif else "suite" if depart.confies or depart.rendus else "deja"
    return f"fait={fait}&confies={depart.confies}&rendus={depart.rendus}"


def _faits(request: HttpRequest) -> str:
    """The act in words, then the cases that it moved."""
    fait = request.GET.get("fait", "")
    fait = "sans_courrier" if fait == "lien" and not est_remis() else fait
    if fait not in FAITS:
        return ""
    confies, rendus = (lire_entier(request.GET, nom, defaut=0, minimum=0) for nom in ("confies", "rendus"))
    dits = [str(FAITS[fait])] if FAITS[fait] else []
    if confies:
        dits.append(ngettext("%(n)d dossier confié.", "%(n)d dossiers confiés.", confies) % {"n": confies})
    if rendus:
        dits.append(ngettext("%(n)d dossier à prendre.", "%(n)d dossiers à prendre.", rendus) % {"n": rendus})
    return " ".join(dits)
