"""Asking to be erased: from « Mon compte » to the page where administrators read it, and out of it once it is done."""

import pytest
from django.db import IntegrityError, transaction

from accounts.models import DemandeEffacement
from accounts.services import demandes_d_effacement
from accounts.services.comptes import desactiver
from accounts.tests import fabriques
from accounts.tests.fabriques import MOT_DE_PASSE
from accounts.tests.outils import ensemble
from config.tests.outils import acteur_de
from config.tests.outils.typographie import ordinaire
from espace.tests.outils import Equipiere
from personnes.services.effacements import effacer_compte
from portail.tests.outils import texte_de
from portail.tests.test_mon_compte import URL, acte, elle, vieillir
from socle.audit.models import Trace
from socle.audit.vocabulaire import Acte
from socle.domaine.limites import Taux
from socle.realtime.models import Evenement
from socle.taches.tests.outils import faire_les_taches

__all__ = ["elle"]

pytestmark = pytest.mark.django_db
DEMANDE = acte("effacer", mot_de_passe=MOT_DE_PASSE)
MEMBRES = "/equipe/membres/"


def test_demander_le_dit_a_la_personne_et_a_l_administration_sans_la_nommer(elle, etudiante, admin, mailoutbox):
    fait = elle.envoyer(URL, DEMANDE)

    assert fait.headers["Location"] == f"{URL}?fait=effacer#fait"
    assert DemandeEffacement.objects.get().compte == etudiante
    faire_les_taches()
    (a_elle,) = [lettre for lettre in mailoutbox if lettre.to == [etudiante.email]]
    assert "L'effacement du compte a été demandé." in ordinaire(a_elle.body)
    (a_l_administration,) = [lettre for lettre in mailoutbox if lettre.to == [admin.email]]
    assert "/equipe/membres/#effacements" in a_l_administration.body
    (alerte,) = Evenement.objects.filter(type="system_alert")
    assert alerte.canal == "admin"
    dits = [a_l_administration.subject, a_l_administration.body, *map(str, a_l_administration.alternatives)]
    for nomme in (etudiante.prenom, etudiante.nom, etudiante.email, str(etudiante.pk)):
        assert [un for un in (*dits, str(alerte.payload)) if nomme in un] == []
    assert not Trace.objects.filter(acteur=etudiante.pk).exists()  # the register is of the team


def test_un_second_clic_ne_dit_rien_deux_fois(elle, admin, mailoutbox):
    statuts = [elle.envoyer(URL, DEMANDE).status_code for _fois in range(2)]

    faire_les_taches()
    assert statuts == [303, 303]
    assert DemandeEffacement.objects.count() == 1
    assert len(mailoutbox) == 2  # to her, to the administrator
    assert Evenement.objects.filter(type="system_alert").count() == 1


@pytest.mark.parametrize(("tape", "dit"), [("faux", "Ce n'est pas votre mot de passe"), ("", "Écrivez votre mot de")])
def test_sans_le_mot_de_passe_rien_ne_se_demande(elle, tape, dit):
    refus = elle.envoyer(URL, acte("effacer", mot_de_passe=tape))

    assert (refus.status_code, dit in texte_de(refus)) == (422, True)
    assert not DemandeEffacement.objects.exists()


def test_la_demande_se_lit_et_se_retire_mot_de_passe_donne(elle):
    elle.envoyer(URL, DEMANDE)
    assert "Vous avez demandé à être effacé·e" in elle.lire(URL)
    vieillir()

    assert "demandé à être effacé" not in elle.lire(URL)
    assert elle.envoyer(URL, {"acte": "garder_le_compte"}).status_code == 401
    elle.envoyer(URL, acte("prouver", mot_de_passe=MOT_DE_PASSE))
    faits = [elle.envoyer(URL, {"acte": "garder_le_compte"}).headers["Location"] for _fois in range(2)]

    assert faits == [f"{URL}?fait=garder_le_compte#fait"] * 2
    assert not DemandeEffacement.objects.exists()


def test_demander_et_retirer_sans_fin_a_une_limite(elle, settings):
    settings.THROTTLE_ENABLED = True
    settings.THROTTLES = {**settings.THROTTLES, "erasure_request": Taux(2, 86400)}

    statuts = []
    for _fois in range(3):
        statuts.append(elle.envoyer(URL, DEMANDE).status_code)
        elle.envoyer(URL, {"acte": "garder_le_compte"})

    assert statuts == [303, 303, 429]


def test_un_compte_n_en_a_qu_une(etudiante):
    DemandeEffacement.objects.create(compte=etudiante)

    with pytest.raises(IntegrityError), transaction.atomic():
        DemandeEffacement.objects.create(compte=etudiante)


def test_l_administration_lit_qui_et_la_commande_et_personne_d_autre(elle, etudiante, admin, gestionnaire):
    elle.envoyer(URL, DEMANDE)

    page = Equipiere(admin).lire(MEMBRES)

    assert etudiante.nom_complet in page
    assert f"manage.py effacer --compte {etudiante.pk}" in page
    for autre in (Equipiere(gestionnaire).lire(MEMBRES), Equipiere(admin).lire("/admin/")):
        assert etudiante.nom_complet not in autre


def test_la_premiere_demandee_est_la_premiere_et_neuf_coutent_autant_qu_une(
    admin, etudiante, django_assert_max_num_queries, django_assert_num_queries
):
    DemandeEffacement.objects.create(compte=etudiante)
    equipiere = Equipiere(admin)
    equipiere.lire(MEMBRES)
    with django_assert_max_num_queries(100) as avec_une:
        equipiere.lire(MEMBRES)
    autres = [fabriques.compte() for _fois in range(8)]
    for autre in autres:
        DemandeEffacement.objects.create(compte=autre)

    with django_assert_num_queries(len(avec_une)):
        page = equipiere.lire(MEMBRES)

    rangs = [page.index(str(une.pk)) for une in (etudiante, *autres)]
    assert rangs == sorted(rangs)


def test_effacer_la_ferme(elle, etudiante, admin):
    elle.envoyer(URL, DEMANDE)

    bilan = effacer_compte(etudiante.pk)

    assert bilan.nombres["demande d'effacement"] == 1
    assert not DemandeEffacement.objects.exists()
    assert "effacer --compte" not in Equipiere(admin).lire(MEMBRES)


def test_de_l_equipe_elle_est_au_registre_et_survit_a_la_desactivation(gestionnaire, admin):
    equipiere = Equipiere(gestionnaire)
    equipiere.envoyer("/equipe/compte/", DEMANDE)
    assert Trace.objects.get(acte=Acte.EFFACEMENT_DEMANDE).acteur == gestionnaire.pk

    desactiver(compte=gestionnaire, acteur=acteur_de(admin))

    assert [une.compte for une in demandes_d_effacement.en_attente()] == [gestionnaire]


def test_qui_administre_seul_l_apprend_quand_meme(admin, mailoutbox):
    demandes_d_effacement.demander(acteur=acteur_de(admin), mot_de_passe=MOT_DE_PASSE)

    faire_les_taches()
    assert [lettre.to for lettre in mailoutbox] == [[admin.email], [admin.email]]


# --- Two at once ------------------------------------------------------------------------------------------------------


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_demandee_huit_fois_a_la_fois_elle_n_est_dite_qu_une(etudiante, admin):
    def demander():
        demandes_d_effacement.demander(acteur=acteur_de(etudiante), mot_de_passe=MOT_DE_PASSE)

    assert ensemble([demander] * 8) == [None] * 8
    assert DemandeEffacement.objects.count() == 1
    assert Evenement.objects.filter(type="system_alert").count() == 1
