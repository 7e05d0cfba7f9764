from io import StringIO
from zoneinfo import ZoneInfo

import pytest
from django.core.management import CommandError, call_command
from django.db.models import F

from config.tests.outils import acteur_de
from discussions.models import Discussion
from discussions.tests import fabriques as messagerie
from signalements.compteurs.pliage import plier
from signalements.compteurs.recompte import ecarts
from signalements.models import Effectif
from signalements.tests import fabriques


def recompter(*options):
    sortie = StringIO()
    call_command("stats_recount", *options, stdout=sortie)
    return sortie.getvalue()


def test_des_compteurs_justes_sont_dits_tels(signalement):
    assert recompter("--check") == recompter() == "Les compteurs sont justes.\n"


def test_un_ecart_se_montre_sans_rien_changer_puis_se_corrige(signalement):
    plier()
    Effectif.objects.filter(axe="STATUT").delete()

    with pytest.raises(CommandError, match="1 compteur"):
        recompter("--check")
    assert len(ecarts()) == 1
    affiche = recompter()

    assert "STATUT" in affiche
    assert "NOUVEAU : +1 signalement(s)" in affiche
    assert affiche.endswith("1 compteur(s) corrigé(s).\n")
    assert ecarts() == {}


def test_apres_un_changement_de_fuseau_un_recomptage_remet_chaque_jour(settings, etudiante):
    dossier = fabriques.signalement(acteur_de(etudiante))
    fabriques.mettre(dossier, date_creation=dossier.date_creation.replace(hour=20))
    settings.TIME_ZONE_CAMPUS = ZoneInfo("Asia/Tokyo")

    with pytest.raises(CommandError):
        recompter("--check")
    recompter()

    assert ecarts() == {}
    assert not Effectif.objects.filter(nombre=0).exists()


def test_les_messages_non_lus_d_une_personne_se_recomptent_aussi(etudiante, gestionnaire, signalement):
    discussions = [messagerie.discussion(acteur_de(etudiante), signalement=signalement) for _rang in range(3)]
    for discussion in discussions[:2]:
        messagerie.message(acteur_de(gestionnaire), discussion)
    Discussion.objects.filter(pk__in=[une.pk for une in discussions[1:]]).update(non_lus=F("non_lus") + 2)

    with pytest.raises(CommandError, match="2 compteur"):
        recompter("--check")
    affiche = recompter()

    assert affiche == "  2 discussion(s) : à qui elle est, ou ses messages non lus\n2 compteur(s) corrigé(s).\n"
    assert list(Discussion.objects.order_by("date_creation").values_list("non_lus", flat=True)) == [1, 1, 0]
    assert recompter("--check") == "Les compteurs sont justes.\n"


def test_un_participant_qui_manque_se_trouve_et_se_remet(etudiante, gestionnaire, signalement):
    """As a process of an older version leaves it, that wrote while it was replaced."""
    discussion = messagerie.discussion(acteur_de(etudiante), signalement=signalement)
    messagerie.message(acteur_de(gestionnaire), discussion)
    exacts = Discussion.objects.get().participants
    Discussion.objects.update(participants=0)

    with pytest.raises(CommandError, match="1 compteur"):
        recompter("--check")
    assert recompter() == "  1 discussion(s) : à qui elle est, ou ses messages non lus\n1 compteur(s) corrigé(s).\n"

    assert Discussion.objects.get().participants == exacts
    assert recompter("--check") == "Les compteurs sont justes.\n"
