from uuid import UUID, uuid4

import pytest

from config.tests.outils import acteur_de, champs_refuses
from discussions import services
from discussions.models import Lecture, Message
from discussions.tests import fabriques
from discussions.vocabulaire import RECUS_ANNONCES
from guests.erreurs import SessionFusionnee
from guests.models import SessionInvitee
from guests.tests.fabriques import desactiver, fusionner

pytestmark = pytest.mark.django_db
URL = "/api/v1/discussions/"


@pytest.fixture
def url(discussion):
    return f"{URL}{discussion.pk}/messages"


def lire(client, url, question=""):
    reponse = client.get(f"{url}?{question}")
    assert reponse.status_code == 200, reponse.content
    return reponse.json()["data"]["items"]


# --- Numbers and order ----------------------------------------------------------------------------------------------


def test_les_messages_sont_numerotes_dans_l_ordre_ou_ils_sont_ecrits(api, etudiante, gestionnaire, url):
    elle, equipe = api(etudiante), api(gestionnaire)

    recus = [
        qui.post(url, {"contenu": texte}).json()["data"]
        for qui, texte in ((elle, "un"), (equipe, "deux"), (equipe, "trois"), (elle, "quatre"))
    ]

    assert [recu["numeroSequence"] for recu in recus] == [1, 2, 3, 4]
    assert lire(elle, url) == recus


def test_un_message_dit_qui_l_a_ecrit_et_ou(api, etudiante, discussion, url):
    reponse = api(etudiante).post(url, {"contenu": " Bonjour.\r\nMerci. "})

    recu = reponse.json()["data"]
    assert (reponse.status_code, reponse.json()["message"]) == (201, "Message envoyé.")
    assert recu.pop("id")
    assert recu.pop("dateCreation")
    assert recu == {
        "discussionId": str(discussion.pk),
        "contenu": "Bonjour.\nMerci.",
        "auteurId": str(etudiante.pk),
        "auteurNom": "Awa Diop",
        "type": "USER",
        "estLu": False,
        "numeroSequence": 1,
        "piecesJointes": [],
        "sourceActeur": "AUTH_USER",
        "acteurId": str(etudiante.pk),
        "estFusionne": False,
    }


def test_deux_discussions_ont_chacune_leurs_numeros(api, etudiante, url):
    autre = fabriques.discussion(acteur_de(etudiante))
    api(etudiante).post(url, {"contenu": "ici"})

    recu = api(etudiante).post(f"{URL}{autre.pk}/messages", {"contenu": "là"}).json()["data"]

    assert recu["numeroSequence"] == 1


@pytest.mark.parametrize(
    ("question", "numeros"),
    [
        ("", [1, 2, 3, 4, 5]),
        ("order=asc", [1, 2, 3, 4, 5]),
        ("order=desc", [5, 4, 3, 2, 1]),
        ("size=2", [1, 2]),
        ("size=2&page=2", [5]),
        ("size=2&page=3", []),
        ("size=2&order=desc", [5, 4]),
        ("size=2&page=1&order=desc", [3, 2]),
    ],
)
def test_les_messages_se_lisent_par_les_deux_bouts_et_par_pages(api, etudiante, discussion, url, question, numeros):
    for rang in range(5):
        fabriques.message(acteur_de(etudiante), discussion, str(rang))

    assert [message["numeroSequence"] for message in lire(api(etudiante), url, question)] == numeros


@pytest.mark.parametrize("ordre", ["DESC", "numero", "-1", "%00"])
def test_un_autre_ordre_est_refuse(api, etudiante, url, ordre):
    assert champs_refuses(api(etudiante).get(f"{url}?order={ordre}")) == {"order"}


def test_une_discussion_sans_message_est_une_page_vide(api, etudiante, url):
    page = api(etudiante).get(url).json()["data"]

    assert page == {"items": [], "total": 0, "page": 0, "size": 20, "pages": 0}


# --- What is accepted -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("corps", [{}, {"contenu": None}, {"contenu": ""}, {"contenu": " \n "}, {"piecesJointes": []}])
def test_un_message_vide_est_refuse(api, etudiante, url, corps):
    reponse = api(etudiante).post(url, corps)

    assert reponse.status_code == 422
    assert [(detail["field"], detail["code"]) for detail in reponse.json()["details"]] == [("contenu", "required")]
    assert not Message.objects.exists()


@pytest.mark.parametrize(("longueur", "statut"), [(20_000, 201), (20_001, 422)])
def test_un_message_tient_en_20_000_caracteres(api, etudiante, url, longueur, statut):
    reponse = api(etudiante).post(url, {"contenu": "é" * longueur})

    assert reponse.status_code == statut
    assert statut == 201 or champs_refuses(reponse) == {"contenu"}


@pytest.mark.parametrize("forme", [str, lambda pk: str(pk).upper(), lambda pk: f" {pk} ", lambda pk: None])
def test_l_identifiant_de_la_discussion_du_chemin_peut_etre_repete(api, etudiante, discussion, url, forme):
    reponse = api(etudiante).post(url, {"contenu": "Bonjour.", "discussionId": forme(discussion.pk)})

    assert reponse.status_code == 201


@pytest.mark.parametrize(
    "corps",
    [
        {"contenu": "Bonjour."},
        {"contenu": ""},
        {"contenu": "Bonjour.", "discussionId": "la sienne"},
        {"contenu": "Bonjour.", "discussionId": "inconnue"},
        {"contenu": "Bonjour.", "piecesJointes": [str(UUID(int=1))]},
    ],
)
@pytest.mark.parametrize(("ou", "statut"), [("autrui", 403), ("inconnue", 404)])
def test_ce_qu_on_envoie_la_ou_l_on_n_entre_pas_ne_change_pas_le_refus(
    api, etudiante, autre_etudiante, discussion, corps, ou, statut
):
    inconnue, sienne = uuid4(), fabriques.discussion(acteur_de(autre_etudiante))
    noms = {"la sienne": str(sienne.pk), "inconnue": str(inconnue)}
    corps = corps | ({"discussionId": noms[corps["discussionId"]]} if "discussionId" in corps else {})
    pk = {"autrui": discussion.pk, "inconnue": inconnue}[ou]
    avant = list(type(discussion).objects.values())

    reponse = api(autre_etudiante).post(f"{URL}{pk}/messages", corps)

    assert reponse.status_code == statut
    assert list(type(discussion).objects.values()) == avant
    assert not Message.objects.exists()


def test_l_identifiant_d_une_autre_discussion_est_refuse(api, etudiante, url):
    autre = fabriques.discussion(acteur_de(etudiante))

    for identifiant in (str(autre.pk), str(uuid4()), "x", 12):
        assert champs_refuses(api(etudiante).post(url, {"contenu": "x", "discussionId": identifiant})) == {
            "discussionId"
        }
    assert not Message.objects.exists()


@pytest.mark.parametrize(
    ("envoye", "garde"), [("user", "USER"), (" Rappel_2 ", "RAPPEL_2"), ("x" * 50, "X" * 50), (None, "USER")]
)
def test_le_type_est_un_mot_mis_en_capitales(api, etudiante, url, envoye, garde):
    assert api(etudiante).post(url, {"contenu": "x", "type": envoye}).json()["data"]["type"] == garde


@pytest.mark.parametrize("type_", ["", "deux mots", "é", "2FOIS", "_X", "x" * 51, 12, ["USER"]])
def test_un_type_qui_n_est_pas_un_mot_est_refuse(api, etudiante, url, type_):
    assert champs_refuses(api(etudiante).post(url, {"contenu": "x", "type": type_})) == {"type"}


def test_une_installation_peut_fermer_les_types(api, etudiante, url, settings):
    settings.VOCABULAIRES = {**settings.VOCABULAIRES, "type_message": ["USER", "RAPPEL"]}

    assert api(etudiante).post(url, {"contenu": "x", "type": "rappel"}).status_code == 201
    reponse = api(etudiante).post(url, {"contenu": "x", "type": "AUTRE"})
    assert champs_refuses(reponse) == {"type"}
    assert "USER, RAPPEL" in reponse.json()["details"][0]["message"]


def test_une_piece_jointe_est_un_de_ses_fichiers(api, etudiante, url):
    vide = api(etudiante).post(url, {"contenu": "x", "piecesJointes": []})
    inconnue = api(etudiante).post(url, {"contenu": "x", "piecesJointes": [str(uuid4())]})

    assert (vide.status_code, vide.json()["data"]["piecesJointes"]) == (201, [])
    assert champs_refuses(inconnue) == {"piecesJointes.0"}
    assert Message.objects.count() == 1


def test_null_sur_les_champs_facultatifs_vaut_absent(api, etudiante, url):
    corps = {"contenu": "x", "discussionId": None, "type": None, "piecesJointes": None}

    reponse = api(etudiante).post(url, corps)

    assert reponse.status_code == 201
    assert (reponse.json()["data"]["type"], reponse.json()["data"]["piecesJointes"]) == ("USER", [])


def test_les_champs_reserves_envoyes_avec_un_message_ne_changent_rien(api, etudiante, gestionnaire, url):
    piege = {
        "id": str(uuid4()),
        "numeroSequence": 42,
        "estLu": True,
        "auteurId": str(gestionnaire.pk),
        "acteurId": str(gestionnaire.pk),
        "auteurNom": "Paul Ilunga",
        "estFusionne": True,
    }

    recu = api(etudiante).post(url, {"contenu": "x", **piege}).json()["data"]

    assert (recu["numeroSequence"], recu["estLu"], recu["estFusionne"]) == (1, False, False)
    assert (recu["auteurId"], recu["acteurId"], recu["auteurNom"]) == (*[str(etudiante.pk)] * 2, "Awa Diop")
    assert recu["id"] != piege["id"]


@pytest.mark.parametrize(
    "contenu", ["<script>alert(1)</script>", "'; DROP TABLE x; --", "🙂 ‮renversé", "a" + "\u0301" * 50]
)
def test_un_texte_est_rendu_tel_qu_il_a_ete_ecrit(api, etudiante, url, contenu):
    api(etudiante).post(url, {"contenu": contenu})

    assert lire(api(etudiante), url)[0]["contenu"] == contenu


def test_un_refuse_l_est_avant_que_son_corps_soit_lu(api, autre_etudiante, url):
    assert api(autre_etudiante).post(url, {"contenu": ""}).status_code == 403
    assert api(autre_etudiante).post(url, b"{").status_code == 403


# --- Read -----------------------------------------------------------------------------------------------------------


def est_lu(api, qui, url):
    return [message["estLu"] for message in lire(api(qui), url)]


def test_un_message_est_lu_quand_un_autre_que_son_auteur_l_a_lu(api, etudiante, gestionnaire, discussion, url):
    fabriques.message(acteur_de(etudiante), discussion)
    fabriques.message(acteur_de(gestionnaire), discussion)

    reponse = api(gestionnaire).put(f"{url}/lus")

    assert (reponse.status_code, reponse.json()["data"]) == (200, None)
    assert reponse.json()["message"] == "Messages marqués comme lus."
    assert est_lu(api, etudiante, url) == est_lu(api, gestionnaire, url) == [True, False]


def test_lire_une_page_ne_marque_rien(api, etudiante, gestionnaire, discussion, url):
    fabriques.message(acteur_de(etudiante), discussion)

    lire(api(gestionnaire), url)
    api(gestionnaire).get(f"{URL}{discussion.pk}")

    assert est_lu(api, etudiante, url) == [False]
    assert not Lecture.objects.exists()


def test_qui_ecrit_ne_lit_jamais_son_propre_message(api, evenements, etudiante, discussion, url):
    fabriques.message(acteur_de(etudiante), discussion)

    with evenements() as recus:
        api(etudiante).put(f"{url}/lus")

    assert est_lu(api, etudiante, url) == [False]
    assert recus == []


def test_la_lecture_d_un_autre_membre_de_l_equipe_compte(api, gestionnaire, admin, discussion, url):
    fabriques.message(acteur_de(gestionnaire), discussion)

    api(admin).put(f"{url}/lus")

    assert est_lu(api, gestionnaire, url) == [True]


def test_marquer_de_nouveau_ne_change_ni_n_annonce_rien(api, evenements, etudiante, gestionnaire, discussion, url):
    fabriques.message(acteur_de(etudiante), discussion)
    api(gestionnaire).put(f"{url}/lus")
    avant = list(Message.objects.values())

    with evenements() as recus:
        reponse = api(gestionnaire).put(f"{url}/lus")

    assert (reponse.status_code, recus) == (200, [])
    assert list(Message.objects.values()) == avant
    assert Lecture.objects.count() == 1


def test_un_message_ecrit_apres_la_lecture_reste_a_lire(api, etudiante, gestionnaire, discussion, url):
    fabriques.message(acteur_de(etudiante), discussion)
    api(gestionnaire).put(f"{url}/lus")
    fabriques.message(acteur_de(etudiante), discussion)

    assert est_lu(api, etudiante, url) == [True, False]
    assert api(gestionnaire).get(f"{URL}{discussion.pk}").json()["data"]["messagesNonLusCount"] == 1


def test_marquer_une_discussion_vide_ne_laisse_rien(api, evenements, etudiante, url):
    with evenements() as recus:
        reponse = api(etudiante).put(f"{url}/lus")

    assert (reponse.status_code, recus) == (200, [])
    assert not Lecture.objects.exists()


def test_seuls_les_derniers_lus_sont_annonces_et_tous_le_sont_devenus(
    api, evenements, etudiante, gestionnaire, discussion, url
):
    ecrits = [fabriques.message(acteur_de(etudiante), discussion, str(n)) for n in range(RECUS_ANNONCES + 5)]

    with evenements() as recus:
        api(gestionnaire).put(f"{url}/lus")

    assert RECUS_ANNONCES == 100
    assert [evenement["payload"]["messageId"] for evenement in recus] == [str(m.pk) for m in ecrits[5:]]
    assert Message.objects.filter(est_lu=True).count() == 105


def test_marquer_ne_change_pas_la_derniere_activite(api, etudiante, gestionnaire, discussion, url):
    fabriques.message(acteur_de(etudiante), discussion)
    avant = api(gestionnaire).get(f"{URL}{discussion.pk}").json()["data"]["dateModification"]

    api(gestionnaire).put(f"{url}/lus")

    assert api(gestionnaire).get(f"{URL}{discussion.pk}").json()["data"]["dateModification"] == avant


# --- A guest session that has ended ---------------------------------------------------------------------------------


def finir_desactivee(session, compte):
    desactiver(session)


@pytest.mark.parametrize(
    ("finir", "statut", "code"),
    [(fusionner, 409, "GUEST_SESSION_MERGED"), (finir_desactivee, 403, "GUEST_SESSION_INVALID")],
)
def test_une_session_finie_n_ecrit_ni_ne_lit_plus(
    api, invite, gestionnaire, autre_etudiante, discussion_invitee, finir, statut, code
):
    fabriques.message(acteur_de(gestionnaire), discussion_invitee)
    finir(invite, autre_etudiante)
    client, url = api(invite), f"{URL}{discussion_invitee.pk}/messages"

    reponses = [
        client.post(url, {"contenu": "Trop tard."}),
        client.put(f"{url}/lus"),
        client.get(url),
        client.post(URL, {"titre": "Trop tard"}),
    ]

    assert [(r.status_code, r.json()["code"]) for r in reponses] == [(statut, code)] * 4
    assert (Message.objects.count(), Lecture.objects.count()) == (1, 0)


def test_une_session_rattachee_pendant_l_appel_n_ecrit_plus(invite, autre_etudiante, discussion_invitee):
    acteur = acteur_de(invite)
    fusionner(SessionInvitee.objects.get(pk=invite.pk), autre_etudiante)

    for acte in (
        lambda: services.ecrire(acteur=acteur, discussion=discussion_invitee, contenu="Trop tard."),
        lambda: services.marquer_lus(acteur=acteur, discussion=discussion_invitee),
        lambda: services.ouvrir(acteur=acteur, titre="Trop tard"),
    ):
        with pytest.raises(SessionFusionnee):
            acte()

    assert (Message.objects.count(), Lecture.objects.count()) == (0, 0)
    discussion_invitee.refresh_from_db()
    assert discussion_invitee.dernier_numero == 0


@pytest.mark.parametrize(
    ("corps", "type_", "statut"),
    [
        ("{", "application/json", 400),
        ('{"contenu": "x"}', "application/json; charset=latin-1", 415),
        ("contenu=x", "text/plain", 415),
        ("{}", "application/json", 422),
        ('{"contenu": "x", "piecesJointes": ["3f0c2a9e-6a7c-4c7e-9f6b-0a1b2c3d4e5f"]}', "application/json", 422),
    ],
)
def test_un_corps_refuse_l_est_pour_ce_qu_il_est_et_une_porte_fermee_avant_lui(
    api, etudiante, autre_etudiante, url, corps, type_, statut
):
    """Whatever the body, who may not enter learns that alone."""

    def ecrire(qui, ou):
        return api(qui).generic("POST", ou, corps, content_type=type_)

    assert ecrire(etudiante, url).status_code == statut
    assert ecrire(autre_etudiante, url).status_code == 403
    assert ecrire(etudiante, f"{URL}{uuid4()}/messages").status_code == 404
    assert not Message.objects.exists()
