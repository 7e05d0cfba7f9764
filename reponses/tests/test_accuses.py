"""The automatic acknowledgement: kept as it was read, of nobody, counted nowhere."""

from datetime import UTC, datetime

import pytest
from django.db import IntegrityError, connection
from django.test.utils import CaptureQueriesContext
from django.utils import translation

from accounts.models import Compte
from config.tests.outils import acteur_de
from discussions import services as discussions
from discussions.models import Discussion, Message
from echeances.services import choisir
from guests.tests.outils import apercevoir, fusionner, resolution
from reponses.models import AccuseAutomatique
from reponses.tests import fabriques
from signalements import suppression as supprimer_les_dossiers
from signalements.tests import fabriques as signalements

pytestmark = pytest.mark.django_db
TEXTE = "Bonjour,\n\nVotre dossier {reference} est arrivé.\nUne réponse avant le {echeance}.\n\n{service}"


@pytest.fixture(autouse=True)
def _un_lundi(time_machine):
    time_machine.move_to(datetime(2026, 3, 2, 10, tzinfo=UTC), tick=False)


@pytest.fixture
def automatique(settings):
    settings.PORTAIL_NOM = "Écoute"
    return fabriques.modele(texte_fr=TEXTE, texte_en="Hello, {reference}.", automatique=True)


def lus(client, dossier, langue="fr"):
    reponse = client.get(f"/api/v1/signalements/{dossier.pk}/accuses", headers={"Accept-Language": langue})
    assert reponse.status_code == 200, reponse.content
    return reponse.json()["data"]


def test_sans_reponse_automatique_rien_n_est_repondu(api, invite):
    fabriques.modele()
    signalements.signalement(acteur_de(invite))  # the memory of the process is filled

    dossier = signalements.signalement(acteur_de(invite), titre="Autre")

    assert lus(api(invite), dossier) == []
    assert not AccuseAutomatique.objects.exists()


def test_son_auteur_et_l_equipe_le_lisent_et_personne_ne_l_a_ecrit(api, invite, gestionnaire, automatique):
    fabriques.orientation("HARCELEMENT", texte_fr="Gardez les messages.")
    dossier = signalements.signalement(acteur_de(invite), type="HARCELEMENT")

    attendu = {
        "signalementId": str(dossier.pk),
        "contenu": f"Bonjour,\n\nVotre dossier {dossier.reference} est arrivé.\n\nÉcoute\n\nGardez les messages.",
        "langue": "fr",
        "auteurId": None,
        "auteurNom": "Équipe",
        "type": "AUTOMATIQUE",
        "dateCreation": "2026-03-02T10:00:00.000Z",
    }
    assert lus(api(invite), dossier) == [attendu] == lus(api(gestionnaire), dossier)
    assert Compte.objects.count() == 1  # no account writes it


def test_il_ne_compte_parmi_aucun_message(api, invite, gestionnaire, automatique):
    dossier = signalements.signalement(acteur_de(invite))

    assert not Discussion.objects.exists()
    assert not Message.objects.exists()
    lu = api(invite).get(f"/api/v1/signalements/{dossier.pk}").json()["data"]
    assert (lu["messagesNonLusCount"], lu["hasUnreadUpdates"]) == (0, False)
    fil = discussions.ouvrir(acteur=acteur_de(gestionnaire), titre="Suite", signalement_id=dossier.pk)
    assert discussions.ecrire(acteur=acteur_de(gestionnaire), discussion=fil, contenu="Bonjour").numero_sequence == 1


def test_ce_qui_fut_lu_ne_change_plus(api, invite, admin, automatique):
    dossier = signalements.signalement(acteur_de(invite))
    avant = lus(api(invite), dossier)

    changement = api(admin).put(f"/api/v1/modeles-reponse/{automatique.pk}", {"texteFr": "Autre, {reference}."})
    suivant = signalements.signalement(acteur_de(invite), titre="Suivant")

    assert changement.status_code == 200
    assert lus(api(invite), dossier) == avant
    assert lus(api(invite), suivant)[0]["contenu"] == f"Autre, {suivant.reference}."


def test_une_creation_ne_lit_rien_pour_lui(invite, automatique):
    fabriques.orientation("VOL")
    signalements.signalement(acteur_de(invite), type="VOL")

    with CaptureQueriesContext(connection) as requetes:
        signalements.signalement(acteur_de(invite), type="VOL", titre="Autre")

    assert [une["sql"].split()[0] for une in requetes if "reponses_" in une["sql"]] == ["INSERT"]
    assert "Gardez les preuves." in AccuseAutomatique.objects.latest("date_creation").texte_fr


def test_celui_du_type_l_emporte(api, invite, automatique):
    fabriques.modele("Vol", type="VOL", automatique=True, texte_fr="Un vol.")

    vol = signalements.signalement(acteur_de(invite), type="VOL")

    assert [(un["contenu"], un["langue"]) for un in lus(api(invite), vol)] == [("Un vol.", "fr")]


@pytest.mark.parametrize("de_qui_signale", ["fr", "en"])
def test_chacun_le_lit_dans_sa_langue_et_rien_ne_dit_celle_de_qui_signale(
    api, invite, gestionnaire, automatique, de_qui_signale
):
    with translation.override(de_qui_signale):
        dossier = signalements.signalement(acteur_de(invite))

    anglais = lus(api(gestionnaire), dossier, "en")
    assert [(un["contenu"], un["langue"]) for un in anglais] == [(f"Hello, {dossier.reference}.", "en")]
    assert [un["langue"] for un in lus(api(gestionnaire), dossier, "fr")] == ["fr"]
    assert lus(api(invite), dossier, "en") == anglais


@pytest.mark.parametrize(
    ("compte", "tenues", "prochaine"),
    [
        (False, {"ACCUSE": None, "RETOUR": None}, "11 mars 2026"),
        (True, {"ACCUSE": "2026-03-02", "RETOUR": None}, "2 juin 2026"),
    ],
)
def test_il_ne_tient_la_date_de_l_accuse_que_si_l_etablissement_le_compte(
    api, invite, admin, automatique, settings, compte, tenues, prochaine
):
    settings.ACCUSE_AUTOMATIQUE_COMPTE = compte
    choisir(acteur=acteur_de(admin), accepte=True)

    dossier = signalements.signalement(acteur_de(invite))

    dossier.refresh_from_db()
    assert {une["nature"]: une["faiteLe"] for une in dossier.echeances} == tenues
    assert {une.nature: une.faite_le and une.faite_le.isoformat() for une in dossier.dates.all()} == tenues
    assert f"Une réponse avant le {prochaine}." in lus(api(invite), dossier)[0]["contenu"].replace("\xa0", " ")


def test_la_meme_creation_redite_sous_sa_cle_n_en_ecrit_qu_un(api, invite, automatique):
    corps = {"titre": "Vol", "description": "Un vélo.", "type": "VOL"}

    premiere, seconde = (
        api(invite).post("/api/v1/signalements/", corps, headers={"Idempotency-Key": "cle-d-essai-0001"})
        for _fois in "ab"
    )

    assert (premiere.status_code, seconde.json()["data"]["id"]) == (201, premiere.json()["data"]["id"])
    assert AccuseAutomatique.objects.count() == 1


def test_un_dossier_joint_montre_les_deux_et_part_avec_eux(api, invite, etudiante, automatique):
    sien, joint = (signalements.signalement(acteur_de(qui)) for qui in (etudiante, invite))

    avant = apercevoir(etudiante, invite)
    fusionner(etudiante, invite, resolution("KEEP_TARGET", joint, sien))

    assert [un["level"] for un in avant["conflicts"]] == ["SIGNALEMENT"]
    assert avant["counts"]["messages"] == 0
    assert {un["signalementId"] for un in lus(api(etudiante), sien)} == {str(sien.pk), str(joint.pk)}
    lignes = supprimer_les_dossiers.verrouiller([sien.pk])
    supprimer_les_dossiers.retirer(lignes)
    assert not AccuseAutomatique.objects.exists()


def test_deux_pour_un_type_se_refusent(api, admin, automatique):
    corps = {"titre": "Autre", "texteFr": "Autre.", "automatique": True}

    refus = api(admin).post("/api/v1/modeles-reponse/", corps)
    admis = api(admin).post("/api/v1/modeles-reponse/", {**corps, "type": "VOL"})
    change = api(admin).put(f"/api/v1/modeles-reponse/{admis.json()['data']['id']}", {"type": None})

    assert [(un.status_code, un.json().get("code")) for un in (refus, change)] == [(409, "CONFLICT")] * 2
    assert refus.json()["message"] == "Une autre réponse part déjà d'elle-même pour ce type : décochez-la d'abord."
    assert admis.status_code == 201
    with pytest.raises(IntegrityError):
        fabriques.modele(automatique=True)
