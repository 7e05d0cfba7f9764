"""Acknowledgements in a merge: each report keeps its own, and the case that it is joined to shows them all."""

from socle.domaine.fusions import Colonnes, colonnes

colonnes.inscrire("reponses.AccuseAutomatique", Colonnes(gardees=("signalement", "texte_fr", "texte_en")))
