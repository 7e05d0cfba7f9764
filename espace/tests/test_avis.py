"""« Ce qui m'attend », and the choice of its mails in « Mon compte »."""

from datetime import UTC, datetime, time, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import Preferences
from accounts.tests import fabriques as comptes
from accounts.vocabulaire import NatureAvis
from avis.entretien import dire_ce_qui_s_est_passe
from avis.familles import EQUIPE
from avis.models import Avis
from avis.services import noter
from config.tests.outils.clients import acteur_de
from echeances.services import choisir
from equipes.tests import fabriques as equipes
from espace.tests.outils import Equipiere, texte_de
from signalements import services
from signalements.reserve import changer_lecteurs
from signalements.tests import fabriques

pytestmark = pytest.mark.django_db
PAGE, COMPTE = "/equipe/avis/", "/equipe/compte/"


@pytest.fixture
def page(elle):
    return lambda: elle.lire(PAGE)


def test_un_dossier_confie_s_y_lit_et_ne_se_lit_plus_une_fois_ferme(page, signalement, gestionnaire, admin):
    services.assigner(signalement=signalement, gestionnaire_id=gestionnaire.pk, acteur=acteur_de(admin))
    dire_ce_qui_s_est_passe()
    avant = page()

    changer_lecteurs(signalement=signalement, acteur=acteur_de(admin), ecartes=[gestionnaire.pk])

    assert "Un dossier qui vous est confié" in avant
    assert signalement.reference in avant
    assert signalement.reference not in page()


def test_ce_qui_fut_vu_le_dit(page, signalement, gestionnaire):
    dire_ce_qui_s_est_passe()
    avant = page()

    services.assigner(signalement=signalement, gestionnaire_id=gestionnaire.pk, acteur=acteur_de(gestionnaire))

    assert "déjà vu" not in avant
    assert "déjà vu" in page()


def test_un_dossier_et_neuf_coutent_autant(page, etudiante):
    def cout():
        dire_ce_qui_s_est_passe()
        page()
        with CaptureQueriesContext(connection) as requetes:
            page()
        return len(requetes)

    fabriques.signalement(acteur_de(etudiante))
    un = cout()
    for _rang in range(8):
        fabriques.signalement(acteur_de(etudiante))

    assert cout() == un
    assert Avis.objects.count() == 9


def test_mon_compte_choisit_les_e_mails_et_retablit_ceux_qui_etaient_coupes(elle, gestionnaire):
    Preferences.objects.create(compte=gestionnaire, notifications_email=False)
    avant = elle.lire(COMPTE)

    reponse = elle.envoyer(COMPTE, {"acte": "avis", **{f"avis-{nature}": "QUOTIDIEN" for nature in NatureAvis}})

    lues = Preferences.objects.get(compte=gestionnaire)
    assert "Une application a coupé vos e-mails" in avant
    assert reponse.status_code == 303
    assert (set(lues.rythmes.values()), lues.admet_les_e_mails) == ({"QUOTIDIEN"}, True)


@pytest.mark.parametrize("valeur", ["", "PARFOIS"])
def test_un_rythme_inconnu_se_dit_dans_la_page(elle, gestionnaire, valeur):
    reponse = elle.envoyer(COMPTE, {"acte": "avis", "avis-MESSAGE": valeur})

    assert reponse.status_code == 422
    assert "Choisissez quand." in texte_de(reponse)
    assert not Preferences.objects.filter(compte=gestionnaire).exclude(avis={}).exists()


def test_un_administrateur_lit_qu_un_dossier_qu_il_ne_lit_pas_est_en_retard_et_ou_l_ouvrir(
    admin, etudiante, gestionnaire, time_machine
):
    """Its reference and the page of its readers, which are open to them anyway; nothing to who was shut out."""
    choisir(acteur=acteur_de(admin), accepte=True)
    ecarte = comptes.admin(email="nadia@campus.test")
    dossier = fabriques.signalement(acteur_de(etudiante), titre="Titre tenu")
    changer_lecteurs(signalement=dossier, acteur=acteur_de(admin), ecartes=[ecarte.pk], admis=[gestionnaire.pk])
    Avis.objects.bulk_create(
        Avis(nature=NatureAvis.ECHEANCE_DEPASSEE, objet=dossier.pk, est_adresse=True, destinataire=un)
        for un in (admin, ecarte)
    )
    time_machine.move_to(datetime.combine(dossier.prochaine_echeance + timedelta(days=3), time(12), tzinfo=UTC))

    page, autre = (Equipiere(qui).lire(PAGE) for qui in (admin, ecarte))

    assert "Un dossier que vous ne lisez pas" in page
    assert f'href="/equipe/dossiers/{dossier.pk}/lecteurs/"' in page
    assert dossier.reference in page
    assert "Titre tenu" not in page
    assert dossier.reference not in autre
    assert "que vous ne lisez pas" not in autre


def test_un_administrateur_d_une_autre_equipe_apprend_qu_une_date_est_passee_et_ou_ouvrir_le_dossier(
    admin, etudiante, gestionnaire, time_machine
):
    """Of a team's case, they know that it is late; a reason opens it."""
    choisir(acteur=acteur_de(admin), accepte=True)
    dossier = fabriques.signalement(acteur_de(etudiante), titre="Titre tenu")
    equipes.confier(dossier, equipes.equipe(gestionnaire))
    time_machine.move_to(datetime.combine(dossier.prochaine_echeance + timedelta(days=3), time(12), tzinfo=UTC))
    noter(NatureAvis.ECHEANCE_DEPASSEE, dossier.pk, par=None)
    dire_ce_qui_s_est_passe()

    siens = list(Avis.objects.filter(destinataire=admin, nature=NatureAvis.ECHEANCE_DEPASSEE))
    page = Equipiere(admin).lire(PAGE)

    assert [un.objet for un in EQUIPE.a_dire(admin, siens)] == [dossier.pk]
    assert f'href="/equipe/dossiers/{dossier.pk}/ouverture/"' in page
    assert "Titre tenu" not in page
