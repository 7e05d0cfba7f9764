"""Mailboxes that a mail of news goes to: an account's, a guest's."""

from dataclasses import dataclass, field
from urllib.parse import quote

from django.conf import settings

from accounts.models import Compte
from accounts.tasks import langue_de
from avis.models import AdresseInvitee, Cadence


@dataclass(frozen=True)
class Boite:
    """Address, language, the way to have no more; `refus`, where refusals of this address are kept, if they are."""

    adresse: str = field(repr=False)
    langue: str
    arret: str = field(repr=False)
    refus: Cadence | AdresseInvitee | None = None


def boite_du_compte(compte: Compte, famille: str, refus: Cadence | None = None) -> Boite:
    """Of the account, its link stopping this family alone, by its name."""
    return Boite(compte.email, langue_de(compte), adresse_d_arret(compte.jeton_d_arret_de(famille)), refus)


def boite_de_l_invite(adresse: AdresseInvitee) -> Boite:
    return Boite(adresse.adresse, adresse.langue, adresse_d_arret(adresse.jeton_d_arret), adresse)


def adresse_d_arret(jeton: str) -> str:
    return f"{settings.PUBLIC_URL}/ne-plus-prevenir?token={quote(jeton)}"
