"""The date that a report's author reads does not move where the team alone reads what was written."""

import pytest
from django.utils import timezone

from equipes.tests.fabriques import equipe
from signalements.compteurs.suivi import suivre
from signalements.models import Signalement
from signalements.serializers import SignalementDetail
from signalements.vocabulaire import Ouverture
from socle.api.serializers import Sortie

pytestmark = pytest.mark.django_db

# Of the routes of a hold, which are the team's; the moment that administrators were told, and the team of a case, which
# are nobody's.
SUR_LEURS_ROUTES = {"gel_motif", "gele_par", "sans_lecteur_le", "equipe"}
VALEURS = {
    "ouvert_a": Ouverture.SEULS,
    "sans_lecteur_le": timezone.now(),
    "gele_depuis": timezone.now(),
    "gel_motif": "Procédure en cours.",
}


def colonnes(modele, noms):
    """The names of the fields that these are columns of; what is derived has none."""
    champs = {nom: champ.name for champ in modele._meta.concrete_fields for nom in (champ.name, champ.attname)}
    return {champs[nom] for nom in noms if nom in champs}


def formes(classe=Sortie):
    for forme in classe.__subclasses__():
        if ".tests." not in forme.__module__:
            yield forme
        yield from formes(forme)


def ecrit(signalement, *champs):
    avant = signalement.date_modification
    with suivre(signalement):
        signalement.enregistrer(*champs)
    relu = Signalement.objects.get(pk=signalement.pk)
    assert relu.date_modification == signalement.date_modification
    return relu, relu.date_modification != avant


def test_chaque_colonne_qu_une_forme_reserve_a_l_equipe_l_est_par_son_modele():
    metas = {forme.Meta for forme in formes() if hasattr(getattr(forme, "Meta", None), "de_l_equipe")}

    assert SignalementDetail.Meta in metas
    for meta in metas:
        siennes = colonnes(meta.model, meta.de_l_equipe)
        autres = SUR_LEURS_ROUTES if meta.model is Signalement else set()
        assert set(meta.model.DE_L_EQUIPE) == siennes | autres
        assert not siennes & colonnes(meta.model, meta.a_tous)
        assert len(meta.model.DE_L_EQUIPE) == len(siennes | autres)


@pytest.mark.parametrize("champ", [champ for champ in Signalement.DE_L_EQUIPE if champ != "equipe"])
def test_ce_que_l_equipe_seule_lit_s_ecrit_sans_changer_la_date(signalement, gestionnaire, champ):
    valeur = VALEURS.get(champ, gestionnaire)
    setattr(signalement, champ, valeur)

    relu, a_change = ecrit(signalement, champ)

    assert getattr(relu, champ) == valeur
    assert not a_change


def test_ni_a_quelle_equipe_il_est(signalement):
    """Written with `ouvert_a`, by a constraint."""
    signalement.ouvert_a, signalement.equipe = Ouverture.EQUIPE, equipe()

    relu, a_change = ecrit(signalement, "ouvert_a", "equipe")

    assert relu.equipe == signalement.equipe
    assert not a_change


def test_par_le_nom_de_la_colonne_non_plus(signalement, gestionnaire):
    signalement.gestionnaire = gestionnaire

    relu, a_change = ecrit(signalement, "gestionnaire_id", "gele_par_id")

    assert relu.gestionnaire_id == gestionnaire.pk
    assert not a_change


@pytest.mark.parametrize("champs", [("priorite",), ("gestionnaire", "statut"), ("gel_motif", "titre")])
def test_ce_que_son_auteur_lit_la_change(signalement, champs):
    _relu, a_change = ecrit(signalement, *champs)

    assert a_change
