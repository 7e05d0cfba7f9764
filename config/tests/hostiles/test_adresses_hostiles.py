"""Whatever an address holds, the answer is an envelope of 4xx."""

from itertools import product
from urllib.parse import quote
from zoneinfo import ZoneInfo

import pytest

from config.tests.outils import refermer
from config.tests.outils.hostiles import OPERATIONS, Appel, champs_nommes, contenu_de_la_base, par_operation

pytestmark = [pytest.mark.django_db, pytest.mark.longue]

# A day is no id: one that cannot be read is a 422.
AVEC_ID = [operation for operation in OPERATIONS if "{" in operation.chemin and "{target_date}" not in operation.chemin]
LISTES = [operation for operation in OPERATIONS if {"page", "size"} <= set(operation.parametres)]
FAUX_IDENTIFIANTS = {
    "mot": "x",
    "zero": "0",
    "negatif": "-1",
    "nul": "00000000-0000-0000-0000-000000000000",
    "tout a f": "ffffffff-ffff-ffff-ffff-ffffffffffff",
    "court": "5f0c2a9e-6a7c-4c7e-9f6b-0a1b2c3d4e5",
    "pleine chasse": "５f0c2a9e-6a7c-4c7e-9f6b-0a1b2c3d4e5f",
    "apostrophe": "' OR 1=1 --",
    "NUL": "\x00",
    "NUL a la fin": "5f0c2a9e-6a7c-4c7e-9f6b-0a1b2c3d4e5f\x00",
    "retour a la ligne": "5f0c2a9e-6a7c-4c7e-9f6b-0a1b2c3d4e5f\n",
    "long": "a" * 10_000,
    "gabarit": "{id}",
    "null": "null",
}


@par_operation(AVEC_ID)
def test_un_identifiant_qui_n_en_est_pas_un_est_un_404(operation):
    appel = Appel(operation)
    debut, _, fin = operation.chemin.partition("{")
    adresses = {nom: f"{debut}{quote(faux)}{fin.partition('}')[2]}" for nom, faux in FAUX_IDENTIFIANTS.items()}
    adresses["pas utf-8"] = f"{debut}%FF%FE{fin.partition('}')[2]}"
    avant = contenu_de_la_base()

    statuts = {nom: appel.envoyer(appel.corps or None, url=url).status_code for nom, url in adresses.items()}

    assert statuts == dict.fromkeys(adresses, 404)
    assert contenu_de_la_base() == avant


@par_operation([operation for operation in AVEC_ID if "guestId" in operation.chemin or "_id" in operation.chemin])
def test_un_identifiant_n_a_qu_une_forme_avec_ses_tirets(operation):
    appel = Appel(operation)
    nom = operation.chemin.partition("{")[2].partition("}")[0]
    bon = appel.scene.valeur(nom, operation.acteur)
    formes = [bon.replace("-", ""), f"{{{bon}}}", f"urn:uuid:{bon}", f"{bon[:-3]}_{bon[-2:]}", f"{bon}\n"]

    adresses = [operation.chemin.replace(f"{{{nom}}}", quote(forme)) for forme in formes]

    assert [appel.envoyer(appel.corps or None, url=url).status_code for url in adresses] == [404] * len(formes)


PAGES_FAUSSES = ["-1", "1.5", "abc", "", " ", "１", "+1", "1e3", "0x1", "null", "1%00", "%FF", "1,2", "--1", "²"]


@par_operation(LISTES)
@pytest.mark.parametrize("nom", ["page", "size"])
def test_une_page_ou_une_taille_qui_n_est_pas_un_entier_est_nommee(operation, nom):
    appel = Appel(operation)
    fausses = [*PAGES_FAUSSES, "0"] if nom == "size" else PAGES_FAUSSES

    recues = {faux: appel.envoyer(url=f"{appel.url}?{nom}={faux}") for faux in fausses}

    assert {faux: (r.status_code, champs_nommes(r)) for faux, r in recues.items()} == dict.fromkeys(
        fausses, (422, {nom})
    )


@par_operation(LISTES)
def test_une_page_ou_une_taille_demesuree_ne_casse_rien(operation):
    appel = Appel(operation)

    statuts = {
        (nom, valeur): appel.envoyer(url=f"{appel.url}?{nom}={valeur}").status_code
        for nom in ("page", "size")
        for valeur in ("2147483647", "2147483648", "9" * 18, "9" * 19, "9" * 30, "9" * 5_000)
    }

    assert set(statuts.values()) <= {200, 422}, statuts


QUESTIONS_HOSTILES = [
    "%00",
    "a%00b",
    "%FF%FE",
    "%ED%A0%80",
    "a" * 10_000,
    "%F0%9F%92%A3",
    "'%22%3B--",
    "0001-01-01",
    "9999-12-31",
    "0000-00-00",
    "2026-02-30",
    "99999999999999999999",
    "00000000-0000-0000-0000-000000000000",
    "signalement:%00",
    "signalement:" + "a" * 36,
    "%25",
    "_",
    "\\",
    "[]",
]


@par_operation([operation for operation in OPERATIONS if operation.methode == "GET"])
def test_une_question_hostile_recoit_une_reponse_ou_un_refus(operation):
    appel = Appel(operation)
    adresse = appel.url.partition("?")[0]
    noms = [*operation.parametres, "guestId", "inconnu", *["cle"] * operation.se_dit_en_question]

    statuts = {}
    for nom, valeur in product(noms, QUESTIONS_HOSTILES):
        reponse = appel.envoyer(url=f"{adresse}?{nom}={valeur}")
        statuts[f"{nom}={valeur[:20]}"] = reponse.status_code
        refermer(reponse)

    refus = {401, 410} if operation.se_dit_en_question else {400, 403, 422}
    refus |= {404} if "404" in operation.description["responses"] else set()  # of what the question names
    assert set(statuts.values()) <= {200} | refus, statuts


@par_operation([operation for operation in OPERATIONS if {"debut", "fin"} & set(operation.parametres)])
@pytest.mark.parametrize("fuseau", ["UTC", "Africa/Kinshasa", "Pacific/Honolulu"])
def test_le_premier_et_le_dernier_jour_se_cherchent_ou_se_refusent(operation, fuseau, settings):
    settings.TIME_ZONE_CAMPUS = ZoneInfo(fuseau)
    appel = Appel(operation)
    adresse = appel.url.partition("?")[0]
    jours = [f"{nom}={jour}" for nom in ("debut", "fin") for jour in ("0001-01-01", "9999-12-31")]

    statuts = {jour: appel.envoyer(url=f"{adresse}?{jour}").status_code for jour in jours}

    assert set(statuts.values()) <= {200, 422}, statuts


SANS_NOM = ["%00", "%FF=%FF", "&&&===", "a&a&a", "=%ED%A0%80", "a=1;b=2", "%"]


@par_operation([operation for operation in OPERATIONS if operation.methode == "GET"])
def test_une_question_sans_nom_est_ignoree(operation):
    appel = Appel(operation)
    debut = f"{appel.url}{'&' if '?' in appel.url else '?'}"

    statuts = {}
    for question in SANS_NOM:
        reponse = appel.envoyer(url=debut + question)
        statuts[question] = reponse.status_code
        refermer(reponse)

    assert statuts == dict.fromkeys(SANS_NOM, 200)
