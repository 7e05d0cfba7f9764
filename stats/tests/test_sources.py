"""What a person's own numbers are read from."""

import pytest

from config.tests.outils import acteur_de
from signalements.models import Signalement
from signalements.vocabulaire import Axe
from stats.chiffres import sources

pytestmark = pytest.mark.django_db


def test_les_siens_se_groupent_dans_l_ordre_de_leur_index(etudiante, monkeypatch):
    """Whatever is asked first: in another order PostgreSQL would sort or hash each report."""
    index = next(i for i in Signalement._meta.indexes if i.name == "signalement_compte_groupes")
    groupees = []
    lire = sources.les_siens_comptes

    def noter(acteur, colonnes, *reste):
        groupees.append(colonnes)
        return lire(acteur, colonnes, *reste)

    monkeypatch.setattr(sources, "les_siens_comptes", noter)
    questions = [sources.Question(Axe.TOUT, (nom,), sources.Filtre()) for nom in reversed(index.fields[1:])]

    sources.DeSoi(acteur_de(etudiante)).prelire(*questions, recents_de=[None])

    assert groupees == [tuple(index.fields[1:])]
