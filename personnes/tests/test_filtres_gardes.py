"""What a colleague keeps by the page of the list is read again, there and in the base, once the person is erased."""

import json
from urllib.parse import quote, quote_plus, unquote_plus

import pytest

from accounts.models import Compte, Preferences
from accounts.services.comptes import modifier_preferences
from accounts.tests import fabriques as comptes
from espace.tests.outils import Equipiere
from personnes.services import effacements
from socle.domaine.recherche import indexable
from socle.domaine.texte import normaliser

pytestmark = [pytest.mark.django_db, pytest.mark.longue]
GARDER = "/equipe/filtres/"


@pytest.fixture
def zoe(db):
    return comptes.compte(email="zoe.canarini@campus.test", prenom="Zoé", nom="Canarini-Née", telephone="+243899777301")


@pytest.fixture
def elle(gestionnaire):
    return Equipiere(gestionnaire)


def effacer(compte):
    effacements.achever(effacements.effacer_compte(compte.pk))


def garder(elle, adresse, nom="Le mien"):
    assert elle.envoyer(GARDER, {"nom": nom, "adresse": adresse}).status_code == 303


def parametres(gestionnaire):
    return Preferences.objects.get(compte=gestionnaire).parametres


def reste(gestionnaire, elle):
    """Whether the base, or the page of the list, still says who she was."""
    dits = (normaliser(json.dumps(parametres(gestionnaire), ensure_ascii=False)), normaliser(elle.lire()))
    return [dit for dit in dits if "canarini" in dit or "243899777301" in dit]


@pytest.mark.parametrize(
    "tape",
    [
        "Zoé Canarini-Née",
        "ZOÉ CANARINI-NÉE",
        "zoe canarini nee",
        "  Canarini–Née   Zoé ",
        "canarini-nee",
        "Zoe\u0301 Canarini-Ne\u0301e",
        '"zoé canarini-née" amphi',
        "zoe.canarini@campus.test",
        "ZOE.Canarini@CAMPUS.test",
        "zoe.canarini",
        "243899777301",
        "+243899777301",
    ],
)
@pytest.mark.parametrize("coder", [quote, quote_plus, str.upper], ids=["%20", "+", "nu"])
def test_un_filtre_garde_ne_la_nomme_plus(zoe, elle, gestionnaire, tape, coder):
    garder(elle, f"vue=clos&search={coder(tape)}&statut=EN_COURS")
    assert reste(gestionnaire, elle)

    effacer(zoe)

    (garde,) = parametres(gestionnaire)["filtres"]
    assert reste(gestionnaire, elle) == []
    assert garde["nom"] == "Le mien"
    assert garde["adresse"].startswith("vue=clos&search=")
    assert garde["adresse"].endswith("&statut=EN_COURS")
    assert not garde["adresse"].startswith("vue=clos&search=&")


@pytest.mark.parametrize(
    ("prenom", "nom", "tape"),
    [
        ("Søren", "Møller", "soren moller"),
        ("Ana", "Œuvrard", "oeuvrard"),
        ("Łukasz", "Wałęsa", "lukasz walesa"),
        ("Zoé", "Martineau", "martin\u200beau"),
        ("Zoé", "Martineau", "zo\u00ade martineau"),
    ],
)
def test_ce_que_la_recherche_dit_egal_l_effacement_aussi(elle, gestionnaire, prenom, nom, tape):
    personne = comptes.compte(prenom=prenom, nom=nom, email="une@campus.test")
    assert personne in Compte.objects.cherches(tape)
    garder(elle, f"search={quote_plus(tape)}")

    effacer(personne)

    (garde,) = parametres(gestionnaire)["filtres"]
    assert indexable(tape) not in indexable(unquote_plus(garde["adresse"]))


@pytest.mark.parametrize(
    "nom", ["Zoé Canarini-Née", "canarini-nee", "Ce que dit zoe.canarini@campus.test", "Mme CANARINI-NÉE"]
)
def test_ni_par_le_nom_qu_on_lui_donna(zoe, elle, gestionnaire, nom):
    garder(elle, "vue=clos", nom=nom)
    assert reste(gestionnaire, elle)

    effacer(zoe)

    assert reste(gestionnaire, elle) == []
    assert "vue=clos" in parametres(gestionnaire)["filtres"][0]["adresse"]


@pytest.mark.parametrize(
    "tape",
    [
        *("lubax", "nzux", "LUBAX-Nzux", "marie-clairx lubax", "Lubax Marie", "nzux marie clairx", "lubax nzux"),
        *("clairx nzux lubax", "amphi lubax", "l'amphi de Mme Lubax"),
    ],
)
def test_ni_par_un_mot_d_un_nom_compose_dans_n_importe_quel_ordre(elle, gestionnaire, tape):
    une = comptes.compte(email="x@campus.test", prenom="Marie-Clairx", nom="Nzux Lubax")
    garder(elle, f"search={quote(tape)}", nom="Dossiers de Mme Lubax")

    effacer(une)

    dit = normaliser(json.dumps(parametres(gestionnaire), ensure_ascii=False) + elle.lire())
    assert not [mot for mot in ("lubax", "nzux", "clairx") if mot in dit]
    assert ("amphi" in dit) == ("amphi" in tape)


def test_un_mot_qui_est_aussi_le_nom_d_une_autre_reste(elle, gestionnaire):
    une = comptes.compte(email="x@campus.test", prenom="Marie", nom="Nzux Lubax")
    comptes.compte(email="y@campus.test", prenom="Jeanne", nom="Lubax")
    garder(elle, "search=lubax&statut=NOUVEAU", nom="Lubax")

    effacer(une)

    assert "lubax" in json.dumps(parametres(gestionnaire)).lower()


@pytest.mark.parametrize(
    "garde",
    [
        {"filtres": [{"nom": "x", "adresse": "?search=canarini-n%C3%A9e"}]},
        {"derniere": "https://campus.test/equipe/dossiers/?vue=clos&search=Zo%C3%A9+CANARINI-N%C3%89E"},
        {"retour": "/admin/login/?next=/equipe/dossiers/%3Fsearch%3Dzoe%2Bcanarini-nee%26vue%3Dclos"},
        {"dernieresRecherches": ["amphi", "Canarini-Née"]},
        {"chemin": "/recherche/Zo%C3%A9%20Canarini-N%C3%A9e"},
        {"auteurPresume": "canarini-née"},
        {"Zoé Canarini-Née": True},
        {"note": "= Zoé Canarini-Née ="},
    ],
)
def test_ni_sous_la_forme_d_un_autre_client(zoe, elle, gestionnaire, garde):
    modifier_preferences(compte=gestionnaire, parametres=garde)
    dit = normaliser(json.dumps(garde, ensure_ascii=False))
    assert "canarini" in dit

    effacer(zoe)

    assert reste(gestionnaire, elle) == []


def test_ce_qui_n_est_pas_elle_reste_tel_quel(zoe, elle, gestionnaire):
    """A namesake in part, words of lists, an address in its own encoding: nothing is rewritten for nothing."""
    comptes.compte(prenom="Ana", nom="Née", email="contact@campus.test")
    gardes = {
        "Canarinis": "search=canarini-neelle&vue=clos",
        "Zoé": "search=zo%C3%A9",
        "Urgence née hier": "search=n%c3%a9e&priorite=HAUTE",
        "Autre": "search=jean.zoe.canarini@campus.test.org",
    }
    modifier_preferences(
        compte=gestionnaire,
        parametres={"filtres": [{"nom": nom, "adresse": adresse} for nom, adresse in gardes.items()], "a=b": "c%20d"},
    )
    avant = parametres(gestionnaire)

    effacer(zoe)

    assert parametres(gestionnaire) == avant


def test_ce_qu_un_client_y_met_d_illisible_n_arrete_pas_un_effacement(zoe, gestionnaire, etudiante):
    modifier_preferences(compte=etudiante, parametres={"adresse": "?" + "&".join(f"c{n}" for n in range(2_000))})
    modifier_preferences(compte=gestionnaire, parametres={"adresse": "?" + "a=" * 3_000 + "canarini", "b": "%E9%ZZ=%"})

    effacer(zoe)

    zoe.refresh_from_db()
    assert zoe.date_effacement is not None
