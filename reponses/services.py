"""Acts of administrators on the texts that others read, each of them in the register."""

from collections.abc import Iterable
from typing import Any, TypeVar

from django.db import IntegrityError, transaction

from reponses.accuses import automatiques
from reponses.erreurs import DejaAutomatique, PlusDePlace, TypeDejaOriente
from reponses.models import SANS_TEXTE, DeuxLangues, ModeleDeReponse, Orientation
from socle.audit.registre import consigner
from socle.audit.vocabulaire import Acte, Sorte
from socle.domaine.acteurs import Acteur
from socle.erreurs import ChampsInvalides, Conflit
from socle.idempotence.creation import creation

T = TypeVar("T", bound=DeuxLangues)


@creation
def ajouter_un_modele(*, par: Acteur, **champs: Any) -> ModeleDeReponse:
    """Last in its order, where none is given; 409 past MAXIMUM, and for a second automatic one of its type."""
    champs.setdefault("ordre", ModeleDeReponse.objects.place_suivante())
    return _ajouter(ModeleDeReponse(**champs), par)


@transaction.atomic
def ajouter_une_orientation(*, par: Acteur, **champs: Any) -> Orientation:
    """409 past MAXIMUM, and for a type that has its own."""
    return _ajouter(Orientation(**champs), par)


@transaction.atomic
def modifier(*, texte: DeuxLangues, par: Acteur, **champs: Any) -> None:
    """Write the fields that differ; nothing is told where none does."""
    texte.verrouiller()
    changes = {nom: valeur for nom, valeur in champs.items() if getattr(texte, nom) != valeur}
    if not changes:
        return
    for nom, valeur in changes.items():
        setattr(texte, nom, valeur)
    _exiger_un_texte(texte)
    texte.indexer()
    try:
        with transaction.atomic():
            texte.enregistrer(*changes, "recherche")
    except IntegrityError as doublon:
        raise _refus_d_un_double(texte) from doublon
    consigner_un_changement(texte, "changee", par=par, champs=changes)


@transaction.atomic
def supprimer(*, texte: DeuxLangues, par: Acteur) -> None:
    texte.verrouiller()
    consigner_un_changement(texte, "supprimee", par=par)
    texte.delete()


def consigner_un_changement(texte: DeuxLangues, quoi: str, *, par: Any, champs: Iterable[str] = ()) -> None:
    """Into the register: which text, what was done and which columns changed, never what they say.

    New cases are answered by the texts as they are now.
    """
    automatiques.oublier()
    details: dict[str, Any] = {"quoi": quoi, "table": texte._meta.model_name}
    if champs := sorted(champs):
        details["champs"] = champs
    consigner(Acte.REPONSE_CHANGEE, par=par, objet=texte.pk, sorte=Sorte.REPONSE, **details)


def _ajouter(texte: T, par: Acteur) -> T:
    _exiger_un_texte(texte)
    if not texte.a_de_la_place:
        raise PlusDePlace(texte.MAXIMUM)
    texte.indexer()
    try:
        with transaction.atomic():
            texte.save(force_insert=True)
    except IntegrityError as doublon:
        raise _refus_d_un_double(texte) from doublon
    consigner_un_changement(texte, "creee", par=par)
    return texte


def _refus_d_un_double(texte: DeuxLangues) -> Conflit:
    return TypeDejaOriente() if isinstance(texte, Orientation) else DejaAutomatique()


def _exiger_un_texte(texte: DeuxLangues) -> None:
    if not (texte.texte_fr or texte.texte_en):
        raise ChampsInvalides.pour(texteFr=SANS_TEXTE)
