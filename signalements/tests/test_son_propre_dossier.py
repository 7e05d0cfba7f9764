"""A member of staff on a case of their own: its owner, and nothing more."""

import pytest

from accounts.tests import fabriques as comptes
from config.tests.outils import acteur_de
from discussions.tests import fabriques as discussions
from guests.tests.fabriques import fusionner
from signalements import services
from signalements.erreurs import SonPropreDossier
from signalements.models import Signalement
from signalements.tests import fabriques
from socle.realtime.canaux import audiences

pytestmark = pytest.mark.django_db
URL = "/api/v1/signalements/"
ALERTES = "/api/v1/stats/dashboard/alerts/"
DE_L_EQUIPE = ("gestionnaireId", "gestionnaireNom")


@pytest.fixture
def ruth(db):
    return comptes.gestionnaire(email="ruth@campus.test", nom="Okito", prenom="Ruth")


@pytest.fixture(params=["ANONYME", "IDENTIFIE"])
def le_sien(request, ruth):
    """A report of the manager Ruth."""
    return fabriques.signalement(acteur_de(ruth), mode_identification=request.param)


def actes(client, dossier, gestionnaire, *, corps_valides=True):
    """Everything that staff do with a case."""
    corps = {
        "statut": {"statut": "TRAITE"},
        "priorite": {"priorite": "LOW"},
        "assigner": {"gestionnaireId": str(gestionnaire.pk)},
    }
    faits = [client.put(f"{URL}{dossier.pk}/{acte}", c if corps_valides else {}) for acte, c in corps.items()]
    note = {"contenu": "À rappeler."} if corps_valides else {}
    return [*faits, client.post(f"{URL}{dossier.pk}/notes", note), client.put(f"{ALERTES}{dossier.pk}/dismiss")]


@pytest.mark.parametrize("corps_valides", [True, False])
def test_qui_est_de_l_equipe_ne_traite_pas_son_propre_dossier(
    api, evenements, ruth, gestionnaire, le_sien, corps_valides
):
    avant = Signalement.objects.filter(pk=le_sien.pk).values().get()

    with evenements() as recus:
        reponses = actes(api(ruth), le_sien, gestionnaire, corps_valides=corps_valides)

    assert [(r.status_code, r.json()["code"]) for r in reponses] == [(403, "PERMISSION_DENIED")] * 5
    assert Signalement.objects.filter(pk=le_sien.pk).values().get() == avant
    assert (recus, le_sien.timeline.count()) == ([], 1)


def test_un_administrateur_non_plus(api, admin, gestionnaire):
    dossier = fabriques.signalement(acteur_de(admin))

    assert {r.status_code for r in actes(api(admin), dossier, gestionnaire)} == {403}


def test_les_autres_de_l_equipe_le_traitent(api, gestionnaire, le_sien):
    assert [r.status_code for r in actes(api(gestionnaire), le_sien, gestionnaire)] == [200, 200, 200, 201, 404]


def test_ce_qui_devient_le_sien_la_porte_passee_n_est_plus_a_traiter(ruth, gestionnaire, invite):
    """The door was passed on a guest's case, which a merge has made theirs meanwhile."""
    dossier = fabriques.signalement(acteur_de(invite))
    fusionner(invite, ruth)
    elle = acteur_de(ruth)

    for acte in (
        lambda: services.changer_statut(signalement=dossier, statut="TRAITE", acteur=elle),
        lambda: services.changer_priorite(signalement=dossier, priorite="LOW", acteur=elle),
        lambda: services.assigner(signalement=dossier, gestionnaire_id=gestionnaire.pk, acteur=elle),
        lambda: services.rendre(signalement=dossier, acteur=elle),
        lambda: services.ajouter_note(signalement=dossier, contenu="x", acteur=elle),
        lambda: services.ecarter_alerte(signalement=dossier, acteur=elle),
    ):
        with pytest.raises(SonPropreDossier):
            acte()

    dossier.refresh_from_db()
    assert (dossier.statut, dossier.priorite, dossier.gestionnaire) == ("NOUVEAU", "MEDIUM", None)


def test_son_propre_dossier_se_lit_comme_son_autrice_le_lit(api, ruth, gestionnaire, le_sien):
    actes(api(gestionnaire), le_sien, gestionnaire)
    discussions.discussion(acteur_de(gestionnaire), "Vos suites", le_sien)
    elle, lui = api(ruth), api(gestionnaire)

    detail, histoire = (elle.get(f"{URL}{le_sien.pk}{suite}").json()["data"] for suite in ("", "/timeline"))
    liste = elle.get(URL).json()["data"]["items"]

    assert detail == liste[0]
    assert [detail[nom] for nom in DE_L_EQUIPE] == [None, None]
    assert {e["type"] for e in histoire} == {"CREATION", "STATUT", "PRIORITE", "ASSIGNATION"}
    assert {(e["auteurId"], e["auteurNom"]) for e in histoire[1:]} == {(None, "Équipe")}
    assert gestionnaire.nom_complet not in str([detail, histoire])
    assert lui.get(f"{URL}{le_sien.pk}").json()["data"]["gestionnaireNom"] == gestionnaire.nom_complet
    assert [audiences(acteur_de(qui), f"signalement:{le_sien.pk}") for qui in (ruth, gestionnaire)] == [
        ["PUBLIC"],
        ["PUBLIC", "PERSONNEL"],
    ]


def test_les_canaux_de_l_equipe_ne_lui_disent_pas_qui_le_traite(api, ruth, gestionnaire, etudiante, le_sien):
    d_une_autre = fabriques.signalement(acteur_de(etudiante))
    for dossier in (le_sien, d_une_autre):
        actes(api(gestionnaire), dossier, gestionnaire)

    entendus = {
        qui.pk: [
            (e["type"], e["payload"]["id"], *(e["payload"][nom] for nom in DE_L_EQUIPE))
            for e in api(qui).get("/api/v1/evenements?canal=signalements").json()["data"]
        ]
        for qui in (ruth, gestionnaire)
    }

    paul = (str(gestionnaire.pk), gestionnaire.nom_complet)
    assert ("signalement_assigned", str(le_sien.pk), *paul) in entendus[gestionnaire.pk]
    assert ("signalement_assigned", str(le_sien.pk), None, None) in entendus[ruth.pk]
    assert ("signalement_assigned", str(d_une_autre.pk), *paul) in entendus[ruth.pk]
    assert {e[:2] for e in entendus[ruth.pk]} == {e[:2] for e in entendus[gestionnaire.pk]}
    autres = ("dashboard", f"signalement:{le_sien.pk}")
    for canal in autres:
        assert gestionnaire.nom_complet not in api(ruth).get(f"/api/v1/evenements?canal={canal}").text
