"""Who may have written or read, as bits: never too few, and too many only cost a look-up."""

from uuid import UUID

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.tests import fabriques as comptes
from config.tests.outils import acteur_de
from discussions.models import Discussion
from discussions.participants import MOITIE, TOUS, traits
from discussions.recompte import corriger, ecarts
from discussions.services import marquer_lus
from discussions.tests import fabriques
from guests.fusion.retour import annuler
from guests.models import AuditFusion
from guests.tests.outils import fusionner
from socle.domaine.droits import Role

pytestmark = pytest.mark.django_db


@pytest.fixture
def ruth():
    """Of the team, and a stranger to the case."""
    return comptes.compte(email="ruth.mbuyi@campus.test", type_utilisateur=Role.GESTIONNAIRE)


def non_lus(qui, discussion):
    (une,) = Discussion.objects.pour_lecture(acteur_de(qui)).filter(pk=discussion.pk)
    return une.messages_non_lus_count


def participants(discussion):
    return Discussion.objects.values_list("participants", flat=True).get(pk=discussion.pk)


@pytest.mark.parametrize("cle", [0, 1, MOITIE, 2**64 + 30, 2**127, 2**128 - 1])
def test_deux_traits_un_par_moitie(cle):
    lus = traits(UUID(int=cle))

    assert lus.bit_count() == 2
    assert 2**MOITIE <= lus < 2 ** (2 * MOITIE)
    assert lus & (2**MOITIE - 1)


def test_ecrire_et_lire_font_un_participant_ouvrir_non(etudiante, gestionnaire, admin, discussion):
    assert participants(discussion) == 0
    marquer_lus(acteur=acteur_de(admin), discussion=discussion)  # there is nothing to mark
    assert participants(discussion) == 0

    fabriques.message(acteur_de(etudiante), discussion)
    assert participants(discussion) == traits(etudiante.pk)
    marquer_lus(acteur=acteur_de(gestionnaire), discussion=discussion)

    assert participants(discussion) == traits(etudiante.pk) | traits(gestionnaire.pk)


def test_qui_est_deja_participant_n_ecrit_pas_de_nouveau_la_discussion(gestionnaire, etudiante, discussion):
    acteur = acteur_de(gestionnaire)
    for _rang in range(2):
        fabriques.message(acteur_de(etudiante), discussion)
        marquer_lus(acteur=acteur, discussion=discussion)

    with CaptureQueriesContext(connection) as vues:
        marquer_lus(acteur=acteur, discussion=discussion)

    assert not [une for une in vues if une["sql"].startswith('UPDATE "discussions_discussion"')]


def test_une_etudiante_qui_entre_dans_l_equipe_n_a_pas_ses_messages_a_lire(etudiante, gestionnaire, discussion):
    for auteur in (etudiante, etudiante, gestionnaire):
        fabriques.message(acteur_de(auteur), discussion)
    etudiante.type_utilisateur = Role.GESTIONNAIRE
    etudiante.save()

    assert non_lus(etudiante, discussion) == 1


def test_ce_qui_fut_lu_avant_le_verrou_n_efface_personne(etudiante, gestionnaire, admin, discussion):
    une, autre, derniere = (Discussion.objects.get(pk=discussion.pk) for _rang in range(3))

    fabriques.message(acteur_de(etudiante), une)
    fabriques.message(acteur_de(gestionnaire), autre)
    marquer_lus(acteur=acteur_de(admin), discussion=derniere)

    assert participants(discussion) == traits(etudiante.pk) | traits(gestionnaire.pk) | traits(admin.pk)


@pytest.mark.parametrize(("qui", "nombre"), [("etudiante", 1), ("gestionnaire", 1), ("admin", 2), ("ruth", 5)])
def test_une_ligne_d_une_version_d_avant_compte_autant(
    request, etudiante, gestionnaire, admin, ruth, discussion, qui, nombre
):
    """Of five messages; the owner and the manager wrote, the admin only read, nobody knows the fourth."""
    for auteur in (etudiante, gestionnaire, etudiante):
        fabriques.message(acteur_de(auteur), discussion)
    for lecteur in (gestionnaire, admin):
        marquer_lus(acteur=acteur_de(lecteur), discussion=discussion)
    marquer_lus(acteur=acteur_de(etudiante), discussion=discussion)
    for auteur in (etudiante, gestionnaire):
        fabriques.message(acteur_de(auteur), discussion)
    lecteur = request.getfixturevalue(qui)
    exacts = participants(discussion)
    assert exacts == traits(etudiante.pk) | traits(gestionnaire.pk) | traits(admin.pk)
    assert non_lus(lecteur, discussion) == nombre

    Discussion.objects.update(participants=TOUS)

    assert non_lus(lecteur, discussion) == nombre
    assert not ecarts()
    assert corriger() == 0
    assert participants(discussion) == exacts
    assert non_lus(lecteur, discussion) == nombre


def test_une_version_d_avant_ouvre_une_discussion_ou_chacun_est_participant(discussion):
    colonnes = [champ.column for champ in Discussion._meta.concrete_fields if champ.name not in ("id", "participants")]
    noms = ", ".join(f'"{colonne}"' for colonne in colonnes)
    copie = UUID(int=7)
    cle = Discussion._meta.pk.get_db_prep_value(copie, connection)
    with connection.cursor() as curseur:
        curseur.execute(
            f"INSERT INTO discussions_discussion (id, {noms}) SELECT %s, {noms} FROM discussions_discussion",  # noqa: S608
            [cle],
        )

    assert participants(Discussion(pk=copie)) == TOUS


def test_ce_qu_une_version_d_avant_a_ecrit_depuis_se_corrige(etudiante, gestionnaire, discussion):
    fabriques.message(acteur_de(etudiante), discussion)
    fabriques.message(acteur_de(gestionnaire), discussion)
    exacts = participants(discussion)
    Discussion.objects.update(participants=traits(etudiante.pk))
    assert non_lus(gestionnaire, discussion) == 2  # his own too, until then

    assert ecarts() == {discussion.pk}
    assert corriger() == 1

    assert participants(discussion) == exacts
    assert non_lus(gestionnaire, discussion) == 1
    assert not ecarts()


def test_celle_qui_en_a_absorbe_une_a_chacun_pour_participant(etudiante, gestionnaire, signalement):
    absorbee, restante = (fabriques.discussion(acteur_de(etudiante), signalement=signalement) for _rang in range(2))
    fabriques.message(acteur_de(etudiante), absorbee)
    marquer_lus(acteur=acteur_de(gestionnaire), discussion=absorbee)
    fabriques.joindre(absorbee, restante)
    assert not ecarts()

    Discussion.objects.filter(pk=restante.pk).update(participants=traits(etudiante.pk))

    assert ecarts() == {restante.pk}
    assert corriger() == 1
    assert participants(restante) == TOUS
    assert non_lus(gestionnaire, restante) == 0


# --- Merges ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def de_l_equipe(discussion_invitee, gestionnaire):
    """A manager's own session: the guest's conversation becomes theirs."""
    fabriques.message(acteur_de(discussion_invitee.invite), discussion_invitee)
    return gestionnaire


def test_le_compte_devient_participant_de_ce_qu_une_fusion_lui_apporte(de_l_equipe, invite, discussion_invitee):
    fusionner(de_l_equipe, invite)

    assert participants(discussion_invitee) == traits(invite.pk) | traits(de_l_equipe.pk)
    assert non_lus(de_l_equipe, discussion_invitee) == 0


def test_ce_que_le_compte_ne_recoit_pas_ne_l_a_pas_pour_participant(de_l_equipe, etudiante, invite, discussion):
    fabriques.message(acteur_de(etudiante), discussion)

    fusionner(de_l_equipe, invite)

    assert participants(discussion) == traits(etudiante.pk)


@pytest.mark.parametrize("action", ["MERGE_FIELDS", "SKIP"])
def test_annuler_une_fusion_rend_les_participants(etudiante, invite, admin, gestionnaire, action):
    siennes = [fabriques.discussion(acteur_de(qui), "Mon dossier") for qui in (etudiante, invite)]
    for qui, une in zip((etudiante, invite), siennes, strict=True):
        fabriques.message(acteur_de(qui), une, f"De {une.pk}.")
    de_l_une, de_l_autre = siennes
    conflit = {"level": "DISCUSSION", "guestEntityId": str(de_l_autre.pk), "targetEntityId": str(de_l_une.pk)}
    fusionner(etudiante, invite, {**conflit, "action": action})
    jointe = action == "MERGE_FIELDS"
    vivante = de_l_une if jointe else de_l_autre
    assert participants(vivante) == (TOUS if jointe else traits(invite.pk) | traits(etudiante.pk))
    marquer_lus(acteur=acteur_de(admin), discussion=Discussion.objects.get(pk=vivante.pk))
    assert (non_lus(admin, vivante), non_lus(gestionnaire, vivante)) == (0, 2 if jointe else 1)

    annuler(AuditFusion.objects.get())

    assert participants(de_l_autre) == traits(invite.pk) | traits(admin.pk)
    assert non_lus(admin, de_l_autre) == 0
    assert participants(de_l_une) == traits(etudiante.pk) | (traits(admin.pk) if jointe else 0)
    assert not ecarts()
