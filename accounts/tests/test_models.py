from accounts.models import Compte
from accounts.vocabulaire import HORS_DU_NOM


def test_une_lecture_qui_nomme_quelqu_un_ne_lit_de_lui_que_son_nom():
    colonnes = {champ.name for champ in Compte._meta.concrete_fields}

    assert set(HORS_DU_NOM) == colonnes - {"id", "nom", "prenom"}
