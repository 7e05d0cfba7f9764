"""Names in a merge: each report keeps its rows, and the case that it is joined to gets its own."""

from socle.domaine.fusions import Colonnes, colonnes

GARDEES = ("date_modification", "signalement", "jusqu_au", "decision", "decide_par", "rappele_le")
colonnes.inscrire("homonymes.Homonyme", Colonnes(gardees=GARDEES))
