"""Six words to come back: drawn, kept as a keyed hash, read tolerantly, never stored inside a text."""

import secrets
from collections.abc import Callable, Iterator
from itertools import islice

from django.utils.translation import gettext as _

from guests.erreurs import SessionIntrouvable
from guests.models import SessionInvitee
from guests.services import session_de
from guests.vocabulaire import StatutInvite
from portail import mots
from portail.erreurs import CodeDansLeTexte, CodeEteint, CodeInconnu
from portail.models import AncienCode, CodeRetour
from portail.services import lecture
from portail.signals import codes_essayes
from portail.vocabulaire import CODES_FAUX, MOTS_DU_CODE
from socle.domaine.acteurs import Acteur
from socle.domaine.chiffrement import empreinte
from socle.domaine.limites import compter
from socle.domaine.saisie import sans_invisibles
from socle.erreurs import ChampsInvalides

FENETRES_MAX = 5_000  # places of a text where six words in a row may be the code
ESSAIS_MAX = 3  # the same, where any code is looked for: each is a try


def tirer(langue: str) -> str:
    """Six words, 65 bits, one space between."""
    liste = mots.a_tirer(langue if langue in mots.LISTES else "fr")
    return " ".join(secrets.choice(liste) for _rang in range(MOTS_DU_CODE))


def poser(invite: SessionInvitee, code: str, langue: str) -> None:
    """Make this the one live code of the session."""
    langue = langue if langue in mots.LISTES else "fr"
    CodeRetour.objects.update_or_create(invite=invite, defaults={"empreinte": _empreinte(langue, code.split())})


def langue_de(six_mots: list[str]) -> str:
    """The list that these words are of, for who listens to the page."""
    return "en" if six_mots and all(mot in mots.liste("en") for mot in six_mots) else "fr"


def meme_mot(tape: str, mot: str) -> bool:
    """True when what was typed is this word, as tolerantly as a code is read."""
    forme = mots.simplifier(tape.strip())
    return any(mots.reconnaitre(forme, langue) == mot for langue in mots.LISTES)


def session_du_code(texte: str) -> SessionInvitee:
    """The session that these words open, or the id that an application gave instead of them.

    422 says what was typed that is no code: a reference, a word that is none of ours; CodeInconnu opens nothing, nor
    does CodeEteint, of words that were changed, or whose cases an account has: of neither is it said which, nor when.
    """
    if not est_un_essai(texte):
        raise ChampsInvalides.pour(code=ce_qui_ne_va_pas(texte))
    empreintes, guest_id = empreintes_lues(texte), lecture.guest_id(texte)
    retours = CodeRetour.objects.select_related("invite").filter(empreinte__in=empreintes)
    if retour := min(retours, key=lambda un: empreintes.index(un.empreinte), default=None):
        if retour.invite.statut == StatutInvite.MERGED:
            raise CodeEteint
        return retour.invite
    if AncienCode.objects.filter(empreinte__in=empreintes).exists():
        raise CodeEteint
    try:
        return session_de(guest_id)
    except SessionIntrouvable as inconnu:
        raise CodeInconnu from inconnu


def empreintes_lues(texte: str, *, au_plus: int = lecture.CANDIDATS_MAX) -> list[str]:
    """The fingerprints of what may be six words in this text, the likelier first; few, and all of them one try."""
    return [une for formes in lecture.candidats(texte)[:au_plus] for une in _empreintes(formes)]


def est_un_essai(texte: str) -> bool:
    """True where it may be six words or an application's id: of anything else nothing can be guessed."""
    return bool(empreintes_lues(texte, au_plus=1)) or lecture.guest_id(texte) is not None


def noter_un_code_faux() -> None:
    """Count a wrong code, whoever tried it; `codes_essayes` is sent at the one that passes CODES_FAUX."""
    total = compter("codes_faux", "tous", CODES_FAUX)
    if total == CODES_FAUX.nombre + 1:
        codes_essayes.send(CodeRetour, nombre=total)


def refuser_un_code(acteur: Acteur | None, *, compter: Callable[[], object], **textes: str) -> None:
    """422 on each text that holds a live code: a guest's own; of whoever has none, anybody's, which counts as tries."""
    if acteur is not None and acteur.est_invite:
        _refuser_le_sien(acteur.invite, **textes)
    else:
        _refuser_tout_code(compter, **textes)


def _refuser_le_sien(invite: SessionInvitee, **textes: str) -> None:
    vivant = CodeRetour.objects.filter(invite=invite).values_list("empreinte", flat=True).first()
    _refuser([nom for nom, texte in textes.items() if any(vivant in une for une in _fenetres(texte, FENETRES_MAX))])


def _refuser_tout_code(compter: Callable[[], object], **textes: str) -> None:
    fautifs = []
    for nom, texte in textes.items():
        for empreintes in _fenetres(texte, ESSAIS_MAX):
            compter()
            if CodeRetour.objects.filter(empreinte__in=empreintes).exists():
                fautifs.append(nom)
                break
    _refuser(fautifs)


def _refuser(fautifs: list[str]) -> None:
    if fautifs:
        raise CodeDansLeTexte.pour("code", **dict.fromkeys(fautifs, CodeDansLeTexte.message))


def _fenetres(texte: str, maximum: int) -> Iterator[list[str]]:
    """The fingerprints of each six words in a row that may be a code, so many places at the most."""
    formes = lecture.formes(lecture.composer(mots.simplifier(sans_invisibles(texte))))
    for debut in islice(lecture.debuts(formes), maximum):
        yield _empreintes(formes[debut : debut + MOTS_DU_CODE])


def _empreintes(formes: list[str]) -> list[str]:
    """One for each list that knows all these words."""
    lus = ((langue, [mots.reconnaitre(forme, langue) for forme in formes]) for langue in mots.LISTES)
    return [_empreinte(langue, [mot for mot in reconnus if mot]) for langue, reconnus in lus if all(reconnus)]


def _empreinte(langue: str, reconnus: list[str]) -> str:
    return empreinte("code-de-retour", f"{langue} {' '.join(reconnus)}")


def ce_qui_ne_va_pas(texte: str) -> str:
    """Say why this is no code: it is a reference, has not six words, or one that no list knows."""
    if reference := lecture.reference(texte):
        phrase = _(
            "%(reference)s est la référence d'un dossier : elle dit de quel dossier vous parlez, elle n'ouvre rien. "
            "Entrez vos six mots."
        )
        return phrase % {"reference": reference}
    nombre, formes = lecture.mots_tapes(texte)
    if not nombre:
        return _("Entrez vos six mots.")
    if not formes:
        return _("Il faut six mots. Nous en lisons %(n)d. Vérifiez les vôtres.") % {"n": nombre}
    return _phrase_du_mot_inconnu(formes)


def _phrase_du_mot_inconnu(formes: list[str]) -> str:
    """Name the first word that the likelier list does not know, and the one that was perhaps meant."""
    langue = max(mots.LISTES, key=lambda une: sum(mots.reconnaitre(forme, une) is not None for forme in formes))
    inconnu = next(forme for forme in formes if mots.reconnaitre(forme, langue) is None)
    montre = {"mot": inconnu[: lecture.MOT_MAX], "voisin": mots.proche(inconnu[: lecture.MOT_MAX], langue)}
    if montre["voisin"]:
        phrase = _("« %(mot)s » n'est pas un de nos mots. Vouliez-vous « %(voisin)s » ?")
    else:
        phrase = _("« %(mot)s » n'est pas un de nos mots. Vérifiez vos six mots.")
    traduits = _("Une traduction automatique de la page a peut-être changé vos mots.")
    return f"{phrase % montre} {traduits}"
