from datetime import timedelta

import pytest

from config.checks import exiger_coherence, reglages_coherents
from config.env import ReglageInvalide


@pytest.mark.parametrize(
    ("reglages", "numero"),
    [
        ({"ACCESS_TOKEN_LIFETIME": timedelta(days=30)}, "campus.E001"),
        ({"FORUM_MODERATOR": "forum.moderation.absente"}, "campus.E003"),
        ({"FORUM_MODERATOR": "forum.moderation.journal"}, "campus.E003"),
        ({"FORUM_MODERATOR": "absente.moderation.par_mots"}, "campus.E003"),
        ({"HASH_KEY": "x" * 40, "SECRET_KEY": "x" * 40}, "campus.E002"),
    ],
)
def test_un_serveur_ne_demarre_pas_sur_des_reglages_qui_se_contredisent(settings, reglages, numero):
    for nom, valeur in reglages.items():
        setattr(settings, nom, valeur)

    with pytest.raises(ReglageInvalide, match=numero):
        exiger_coherence()


def test_postgresql_sans_redis_avertit_sans_arreter(settings):
    settings.EMBARQUE, settings.REDIS_URL = False, ""

    exiger_coherence()

    assert [probleme.id for probleme in reglages_coherents(None)] == ["campus.W001"]
