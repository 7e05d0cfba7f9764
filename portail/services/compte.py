"""Accounts in a browser: the services of the API, less the tokens that no page has a use for."""

from typing import Any

from django.db import transaction

from accounts.erreurs import CodeExige, CourrielDejaUtilise, EnrolementExige, IdentifiantsInvalides
from accounts.models import Session
from accounts.services.invitations import inscrire
from accounts.services.sessions import connecter, entrer
from socle.domaine.navigateurs import en_mots


def se_connecter(*, email: str, mot_de_passe: str, adresse: str, agent: str, otp: str = "") -> Session:
    return connecter(email=email, mot_de_passe=mot_de_passe, adresse=adresse, agent=agent, otp=otp).session


def s_inscrire(*, email: str, mot_de_passe: str, adresse: str, agent: str, **champs: Any) -> Session:
    """Sign up, and in; where the address has an account, sign in by its own password: a second click is no refusal."""
    try:
        with transaction.atomic():
            compte = inscrire(email=email, mot_de_passe=mot_de_passe, **champs)
            return entrer(compte, appareil=en_mots(agent)).session
    except CourrielDejaUtilise as deja:
        try:
            return se_connecter(email=email, mot_de_passe=mot_de_passe, adresse=adresse, agent=agent)
        except (IdentifiantsInvalides, CodeExige, EnrolementExige):
            raise deja from None
