"""What is removed with time: each app registers its own remover here, `manage.py purge` runs them all."""

from config.domaine.registre import Registre

# What is removed (words for the operator) -> (simulation) -> number of rows.
purges = Registre()
