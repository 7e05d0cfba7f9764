"""What nobody but its author has read, and what each of the team has not: kept in step by every act, in every state."""

from datetime import timedelta
from importlib import import_module

import pytest
from django.apps import apps
from django.db import connection
from django.utils import timezone

from accounts.models import Compte
from accounts.tests import fabriques as comptes
from config.tests.outils import acteur_de
from discussions.models import Discussion
from discussions.recompte import corriger, ecarts
from discussions.services import marquer_lus
from discussions.tests import fabriques
from guests.fusion.retour import annuler
from guests.models import AuditFusion
from guests.tests.fabriques import fusionner
from guests.tests.outils import fusionner as fusionner_au_mieux
from signalements.models import AlerteDeDossier, Signalement
from signalements.tests import fabriques as signalements

pytestmark = pytest.mark.django_db
URL = "/api/v1/signalements/"


@pytest.fixture
def conversation(etudiante, signalement):
    return fabriques.discussion(acteur_de(etudiante), signalement=signalement)


def lire(api, qui, discussion):
    return api(qui).put(f"/api/v1/discussions/{discussion.pk}/messages/lus")


def jamais_lus(discussion):
    return Discussion.objects.get(pk=discussion.pk).jamais_lus


def non_lus(api, qui, dossier):
    return api(qui).get(f"{URL}{dossier.pk}").json()["data"]["messagesNonLusCount"]


def test_ce_que_l_auteur_ecrit_attend_jusqu_a_ce_qu_un_autre_le_lise(api, etudiante, gestionnaire, conversation):
    for _fois in range(2):
        fabriques.message(acteur_de(etudiante), conversation)
    fabriques.message(acteur_de(gestionnaire), conversation)  # the team's own waits for nobody of the team

    assert jamais_lus(conversation) == 2
    lire(api, etudiante, conversation)
    assert jamais_lus(conversation) == 2
    lire(api, gestionnaire, conversation)
    assert jamais_lus(conversation) == 0
    assert ecarts() == set()


def test_le_recompte_le_trouve_et_le_corrige(etudiante, conversation):
    fabriques.message(acteur_de(etudiante), conversation)
    Discussion.objects.update(jamais_lus=7)

    assert ecarts() == {conversation.pk}
    corriger()
    assert jamais_lus(conversation) == 1


def test_une_fusion_le_garde(api, invite, etudiante, gestionnaire):
    dossier = signalements.signalement(acteur_de(invite))
    discussion = fabriques.discussion(acteur_de(invite), signalement=dossier)
    fabriques.message(acteur_de(invite), discussion)
    fabriques.message(acteur_de(gestionnaire), discussion)

    fusionner(invite, etudiante)

    assert jamais_lus(discussion) == 1
    assert ecarts() == set()


@pytest.mark.parametrize("statut", ["NOUVEAU", "EN_ATTENTE", "TRAITE", "CLOTURE"])
def test_un_message_est_a_lire_quel_que_soit_le_statut(api, etudiante, gestionnaire, conversation, signalement, statut):
    signalements.mettre(signalement, statut=statut)
    fabriques.message(acteur_de(etudiante), conversation)

    trouves = api(gestionnaire).get(URL, {"nonLus": "true"}).json()["data"]["items"]
    tableau = api(gestionnaire).get("/api/v1/stats/dashboard").json()["data"]

    assert [(un["id"], un["messagesNonLusCount"]) for un in trouves] == [(str(signalement.pk), 1)]
    assert tableau["messagesNonLus"] == 1


def test_ce_qui_fut_ecrit_avant_qu_on_soit_de_l_equipe_n_est_pas_a_lire(api, etudiante, conversation, signalement):
    fabriques.message(acteur_de(etudiante), conversation)
    venue = comptes.gestionnaire(email="ines@campus.test")
    promue = comptes.compte(email="omar@campus.test", nom="Sy", prenom="Omar")
    cheffe = comptes.admin(email="chef@campus.test")

    for qui in (venue, cheffe):
        assert non_lus(api, qui, signalement) == 0
        assert api(qui).get(URL, {"nonLus": "true"}).json()["data"]["total"] == 0
    fabriques.message(acteur_de(etudiante), conversation)
    api(cheffe).put(f"/api/v1/comptes/{promue.pk}", {"typeUtilisateur": "GESTIONNAIRE"})
    fabriques.message(acteur_de(etudiante), conversation)

    for qui, nombre in ((venue, 2), (cheffe, 2), (promue, 1)):
        assert non_lus(api, qui, signalement) == nombre
        assert api(qui).get("/api/v1/stats/dashboard").json()["data"]["messagesNonLus"] == nombre
    lire(api, venue, conversation)
    assert non_lus(api, venue, signalement) == 0


def test_qui_etait_deja_de_l_equipe_lit_depuis_sa_creation(
    api, etudiante, admin, gestionnaire, conversation, signalement
):
    Compte.objects.update(equipe_depuis=None)
    fabriques.message(acteur_de(etudiante), conversation)

    assert non_lus(api, gestionnaire, signalement) == 1
    api(admin).put(f"/api/v1/comptes/{gestionnaire.pk}", {"typeUtilisateur": "ADMIN_SYSTEME"})

    gestionnaire.refresh_from_db()
    assert gestionnaire.equipe_depuis is None  # a member of the team all along
    assert non_lus(api, gestionnaire, signalement) == 1
    api(admin).put(f"/api/v1/comptes/{gestionnaire.pk}", {"typeUtilisateur": "UTILISATEUR"})
    api(admin).put(f"/api/v1/comptes/{gestionnaire.pk}", {"typeUtilisateur": "GESTIONNAIRE"})
    assert non_lus(api, gestionnaire, signalement) == 0


def test_une_base_qui_a_vecu_tient_pour_lu_de_tous_ce_que_quelqu_un_a_lu_d_un_dossier_fini(
    api, etudiante, admin, gestionnaire
):
    def dossier(statut, *, lus, ensuite):
        fait = signalements.signalement(acteur_de(etudiante), titre=statut)
        discussion = fabriques.discussion(acteur_de(etudiante), signalement=fait)
        for _fois in range(lus):
            fabriques.message(acteur_de(etudiante), discussion)
        lire(api, admin, discussion)
        for _fois in range(ensuite):
            fabriques.message(acteur_de(etudiante), discussion)
        return signalements.mettre(fait, statut=statut)

    clos, traite, ouvert = (dossier(s, lus=2, ensuite=n) for s, n in (("CLOTURE", 0), ("TRAITE", 3), ("EN_COURS", 1)))
    Discussion.objects.update(jamais_lus=0)
    migration = import_module("discussions.migrations.0011_compter_les_jamais_lus")

    with connection.cursor() as curseur:
        migration.compter(apps, curseur)  # which has the one method that it asks of an editor

    assert ecarts() == set()
    assert [non_lus(api, gestionnaire, un) for un in (clos, traite, ouvert)] == [0, 3, 3]
    assert [non_lus(api, admin, un) for un in (clos, traite, ouvert)] == [0, 3, 1]


def test_ecrire_apres_la_borne_reste_a_lire(api, etudiante, gestionnaire, conversation, signalement):
    fabriques.message(acteur_de(etudiante), conversation)
    Discussion.objects.update(lus_par_tous=1)

    assert non_lus(api, gestionnaire, signalement) == 0
    fabriques.message(acteur_de(etudiante), conversation)
    assert non_lus(api, gestionnaire, signalement) == 1


def test_une_discussion_ancienne_ne_compte_que_ses_messages_recents(
    api, etudiante, gestionnaire, conversation, signalement
):
    """Where a discussion began before somebody joined the team, messages are told apart by their own dates."""
    fabriques.message(acteur_de(etudiante), conversation)
    Compte.objects.filter(pk=gestionnaire.pk).update(equipe_depuis=timezone.now())
    fabriques.message(acteur_de(gestionnaire), conversation)  # a participant now, whose mark is looked up
    fabriques.message(acteur_de(etudiante), conversation)

    assert non_lus(api, gestionnaire, signalement) == 1
    Compte.objects.filter(pk=gestionnaire.pk).update(equipe_depuis=timezone.now() - timedelta(days=1))
    assert non_lus(api, gestionnaire, signalement) == 2


# --- What a merge makes of alerts -------------------------------------------------------------------------------------


def clore(qui, gestionnaire, texte, *, lu=False, statut="CLOTURE"):
    """A case with a message of its person, written once it was ended."""
    dossier = signalements.signalement(acteur_de(qui), titre="Vol", mode_identification="ANONYME")
    discussion = fabriques.discussion(acteur_de(qui), "Suites", dossier)
    if statut != "NOUVEAU":
        signalements.mettre(dossier, statut=statut)
    fabriques.message(acteur_de(qui), Discussion.objects.get(pk=discussion.pk), texte)
    if lu:
        marquer_lus(acteur=acteur_de(gestionnaire), discussion=Discussion.objects.get(pk=discussion.pk))
    return dossier


def alertes_accordees():
    """Each ended case that lives has its alert where, and only where, nobody has read a message of its person."""
    a_lire = Discussion.objects.vivants().jamais_lues().values_list("signalement", flat=True)
    finis = set(Signalement.objects.vivants().resolus().values_list("pk", flat=True))
    en_cours = AlerteDeDossier.objects.filter(date_fin=None).values_list("signalement", flat=True)
    return finis & set(a_lire), finis & set(en_cours)


@pytest.mark.parametrize(
    ("du_compte", "de_l_invite", "statut"),
    [
        ("Encore moi.", "Encore moi.", "CLOTURE"),  # read in one copy, unread in the other
        ("Encore moi.", "Tout autre chose.", "CLOTURE"),
        ("Encore moi.", "Tout autre chose.", "NOUVEAU"),  # an open report that joins an ended one
    ],
)
def test_l_alerte_d_un_dossier_fini_suit_ses_messages_a_travers_une_fusion(
    gestionnaire, etudiante, invite, du_compte, de_l_invite, statut
):
    clore(etudiante, gestionnaire, du_compte, lu=True)
    clore(invite, gestionnaire, de_l_invite, statut=statut)

    fusionner_au_mieux(etudiante, invite, acceptPolicy="MERGE_ALL")
    attendus, en_cours = alertes_accordees()
    assert attendus == en_cours

    for discussion in Discussion.objects.vivants():
        marquer_lus(acteur=acteur_de(gestionnaire), discussion=discussion)
    assert alertes_accordees() == (set(), set())

    annuler(AuditFusion.objects.get())
    attendus, en_cours = alertes_accordees()
    assert attendus == en_cours
