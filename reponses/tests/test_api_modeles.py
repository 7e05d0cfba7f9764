"""Templates of replies: read by who answers, filled for the case, written by administrators."""

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from config.tests.outils import acteur_de
from guests.tests.fabriques import session_invitee
from reponses.models import ModeleDeReponse
from reponses.tests import fabriques
from signalements.tests import fabriques as signalements

pytestmark = pytest.mark.django_db
MODELES = "/api/v1/modeles-reponse/"
CORPS = {"titre": "Bien reçu", "texteFr": "Nous avons lu {reference}."}


@pytest.fixture
def dossier():
    return signalements.signalement(acteur_de(session_invitee()), type="VOL")


def lus(client, **question):
    reponse = client.get(MODELES, question)
    assert reponse.status_code == 200, reponse.content
    return reponse.json()["data"]["items"]


def titres(client, **question):
    return [un["titre"] for un in lus(client, **question)]


# --- Reading --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("persona", ["gestionnaire", "admin"])
def test_qui_repond_lit_un_modele_rempli_pour_le_dossier(client_de_personne, settings, dossier, persona):
    settings.PORTAIL_NOM = "Écoute {reference}"
    modele = fabriques.modele(texte_fr="{reference} ici, {service}. { et } {} {{", ordre=3)

    (recu,) = lus(client_de_personne(persona), signalementId=dossier.pk)

    assert recu == {
        "id": str(modele.pk),
        "titre": "Bien reçu",
        "texte": f"{dossier.reference} ici, Écoute {{reference}}. {{ et }} {{}} {{{{",
        "langue": "fr",
    }


def test_sans_dossier_tous_ceux_qui_sont_actifs_comme_ils_sont_ecrits(api, gestionnaire):
    fabriques.modele("Clos", statut="CLOTURE", type="VIOLENCE", ordre=2)
    fabriques.modele("Reçu", ordre=1)
    fabriques.modele("Retiré", actif=False)

    recus = lus(api(gestionnaire))

    assert [un["titre"] for un in recus] == ["Reçu", "Clos"]
    assert recus[0]["texte"] == "Nous avons lu {reference}."


@pytest.mark.parametrize(
    ("type_", "statut", "convient"),
    [
        ("", "", True),
        ("VOL", "", True),
        ("VOL", "NOUVEAU", True),
        ("", "NOUVEAU", True),
        ("VIOLENCE", "", False),
        ("VOL", "CLOTURE", False),
        ("", "CLOTURE", False),
    ],
)
def test_un_modele_convient_au_type_et_a_l_etat_du_dossier(api, gestionnaire, dossier, type_, statut, convient):
    fabriques.modele(type=type_, statut=statut)

    assert titres(api(gestionnaire), signalementId=dossier.pk) == ["Bien reçu"] * convient


@pytest.mark.parametrize(
    ("textes", "demandee", "entete", "lu"),
    [
        ({"texte_fr": "Lu.", "texte_en": "Read."}, "en", "fr", ("Read.", "en")),
        ({"texte_fr": "Lu.", "texte_en": "Read."}, "fr", "en", ("Lu.", "fr")),
        ({"texte_fr": "Lu.", "texte_en": "Read."}, None, "en", ("Read.", "en")),
        ({"texte_fr": "Lu.", "texte_en": "Read."}, None, "fr", ("Lu.", "fr")),
        ({"texte_fr": "Lu."}, "en", "en", ("Lu.", "fr")),
        ({"texte_fr": "", "texte_en": "Read."}, "fr", "fr", ("Read.", "en")),
    ],
)
def test_la_langue_demandee_puis_celle_de_la_requete_puis_l_autre(api, gestionnaire, textes, demandee, entete, lu):
    fabriques.modele(**textes)
    question = {"langue": demandee} if demandee else {}

    (recu,) = api(gestionnaire).get(MODELES, question, headers={"Accept-Language": entete}).json()["data"]["items"]

    assert (recu["texte"], recu["langue"]) == lu


def test_l_ordre_est_total(api, gestionnaire):
    ecrits = [fabriques.modele(titre, ordre=ordre) for titre, ordre in [("B", 20), ("B", 10), ("A", 10), ("B", 10)]]

    recus = [un["id"] for un in lus(api(gestionnaire))]

    assert recus == [str(un.pk) for un in sorted(ecrits, key=lambda un: (un.ordre, un.titre, str(un.pk)))]


def test_la_liste_a_des_pages(api, gestionnaire):
    for rang in range(5):
        fabriques.modele(f"Modèle {rang}")

    page = api(gestionnaire).get(MODELES, {"page": 1, "size": 2}).json()["data"]

    assert ([un["titre"] for un in page["items"]], page["total"]) == (["Modèle 2", "Modèle 3"], 5)


def test_un_dossier_que_l_on_ne_lit_pas_est_introuvable(api, admin, gestionnaire, dossier):
    fabriques.modele()
    api(admin).put(f"/api/v1/signalements/{dossier.pk}/lecteurs", {"ecartes": [str(gestionnaire.pk)]})

    ferme = api(gestionnaire).get(MODELES, {"signalementId": str(dossier.pk)})
    inconnu = api(gestionnaire).get(MODELES, {"signalementId": "5f0c2a9e-6a7c-4c7e-9f6b-0a1b2c3d4e5f"})

    assert [(r.status_code, r.json()["code"]) for r in (ferme, inconnu)] == [(404, "NOT_FOUND")] * 2
    assert {un: ferme.json()[un] for un in ("error", "message")} == {
        un: inconnu.json()[un] for un in ("error", "message")
    }


@pytest.mark.parametrize("question", [{"langue": "de"}, {"signalementId": "x"}, {"langue": ""}])
def test_une_question_fausse_est_nommee(api, gestionnaire, question):
    reponse = api(gestionnaire).get(MODELES, question)

    if question == {"langue": ""}:  # as if it were not asked
        assert reponse.status_code == 200
    else:
        assert (reponse.status_code, reponse.json()["details"][0]["field"]) == (422, *question)


@pytest.mark.parametrize("avec_dossier", [False, True])
def test_un_modele_et_neuf_coutent_autant_de_requetes(api, gestionnaire, dossier, avec_dossier):
    client, question = api(gestionnaire), {"signalementId": str(dossier.pk)} if avec_dossier else {}
    couts = []
    for nombre in (1, 8):
        for rang in range(nombre):
            fabriques.modele(f"Modèle {nombre} {rang}")
        with CaptureQueriesContext(connection) as requetes:
            lus(client, **question)
        couts.append(len([r["sql"] for r in requetes if "reponses_" in r["sql"]]))

    assert couts == [2, 2]  # the page and its total
    assert len(lus(client, **question)) == 9


# --- Writing --------------------------------------------------------------------------------------------------------


def test_un_administrateur_ecrit_change_et_supprime(api, admin, gestionnaire):
    client = api(admin)
    fabriques.modele("Premier", ordre=40)

    cree = client.post(MODELES, CORPS).json()["data"]
    assert (cree["ordre"], cree["actif"], cree["type"], cree["statut"], cree["texteEn"]) == (50, True, None, None, None)
    une = f"{MODELES}{cree['id']}"
    change = client.put(une, {"texteEn": "Read {service}.", "type": "vol", "statut": "NOUVEAU", "actif": False})
    assert {nom: change.json()["data"][nom] for nom in ("titre", "texteFr", "texteEn", "type", "statut", "actif")} == {
        **CORPS,
        "texteEn": "Read {service}.",
        "type": "VOL",
        "statut": "NOUVEAU",
        "actif": False,
    }
    assert client.get(une).json()["data"] == change.json()["data"]
    assert titres(api(gestionnaire)) == ["Premier"]
    vide = client.put(une, {"type": None, "statut": None, "texteEn": None}).json()["data"]
    assert (vide["type"], vide["statut"], vide["texteEn"]) == (None, None, None)

    assert client.delete(une).status_code == 204
    assert client.get(une).status_code == 404
    assert ModeleDeReponse.objects.count() == 1


@pytest.mark.parametrize(
    ("texte", "inconnues"),
    [
        ("Avant le {date}.", "{date}"),
        ("{nom}, {reference}, {nom} et {Reference}", "{nom}, {Reference}"),
        ("{ reference }", "{ reference }"),
        ("{référence}", "{référence}"),
        ("{{reference}}{x}", "{x}"),
        ("{0} {reference.__class__}", "{0}"),
    ],
)
@pytest.mark.parametrize("champ", ["texteFr", "texteEn"])
def test_une_variable_inconnue_est_refusee_par_son_nom(api, admin, champ, texte, inconnues):
    modele = fabriques.modele()
    client = api(admin)

    refus = [client.post(MODELES, {**CORPS, champ: texte}), client.put(f"{MODELES}{modele.pk}", {champ: texte})]

    for reponse in refus:
        (detail,) = reponse.json()["details"]
        assert (reponse.status_code, detail["field"], detail["code"]) == (422, champ, "variable")
        assert (
            detail["message"]
            == f"Rien ne remplit {inconnues}. Variables admises : {{reference}}, {{echeance}}, {{service}}."
        )
    assert ModeleDeReponse.objects.values_list("texte_fr", "texte_en").get() == (modele.texte_fr, "")


@pytest.mark.parametrize(
    "texte", ["{}", "{ }", "une { seule", "} {", "{reference", "{a b}", "{a.b}", "100 % {service}"]
)
def test_une_accolade_qui_n_entoure_pas_un_mot_reste(api, admin, gestionnaire, texte):
    assert api(admin).post(MODELES, {**CORPS, "texteFr": texte}).status_code == 201

    (recu,) = lus(api(gestionnaire))

    assert recu["texte"] == texte.strip()


def test_un_texte_au_moins_est_ecrit(api, admin):
    modele = fabriques.modele()
    client = api(admin)

    refus = [client.post(MODELES, {"titre": "Vide"}), client.put(f"{MODELES}{modele.pk}", {"texteFr": ""})]

    assert [(r.status_code, r.json()["details"][0]["field"]) for r in refus] == [(422, "texteFr")] * 2
    with pytest.raises(IntegrityError, match="modele_de_reponse_ecrit"), transaction.atomic():
        fabriques.modele(texte_fr="")


@pytest.mark.parametrize(
    ("corps", "champ"),
    [
        ({"titre": "x" * 121}, "titre"),
        ({"titre": ""}, "titre"),
        ({"texteFr": "x" * 5_001}, "texteFr"),
        ({"texteEn": "x" * 5_001}, "texteEn"),
        ({"statut": "INCONNU"}, "statut"),
        ({"type": "deux mots"}, "type"),
        ({"ordre": -1}, "ordre"),
        ({"ordre": 10_000}, "ordre"),
        ({"actif": "oui"}, "actif"),
    ],
)
def test_un_champ_faux_est_nomme(api, admin, corps, champ):
    reponse = api(admin).post(MODELES, {**CORPS, **corps})

    assert (reponse.status_code, [d["field"] for d in reponse.json()["details"]]) == (422, [champ])
    assert not ModeleDeReponse.objects.exists()


def test_les_textes_les_plus_longs_sont_gardes(api, admin):
    long = {"titre": "é" * 120, "texteFr": "é" * 5_000, "texteEn": "é" * 5_000}

    assert api(admin).post(MODELES, long).status_code == 201


def test_au_dela_de_la_borne_rien_ne_s_ajoute_et_le_reste_se_change(api, admin, monkeypatch):
    monkeypatch.setattr(ModeleDeReponse, "MAXIMUM", 2)
    un, _autre = (fabriques.modele(actif=False) for _rang in range(2))

    refus = api(admin).post(MODELES, CORPS)

    assert (refus.status_code, refus.json()["code"]) == (409, "CONFLICT")
    assert "2 textes sont déjà gardés" in refus.json()["message"]
    assert ModeleDeReponse.objects.count() == 2
    assert api(admin).put(f"{MODELES}{un.pk}", {"actif": True}).status_code == 200


def test_un_changement_qui_n_en_est_pas_un_n_ecrit_rien(api, admin):
    modele = fabriques.modele()

    with CaptureQueriesContext(connection) as requetes:
        assert api(admin).put(f"{MODELES}{modele.pk}", {"titre": modele.titre}).status_code == 200

    assert not [r for r in requetes if r["sql"].startswith('UPDATE "reponses')]


def test_un_identifiant_invite_colle_n_est_pas_garde(api, admin, invite):
    recu = api(admin).post(MODELES, {**CORPS, "texteFr": f"Dites {invite.guest_id}."}).json()["data"]

    assert recu["texteFr"] == "Dites [identifiant masqué]."
    assert str(invite.guest_id) not in str(ModeleDeReponse.objects.values().get())


@pytest.mark.parametrize("methode", ["POST", "PUT", "DELETE"])
def test_un_gestionnaire_lit_et_n_ecrit_pas(api, gestionnaire, methode):
    modele = fabriques.modele()
    url = MODELES if methode == "POST" else f"{MODELES}{modele.pk}"

    assert api(gestionnaire).envoyer(methode, url, CORPS).status_code == 403
    assert ModeleDeReponse.objects.get().titre == modele.titre
