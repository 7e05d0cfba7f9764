"""What is in the file: its columns, its dates, and nothing that a spreadsheet would run."""

import zipfile
from datetime import UTC, datetime, timedelta
from io import BytesIO
from zoneinfo import ZoneInfo

import pytest

from config.tests.outils import acteur_de, client_de
from signalements.tests import fabriques
from stats.exports import feuilles
from stats.exports.cellules import neutraliser
from stats.tests.outils import EXPORT, Classeur, en_date, exporter, lignes_csv, octets, telecharger

pytestmark = pytest.mark.django_db
ENTETE = [
    "Référence",
    "Titre",
    "Type",
    "Statut",
    "Priorité",
    "Identification",
    "Origine",
    "Auteur",
    "Gestionnaire",
    "Lieu",
    "Date de l'incident",
    "Créé le",
    "Modifié le",
    "Résolu le",
    "Délai de résolution (h)",
    "Bureau genre",
    "Pièces jointes",
    "Référence déclarée",
]
EN_ANGLAIS = [
    "Reference",
    "Title",
    "Type",
    "Status",
    "Priority",
    "Identification",
    "Origin",
    "Author",
    "Manager",
    "Place",
    "Date of the incident",
    "Created on",
    "Changed on",
    "Resolved on",
    "Time to resolution (h)",
    "Gender office",
    "Attachments",
    "Stated reference",
]


def mettre(signalement, **champs):
    signalement.refresh_from_db()
    fabriques.mettre(signalement, **champs)


# --- What a line says ---------------------------------------------------------------------------------------------


@pytest.fixture
def complet(etudiante, gestionnaire, settings):
    """A report with all its fields, at the hour of Kinshasa (+1)."""
    settings.TIME_ZONE_CAMPUS = ZoneInfo("Africa/Kinshasa")
    dossier = fabriques.signalement(
        acteur_de(etudiante),
        titre="Élève « poussé » ; œuvre, naïveté",
        type="VIOLENCE",
        lieu_incident="Bâtiment É",
        date_incident=datetime(2026, 2, 28, 23, 15, tzinfo=UTC),
        bureau_genre_id="BG-7",
    )
    client_de(gestionnaire).put(f"/api/v1/signalements/{dossier.pk}/assigner", {"gestionnaireId": str(gestionnaire.pk)})
    client_de(gestionnaire).put(f"/api/v1/signalements/{dossier.pk}/priorite", {"priorite": "CRITICAL"})
    client_de(gestionnaire).put(f"/api/v1/signalements/{dossier.pk}/statut", {"statut": "CLOTURE"})
    creation = datetime(2026, 3, 1, 8, 0, tzinfo=UTC)
    mettre(
        dossier,
        date_creation=creation,
        date_modification=creation + timedelta(days=2),
        date_resolution=creation + timedelta(hours=36, minutes=18),
        pieces_jointes=["a", "b"],
    )
    return dossier


@pytest.mark.parametrize("langue", ["fr", "en"])
def test_une_ligne_du_csv_est_en_francais_et_a_l_heure_du_campus(api, gestionnaire, complet, langue):
    """Without preferences, whatever the language of the request."""
    url = api(gestionnaire).post(EXPORT, {}, headers={"Accept-Language": langue}).json()["data"]["downloadUrl"]
    (ligne,) = lignes_csv(octets(telecharger(url)))

    assert list(ligne) == ENTETE
    assert list(ligne.values()) == [
        complet.reference,
        "Élève « poussé » ; œuvre, naïveté",
        "VIOLENCE",
        "Clôturé",
        "Critique",
        "IDENTIFIE",
        "Compte",
        "Awa Diop",
        "Paul Ilunga",
        "Bâtiment É",
        "2026-03-01 00:15",
        "2026-03-01 09:00",
        "2026-03-03 09:00",
        "2026-03-02 21:18",
        "36,3",
        "BG-7",
        "2",
        "non",
    ]


@pytest.mark.parametrize("format", ["csv", "xlsx"])
@pytest.mark.parametrize(("langue", "demandee", "entete"), [("en", "fr", EN_ANGLAIS), ("fr", "en", ENTETE)])
def test_les_titres_sont_dans_la_langue_du_compte_et_les_cellules_n_en_dependent_pas(
    api, gestionnaire, complet, format, langue, demandee, entete
):
    client, corps, entetes = api(gestionnaire), {"format": format}, {"Accept-Language": demandee}
    sans = octets(telecharger(client.post(EXPORT, corps, headers=entetes).json()["data"]["downloadUrl"]))
    client.put("/api/v1/preferences/", {"langue": langue})

    avec = octets(telecharger(client.post(EXPORT, corps, headers=entetes).json()["data"]["downloadUrl"]))

    (avant,), (apres,) = [Classeur(lu).feuilles[0] if format == "xlsx" else lignes_csv(lu) for lu in (sans, avec)]
    assert (list(avant), list(apres)) == (ENTETE, entete)
    assert list(apres.values()) == list(avant.values())
    assert format == "xlsx" or avec.startswith(b'\xef\xbb\xbf"' + entete[0].encode() + b'";')


def test_un_classeur_garde_ses_zeros_de_tete(api, gestionnaire, etudiante):
    fabriques.signalement(acteur_de(etudiante), titre="00123")

    url = api(gestionnaire).post(EXPORT, {"format": "xlsx"}).json()["data"]["downloadUrl"]

    assert Classeur(octets(telecharger(url))).feuilles[0][0]["Titre"] == "00123"


def test_une_reference_declaree_se_distingue_de_celle_qui_a_ete_tiree(api, gestionnaire, complet, invite):
    fabriques.signalement(acteur_de(invite), titre="Déclarée", reference=complet.reference)

    lignes = exporter(api(gestionnaire), search=complet.reference)

    dites = {ligne["Titre"]: ligne["Référence déclarée"] for ligne in lignes}
    assert dites == {complet.titre: "non", "Déclarée": "oui"}


def test_une_ligne_du_classeur_a_de_vraies_dates_et_de_vrais_nombres(api, gestionnaire, complet):
    url = api(gestionnaire).post(EXPORT, {"format": "xlsx"}).json()["data"]["downloadUrl"]
    classeur = Classeur(octets(telecharger(url)))
    ((ligne,),) = classeur.feuilles

    assert list(ligne) == ENTETE
    assert en_date(ligne["Date de l'incident"]) == datetime(2026, 3, 1, 0, 15)
    assert en_date(ligne["Résolu le"]) == datetime(2026, 3, 2, 21, 18)
    assert (ligne["Délai de résolution (h)"], ligne["Pièces jointes"]) == (36.3, 2)
    assert (ligne["Titre"], ligne["Statut"]) == ("Élève « poussé » ; œuvre, naïveté", "Clôturé")
    assert classeur.entete_figee


@pytest.mark.parametrize("format", ["csv", "xlsx"])
@pytest.mark.parametrize("annee", [1, 1899, 1900, 9999])
def test_une_date_des_bouts_du_calendrier_ne_casse_rien(api, gestionnaire, etudiante, settings, format, annee):
    settings.TIME_ZONE_CAMPUS = ZoneInfo("Pacific/Kiritimati" if annee == 9999 else "Pacific/Honolulu")
    jour = (12, 31, 23, 59) if annee == 9999 else (1, 1, 0, 0)
    fabriques.signalement(acteur_de(etudiante), date_incident=datetime(annee, *jour, tzinfo=UTC))

    url = api(gestionnaire).post(EXPORT, {"format": format}).json()["data"]["downloadUrl"]

    contenu = octets(telecharger(url))
    lignes = Classeur(contenu).feuilles[0] if format == "xlsx" else lignes_csv(contenu)
    assert lignes[0]["Date de l'incident"] not in ("", None)


# --- What a spreadsheet would run ---------------------------------------------------------------------------------

FORMULES = [
    "=1+1",
    '=HYPERLINK("https://exemple.test";"ici")',
    "=cmd|' /C calc'!A0",
    "+1+1",
    "+cmd|' /C calc'!A0",
    "-1+1",
    "-2+3+cmd|' /C calc'!A0",
    "@SUM(A1:A9)",
    "\t=1+1",
    "\r=1+1",
    "\n=1+1",
    " =1+1",
    "\u00a0=1+1",
    "\u3000@SUM(A1)",
    "\u200b=1+1",
    "\ufeff=1+1",
    "＝1+1",
    "＋1+1",
    "－1+1",
    "＠SUM(A1)",
    "﹦1+1",
    "−1+1",
    "- 5",
    "+33 1;=2",
]
TEXTES = ["", "Vol", "a=b", "Amphi B - 2e étage", "-5", "-5,5", "+243812345621", "'=1", "«=1»", "№ 7"]


@pytest.mark.parametrize("formule", FORMULES)
def test_ce_qu_un_tableur_lancerait_devient_un_texte(formule):
    assert neutraliser(formule) == f"'{formule}"


@pytest.mark.parametrize("texte", TEXTES)
def test_un_texte_ou_un_nombre_reste_tel_quel(texte):
    assert neutraliser(texte) == texte


@pytest.fixture
def hostiles(etudiante):
    """Reports whose every free text is a formula."""
    etudiante.prenom, etudiante.nom = "=1+1", "@nom"
    etudiante.save()
    for formule in FORMULES:
        fabriques.signalement(acteur_de(etudiante), titre=formule, lieu_incident=formule, bureau_genre_id=formule[:64])


def test_aucune_cellule_du_csv_ne_se_lance(api, gestionnaire, hostiles):
    lignes = exporter(api(gestionnaire))

    cellules = [cellule for ligne in lignes for cellule in ligne.values()]
    attendus = [f"'{formule}".replace("\n=", "\n'=") for formule in FORMULES]
    assert [ligne["Titre"] for ligne in reversed(lignes)] == attendus
    assert {ligne["Auteur"] for ligne in lignes} == {"'=1+1 @nom"}
    assert all(neutraliser(cellule) == cellule for cellule in cellules)


def test_aucune_cellule_du_classeur_n_est_une_formule_ni_un_lien(api, gestionnaire, hostiles, etudiante):
    fabriques.signalement(acteur_de(etudiante), titre="https://exemple.test", lieu_incident="mailto:a@b.test")
    url = api(gestionnaire).post(EXPORT, {"format": "xlsx"}).json()["data"]["downloadUrl"]

    classeur = Classeur(octets(telecharger(url)))

    assert classeur.formules == 0
    assert "<hyperlink" not in classeur.textes
    titres = [ligne["Titre"] for ligne in classeur.feuilles[0]]
    assert titres[0] == "https://exemple.test"
    assert {"=1+1", "@SUM(A1:A9)", "＝1+1"} <= set(titres)


# --- The two kinds of file ----------------------------------------------------------------------------------------


def test_le_csv_porte_sa_marque_ses_points_virgules_et_ses_fins_de_ligne(api, gestionnaire, etudiante):
    fabriques.signalement(acteur_de(etudiante), titre='Un "cri" ; puis\nrien')

    contenu = octets(telecharger(api(gestionnaire).post(EXPORT).json()["data"]["downloadUrl"]))

    assert contenu.startswith('\ufeff"Référence";"Titre";'.encode())
    assert contenu.count(b"\r\n") == 2
    assert contenu.endswith(b"\r\n")
    assert b';"Un ""cri"" ; puis\nrien";' in contenu


@pytest.mark.parametrize("format", ["csv", "xlsx"])
def test_un_export_vide_a_son_entete(api, gestionnaire, format):
    donnees = api(gestionnaire).post(EXPORT, {"format": format}).json()["data"]
    contenu = octets(telecharger(donnees["downloadUrl"]))

    assert donnees["lignes"] == 0
    if format == "csv":
        assert contenu.decode("utf-8-sig") == ";".join(f'"{nom}"' for nom in ENTETE) + "\r\n"
    else:
        assert Classeur(contenu).feuilles == [[]]
        assert zipfile.ZipFile(BytesIO(contenu)).testzip() is None


def test_une_feuille_pleine_continue_dans_une_autre(api, gestionnaire, etudiante, monkeypatch):
    monkeypatch.setattr(feuilles, "LIGNES_PAR_FEUILLE", 3)
    dossiers = [fabriques.signalement(acteur_de(etudiante)) for _rang in range(5)]
    url = api(gestionnaire).post(EXPORT, {"format": "xlsx"}).json()["data"]["downloadUrl"]

    classeur = Classeur(octets(telecharger(url)))

    assert [len(feuille) for feuille in classeur.feuilles] == [2, 2, 1]
    assert classeur.entete_figee
    lues = [ligne["Référence"] for feuille in classeur.feuilles for ligne in feuille]
    assert lues == [dossier.reference for dossier in reversed(dossiers)]


# --- Small numbers ------------------------------------------------------------------------------------------------


@pytest.fixture
def repartis(etudiante):
    """Three reports of one place and type, one of another, two of an office."""
    for rang in range(3):
        fabriques.signalement(
            acteur_de(etudiante), type="VOL", lieu_incident="Amphi A", bureau_genre_id="B1" if rang else ""
        )
    fabriques.signalement(acteur_de(etudiante), type="RARE", lieu_incident="Chambre 12", titre="Rare")


VOLS, AMPHIS, BUREAUX = ["VOL"] * 3, ["Amphi A"] * 3, ["", "", "B1", "B1"]


@pytest.mark.parametrize(
    ("seuil", "types", "lieux", "bureaux"),
    [
        (0, ["RARE", *VOLS], [*AMPHIS, "Chambre 12"], BUREAUX),
        (2, ["Autre", *VOLS], [*AMPHIS, "Autre"], BUREAUX),
        (3, ["Autre", *VOLS], [*AMPHIS, "Autre"], ["Autre"] * 4),
        (4, ["Autre"] * 4, ["Autre"] * 4, ["Autre"] * 4),
    ],
)
def test_ce_que_trop_peu_partagent_s_ecrit_autre(api, gestionnaire, repartis, settings, seuil, types, lieux, bureaux):
    settings.SMALL_CELLS_BELOW = seuil

    lignes = exporter(api(gestionnaire))

    lues = [sorted(ligne[nom] for ligne in lignes) for nom in ("Type", "Lieu", "Bureau genre")]
    assert lues == [types, lieux, bureaux]


def test_les_petits_nombres_se_comptent_sous_les_memes_filtres(api, gestionnaire, repartis, autre_etudiante, settings):
    settings.SMALL_CELLS_BELOW = 2
    fabriques.signalement(acteur_de(autre_etudiante), type="RARE", lieu_incident="Chambre 12", titre="Rare aussi")

    ensemble = exporter(api(gestionnaire), search="rare")
    seul = exporter(api(gestionnaire), search="aussi")

    assert [ligne["Lieu"] for ligne in ensemble] == ["Chambre 12"] * 2
    assert [(ligne["Type"], ligne["Lieu"]) for ligne in seul] == [("Autre", "Autre")]
