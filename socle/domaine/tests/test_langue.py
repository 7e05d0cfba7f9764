from django.utils.translation import deactivate_all, get_language, gettext, override

from socle.domaine.langue import en_francais, traduit


def test_une_phrase_est_celle_de_la_langue_de_qui_lit():
    dites = {}
    for _fois in range(2):  # the second time it is remembered
        for langue in ("fr", "en", "fr"):
            with override(langue):
                dites[langue] = traduit("Anonyme")
                assert dites[langue] == gettext("Anonyme")
    assert dites == {"fr": "Anonyme", "en": "Anonymous"}


def test_sans_langue_elle_est_dite_telle_quelle():
    langue = get_language()
    deactivate_all()
    try:
        assert traduit("Anonyme") == "Anonyme"
    finally:
        override(langue).__enter__()


def test_ce_qui_se_garde_est_en_francais_et_la_langue_revient():
    for langue in ("en", "fr"):
        with override(langue):
            with en_francais():
                assert get_language() == "fr"
                assert traduit("Équipe") == "Équipe"
            assert get_language() == langue
