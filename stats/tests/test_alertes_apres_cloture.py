"""The alert of a message on an ended case: raised once, told to those who read the case, over when somebody reads."""

from uuid import uuid4, uuid5

import pytest
from django.db import transaction

from accounts.tests import fabriques as comptes
from config.tests.outils import acteur_de
from discussions.services import ecrire
from discussions.tests import fabriques as discussions
from guests.tests.fabriques import fusionner
from signalements.models import AlerteDeDossier, EntreeTimeline
from signalements.reserve import changer_lecteurs
from signalements.tests import fabriques

pytestmark = pytest.mark.django_db
URL = "/api/v1/stats/dashboard/alerts"
NATURE = "MESSAGE_APRES_CLOTURE"


@pytest.fixture
def clos(etudiante, gestionnaire, signalement):
    fabriques.mettre(signalement, statut="CLOTURE", gestionnaire=gestionnaire)
    return signalement


@pytest.fixture
def fil(etudiante, clos):
    return discussions.discussion(acteur_de(etudiante), signalement=clos)


def alertes(api, qui):
    return api(qui).get(URL).json()["data"]


def ecarter(api, qui, cle):
    return api(qui).put(f"{URL}/{cle}/dismiss")


@pytest.mark.parametrize("statut", ["TRAITE", "CLOTURE"])
def test_un_message_sur_un_dossier_fini_leve_une_alerte(
    api, evenements, etudiante, gestionnaire, admin, signalement, statut
):
    fabriques.mettre(signalement, statut=statut)
    fil = discussions.discussion(acteur_de(etudiante), signalement=signalement)
    autre = fabriques.signalement(acteur_de(etudiante), titre="À traiter")

    with evenements() as recus:
        message = discussions.message(acteur_de(etudiante), fil)

    cle = str(uuid5(signalement.pk, f"{NATURE}:{message.pk}"))
    du_statut, la_neuve = alertes(api, gestionnaire)
    assert (du_statut["id"], du_statut["type"]) == (str(autre.pk), "NOUVEAU_SIGNALEMENT")
    assert (la_neuve["id"], la_neuve["type"], la_neuve["statut"]) == (cle, NATURE, statut)
    assert (la_neuve["signalementId"], la_neuve["reference"]) == (str(signalement.pk), signalement.reference)
    assert alertes(api, admin) == [du_statut, la_neuve]
    assert alertes(api, etudiante) == [du_statut]  # nothing of it to its author
    assert [(e["type"], e["canal"]) for e in recus] == [
        ("message_created", f"discussion:{fil.pk}"),
        ("alert_created", "dashboard"),
    ]
    assert recus[-1]["payload"] == la_neuve


def test_ni_l_equipe_ni_un_dossier_ouvert_n_en_levent(api, etudiante, gestionnaire, signalement, clos, fil):
    discussions.message(acteur_de(gestionnaire), fil)
    ouvert = fabriques.mettre(fabriques.signalement(acteur_de(etudiante)), statut="EN_COURS")
    discussions.message(acteur_de(etudiante), discussions.discussion(acteur_de(etudiante), signalement=ouvert))

    assert alertes(api, gestionnaire) == []


def test_plusieurs_messages_en_font_une_et_lire_la_finit(api, etudiante, gestionnaire, clos, fil):
    autre_fil = discussions.discussion(acteur_de(etudiante), titre="Autre", signalement=clos)
    for une in (fil, fil, autre_fil):
        discussions.message(acteur_de(etudiante), une)
    assert len(alertes(api, gestionnaire)) == 1

    api(gestionnaire).put(f"/api/v1/discussions/{fil.pk}/messages/lus")
    assert len(alertes(api, gestionnaire)) == 1  # the other discussion is still to be read
    api(gestionnaire).put(f"/api/v1/discussions/{autre_fil.pk}/messages/lus")

    assert alertes(api, gestionnaire) == []


def test_ecartee_elle_l_est_pour_toutes_sans_changer_le_statut_et_un_autre_message_en_leve_une(
    api, evenements, etudiante, gestionnaire, admin, clos, fil
):
    discussions.message(acteur_de(etudiante), fil)
    cle = alertes(api, gestionnaire)[0]["id"]
    histoire = EntreeTimeline.objects.count()

    with evenements() as recus:
        reponse = ecarter(api, gestionnaire, cle)

    assert (reponse.status_code, reponse.json()["data"]) == (200, {"id": cle, "dismissed": True})
    assert [(e["type"], e["canal"]) for e in recus] == [("stats_updated", "dashboard")]
    clos.refresh_from_db()
    assert (clos.statut, EntreeTimeline.objects.count()) == ("CLOTURE", histoire)
    assert alertes(api, admin) == []
    assert ecarter(api, admin, cle).status_code == 200

    discussions.message(acteur_de(etudiante), fil)

    assert [une["id"] == cle for une in alertes(api, admin)] == [False]


def test_rouvrir_la_finit(api, etudiante, gestionnaire, clos, fil):
    discussions.message(acteur_de(etudiante), fil)

    api(gestionnaire).put(f"/api/v1/signalements/{clos.pk}/statut", {"statut": "EN_COURS"})
    api(gestionnaire).put(f"/api/v1/signalements/{clos.pk}/statut", {"statut": "CLOTURE"})

    assert alertes(api, gestionnaire) == []


def test_d_un_dossier_reserve_ceux_qui_le_lisent_l_apprennent_seuls(
    api, evenements, etudiante, gestionnaire, admin, clos, fil
):
    ecartee = comptes.gestionnaire(email="nadia@campus.test")
    changer_lecteurs(signalement=clos, acteur=acteur_de(admin), ecartes=[ecartee.pk])

    with evenements() as recus:
        discussions.message(acteur_de(etudiante), fil)

    canaux = {e["canal"] for e in recus if e["type"] == "alert_created"}
    assert canaux == {f"user:{gestionnaire.pk}", f"user:{admin.pk}"}
    (alerte,) = alertes(api, gestionnaire)
    assert alertes(api, ecartee) == []
    assert ecarter(api, ecartee, alerte["id"]).json()["code"] == ecarter(api, ecartee, uuid4()).json()["code"]
    with evenements() as recus:
        assert ecarter(api, gestionnaire, alerte["id"]).status_code == 200
    assert recus == []


def test_qui_est_de_l_equipe_n_en_a_pas_de_son_propre_dossier(api, evenements, gestionnaire, admin):
    sien = fabriques.mettre(fabriques.signalement(acteur_de(gestionnaire)), statut="TRAITE")
    fil = discussions.discussion(acteur_de(gestionnaire), signalement=sien)

    with evenements() as recus:
        message = discussions.message(acteur_de(gestionnaire), fil)

    assert [e["canal"] for e in recus if e["type"] == "alert_created"] == [f"user:{admin.pk}"]
    assert alertes(api, gestionnaire) == []
    assert len(alertes(api, admin)) == 1
    cle = uuid5(sien.pk, f"{NATURE}:{message.pk}")  # which its author could work out
    assert ecarter(api, gestionnaire, cle).status_code == 404


def test_une_fusion_la_porte_au_dossier_qui_demeure(api, invite, etudiante, gestionnaire):
    sien = fabriques.mettre(
        fabriques.signalement(acteur_de(etudiante), mode_identification="ANONYME"), statut="CLOTURE"
    )
    de_l_invite = fabriques.mettre(fabriques.signalement(acteur_de(invite)), statut="CLOTURE")
    discussions.message(
        acteur_de(invite), discussions.discussion(acteur_de(invite), titre="Suite", signalement=de_l_invite)
    )

    fusionner(invite, etudiante, accept_policy="MERGE_ALL")

    assert [une["signalementId"] for une in alertes(api, gestionnaire)] == [str(sien.pk)]


def test_rien_n_est_leve_quand_la_transaction_echoue(evenements, etudiante, fil):
    with evenements() as recus, pytest.raises(RuntimeError), transaction.atomic():
        ecrire(acteur=acteur_de(etudiante), discussion=fil, contenu="Encore une fois.")
        raise RuntimeError

    assert recus == []
    assert not AlerteDeDossier.objects.exists()
