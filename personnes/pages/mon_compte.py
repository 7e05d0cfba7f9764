"""The blocks of « Mon compte », in the frame of the portal or of the team's workspace.

An act is a form that says its name in `acte`. One that changes who can enter asks for the present password, as the
API does. What tells something to whoever holds an open browser (an address that waits, other devices, one's data) is
shown, and done, minutes after the password was given: `est_prouve`.
"""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from django import forms
from django.db import transaction
from django.forms import model_to_dict
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from accounts.erreurs import AucuneAdresseDemandee, CourrielDejaUtilise
from accounts.models import Compte, Preferences
from accounts.services import adresses, comptes, demandes_d_effacement, sessions
from personnes.exports.envoi import exporter
from personnes.pages.formulaires import (
    Adresse,
    DuCampus,
    Effacement,
    NouveauMotDePasse,
    Parution,
    Preuve,
    Rythmes,
    UnAppareil,
    Vous,
)
from socle.courriel import est_remis
from socle.domaine.acteurs import Acteur
from socle.domaine.droits import Droit
from socle.erreurs import ChampsInvalides, ErreurMetier, PermissionRefusee, TropDeRequetes
from socle.pages.formulaires import FormulaireDeSerializer
from socle.pages.langue import poser_la_langue
from socle.pages.vues import vers

FAITS = {
    "vous": _("C'est enregistré."),
    "adresse": _("Un lien est parti à la nouvelle adresse : elle comptera une fois confirmée."),
    "adresse_changee": _("Votre adresse est changée."),
    "adresse_gardee": _("Votre adresse reste la même."),
    "mot_de_passe": _("Votre mot de passe est changé. Votre compte n'est plus ouvert ailleurs."),
    "fermer": _("C'est fermé sur cet appareil-là."),
    "effacer": _("Votre demande est partie : les personnes de l'administration l'ont reçue."),
    "garder_le_compte": _("Votre demande est retirée : votre compte reste."),
    "ailleurs": _("C'est fait : votre compte n'est plus ouvert ailleurs."),
    "avis": _("C'est enregistré."),
    "du_campus": _("C'est enregistré."),
    "parution": _("C'est enregistré."),
}
# Right that the API asks for the same, of an act; of any other, COMPTES_MODIFIER_LE_SIEN.
DROITS_DES_ACTES = {
    "fermer": Droit.SESSIONS_TENIR,
    "ailleurs": Droit.SESSIONS_TENIR,
    "donnees": Droit.COMPTES_CONSULTER_LE_SIEN,
    "prouver": Droit.COMPTES_CONSULTER_LE_SIEN,
    "avis": Droit.ESPACE_ENTRER,
    "parution": Droit.SIGNALEMENTS_TRAITER,
}
Acte = Callable[[HttpRequest, Any], HttpResponse]


class MonCompte:
    """Mixin of a page of either frame, which says its address, and how a password is proved and a browser kept in."""

    titre: Any = _("Mon compte")
    ici = ""  # the name of its URL
    rendre: Callable[..., HttpResponse]
    acteur: Acteur

    def est_prouve(self, request: HttpRequest) -> bool:
        """True where the password was given in this browser minutes ago."""
        raise NotImplementedError

    def prouver(self, request: HttpRequest, mot_de_passe: str) -> None:
        """Note that it is given now, or ChampsInvalides on `motDePasse`; 429 past the limit of the sign-in."""
        raise NotImplementedError

    def rester(self, request: HttpRequest) -> Callable[[HttpResponse], None]:
        """Give, before every other access of the account ends, what keeps this browser in by the answer."""
        return lambda reponse: None

    @property
    def le_compte(self) -> Compte:
        compte: Any = self.acteur.compte  # these pages are of accounts
        return compte

    def get(self, request: HttpRequest) -> HttpResponse:
        self._exiger(Droit.COMPTES_CONSULTER_LE_SIEN)
        return self._montrer(request, fait=FAITS.get(request.GET.get("fait", "")))

    def post(self, request: HttpRequest) -> HttpResponse:
        """Do the act that the form names; a refusal is shown in that form, in its own words."""
        sans_champ: dict[str, Acte] = {
            "garder_adresse": self._garder_l_adresse,
            "fermer": self._fermer,
            "ailleurs": self._fermer_ailleurs,
            "donnees": self._donner,
            "garder_le_compte": self._garder_le_compte,
        }
        avec_champs: dict[str, tuple[type[FormulaireDeSerializer], Acte]] = {
            "vous": (Vous, self._enregistrer),
            "adresse": (Adresse, self._changer_l_adresse),
            "mot_de_passe": (NouveauMotDePasse, self._changer_le_mot_de_passe),
            "prouver": (Preuve, self._prouver),
            "effacer": (Effacement, self._demander_l_effacement),
            "avis": (Rythmes, self._choisir_les_avis),
            "du_campus": (DuCampus, self._choisir_ceux_du_campus),
            "parution": (Parution, self._paraitre),
        }
        nom = request.POST.get("acte", "")
        self._exiger(DROITS_DES_ACTES.get(nom, Droit.COMPTES_MODIFIER_LE_SIEN))
        if nom in sans_champ:
            return self._agir_si_prouve(request, sans_champ[nom])
        if nom not in avec_champs:
            return vers(self.ici)
        formulaire, acte = avec_champs[nom]
        form = formulaire(request.POST, prefix=nom)
        if not form.is_valid():
            return self._montrer(request, statut=422, **{nom: form})
        try:
            return acte(request, form.cleaned_data)
        except (ChampsInvalides, CourrielDejaUtilise, TropDeRequetes) as refus:
            form.accueillir(_details(refus))
            return self._attendre(self._montrer(request, statut=refus.statut_http, **{nom: form}), refus)

    def _exiger(self, droit: Droit) -> None:
        if not self.acteur.peut(droit):
            raise PermissionRefusee

    def _agir_si_prouve(self, request: HttpRequest, acte: Acte) -> HttpResponse:
        if self.est_prouve(request):
            return acte(request, request.POST)
        return self._montrer(request, statut=401, prouver=Preuve({}, prefix="prouver"))

    def _attendre(self, reponse: HttpResponse, refus: ErreurMetier) -> HttpResponse:
        if refus.attente:
            reponse.headers["Retry-After"] = str(refus.attente)
        return reponse

    def _montrer(self, request: HttpRequest, statut: int = 200, fait: Any = "", **faux: forms.Form) -> HttpResponse:
        compte, est_prouve = self.le_compte, self.est_prouve(request)
        preferences = Preferences.objects.filter(compte=compte).first()
        langue = preferences.langue if preferences else get_language()
        preferences = preferences or Preferences()
        vous = {"prenom": compte.prenom, "nom": compte.nom, "langue": langue}
        formulaires: dict[str, Any] = {
            "vous": Vous(initial=vous, prefix="vous"),
            "adresse": Adresse(prefix="adresse"),
            "mot_de_passe": NouveauMotDePasse(prefix="mot_de_passe"),
            "prouver": Preuve(prefix="prouver"),
            "effacer": Effacement(prefix="effacer"),
            "avis": Rythmes(initial=preferences.rythmes, prefix="avis"),
            "du_campus": DuCampus(initial=model_to_dict(preferences), prefix="du_campus"),
            "parution": Parution(initial=model_to_dict(preferences), prefix="parution"),
            **faux,
        }
        contexte = self._reserve() if est_prouve else {}
        return self.rendre(
            request,
            statut=statut,
            fait=fait,
            form=next(iter(faux.values()), None),
            compte=compte,
            ici=reverse(self.ici),
            est_prouve=est_prouve,
            de_l_equipe=self.acteur.peut(Droit.ESPACE_ENTRER),
            traite=self.acteur.peut(Droit.SIGNALEMENTS_TRAITER),
            e_mails_partent=est_remis(),
            veut_ceux_du_campus=preferences.avis_evenements or preferences.avis_publications,
            e_mails_coupes=not preferences.admet_les_e_mails,
            attend_une_adresse=compte.email_en_attente is not None,
            se_confirme=adresses.se_confirment(),
            **formulaires,
            **contexte,
        )

    def _reserve(self) -> dict[str, Any]:
        """Context of what is shown minutes after the password was given, and not later."""
        appareils = sessions.appareils_de(self.acteur)
        demande = demandes_d_effacement.de(self.le_compte)
        return {"appareils": appareils, "adresse_en_attente": self.le_compte.email_en_attente, "demande": demande}

    def _enregistrer(self, request: HttpRequest, donnees: dict[str, Any]) -> HttpResponse:
        self._exiger(Droit.PREFERENCES_MODIFIER)
        with transaction.atomic():
            noms = {nom: donnees[nom] for nom in ("prenom", "nom")}
            comptes.modifier(compte=self.le_compte, acteur=self.acteur, **noms)
            comptes.modifier_preferences(compte=self.le_compte, langue=donnees["langue"])
        reponse = self._fait("vous")
        poser_la_langue(reponse, donnees["langue"])
        return reponse

    def _changer_l_adresse(self, request: HttpRequest, donnees: dict[str, Any]) -> HttpResponse:
        avant = self.le_compte.email
        comptes.changer_son_adresse(acteur=self.acteur, **donnees)
        if donnees["email"] == avant:
            return self._fait("adresse_gardee")
        return self._fait("adresse" if self.le_compte.email == avant else "adresse_changee")

    def _garder_l_adresse(self, request: HttpRequest, donnees: Any) -> HttpResponse:
        with suppress(AucuneAdresseDemandee):  # a second click, or it was confirmed meanwhile
            adresses.renoncer(compte=self.le_compte, acteur=self.acteur)
        return self._fait("adresse_gardee")

    def _changer_le_mot_de_passe(self, request: HttpRequest, donnees: dict[str, Any]) -> HttpResponse:
        rester = self.rester(request)
        comptes.changer_mot_de_passe(acteur=self.acteur, **donnees)
        reponse = self._fait("mot_de_passe")
        rester(reponse)
        return reponse

    def _prouver(self, request: HttpRequest, donnees: dict[str, Any]) -> HttpResponse:
        self.prouver(request, donnees["mot_de_passe"])
        return vers(self.ici, suite="#securite")

    def _fermer(self, request: HttpRequest, donnees: Any) -> HttpResponse:
        if (session_id := UnAppareil(donnees).choisi) is not None:
            sessions.fermer(acteur=self.acteur, session_id=session_id)
        return self._fait("fermer")

    def _fermer_ailleurs(self, request: HttpRequest, donnees: Any) -> HttpResponse:
        rester = self.rester(request)
        sessions.fermer_ailleurs(acteur=self.acteur)
        reponse = self._fait("ailleurs")
        rester(reponse)
        return reponse

    def _donner(self, request: HttpRequest, donnees: Any) -> HttpResponse:
        reponse: Any = exporter(self.acteur)
        return reponse

    def _choisir_les_avis(self, request: HttpRequest, donnees: dict[str, Any]) -> HttpResponse:
        """Saved, they are wanted: an application may have cut all mails."""
        self._exiger(Droit.PREFERENCES_MODIFIER)
        comptes.modifier_preferences(
            compte=self.le_compte, notifications_activees=True, notifications_email=True, **donnees
        )
        return self._fait("avis")

    def _choisir_ceux_du_campus(self, request: HttpRequest, donnees: dict[str, Any]) -> HttpResponse:
        """Ticked, they are wanted, as above; with none, what was cut stays so."""
        self._exiger(Droit.PREFERENCES_MODIFIER)
        coupes = {"notifications_activees": True, "notifications_email": True} if any(donnees.values()) else {}
        comptes.modifier_preferences(compte=self.le_compte, **donnees, **coupes)
        return self._fait("du_campus")

    def _paraitre(self, request: HttpRequest, donnees: dict[str, Any]) -> HttpResponse:
        self._exiger(Droit.PREFERENCES_MODIFIER)
        comptes.modifier_preferences(compte=self.le_compte, **donnees)
        return self._fait("parution")

    def _demander_l_effacement(self, request: HttpRequest, donnees: dict[str, Any]) -> HttpResponse:
        demandes_d_effacement.demander(acteur=self.acteur, **donnees)
        return self._fait("effacer")

    def _garder_le_compte(self, request: HttpRequest, donnees: Any) -> HttpResponse:
        demandes_d_effacement.renoncer(acteur=self.acteur)
        return self._fait("garder_le_compte")

    def _fait(self, quoi: str) -> HttpResponse:
        return vers(self.ici, suite=f"?fait={quoi}#fait")


def _details(refus: ErreurMetier) -> list[dict[str, Any]]:
    """Details of the refusal on the field that it is about: the present password has a name of its own in a form."""
    if isinstance(refus, CourrielDejaUtilise):
        return [{"field": "email", "message": refus.message, "code": "taken"}]
    if not refus.details:
        return [{"field": "", "message": refus.message, "code": "invalid"}]
    return [dict(detail) for detail in refus.details]
