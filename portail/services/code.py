"""Six words to come back: drawn, kept as a keyed hash, read tolerantly, never stored inside a text."""

import re
import secrets
import unicodedata
from collections.abc import Callable, Iterator
from itertools import islice

from django.utils.translation import gettext as _

from guests.erreurs import SessionIntrouvable
from guests.models import SessionInvitee, lire_guest_id
from guests.services import session_de
from portail import mots
from portail.erreurs import CodeDansLeTexte, CodeInconnu
from portail.models import CodeRetour
from portail.signals import codes_essayes
from portail.vocabulaire import CODES_FAUX, MOTS_DU_CODE
from socle.domaine.acteurs import Acteur
from socle.domaine.chiffrement import empreinte
from socle.domaine.erreurs import ChampsInvalides
from socle.domaine.limites import compter

LU_MAX = 200  # characters: six words of eight letters, and what people put between them
FENETRES_MAX = 5_000  # places of a text where six words in a row may be the code
ESSAIS_MAX = 3  # the same, where any code is looked for: each is a try
_MOT = re.compile(r"[^\W\d_]+")


def tirer(langue: str) -> str:
    """Six words, 66 bits, one space between."""
    liste = mots.liste(langue if langue in mots.LISTES else "fr")
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

    422 names a word that is none of ours, CodeInconnu opens nothing.
    """
    if guest_id := lire_guest_id(texte.strip()):
        try:
            return session_de(guest_id)
        except SessionIntrouvable as inconnu:
            raise CodeInconnu from inconnu
    formes = _formes(texte[:LU_MAX])
    if len(formes) != MOTS_DU_CODE:
        raise ChampsInvalides.pour(
            code=_("Un code a six mots. Nous en lisons %(n)d. Vérifiez vos six mots.") % {"n": len(formes)}
        )
    empreintes = list(_empreintes(formes))
    if not empreintes:
        raise ChampsInvalides.pour(code=_phrase_du_mot_inconnu(formes))
    retour = CodeRetour.objects.select_related("invite").filter(empreinte__in=empreintes).first()
    if retour is None:
        raise CodeInconnu
    return retour.invite


def noter_un_code_faux() -> None:
    """Count a wrong code, whoever tried it; `codes_essayes` is sent at the one that passes CODES_FAUX."""
    total = compter("codes_faux", "tous", CODES_FAUX)
    if total == CODES_FAUX.nombre + 1:
        codes_essayes.send(CodeRetour, nombre=total)


def refuser_un_code(acteur: Acteur | None, *, compter: Callable[[], None], **textes: str) -> None:
    """422 on each text that holds a live code: a guest's own; of whoever has none, anybody's, which counts as tries."""
    if acteur is not None and acteur.est_invite:
        _refuser_le_sien(acteur.invite, **textes)
    else:
        _refuser_tout_code(compter, **textes)


def _refuser_le_sien(invite: SessionInvitee, **textes: str) -> None:
    vivant = CodeRetour.objects.filter(invite=invite).values_list("empreinte", flat=True).first()
    _refuser([nom for nom, texte in textes.items() if any(vivant in une for une in _fenetres(texte, FENETRES_MAX))])


def _refuser_tout_code(compter: Callable[[], None], **textes: str) -> None:
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


def _formes(texte: str) -> list[str]:
    """Its words, without accents; composed first, as some keyboards write an accent apart."""
    return [mots.simplifier(forme) for forme in _MOT.findall(unicodedata.normalize("NFKC", texte))]


def _fenetres(texte: str, maximum: int) -> Iterator[list[str]]:
    """The fingerprints of each six words in a row that may be a code, so many places at the most."""
    formes = _formes(texte)
    for debut in islice(_debuts(formes), maximum):
        yield _empreintes(formes[debut : debut + MOTS_DU_CODE])


def _debuts(formes: list[str]) -> list[int]:
    """Where six forms in a row are all words of one list."""
    debuts = set()
    for langue in mots.LISTES:
        suite = 0
        for rang, forme in enumerate(formes):
            suite = suite + 1 if mots.reconnaitre(forme, langue) else 0
            if suite >= MOTS_DU_CODE:
                debuts.add(rang - MOTS_DU_CODE + 1)
    return sorted(debuts)


def _empreintes(formes: list[str]) -> list[str]:
    """One for each list that knows all these words."""
    lus = ((langue, [mots.reconnaitre(forme, langue) for forme in formes]) for langue in mots.LISTES)
    return [_empreinte(langue, [mot for mot in reconnus if mot]) for langue, reconnus in lus if all(reconnus)]


def _empreinte(langue: str, reconnus: list[str]) -> str:
    return empreinte("code-de-retour", f"{langue} {' '.join(reconnus)}")


def _phrase_du_mot_inconnu(formes: list[str]) -> str:
    """Name the first word that the likelier list does not know, and the one that was perhaps meant."""
    langue = max(mots.LISTES, key=lambda une: sum(mots.reconnaitre(forme, une) is not None for forme in formes))
    inconnu = next(forme for forme in formes if mots.reconnaitre(forme, langue) is None)
    if voisin := mots.proche(inconnu, langue):
        phrase = _("« %(mot)s » n'est pas un mot de nos codes. Vouliez-vous « %(voisin)s » ?")
        return phrase % {"mot": inconnu, "voisin": voisin}
    return _("« %(mot)s » n'est pas un mot de nos codes. Vérifiez vos six mots.") % {"mot": inconnu}
