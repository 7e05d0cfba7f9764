"""A case that goes from one team to another: who may send it, who loses it, what is kept of it."""

import pytest

from accounts.tests import fabriques as comptes
from config.tests.outils import acteur_de, client_de
from equipes.tests import fabriques as equipes
from signalements import services
from signalements.compteurs.recompte import ecarts
from signalements.models import RegleDeLecture, Signalement
from signalements.reserve import changer_equipe, changer_lecteurs
from signalements.vocabulaire import Ouverture, TypeEntree
from socle.audit.models import Trace
from socle.erreurs import ChampsInvalides, Introuvable, PermissionRefusee
from socle.realtime.models import Evenement

pytestmark = pytest.mark.django_db
MOTIF = "Elle connaît la personne."


@pytest.fixture
def autre(gestionnaire):
    return equipes.equipe(gestionnaire, nom="Handicap")


def deplacer(dossier, equipe, qui):
    changer_equipe(signalement=dossier, equipe_id=equipe and equipe.pk, motif=MOTIF, acteur=acteur_de(qui))


def test_ses_lecteurs_le_confient_a_une_autre_et_ne_le_lisent_plus(dossier, autre, nadia, gestionnaire):
    services.assigner(signalement=dossier, gestionnaire_id=nadia.pk, acteur=acteur_de(nadia))

    deplacer(dossier, autre, nadia)

    relu = Signalement.objects.get()
    assert (relu.equipe, relu.ouvert_a, relu.gestionnaire) == (autre, Ouverture.EQUIPE, None)
    assert not relu.est_visible_de(acteur_de(nadia))
    assert relu.est_visible_de(acteur_de(gestionnaire))
    assert ecarts() == {}


def test_un_administrateur_le_deplace_sans_le_lire(dossier, autre, admin):
    deplacer(dossier, autre, admin)

    assert Signalement.objects.get().equipe == autre


@pytest.mark.parametrize("la_sienne", [True, False])
def test_un_administrateur_ne_vient_pas_a_le_lire_en_le_deplacant(dossier, nadia, admin, la_sienne):
    a_lui = equipes.equipe(admin, nom="La sienne") if la_sienne else None

    with pytest.raises(ChampsInvalides):
        deplacer(dossier, a_lui, admin)

    relu = Signalement.objects.get()
    assert (relu.equipe, relu.ouvert_a) == (dossier.equipe, Ouverture.EQUIPE)


def test_ses_lecteurs_le_rendent_a_toute_l_equipe(dossier, nadia):
    deplacer(dossier, None, nadia)

    assert Signalement.objects.get().ouvert_a == Ouverture.TOUS


def test_qui_ne_le_lit_pas_ni_n_administre_ne_le_deplace_pas(dossier, autre, gestionnaire, etudiante):
    with pytest.raises(Introuvable):
        deplacer(dossier, autre, gestionnaire)


def test_un_administrateur_ecarte_ne_le_deplace_pas(dossier, autre, admin, nadia):
    changer_lecteurs(signalement=dossier, acteur=acteur_de(admin_de(dossier)), ecartes=[admin.pk])

    with pytest.raises(Introuvable):
        deplacer(dossier, autre, admin)


def admin_de(dossier):
    """Another administrator, of the team of the case: by right a manager shuts out none."""
    rose = comptes.admin(email="sophie@campus.test")
    equipes.MembreDEquipe.objects.create(equipe=dossier.equipe, compte=rose, accepte_le=dossier.date_creation)
    return rose


def test_son_auteur_ne_le_deplace_pas(equipe, autre, nadia):
    from signalements.tests import fabriques

    sien = equipes.confier(fabriques.signalement(acteur_de(nadia)), equipe)

    with pytest.raises(PermissionRefusee):
        deplacer(sien, autre, nadia)


def test_une_equipe_inactive_ou_inconnue_n_en_recoit_pas(dossier, nadia):
    fermee = equipes.equipe(nadia, nom="Ancienne", active=False)

    with pytest.raises(ChampsInvalides):
        deplacer(dossier, fermee, nadia)
    assert Signalement.objects.get().equipe == dossier.equipe


def test_qui_en_fut_ecarte_le_reste_et_qui_y_est_nomme_aussi(dossier, autre, nadia, gestionnaire, admin):
    leo = comptes.gestionnaire(email="leo@campus.test")
    changer_lecteurs(signalement=dossier, acteur=acteur_de(nadia), admis=[nadia.pk, leo.pk])

    deplacer(dossier, autre, nadia)

    relu = Signalement.objects.get()
    assert relu.ouvert_a == Ouverture.SEULS
    assert set(RegleDeLecture.objects.values_list("compte", flat=True)) == {nadia.pk, leo.pk}
    assert [relu.est_visible_de(acteur_de(un)) for un in (nadia, leo, gestionnaire)] == [True, True, False]


def test_son_histoire_dit_ou_et_pourquoi_a_l_equipe_et_rien_de_cela_a_son_auteur(dossier, autre, gestionnaire, admin):
    avant = dossier.equipe_id
    deplacer(dossier, autre, admin)

    entree = dossier.timeline.get(type=TypeEntree.EQUIPE)
    assert entree.decrire(pour_l_equipe=True) == f"Dossier confié à l'équipe « Handicap » : {MOTIF}"
    assert entree.decrire(pour_l_equipe=False) == "Dossier confié à d'autres personnes de l'équipe."
    de_son_auteur = client_de(dossier.compte).get(f"/api/v1/signalements/{dossier.pk}/timeline").content.decode()
    assert "Handicap" not in de_son_auteur
    assert MOTIF not in de_son_auteur
    trace = Trace.objects.get(acte="EQUIPE_CHANGEE")
    assert trace.details == {"avant": str(avant), "apres": str(autre.pk)}


def test_les_canaux_communs_n_en_gardent_rien_et_l_equipe_l_apprend(signalement, equipe, nadia, admin, evenements):
    services.changer_priorite(signalement=signalement, priorite="HIGH", acteur=acteur_de(nadia))
    services.changer_statut(signalement=signalement, statut="EN_COURS", acteur=acteur_de(nadia))
    assert Evenement.objects.filter(canal="signalements").exists()

    with evenements() as publies:
        deplacer(signalement, equipe, admin)

    gardes = Evenement.objects.filter(canal__in=["signalements", "dashboard", "discussions"])
    assert {(un.type, un.audience) for un in gardes} == {("signalement_statut_updated", f"equipe:{equipe.pk.hex}")}
    assert [un["type"] for un in publies if un["canal"] == "_controle"] == ["fermer_sockets"]


def test_la_meme_ne_change_rien(dossier, equipe, nadia, evenements):
    with evenements() as publies:
        deplacer(dossier, equipe, nadia)

    assert publies == []
    assert not dossier.timeline.filter(type=TypeEntree.EQUIPE).exists()
