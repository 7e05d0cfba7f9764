"""What a write tells, to whom, and what it costs: one count of messages, events in one insert."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework import serializers

from config.tests.outils import acteur_de
from discussions.tests import fabriques as discussions
from signalements import services
from signalements.models import Signalement
from signalements.serializers import SignalementDetail, pour_equipe, sans_l_equipe
from signalements.tests import fabriques
from socle.api.serializers import Regard, Sortie
from socle.realtime.models import Evenement

pytestmark = pytest.mark.django_db
URL = "/api/v1/signalements/"
CORPS = {"titre": "Remarques", "description": "Devant l'amphi.", "type": "HARCELEMENT"}


def vu_de(qui, dossier):
    return SignalementDetail(dossier, context=Regard(vu_par=acteur_de(qui)).contexte).data


def compter_les_non_lus(requetes):
    """The ranks of the queries that count them."""
    return [rang for rang, une in enumerate(requetes.captured_queries) if "messages_non_lus_count" in une["sql"]]


@pytest.mark.parametrize("mode", ["IDENTIFIE", "ANONYME"])
@pytest.mark.parametrize("persona", ["etudiante", "invite", "gestionnaire"])
def test_creer_rend_le_dossier_comme_il_sera_lu(api, personne, persona, mode):
    qui = personne(persona)

    cree = api(qui).post(URL, {**CORPS, "modeIdentification": mode}).json()["data"]

    assert cree == api(qui).get(f"{URL}{cree['id']}").json()["data"]


@pytest.mark.parametrize("acte", ["statut", "assigner"])
def test_traiter_rend_le_dossier_comme_il_sera_lu(api, gestionnaire, admin, signalement, acte):
    corps = {"statut": {"statut": "EN_ATTENTE"}, "assigner": {"gestionnaireId": str(gestionnaire.pk)}}[acte]

    rendu = api(admin).put(f"{URL}{signalement.pk}/{acte}", corps).json()["data"]

    assert rendu == api(admin).get(f"{URL}{signalement.pk}").json()["data"]


@pytest.mark.parametrize("mode", ["IDENTIFIE", "ANONYME"])
def test_ce_qu_un_evenement_a_rendu_ne_montre_rien_de_plus_a_personne(
    personne, gestionnaire, admin, etudiante, autre_etudiante, invite, mode
):
    for auteur in (etudiante, invite, gestionnaire):
        dossier = fabriques.signalement(acteur_de(auteur), mode_identification=mode)
        services.assigner(signalement=dossier, gestionnaire_id=gestionnaire.pk, acteur=acteur_de(admin))
        neuf = Signalement.objects.get(pk=dossier.pk)

        for qui in (auteur, autre_etudiante, gestionnaire, admin):
            assert vu_de(qui, dossier) == vu_de(qui, neuf)
        assert SignalementDetail(dossier).data["gestionnaireNom"] is None
        assert sans_l_equipe(pour_equipe(dossier)) == sans_l_equipe(pour_equipe(neuf))


class Etendu(SignalementDetail):
    """As somebody who adds a field would write it, without a word about who looks."""

    est_a_moi = serializers.SerializerMethodField()

    class Meta:
        model = Signalement
        a_tous = ("titre", "est_a_moi")
        de_l_equipe = ("gestionnaire_nom",)

    def to_representation(self, instance):
        return Sortie.to_representation(self, instance)

    def get_est_a_moi(self, dossier):
        return self.vu_par is not None and self.vu_par.possede(dossier)


def test_un_champ_ajoute_qui_depend_du_lecteur_n_est_pas_celui_de_l_evenement(etudiante, gestionnaire, signalement):
    assert Etendu(signalement, context=Regard(forme_equipe=True).contexte).data["estAMoi"] is False

    for qui in (etudiante, gestionnaire):
        assert Etendu(signalement, context=Regard(vu_par=acteur_de(qui)).contexte).data["estAMoi"] is (qui is etudiante)


@pytest.mark.parametrize(
    ("methode", "chemin", "corps"),
    [
        ("put", "statut", {"statut": "EN_COURS"}),
        ("put", "priorite", {"priorite": "LOW"}),
        ("put", "assigner", {"gestionnaireId": "{gestionnaire}"}),
    ],
)
def test_une_ecriture_compte_les_non_lus_une_fois_quand_elle_a_ecrit(
    api, gestionnaire, etudiante, signalement, methode, chemin, corps
):
    discussions.message(acteur_de(etudiante), discussions.discussion(acteur_de(etudiante), "Suites", signalement))
    corps = {nom: valeur.format(gestionnaire=gestionnaire.pk) for nom, valeur in corps.items()}

    with CaptureQueriesContext(connection) as requetes:
        reponse = getattr(api(gestionnaire), methode)(f"{URL}{signalement.pk}/{chemin}", corps)

    assert reponse.json()["data"]["messagesNonLusCount"] == 1
    (rang,) = compter_les_non_lus(requetes)
    ecritures = [n for n, une in enumerate(requetes.captured_queries) if une["sql"].startswith(("INSERT", "UPDATE"))]
    assert rang > max(ecritures)


@pytest.mark.parametrize(
    ("methode", "chemin", "corps"),
    [
        ("post", f"{URL}{{}}/notes", {"contenu": "À rappeler."}),
        ("get", f"{URL}{{}}/timeline", None),
        ("put", "/api/v1/stats/dashboard/alerts/{}/dismiss", None),
        ("put", f"{URL}{{}}/session-invitee", {"statut": "DISABLED", "motif": "Pour essayer."}),
    ],
)
def test_ce_qui_ne_dit_pas_les_non_lus_ne_les_compte_pas(api, admin, signalement_invite, methode, chemin, corps):
    client = api(admin)

    with CaptureQueriesContext(connection) as requetes:
        reponse = client.envoyer(methode, chemin.format(signalement_invite.pk), corps)

    assert reponse.status_code in (200, 201)
    assert compter_les_non_lus(requetes) == []


@pytest.mark.parametrize(
    ("methode", "chemin", "corps", "statut", "evenements"),
    [
        ("post", URL, CORPS, 201, 3),  # the case, its history, the alert
        ("put", f"{URL}{{}}/statut", {"statut": "EN_COURS"}, 200, 4),  # on two channels, its history, the dashboard
        ("put", f"{URL}{{}}/statut", {"statut": "EN_ATTENTE"}, 200, 5),  # the alert also
        ("put", f"{URL}{{}}/priorite", {"priorite": "LOW"}, 200, 1),
    ],
)
def test_les_evenements_d_un_acte_sont_une_seule_ecriture(
    api, gestionnaire, etudiante, signalement, methode, chemin, corps, statut, evenements
):
    deja = Evenement.objects.count()
    with CaptureQueriesContext(connection) as requetes:
        reponse = api(gestionnaire).envoyer(methode, chemin.format(signalement.pk), corps)

    assert reponse.status_code == statut
    ecrites = [une for une in requetes.captured_queries if une["sql"].startswith('INSERT INTO "realtime_evenement"')]
    assert (len(ecrites), Evenement.objects.count() - deja) == (1, evenements)
