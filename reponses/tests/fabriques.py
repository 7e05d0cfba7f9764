from typing import Any

from reponses.models import ModeleDeReponse, Orientation


def modele(titre: str = "Bien reçu", **champs: Any) -> ModeleDeReponse:
    """In French alone, active, of every case, unless it is said otherwise."""
    return _garder(ModeleDeReponse(titre=titre, **{"texte_fr": "Nous avons lu {reference}.", "ordre": 10, **champs}))


def orientation(type_: str = "VOL", **champs: Any) -> Orientation:
    return _garder(Orientation(type=type_, **{"texte_fr": "Gardez les preuves.", **champs}))


def _garder(texte: Any) -> Any:
    texte.indexer()
    texte.save(force_insert=True)
    return texte
