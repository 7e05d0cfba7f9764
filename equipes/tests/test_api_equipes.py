"""The routes of teams: what each answers, to whom, and in how many statements."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.tests import fabriques as comptes
from config.tests.outils import champs_refuses, client_de
from equipes.models import Equipe, MembreDEquipe
from equipes.tests import fabriques as equipes
from signalements.models import Signalement

pytestmark = pytest.mark.django_db
EQUIPES = "/api/v1/equipes/"


def lire(qui, chemin=EQUIPES):
    reponse = client_de(qui).get(chemin)
    assert reponse.status_code == 200, reponse.content
    return reponse.json()["data"]


def test_une_equipe_est_definie_puis_lue_de_toutes_celles_qui_traitent(admin, gestionnaire):
    faite = client_de(admin).post(EQUIPES, {"nom": " Cellule d'écoute ", "description": "Trois personnes."})

    assert faite.status_code == 201
    rendue = faite.json()["data"]
    assert (rendue["nom"], rendue["active"], rendue["membre"]) == ("Cellule d'écoute", True, False)
    assert lire(gestionnaire) == [rendue]
    assert lire(gestionnaire, f"{EQUIPES}{rendue['id']}") == rendue


def test_un_nom_deja_porte_nomme_son_champ(admin, equipe):
    for client, methode, chemin in (
        (client_de(admin), "post", EQUIPES),
        (client_de(admin), "put", f"{EQUIPES}{equipes.equipe(nom='Autre').pk}"),
    ):
        refus = getattr(client, methode)(chemin, {"nom": "référents"})
        assert refus.status_code == 422
        assert champs_refuses(refus) == {"nom"}


def test_les_actives_d_abord_et_ses_equipes_se_reconnaissent(equipe, nadia, gestionnaire):
    equipes.equipe(nom="Ancienne", active=False)
    equipes.equipe(nom="Zone sud")

    assert [(une["nom"], une["membre"]) for une in lire(nadia)] == [
        ("Référents", True),
        ("Zone sud", False),
        ("Ancienne", False),
    ]
    assert not any(une["membre"] for une in lire(gestionnaire))


def test_une_et_neuf_equipes_de_neuf_membres_coutent_autant(nadia, admin):
    def demander():
        with CaptureQueriesContext(connection) as requetes:
            lire(nadia)
            lire(admin, f"{EQUIPES}{premiere.pk}/membres")
        return len(requetes)

    premiere = equipes.equipe(nadia, responsable=nadia)
    lire(nadia)
    une = demander()
    for rang in range(8):
        autre = comptes.gestionnaire(email=f"leo{rang}@campus.test")
        equipes.equipe(autre, nom=f"Équipe {rang}", responsable=autre)
        MembreDEquipe.objects.create(equipe=premiere, compte=autre, par=admin)
    assert demander() == une


def test_ses_membres_ne_sont_nommes_qu_a_elle_et_a_l_administration(equipe, nadia, gestionnaire, admin):
    chemin = f"{EQUIPES}{equipe.pk}/membres"

    assert [un["nom"] for un in lire(nadia, chemin)] == ["Benali"] == [un["nom"] for un in lire(admin, chemin)]
    assert client_de(gestionnaire).get(chemin).status_code == 403


def test_qui_attend_n_est_pas_encore_lecteur_et_le_oui_le_rend_tel(equipe, dossier, nadia, admin):
    ajoute = client_de(admin).post(f"{EQUIPES}{equipe.pk}/membres", {"compteId": str(admin.pk)})
    assert (ajoute.status_code, ajoute.json()["data"]["accepteLe"]) == (201, None)
    assert lire(admin)[0]["membre"] is False
    assert client_de(admin).get(f"/api/v1/signalements/{dossier.pk}").status_code == 403

    accorde = client_de(nadia).put(f"{EQUIPES}{equipe.pk}/membres/{admin.pk}/accord")

    assert accorde.json()["data"]["accepteLe"] is not None
    assert lire(admin)[0]["membre"] is True
    assert client_de(admin).get(f"/api/v1/signalements/{dossier.pk}").status_code == 200


def test_un_compte_inconnu_n_est_membre_de_rien(equipe, admin, etudiante):
    for methode, suite in (("put", "/accord"), ("delete", "")):
        appel = getattr(client_de(admin), methode)
        assert appel(f"{EQUIPES}{equipe.pk}/membres/{etudiante.pk}{suite}").status_code == 404
    refus = client_de(admin).post(f"{EQUIPES}{equipe.pk}/membres", {"compteId": str(etudiante.pk)})
    assert (refus.status_code, champs_refuses(refus)) == (422, {"compteId"})


def test_la_personne_responsable_se_choisit_et_se_retire(equipe, nadia, gestionnaire, admin):
    chemin = f"{EQUIPES}{equipe.pk}"
    assert client_de(admin).put(chemin, {"responsableId": str(nadia.pk)}).json()["data"]["responsableNom"] == (
        "Nadia Benali"
    )
    refus = client_de(admin).put(chemin, {"responsableId": str(gestionnaire.pk)})
    assert champs_refuses(refus) == {"responsableId"}

    rendue = client_de(admin).put(chemin, {"responsableId": None}).json()["data"]
    assert (rendue["responsableId"], rendue["responsableNom"]) == (None, None)


def test_un_membre_se_retire_et_ne_lit_plus(equipe, dossier, nadia):
    assert client_de(nadia).delete(f"{EQUIPES}{equipe.pk}/membres/{nadia.pk}").status_code == 204

    assert lire(nadia)[0]["membre"] is False
    assert client_de(nadia).get(f"/api/v1/signalements/{dossier.pk}").status_code == 404


# --- The team of a case -----------------------------------------------------------------------------------------------


def confier(qui, dossier, equipe, **corps):
    corps = {"equipeId": equipe and str(equipe.pk), "motif": "Elle connaît la personne.", **corps}
    return client_de(qui).put(f"/api/v1/signalements/{dossier.pk}/equipe", corps)


def test_un_dossier_confie_dit_son_equipe_a_elle_et_rien_a_son_auteur(signalement, equipe, nadia, gestionnaire):
    chemin = f"/api/v1/signalements/{signalement.pk}"
    assert "equipeId" not in lire(gestionnaire, chemin)

    confie = confier(gestionnaire, signalement, equipe)

    assert confie.json()["data"] == {
        "id": str(signalement.pk),
        "reference": signalement.reference,
        "equipeId": str(equipe.pk),
    }
    assert lire(nadia, chemin)["equipeId"] == str(equipe.pk)
    assert "equipeId" not in lire(signalement.compte, chemin)
    assert client_de(gestionnaire).get(chemin).status_code == 404


def test_l_historique_dit_le_motif_a_l_equipe_et_seulement_le_fait_a_l_auteur(signalement, equipe, nadia, gestionnaire):
    confier(gestionnaire, signalement, equipe)

    def derniere(qui):
        return lire(qui, f"/api/v1/signalements/{signalement.pk}/timeline")[-1]["description"]

    assert derniere(nadia) == "Dossier confié à l'équipe « Référents » : Elle connaît la personne."
    assert derniere(signalement.compte) == "Dossier confié à d'autres personnes de l'équipe."


def test_un_administrateur_deplace_ce_qu_il_ne_lit_pas_sans_venir_a_le_lire(dossier, admin):
    handicap, sienne = equipes.equipe(nom="Handicap"), equipes.equipe(admin, nom="La sienne")

    assert champs_refuses(confier(admin, dossier, None)) == {"equipeId"}
    assert champs_refuses(confier(admin, dossier, sienne)) == {"equipeId"}
    assert confier(admin, dossier, handicap).status_code == 200
    assert Signalement.objects.get().equipe == handicap


def test_un_dossier_qu_on_ne_lit_pas_et_un_dossier_inconnu_sont_le_meme_404(dossier, equipe, gestionnaire):
    inconnu = Equipe(pk=equipe.pk)  # a key that no case has

    fermes = [confier(gestionnaire, un, equipe) for un in (dossier, inconnu)]

    assert [un.status_code for un in fermes] == [404, 404]
    dits = [{nom: dit for nom, dit in un.json().items() if nom in ("error", "code", "message")} for un in fermes]
    assert dits[0] == dits[1]


def test_ne_pas_dire_d_equipe_n_ouvre_pas_a_toutes(dossier, nadia):
    refus = client_de(nadia).put(f"/api/v1/signalements/{dossier.pk}/equipe", {"motif": "Un motif."})

    assert champs_refuses(refus) == {"equipeId"}
    assert Signalement.objects.get().equipe == dossier.equipe


@pytest.mark.parametrize("corps", [{"motif": ""}, {"motif": "x" * 501}, {"motif": None}])
def test_un_motif_est_donne_et_court(signalement, equipe, gestionnaire, corps):
    assert champs_refuses(confier(gestionnaire, signalement, equipe, **corps)) == {"motif"}
    assert Signalement.objects.get().equipe is None
