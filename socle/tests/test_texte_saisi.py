"""What people paste from a word processor or a PDF, as the fields of our pages read it."""

import pytest
from django import forms
from django.http import QueryDict

from socle.pages.formulaires import FormulaireSaisi, texte_saisi

DE_LIGNES = ["\x0b", "\x0c", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029", "\n", "\r\n"]
DE_RIEN = ["\x00", "\x01", "\x08", "\x0e", "\x1b", "\x1f", "\x7f", "\x80", "\x92", "\x9f", "\xad"]


@pytest.mark.parametrize("coupure", DE_LIGNES, ids=ascii)
def test_une_coupure_est_un_saut_de_ligne_ou_une_espace(coupure):
    assert texte_saisi(f"a{coupure}b", en_lignes=True) == "a\nb"
    assert texte_saisi(f"a{coupure}b", en_lignes=False) == "a b"


@pytest.mark.parametrize("rien", DE_RIEN, ids=ascii)
def test_ce_qui_ne_montre_rien_s_en_va(rien):
    assert texte_saisi(f"serr{rien}ure", en_lignes=True) == "serrure"
    assert texte_saisi(f"serr{rien}ure", en_lignes=False) == "serrure"


@pytest.mark.parametrize("texte", ["a\tb", "Été — « là » 👩‍👩‍👧", "ﷺ قِسم", "x\u200dy", "e\u0301"])
def test_le_reste_ne_change_pas(texte):
    assert texte_saisi(texte, en_lignes=True) == texte


def test_une_tabulation_est_une_espace_dans_une_ligne():
    assert texte_saisi("Amphi\tB\r\n\r\n2", en_lignes=False) == "Amphi B 2"


class Formulaire(FormulaireSaisi):
    titre = forms.CharField(required=False)
    texte = forms.CharField(required=False, strip=False, widget=forms.Textarea)
    mot_de_passe = forms.CharField(required=False, strip=False, widget=forms.PasswordInput)


def _querydict(donnees):
    requete = QueryDict(mutable=True)
    requete.update(donnees)
    requete._mutable = False
    return requete


@pytest.mark.parametrize("lu", [dict, _querydict], ids=["dict", "requête"])
@pytest.mark.parametrize("prefixe", [None, "note"])
def test_un_formulaire_lit_ses_textes_et_laisse_les_mots_de_passe(lu, prefixe):
    nom = f"{prefixe}-" if prefixe else ""
    donnees = lu({f"{nom}titre": "Vol\x0bici", f"{nom}texte": "Un\x0cdeux", f"{nom}mot_de_passe": "a\x0bb"})

    form = Formulaire(donnees, prefix=prefixe)

    assert form.is_valid()
    assert form.cleaned_data == {"titre": "Vol ici", "texte": "Un\ndeux", "mot_de_passe": "a\x0bb"}
    assert form["texte"].value() == "Un\ndeux"
    assert donnees[f"{nom}texte"] == "Un\x0cdeux"
