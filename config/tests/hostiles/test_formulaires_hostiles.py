"""Every form of the portal and of the workspace, field by field, with what nobody would type: a page answers."""

import html
import os
import re
from contextlib import contextmanager
from http.cookies import SimpleCookie
from typing import Any, NamedTuple

import pytest
from django.db import connection, transaction

from accounts.tests.fabriques import compte, invitation
from calendrier.tests.fabriques import evenement
from config.tests.outils import acteur_de
from discussions.services import ecrire, ouvrir
from espace.tests.outils import LISTE, Equipiere
from forum.tests import fabriques as fabriques_du_forum
from portail.tests.outils import Visiteuse, le_dossier
from reponses.tests.fabriques import modele
from resources.tests import fabriques as fabriques_de_fichiers

pytestmark = [pytest.mark.django_db, pytest.mark.longue]
HOSTILES = [
    "",
    " \t\r\n",
    "\x00",
    "a\x00b",
    "\x1b[2J",
    "x" * 100_000,
    "\u202e\u0000\ufeff",
    "𝕏" * 300,
    "-1",
    "²",
    "٣",
    "9" * 400,
    "1e309",
    "NaN",
    "true",
    "../../../etc/passwd",
    "<script>alert(1)</script>",
    "' OR 1=1 --",
    "%00%ff",
    "{{ settings }}",
    "[]",
    '{"a": [1]}',
    "2026-02-30",
    "5f0c2a9e-6a7c-4c7e-9f6b-0a1b2c3d4e5f",
    "+" * 40,
]
# What PostgreSQL may judge otherwise than SQLite; the forms alone judge the rest.
POUR_LA_BASE = {"a\x00b", "x" * 100_000, "\u202e\u0000\ufeff", "𝕏" * 300, "9" * 400, "NaN", "%00%ff", "2026-02-30"}
if connection.vendor == "postgresql":
    HOSTILES = [hostile for hostile in HOSTILES if hostile in POUR_LA_BASE]
# Each field gets a part of them, and its neighbours the others; all of them for who has hours.
PART = 1 if os.environ.get("PREUVES") == "longue" else 3
FORMULAIRE = re.compile(r"<form\b([^>]*)>(.*?)</form>", re.DOTALL)
CHAMP = re.compile(r"<(?:input|textarea|select|button)\b[^>]*\bname=\"([^\"]+)\"[^>]*>")


class Formulaire(NamedTuple):
    action: str
    champs: dict[str, str]


def attribut(balise: str, nom: str) -> str:
    trouve = re.search(rf'\b{nom}="([^"]*)"', balise)
    return html.unescape(trouve[1]) if trouve else ""


PAGE = "text/html"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
# Forms that answer a file, beside a page.
ZIP = "application/zip"
TELECHARGES = {"/acces/donnees/": {ZIP}, "/compte/": {ZIP}, "/equipe/exporter/": {"text/csv", XLSX}}


def formulaires(page: str, ici: str) -> list[Formulaire]:
    """Those that are posted, with what they hold; a field or a button elsewhere says which it belongs to."""
    lus: dict[str, Formulaire] = {}
    for rang, (tete, corps) in enumerate(FORMULAIRE.findall(page)):
        if attribut(tete, "method") == "post":
            nom = attribut(tete, "id") or str(rang)
            champs = {trouve[1]: attribut(trouve[0], "value") for trouve in CHAMP.finditer(corps)}
            lus[nom] = Formulaire(attribut(tete, "action") or ici, champs)
    for balise in re.findall(r"<[a-z]+\b[^>]*\bform=\"[^\"]+\"[^>]*>", page):
        if (porte := lus.get(attribut(balise, "form"))) and attribut(balise, "name"):
            porte.champs[attribut(balise, "name")] = attribut(balise, "value")
    autres = [
        Formulaire(attribut(bouton, "formaction"), porte.champs)
        for bouton in re.findall(r"<button\b[^>]*\bformaction=[^>]*>", page)
        if (porte := lus.get(attribut(bouton, "form")))
    ]
    return [*lus.values(), *autres]


@contextmanager
def defait(client: Any) -> Any:
    """What is posted within leaves nothing: neither a row nor a cookie."""
    cookies = SimpleCookie(client.cookies.output(header="", sep=";"))
    with transaction.atomic():
        yield
        transaction.set_rollback(True)
    client.cookies = cookies


def essayer(client: Any, adresse: str) -> tuple[int, list[str]]:
    """How many forms the page has, and what made one of them fail."""
    page = client.get(adresse)
    assert page.status_code in (200, 422), (adresse, page.status_code)
    fautes = []
    lus = formulaires(page.content.decode(), adresse)
    for lu in lus:
        champs = {nom: valeur for nom, valeur in lu.champs.items() if nom != "csrfmiddlewaretoken"}
        essais = [
            {**champs, nom: valeur} for rang, nom in enumerate(champs) for valeur in HOSTILES[rang % PART :: PART]
        ]
        essais += [{**champs, nom: ["un", "deux"]} for nom in champs]
        essais += [{autre: v for autre, v in champs.items() if autre != nom} for nom in champs]
        for essai in [champs, *essais]:
            with defait(client):
                reponse = client.envoyer(lu.action, essai)
            servi = reponse.headers.get("Content-Type", PAGE).partition(";")[0]
            if reponse.status_code >= 500 or servi not in {PAGE, *TELECHARGES.get(lu.action, ())}:
                fautes.append(f"{lu.action} {str(essai)[:200]} : {reponse.status_code}")
    return len(lus), fautes


@pytest.fixture
def venue(gestionnaire):
    """Somebody who has reported, whom the team has answered."""
    visiteuse = Visiteuse()
    visiteuse.signaler()
    discussion = ouvrir(acteur=acteur_de(gestionnaire), titre="Suivi", signalement_id=le_dossier().pk)
    ecrire(acteur=acteur_de(gestionnaire), discussion=discussion, contenu="Bonjour.")
    return visiteuse


@pytest.mark.parametrize(
    "adresse",
    [
        "/ecrire/faits/",
        "/ecrire/details/",
        "/ecrire/numero/",
        "/retrouver/",
        "/compte/connexion/",
        "/compte/inscription/",
        "/compte/oubli/",
    ],
)
def test_un_formulaire_du_portail_ouvert_a_tous(adresse, settings):
    settings.PORTAIL_TELEPHONE_EXIGE = "numero" in adresse  # its page is there where one is asked
    combien, fautes = essayer(Visiteuse(), adresse)

    assert combien == 1
    assert fautes == []


@pytest.mark.parametrize(
    ("adresse", "combien"),
    [
        ("/recu/verifier/", 1),
        ("/dossiers/1/", 2),
        ("/dossiers/1/fichier/", 2),
        ("/acces/", 4),
        ("/acces/terminer/", 2),
        ("/acces/numero/", 1),
        ("/acces/prevenir/", 1),
        ("/rattacher/connexion/", 1),
        ("/rattacher/inscription/", 1),
    ],
)
def test_un_formulaire_d_un_espace(venue, adresse, combien, settings):
    settings.PORTAIL_TELEPHONE_EXIGE = "numero" in adresse
    assert essayer(venue, adresse) == (combien, [])


def test_le_dernier_pas_d_un_recit():
    visiteuse = Visiteuse()
    visiteuse.remplir()

    assert essayer(visiteuse, "/ecrire/verifier/") == (1, [])


def test_la_garde_d_un_espace(venue):
    code = venue.lire("/recu/").partition('class="mots"')[2]
    venue.envoyer("/recu/verifier/", {"mot": re.findall(r"<li>([^<]+)</li>", code)[2]})

    assert essayer(venue, "/acces/garder/") == (2, [])


def test_l_apercu_d_un_rattachement(venue):
    personne = compte(email="awa@campus.test")
    venue.passer_au_compte(personne)

    assert essayer(venue, "/rattacher/apercu/") == (2, [])


def test_un_formulaire_du_campus(etudiante, gestionnaire):
    elle = Visiteuse()
    elle.se_connecter(etudiante)
    adresses = (
        f"/campus/calendrier/{evenement(gestionnaire).pk}/",
        "/campus/calendrier/abonnement/",
        "/compte/preuve/",
    )

    trouves = [essayer(elle, adresse) for adresse in adresses]

    assert trouves == [(2, []), (2, []), (1, [])]


def test_les_formulaires_de_mon_compte(etudiante, gestionnaire):
    elle, equipiere = Visiteuse(), Equipiere(gestionnaire)
    elle.se_connecter(etudiante)

    du_portail, fautes = essayer(elle, "/compte/")
    de_l_equipe, fautes_de_l_equipe = essayer(equipiere, "/equipe/compte/")

    assert fautes + fautes_de_l_equipe == []
    assert (du_portail, de_l_equipe) == (8, 8)  # the e-mails one wants among them; in the team, whether one is shown


def test_un_formulaire_du_forum(etudiante, gestionnaire):
    elle = Visiteuse()
    elle.se_connecter(etudiante)
    poste = fabriques_du_forum.poste(acteur_de(etudiante), par=acteur_de(gestionnaire))
    fabriques_du_forum.commentaire(acteur_de(etudiante), poste)

    trouves = [essayer(elle, adresse) for adresse in ("/campus/forum/ecrire/", f"/campus/forum/{poste.pk}/")]

    assert trouves == [(1, []), (6, [])]

    autre = Visiteuse()
    autre.se_connecter(compte(email="lea@campus.test"))
    assert essayer(autre, f"/campus/forum/{poste.pk}/") == (6, [])  # to point the post out, and its answer


def test_un_formulaire_de_la_bibliotheque(etudiante):
    elle = Visiteuse()
    elle.se_connecter(etudiante)
    fabriques_de_fichiers.ressource(etudiante)

    trouves = [essayer(elle, adresse) for adresse in ("/campus/documents/", "/campus/documents/ajouter/")]

    assert trouves == [(2, []), (2, [])]


def test_un_formulaire_de_l_equipe(gestionnaire, signalement):
    elle = Equipiere(gestionnaire)
    modele()
    elle.envoyer("/equipe/filtres/", {"nom": "Les miens", "adresse": "?vue=a-moi"})

    liste, fautes_de_liste = essayer(elle, f"{LISTE}?vue=ouverts")
    dossier, fautes_de_dossier = essayer(elle, f"{LISTE}{signalement.pk}/")
    fichier, fautes_de_fichier = essayer(elle, f"{LISTE}{signalement.pk}/fichier/")
    tableau, fautes_du_tableau = essayer(elle, "/equipe/tableau/?debut=2026-01-01&fin=2027-01-01&type=VOL")

    assert fautes_de_liste + fautes_de_dossier + fautes_de_fichier + fautes_du_tableau == []
    assert (liste, dossier, fichier, tableau) == (10, 16, 2, 2)


def test_une_invitation_de_l_equipe(admin):
    invitation(admin)

    combien, fautes = essayer(Equipiere(admin), "/equipe/membres/")

    assert fautes == []
    assert combien == 3  # to invite, to send again, to withdraw


def test_la_page_d_un_membre_de_l_equipe(admin, gestionnaire):
    page = f"/equipe/membres/{gestionnaire.pk}/"

    combien, fautes = essayer(Equipiere(admin), f"{page}?depart=oui")

    assert fautes == []
    assert combien == 3  # to sign out, to send a link, to leave


@pytest.mark.parametrize("hostile", HOSTILES)
@pytest.mark.parametrize("nom", ["acte", "acteurId", "objetId", "debut", "fin", "tout", "apres", "avant"])
def test_l_adresse_du_registre(admin, hostile, nom):
    assert Equipiere(admin).get("/equipe/registre/", {nom: hostile}).status_code in (200, 422)


@pytest.mark.parametrize("hostile", HOSTILES)
def test_l_adresse_d_un_depart(admin, gestionnaire, hostile):
    reponse = Equipiere(admin).get(f"/equipe/membres/{gestionnaire.pk}/", {"depart": "oui", "repreneurId": hostile})

    assert reponse.status_code in (200, 422)


@pytest.mark.parametrize("hostile", HOSTILES)
def test_l_adresse_d_une_liste_de_l_equipe(gestionnaire, signalement, hostile):
    elle = Equipiere(gestionnaire)
    noms = (
        "vue",
        "tri",
        "page",
        "search",
        "statut",
        "priorite",
        "type",
        "gestionnaireId",
        "sourceActeur",
        "debut",
        "fin",
        "pris",
        "confies_a",
        "lot",
    )

    statuts = {nom: elle.get(LISTE, {nom: hostile}).status_code for nom in noms}
    du_tableau = {nom: elle.get("/equipe/tableau/", {nom: hostile}).status_code for nom in ("debut", "fin", "type")}

    assert set(statuts.values()) <= {200, 400, 422}, statuts
    assert set(du_tableau.values()) <= {200, 422}, du_tableau
