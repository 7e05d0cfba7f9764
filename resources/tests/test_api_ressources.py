"""The library: added by who may, found whatever the accents, sorted, deleted for good."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from config.tests.outils import acteur_de, champs_refuses
from resources.models import Fichier, Ressource
from resources.services.ressources import retablir
from resources.tests import fabriques

pytestmark = pytest.mark.django_db
URL = "/api/v1/ressources/"


def titres(reponse):
    assert reponse.status_code == 200, reponse.content
    return [ressource["titre"] for ressource in reponse.json()["data"]["items"]]


def test_un_document_envoye_se_lit_dans_la_bibliotheque(api, etudiante, autre_etudiante, telecharger, magasin):
    reponse = api(etudiante).post(f"{URL}upload", {"file": fabriques.envoi_d_image(), "description": "Le plan."})

    assert reponse.status_code == 201
    donnees = reponse.json()["data"]
    assert {nom: donnees[nom] for nom in ("titre", "categorie", "description", "bucketId", "fileName", "mimeType")} == {
        "titre": "photo.png",
        "categorie": "DOCUMENT",
        "description": "Le plan.",
        "bucketId": magasin,
        "fileName": "photo.png",
        "mimeType": "image/png",
    }
    assert donnees["id"] == donnees["resourceId"]
    assert donnees["creeParId"] == str(etudiante.pk)
    lue = api(autre_etudiante).get(f"{URL}{donnees['id']}").json()["data"]
    contenu, _entetes = telecharger(lue["downloadUrl"])
    assert fabriques.pixels(contenu) == fabriques.pixels(fabriques.image())
    assert api(autre_etudiante).get(f"/api/v1/fichiers/{donnees['fileId']}").status_code == 200


@pytest.mark.parametrize("contenu", [b"du texte", b"<html></html>", b"PK\3\4rien"])
def test_un_type_qui_n_est_pas_liste_est_refuse(api, etudiante, contenu):
    reponse = api(etudiante).post(f"{URL}upload", {"file": fabriques.envoi("document.pdf", contenu)})

    assert (reponse.status_code, reponse.json()["code"]) == (415, "UNSUPPORTED_MEDIA_TYPE")
    assert "application/pdf" in reponse.json()["message"]
    assert Fichier.objects.count() == Ressource.objects.count() == 0


def test_un_lien_est_une_ressource(api, etudiante):
    corps = {
        "titre": "Guide",
        "publicUrl": "https://campus.example.org/guide.pdf",
        "categorie": "guide",
        "sizeBytes": 12,
    }

    donnees = api(etudiante).post(URL, corps).json()["data"]

    assert {nom: donnees[nom] for nom in ("publicUrl", "downloadUrl", "fileId", "categorie", "sizeBytes")} == {
        "publicUrl": corps["publicUrl"],
        "downloadUrl": corps["publicUrl"],
        "fileId": None,
        "categorie": "GUIDE",
        "sizeBytes": 12,
    }


def test_d_un_fichier_ce_qu_il_dit_de_lui_meme_l_emporte(api, etudiante):
    fichier = fabriques.fichier(acteur_de(etudiante))
    corps = {"titre": "Constat", "fileId": str(fichier.pk), "fileName": "autre.pdf", "sizeBytes": 1, "bucketId": "x"}

    donnees = api(etudiante).post(URL, corps).json()["data"]

    assert (donnees["fileName"], donnees["sizeBytes"], donnees["bucketId"]) == ("constat.txt", fichier.taille, "local")
    assert f"/fichiers/{fichier.pk}/contenu" in donnees["publicUrl"]


@pytest.mark.parametrize(
    ("champs", "refuses"),
    [
        ({"titre": "Guide"}, {"publicUrl"}),
        ({"publicUrl": "https://a.example"}, {"titre"}),
        ({"titre": "Guide", "publicUrl": "javascript:alert(1)"}, {"publicUrl"}),
        ({"titre": "Guide", "publicUrl": "https://a.example", "sizeBytes": -1}, {"sizeBytes"}),
        ({"titre": "Guide", "publicUrl": "https://a.example", "categorie": "à voir"}, {"categorie"}),
        ({"titre": "Guide", "fileId": "x"}, {"fileId"}),
    ],
)
def test_une_ressource_mal_decrite_est_refusee(api, etudiante, champs, refuses):
    assert champs_refuses(api(etudiante).post(URL, champs)) == refuses
    assert Ressource.objects.count() == 0


def test_le_fichier_d_autrui_ne_se_partage_pas(api, etudiante, autre_etudiante):
    fichier = fabriques.fichier(acteur_de(autre_etudiante))

    reponse = api(etudiante).post(URL, {"titre": "Constat", "fileId": str(fichier.pk)})

    assert reponse.status_code == 403
    assert Ressource.objects.count() == 0


@pytest.mark.parametrize(
    ("question", "attendus"),
    [
        ("", ["Éclairage", "Sécurité", "abri"]),
        ("?order=asc", ["abri", "Sécurité", "Éclairage"]),
        ("?sort=titre&order=asc", ["abri", "Éclairage", "Sécurité"]),
        ("?sort=titre", ["Sécurité", "Éclairage", "abri"]),
        ("?sort=sizeBytes", ["abri", "Sécurité", "Éclairage"]),
        ("?sort=categorie&order=asc", ["abri", "Éclairage", "Sécurité"]),
        ("?categorie=video", ["Sécurité"]),
        ("?search=securite", ["Sécurité"]),
        ("?search=ECLAIRAGE", ["Éclairage"]),
        ("?search=plan%20du", ["abri"]),
        ("?search=%25", []),
    ],
)
def test_la_bibliotheque_se_trie_se_filtre_et_se_cherche(api, etudiante, question, attendus):
    fabriques.ressource(etudiante, "abri", taille=30, description="Le plan du campus.")
    fabriques.ressource(etudiante, "Sécurité", taille=20, categorie="VIDEO")
    fabriques.ressource(etudiante, "Éclairage", taille=10)

    assert titres(api(etudiante).get(f"{URL}{question}")) == attendus


@pytest.mark.parametrize("question", ["sort=nom", "order=haut", "page=-1"])
def test_une_question_inconnue_est_refusee(api, etudiante, question):
    assert champs_refuses(api(etudiante).get(f"{URL}?{question}")) == {question.partition("=")[0]}


def test_une_page_coute_les_memes_requetes_pour_une_ressource_ou_neuf(api, etudiante):
    def requetes():
        with CaptureQueriesContext(connection) as vues:
            api(etudiante).get(URL)
        return len(vues)

    for _rang in range(1):
        fabriques.ressource(etudiante, file_id=fabriques.fichier(acteur_de(etudiante)).pk)
    une = requetes()
    for _rang in range(8):
        fabriques.ressource(etudiante, file_id=fabriques.fichier(acteur_de(etudiante)).pk)

    assert requetes() == une


@pytest.mark.parametrize(("persona", "statut"), [("autre_etudiante", 403), ("etudiante", 200), ("gestionnaire", 200)])
def test_qui_supprime_une_ressource(client_de_personne, etudiante, persona, statut):
    ressource = fabriques.ressource(etudiante)
    client, url = client_de_personne(persona), f"{URL}{ressource.pk}"

    reponse = client.delete(url)

    assert reponse.status_code == statut
    if statut == 200:
        assert reponse.json()["data"] == {"id": str(ressource.pk), "deleted": True}
        assert [client.get(url).status_code, client.delete(url).status_code] == [404, 404]
        assert titres(client.get(URL)) == []
        assert Ressource.objects.count() == 1


def test_parmi_plusieurs_c_est_celle_qu_on_nomme_qui_se_lit_et_s_en_va(api, etudiante):
    client = api(etudiante)
    ids = {titre: fabriques.ressource(etudiante, titre=titre).pk for titre in ("A", "B", "C")}

    assert [client.get(f"{URL}{pk}").json()["data"]["titre"] for pk in ids.values()] == ["A", "B", "C"]
    assert [client.delete(f"{URL}{ids['B']}").status_code for _fois in range(2)] == [200, 404]
    assert sorted(titres(client.get(URL))) == ["A", "C"]


def test_une_ressource_supprimee_rend_son_fichier_a_qui_l_a_envoye(api, etudiante, autre_etudiante):
    fichier = fabriques.fichier(acteur_de(etudiante))
    ressource, url = fabriques.ressource(etudiante, file_id=fichier.pk), f"/api/v1/fichiers/{fichier.pk}"
    assert api(etudiante).delete(url).status_code == 409

    api(etudiante).delete(f"{URL}{ressource.pk}")
    assert api(autre_etudiante).get(url).status_code == 403

    retablir(ressource=ressource)
    assert api(autre_etudiante).get(url).status_code == 200
    api(etudiante).delete(f"{URL}{ressource.pk}")
    assert api(etudiante).delete(url).status_code == 204


def test_un_fichier_retire_par_un_administrateur_emporte_la_ressource(api, etudiante, admin):
    fichier = fabriques.fichier(acteur_de(etudiante))
    ressource = fabriques.ressource(etudiante, file_id=fichier.pk)

    api(admin).delete(f"/api/v1/fichiers/{fichier.pk}")

    assert api(etudiante).get(f"{URL}{ressource.pk}").status_code == 404


def test_un_reglage_garde_la_bibliotheque_a_l_equipe(api, etudiante, gestionnaire, settings):
    settings.RESOURCES_STAFF_ONLY = True
    corps = {"titre": "Guide", "publicUrl": "https://campus.example.org"}

    statuts = [api(qui).post(URL, corps).status_code for qui in (etudiante, gestionnaire)]
    envois = [
        api(qui).post(f"{URL}upload", {"file": fabriques.envoi_d_image()}).status_code
        for qui in (etudiante, gestionnaire)
    ]

    assert (statuts, envois) == ([403, 201], [403, 201])


def test_un_identifiant_invite_n_est_garde_dans_aucun_texte_d_une_ressource(api, etudiante, invite):
    envoi = fabriques.envoi_d_image(f"{invite.guest_id}.png")
    corps = {"file": envoi, "titre": f"Plan {invite.guest_id}", "description": f"De {invite.guest_id.hex}."}

    donnees = api(etudiante).post(f"{URL}upload", corps).json()["data"]

    assert (donnees["titre"], donnees["description"]) == ("Plan [identifiant masqué]", "De [identifiant masqué].")
    assert donnees["fileName"] == "[identifiant masqué].png"
    garde = str([*Ressource.objects.values(), *Fichier.objects.values()])
    assert invite.guest_id.hex not in garde.replace("-", "")
