"""Proof of the six words: what would take a space from its person, or shut them out of it, asks for all of them.

A minute with somebody's phone is no proof. Words typed, or shown, minutes ago in this access are one; on a space that
is kept on a device nothing is, but the words with the act itself. An access ends at the fifth wrong try.
"""

from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone

from guests.models import SessionInvitee
from portail.erreurs import AccesTermine, EssaisEpuises, MotsDemandes, MotsFaux, PasDeMots
from portail.models import Acces, AncienCode, CodeRetour
from portail.services import acces as services
from portail.services import code, garde, lecture, sceau
from portail.vocabulaire import ESSAIS, PREUVE
from socle.domaine.identite import empreinte_guest_id
from socle.erreurs import ErreurMetier


def est_recente(acces: Acces) -> bool:
    """Proved minutes ago; never of a space that is kept on a device, whose words are hidden on purpose."""
    return not acces.est_garde and acces.date_preuve is not None and timezone.now() - acces.date_preuve < PREUVE


def date_de(acces: Acces) -> datetime | None:
    """Date of the proof, for the access that takes this one's place in the same browser."""
    return acces.date_preuve if est_recente(acces) else None


def ouvre_sans_mots(invite: SessionInvitee) -> bool:
    """True of a session that an application opened and that has no six words: its id alone is there to be proved."""
    return not CodeRetour.objects.filter(invite=invite).exists()


def exiger(acces: Acces, texte: str) -> None:
    """Pass where the words were proved minutes ago, or are these; MotsDemandes, MotsFaux, and EssaisEpuises at last.

    PasDeMots of a text that is no try, whatever the words are: not counted. AccesTermine where something ended the
    access meanwhile. `acces` then says when it was proved.
    """
    if (refus := _juger(acces, texte)) is not None:
        raise refus


def exiger_encore(acces: Acces, texte: str) -> None:
    """The same under the lock of the session that the act holds, without counting: the words may have changed since."""
    invite: Any = acces.invite
    if not (est_recente(acces) or sont_les_siens(invite, texte)):
        raise MotsFaux


def changer_de_code(acces: Acces, *, jeton: str, langue: str, texte: str = "") -> None:
    """Draw another code: the former opens nothing any more, and no other browser shows the new one."""
    if (refus := _changer(acces, jeton, langue, texte)) is not None:
        raise refus


@transaction.atomic
def _juger(acces: Acces, texte: str) -> ErreurMetier | None:
    """Decide under the locks, and return the refusal: raised inside, it would take its count back."""
    invite = services.acteur_de(acces).invite
    invite.verrouiller()
    invite.exiger_active()
    ligne = Acces.objects.select_for_update(of=("self",)).filter(pk=acces.pk, date_fin=None).first()
    if ligne is None:
        raise AccesTermine
    if sont_les_siens(invite, texte):
        acces.date_preuve = None if ligne.est_garde else timezone.now()
        Acces.objects.filter(pk=ligne.pk).update(date_preuve=acces.date_preuve, preuves_fausses=0)
        return None
    if est_recente(ligne):
        acces.date_preuve = ligne.date_preuve
        return None
    if not texte.strip():
        return MotsDemandes()
    return _compter(ligne) if code.est_un_essai(texte) else PasDeMots(code.ce_qui_ne_va_pas(texte))


def sont_les_siens(invite: SessionInvitee, texte: str) -> bool:
    """True where these are all six words of the session, in order: the likeliest reading alone, a try is one guess."""
    vivant = CodeRetour.objects.filter(invite=invite).values_list("empreinte", flat=True).first()
    if vivant is not None:
        return vivant in code.empreintes_lues(texte, au_plus=1)
    guest_id = lecture.guest_id(texte)
    return guest_id is not None and empreinte_guest_id(guest_id) == invite.guest_id_empreinte


def _compter(ligne: Acces) -> ErreurMetier:
    fausses = ligne.preuves_fausses + 1
    Acces.objects.filter(pk=ligne.pk).update(preuves_fausses=fausses)
    if fausses < ESSAIS:
        return MotsFaux()
    services.terminer_celui(ligne)
    return EssaisEpuises()


@transaction.atomic
def _changer(acces: Acces, jeton: str, langue: str, texte: str) -> ErreurMetier | None:
    if (refus := _juger(acces, texte)) is not None:
        return refus
    invite = services.acteur_de(acces).invite
    AncienCode.objects.bulk_create(
        AncienCode(invite=invite, empreinte=une)
        for une in CodeRetour.objects.filter(invite=invite).values_list("empreinte", flat=True)
    )
    nouveau = code.tirer(langue)
    code.poser(invite, nouveau, langue)
    autres = Acces.objects.filter(invite=invite, date_fin=None).exclude(pk=acces.pk)
    # Whoever kept it, or proved it, had the former words.
    autres.update(code_scelle="", garde_jusqu_a=None, date_verification=None, date_preuve=None)
    services.oublier_les_liens(invite)
    # One that is kept on a device does not show the words: this one is kept no more.
    garde.rendre_a_son_heure(acces)
    montre = {"code_scelle": sceau.sceller(jeton, nouveau), "date_preuve": timezone.now()}
    Acces.objects.filter(pk=acces.pk).update(**montre, date_verification=None, preuves_fausses=0, mots_faux=0)
    return None
