"""The matrix once more, on a case of a team: for each kind of staff there is to it, every route that names the case."""

from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone

from accounts.tests import fabriques as comptes
from config.tests.outils import acteur_de
from config.tests.outils.scene import HTTP, Ligne, Scene
from equipes.models import MembreDEquipe
from equipes.tests import fabriques as equipes
from signalements import ouvertures
from signalements.reserve import changer_lecteurs

pytestmark = pytest.mark.django_db
DU_DOSSIER = ("{signalement_id}", "{discussion_id}")
LIGNES = [une for une in HTTP if any(nom in une.chemin for nom in DU_DOSSIER)]
DES_GESTIONNAIRES = [une for une in LIGNES if une.acteur == "gestionnaire"]
DES_ADMINISTRATEURS = [une for une in LIGNES if une.acteur == "admin"]
# What an `OuvertureMotivee` lets read, the rest being refused.
LUES = {
    "/api/v1/signalements/{signalement_id}",
    "/api/v1/signalements/{signalement_id}/timeline",
    "/api/v1/signalements/{signalement_id}/accuses",
    "/api/v1/discussions/{discussion_id}",
    "/api/v1/discussions/{discussion_id}/messages",
}
CONFIER, OUVRIR, LECTEURS = (
    f"/api/v1/signalements/{{signalement_id}}/{nom}" for nom in ("equipe", "ouverture", "lecteurs")
)


def membre(scene: Scene, qui: Any, equipe: Any) -> None:
    """With the manager to whom cases are given in the matrix."""
    for un in {qui, scene.gestionnaire}:
        MembreDEquipe.objects.create(equipe=equipe, compte=un, accepte_le=timezone.now())


def en_attente(scene: Scene, qui: Any, equipe: Any) -> None:
    MembreDEquipe.objects.create(equipe=equipe, compte=qui)


def d_une_autre(scene: Scene, qui: Any, equipe: Any) -> None:
    equipes.equipe(qui, nom="Une autre")


def d_aucune(scene: Scene, qui: Any, equipe: Any) -> None:
    """As everybody begins."""


def ecarte(scene: Scene, qui: Any, equipe: Any) -> None:
    """Shut out of it, though of its team."""
    sophie = comptes.admin(email="sophie@campus.test")
    for un in (qui, sophie):
        MembreDEquipe.objects.create(equipe=equipe, compte=un, accepte_le=timezone.now())
    for dossier in (scene.signalement_du_compte, scene.signalement_de_l_invite):
        changer_lecteurs(signalement=dossier, acteur=acteur_de(sophie), ecartes=[qui.pk])


def ouvert(scene: Scene, qui: Any, equipe: Any) -> None:
    for dossier in (scene.signalement_du_compte, scene.signalement_de_l_invite):
        ouvertures.ouvrir(signalement=dossier, motif="Une plainte.", acteur=acteur_de(qui))


def statut(ligne: Ligne, etat: Callable[[Scene, Any, Any], None]) -> str:
    scene = Scene()
    equipe = equipes.equipe(comptes.gestionnaire(email="nadia@campus.test"), nom="La sienne")
    client, chemin = scene.client_de(ligne), scene.chemin(ligne)
    for dossier in (scene.signalement_du_compte, scene.signalement_de_l_invite):
        equipes.confier(dossier, equipe)
    etat(scene, getattr(scene, ligne.acteur), equipe)
    corps = scene.corps(ligne.methode, ligne.chemin, ligne.acteur)
    return str(client.envoyer(ligne.methode, chemin, corps).status_code)


@pytest.mark.parametrize("ligne", [une for une in LIGNES if une.acteur in ("gestionnaire", "admin")], ids=str)
def test_qui_est_de_l_equipe_y_fait_ce_que_fait_son_role(ligne):
    assert statut(ligne, membre) == ("409" if (ligne.chemin, ligne.acteur) == (OUVRIR, "admin") else ligne.attendu)


@pytest.mark.parametrize("etat", [en_attente, d_une_autre, d_aucune, ecarte])
@pytest.mark.parametrize("ligne", DES_GESTIONNAIRES, ids=str)
def test_pour_tout_autre_gestionnaire_le_dossier_n_a_jamais_ete(ligne, etat):
    """What is refused to the role is refused before the case is looked for; what is its author's, once it is found."""
    est_au_role = ligne.attendu == "403" and not ligne.chemin.endswith("/ne-pas-montrer")
    assert statut(ligne, etat) == ("403" if est_au_role else "404")


@pytest.mark.parametrize("ligne", DES_ADMINISTRATEURS, ids=str)
def test_pour_un_administrateur_ecarte_le_dossier_n_a_jamais_ete(ligne):
    assert statut(ligne, ecarte) == "404"


@pytest.mark.parametrize("etat", [en_attente, d_une_autre, d_aucune])
@pytest.mark.parametrize("ligne", DES_ADMINISTRATEURS, ids=str)
def test_un_administrateur_qui_n_en_est_pas_sait_qu_il_est_la_et_le_confie(ligne, etat):
    attendus = {CONFIER: "200", OUVRIR: "201", LECTEURS: "404"}
    d_autres = "404" if "{discussion_id}" in ligne.chemin else "403"
    assert statut(ligne, etat) == attendus.get(ligne.chemin, d_autres)


@pytest.mark.parametrize("ligne", DES_ADMINISTRATEURS, ids=str)
def test_qui_l_a_ouvert_avec_un_motif_le_lit_et_n_y_ecrit_rien(ligne):
    attendus = {CONFIER: "200", OUVRIR: "201", LECTEURS: "404"}
    d_autres = "404" if "{discussion_id}" in ligne.chemin else "403"
    lu = ligne.methode == "GET" and ligne.chemin in LUES
    assert statut(ligne, ouvert) == ("200" if lu else attendus.get(ligne.chemin, d_autres))
