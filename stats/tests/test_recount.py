from io import StringIO
from zoneinfo import ZoneInfo

import pytest
from django.core.management import CommandError, call_command

from config.tests.outils import acteur_de
from signalements.effectifs import ecarts
from signalements.models import Effectif
from signalements.tests import fabriques


def recompter(*options):
    sortie = StringIO()
    call_command("stats_recount", *options, stdout=sortie)
    return sortie.getvalue()


def test_des_compteurs_justes_sont_dits_tels(signalement):
    assert recompter("--check") == recompter() == "Les compteurs sont justes.\n"


def test_un_ecart_se_montre_sans_rien_changer_puis_se_corrige(signalement):
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
