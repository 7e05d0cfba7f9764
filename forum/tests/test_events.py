import pytest
from asgiref.sync import sync_to_async
from django.db import connections, transaction

from accounts.models import Session
from accounts.services.sessions import _ouvrir
from config.asgi import application
from config.tests.outils import acteur_de, client_de
from forum import services
from forum.models import Commentaire, Moderation, Poste, Reaction
from forum.tests import fabriques
from socle.realtime.processus import arreter
from socle.realtime.tests.fabriques import Prise

pytestmark = pytest.mark.django_db
URL = "/api/v1/postes/"


def en_bref(recus):
    return [(e["type"], e["canal"], e["audience"]) for e in recus]


# --- What is announced, and to whom ---------------------------------------------------------------------------------


def test_publier_est_annonce_a_l_equipe(evenements, api, etudiante):
    with evenements() as recus:
        reponse = api(etudiante).post(URL, {"contenu": "Bonjour.", "titre": "Moi", "tags": ["accueil"]})

    assert en_bref(recus) == [("poste_created", "dashboard", "PUBLIC")]
    assert recus[0]["payload"] == reponse.json()["data"]
    assert (recus[0]["payload"]["auteurId"], recus[0]["payload"]["auteurNom"]) == (str(etudiante.pk), "Awa Diop")


def test_moderer_est_annonce_a_l_equipe(evenements, api, gestionnaire, poste):
    with evenements() as recus:
        api(gestionnaire).patch(f"{URL}{poste.pk}/statut", {"statut": "ARCHIVER"})

    assert en_bref(recus) == [("stats_updated", "dashboard", "PUBLIC")]
    assert recus[0]["payload"] == {"source": "poste", "id": str(poste.pk), "statut": "ARCHIVER"}


def test_le_meme_statut_est_encore_annonce_sans_trace_ni_changement(evenements, api, admin, gestionnaire, poste):
    with evenements() as recus:
        rendu = api(admin).patch(f"{URL}{poste.pk}/statut", {"statut": "APPROUVER"}).json()["data"]

    assert en_bref(recus) == [("stats_updated", "dashboard", "PUBLIC")]
    assert rendu["approuverParId"] == str(gestionnaire.pk)
    assert Moderation.objects.count() == 1


def test_commenter_est_annonce_sous_la_publication(evenements, api, autre_etudiante, poste):
    with evenements() as recus:
        reponse = api(autre_etudiante).post(f"{URL}{poste.pk}/commentaires", {"contenu": "Moi !"})

    assert en_bref(recus) == [("commentaire_created", f"poste:{poste.pk}", "PUBLIC")]
    assert recus[0]["payload"] == reponse.json()["data"]
    assert recus[0]["payload"]["auteurNom"] == "Léa Moreau"


def test_reagir_puis_retirer_sont_annonces_une_fois_chacun(evenements, api, autre_etudiante, poste):
    client, url = api(autre_etudiante), f"{URL}{poste.pk}/reactions"

    with evenements() as recus:
        posee = client.post(url, {"type": "LIKE"}).json()["data"]
        client.post(url, {"type": "LIKE"})
        client.delete(f"{url}/{posee['id']}")
        client.delete(f"{url}/{posee['id']}")

    assert en_bref(recus) == [(f"reaction_{quoi}", f"poste:{poste.pk}", "PUBLIC") for quoi in ("created", "removed")]
    assert [e["payload"] for e in recus] == [posee, {"reactionId": posee["id"]}]


def test_epingler_et_supprimer_ne_s_annoncent_pas(evenements, admin, poste):
    ecrit = fabriques.commentaire(acteur_de(admin), poste)

    with evenements() as recus:
        services.epingler(acteur=acteur_de(admin), poste=poste)
        services.supprimer_commentaire(acteur=acteur_de(admin), poste=poste, commentaire=ecrit)
        services.supprimer(acteur=acteur_de(admin), poste=poste)

    assert recus == []


@pytest.mark.parametrize(
    ("statut", "audience"),
    [("APPROUVER", "PUBLIC"), ("APPROUVER_IA", "PUBLIC"), ("NOUVEAU", "PERSONNEL"), ("REJETER", "PERSONNEL")],
)
def test_sous_une_publication_cachee_on_parle_entre_son_auteur_et_l_equipe(
    evenements, etudiante, gestionnaire, statut, audience
):
    vise = fabriques.poste(acteur_de(etudiante), par=acteur_de(gestionnaire), statut=statut)

    with evenements() as recus:
        fabriques.commentaire(acteur_de(gestionnaire), vise)
        posee = fabriques.reaction(acteur_de(etudiante), vise)
        services.retirer_reaction(acteur=acteur_de(etudiante), poste=vise, reaction=posee)

    assert [(e["type"], e["audience"]) for e in recus] == [
        (type_, audience) for type_ in ("commentaire_created", "reaction_created", "reaction_removed")
    ]


def test_aucun_evenement_ne_porte_un_identifiant_invite_colle(evenements, etudiante, gestionnaire, invite):
    secret = str(invite.guest_id)

    with evenements() as recus:
        colle = fabriques.poste(acteur_de(etudiante), contenu=secret, titre=secret, tags=[secret])
        fabriques.commentaire(acteur_de(gestionnaire), colle, f"Est-ce {secret.upper()} ?")

    assert len(recus) == 2
    assert secret not in str([e["payload"] for e in recus]).lower()


# --- Rollback twins -------------------------------------------------------------------------------------------------

ACTES = {
    "publier": lambda poste, acteur: services.publier(acteur=acteur, contenu="x"),
    "modérer": lambda poste, acteur: services.moderer(acteur=acteur, poste=poste, statut="REJETER"),
    "commenter": lambda poste, acteur: services.commenter(acteur=acteur, poste=poste, contenu="x"),
    "réagir": lambda poste, acteur: services.reagir(acteur=acteur, poste=poste, type="MERCI"),
    "retirer": lambda poste, acteur: services.retirer_reaction(
        acteur=acteur, poste=poste, reaction=Reaction.objects.get()
    ),
}


@pytest.mark.parametrize("acte", ACTES)
def test_ce_qui_aboutit_est_annonce(evenements, gestionnaire, poste, acte):
    fabriques.reaction(acteur_de(gestionnaire), poste)

    with evenements() as recus, transaction.atomic():
        ACTES[acte](poste, acteur_de(gestionnaire))

    assert len(recus) == 1


@pytest.mark.parametrize("acte", ACTES)
def test_rien_n_est_annonce_ni_garde_quand_la_transaction_echoue(evenements, gestionnaire, poste, acte):
    fabriques.reaction(acteur_de(gestionnaire), poste)

    with evenements() as recus, pytest.raises(RuntimeError), transaction.atomic():
        ACTES[acte](poste, acteur_de(gestionnaire))
        raise RuntimeError

    assert recus == []
    assert [modele.objects.count() for modele in (Poste, Commentaire, Reaction, Moderation)] == [1, 0, 1, 1]
    relu = Poste.objects.get()
    assert (relu.statut, relu.nb_commentaires, relu.nb_reactions) == ("APPROUVER", 0, 1)


# --- Who hears ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("persona", "de_publique", "de_cachee"),
    [
        ("etudiante", 200, 200),
        ("autre_etudiante", 200, 403),
        ("gestionnaire", 200, 200),
        ("admin", 200, 200),
        ("invite", 403, 403),
    ],
)
def test_un_canal_s_ouvre_a_qui_voit_la_publication(
    client_de_personne, poste, poste_nouveau, persona, de_publique, de_cachee
):
    client = client_de_personne(persona)

    statuts = [
        client.get(f"/api/v1/evenements?canal=poste:{vise.pk}&depuis=0").status_code for vise in (poste, poste_nouveau)
    ]

    assert statuts == [de_publique, de_cachee]


def test_une_publication_supprimee_ne_s_ecoute_plus(api, admin, etudiante, poste):
    services.supprimer(acteur=acteur_de(admin), poste=poste)

    assert api(admin).get(f"/api/v1/evenements?canal=poste:{poste.pk}").status_code == 403


@pytest.mark.parametrize(
    ("persona", "entend"), [("etudiante", True), ("gestionnaire", True), ("autre_etudiante", False)]
)
def test_ce_qui_s_est_dit_pendant_qu_elle_etait_cachee_ne_se_rattrape_pas(
    client_de_personne, gestionnaire, etudiante, poste, persona, entend
):
    equipe = acteur_de(gestionnaire)
    services.moderer(acteur=equipe, poste=poste, statut="REJETER")
    fabriques.commentaire(acteur_de(etudiante), poste, "Pourquoi ?")
    services.moderer(acteur=equipe, poste=poste, statut="APPROUVER")

    recus = client_de_personne(persona).get(f"/api/v1/evenements?canal=poste:{poste.pk}&depuis=0").json()["data"]

    assert [e["type"] for e in recus] == ["commentaire_created"] * entend


@pytest.fixture
async def ouvrir(transactional_db, settings):
    """ouvrir(compte, poste): a socket on the channel of this post, past `connected`."""
    settings.CHANNEL_LAYERS = {"default": {"BACKEND": "socle.realtime.couche.CoucheEnMemoire"}}
    settings.DIFFUSION_ACTIVE = True
    settings.SOCKET_REVALIDATION_SECONDS = 2
    ouvertes = []

    async def ouvrir(compte, poste):
        jeton = await sync_to_async(lambda: _ouvrir(Session(compte=compte)).token)()
        prise = Prise(application, f"/ws/poste:{poste.pk}?token={jeton}")
        ouvertes.append(prise)
        await prise.ouvrir()
        assert (await prise.entendre())["type"] == "connected"
        return prise

    yield ouvrir
    for prise in ouvertes:
        await prise.raccrocher()
    await arreter()
    await sync_to_async(connections.close_all)()


@pytest.mark.django_db(transaction=True)
async def test_des_qu_elle_est_cachee_les_autres_n_entendent_plus_rien_et_sont_fermes(
    ouvrir, etudiante, autre_etudiante, gestionnaire, poste
):
    autrice, autre, equipe = [await ouvrir(qui, poste) for qui in (etudiante, autre_etudiante, gestionnaire)]

    def dire(texte):
        client_de(gestionnaire).post(f"{URL}{poste.pk}/commentaires", {"contenu": texte})

    def cacher():
        client_de(gestionnaire).patch(f"{URL}{poste.pk}/statut", {"statut": "REJETER"})

    await sync_to_async(dire)("Avant.")
    avant = [(await prise.entendre())["payload"]["contenu"] for prise in (autrice, autre, equipe)]
    await sync_to_async(cacher)()
    await sync_to_async(dire)("Après.")
    apres = [(await prise.entendre())["payload"]["contenu"] for prise in (autrice, equipe)]

    assert (avant, apres) == (["Avant."] * 3, ["Après."] * 2)
    assert await autre.code(attente=5) == 4003
    assert await autrice.est_silencieuse()
