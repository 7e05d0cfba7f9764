"""Numbers where teams are defined: of what one reads for managers, of all for administrators, without small cells."""

import pytest
from django.utils import timezone

from accounts.tests import fabriques as comptes
from accounts.tests.outils import entrer
from config.tests.outils import acteur_de, client_de
from equipes.models import MembreDEquipe
from equipes.tests import fabriques as equipes
from signalements.reserve import changer_lecteurs
from signalements.tests import fabriques as signalements
from socle.audit.greffe import greffe

pytestmark = pytest.mark.django_db
CATEGORIES = "dashboard/distribution/categories"


def lire(qui, chemin):
    reponse = client_de(qui).get(f"/api/v1/stats/{chemin}")
    assert reponse.status_code == 200
    return reponse.json()["data"]


@pytest.fixture
def confies(etudiante, equipe):
    """Six thefts that all read, and two aggressions that the team alone reads."""
    for _rang in range(6):
        signalements.signalement(acteur_de(etudiante), type="VOL")
    for _rang in range(2):
        un = signalements.signalement(acteur_de(etudiante), type="AGRESSION_SEXUELLE")
        equipes.confier(un, equipe)


@pytest.mark.parametrize("chemin", ["dashboard", "signalements"])
def test_la_portee_dit_de_quoi_ce_sont_les_nombres(confies, nadia, gestionnaire, admin, etudiante, chemin):
    portees = {qui.email: lire(qui, chemin)["portee"] for qui in (nadia, gestionnaire, admin, etudiante)}

    assert list(portees.values()) == ["EQUIPE", "EQUIPE", "GLOBALE", "PERSONNELLE"]


@pytest.mark.parametrize("chemin", ["dashboard", "signalements"])
def test_un_administrateur_compte_tout_sans_les_petites_cellules(confies, nadia, gestionnaire, admin, chemin):
    par_type = {qui: lire(qui, chemin)["parType"] for qui in (nadia, gestionnaire, admin)}

    assert (par_type[nadia]["VOL"], par_type[nadia]["AGRESSION_SEXUELLE"]) == (6, 2)
    assert (par_type[gestionnaire]["VOL"], par_type[gestionnaire]["AGRESSION_SEXUELLE"]) == (6, 0)
    assert (par_type[admin]["VOL"], par_type[admin]["AGRESSION_SEXUELLE"], par_type[admin]["AUTRE"]) == (0, 0, 8)
    assert sum(par_type[admin].values()) == 8


CHEMINS_PAR_TYPE = [
    "dashboard",
    "signalements",
    CATEGORIES,
    "delais",
    "dashboard/trends/cases",
    "dashboard/trends/resolution",
]


@pytest.mark.parametrize("chemin", CHEMINS_PAR_TYPE)
def test_un_administrateur_ne_choisit_pas_un_type_qui_se_compte_avec_d_autres(confies, etudiante, nadia, admin, chemin):
    def statut(qui, type_, suite=""):
        return client_de(qui).get(f"/api/v1/stats/{chemin}?type={type_}{suite}").status_code

    # Thefts would tell, by what is left, the two that they are folded with.
    assert [statut(admin, un) for un in ("VOL", "AGRESSION_SEXUELLE", "AUTRE", "agression_sexuelle")] == [422] * 4
    assert statut(nadia, "AGRESSION_SEXUELLE") == 200

    for _rang in range(5):
        signalements.signalement(acteur_de(etudiante), type="DISCRIMINATION")
    for _rang in range(3):
        signalements.signalement(acteur_de(etudiante), type="VIOLENCE")

    assert [statut(admin, un) for un in ("VOL", "AGRESSION_SEXUELLE", "VIOLENCE")] == [200, 422, 422]
    if chemin != "delais":  # whose days are those of the promises
        assert statut(admin, "VOL", "&debut=2020-01-01&fin=2020-02-01") == 422  # none of them is of these days


def test_le_tableau_de_l_espace_refuse_de_meme(confies, admin):
    page = entrer(admin.email).get("/equipe/tableau/?type=AGRESSION_SEXUELLE")

    assert page.status_code == 422
    assert "Trop peu de dossiers de ce type" in page.content.decode()


def test_la_repartition_se_plie_au_seuil_des_equipes_ou_a_celui_du_reglage(confies, nadia, admin, settings):
    def types(qui):
        return {une["categorie"]: une["total"] for une in lire(qui, CATEGORIES) if une["total"]}

    assert types(nadia) == {"VOL": 6, "AGRESSION_SEXUELLE": 2}
    assert types(admin) == {"AUTRE": 8}

    settings.SMALL_CELLS_BELOW = 2
    assert types(admin) == {"VOL": 6, "AGRESSION_SEXUELLE": 2}


def test_sans_equipe_rien_ne_se_plie(etudiante, gestionnaire, admin):
    signalements.signalement(acteur_de(etudiante), type="VOL")

    for qui in (gestionnaire, admin):
        assert (lire(qui, "dashboard")["portee"], lire(qui, "dashboard")["parType"]["VOL"]) == ("GLOBALE", 1)


def exports_lus(qui):
    greffe.vider()
    lus = client_de(qui).get("/api/v1/audit/", {"acte": "EXPORT_DEMANDE"}).json()["data"]["items"]
    return {un["objetId"] for un in lus}


def test_le_registre_dit_les_exports_des_autres_a_qui_n_est_pas_de_l_equipe(dossier, equipe, gestionnaire, admin):
    """That a team has cases is no secret: it hides no export, though its file and its number of rows stay closed."""
    fait = client_de(gestionnaire).post("/api/v1/stats/signalements/export").json()["data"]

    assert exports_lus(admin) == {fait["exportId"]}
    assert client_de(admin).get(f"/api/v1/stats/exports/{fait['exportId']}").status_code == 404
    assert gestionnaire.nom_complet not in entrer(admin.email).get("/admin/stats/export/").text
    MembreDEquipe.objects.create(equipe=equipe, compte=admin, accepte_le=timezone.now())
    assert exports_lus(admin) == {fait["exportId"]}


def test_un_export_ou_peut_etre_un_dossier_reserve_y_manque_de_quelque_equipe_que_l_on_soit(
    dossier, equipe, gestionnaire, admin, etudiante
):
    """A line that went when somebody joins a team would tell of that case."""
    autre = comptes.admin(email="ruth@campus.test")
    reserve = signalements.signalement(acteur_de(etudiante))
    changer_lecteurs(signalement=reserve, acteur=acteur_de(autre), ecartes=[admin.pk])
    client_de(gestionnaire).post("/api/v1/stats/signalements/export")

    assert exports_lus(admin) == set()
    MembreDEquipe.objects.create(equipe=equipe, compte=admin, accepte_le=timezone.now())
    assert exports_lus(admin) == set()


def test_un_export_cherche_par_une_reference_ne_la_dit_pas_au_registre(signalement, gestionnaire, admin):
    """The line is about the export, and is hidden with no case: its author, of the team, would read it."""
    for cherche in (signalement.reference, "amphi"):
        client_de(gestionnaire).post("/api/v1/stats/signalements/export", {"format": "csv", "search": cherche})
    greffe.vider()

    lus = client_de(admin).get("/api/v1/audit/", {"acte": "EXPORT_DEMANDE"}).json()["data"]["items"]

    assert [un["details"] for un in lus] == [{"format": "csv", "search": "amphi"}, {"format": "csv"}]
