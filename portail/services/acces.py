"""Accesses of browsers to a guest session: opened, used, ended."""

from datetime import timedelta
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from guests.models import SessionInvitee
from guests.services import exiger_etape, noter_activite
from portail.erreurs import AccesTermine
from portail.models import Acces
from portail.services import code, sceau
from socle.domaine.acteurs import Acteur, ActeurInvite

ESPECE = "acces"
DELAI_ACTIVITE = timedelta(minutes=1)


def ouvrir(*, invite: SessionInvitee, jeton: str, code: str = "") -> Acces:
    """Open an access under this token; with a code, it shows it until its end."""
    acces = Acces(invite=invite, jeton_empreinte=sceau.empreinte_du_jeton(ESPECE, jeton))
    acces.code_scelle = sceau.sceller(jeton, code) if code else ""
    acces.save(force_insert=True)
    return acces


def acces_du_jeton(jeton: str) -> Acces:
    """The open access of a cookie, its guest session ACTIVE; AccesTermine, or the refusal of the session."""
    par_jeton = Acces.objects.select_related("invite").filter(jeton_empreinte=sceau.empreinte_du_jeton(ESPECE, jeton))
    acces = par_jeton.defer("invite__telephone").first()
    if acces is None:
        raise AccesTermine
    exiger_etape("read")
    acces.invite.exiger_active()
    if not acces.est_ouvert(timezone.now()):
        raise AccesTermine
    return acces


def noter_usage(acces: Acces) -> None:
    """Move the last use, at most once a minute, of the access and of its session."""
    maintenant = timezone.now()
    if maintenant - acces.date_activite >= DELAI_ACTIVITE:
        Acces.objects.filter(pk=acces.pk, date_fin=None).update(date_activite=maintenant)
        noter_activite(acces.invite)


def acteur_de(acces: Acces) -> Acteur:
    """The guest, without the id of its session: nothing that a page shows may hold it."""
    return ActeurInvite(invite=acces.invite)


@transaction.atomic
def changer_de_code(acces: Acces, *, jeton: str, langue: str) -> None:
    """Draw another code: the former opens nothing any more, and no other browser shows the new one."""
    acces.invite.verrouiller()
    acces.invite.exiger_active()
    # Under its lock: one that has ended meanwhile would show the new words to nobody.
    if not Acces.objects.select_for_update(of=("self",)).filter(pk=acces.pk, date_fin=None).exists():
        raise AccesTermine
    nouveau = code.tirer(langue)
    code.poser(acces.invite, nouveau, langue)
    Acces.objects.filter(invite=acces.invite, date_fin=None).exclude(pk=acces.pk).update(code_scelle="")
    Acces.objects.filter(pk=acces.pk).update(code_scelle=sceau.sceller(jeton, nouveau))


def existe(jeton: str) -> bool:
    return Acces.objects.filter(jeton_empreinte=sceau.empreinte_du_jeton(ESPECE, jeton)).exists()


def terminer(jeton: str) -> None:
    """End the access of a cookie, if it has one."""
    _terminer(Acces.objects.filter(jeton_empreinte=sceau.empreinte_du_jeton(ESPECE, jeton)))


def terminer_ceux_de(invite: SessionInvitee, *, sauf: UUID | None = None) -> None:
    """End the accesses of a session, but the one that asks."""
    siens = Acces.objects.filter(invite=invite)
    _terminer(siens if sauf is None else siens.exclude(pk=sauf))


def _terminer(acces: QuerySet[Any]) -> None:
    acces.filter(date_fin=None).update(date_fin=timezone.now(), code_scelle="")
