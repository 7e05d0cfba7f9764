"""Dates in a merge: each report keeps its rows, and the case that it is joined to shows them with its own."""

from socle.domaine.fusions import Colonnes, colonnes

GARDEES = (
    "date_modification",
    "signalement",
    "nature",
    "libelle",
    "pour_le",
    "faite_le",
    "prolongee_du",
    "prolongee_le",
    "motif",
    "par",
    "etape",
    "rappel_le",
)
colonnes.inscrire("echeances.Echeance", Colonnes(gardees=GARDEES))
