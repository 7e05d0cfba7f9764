from uuid import uuid4

import pytest

from accounts.services import comptes as services_comptes
from accounts.tests import fabriques as comptes
from config.tests.outils import acteur_de, champs_refuses
from forum.models import Commentaire, Poste, Reaction
from forum.tests import fabriques
from forum.vocabulaire import REACTIONS_MONTREES

pytestmark = pytest.mark.django_db


@pytest.fixture
def url(poste):
    return f"/api/v1/postes/{poste.pk}"


def compteurs(client, url):
    donnees = client.get(url).json()["data"]
    return donnees["nbCommentaires"], donnees["nbReactions"]


# --- Comments -------------------------------------------------------------------------------------------------------


def test_commenter_rend_le_commentaire_et_le_compte(api, autre_etudiante, poste, url):
    reponse = api(autre_etudiante).post(f"{url}/commentaires", {"contenu": " Moi ! "})

    ecrit = reponse.json()["data"]
    assert reponse.status_code == 201
    assert ecrit == {
        "id": ecrit["id"],
        "posteId": str(poste.pk),
        "auteurId": str(autre_etudiante.pk),
        "auteurNom": "Léa Moreau",
        "contenu": "Moi !",
        "dateCreation": ecrit["dateCreation"],
    }
    assert compteurs(api(autre_etudiante), url) == (1, 0)


@pytest.mark.parametrize("contenu", [None, "", "  ", "x" * 20_001, 12])
def test_un_commentaire_sans_texte_ou_trop_long_est_refuse(api, etudiante, url, contenu):
    assert champs_refuses(api(etudiante).post(f"{url}/commentaires", {"contenu": contenu})) == {"contenu"}
    assert compteurs(api(etudiante), url) == (0, 0)


def test_les_commentaires_se_lisent_du_plus_ancien_au_plus_recent(api, etudiante, gestionnaire, poste, url):
    ecrits = [fabriques.commentaire(acteur_de(qui), poste) for qui in (etudiante, gestionnaire, etudiante)]

    page = api(etudiante).get(f"{url}/commentaires?size=2").json()["data"]

    assert [item["id"] for item in page["items"]] == [str(commentaire.pk) for commentaire in ecrits[:2]]
    assert (page["total"], page["pages"]) == (3, 2)


def test_un_commentaire_et_neuf_coutent_autant_de_requetes(api, etudiante, poste, url, django_assert_num_queries):
    client = api(etudiante)

    fabriques.commentaire(acteur_de(etudiante), poste)
    with django_assert_num_queries(4):
        client.get(f"{url}/commentaires")
    for _rang in range(8):
        fabriques.commentaire(acteur_de(comptes.compte()), poste)
    with django_assert_num_queries(4):
        assert client.get(f"{url}/commentaires").json()["data"]["total"] == 9


def test_qui_est_desactive_garde_son_nom_sur_ce_qu_il_a_ecrit(api, etudiante, autre_etudiante, admin, poste, url):
    fabriques.commentaire(acteur_de(autre_etudiante), poste)

    services_comptes.desactiver(compte=autre_etudiante, acteur=acteur_de(admin))

    (lu,) = api(etudiante).get(f"{url}/commentaires").json()["data"]["items"]
    assert (lu["auteurId"], lu["auteurNom"]) == (str(autre_etudiante.pk), "Léa Moreau")


def test_ce_que_l_on_ajoute_ne_modifie_pas_la_publication(api, etudiante, poste, url):
    avant = api(etudiante).get(url).json()["data"]["dateModification"]

    fabriques.commentaire(acteur_de(etudiante), poste)
    fabriques.reaction(acteur_de(etudiante), poste)

    assert api(etudiante).get(url).json()["data"]["dateModification"] == avant


# --- Deleting one ---------------------------------------------------------------------------------------------------

SUITES = {"commentaires": fabriques.commentaire, "reactions": fabriques.reaction}


@pytest.mark.parametrize("suite", SUITES)
@pytest.mark.parametrize(
    ("persona", "statut"),
    [
        ("anonyme", 401),
        ("invite", 401),
        ("autre_etudiante", 204),
        ("etudiante", 403),
        ("gestionnaire", 403),
        ("admin", 204),
    ],
)
def test_retirer_est_a_qui_l_a_ecrit_et_aux_admins(
    client_de_personne, api, autre_etudiante, etudiante, poste, url, persona, statut, suite
):
    """The author of a post does not delete what others say under it."""
    ecrit = SUITES[suite](acteur_de(autre_etudiante), poste)
    SUITES[suite](acteur_de(etudiante), poste)

    reponse = client_de_personne(persona).delete(f"{url}/{suite}/{ecrit.pk}")

    assert reponse.status_code == statut
    assert sum(compteurs(api(etudiante), url)) == (1 if statut == 204 else 2)


@pytest.mark.parametrize("suite", SUITES)
def test_retirer_deux_fois_est_un_404_et_ne_compte_qu_une(api, etudiante, poste, url, suite):
    ecrit = SUITES[suite](acteur_de(etudiante), poste)
    SUITES[suite](acteur_de(etudiante), poste, "AUTRE")

    statuts = [api(etudiante).delete(f"{url}/{suite}/{ecrit.pk}").status_code for _fois in range(2)]

    assert statuts == [204, 404]
    assert sum(compteurs(api(etudiante), url)) == 1


@pytest.mark.parametrize("suite", SUITES)
def test_ce_qui_est_sous_une_autre_publication_est_un_404(api, etudiante, gestionnaire, admin, poste, suite):
    autre = fabriques.poste(acteur_de(etudiante), par=acteur_de(gestionnaire))
    ecrit = SUITES[suite](acteur_de(etudiante), autre)

    statuts = [api(admin).delete(f"/api/v1/postes/{poste.pk}/{suite}/{pk}").status_code for pk in (ecrit.pk, uuid4())]

    assert statuts == [404, 404]
    assert Commentaire.objects.presents().count() + Reaction.objects.count() == 1


def test_un_commentaire_supprime_n_est_plus_lu_et_reste_en_base(api, etudiante, admin, poste, url):
    ecrit = fabriques.commentaire(acteur_de(etudiante), poste, "Une insulte.")

    api(admin).delete(f"{url}/commentaires/{ecrit.pk}")

    assert api(admin).get(f"{url}/commentaires").json()["data"]["total"] == 0
    garde = Commentaire.objects.get()
    assert (garde.contenu, garde.compte, garde.supprime_par) == ("Une insulte.", etudiante, admin)


@pytest.mark.parametrize("suite", SUITES)
def test_sous_une_publication_cachee_on_ne_retire_plus(
    api, etudiante, autre_etudiante, gestionnaire, poste, url, suite
):
    ecrit = SUITES[suite](acteur_de(autre_etudiante), poste)
    api(gestionnaire).patch(f"{url}/statut", {"statut": "REJETER"})

    assert api(autre_etudiante).delete(f"{url}/{suite}/{ecrit.pk}").status_code == 404
    assert sum(compteurs(api(etudiante), url)) == 1


# --- Reactions ------------------------------------------------------------------------------------------------------


def test_la_meme_reaction_de_nouveau_est_la_meme(api, autre_etudiante, poste, url):
    client = api(autre_etudiante)

    premiere, encore = (client.post(f"{url}/reactions", {"type": type_}) for type_ in ("like", "LIKE"))

    posee = premiere.json()["data"]
    assert (premiere.status_code, encore.status_code, encore.json()["statusCode"]) == (201, 200, 200)
    assert encore.json()["data"] == posee
    assert posee == {
        "id": posee["id"],
        "posteId": str(poste.pk),
        "auteurId": str(autre_etudiante.pk),
        "type": "LIKE",
        "dateCreation": posee["dateCreation"],
    }
    assert compteurs(client, url) == (0, 1)


def test_chacun_a_les_siennes_une_de_chaque_type(api, etudiante, autre_etudiante, poste, url):
    statuts = [
        api(qui).post(f"{url}/reactions", {"type": type_}).status_code
        for qui in (etudiante, autre_etudiante)
        for type_ in ("LIKE", "MERCI", "LIKE")
    ]

    recues = api(etudiante).get(f"{url}/reactions").json()["data"]
    assert statuts == [201, 201, 200] * 2
    assert [(r["auteurId"], r["type"]) for r in recues] == [
        (str(qui.pk), type_) for qui in (autre_etudiante, etudiante) for type_ in ("MERCI", "LIKE")
    ]
    assert compteurs(api(etudiante), url) == (0, 4)


def test_retiree_elle_se_pose_de_nouveau(api, etudiante, poste, url):
    client = api(etudiante)

    premiere = client.post(f"{url}/reactions", {"type": "LIKE"}).json()["data"]
    client.delete(f"{url}/reactions/{premiere['id']}")
    encore = client.post(f"{url}/reactions", {"type": "LIKE"})

    assert (encore.status_code, encore.json()["data"]["id"] == premiere["id"]) == (201, False)
    assert compteurs(client, url) == (0, 1)


@pytest.mark.parametrize("type_", [None, "", "J'AIME", "👍", "x" * 51, 1, "_LIKE"])
def test_un_type_qui_n_est_pas_un_mot_est_refuse(api, etudiante, url, type_):
    assert champs_refuses(api(etudiante).post(f"{url}/reactions", {"type": type_})) == {"type"}
    assert not Reaction.objects.exists()


def test_une_reaction_et_neuf_coutent_autant_de_requetes(api, etudiante, poste, url, django_assert_num_queries):
    client = api(etudiante)

    fabriques.reaction(acteur_de(etudiante), poste)
    with django_assert_num_queries(3):
        client.get(f"{url}/reactions")
    for _rang in range(8):
        fabriques.reaction(acteur_de(comptes.compte()), poste)
    with django_assert_num_queries(3):
        assert len(client.get(f"{url}/reactions").json()["data"]) == 9


def test_une_foule_de_reactions_reste_comptee_et_montree_en_partie(api, etudiante, poste, url):
    nombre = REACTIONS_MONTREES + 5
    Reaction.objects.bulk_create(Reaction(poste=poste, compte=etudiante, type=f"T{rang}") for rang in range(nombre))
    Poste.objects.update(nb_reactions=nombre)

    recues = api(etudiante).get(f"{url}/reactions").json()["data"]

    assert len(recues) == REACTIONS_MONTREES
    assert {f"T{nombre - 1}", "T5"} <= {r["type"] for r in recues}
    assert compteurs(api(etudiante), url) == (0, nombre)
