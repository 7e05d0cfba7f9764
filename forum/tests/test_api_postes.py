from uuid import uuid4

import pytest

from accounts.tests import fabriques as comptes
from config.tests.outils import acteur_de, champs_refuses
from forum import services
from forum.models import Commentaire, Moderation, Poste, Reaction
from forum.tests import fabriques
from forum.vocabulaire import Statut

pytestmark = pytest.mark.django_db
URL = "/api/v1/postes/"


def lister(client, chemin="", **filtres):
    question = "&".join(f"{nom}={valeur}" for nom, valeur in filtres.items())
    reponse = client.get(f"{URL}{chemin}?{question}")
    assert reponse.status_code == 200, reponse.content
    return [item["id"] for item in reponse.json()["data"]["items"]]


def ids(*postes):
    return [str(poste.pk) for poste in postes]


def donnees(client, chemin):
    return client.get(f"{URL}{chemin}").json()["data"]


# --- Publishing -----------------------------------------------------------------------------------------------------


def test_publier_rend_la_publication_entiere(api, etudiante):
    corps = {
        "titre": " Chorale ",
        "contenu": "Qui vient jeudi ?",
        "categorie": "vie_du_campus",
        "tags": ["musique", " Jeudi ", "musique"],
    }

    reponse = api(etudiante).post(URL, corps)

    publiee = reponse.json()["data"]
    assert reponse.status_code == 201
    assert publiee == {
        "id": publiee["id"],
        "titre": "Chorale",
        "contenu": "Qui vient jeudi ?",
        "categorie": "VIE_DU_CAMPUS",
        "tags": ["musique", "Jeudi"],
        "piecesJointes": [],
        "auteurId": str(etudiante.pk),
        "auteurNom": "Awa Diop",
        "statut": "NOUVEAU",
        "approuverParId": None,
        "estEpingle": False,
        "nbCommentaires": 0,
        "nbReactions": 0,
        "dateCreation": publiee["dateCreation"],
        "dateModification": publiee["dateModification"],
    }
    assert donnees(api(etudiante), publiee["id"]) == publiee


def test_seul_le_contenu_est_requis(api, etudiante):
    assert champs_refuses(api(etudiante).post(URL, {})) == {"contenu"}
    publiee = api(etudiante).post(URL, {"contenu": "Bonjour."}).json()["data"]
    assert (publiee["titre"], publiee["categorie"], publiee["tags"]) == (None, None, [])


def test_ce_qui_n_est_pas_demande_ne_change_rien(api, etudiante, admin):
    glisses = {"statut": "APPROUVER", "auteurId": str(admin.pk), "approuverParId": str(admin.pk), "estEpingle": True}

    publiee = api(etudiante).post(URL, {"contenu": "Bonjour.", "nbReactions": 9, **glisses}).json()["data"]

    assert (publiee["statut"], publiee["auteurId"], publiee["estEpingle"]) == ("NOUVEAU", str(etudiante.pk), False)
    assert (publiee["approuverParId"], publiee["nbReactions"]) == (None, 0)


@pytest.mark.parametrize(
    ("champs", "refuse"),
    [
        ({"titre": "x" * 256}, "titre"),
        ({"contenu": "  "}, "contenu"),
        ({"contenu": "x" * 20_001}, "contenu"),
        ({"categorie": "vie du campus"}, "categorie"),
        ({"tags": ["x" * 51]}, "tags.0"),
        ({"tags": ["a", " "]}, "tags.1"),
        ({"tags": [f"t{n}" for n in range(21)]}, "tags"),
        ({"piecesJointes": [str(uuid4())]}, "piecesJointes.0"),
    ],
)
def test_un_champ_hors_de_ses_bornes_est_nomme(api, etudiante, champs, refuse):
    reponse = api(etudiante).post(URL, {"contenu": "Bonjour.", **champs})

    assert champs_refuses(reponse) == {refuse}
    assert not Poste.objects.exists()


@pytest.mark.parametrize(("champ", "reglage"), [("categorie", "categorie_poste"), ("type", "type_reaction")])
def test_un_vocabulaire_se_ferme(api, etudiante, poste, settings, champ, reglage):
    settings.VOCABULAIRES = {**settings.VOCABULAIRES, reglage: ["ANNONCE"]}
    url = URL if champ == "categorie" else f"{URL}{poste.pk}/reactions"

    statuts = [
        api(etudiante).post(url, {"contenu": "Bonjour.", champ: valeur}).status_code for valeur in ("annonce", "autre")
    ]

    assert statuts == [201, 422]


def test_un_identifiant_invite_colle_n_est_montre_a_personne(api, etudiante, gestionnaire, invite):
    secret = str(invite.guest_id)
    corps = {"titre": f"Dossier {secret}", "contenu": f"Mon identifiant : {secret.upper()}", "tags": [secret]}

    publiee = api(etudiante).post(URL, corps).json()["data"]
    lue = donnees(api(gestionnaire), publiee["id"])
    commentaire = {"contenu": f"Et {secret} ?"}
    ecrit = api(gestionnaire).post(f"{URL}{publiee['id']}/commentaires", commentaire).json()["data"]
    vus = donnees(api(etudiante), f"{publiee['id']}/commentaires")["items"]

    assert publiee["tags"] == ["[identifiant masqué]"]
    assert lue["titre"] == publiee["titre"] == "Dossier [identifiant masqué]"
    assert ecrit["contenu"] == vus[0]["contenu"] == "Et [identifiant masqué] ?"
    assert secret.replace("-", "") not in str([*Poste.objects.values(), *Commentaire.objects.values()]).replace("-", "")


# --- Who sees -------------------------------------------------------------------------------------------------------

DETAILS = [
    ("get", ""),
    ("get", "/commentaires"),
    ("post", "/commentaires"),
    ("get", "/reactions"),
    ("post", "/reactions"),
]
CORPS = {"/commentaires": {"contenu": "Moi !"}, "/reactions": {"type": "LIKE"}}


@pytest.mark.parametrize(("methode", "suite"), DETAILS)
@pytest.mark.parametrize("statut", Statut)
@pytest.mark.parametrize(
    ("persona", "voit"), [("etudiante", True), ("gestionnaire", True), ("admin", True), ("autre_etudiante", None)]
)
def test_on_voit_ce_qui_est_approuve_et_le_sien(
    client_de_personne, etudiante, gestionnaire, persona, voit, statut, methode, suite
):
    vise = fabriques.poste(acteur_de(etudiante), par=acteur_de(gestionnaire), statut=statut)
    voit = statut in ("APPROUVER", "APPROUVER_IA") if voit is None else voit

    corps = CORPS.get(suite) if methode == "post" else None
    reponse = client_de_personne(persona).envoyer(methode, f"{URL}{vise.pk}{suite}", corps)

    assert reponse.status_code == (404 if not voit else 201 if methode == "post" else 200)
    assert Commentaire.objects.count() + Reaction.objects.count() == (voit and methode == "post")


@pytest.mark.parametrize(
    ("persona", "vues"),
    [
        ("etudiante", {"siennes", "approuvees"}),
        ("autre_etudiante", {"approuvees"}),
        ("gestionnaire", {"siennes", "approuvees", "cachees"}),
    ],
)
def test_les_listes_ne_montrent_que_ce_que_l_on_voit(client_de_personne, etudiante, admin, gestionnaire, persona, vues):
    equipe = acteur_de(gestionnaire)
    faites = {
        "siennes": [
            fabriques.poste(acteur_de(etudiante)),
            fabriques.poste(acteur_de(etudiante), par=equipe, statut="REJETER"),
        ],
        "approuvees": [fabriques.poste(acteur_de(admin), par=equipe, statut=s) for s in ("APPROUVER", "APPROUVER_IA")],
        "cachees": [fabriques.poste(acteur_de(admin), par=equipe, statut=s) for s in ("ARCHIVER", "REJETER_IA")],
    }

    client = client_de_personne(persona)
    attendues = {pk for espece in vues for pk in ids(*faites[espece])}

    assert set(lister(client)) == attendues
    assert client.get(URL).json()["data"]["total"] == len(attendues)
    assert set(lister(client, "approuves")) == set(ids(*faites["approuvees"]))


@pytest.mark.parametrize("chemin", ["", "approuves"])
def test_les_epinglees_d_abord_puis_les_plus_recentes(api, etudiante, gestionnaire, chemin):
    equipe = acteur_de(gestionnaire)
    premiere, seconde, troisieme, derniere = (fabriques.poste(acteur_de(etudiante), par=equipe) for _rang in range(4))
    services.epingler(acteur=equipe, poste=premiere)
    services.epingler(acteur=equipe, poste=troisieme)

    assert lister(api(etudiante), chemin) == ids(troisieme, premiere, derniere, seconde)


def test_a_la_meme_date_l_identifiant_departage(api, etudiante):
    postes = [fabriques.poste(acteur_de(etudiante)) for _rang in range(5)]
    Poste.objects.update(date_creation=postes[0].date_creation)

    pages = [lister(api(etudiante), size=2, page=page) for page in range(3)]

    assert [pk for page in pages for pk in page] == sorted(ids(*postes), reverse=True)


def test_la_file_a_moderer_est_de_la_plus_ancienne_a_la_plus_recente(api, etudiante, gestionnaire, poste):
    anciennes = [fabriques.poste(acteur_de(etudiante)) for _rang in range(3)]
    services.epingler(acteur=acteur_de(gestionnaire), poste=anciennes[2])

    assert lister(api(gestionnaire), statut="NOUVEAU") == ids(*anciennes)
    assert lister(api(gestionnaire), statut="APPROUVER") == ids(poste)


def test_filtrer_ne_fait_jamais_voir_davantage(api, autre_etudiante, etudiante, poste, poste_nouveau):
    assert lister(api(autre_etudiante), statut="NOUVEAU") == []
    assert lister(api(etudiante), statut="NOUVEAU") == ids(poste_nouveau)
    assert champs_refuses(api(etudiante).get(f"{URL}?statut=PUBLIE")) == {"statut"}


def test_filtrer_par_categorie_et_chercher_sans_accents(api, etudiante):
    acteur = acteur_de(etudiante)
    securite = fabriques.poste(acteur, titre="Sécurité", categorie="ANNONCE")
    chorale = fabriques.poste(acteur, contenu="Répétition", tags=["Été 2027"], categorie="VIE_DU_CAMPUS")

    client = api(etudiante)

    assert lister(client, categorie="annonce") == ids(securite)
    assert lister(client, search="SECURITE") == ids(securite)
    assert lister(client, search="ete%202027") == ids(chorale)
    assert lister(client, search="repetition", categorie="ANNONCE") == []


@pytest.mark.parametrize("persona", ["etudiante", "gestionnaire"])
@pytest.mark.parametrize("chemin", ["", "approuves"])
def test_une_publication_et_neuf_coutent_autant_de_requetes(
    client_de_personne, gestionnaire, poste, django_assert_num_queries, persona, chemin
):
    client = client_de_personne(persona)

    with django_assert_num_queries(3):
        client.get(f"{URL}{chemin}")
    for _rang in range(8):
        fabriques.poste(acteur_de(comptes.compte()), par=acteur_de(gestionnaire))
    with django_assert_num_queries(3):
        assert client.get(f"{URL}{chemin}").json()["data"]["total"] == 9


# --- Moderating -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("avant", Statut)
@pytest.mark.parametrize("apres", Statut)
def test_tout_statut_peut_suivre_tout_autre(api, etudiante, gestionnaire, admin, avant, apres):
    vise = fabriques.poste(acteur_de(etudiante), par=acteur_de(gestionnaire), statut=avant)

    rendu = api(admin).patch(f"{URL}{vise.pk}/statut", {"statut": apres}).json()["data"]

    approbateur = admin if avant != "APPROUVER" else gestionnaire
    assert rendu["statut"] == apres
    assert rendu["approuverParId"] == (str(approbateur.pk) if apres == "APPROUVER" else None)
    assert rendu == donnees(api(etudiante), vise.pk)


@pytest.mark.parametrize("corps", [{}, {"statut": None}, {"statut": "PUBLIE"}, {"statut": "approuver"}, {"statut": 1}])
def test_un_statut_inconnu_est_refuse(api, gestionnaire, poste, corps):
    assert champs_refuses(api(gestionnaire).patch(f"{URL}{poste.pk}/statut", corps)) == {"statut"}
    assert Moderation.objects.count() == 1


def test_l_historique_dit_qui_quand_de_quoi_a_quoi(api, etudiante, gestionnaire, admin, poste):
    for qui, statut in ((admin, "REJETER"), (admin, "REJETER"), (gestionnaire, "ARCHIVER")):
        api(qui).patch(f"{URL}{poste.pk}/statut", {"statut": statut})

    historique = donnees(api(gestionnaire), f"{poste.pk}/historique")

    assert [(e["ancienStatut"], e["nouveauStatut"], e["auteurId"], e["auteurNom"]) for e in historique] == [
        ("NOUVEAU", "APPROUVER", str(gestionnaire.pk), "Paul Ilunga"),
        ("APPROUVER", "REJETER", str(admin.pk), "Rose Kabila"),
        ("REJETER", "ARCHIVER", str(gestionnaire.pk), "Paul Ilunga"),
    ]
    assert historique[0].keys() == {"id", "ancienStatut", "nouveauStatut", "auteurId", "auteurNom", "dateCreation"}
    assert api(etudiante).get(f"{URL}{poste.pk}/historique").status_code == 403


def test_une_decision_et_neuf_coutent_autant_de_requetes(api, gestionnaire, admin, poste, django_assert_num_queries):
    client, url = api(gestionnaire), f"{URL}{poste.pk}/historique"

    with django_assert_num_queries(3):
        client.get(url)
    for rang in range(8):
        qui = acteur_de((gestionnaire, admin)[rang % 2])
        services.moderer(acteur=qui, poste=poste, statut=("REJETER", "ARCHIVER")[rang % 2])
    with django_assert_num_queries(3):
        assert len(client.get(url).json()["data"]) == 9


def test_moderer_change_la_date_de_modification_et_elle_seule(api, etudiante, gestionnaire, poste_nouveau):
    avant = donnees(api(etudiante), poste_nouveau.pk)

    api(gestionnaire).patch(f"{URL}{poste_nouveau.pk}/statut", {"statut": "REJETER"})

    apres = donnees(api(etudiante), poste_nouveau.pk)
    assert apres["dateModification"] > avant["dateModification"]
    assert {nom for nom in avant if avant[nom] != apres[nom]} == {"statut", "dateModification"}


# --- Pinning --------------------------------------------------------------------------------------------------------


def test_epingler_et_desepingler_autant_de_fois_que_l_on_veut(api, gestionnaire, poste):
    client, url = api(gestionnaire), f"{URL}{poste.pk}/epingle"

    rendus = [client.envoyer(methode, url).json()["data"] for methode in ("put", "put", "delete", "delete")]

    assert [(rendu["id"], rendu["estEpingle"]) for rendu in rendus] == [
        (str(poste.pk), etat) for etat in (True, True, False, False)
    ]


# --- Deleting -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("persona", "public", "cachee"),
    [
        ("anonyme", 401, 401),
        ("invite", 401, 401),
        ("etudiante", 204, 204),
        ("autre_etudiante", 403, 404),
        ("gestionnaire", 403, 403),
        ("admin", 204, 204),
    ],
)
def test_supprimer_est_a_l_auteur_et_aux_admins(client_de_personne, poste, poste_nouveau, persona, public, cachee):
    client = client_de_personne(persona)

    statuts = [client.delete(f"{URL}{vise.pk}").status_code for vise in (poste, poste_nouveau)]

    assert statuts == [public, cachee]
    assert Poste.objects.presents().count() == 2 - statuts.count(204)


@pytest.mark.parametrize("persona", ["etudiante", "gestionnaire", "admin"])
def test_une_publication_supprimee_n_existe_plus_pour_personne_et_reste_en_base(
    client_de_personne, api, etudiante, poste, persona
):
    fabriques.commentaire(acteur_de(etudiante), poste)
    fabriques.reaction(acteur_de(etudiante), poste)

    api(etudiante).delete(f"{URL}{poste.pk}")

    client, url = client_de_personne(persona), f"{URL}{poste.pk}"
    lectures = [client.get(f"{url}{suite}").status_code for suite in ("", "/commentaires", "/reactions")]
    ecritures = [client.post(f"{url}{suite}", corps).status_code for suite, corps in CORPS.items()]
    assert [*lectures, *ecritures, client.delete(url).status_code] == [404] * 6
    assert lister(client) == lister(client, "approuves") == []
    garde = Poste.objects.get()
    assert (garde.supprime_par, garde.contenu) == (etudiante, poste.contenu)
    assert (garde.nb_commentaires, Commentaire.objects.count(), Reaction.objects.count()) == (1, 1, 1)


def test_une_publication_inconnue_est_un_404(api, admin):
    client, url = api(admin), f"{URL}{uuid4()}"

    statuts = [
        client.envoyer(methode, f"{url}{suite}", corps).status_code
        for methode, suite, corps in [
            ("get", "", None),
            ("delete", "", None),
            ("put", "/epingle", None),
            ("delete", "/epingle", None),
            ("patch", "/statut", {"statut": "REJETER"}),
            ("get", "/historique", None),
            ("get", "/commentaires", None),
            ("get", "/reactions", None),
        ]
    ]

    assert statuts == [404] * 8
