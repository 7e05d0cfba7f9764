"""Who may have written or read, as bits: never too few, and too many only cost a look-up."""

from uuid import UUID

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from config.tests.outils import acteur_de
from discussions.models import Discussion
from discussions.participants import MOITIE, TOUS, traits
from discussions.recompte import corriger, ecarts
from discussions.services import marquer_lus
from discussions.tests import fabriques
from socle.domaine.droits import Role

pytestmark = pytest.mark.django_db


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


@pytest.mark.parametrize("qui", ["etudiante", "gestionnaire", "admin"])
def test_une_ligne_d_une_version_d_avant_compte_autant(request, etudiante, gestionnaire, discussion, qui):
    for auteur in (etudiante, gestionnaire, etudiante):
        fabriques.message(acteur_de(auteur), discussion)
    marquer_lus(acteur=acteur_de(gestionnaire), discussion=discussion)
    fabriques.message(acteur_de(etudiante), discussion)
    lecteur = request.getfixturevalue(qui)
    avant = non_lus(lecteur, discussion)
    exacts = participants(discussion)

    Discussion.objects.update(participants=TOUS)

    assert non_lus(lecteur, discussion) == avant
    assert not ecarts()
    assert corriger() == 0
    assert participants(discussion) == exacts


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
