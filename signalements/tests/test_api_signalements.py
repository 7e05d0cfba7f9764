import pytest

from config.tests.outils import acteur_de
from signalements.models import EntreeTimeline, Signalement
from signalements.tests import fabriques

pytestmark = pytest.mark.django_db
URL = "/api/v1/signalements/"
CORPS = {"titre": "Remarques", "description": "Devant l'amphi.", "type": "harcelement"}


@pytest.mark.parametrize(
    ("persona", "mode"), [("etudiante", "IDENTIFIE"), ("gestionnaire", "IDENTIFIE"), ("invite", "ANONYME")]
)
def test_qui_signale_est_identifie_ou_anonyme_par_defaut(client_de_personne, persona, mode):
    reponse = client_de_personne(persona).post(URL, CORPS)

    assert reponse.status_code == 201
    assert reponse.json()["data"]["modeIdentification"] == mode
    assert reponse.json()["data"]["type"] == "HARCELEMENT"


def test_les_champs_reserves_envoyes_a_la_creation_ne_changent_rien(api, etudiante, autre_etudiante):
    piege = {
        "id": str(autre_etudiante.pk),
        "statut": "CLOTURE",
        "acteurId": str(autre_etudiante.pk),
        "estFusionne": True,
    }

    recu = api(etudiante).post(URL, {**CORPS, **piege}).json()["data"]

    assert (recu["statut"], recu["acteurId"], recu["estFusionne"]) == ("NOUVEAU", str(etudiante.pk), False)
    assert recu["id"] != piege["id"]


def test_null_sur_un_champ_facultatif_vaut_absent(api, etudiante):
    facultatifs = ["modeIdentification", "dateIncident", "lieuIncident", "aTemoins", "priorite", "reference"]

    reponse = api(etudiante).post(URL, {**CORPS, **dict.fromkeys(facultatifs)})

    assert reponse.status_code == 201
    assert reponse.json()["data"]["priorite"] == "MEDIUM"


def test_une_reference_apportee_est_gardee_sans_donner_acces(api, etudiante, autre_etudiante, gestionnaire):
    existant = api(autre_etudiante).post(URL, CORPS).json()["data"]

    recu = api(etudiante).post(URL, {**CORPS, "reference": existant["reference"]})

    assert recu.json()["data"]["reference"] == existant["reference"]
    assert api(etudiante).get(f"{URL}{existant['id']}").status_code == 403
    trouves = api(gestionnaire).get(f"{URL}?search={existant['reference']}").json()["data"]
    assert trouves["total"] == 2


def test_l_equipe_distingue_la_reference_declaree_de_celle_qui_a_ete_tiree(api, etudiante, invite, gestionnaire):
    tiree = fabriques.signalement(acteur_de(etudiante))
    declaree = fabriques.signalement(acteur_de(invite), reference=tiree.reference)

    for chemin in (URL, f"{URL}?search={tiree.reference}", f"{URL}non-traites"):
        lus = {s["id"]: s["referenceDeclaree"] for s in api(gestionnaire).get(chemin).json()["data"]["items"]}
        assert lus == {str(tiree.pk): False, str(declaree.pk): True}
    assert api(invite).get(f"{URL}{declaree.pk}").json()["data"]["referenceDeclaree"] is None


def test_une_reference_apportee_deux_fois_par_la_meme_personne_est_refusee(api, etudiante):
    corps = {**CORPS, "reference": "SIG-2026-7K3M9QXT"}
    api(etudiante).post(URL, corps)

    reponse = api(etudiante).post(URL, corps)

    assert reponse.status_code == 422
    assert reponse.json()["details"][0]["field"] == "reference"
    assert Signalement.objects.count() == 1


def test_une_piece_jointe_est_un_de_ses_fichiers(api, etudiante):
    reponse = api(etudiante).post(URL, {**CORPS, "piecesJointes": ["5f0c2a9e-6a7c-4c7e-9f6b-0a1b2c3d4e5f"]})

    assert reponse.status_code == 422
    assert not Signalement.objects.exists()


def test_chacun_ne_liste_que_les_siens(api, etudiante, autre_etudiante, invite, autre_invite):
    for qui in (etudiante, autre_etudiante, invite, autre_invite):
        fabriques.signalement(acteur_de(qui))

    du_compte = api(etudiante).get(f"{URL}me").json()["data"]["items"]
    de_l_invite = api(invite).get(f"{URL}guest/me").json()["data"]["items"]

    assert [s["acteurId"] for s in du_compte] == [str(etudiante.pk)]
    assert [s["acteurId"] for s in de_l_invite] == [str(invite.guest_id)]


@pytest.mark.parametrize("persona", ["etudiante", "autre_etudiante", "invite", "gestionnaire"])
@pytest.mark.parametrize("suite", ["", "/timeline"])
def test_un_identifiant_inconnu_est_introuvable_ou_qu_il_y_ait_des_dossiers(
    client_de_personne, signalement, persona, suite
):
    reponse = client_de_personne(persona).get(f"{URL}5f0c2a9e-6a7c-4c7e-9f6b-0a1b2c3d4e5f{suite}")

    assert (reponse.status_code, reponse.json()["code"]) == (404, "NOT_FOUND")


def test_l_invite_peut_se_nommer_dans_l_adresse_de_sa_liste(api, invite, signalement_invite):
    reponse = api(None).get(f"{URL}guest/me?guestId={invite.guest_id}")

    assert [s["id"] for s in reponse.json()["data"]["items"]] == [str(signalement_invite.pk)]


def test_deux_identifiants_invites_differents_sont_refuses(api, invite, autre_invite):
    reponse = api(invite).get(f"{URL}guest/me?guestId={autre_invite.guest_id}")

    assert reponse.status_code == 422


def test_l_identifiant_de_l_adresse_ne_vaut_que_la(api, invite, signalement_invite):
    assert api(None).get(f"{URL}{signalement_invite.pk}?guestId={invite.guest_id}").status_code == 401


def test_non_traites_vient_du_plus_ancien_sans_les_dossiers_finis(api, gestionnaire, etudiante):
    ancien, traite, recent = (fabriques.signalement(acteur_de(etudiante)) for _ in range(3))
    api(gestionnaire).put(f"{URL}{traite.pk}/statut", {"statut": "TRAITE"})

    items = api(gestionnaire).get(f"{URL}non-traites").json()["data"]["items"]

    assert [s["id"] for s in items] == [str(ancien.pk), str(recent.pk)]


@pytest.mark.parametrize(
    ("filtre", "attendus"),
    [
        ("statut=NOUVEAU", 2),
        ("statut=TRAITE", 0),
        ("type=vol", 1),
        ("priorite=HIGH", 1),
        ("sourceActeur=GUEST", 1),
        ("sourceActeur=AUTH_USER", 1),
        ("search=ecole", 1),
        ("search=ÉCOLE", 1),
        ("debut=2020-01-01", 2),
        ("fin=2020-01-01", 0),
        ("gestionnaireId=5f0c2a9e-6a7c-4c7e-9f6b-0a1b2c3d4e5f", 0),
        ("gestionnaireId=aucun", 2),
        ("nonLus=true", 0),
        ("nonLus=false", 2),
    ],
)
def test_la_liste_de_l_equipe_se_filtre(api, gestionnaire, etudiante, invite, filtre, attendus):
    fabriques.signalement(acteur_de(etudiante), type="VOL", titre="Vol à l'École")
    fabriques.signalement(acteur_de(invite), priorite="HIGH")

    assert api(gestionnaire).get(f"{URL}?{filtre}").json()["data"]["total"] == attendus


@pytest.mark.parametrize(
    "filtre", ["statut=X", "priorite=1", "debut=2026-02-30", "gestionnaireId=x", "sourceActeur=Y", "nonLus=1"]
)
def test_un_filtre_invalide_est_nomme(api, gestionnaire, filtre):
    reponse = api(gestionnaire).get(f"{URL}?{filtre}")

    assert reponse.status_code == 422
    assert reponse.json()["details"][0]["field"] == filtre.partition("=")[0]


def test_le_statut_passe_de_tout_a_tout_et_le_meme_ne_change_rien(api, gestionnaire, signalement):
    url = f"{URL}{signalement.pk}/statut"

    for statut in ("CLOTURE", "NOUVEAU", "EN_ATTENTE", "EN_ATTENTE"):
        assert api(gestionnaire).put(url, {"statut": statut}).json()["data"]["statut"] == statut

    assert EntreeTimeline.objects.filter(type="STATUT").count() == 3


def test_assigner_un_nouveau_le_rend_assigne_et_laisse_les_autres(api, admin, gestionnaire, signalement):
    url = f"{URL}{signalement.pk}"

    premiere = api(admin).put(f"{url}/assigner", {"gestionnaireId": str(gestionnaire.pk)}).json()["data"]
    api(admin).put(f"{url}/statut", {"statut": "EN_ATTENTE"})
    seconde = api(gestionnaire).put(f"{url}/assigner", {"gestionnaireId": str(admin.pk)}).json()["data"]

    assert (premiere["statut"], premiere["gestionnaireNom"]) == ("ASSIGNE", "Paul Ilunga")
    assert (seconde["statut"], seconde["gestionnaireId"]) == ("EN_ATTENTE", str(admin.pk))


@pytest.mark.parametrize("cible", ["etudiante", "autre_etudiante", "desactive", "inconnu"])
def test_on_n_assigne_qu_a_une_personne_active_de_l_equipe(api, admin, gestionnaire, signalement, personne, cible):
    if cible == "desactive":
        gestionnaire.est_actif = False
        gestionnaire.save()
    ids = {"desactive": gestionnaire.pk, "inconnu": "5f0c2a9e-6a7c-4c7e-9f6b-0a1b2c3d4e5f"}
    cible_id = ids.get(cible) or personne(cible).pk

    reponse = api(admin).put(f"{URL}{signalement.pk}/assigner", {"gestionnaireId": str(cible_id)})

    assert reponse.status_code == 422
    signalement.refresh_from_db()
    assert signalement.gestionnaire is None


def test_le_proprietaire_ne_voit_ni_note_ni_qui_traite(api, gestionnaire, etudiante, signalement):
    equipe, elle = api(gestionnaire), api(etudiante)
    equipe.put(f"{URL}{signalement.pk}/assigner", {"gestionnaireId": str(gestionnaire.pk)})
    equipe.post(f"{URL}{signalement.pk}/notes", {"contenu": "À rappeler."})

    detail = elle.get(f"{URL}{signalement.pk}").json()["data"]
    histoire = elle.get(f"{URL}{signalement.pk}/timeline").json()["data"]
    pour_l_equipe = equipe.get(f"{URL}{signalement.pk}/timeline").json()["data"]

    assert (detail["gestionnaireId"], detail["gestionnaireNom"]) == (None, None)
    assert [e["type"] for e in histoire] == ["CREATION", "ASSIGNATION", "STATUT"]
    assert "Ilunga" not in str(histoire)
    assert str(gestionnaire.pk) not in str(histoire)
    assert [e["auteurNom"] for e in histoire] == ["Awa Diop", "Équipe", "Équipe"]
    assert [e["type"] for e in pour_l_equipe] == ["CREATION", "ASSIGNATION", "STATUT", "NOTE"]
    assert pour_l_equipe[1]["description"] == "Dossier confié à Paul Ilunga."
    assert pour_l_equipe[3]["description"] == "À rappeler."


def test_un_gestionnaire_qui_signale_est_proprietaire_de_son_dossier(api, gestionnaire, admin):
    le_sien = fabriques.signalement(acteur_de(gestionnaire))
    api(admin).put(f"{URL}{le_sien.pk}/assigner", {"gestionnaireId": str(admin.pk)})
    api(admin).post(f"{URL}{le_sien.pk}/notes", {"contenu": "Entre nous."})

    detail = api(gestionnaire).get(f"{URL}{le_sien.pk}").json()["data"]
    histoire = api(gestionnaire).get(f"{URL}{le_sien.pk}/timeline").json()["data"]

    assert detail["gestionnaireNom"] is None
    assert "Entre nous." not in str(histoire)


@pytest.mark.parametrize("mode", ["ANONYME", "SECRET", "PSEUDO"])
def test_un_dossier_qui_n_est_pas_identifie_ne_nomme_jamais_son_auteur(api, gestionnaire, etudiante, mode):
    dossier = fabriques.signalement(acteur_de(etudiante), mode_identification=mode)
    autre = fabriques.signalement(acteur_de(etudiante), mode_identification=mode)

    equipe = api(gestionnaire)
    vus = [equipe.get(f"{URL}{d.pk}").json()["data"]["acteurId"] for d in (dossier, autre)]
    histoire = equipe.get(f"{URL}{dossier.pk}/timeline").json()["data"]

    assert str(etudiante.pk) not in vus
    assert vus[0] != vus[1]
    assert (histoire[0]["auteurId"], histoire[0]["auteurNom"]) == (vus[0], "Anonyme")
    assert api(etudiante).get(f"{URL}{dossier.pk}").json()["data"]["acteurId"] == str(etudiante.pk)


def test_un_invite_n_est_connu_de_l_equipe_que_par_un_pseudonyme(api, gestionnaire, invite):
    dossier = fabriques.signalement(acteur_de(invite), mode_identification="IDENTIFIE")

    vu = api(gestionnaire).get(f"{URL}{dossier.pk}").json()["data"]["acteurId"]

    assert vu not in (str(invite.guest_id), str(invite.pk))
    assert api(None).get(f"/api/v1/guest/sessions/{vu}").status_code == 404
    assert api(gestionnaire).get(f"/api/v1/comptes/{vu}").status_code == 404


@pytest.mark.parametrize("ecrit", ["{0}", "{0!s}.", "ID={1}", "({2})"])
def test_l_identifiant_invite_colle_dans_un_texte_est_masque_pour_tous(api, gestionnaire, invite, ecrit):
    secret = ecrit.format(invite.guest_id, invite.guest_id.hex, str(invite.guest_id).upper())
    dossier = fabriques.signalement(acteur_de(invite), description=f"Mon identifiant : {secret}", lieu_incident=secret)

    vu = api(gestionnaire).get(f"{URL}{dossier.pk}").json()["data"]
    le_sien = api(invite).get(f"{URL}{dossier.pk}").json()["data"]

    assert "[identifiant masqué]" in vu["description"]
    assert "[identifiant masqué]" in vu["lieuIncident"]
    assert secret not in str([vu, {nom: valeur for nom, valeur in le_sien.items() if nom != "acteurId"}])


def test_la_priorite_change_et_s_ecrit_dans_l_historique(api, gestionnaire, etudiante, signalement):
    api(gestionnaire).put(f"{URL}{signalement.pk}/priorite", {"priorite": "CRITICAL"})

    histoire = api(etudiante).get(f"{URL}{signalement.pk}/timeline").json()["data"]

    assert histoire[-1]["description"] == "Priorité : Moyenne → Critique."
    assert (histoire[-1]["ancienStatut"], histoire[-1]["nouveauStatut"]) == (None, None)


def test_l_anglais_est_servi_a_qui_le_demande(api, etudiante, signalement):
    client = api(etudiante)

    reponse = client.get(f"{URL}{signalement.pk}/timeline", headers={"Accept-Language": "en"})

    assert reponse.json()["data"][0]["description"] == "Report received."


@pytest.mark.parametrize(("liste", "requetes"), [("me", 3), ("non-traites", 4), ("", 4)])
def test_un_dossier_et_neuf_coutent_autant_de_requetes(
    api, gestionnaire, invite, django_assert_num_queries, liste, requetes
):
    client = api(gestionnaire)
    proprietaire = acteur_de(gestionnaire if liste == "me" else invite)
    fabriques.signalement(proprietaire, gestionnaire=gestionnaire)

    with django_assert_num_queries(requetes):
        client.get(f"{URL}{liste}")
    for _ in range(8):
        fabriques.signalement(proprietaire, gestionnaire=gestionnaire)
    with django_assert_num_queries(requetes):
        assert client.get(f"{URL}{liste}").json()["data"]["total"] == 9


def test_l_historique_coute_autant_pour_une_entree_et_pour_neuf(
    api, gestionnaire, etudiante, signalement, django_assert_num_queries
):
    client, url = api(gestionnaire), f"{URL}{signalement.pk}/timeline"

    with django_assert_num_queries(3):
        client.get(url)
    for rang in range(8):
        EntreeTimeline.objects.create(signalement=signalement, type="NOTE", contenu=str(rang), compte=gestionnaire)
    with django_assert_num_queries(3):
        assert len(client.get(url).json()["data"]) == 9
