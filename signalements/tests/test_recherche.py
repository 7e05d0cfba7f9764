"""What the search of the team's lists finds, however it is typed, and what it keeps from who is accused."""

import re

import pytest
from django.db import connection

from accounts.tests import fabriques as comptes
from config.tests.outils import acteur_de
from espace.tests.outils import LISTE, Equipiere
from signalements.models import Signalement
from signalements.reserve import changer_lecteurs as reserver
from signalements.services import tirer_reference
from signalements.tests import fabriques
from signalements.vocabulaire import reference_dans, reference_ecrite
from stats.tests.outils import exporter

pytestmark = pytest.mark.django_db
URL = "/api/v1/signalements/"
UNE_AUTRE = "SIG-2026-7KF39WS1"
# More words than are compared.
LONG = "La serrure du local est cassée depuis trois semaines et personne ne vient jamais la réparer malgré nos appels"


def trouves(client, chemin="", **question):
    donnees = client.get(f"{URL}{chemin}", question).json()["data"]
    assert donnees["total"] == len(donnees["items"])
    return [item["reference"] for item in donnees["items"]]


def dans_l_espace(compte, **question):
    return re.findall(r'<p class="indice"><span[^>]*>(SIG-\d{4}-\w{8})', Equipiere(compte).lire(LISTE, **question))


def partout(api, compte, question):
    """What the same question finds, the same by every way in."""
    lus = {
        "liste": trouves(api(compte), search=question),
        "à traiter": trouves(api(compte), "non-traites", search=question),
        "espace": dans_l_espace(compte, search=question),
        "export": [ligne["Référence"] for ligne in exporter(api(compte), search=question)],
    }
    assert len({tuple(references) for references in lus.values()}) == 1, lus
    return lus["liste"]


@pytest.mark.parametrize(
    ("ecrit", "cherche"),
    [
        ("Devant l’amphi", "l'amphi"),
        ("Devant l'amphi", "l’amphi"),
        ("Devant l’amphi", "amphi"),
        ("Un rendez‑vous", "rendez-vous"),
        ("Un rendez-vous", "rendez‑vous"),
        ("Un rendez-vous", "rendez vous"),
        ("Un rendez vous", "rendez–vous"),
        ("Ma sœur", "soeur"),
        ("Ma soeur", "SŒUR"),
        ("Avec Łukasz", "lukasz"),
        ("Avec Lukasz", "Łukasz"),
        ("Avec Søren", "soren"),
        ("Avec Işık", "isik"),
        ("Avec Isik", "IŞIK"),
        ("Une ser\u00adrure", "serrure"),
        ("Une serrure", "ser\u00adrure\u200b"),
        ("Une \u202eserrure\u202c", "serrure"),
        ("La serrure du local est cassée", "serrure cassée"),
        ("La serrure du local est cassée", "CASSEE local, serrure"),
        ("La serrure du local est cassée", "«\u00a0serrure du local\u00a0» cassée"),
        ("La serrure du local est cassée", '"est cassée'),
        (LONG, LONG),
    ],
)
@pytest.mark.parametrize("champ", ["titre", "description", "lieu_incident", "auteur_presume"])
def test_ce_qui_s_ecrit_autrement_se_trouve(api, gestionnaire, etudiante, champ, ecrit, cherche):
    dossier = fabriques.signalement(acteur_de(etudiante), **{champ: ecrit})
    fabriques.signalement(acteur_de(etudiante), description="Rien de tel.")

    assert trouves(api(gestionnaire), search=cherche) == [dossier.reference]


@pytest.mark.parametrize(
    "cherche", ["serrure fenêtre", '"cassée serrure"', "serrures", '"', "\u00ad", "serrure\u00a0-\u00a0licorne"]
)
def test_tous_les_mots_sont_exiges(api, gestionnaire, etudiante, cherche):
    fabriques.signalement(acteur_de(etudiante), description="La serrure du local est cassée.")

    assert trouves(api(gestionnaire), search=cherche) == []


def test_une_question_vide_ne_filtre_pas(api, gestionnaire, signalement):
    assert trouves(api(gestionnaire), search="") == trouves(api(gestionnaire), search="  ") == [signalement.reference]


# --- The presumed author --------------------------------------------------------------------------------------------


def test_l_auteur_presume_et_le_lieu_se_cherchent_par_toutes_les_entrees(api, gestionnaire, etudiante):
    champs = {"lieu_incident": "Bâtiment Œrsted", "auteur_presume": "Le gardien Mbuyi"}
    dossier = fabriques.signalement(acteur_de(etudiante), **champs)

    assert partout(api, gestionnaire, "mbuyi oersted amphi") == [dossier.reference]


@pytest.mark.parametrize(
    "cherche",
    ["Ilunga", "ILUNG", "lung", "unga", "il", "Illunga", "ilnga", "paul", '"m. p. il"', "i.lunga", "ilunga gardien"],
)
def test_qui_cherche_son_nom_ne_trouve_pas_qui_le_met_en_cause(api, gestionnaire, etudiante, cherche):
    """Nowhere, and as if it named nobody; another of the team finds it."""
    texte = {"titre": "Mots", "description": "Des mots."}
    auteur = "M. P. Ilunga (ILNGA, Illunga, i.lunga), Paul, gardien"
    dossier = fabriques.signalement(acteur_de(etudiante), auteur_presume=auteur, **texte)

    assert partout(api, gestionnaire, cherche) == []
    collegue = comptes.gestionnaire(nom="Ferry", prenom="Zoé", email="zoe@campus.test")
    assert trouves(api(collegue), search=cherche) == [dossier.reference]


def test_son_nom_se_cherche_encore_dans_les_textes(api, gestionnaire, etudiante):
    dossier = fabriques.signalement(acteur_de(etudiante), description="Merci à M. Ilunga.", auteur_presume="Un inconnu")

    assert trouves(api(gestionnaire), search="ilunga") == [dossier.reference]
    assert trouves(api(gestionnaire), search="ilunga inconnu") == []  # the author is not looked at, by any word


def test_changer_de_nom_n_y_change_rien(api, gestionnaire, etudiante):
    fabriques.signalement(acteur_de(etudiante), auteur_presume="Paul Ilunga")
    api(gestionnaire).put(f"/api/v1/comptes/{gestionnaire.pk}", {"nom": "Mukendi", "prenom": "Jo"})
    gestionnaire.refresh_from_db()

    assert trouves(api(gestionnaire), search="ilunga") == []
    assert set(gestionnaire.noms_portes.split()) >= {"ilunga", "paul", "jo", "mukendi"}


# --- A reference ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ecrite", "lue"),
    [
        ("SIG-2026-7KF39WS1", UNE_AUTRE),
        ("#SIG-2026-7KF39WS1", UNE_AUTRE),
        ("sig 2026 7kf39ws1", UNE_AUTRE),
        ("SIG–2026–7KF39WS1", UNE_AUTRE),
        ("SIG‑2026—7KF39WS1.", UNE_AUTRE),
        ("sig20267kf39ws1", UNE_AUTRE),
        ("2026-7KF39WS1", UNE_AUTRE),
        ("« SIG-2O26-7KF39WSl »", UNE_AUTRE),
        ("S1G_2026_7KF39WSI", UNE_AUTRE),
        ("Dossier n° SIG/2026/7KF3 9WS1", UNE_AUTRE),
        ("Référence\u00a0: SIG-2026-7KF39WS1", UNE_AUTRE),
        ("\u200bSIG-2026-\u00ad7KF39WS1\u202c", UNE_AUTRE),
        ("ＳＩＧ－２０２６－７ＫＦ３９ＷＳ１", UNE_AUTRE),
        ("SIG-2026-O0IL39WS", "SIG-2026-001139WS"),
        ("SIG-2026-7KF39WSU", None),  # no letter of a reference
        ("SIG-2026-7KF39WS", None),
        ("SIG-2026-7KF39WS1 serrure", None),
        ("2026 reunions", None),
        ("2026 garderie", None),
        ("signaler 2026 garderie", None),
        ("xSIG-2026-7KF39WS1", None),
        *(
            (f"{devant}SIG-2026-7KF39WS1", UNE_AUTRE)
            for devant in ("case ", "Re: ", "Votre référence : ", "numéro de dossier : ", "mon dossier ", "https://x/")
        ),
        ("serrure cassée", None),
        ("", None),
    ],
)
def test_une_reference_se_lit_comme_on_l_ecrit(ecrite, lue):
    assert reference_ecrite(ecrite) == lue


@pytest.mark.parametrize(
    ("colle", "lue"),
    [
        ("SIG-2026-7KF39WS1 merci", UNE_AUTRE),
        ("SIG-2026-7KF39WS1 (clos)", UNE_AUTRE),
        ("Référence : SIG-2026-7KF39WS1. Elle dit de quel dossier vous parlez ; elle n'ouvre rien.", UNE_AUTRE),
        ("SIG-2026-7KF39WS1 SIG-2026-7KF39WS2", UNE_AUTRE),  # the first
        ("n° 2026-7KF39WS1", UNE_AUTRE),
        ("SIG-2026-UUUUUUUU", None),
        ("chat 2026 7KF39WS1 porte", None),
    ],
)
def test_une_reference_se_trouve_parmi_d_autres_mots(colle, lue):
    assert reference_dans(colle) == lue


def test_une_reference_tiree_a_un_chiffre(monkeypatch):
    """Written without its SIG, « 2026 garderie » is no reference."""
    tirages = iter([bytes([10] * 8), bytes([10] * 7 + [9])])
    monkeypatch.setattr("signalements.services.secrets.token_bytes", lambda _nombre: next(tirages))

    assert tirer_reference()[9:] == "AAAAAAA9"


def ecritures(reference):
    courte = reference.replace("-", " ").lower()
    return [reference, f"#{reference}", courte, reference.replace("-", "–"), reference.replace("0", "O"), courte[4:]]


@pytest.mark.parametrize("statut", ["NOUVEAU", "CLOTURE"])
def test_une_reference_mene_a_son_dossier_de_toutes_les_listes(api, gestionnaire, etudiante, statut):
    dossier = fabriques.mettre(fabriques.signalement(acteur_de(etudiante)), statut=statut)
    client = api(gestionnaire)

    for ecrite in ecritures(dossier.reference):
        assert partout(api, gestionnaire, ecrite) == [dossier.reference]
    for filtre in ({"statut": "EN_COURS"}, {"type": "VOL"}, {"fin": "2020-01-01"}, {"gestionnaireId": str(dossier.pk)}):
        assert trouves(client, search=dossier.reference, **filtre) == [dossier.reference]
    for vue in ("a-moi", "non-lus", "clos"):
        assert dans_l_espace(gestionnaire, vue=vue, search=dossier.reference) == [dossier.reference]


def test_une_reference_jointe_mene_au_dossier_qui_demeure(api, gestionnaire, etudiante):
    absorbe, dossier = (fabriques.signalement(acteur_de(etudiante)) for _ in range(2))
    fabriques.joindre(absorbe, dossier)
    fabriques.mettre(dossier, statut="CLOTURE")

    assert trouves(api(gestionnaire), "non-traites", search=absorbe.reference.lower()) == [dossier.reference]


def test_la_reference_d_un_dossier_ferme_est_celle_de_personne(api, gestionnaire, admin, etudiante):
    """Even where another case quotes it: it is found by that text, as for a reference that nobody bears."""
    ferme = fabriques.signalement(acteur_de(etudiante))
    cites = [
        fabriques.signalement(acteur_de(etudiante), description=f"Comme {reference}.")
        for reference in (ferme.reference, UNE_AUTRE)
    ]
    reserver(signalement=ferme, acteur=acteur_de(admin), ecartes=[gestionnaire.pk])

    for reference, cite in zip((ferme.reference, UNE_AUTRE), cites, strict=True):
        assert partout(api, gestionnaire, reference) == [cite.reference]
        assert trouves(api(gestionnaire), search=reference, statut="TRAITE") == []
    assert trouves(api(admin), search=ferme.reference) == [ferme.reference]


def test_une_reference_qui_n_est_a_personne_coute_autant_que_celle_d_un_dossier_ferme(
    api, gestionnaire, admin, etudiante, django_assert_num_queries
):
    ferme = fabriques.signalement(acteur_de(etudiante))
    reserver(signalement=ferme, acteur=acteur_de(admin), ecartes=[gestionnaire.pk])
    client = api(gestionnaire)

    for reference in (UNE_AUTRE, ferme.reference):
        client.get(URL, {"search": reference})  # noted by the register once
        with django_assert_num_queries(4):
            client.get(URL, {"search": reference})


# --- The indexes ----------------------------------------------------------------------------------------------------


@pytest.mark.postgres
@pytest.mark.parametrize("question", ["serrure k7", "serrure kabila k7"])
def test_une_recherche_est_servie_par_un_seul_index(admin, question):
    """Its short words with the others: alone they would have the whole of an index read. One's own name, too."""
    lignes = Signalement.objects.cherches(question, acteur_de(admin))
    with connection.cursor() as curseur:
        curseur.execute("SET LOCAL enable_seqscan = off")

    plan = lignes.order_by().explain()

    assert "signalements_signalement_recherche_auteur " in plan
    assert "BitmapOr" not in plan


# Letters that no reference has.
@pytest.mark.parametrize("cherche", ["ul", "serrure ul", "UL uo", "uy serrure", '"uo 2"'])
def test_un_mot_de_deux_lettres_se_cherche_partout(api, etudiante, cherche):
    champs = {"description": "La serrure du UL", "lieu_incident": "Salle UO 2", "auteur_presume": "Mbuyi"}
    dossier = fabriques.signalement(acteur_de(etudiante), **champs)
    fabriques.signalement(acteur_de(etudiante), description="La serrure du bas")
    collegue = comptes.gestionnaire(nom="Ferry", prenom="Zoé", email="zoe@campus.test")

    assert trouves(api(collegue), search=cherche) == [dossier.reference]
