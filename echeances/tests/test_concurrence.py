"""A message of the team while a case gets its dates: whichever of the two is first, it has been answered."""

import threading

import pytest
from django.db import transaction
from django.utils import timezone

from accounts.tests.outils import attendre_un_verrou, ensemble
from config.tests.outils.clients import acteur_de
from discussions import services as discussions
from discussions.models import Discussion
from echeances.entretien import dater_les_dossiers_ouverts
from echeances.models import ChoixDesDates, Echeance
from echeances.services import choisir
from echeances.vocabulaire import PARTOUT_SU
from signalements.compteurs.recompte import ecarts
from signalements.tests import fabriques

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


@pytest.mark.parametrize("le_message_d_abord", [True, False])
def test_un_message_de_l_equipe_pendant_la_reprise_vaut_accuse(etudiante, gestionnaire, admin, le_message_d_abord):
    dossier = fabriques.signalement(acteur_de(etudiante))
    fil = discussions.ouvrir(acteur=acteur_de(gestionnaire), titre="Suite", signalement_id=dossier.pk)
    choisir(acteur=acteur_de(admin), accepte=True)
    ChoixDesDates.objects.update(date_choix=timezone.now() - PARTOUT_SU)
    a_fini = threading.Event()

    def ecrire():
        discussion = Discussion.objects.select_related("signalement").get(pk=fil.pk)
        discussions.ecrire(acteur=acteur_de(gestionnaire), discussion=discussion, contenu="Bonjour")

    def d_abord(acte):
        with transaction.atomic():
            acte()
            a_fini.set()
            attendre_un_verrou()

    def ensuite(acte):
        assert a_fini.wait(10)
        acte()

    actes = [ecrire, dater_les_dossiers_ouverts] if le_message_d_abord else [dater_les_dossiers_ouverts, ecrire]
    rendus = ensemble([lambda: d_abord(actes[0]), lambda: ensuite(actes[1])])

    assert rendus == [None, None]
    assert Echeance.objects.filter(signalement=dossier, nature="RETOUR").exists()
    assert not Echeance.objects.ouvertes().filter(nature="ACCUSE").exists()
    assert ecarts() == {}
