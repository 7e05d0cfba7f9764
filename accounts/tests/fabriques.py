from itertools import count
from typing import Any

from django.conf import settings
from django.utils import timezone

from accounts.models import Compte, Invitation
from accounts.vocabulaire import StatutInvitation
from socle.domaine.droits import Role

MOT_DE_PASSE = "Campus-2026-essai"
_numeros = count(1)


def compte(**champs: Any) -> Compte:
    numero = next(_numeros)
    defauts = {"email": f"personne{numero}@campus.test", "nom": "Mbuyi", "prenom": "Grâce"}
    return Compte.objects.creer(**{**defauts, "mot_de_passe": MOT_DE_PASSE, **champs})


def gestionnaire(**champs: Any) -> Compte:
    return compte(**{"type_utilisateur": Role.GESTIONNAIRE, "nom": "Ilunga", "prenom": "Paul", **champs})


def admin(**champs: Any) -> Compte:
    return compte(**{"type_utilisateur": Role.ADMIN_SYSTEME, "nom": "Kabila", "prenom": "Rose", **champs})


def invitation(par: Compte, **champs: Any) -> Invitation:

    defauts = {
        "email": f"invitee{next(_numeros)}@campus.test",
        "type_utilisateur": Role.GESTIONNAIRE,
        "expire_le": timezone.now() + settings.INVITATION_LIFETIME,
    }
    if champs.get("statut") == StatutInvitation.ACCEPTED:
        defauts["acceptee_par"] = compte()
    return Invitation.objects.create(invitee_par=par, **{**defauts, **champs})
