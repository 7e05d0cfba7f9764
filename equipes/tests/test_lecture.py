"""A case of a team is read by its members and by nobody else of the staff, wherever it could be seen or counted."""

import pytest
from django.test import Client
from django.utils import timezone

from accounts.tests import fabriques as comptes
from accounts.tests.outils import entrer
from avis.destinataires import lisibles
from avis.models import Avis
from config.tests.outils import acteur_de, client_de
from discussions.models import Discussion
from equipes.models import MembreDEquipe
from equipes.tests import fabriques as equipes
from guests.tests.vue import service_vu, vivre
from resources.tests import fabriques as fichiers
from signalements import services
from signalements.compteurs.pliage import plier
from signalements.compteurs.recompte import ecarts
from signalements.lecteurs import Acces
from signalements.models import Signalement
from signalements.reserve import changer_equipe
from signalements.tests import fabriques
from socle.realtime.canaux import audiences

pytestmark = pytest.mark.django_db


@pytest.fixture
def de_dehors(gestionnaire, admin):
    """A manager of another team, an administrator of none."""
    equipes.equipe(gestionnaire, nom="Handicap")
    return [gestionnaire, admin]


def visibles(compte):
    return set(Signalement.objects.visibles_par(acteur_de(compte)))


def test_ses_membres_le_lisent_et_personne_d_autre_de_l_equipe(dossier, nadia, de_dehors, etudiante):
    assert visibles(nadia) == visibles(etudiante) == {dossier}
    for compte, statut in zip(de_dehors, (404, 403), strict=True):
        assert visibles(compte) == set()
        assert client_de(compte).get(f"/api/v1/signalements/{dossier.pk}").status_code == statut
    assert client_de(nadia).get(f"/api/v1/signalements/{dossier.pk}").status_code == 200


@pytest.mark.parametrize("admis", [False, True])
@pytest.mark.parametrize("regle", [None, "écartée", "nommée"])
@pytest.mark.parametrize("etat", ["membre", "en attente", "d'une équipe inactive", "de dehors", "sans équipe"])
def test_la_regle_dit_la_meme_chose_en_sql_et_en_python(signalement, nadia, autre_etudiante, etat, regle, admis):
    del autre_etudiante
    if etat != "sans équipe":
        equipes.confier(signalement, equipes.equipe(active=etat != "d'une équipe inactive"))
    if etat in ("membre", "en attente", "d'une équipe inactive"):
        lu = None if etat == "en attente" else timezone.now()
        MembreDEquipe.objects.create(equipe=signalement.equipe, compte=nadia, accepte_le=lu)
    paul = comptes.gestionnaire(email="paul@campus.test")
    ecartes = {"écartée": [nadia.pk], "nommée": []}.get(regle, []) + ([paul.pk] if admis and not regle else [])
    noms = [nadia.pk] if regle == "nommée" else []
    with equipes.suivre(signalement):
        equipes.poser(signalement, Acces.pour(ecartes, noms, signalement.equipe_id), None)
        signalement.save()

    attendu = regle != "écartée" and (regle == "nommée" or etat in ("membre", "sans équipe"))
    relu = Signalement.objects.get(pk=signalement.pk)
    assert (relu in visibles(nadia)) is attendu
    assert relu.est_visible_de(acteur_de(nadia)) is attendu
    assert (nadia in Acces.de(relu).lecteurs()) is attendu
    assert Acces.de(relu).admet(nadia.pk) is attendu
    assert Signalement.objects.fermes_un_a_un(acteur_de(nadia)).filter(pk=relu.pk).exists() is not attendu


@pytest.mark.parametrize("plie", [False, True])
def test_les_nombres_sont_ceux_de_ce_qu_on_lit(dossier, nadia, de_dehors, etudiante, autre_etudiante, plie):
    paul, rose = de_dehors
    commun = fabriques.signalement(acteur_de(autre_etudiante), type="VOL")
    equipes.confier(fabriques.signalement(acteur_de(autre_etudiante)), MembreDEquipe.objects.get(compte=paul).equipe)
    if plie:
        plier()

    assert ecarts() == {}
    for compte, lus in ((nadia, {dossier, commun}), (rose, {commun})):
        assert visibles(compte) == lus
        liste = client_de(compte).get("/api/v1/signalements/").json()["data"]
        assert (liste["total"], len(liste["items"])) == (len(lus), len(lus))
        assert client_de(compte).get("/api/v1/signalements/?statut=NOUVEAU").json()["data"]["total"] == len(lus)
        assert client_de(compte).get("/api/v1/signalements/non-traites").json()["data"]["total"] == len(lus)
    tableau = {un: client_de(un).get("/api/v1/stats/dashboard").json()["data"] for un in (nadia, paul, rose)}
    assert [tableau[un]["totalSignalements"] for un in (nadia, paul, rose)] == [2, 2, 3]
    assert [tableau[un]["nouveaux7Jours"] for un in (nadia, paul, rose)] == [2, 2, 3]
    charge = client_de(paul).get("/api/v1/stats/dashboard/quick-actions").json()["data"]
    assert {une["id"]: une["compteur"] for une in charge}["signalements-non-traites"] == 2


def test_une_liste_longue_avance_par_les_compteurs_de_son_lecteur(equipe, nadia, gestionnaire, etudiante):
    for rang in range(6):
        dossier = fabriques.signalement(acteur_de(etudiante), description=f"n° {rang}")
        if rang % 2:
            equipes.confier(dossier, equipe)
    plier()

    for compte, nombre in ((nadia, 6), (gestionnaire, 3)):
        lus = [
            item["id"]
            for page in range(nombre)
            for item in client_de(compte).get(f"/api/v1/signalements/?page={page}&size=1").json()["data"]["items"]
        ]
        assert lus == [
            str(un.pk) for un in Signalement.objects.visibles_par(acteur_de(compte)).order_by("-date_creation", "-id")
        ]
        assert len(lus) == nombre


def test_ses_discussions_sont_a_ses_membres(dossier, nadia, de_dehors, etudiante, gestionnaire):
    ecrite = client_de(etudiante).post(
        "/api/v1/discussions/", {"titre": "Suite", "signalementId": str(dossier.pk)}, format="json"
    )
    discussion = Discussion.objects.get(pk=ecrite.json()["data"]["id"])
    client_de(etudiante).post(f"/api/v1/discussions/{discussion.pk}/messages", {"contenu": "Bonjour."}, format="json")

    assert client_de(nadia).get(f"/api/v1/discussions/{discussion.pk}").status_code == 200
    assert client_de(nadia).get("/api/v1/discussions/").json()["data"]["total"] == 1
    assert client_de(nadia).get("/api/v1/stats/dashboard").json()["data"]["messagesNonLus"] == 1
    for compte in de_dehors:
        for chemin in ("", "/messages"):
            assert client_de(compte).get(f"/api/v1/discussions/{discussion.pk}{chemin}").status_code == 404
        assert client_de(compte).get("/api/v1/discussions/").json()["data"]["total"] == 0
        assert client_de(compte).get("/api/v1/stats/dashboard").json()["data"]["messagesNonLus"] == 0
        assert discussion.est_visible_de(acteur_de(compte)) is False


def test_ses_canaux_et_ses_audiences_sont_a_ses_membres(dossier, equipe, nadia, de_dehors):
    sienne = f"equipe:{equipe.pk.hex}"
    for canal in ("signalements", "dashboard"):
        assert audiences(acteur_de(nadia), canal) == ["PUBLIC", "PERSONNEL", sienne]
        for compte in de_dehors:
            assert sienne not in audiences(acteur_de(compte), canal)
    assert audiences(acteur_de(nadia), f"signalement:{dossier.pk}")
    for compte in de_dehors:
        assert audiences(acteur_de(compte), f"signalement:{dossier.pk}") == []


def test_toutes_les_audiences_d_un_tour_sont_lues_ensemble(equipe, nadia, de_dehors, django_assert_num_queries):
    from socle.realtime.canaux import toutes

    demandes = [(acteur_de(un), canal) for un in (nadia, *de_dehors) for canal in ("signalements", "dashboard")]
    with django_assert_num_queries(2):
        entendues = toutes(demandes)
    assert [len(une) for une in entendues] == [3, 3, 3, 3, 2, 2]


def test_ce_qui_s_en_annonce_va_a_son_equipe_seule(dossier, equipe, nadia, evenements):
    with evenements() as publies:
        services.changer_statut(signalement=dossier, statut="EN_COURS", acteur=acteur_de(nadia))

    diffuses = [un for un in publies if un["canal"] in ("signalements", "dashboard")]
    assert {un["canal"] for un in diffuses} == {"signalements", "dashboard"}
    assert {un["audience"] for un in diffuses} == {f"equipe:{equipe.pk.hex}"}


@pytest.mark.parametrize("persona", ["gestionnaire", "admin"])
def test_pour_qui_n_en_est_pas_le_dossier_n_a_jamais_ete(de_dehors, equipe, nadia, invite, etudiante, persona):
    """But that administrators keep the numbers of all teams."""
    qui = de_dehors[persona == "admin"]
    piece = fichiers.fichier(acteur_de(etudiante)).pk
    fabriques.signalement(acteur_de(etudiante), description="Tout autre chose.", pieces_jointes=[piece])
    client, site = client_de(qui), entrer(qui.email, client=Client())
    avant = service_vu(client, site, qui)

    dossier, _echanges = vivre(invite, nadia, "IDENTIFIE")
    changer_equipe(signalement=dossier, equipe_id=equipe.pk, motif="C'est la sienne.", acteur=acteur_de(nadia))
    services.assigner(signalement=dossier, gestionnaire_id=nadia.pk, acteur=acteur_de(nadia))
    services.changer_statut(signalement=dossier, statut="EN_ATTENTE", acteur=acteur_de(nadia))
    client_de(invite).post("/api/v1/discussions/", {"titre": "Encore", "signalementId": str(dossier.pk)})

    apres = service_vu(client, site, qui)
    changes = {chemin for chemin, vu in avant.items() if apres[chemin] != vu}
    des_nombres = {un for un in changes if "stats" in un or un == "tableau"}
    assert changes - (des_nombres if persona == "admin" else set()) == set()
    assert ecarts() == {}


def test_un_avis_d_un_dossier_perdu_n_est_plus_a_dire(dossier, nadia, gestionnaire):
    avis = Avis(nature="NOUVEAU_DOSSIER", objet=dossier.pk)

    assert set(lisibles(nadia, [avis])) == {dossier.pk}
    assert lisibles(gestionnaire, [avis]) == {}
