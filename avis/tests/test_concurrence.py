"""Two at once: the worker addresses a notice while its reader loses the case, or another worker does the same."""

from datetime import timedelta

import pytest

from accounts.models import Compte, Preferences
from accounts.tests.fabriques import compte
from accounts.tests.outils import ensemble
from avis.demandes import arreter, confirmer, demander
from avis.entretien import dire_ce_qui_s_est_passe, dire_la_veille
from avis.familles.campus import Evenements
from avis.models import AdresseInvitee, Avis, Cadence
from avis.services import adresser, partir, partir_la_suite
from calendrier import services as calendrier
from calendrier.models import EvenementCampus
from calendrier.tests import fabriques as evenements
from config.tests.outils import acteur_de
from guests.services import changer_statut
from guests.tests.fabriques import fusionner
from signalements import services
from signalements.models import Signalement
from signalements.reserve import changer_lecteurs
from signalements.tests import fabriques
from socle.domaine.temps import debut_du_jour, jour_du_campus
from socle.realtime.models import Evenement
from socle.taches.tests.outils import en_file

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


@pytest.mark.parametrize("_fois", range(5))
def test_qui_perd_le_dossier_pendant_qu_on_l_adresse_n_en_garde_rien(etudiante, gestionnaire, admin, _fois):
    ruth = compte(email="ruth@campus.test", type_utilisateur="GESTIONNAIRE")
    dossier = fabriques.signalement(acteur_de(etudiante))
    ligne = Avis.objects.get()

    def fermer():
        ferme = Signalement.objects.get(pk=dossier.pk)
        changer_lecteurs(signalement=ferme, acteur=acteur_de(admin), ecartes=[ruth.pk])

    rendus = ensemble([lambda: adresser(ligne), fermer])

    assert rendus == [None, None]
    assert not Avis.objects.filter(destinataire=ruth).exists()
    assert not Evenement.objects.filter(type="avis", canal=f"user:{ruth.pk}").exists()
    assert Avis.objects.filter(destinataire=gestionnaire).count() == 1


def test_deux_ouvriers_adressent_et_font_partir_une_fois(etudiante, gestionnaire):
    fabriques.signalement(acteur_de(etudiante))
    ligne = Avis.objects.get()

    ensemble([lambda: adresser(ligne)] * 4)
    Avis.objects.update(du="2026-01-01T00:00:00Z")
    ensemble([lambda: partir(gestionnaire.pk)] * 4)

    assert Avis.objects.count() == Cadence.objects.count() == 1
    assert Evenement.objects.filter(type="avis").count() == 1
    assert en_file().count() == 1


def _demander(invite, email="canari@boite.example.org"):
    return demander(acteur=acteur_de(invite), email=email, langue="fr")


@pytest.mark.parametrize("_fois", range(5))
def test_demander_et_arreter_ensemble_laissent_une_adresse_ou_aucune(invite, _fois):
    _demander(invite, "avant@boite.example.org")

    rendus = ensemble(
        [
            lambda: _demander(invite),
            lambda: arreter(acteur=acteur_de(invite)),
            lambda: _demander(invite, "b@c.example.org"),
        ]
    )

    assert rendus == [False, None, False]
    assert AdresseInvitee.objects.count() <= 1


@pytest.mark.parametrize("fermer", ["désactiver", "fusionner"])
@pytest.mark.parametrize("_fois", range(5))
def test_confirmer_pendant_que_la_session_se_ferme_ne_garde_rien(invite, etudiante, admin, fermer, _fois):
    _demander(invite)
    adresse = AdresseInvitee.objects.get()

    def clore():
        if fermer == "fusionner":
            fusionner(invite, etudiante)
        else:
            changer_statut(session=invite, statut="DISABLED", motif="Pour essayer.", acteur=acteur_de(admin))

    rendus = ensemble([lambda: confirmer(adresse), clore])

    assert rendus == [None, None]
    assert not AdresseInvitee.objects.exists()


def test_deux_ouvriers_adressent_une_suite_et_la_font_partir_une_fois(invite, gestionnaire):
    _demander(invite)
    confirmer(AdresseInvitee.objects.get())
    dossier = fabriques.signalement(acteur_de(invite))
    Avis.objects.all().delete()
    services.changer_statut(signalement=dossier, statut="EN_COURS", acteur=acteur_de(gestionnaire))
    ligne, avant = Avis.objects.get(), en_file().count()

    ensemble([lambda: adresser(ligne)] * 4)
    Avis.objects.update(du="2026-01-01T00:00:00Z")
    adresse = AdresseInvitee.objects.get()
    ensemble([lambda: partir_la_suite(AdresseInvitee, adresse.pk)] * 4)

    assert Avis.objects.count() == 1
    assert en_file().count() == avant + 1


def test_quatre_ouvriers_adressent_un_evenement_par_lots_chacun_une_fois(gestionnaire, monkeypatch):
    monkeypatch.setattr("avis.familles.campus.PERSONNES_PAR_LOT", 3)
    evenement = evenements.evenement(gestionnaire)
    for _rang in range(10):
        evenements.participation(evenement)
    calendrier.annuler(evenement=EvenementCampus.objects.get())
    ligne = Avis.objects.get()

    rendus = ensemble([lambda: adresser(ligne)] * 4)

    assert rendus == [None] * 4
    assert Avis.objects.filter(est_adresse=True).count() == Avis.objects.count() == 10
    assert Evenement.objects.filter(type="avis").count() == 10


@pytest.mark.parametrize("_fois", range(3))
def test_quatre_ouvriers_disent_la_veille_une_fois(gestionnaire, _fois):
    demain = jour_du_campus() + timedelta(days=1)
    evenements.evenement(gestionnaire, date_debut=debut_du_jour(demain) + timedelta(hours=9))

    ensemble([dire_la_veille] * 4)

    assert list(Avis.objects.values_list("nature", flat=True)) == ["EVENEMENT_DEMAIN"]


@pytest.mark.parametrize("_fois", range(5))
def test_une_place_gagnee_pendant_que_l_evenement_s_annule(gestionnaire, _fois):
    evenement = evenements.evenement(gestionnaire, nb_max_participants=1)
    premiere, seconde = (evenements.participation(evenement) for _rang in range(2))

    rendus = ensemble(
        [
            lambda: calendrier.desinscrire(evenement=EvenementCampus.objects.get(), compte=premiere.compte),
            lambda: calendrier.annuler(evenement=EvenementCampus.objects.get()),
        ]
    )
    dire_ce_qui_s_est_passe()

    siens = list(Avis.objects.filter(destinataire=seconde.compte))
    Compte.objects.update(email_verifie=True)
    Preferences.objects.create(compte=seconde.compte, avis_evenements=True)
    dits = Evenements().a_dire(Compte.objects.get(pk=seconde.compte_id), siens)
    assert rendus == [None, None]
    assert [un.nature for un in dits] == ["EVENEMENT_ANNULE"]
