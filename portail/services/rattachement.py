"""From a guest's access to an account's, which holds the guest session until it is merged or given back.

The token of each is derived from the one before, by a password or by what the page alone knows: a second click, whose
first answer was lost, leads where that led.
"""

from typing import Any

from django.db import transaction

from accounts.models import Session
from discussions.vocabulaire import DOUBLE_CLIC
from guests.models import AuditFusion
from guests.services import exiger_etape
from portail.erreurs import AccesTermine, LienRompu
from portail.models import Acces
from portail.services import acces as services
from portail.services import preuve, sceau
from socle.domaine.acteurs import ActeurInvite
from socle.erreurs import ErreurMetier

COMPTE, RETOUR = "compte", "retour"  # what a token is derived for


def est_passee(jeton: str) -> bool:
    """True where the guest access of this cookie has just become an account's."""
    return services.est_ouvert(sceau.deriver_jeton(COMPTE, jeton), depuis=DOUBLE_CLIC)


def passer_au_compte(jeton: str, *, session: Session, texte: str = "") -> str:
    """End the guest access of this cookie, and open the account's, which holds its session; return the new token.

    `texte`: the six words, where this access has not proved them minutes ago.
    """
    try:
        return _passer_au_compte(jeton, session, texte)
    except ErreurMetier:
        services.terminer_la_session(session)  # nobody holds it
        raise


@transaction.atomic
def _passer_au_compte(jeton: str, session: Session, texte: str) -> str:
    suite = sceau.deriver_jeton(COMPTE, jeton)
    if (invite := services.invite_du_jeton(jeton)) is None:
        raise AccesTermine
    ActeurInvite(invite=invite).verrouiller()
    if (ferme := services.fermer(jeton)) is not None:
        preuve.exiger_encore(ferme, texte)
        date_preuve = preuve.date_de(ferme)
        services.ouvrir_au_compte(session=session, jeton=suite, a_rattacher=invite, date_preuve=date_preuve)
    elif services.est_ouvert(suite, depuis=DOUBLE_CLIC, compte=session.compte):
        services.terminer_la_session(session)  # the first click's is used
    else:
        raise AccesTermine
    return suite


def revenir(jeton: str, *, cle: str) -> str | None:
    """End the account's access of this cookie, and open a guest's on the session it held; None where it held none.

    `cle` was drawn for the page that asks: its second click leads where the first led, the old cookie alone nowhere.
    """
    suite = sceau.deriver_jeton(RETOUR, f"{jeton} {cle}") if cle else sceau.tirer_jeton()
    try:
        acces = services.acces_du_jeton(jeton)
        return _revenir(acces, suite)
    except AccesTermine:
        if services.est_ouvert(suite, depuis=DOUBLE_CLIC):
            return suite
        raise


@transaction.atomic
def _revenir(acces: Acces, suite: str) -> str | None:
    invite, session = acces.a_rattacher, acces.session
    if invite is None or session is None:
        return None
    exiger_etape("read")
    ActeurInvite(invite=invite).verrouiller()
    # Whatever ends this access takes the row of its session first.
    if not Session.objects.select_for_update().filter(pk=session.pk, date_fin=None).exists():
        raise AccesTermine
    if not Acces.objects.filter(pk=acces.pk, date_fin=None, a_rattacher=invite).exists():
        return None
    services.terminer_la_session(session)
    services.ouvrir(invite=invite, jeton=suite, date_preuve=preuve.date_de(acces))
    return suite


def exiger_le_lien(acces: Acces) -> None:
    """Under the lock of the guest session: LienRompu unless this access still holds it."""
    invite: Any = acces.a_rattacher
    invite.verrouiller()
    if not Acces.objects.filter(pk=acces.pk, date_fin=None, a_rattacher=invite).exists():
        raise LienRompu


def fusion_faite(acces: Acces) -> AuditFusion | None:
    """The last merge into this account since the access was opened."""
    siennes = AuditFusion.objects.filter(compte=services.acteur_de(acces).compte, date_annulation=None)
    return siennes.filter(date_creation__gte=acces.date_creation).order_by("-date_creation", "-id").first()
