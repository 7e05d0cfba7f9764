"""Numbers by month, while what has changed is not folded yet."""

from datetime import date

import pytest
from django.db import transaction

from config.tests.outils import acteur_de
from signalements import services
from signalements.compteurs.cellules import Mesures
from signalements.compteurs.pliage import plier
from signalements.suppression import retirer, verrouiller
from signalements.tests import fabriques
from signalements.vocabulaire import Axe
from stats.chiffres.series import par_mois, par_periode
from stats.chiffres.sources import DeTous, Filtre
from stats.vocabulaire import Pas

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("plie", [False, True])
def test_ce_qui_change_apres_un_pliage_est_du_mois_aussitot(etudiante, gestionnaire, admin, time_machine, plie):
    """The change has its day, the folded month its first: neither hides what the other takes or gives."""
    source, paul = DeTous(acteur_de(admin)), acteur_de(gestionnaire)
    time_machine.move_to("2026-02-05T10:00:00Z", tick=False)
    resolu, repris = (fabriques.signalement(acteur_de(etudiante), type="VOL") for _fois in range(2))
    services.changer_statut(signalement=repris, statut="TRAITE", acteur=paul)
    plier()
    time_machine.move_to("2026-02-20T10:00:00Z", tick=False)
    services.changer_statut(signalement=resolu, statut="TRAITE", acteur=paul)
    services.changer_statut(signalement=repris, statut="EN_COURS", acteur=paul)
    services.changer_statut(signalement=repris, statut="TRAITE", acteur=paul)
    if plie:
        plier()

    recus, resolus = (dict(par_periode(source, axe, Pas.MOIS, Filtre())) for axe in (Axe.JOUR, Axe.RESOLUTION))
    (de_tout,) = par_mois(DeTous(acteur_de(admin)), Filtre())

    fevrier = date(2026, 2, 1)
    assert recus[fevrier] == de_tout[1] == Mesures(2, 2, 2 * 15 * 86_400)
    assert resolus[fevrier] == Mesures(2, 2, 2 * 15 * 86_400)


@pytest.mark.parametrize("plie", [False, True])
def test_un_premier_mois_vide_ne_se_montre_pas(etudiante, invite, admin, time_machine, plie):
    time_machine.move_to("2026-02-05T10:00:00Z", tick=False)
    apporte = fabriques.signalement(acteur_de(invite))
    time_machine.move_to("2026-03-05T10:00:00Z", tick=False)
    fabriques.signalement(acteur_de(etudiante))
    plier()
    with transaction.atomic():
        retirer(verrouiller([apporte.pk]))
    if plie:
        plier()

    assert [mois for mois, _mesures in par_mois(DeTous(acteur_de(admin)), Filtre())] == [date(2026, 3, 1)]
