"""A total that no counter gives is exact up to a cap, says so past it, and hides no page."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from config.tests.outils import acteur_de, document
from discussions.tests import fabriques as discussions
from discussions.views import DiscussionViewSet
from forum.tests import fabriques as forum
from resources.tests import fabriques as ressources
from signalements.tests import fabriques
from signalements.views import SignalementViewSet
from socle.api import pagination
from socle.api.viewsets import ApiViewSet
from stats.chiffres import tableau

pytestmark = pytest.mark.django_db

SIENS, DE_L_INVITE, TOUS = "/api/v1/signalements/me", "/api/v1/signalements/guest/me", "/api/v1/signalements/"
SUIVI = "/api/v1/guest/suivi"


@pytest.fixture(autouse=True)
def plafond(monkeypatch):
    document()  # which is made once, and says the caps as they are
    monkeypatch.setattr(pagination, "PLAFOND", 3)
    for vue in (ApiViewSet, SignalementViewSet, DiscussionViewSet):
        monkeypatch.setattr(vue, "plafond", 3)


def lue(client: Any, url: str, **question: Any) -> dict[str, Any]:
    reponse = client.get(url, question)
    donnees = reponse.json()["data"]
    return {nom: donnees[nom] for nom in ("total", "pages")} | {
        "items": len(donnees["items"]),
        "plafonne": reponse.headers.get("X-Total-Capped"),
    }


def croises() -> dict[str, str]:
    """Filters of the team's list that no counter knows together."""
    return {"statut": "NOUVEAU", "priorite": "MEDIUM", "debut": str(timezone.now().date() - timedelta(days=1))}


@pytest.mark.parametrize(
    ("combien", "attendue"),
    [
        (2, {"total": 2, "pages": 1, "items": 2, "plafonne": None}),
        (3, {"total": 3, "pages": 2, "items": 2, "plafonne": None}),
        (4, {"total": 3, "pages": 2, "items": 2, "plafonne": "true"}),
        (6, {"total": 3, "pages": 2, "items": 2, "plafonne": "true"}),
    ],
)
@pytest.mark.parametrize(
    ("qui", "url", "filtree"),
    [
        ("etudiante", SIENS, False),
        ("invite", DE_L_INVITE, False),
        ("invite", SUIVI, False),
        ("gestionnaire", TOUS, True),
        ("gestionnaire", f"{TOUS}non-traites", True),
    ],
)
def test_un_total_est_exact_jusqu_au_plafond_et_dit_qu_il_s_y_arrete(
    api, personne, etudiante, qui, url, filtree, combien, attendue
):
    de = etudiante if filtree else personne(qui)
    for _fois in range(combien):
        fabriques.signalement(acteur_de(de))

    assert lue(api(personne(qui)), url, size=2, **(croises() if filtree else {})) == attendue


def test_une_recherche_qui_ne_trouve_rien_n_est_pas_plafonnee(api, gestionnaire):
    rien = {"total": 0, "pages": 0, "items": 0, "plafonne": None}

    assert lue(api(gestionnaire), TOUS, search="licorne") == rien


@pytest.mark.parametrize("lointaine", [20_000, 4])
@pytest.mark.parametrize(("qui", "url", "filtree"), [("etudiante", SIENS, False), ("gestionnaire", TOUS, True)])
def test_les_pages_apres_le_plafond_rendent_chaque_ligne_une_fois(
    api, personne, etudiante, monkeypatch, qui, url, filtree, lointaine
):
    monkeypatch.setattr(pagination, "LOINTAINE", lointaine)
    faits = {str(fabriques.signalement(acteur_de(etudiante)).pk) for _fois in range(9)}
    client, filtre = api(personne(qui)), croises() if filtree else {}

    reponses = [client.get(url, {**filtre, "size": 2, "page": page}) for page in (0, 1, 2, 3, 4, 5, 2_147_483_647)]

    pages = [reponse.json()["data"] for reponse in reponses]
    assert [len(page["items"]) for page in pages] == [2, 2, 2, 2, 1, 0, 0]
    assert {item["id"] for page in pages for item in page["items"]} == faits
    assert {(page["total"], page["pages"]) for page in pages} == {(3, 2)}
    assert {reponse.headers.get("X-Total-Capped") for reponse in reponses} == {"true"}


def test_les_autres_listes_aussi_s_arretent_au_plafond(api, etudiante, gestionnaire):
    ouverte = discussions.discussion(acteur_de(etudiante))
    for rang in range(5):
        discussions.message(acteur_de(etudiante), ouverte)
        discussions.discussion(acteur_de(etudiante), f"Dossier {rang}")
        forum.poste(acteur_de(etudiante), par=acteur_de(gestionnaire))
        ressources.ressource(gestionnaire, f"Guide {rang}")
    plafonnee = {"total": 3, "pages": 2, "items": 2, "plafonne": "true"}

    for url, filtre in (
        ("/api/v1/discussions/", {}),
        (f"/api/v1/discussions/{ouverte.pk}/messages", {"order": "desc"}),
        ("/api/v1/postes/", {"search": "chorale"}),
        ("/api/v1/postes/approuves", {}),
        ("/api/v1/ressources/", {}),
        ("/api/v1/ressources/", {"search": "guide", "sort": "titre"}),
    ):
        assert lue(api(etudiante), url, size=2, **filtre) == plafonnee, url


@pytest.mark.parametrize("filtre", [{}, {"statut": "NOUVEAU"}, {"statut": "NOUVEAU", "priorite": "MEDIUM"}])
@pytest.mark.parametrize("liste", ["", "non-traites"])
def test_un_total_qui_vient_des_compteurs_n_a_pas_de_plafond(api, etudiante, gestionnaire, liste, filtre):
    for _fois in range(5):
        fabriques.signalement(acteur_de(etudiante))

    exacte = {"total": 5, "pages": 3, "items": 2, "plafonne": None}
    assert lue(api(gestionnaire), f"{TOUS}{liste}", size=2, **filtre) == exacte


def test_les_nombres_du_tableau_de_bord_n_ont_pas_de_plafond(etudiante):
    for _fois in range(5):
        forum.poste(acteur_de(etudiante))

    assert tableau.postes_a_moderer() == 5


@pytest.mark.parametrize(("qui", "url", "filtree"), [("etudiante", SIENS, False), ("gestionnaire", TOUS, True)])
def test_le_compte_s_arrete_et_n_ajoute_aucune_requete(api, personne, etudiante, qui, url, filtree):
    filtre, requetes = croises() if filtree else {}, []
    client = api(personne(qui))
    client.get(url, filtre)

    for combien in (2, 5):
        for _fois in range(combien):
            fabriques.signalement(acteur_de(etudiante))
        with CaptureQueriesContext(connection) as faites:
            client.get(url, {**filtre, "size": 2})
        requetes.append([r["sql"] for r in faites])

    assert len({len(faites) for faites in requetes}) == 1
    comptages = [sql for faites in requetes for sql in faites if "COUNT(*)" in sql and "LIMIT 4)" in sql]
    assert len(comptages) == 2
    assert all("ORDER BY" in sql for sql in comptages)  # by the index of the list: see `variantes.Nombre`


@pytest.mark.parametrize(
    ("chemin", "plafond"),
    [("/signalements", 1_000), ("/signalements/me", 1_000), ("/discussions", 1_000), ("/comptes", 10_000)],
)
def test_chaque_liste_dit_son_plafond(chemin, plafond):
    """Among cases it is lower: those that are passed by, of other teams or without the word, may be many."""
    entetes = document()["paths"][f"/api/v1{chemin}"]["get"]["responses"]["200"]["headers"]

    assert f"plus de {plafond} éléments" in entetes["X-Total-Capped"]["description"]


def test_l_en_tete_est_decrit_partout_ou_il_peut_venir_et_lisible_d_ailleurs(settings):
    assert "X-Total-Capped" in settings.CORS_EXPOSE_HEADERS
    for chemin, methodes in document()["paths"].items():
        for methode, operation in methodes.items():
            pagine = any(parametre["name"] == "page" for parametre in operation.get("parameters", []))
            decrits = operation["responses"].get("200", {}).get("headers", {})
            assert ("X-Total-Capped" in decrits) == pagine, (methode, chemin)
