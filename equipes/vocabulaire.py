NOM_MAX, DESCRIPTION_MAX = 100, 1000
EQUIPES_MAX = 100  # deactivated ones too: none is ever deleted
MEMBRES_MAX = 200  # of one team, those who wait for a yes too
REGLES_MAX = 100
ORDRE_MAX = 9_999  # of a rule
VALEURS_MAX = 50  # types, or offices, that one rule names
