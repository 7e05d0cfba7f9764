"""Documents of an office, each by the cleaner of its kind; one inside another as one that came alone."""

from resources.nettoyage import genres, odf, ooxml
from resources.nettoyage.anonymes import Anonymes
from resources.nettoyage.archive import Reste
from resources.nettoyage.bornes import Bornes
from resources.nettoyage.contexte import Contexte
from resources.nettoyage.refus import TROP_DIVERS, Refuse


def nettoyer(octets: bytes, bornes: Bornes) -> bytes:
    return _nettoyer(_genre(octets), octets, Contexte(bornes, Reste(), Anonymes(), _inclus))


def _inclus(octets: bytes, contexte: Contexte) -> bytes:
    """So many times deep, and of these kinds alone."""
    contexte.reste.profondeur -= 1
    genre = _genre(octets)
    if contexte.reste.profondeur < 0 or genre not in genres.OOXML | genres.ODF:
        raise Refuse(TROP_DIVERS)
    propre = _nettoyer(genre, octets, contexte)
    contexte.reste.profondeur += 1
    return propre


def _genre(octets: bytes) -> str:
    return genres.reconnaitre(octets[: genres.DEBUT], octets[-genres.DEBUT :])


def _nettoyer(genre: str, octets: bytes, contexte: Contexte) -> bytes:
    return (odf if genre in genres.ODF else ooxml).nettoyer(octets, contexte)
