"""Every list that is searched compares words in the same way: over the API, and in the boxes of the admin site."""

import pytest
from django.test import Client

from accounts.tests import fabriques as comptes
from calendrier.tests import fabriques as calendrier
from config.tests.outils import acteur_de
from forum.tests import fabriques as forum
from reponses.tests import fabriques as reponses
from resources.tests import fabriques as resources

pytestmark = pytest.mark.django_db


def un_compte(admin, texte):
    return comptes.compte(nom=texte, prenom="Zoé")


def un_poste(admin, texte):
    return forum.poste(acteur_de(admin), titre="Avis", contenu=texte)


def un_commentaire(admin, texte):
    return forum.commentaire(acteur_de(admin), forum.poste(acteur_de(admin)), texte)


def une_ressource(admin, texte):
    return resources.ressource(admin, "Guide", description=texte)


def un_fichier(admin, texte):
    return resources.fichier(acteur_de(admin), f"{texte}.txt", portee="OUVERTE")


def une_faq(admin, texte):
    return resources.faq(question=texte)


def un_contact(admin, texte):
    return resources.contact(nom=texte)


def un_modele(admin, texte):
    return reponses.modele(titre="Suites", texte_en=texte)


def une_orientation(admin, texte):
    return reponses.orientation(texte_fr=texte)


def un_evenement(admin, texte):
    return calendrier.evenement(admin, titre=texte)


def une_participation(admin, texte):
    return calendrier.participation(calendrier.evenement(admin), un_compte(admin, texte))


API = {"comptes": un_compte, "postes": un_poste, "ressources": une_ressource}
SITE = {
    "accounts/compte": un_compte,
    "forum/poste": un_poste,
    "forum/commentaire": un_commentaire,
    "resources/ressource": une_ressource,
    "resources/fichier": un_fichier,
    "resources/faq": une_faq,
    "resources/contacturgence": un_contact,
    "reponses/modeledereponse": un_modele,
    "reponses/orientation": une_orientation,
    "calendrier/evenementcampus": un_evenement,
    "calendrier/participation": une_participation,
}
# What is written, what finds it, what does not.
PAIRES = [
    ("l’amphi", "l'amphi", "l'amphis"),
    ("N'Diaye d'Arc", "arc n’diaye", '"arc n’diaye"'),
    ("Rendez‑vous", "rendez-vous", "rendez-nous"),
    ("Łukasz Søren", "soren lukasz", "soren lukas marc"),
    ("Işık Nœud", "«\u00a0isik noeud\u00a0»", "« noeud isik »"),
    ("Ser\u00adrure cassée", "CASSEE, serrure", "serrure cassées"),
]


@pytest.mark.parametrize(("ecrit", "trouve", "ne_trouve_pas"), PAIRES)
@pytest.mark.parametrize("liste", API)
def test_l_api_compare_les_mots_de_meme(api, admin, liste, ecrit, trouve, ne_trouve_pas):
    ligne = API[liste](admin, ecrit)

    def chercher(question):
        return [
            item["id"] for item in api(admin).get(f"/api/v1/{liste}/", {"search": question}).json()["data"]["items"]
        ]

    assert chercher(trouve) == [str(ligne.pk)]
    assert chercher(ne_trouve_pas) == chercher('"') == []


@pytest.mark.parametrize(("ecrit", "trouve", "ne_trouve_pas"), PAIRES)
@pytest.mark.parametrize("page", SITE)
def test_le_site_d_administration_compare_les_mots_de_meme(admin, page, ecrit, trouve, ne_trouve_pas):
    ligne = SITE[page](admin, ecrit)
    client = Client()
    client.force_login(admin)

    def chercher(question):
        return [lue.pk for lue in client.get(f"/admin/{page}/", {"q": question}).context["cl"].result_list]

    assert chercher(trouve) == [ligne.pk]
    assert chercher(ne_trouve_pas) == chercher('"') == []


def test_un_prenom_et_un_nom_se_cherchent_dans_les_deux_sens(api, gestionnaire, etudiante):
    def chercher(question):
        donnees = api(gestionnaire).get("/api/v1/comptes/", {"search": question}).json()["data"]
        return [item["id"] for item in donnees["items"]]

    for question in ("Diop Awa", "awa diop", '"Diop Awa"', "DIOP awa@campus.test", "awa@campus.test"):
        assert chercher(question) == [str(etudiante.pk)]
    assert chercher("Diop Léa") == []
