"""Full names of the staff in what a report says, and whom that shuts out."""

import pytest

from homonymes.noms import est_nomme, nommes_dans

TEXTES = [
    ("Ruth Okito", True),
    ("OKITO Ruth", True),
    ("C’est M\u1d50\u1d49 ruth okito, je crois.", True),
    ("Okito (Ruth), du bureau 12", True),
    ("Rùth-Marie ŌKITO", True),
    ("Ruth", False),
    ("Mme Okito", False),
    ("Ruthie Okito", False),
    ("Ruth Okitoko", False),
    ("ruthokito", False),
    ("", False),
    ("…", False),
]


@pytest.mark.parametrize(("texte", "attendu"), TEXTES)
def test_un_nom_entier_se_lit_en_mots_entiers_dans_n_importe_quel_ordre(texte, attendu):
    assert est_nomme(texte, "Ruth", "Okito") is attendu


@pytest.mark.parametrize(
    ("prenom", "nom", "texte"),
    [
        ("Jean-Paul", "N’Guessan", "jean paul n guessan"),
        ("Łukasz", "Œuvre", "lukasz oeuvre"),
        ("Anne", "de la Tour", "Anne de la Tour d'ivoire"),
    ],
)
def test_un_nom_de_plusieurs_mots_se_lit_d_un_seul_tenant(prenom, nom, texte):
    assert est_nomme(texte, prenom, nom)


def test_un_nom_de_plusieurs_mots_ne_se_lit_pas_en_morceaux():
    assert not est_nomme("Anne de Paris, à la Tour", "Anne", "de la Tour")


@pytest.mark.parametrize(("prenom", "nom"), [("", "Okito"), ("Ruth", ""), ("-", "Okito"), ("", "")])
def test_qui_n_a_pas_les_deux_noms_n_est_jamais_nomme(prenom, nom):
    assert not est_nomme("Ruth Okito - ", prenom, nom)


def test_seules_les_personnes_actives_de_l_equipe_sont_nommees(gestionnaire, admin, etudiante):
    texte = "Paul Ilunga, Rose Kabila ou Awa Diop"
    assert nommes_dans(texte) == {gestionnaire.pk, admin.pk}

    gestionnaire.est_actif = False
    gestionnaire.enregistrer("est_actif")
    assert nommes_dans(texte) == {admin.pk}


@pytest.mark.django_db
@pytest.mark.parametrize("texte", ["", " … ", "Inconnu", "l'"])
def test_d_un_mot_seul_rien_n_est_demande_a_la_base(gestionnaire, django_assert_num_queries, texte):
    with django_assert_num_queries(0):
        assert nommes_dans(texte) == set()
