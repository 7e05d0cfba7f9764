"""The filters that a person keeps: `parametres.filtres` of their preferences, `[{"nom": …, "adresse": query}]`."""

from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import Compte
from espace.services import parametres as libres
from espace.vocabulaire import FILTRES_MAX, NOM_MAX
from socle.domaine.saisie import montre, sur_une_ligne
from socle.erreurs import ChampsInvalides, Conflit

CLE = "filtres"
ADRESSE_MAX = 3_000  # characters: more than the filters can hold


def lus_dans(parametres: dict[str, Any]) -> list[dict[str, str]]:
    """The kept filters; what another client has written there in another form is left out."""
    gardes = parametres.get(CLE)
    return [un for un in gardes if _est_un_filtre(un)][:FILTRES_MAX] if isinstance(gardes, list) else []


@transaction.atomic
def garder(compte: Compte, *, nom: str, adresse: str) -> None:
    """Keep this query, as the list writes it, under this name, in the place of the one that had it.

    422 without a name, 409 for too many.
    """
    nom = sur_une_ligne(" ".join(nom.split()))
    if not montre(nom) or len(nom) > NOM_MAX:
        raise ChampsInvalides.pour(nom=_("Donnez un nom de %(n)d caractères au plus.") % {"n": NOM_MAX})
    autres = [un for un in _verrouilles(compte) if un["nom"] != nom]
    if len(autres) >= FILTRES_MAX:
        raise Conflit(_("%(n)d filtres au plus : retirez-en un.") % {"n": FILTRES_MAX})
    _poser(compte, [*autres, {"nom": nom, "adresse": adresse}])


@transaction.atomic
def renommer(compte: Compte, *, ancien: str, nom: str) -> None:
    """Give another name to the one of this name, if there is one; 422 for a name that another has."""
    par_nom = {un["nom"]: un for un in _verrouilles(compte)}
    nouveau = sur_une_ligne(" ".join(nom.split()))
    if ancien not in par_nom:
        return  # a second click
    if nouveau != ancien and nouveau in par_nom:
        raise ChampsInvalides.pour(nom=_("Un autre de vos filtres porte déjà ce nom."))
    retirer(compte, nom=ancien)
    garder(compte, nom=nom, adresse=par_nom[ancien]["adresse"])


@transaction.atomic
def retirer(compte: Compte, *, nom: str) -> None:
    _poser(compte, [un for un in _verrouilles(compte) if un["nom"] != nom])


def _verrouilles(compte: Compte) -> list[dict[str, str]]:
    return lus_dans(libres.verrouiller(compte))


def _poser(compte: Compte, gardes: list[dict[str, str]]) -> None:
    """Write them among the person's other settings, and what another client keeps there, under `_verrouilles`."""
    parametres = libres.lire(compte)
    la = parametres.get(CLE)
    autres = [un for un in la if not _est_un_filtre(un)] if isinstance(la, list) else []
    libres.poser(compte, {**parametres, CLE: [*gardes, *autres]})


def _est_un_filtre(garde: Any) -> bool:
    return isinstance(garde, dict) and all(isinstance(garde.get(nom), str) for nom in ("nom", "adresse"))
