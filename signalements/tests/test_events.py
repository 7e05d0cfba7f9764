import pytest
from django.db import transaction

from config.tests.outils import acteur_de
from signalements import services
from signalements.models import Signalement
from signalements.tests import fabriques
from socle.domaine.acteurs import ActeurCompte

pytestmark = pytest.mark.django_db
VIEWER = {"hasUnreadUpdates", "messagesNonLusCount"}


def en_bref(recus):
    return [(e["type"], e["canal"].partition(":")[0], e["audience"]) for e in recus]


def test_creer_annonce_le_dossier_a_l_equipe_et_son_alerte(evenements, etudiante):
    with evenements() as recus:
        dossier = fabriques.signalement(acteur_de(etudiante), priorite="HIGH")

    assert en_bref(recus) == [
        ("signalement_created", "signalements", "PUBLIC"),
        ("signalement_timeline_updated", "signalement", "PUBLIC"),
        ("alert_created", "dashboard", "PUBLIC"),
    ]
    cree, _entree, alerte = (e["payload"] for e in recus)
    assert cree["id"] == str(dossier.pk)
    assert cree.keys().isdisjoint(VIEWER)
    assert alerte == {
        "id": str(dossier.pk),
        "type": "NOUVEAU_SIGNALEMENT",
        "titre": dossier.titre,
        "priorite": "HIGH",
        "statut": "NOUVEAU",
        "statutCanonique": "PENDING",
        "signalementId": str(dossier.pk),
        "reference": dossier.reference,
        "dateCreation": cree["dateCreation"],
    }


def test_changer_le_statut_est_annonce(evenements, api, gestionnaire, signalement):
    with evenements() as recus:
        api(gestionnaire).put(f"/api/v1/signalements/{signalement.pk}/statut", {"statut": "TRAITE"})

    assert en_bref(recus) == [
        ("signalement_statut_updated", "signalement", "PUBLIC"),
        ("signalement_statut_updated", "signalements", "PUBLIC"),
        ("signalement_timeline_updated", "signalement", "PUBLIC"),
        ("stats_updated", "dashboard", "PUBLIC"),
    ]
    assert recus[0]["canal"] == f"signalement:{signalement.pk}"
    assert (recus[2]["payload"]["auteurId"], recus[2]["payload"]["auteurNom"]) == (None, "Équipe")
    assert recus[3]["payload"] == {"source": "signalement", "id": str(signalement.pk), "statut": "TRAITE"}


def test_le_meme_statut_est_encore_annonce_sans_entree_ni_alerte(evenements, api, gestionnaire, signalement):
    with evenements() as recus:
        api(gestionnaire).put(f"/api/v1/signalements/{signalement.pk}/statut", {"statut": "NOUVEAU"})

    assert [e["type"] for e in recus] == ["signalement_statut_updated", "signalement_statut_updated", "stats_updated"]


@pytest.mark.parametrize(
    ("statut", "type_"), [("NOUVEAU", "NOUVEAU_SIGNALEMENT"), ("EN_ATTENTE", "SIGNALEMENT_EN_ATTENTE")]
)
def test_entrer_dans_un_statut_a_alerte_en_annonce_une(evenements, gestionnaire, signalement, statut, type_):
    services.changer_statut(signalement=signalement, statut="TRAITE", acteur=acteur_de(gestionnaire))

    with evenements() as recus:
        services.changer_statut(signalement=signalement, statut=statut, acteur=acteur_de(gestionnaire))

    assert [e["payload"]["type"] for e in recus if e["type"] == "alert_created"] == [type_]


def test_rendre_annonce_un_dossier_que_personne_ne_traite_et_deux_fois_rien(
    evenements, admin, gestionnaire, signalement
):
    services.assigner(signalement=signalement, gestionnaire_id=gestionnaire.pk, acteur=acteur_de(admin))

    with evenements() as recus:
        for _fois in range(2):
            services.rendre(signalement=signalement, acteur=acteur_de(admin))

    assert en_bref(recus) == [
        ("signalement_assigned", "signalement", "PUBLIC"),
        ("signalement_assigned", "signalements", "PUBLIC"),
        ("signalement_timeline_updated", "signalement", "PUBLIC"),
    ]
    assert [e["payload"].get("gestionnaireId") for e in recus[:2]] == [None, None]
    assert recus[2]["payload"]["description"] == "Dossier rendu à l'équipe."
    signalement.refresh_from_db()
    assert (signalement.gestionnaire, signalement.statut) == (None, "ASSIGNE")


def test_assigner_ne_dit_qui_traite_qu_a_l_equipe(evenements, admin, gestionnaire, signalement):
    with evenements() as recus:
        services.assigner(signalement=signalement, gestionnaire_id=gestionnaire.pk, acteur=acteur_de(admin))

    assert en_bref(recus) == [
        ("signalement_assigned", "signalement", "PUBLIC"),
        ("signalement_assigned", "signalements", "PUBLIC"),
        ("signalement_timeline_updated", "signalement", "PUBLIC"),
        ("signalement_timeline_updated", "signalement", "PUBLIC"),
    ]
    assert recus[0]["payload"]["gestionnaireNom"] is None
    assert recus[1]["payload"]["gestionnaireNom"] == "Paul Ilunga"
    assert "Ilunga" not in str([recus[0], recus[2], recus[3]])


def test_une_note_n_est_annoncee_qu_a_l_equipe(evenements, gestionnaire, signalement):
    with evenements() as recus:
        note = services.ajouter_note(signalement=signalement, contenu="À rappeler.", acteur=acteur_de(gestionnaire))

    assert en_bref(recus) == [
        ("signalement_note_added", "signalement", "PERSONNEL"),
        ("signalement_timeline_updated", "signalement", "PERSONNEL"),
    ]
    payload = recus[0]["payload"]
    assert payload.keys() == {"id", "auteurId", "contenu", "dateCreation"}
    assert (payload["id"], payload["auteurId"]) == (str(note.pk), str(gestionnaire.pk))


def test_changer_la_priorite_est_annonce_dans_l_historique(evenements, gestionnaire, signalement):
    with evenements() as recus:
        services.changer_priorite(signalement=signalement, priorite="LOW", acteur=acteur_de(gestionnaire))

    assert en_bref(recus) == [("signalement_timeline_updated", "signalement", "PUBLIC")]


def test_aucun_evenement_ne_porte_l_identite_d_un_anonyme(evenements, gestionnaire, etudiante, invite):
    with evenements() as recus:
        for qui in (etudiante, invite):
            dossier = fabriques.signalement(
                acteur_de(qui), mode_identification="ANONYME", description=f"{getattr(qui, 'guest_id', '')}"
            )
            services.changer_statut(signalement=dossier, statut="EN_ATTENTE", acteur=acteur_de(gestionnaire))

    for secret in (etudiante.pk, etudiante.nom, invite.pk, invite.guest_id):
        assert str(secret) not in str(recus)


def test_un_evenement_est_en_francais_quelle_que_soit_la_langue_de_la_requete(
    evenements, api, gestionnaire, signalement
):
    with evenements() as recus:
        api(gestionnaire).put(
            f"/api/v1/signalements/{signalement.pk}/statut", {"statut": "TRAITE"}, headers={"Accept-Language": "en"}
        )

    (entree,) = [e["payload"] for e in recus if e["type"] == "signalement_timeline_updated"]
    assert entree["description"] == "Statut : Nouveau → Traité."


def _tenu(dossier, acteur):
    """The case, in the hands of this account."""
    services.assigner(signalement=dossier, gestionnaire_id=acteur.compte.pk, acteur=acteur)
    return dossier


ACTES = {
    "creer": lambda dossier, acteur: fabriques.signalement(acteur),
    "statut": lambda dossier, acteur: services.changer_statut(signalement=dossier, statut="TRAITE", acteur=acteur),
    "assigner": lambda dossier, acteur: services.assigner(
        signalement=dossier, gestionnaire_id=acteur.compte.pk, acteur=acteur
    ),
    "rendre": lambda dossier, acteur: services.rendre(signalement=_tenu(dossier, acteur), acteur=acteur),
    "priorite": lambda dossier, acteur: services.changer_priorite(signalement=dossier, priorite="LOW", acteur=acteur),
    "note": lambda dossier, acteur: services.ajouter_note(signalement=dossier, contenu="x", acteur=acteur),
    "alerte": lambda dossier, acteur: services.ecarter_alerte(signalement=dossier, acteur=acteur),
}


@pytest.mark.parametrize("acte", ACTES)
def test_rien_n_est_annonce_quand_la_transaction_echoue(evenements, gestionnaire, signalement, acte):
    with evenements() as recus, pytest.raises(RuntimeError), transaction.atomic():
        ACTES[acte](signalement, ActeurCompte(compte=gestionnaire))
        raise RuntimeError

    assert recus == []
    assert Signalement.objects.count() == 1
