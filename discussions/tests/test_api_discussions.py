from uuid import uuid4

import pytest

from config.tests.outils import acteur_de, champs_refuses
from discussions.models import Discussion
from discussions.tests import fabriques
from signalements.tests import fabriques as signalements

pytestmark = pytest.mark.django_db
URL = "/api/v1/discussions/"


def lister(client, chemin="", **filtres):
    question = "&".join(f"{nom}={valeur}" for nom, valeur in filtres.items())
    reponse = client.get(f"{URL}{chemin}?{question}")
    assert reponse.status_code == 200, reponse.content
    return [item["id"] for item in reponse.json()["data"]["items"]]


def ids(*discussions):
    return [str(discussion.pk) for discussion in discussions]


# --- Who may --------------------------------------------------------------------------------------------------------

ROUTES = [("get", ""), ("get", "/messages"), ("post", "/messages"), ("put", "/messages/lus")]


@pytest.mark.parametrize(("methode", "suite"), ROUTES)
@pytest.mark.parametrize(
    ("persona", "statut", "code"),
    [
        ("anonyme", 401, "AUTH_REQUIRED"),
        ("etudiante", 200, None),
        ("autre_etudiante", 403, "PERMISSION_DENIED"),
        ("gestionnaire", 200, None),
        ("admin", 200, None),
        ("invite", 403, "GUEST_ACCESS_DENIED"),
    ],
)
def test_une_discussion_est_a_ses_participants(client_de_personne, discussion, persona, statut, code, methode, suite):
    corps = {"contenu": "Bonjour."} if methode == "post" else None

    reponse = client_de_personne(persona).envoyer(methode, f"{URL}{discussion.pk}{suite}", corps)

    attendu = 201 if (statut, methode) == (200, "post") else statut
    assert (reponse.status_code, reponse.json().get("code")) == (attendu, code)


@pytest.mark.parametrize(("methode", "suite"), ROUTES)
@pytest.mark.parametrize(("persona", "statut"), [("invite", 200), ("autre_invite", 403), ("etudiante", 403)])
def test_celle_d_un_invite_aussi(client_de_personne, discussion_invitee, persona, statut, methode, suite):
    corps = {"contenu": "Bonjour."} if methode == "post" else None

    reponse = client_de_personne(persona).envoyer(methode, f"{URL}{discussion_invitee.pk}{suite}", corps)

    assert reponse.status_code == (201 if (statut, methode) == (200, "post") else statut)


@pytest.mark.parametrize(("methode", "suite"), ROUTES)
@pytest.mark.parametrize("persona", ["etudiante", "gestionnaire", "invite"])
@pytest.mark.parametrize("identifiant", ["5f0c2a9e-6a7c-4c7e-9f6b-0a1b2c3d4e5f", "12", "%00"])
def test_une_discussion_inconnue_ou_mal_nommee_est_introuvable(
    client_de_personne, persona, methode, suite, identifiant
):
    reponse = client_de_personne(persona).envoyer(methode, f"{URL}{identifiant}{suite}", {"contenu": "x"})

    assert (reponse.status_code, reponse.json()["code"]) == (404, "NOT_FOUND")


@pytest.mark.parametrize(
    ("persona", "generale", "des_invites"),
    [("anonyme", 401, 401), ("etudiante", 200, 403), ("gestionnaire", 200, 403), ("invite", 401, 200)],
)
def test_chaque_liste_a_son_public(client_de_personne, persona, generale, des_invites):
    client = client_de_personne(persona)

    assert (client.get(URL).status_code, client.get(f"{URL}guest/me").status_code) == (generale, des_invites)


# --- Opening one ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("persona", "statut", "code"),
    [
        ("anonyme", 401, "AUTH_REQUIRED"),
        ("etudiante", 201, None),
        ("gestionnaire", 201, None),
        ("admin", 201, None),
        ("autre_etudiante", 403, "PERMISSION_DENIED"),
        ("invite", 403, "GUEST_ACCESS_DENIED"),
    ],
)
def test_lier_a_un_signalement_est_a_son_auteur_et_a_l_equipe(client_de_personne, signalement, persona, statut, code):
    reponse = client_de_personne(persona).post(URL, {"titre": "Suites", "signalementId": str(signalement.pk)})

    assert (reponse.status_code, reponse.json().get("code")) == (statut, code)
    assert Discussion.objects.count() == (statut == 201)


@pytest.mark.parametrize(("persona", "statut"), [("invite", 201), ("autre_invite", 403), ("gestionnaire", 201)])
def test_lier_au_signalement_d_un_invite(client_de_personne, signalement_invite, persona, statut):
    reponse = client_de_personne(persona).post(URL, {"titre": "Suites", "signalementId": str(signalement_invite.pk)})

    assert reponse.status_code == statut


def test_une_discussion_liee_dit_a_quel_signalement(api, etudiante, signalement):
    recu = api(etudiante).post(URL, {"titre": " Suites ", "signalementId": str(signalement.pk)}).json()["data"]

    assert recu.keys() == {
        "id",
        "titre",
        "signalementId",
        "signalementReference",
        "resume",
        "hasUnreadUpdates",
        "messagesNonLusCount",
        "sourceActeur",
        "acteurId",
        "estFusionne",
        "dateCreation",
        "dateModification",
    }
    assert (recu["titre"], recu["signalementId"]) == ("Suites", str(signalement.pk))
    assert recu["signalementReference"] == signalement.reference
    assert (recu["sourceActeur"], recu["acteurId"], recu["estFusionne"]) == ("AUTH_USER", str(etudiante.pk), False)


@pytest.mark.parametrize("persona", ["etudiante", "gestionnaire", "invite"])
def test_une_discussion_se_tient_aussi_sans_signalement(client_de_personne, persona):
    reponse = client_de_personne(persona).post(URL, {"titre": "Une question", "signalementId": None})

    assert reponse.status_code == 201
    assert (reponse.json()["data"]["signalementId"], reponse.json()["data"]["signalementReference"]) == (None, None)


@pytest.mark.parametrize("persona", ["etudiante", "gestionnaire", "invite"])
def test_un_signalement_inconnu_est_nomme(client_de_personne, persona):
    reponse = client_de_personne(persona).post(URL, {"titre": "Suites", "signalementId": str(uuid4())})

    assert champs_refuses(reponse) == {"signalementId"}
    assert not Discussion.objects.exists()


@pytest.mark.parametrize("titre", ["", "  ", None, "x" * 256])
def test_un_titre_est_requis_et_tient_en_255_caracteres(api, etudiante, titre):
    assert champs_refuses(api(etudiante).post(URL, {"titre": titre})) == {"titre"}
    assert api(etudiante).post(URL, {"titre": "x" * 255}).status_code == 201


def test_les_champs_reserves_envoyes_a_l_ouverture_ne_changent_rien(api, etudiante, autre_etudiante):
    piege = {
        "id": str(uuid4()),
        "acteurId": str(autre_etudiante.pk),
        "sourceActeur": "GUEST",
        "estFusionne": True,
        "messagesNonLusCount": 7,
        "resume": {"nombreMessages": 7},
        "dateCreation": "2020-01-01T00:00:00Z",
    }

    recu = api(etudiante).post(URL, {"titre": "Suites", **piege}).json()["data"]

    assert (recu["acteurId"], recu["sourceActeur"], recu["estFusionne"]) == (str(etudiante.pk), "AUTH_USER", False)
    assert recu["id"] != piege["id"]
    assert recu["resume"] == {"nombreMessages": 0, "dernierMessage": None, "dateDernierMessage": None}
    assert (recu["messagesNonLusCount"], recu["hasUnreadUpdates"]) == (0, False)
    assert not recu["dateCreation"].startswith("2020")


# --- Lists ----------------------------------------------------------------------------------------------------------


def test_chacun_liste_les_siennes_et_celles_de_ses_signalements(api, etudiante, autre_etudiante, gestionnaire):
    sienne = fabriques.discussion(acteur_de(etudiante))
    dossier = signalements.signalement(acteur_de(etudiante))
    de_l_equipe = fabriques.discussion(acteur_de(gestionnaire), signalement=dossier)
    d_autrui = fabriques.discussion(acteur_de(autre_etudiante))

    assert lister(api(etudiante)) == ids(de_l_equipe, sienne)
    assert lister(api(autre_etudiante)) == ids(d_autrui)
    assert lister(api(gestionnaire)) == ids(d_autrui, de_l_equipe, sienne)


def test_un_invite_liste_les_siennes_et_celles_de_ses_signalements(
    api, invite, autre_invite, gestionnaire, signalement_invite
):
    sienne = fabriques.discussion(acteur_de(invite))
    de_l_equipe = fabriques.discussion(acteur_de(gestionnaire), signalement=signalement_invite)
    fabriques.discussion(acteur_de(autre_invite))

    assert lister(api(invite), "guest/me") == ids(de_l_equipe, sienne)


def test_une_discussion_ouverte_sur_son_propre_signalement_n_est_listee_qu_une_fois(api, etudiante, discussion):
    assert lister(api(etudiante)) == ids(discussion)


def test_la_derniere_activite_vient_d_abord(api, etudiante, gestionnaire):
    premiere, deuxieme, troisieme = (fabriques.discussion(acteur_de(etudiante)) for _rang in range(3))
    fabriques.message(acteur_de(gestionnaire), premiere)

    api(etudiante).put(f"{URL}{deuxieme.pk}/messages/lus")

    assert lister(api(etudiante)) == ids(premiere, troisieme, deuxieme)


@pytest.mark.parametrize("persona", ["etudiante", "gestionnaire"])
def test_la_liste_se_filtre_par_signalement(client_de_personne, etudiante, discussion, persona):
    fabriques.discussion(acteur_de(etudiante))
    autre = signalements.signalement(acteur_de(etudiante))
    client = client_de_personne(persona)

    assert lister(client, signalementId=discussion.signalement_id) == ids(discussion)
    assert lister(client, signalementId=autre.pk) == []
    assert lister(client, signalementId=uuid4()) == []
    assert len(lister(client)) == 2


def test_filtrer_par_le_signalement_d_un_autre_n_y_mene_pas(api, autre_etudiante, invite, discussion):
    assert lister(api(autre_etudiante), signalementId=discussion.signalement_id) == []
    assert lister(api(invite), "guest/me", signalementId=discussion.signalement_id) == []


@pytest.mark.parametrize(("persona", "chemin"), [("etudiante", ""), ("gestionnaire", ""), ("invite", "guest/me")])
def test_un_signalement_mal_nomme_dans_le_filtre_est_un_422(client_de_personne, persona, chemin):
    reponse = client_de_personne(persona).get(f"{URL}{chemin}?signalementId=x")

    assert champs_refuses(reponse) == {"signalementId"}


def test_la_liste_se_pagine(api, etudiante):
    toutes = [fabriques.discussion(acteur_de(etudiante)) for _rang in range(3)]

    page = api(etudiante).get(f"{URL}?page=1&size=2").json()["data"]

    assert [item["id"] for item in page["items"]] == ids(toutes[0])
    assert (page["total"], page["pages"]) == (3, 2)


# --- Summary --------------------------------------------------------------------------------------------------------


def test_le_resume_dit_ou_en_est_la_discussion(api, etudiante, gestionnaire, discussion):
    fabriques.message(acteur_de(etudiante), discussion, "Bonjour, où en est-on ?")
    dernier = fabriques.message(acteur_de(gestionnaire), discussion, "Un rendez-vous est pris.")

    detail = api(etudiante).get(f"{URL}{discussion.pk}").json()["data"]
    (item,) = api(etudiante).get(URL).json()["data"]["items"]
    messages = api(etudiante).get(f"{URL}{discussion.pk}/messages").json()["data"]["items"]

    assert detail["resume"] == item["resume"]
    assert detail["resume"] == {
        "nombreMessages": 2,
        "dernierMessage": "Un rendez-vous est pris.",
        "dateDernierMessage": messages[-1]["dateCreation"],
    }
    assert messages[-1]["id"] == str(dernier.pk)
    assert detail["dateModification"] == messages[-1]["dateCreation"]


@pytest.mark.parametrize(
    ("contenu", "montre"),
    [("é" * 200, "é" * 200), ("é" * 201, "é" * 199 + "…"), ("é" * 20_000, "é" * 199 + "…")],
)
def test_le_resume_coupe_un_long_message(api, etudiante, discussion, contenu, montre):
    fabriques.message(acteur_de(etudiante), discussion, contenu)

    assert api(etudiante).get(f"{URL}{discussion.pk}").json()["data"]["resume"]["dernierMessage"] == montre


def test_l_identifiant_invite_que_son_porteur_colle_est_masque_pour_tous(api, invite, gestionnaire, signalement_invite):
    secret = str(invite.guest_id)
    ouverte = fabriques.discussion(acteur_de(invite), f"Dossier {secret}", signalement_invite)
    # Across the place where the summary is cut.
    fabriques.message(acteur_de(invite), ouverte, f"{'x' * 180} {secret}")

    def lire(qui):
        client = api(qui)
        reponses = (client.get(f"{URL}{ouverte.pk}"), client.get(f"{URL}{ouverte.pk}/messages"))
        return [reponse.json()["data"] for reponse in reponses]

    discussion, messages = lire(gestionnaire)
    la_sienne, les_siens = lire(invite)

    assert discussion["titre"] == "Dossier [identifiant masqué]"
    assert discussion["resume"]["dernierMessage"].endswith("x [identifiant masqu…")
    assert messages["items"][0]["contenu"].endswith("x [identifiant masqué]")
    assert secret[:8] not in str([discussion, messages])
    assert (la_sienne["titre"], la_sienne["resume"]) == (discussion["titre"], discussion["resume"])
    assert les_siens["items"][0]["contenu"] == messages["items"][0]["contenu"]


def test_l_identifiant_d_un_invite_colle_par_l_equipe_est_masque_a_l_invite(
    api, invite, autre_invite, gestionnaire, discussion_invitee
):
    fabriques.message(acteur_de(gestionnaire), discussion_invitee, f"Est-ce vous, {autre_invite.guest_id} ?")

    recus = api(invite).get(f"{URL}{discussion_invitee.pk}/messages").json()["data"]["items"]

    assert recus[0]["contenu"] == "Est-ce vous, [identifiant masqué] ?"


# --- Who sees whom --------------------------------------------------------------------------------------------------


def vu_par(api, lecteur, discussion):
    """`(author of the report, of the discussion, {content: (id, name)})` as this reader has them."""
    client, prefixe = api(lecteur), "/api/v1/"
    detail = client.get(f"{URL}{discussion.pk}").json()["data"]
    messages = client.get(f"{URL}{discussion.pk}/messages").json()["data"]["items"]
    dossier = None
    if detail["signalementId"]:
        dossier = client.get(f"{prefixe}signalements/{detail['signalementId']}").json()["data"]["acteurId"]
    assert all(message["acteurId"] == message["auteurId"] for message in messages)
    return dossier, detail["acteurId"], {m["contenu"]: (m["auteurId"], m["auteurNom"]) for m in messages}


@pytest.mark.parametrize("mode", ["ANONYME", "SECRET"])
def test_l_auteur_d_un_dossier_anonyme_a_partout_le_meme_pseudonyme(api, etudiante, gestionnaire, mode):
    dossier = signalements.signalement(acteur_de(etudiante), mode_identification=mode)
    ouverte = fabriques.discussion(acteur_de(etudiante), signalement=dossier)
    fabriques.message(acteur_de(etudiante), ouverte, "d'elle")
    fabriques.message(acteur_de(gestionnaire), ouverte, "de l'équipe")

    du_dossier, de_la_discussion, messages = vu_par(api, gestionnaire, ouverte)

    assert messages == {
        "d'elle": (du_dossier, "Anonyme"),
        "de l'équipe": (str(gestionnaire.pk), "Paul Ilunga"),
    }
    assert de_la_discussion == du_dossier != str(etudiante.pk)
    assert vu_par(api, etudiante, ouverte) == (
        str(etudiante.pk),
        str(etudiante.pk),
        {"d'elle": (str(etudiante.pk), "Awa Diop"), "de l'équipe": (str(gestionnaire.pk), "Paul Ilunga")},
    )


def test_une_discussion_que_l_equipe_ouvre_sur_un_dossier_anonyme_porte_son_nom(api, etudiante, gestionnaire):
    dossier = signalements.signalement(acteur_de(etudiante), mode_identification="ANONYME")
    ouverte = fabriques.discussion(acteur_de(gestionnaire), signalement=dossier)
    fabriques.message(acteur_de(etudiante), ouverte, "d'elle")

    du_dossier, de_la_discussion, messages = vu_par(api, gestionnaire, ouverte)

    assert de_la_discussion == str(gestionnaire.pk)
    assert messages == {"d'elle": (du_dossier, "Anonyme")}
    assert vu_par(api, etudiante, ouverte)[1] == str(gestionnaire.pk)


@pytest.mark.parametrize("liee", [True, False])
def test_un_compte_est_nomme_sur_un_dossier_identifie_et_sans_dossier(api, etudiante, gestionnaire, signalement, liee):
    ouverte = fabriques.discussion(acteur_de(etudiante), signalement=signalement if liee else None)
    fabriques.message(acteur_de(etudiante), ouverte, "d'elle")

    du_dossier, de_la_discussion, messages = vu_par(api, gestionnaire, ouverte)

    assert du_dossier == (str(etudiante.pk) if liee else None)
    assert de_la_discussion == str(etudiante.pk)
    assert messages == {"d'elle": (str(etudiante.pk), "Awa Diop")}


@pytest.mark.parametrize("mode", ["ANONYME", "IDENTIFIE", None])
def test_l_identifiant_d_un_invite_n_est_montre_qu_a_lui(api, invite, gestionnaire, mode):
    dossier = signalements.signalement(acteur_de(invite), mode_identification=mode) if mode else None
    ouverte = fabriques.discussion(acteur_de(invite), signalement=dossier)
    fabriques.message(acteur_de(invite), ouverte, "de l'invité")

    du_dossier, de_la_discussion, messages = vu_par(api, gestionnaire, ouverte)
    pseudonyme, nom = messages["de l'invité"]

    assert pseudonyme == de_la_discussion
    assert du_dossier in (None, pseudonyme)
    assert pseudonyme not in (str(invite.guest_id), str(invite.pk))
    assert nom == "Invité"
    assert api(None).get(f"/api/v1/guest/sessions/{pseudonyme}").status_code == 404
    siens = vu_par(api, invite, ouverte)
    assert siens[1] == siens[2]["de l'invité"][0] == str(invite.guest_id)


def test_deux_dossiers_anonymes_d_une_personne_ne_se_relient_pas_par_leurs_discussions(api, etudiante, gestionnaire):
    vus = []
    for _rang in range(2):
        dossier = signalements.signalement(acteur_de(etudiante), mode_identification="ANONYME")
        vus.append(vu_par(api, gestionnaire, fabriques.discussion(acteur_de(etudiante), signalement=dossier))[1])

    assert vus[0] != vus[1]


def test_un_gestionnaire_sur_son_dossier_anonyme_n_est_pas_nomme(api, gestionnaire, admin):
    dossier = signalements.signalement(acteur_de(gestionnaire), mode_identification="ANONYME")
    ouverte = fabriques.discussion(acteur_de(gestionnaire), signalement=dossier)
    fabriques.message(acteur_de(gestionnaire), ouverte, "de lui")

    du_dossier, de_la_discussion, messages = vu_par(api, admin, ouverte)

    assert de_la_discussion == du_dossier != str(gestionnaire.pk)
    assert messages == {"de lui": (du_dossier, "Anonyme")}


# --- Cost -----------------------------------------------------------------------------------------------------------


def discuter(qui, autrui):
    """A discussion of this person about a report of theirs, with a message of each."""
    ouverte = fabriques.discussion(acteur_de(qui), signalement=signalements.signalement(acteur_de(qui)))
    for auteur in (qui, autrui):
        fabriques.message(acteur_de(auteur), ouverte)
    return ouverte


@pytest.mark.parametrize(("persona", "chemin"), [("etudiante", ""), ("gestionnaire", ""), ("invite", "guest/me")])
def test_une_discussion_et_neuf_coutent_autant_de_requetes(
    api, personne, etudiante, admin, django_assert_num_queries, persona, chemin
):
    client = api(personne(persona))
    proprietaire = etudiante if persona == "gestionnaire" else personne(persona)

    discuter(proprietaire, admin)
    with django_assert_num_queries(4):
        client.get(f"{URL}{chemin}")
    for _rang in range(8):
        discuter(proprietaire, admin)
    with django_assert_num_queries(4):
        assert client.get(f"{URL}{chemin}").json()["data"]["total"] == 9


@pytest.mark.parametrize("persona", ["etudiante", "gestionnaire"])
def test_un_message_et_neuf_coutent_autant_de_requetes(
    client_de_personne, etudiante, gestionnaire, admin, discussion, django_assert_num_queries, persona
):
    client, url = client_de_personne(persona), f"{URL}{discussion.pk}/messages"

    fabriques.message(acteur_de(etudiante), discussion)
    with django_assert_num_queries(4):
        client.get(url)
    for rang in range(8):
        fabriques.message(acteur_de((etudiante, gestionnaire, admin)[rang % 3]), discussion)
    with django_assert_num_queries(4):
        assert client.get(url).json()["data"]["total"] == 9
