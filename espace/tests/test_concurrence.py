"""Two people, or two clicks, on one case in the same moment."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.tests.outils import ensemble
from config.tests.outils import acteur_de
from discussions.models import Message
from discussions.tests import fabriques as discussions
from espace.services import actes, filtres
from espace.tests.outils import Equipiere
from signalements.lecteurs import Acces
from signalements.models import EntreeTimeline
from signalements.tests import fabriques

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]
FOIS = 6


@pytest.fixture
def onglets(gestionnaire, admin):
    """As many pages of two people, all open on the case as it was."""
    ouverts = [Equipiere(qui) for _rang in range(FOIS // 2) for qui in (gestionnaire, admin)]
    for onglet in ouverts:
        onglet.lire()
    return ouverts


def statuts(reponses):
    return sorted(reponse.status_code for reponse in reponses)


def test_un_seul_des_changements_differents_passe_et_les_autres_sont_demandes(onglets, signalement):
    voulus = ["ASSIGNE", "EN_COURS", "EN_ATTENTE", "TRAITE", "CLOTURE", "EN_COURS"]

    rendus = ensemble(
        [
            lambda o=o, v=v: o.agir(signalement, "statut", statut=v, vu="NOUVEAU", vu_sans_reponse="oui")
            for o, v in zip(onglets, voulus, strict=True)
        ]
    )

    signalement.refresh_from_db()
    passes = [v for v, rendu in zip(voulus, rendus, strict=True) if rendu.status_code == 303]
    assert set(passes) == {signalement.statut}
    assert {rendu.status_code for rendu in rendus} == {303, 409}
    assert EntreeTimeline.objects.filter(type="STATUT").count() == 1


def test_prendre_ensemble_ne_donne_le_dossier_qu_a_une_personne(onglets, gestionnaire, admin, signalement):
    qui = [gestionnaire, admin] * (FOIS // 2)

    rendus = ensemble(
        [
            lambda o=o, q=q: o.agir(signalement, "assigner", gestionnaire_id=q.pk, vu="")
            for o, q in zip(onglets, qui, strict=True)
        ]
    )

    signalement.refresh_from_db()
    assert {q.pk for q, rendu in zip(qui, rendus, strict=True) if rendu.status_code == 303} == {
        signalement.gestionnaire_id
    }
    assert {rendu.status_code for rendu in rendus} == {303, 409}


def test_les_memes_lignes_prises_ensemble_n_ont_chacune_qu_une_personne(onglets, etudiante, gestionnaire, admin):
    """Whatever the order of the boxes: nobody waits for each other, and every tab is answered."""
    dossiers = [fabriques.signalement(acteur_de(etudiante), titre=f"Ensemble {rang}") for rang in range(3)]
    cles = [str(un.pk) for un in dossiers]
    qui = [gestionnaire, admin] * (FOIS // 2)

    rendus = ensemble(
        [
            lambda o=o, q=q: o.envoyer(
                "/equipe/confier/",
                {"liste": "?vue=ouverts", "dossier": cles if q == admin else cles[::-1], "gestionnaire_id": q.pk},
            )
            for o, q in zip(onglets, qui, strict=True)
        ]
    )

    assert statuts(rendus) == [303] * FOIS
    assert EntreeTimeline.objects.filter(type="ASSIGNATION").count() == 3
    for dossier in dossiers:
        dossier.refresh_from_db()
        assert dossier.gestionnaire_id in {gestionnaire.pk, admin.pk}


def test_deux_personnes_qui_repondent_ensemble_se_voient(onglets, etudiante, signalement):
    discussion = discussions.discussion(acteur_de(etudiante), signalement=signalement)
    vu = discussions.message(acteur_de(etudiante), discussion).pk

    rendus = ensemble(
        [
            lambda o=o: o.agir(signalement, "messages", vu=vu, **{"reponse-contenu": f"De {o.compte.prenom}."})
            for o in onglets
        ]
    )

    assert statuts(rendus) == [303] * (FOIS // 2) + [409] * (FOIS // 2)
    assert Message.objects.exclude(compte=etudiante).count() == 1


def test_une_note_cliquee_partout_s_ecrit_une_fois_par_personne(onglets, signalement):
    rendus = ensemble([lambda o=o: o.agir(signalement, "notes", **{"note-contenu": "Vue."}) for o in onglets])

    assert statuts(rendus) == [303] * FOIS
    assert EntreeTimeline.objects.filter(type="NOTE").count() == 2


def test_des_filtres_gardes_ensemble_restent_tous(gestionnaire):
    faits = ensemble(
        [lambda r=r: filtres.garder(gestionnaire, nom=f"Filtre {r}", adresse="vue=clos") for r in range(FOIS)]
    )

    assert faits == [None] * FOIS
    gestionnaire.refresh_from_db()
    assert {un["nom"] for un in gestionnaire.preferences.parametres["filtres"]} == {f"Filtre {r}" for r in range(FOIS)}


def test_la_page_des_lecteurs_verrouille_comme_le_service(admin, signalement):
    """The administrators, then the case: in the other order two who change it at once would wait for each other."""
    vu = actes.marque_de_l_acces(Acces.de(signalement))

    with CaptureQueriesContext(connection) as requetes:
        actes.changer_lecteurs(dossier=signalement, acteur=acteur_de(admin), ecartes=[], admis=[admin.pk], vu=vu)

    verrous = [requete["sql"] for requete in requetes if "FOR NO KEY UPDATE" in requete["sql"]]
    assert ["accounts_compte" in verrou for verrou in verrous[:2]] == [True, False]
