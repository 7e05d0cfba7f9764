"""Two cases of teams that a merge joins, and gives back."""

import pytest

from accounts.tests import fabriques as comptes
from config.tests.outils import acteur_de
from discussions.conversation import repondre
from equipes.tests import fabriques as equipes
from guests.fusion.retour import annuler
from guests.models import AuditFusion
from guests.tests.fabriques import fusionner
from signalements import services
from signalements.compteurs.recompte import ecarts
from signalements.lecteurs import sans_lecteur
from signalements.models import Signalement
from signalements.reserve import changer_lecteurs
from signalements.tests import fabriques as signalements

pytestmark = pytest.mark.django_db


def lit(dossier, qui):
    return Signalement.objects.visibles_par(acteur_de(qui)).filter(pk=dossier.pk).exists()


def joindre(invite, etudiante, cible, source):
    fusionner(invite, etudiante)
    source.refresh_from_db()
    assert source.absorbe_par == cible
    return Signalement.objects.get(pk=cible.pk)


@pytest.fixture
def deux(invite, etudiante, gestionnaire):
    """One report by either, of two teams, which share one person or nobody."""
    memes = {"description": "Devant l'amphi, deux fois.", "titre": "Remarques", "mode_identification": "ANONYME"}
    cible = signalements.signalement(acteur_de(etudiante), **memes)
    return cible, signalements.signalement(acteur_de(invite), reference=cible.reference, **memes)


@pytest.mark.parametrize("ensemble", [True, False])
def test_de_deux_equipes_il_est_a_qui_lisait_les_deux_et_la_marche_arriere_rend_a_chacune_le_sien(
    deux, invite, etudiante, gestionnaire, ensemble
):
    ruth, lea = (comptes.gestionnaire(email=f"{nom}@campus.test", prenom=nom) for nom in ("ruth", "lea"))
    nadia = comptes.gestionnaire(email="nadia@campus.test")
    communs = [gestionnaire] if ensemble else []
    equipes.confier(deux[0], equipes.equipe(ruth, *communs, nom="Une"))
    equipes.confier(deux[1], equipes.equipe(lea, *communs, nom="Autre"))
    tous = {ruth, lea, nadia, gestionnaire}

    joint = joindre(invite, etudiante, *deux)
    assert {un for un in tous if lit(joint, un)} == set(communs)
    assert (joint in sans_lecteur()) is not ensemble

    annuler(AuditFusion.objects.get())
    cible, source = (Signalement.objects.get(pk=un.pk) for un in deux)
    assert {un for un in tous if lit(cible, un)} == {ruth, *communs}
    assert {un for un in tous if lit(source, un)} == {lea, *communs}
    assert ecarts() == {}


def test_rendu_il_garde_ecartes_ceux_de_l_un_et_de_l_autre(deux, invite, etudiante, gestionnaire, admin):
    ruth = comptes.gestionnaire(email="ruth@campus.test")
    equipes.confier(deux[0], equipes.equipe(ruth, gestionnaire))
    changer_lecteurs(signalement=deux[1], acteur=acteur_de(admin), ecartes=[ruth.pk])

    joindre(invite, etudiante, *deux)
    annuler(AuditFusion.objects.get())

    cible = Signalement.objects.get(pk=deux[0].pk)
    assert (cible.equipe_id, lit(cible, ruth), lit(cible, gestionnaire)) == (deux[0].equipe_id, False, True)


def test_rendu_il_reste_comme_on_l_a_dit_depuis(deux, invite, etudiante, gestionnaire, admin):
    ruth, lea = (comptes.gestionnaire(email=f"{nom}@campus.test") for nom in ("ruth", "lea"))
    equipes.confier(deux[0], equipes.equipe(ruth, gestionnaire, nom="Une"))
    equipes.confier(deux[1], equipes.equipe(lea, gestionnaire, nom="Autre"))
    joint = joindre(invite, etudiante, *deux)
    changer_lecteurs(signalement=joint, acteur=acteur_de(gestionnaire), admis=[gestionnaire.pk, lea.pk])

    annuler(AuditFusion.objects.get())

    cible = Signalement.objects.get(pk=deux[0].pk)
    assert {un for un in (ruth, lea, gestionnaire) if lit(cible, un)} == {lea, gestionnaire}


@pytest.mark.parametrize("quoi", ["note", "message"])
def test_rendu_il_reste_a_qui_l_on_a_ecrit(deux, invite, etudiante, gestionnaire, admin, quoi):
    """Open to all of the staff before, then a team's: what was written meanwhile was written for the team."""
    ruth = comptes.gestionnaire(email="ruth@campus.test")
    equipes.confier(deux[1], equipes.equipe(gestionnaire))
    joint = joindre(invite, etudiante, *deux)
    assert not lit(joint, ruth)
    if quoi == "note":
        services.ajouter_note(signalement=joint, contenu="À taire.", acteur=acteur_de(gestionnaire))
    else:
        repondre(acteur=acteur_de(gestionnaire), dossier=joint, contenu="Pour vous.")

    annuler(AuditFusion.objects.get())

    cible = Signalement.objects.get(pk=deux[0].pk)
    assert (lit(cible, ruth), lit(cible, gestionnaire)) == (False, True)
