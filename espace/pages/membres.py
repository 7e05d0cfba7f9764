"""Page of the team: who is of it, and who was invited. Whoever may invite does so from it."""

import secrets
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

from accounts.permissions import invitation_connue
from accounts.serializers import InvitationCreate
from accounts.services import demandes_d_effacement
from accounts.services.invitations import inviter, renvoyer, revoquer
from equipes.lectures import noms_des_equipes
from espace.pages.base import PageDEquipe
from espace.pages.formulaires import ECRIT, SANS_TRACE, choix_libre
from espace.selections import anciens_membres, invitations_en_attente, membres_de_l_equipe
from socle.courriel import est_remis
from socle.domaine.droits import DESCRIPTIONS, Droit, Role, roles_ayant
from socle.erreurs import ChampsInvalides, Conflit, PermissionRefusee
from socle.pages import servies
from socle.pages.formulaires import FormulaireDeSerializer
from socle.pages.vues import vers

INVITES = [role for role in Role if role in roles_ayant(Droit.ESPACE_ENTRER)]
FAITS = {
    "invitee": _("Invitation envoyée."),
    "sans_courrier": _("Invitation prête, mais ce service n'envoie pas d'e-mail : son lien est écrit là où il tourne."),
    "renvoyer": _("Invitation renvoyée : le lien d'avant n'ouvre plus rien."),
    "revoquer": _("Invitation retirée : son lien n'ouvre plus rien."),
}

ENVOIS = ("invitee", "renvoyer")


class FormulaireDInvitation(FormulaireDeSerializer):
    serializer = InvitationCreate
    textes = {
        ("email", "required"): _("Donnez l'adresse à inviter."),
        ("email", "blank"): _("Donnez l'adresse à inviter."),
        ("type_utilisateur", "invalid_choice"): _("Choisissez un rôle."),
    }

    email = forms.CharField(
        label=_("Adresse e-mail"),
        required=False,
        widget=forms.TextInput(attrs={**SANS_TRACE, "type": "email", "inputmode": "email", "spellcheck": "false"}),
    )
    type_utilisateur = choix_libre(_("Rôle"), [(role.value, role.label) for role in INVITES])
    mot = forms.CharField(
        label=_("Un mot (facultatif)"),
        required=False,
        widget=forms.Textarea(attrs={**ECRIT, "rows": 3}),
        help_text=_("Il figure dans l'e-mail, sous votre nom. 300 caractères au plus."),
    )


class Membres(PageDEquipe):
    gabarit = "espace/membres.html"
    place = "membres"
    titre = _("Équipe")
    droit = Droit.COMPTES_LISTER

    def get(self, request: HttpRequest) -> HttpResponse:
        fait = request.GET.get("fait", "")
        fait = "sans_courrier" if fait in ENVOIS and not est_remis() else fait
        return self._montrer(request, fait=FAITS.get(fait))

    def post(self, request: HttpRequest) -> HttpResponse:
        """Invite; what is refused is shown again as it was typed."""
        if not self.acteur.peut(Droit.INVITATIONS_GERER):
            raise PermissionRefusee
        form = FormulaireDInvitation(request.POST)
        if form.is_valid():
            cle = _cle(request, f"inviter {form.cleaned_data}")
            try:
                if servies.secondes_depuis(cle) is None:
                    inviter(par=self.compte, **form.cleaned_data)
                    servies.noter(cle)
            except (ChampsInvalides, Conflit) as refus:
                form.accueillir(refus.details or [{"field": "email", "message": refus.message, "code": refus.code}])
            else:
                return vers("espace:membres", suite="?fait=invitee#fait")
        return self._montrer(request, statut=422, form=form)

    def _montrer(self, request: HttpRequest, statut: int = 200, **contexte: Any) -> HttpResponse:
        invite = self.acteur.peut(Droit.INVITATIONS_GERER)
        contexte.setdefault("form", FormulaireDInvitation() if invite else None)
        gere = self.acteur.peut(Droit.COMPTES_MODIFIER)
        membres = membres_de_l_equipe()
        for membre in membres:
            membre.role_lisible = Role(membre.role).label
        invitations = invitations_en_attente() if invite else []
        for une in invitations:
            une.role_lisible = Role(une.role).label  # type: ignore[attr-defined]
        return self.rendre(
            request,
            statut=statut,
            cle_de_la_page=secrets.token_urlsafe(16),
            membres=membres,
            invitations=invitations,
            invite=invite,
            connexions=self.acteur.peut(Droit.COMPTES_CONSULTER_CONNEXIONS),
            anciens=anciens_membres() if gere else [],
            effacements=demandes_d_effacement.en_attente() if gere else [],
            gere=gere,
            gere_les_equipes=self.acteur.peut(Droit.EQUIPES_GERER),
            a_des_equipes=bool(noms_des_equipes()),
            roles=[(role.label, DESCRIPTIONS[role]) for role in INVITES],
            **contexte,
        )


class GererUneInvitation(PageDEquipe):
    """Sends an invitation again, or revokes it."""

    place = "membres"
    droit = Droit.INVITATIONS_GERER

    def get(self, request: HttpRequest, invitation_id: Any) -> HttpResponse:
        return vers("espace:membres")

    def post(self, request: HttpRequest, invitation_id: Any) -> HttpResponse:
        invitation = invitation_connue(invitation_id)
        acte = "revoquer" if request.POST.get("acte") == "revoquer" else "renvoyer"
        cle = _cle(request, f"{acte} {invitation.pk}")
        if servies.secondes_depuis(cle) is None:
            {"renvoyer": renvoyer, "revoquer": revoquer}[acte](invitation=invitation, par=self.compte)
            servies.noter(cle)
        return vers("espace:membres", suite=f"?fait={acte}#fait")


def _cle(request: HttpRequest, quoi: str) -> str:
    """Name of this act of this page, where a second click would close the link of the first; "" without a page."""
    cle = request.POST.get("cle_de_la_page", "")[:64]
    return f"{cle} {quoi}" if cle else ""
