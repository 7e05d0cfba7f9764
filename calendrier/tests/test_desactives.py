"""A deactivated account leaves its places to those who wait, and is passed over from then on."""

from importlib import import_module

import pytest
from django.apps import apps
from django.db import connection, transaction

from accounts.models import Compte
from accounts.services import comptes as actes
from accounts.tests import fabriques as comptes
from accounts.tests.outils import ensemble, entrer
from calendrier import services
from calendrier.models import EvenementCampus, Participation
from calendrier.tests import fabriques
from calendrier.tests.outils import verifier_les_places
from config.tests.outils import acteur_de

pytestmark = pytest.mark.django_db


@pytest.fixture
def petit(gestionnaire):
    return fabriques.evenement(gestionnaire, nb_max_participants=1)


@pytest.fixture
def plein(petit):
    """One confirmed, three waiting, in this order."""
    return [fabriques.participation(petit) for _rang in range(4)]


def statuts(participations):
    lus = dict(Participation.objects.values_list("pk", "statut"))
    return [lus[participation.pk] for participation in participations]


def poser_statut(client, participation, statut):
    return client.put(f"/api/v1/calendriers/participants/{participation.pk}/statut", {"statut": statut})


def par_l_api(admin, api, compte):
    assert api(admin).put(f"/api/v1/comptes/{compte.pk}/deactivate").status_code == 200


def par_le_site(admin, api, compte):
    corps = {"action": "desactiver", "confirme": "oui", "_selected_action": [str(compte.pk)]}
    assert entrer(admin.email).post("/admin/accounts/compte/", corps).status_code == 302


@pytest.mark.parametrize("desactiver", [par_l_api, par_le_site])
def test_desactiver_rend_les_places_a_qui_attend(admin, api, petit, plein, desactiver):
    desactiver(admin, api, plein[0].compte)

    assert statuts(plein) == ["CANCELLED", "CONFIRMED", "WAITLISTED", "WAITLISTED"]
    verifier_les_places()


def test_qui_attend_sort_de_la_file_et_ne_gagne_rien(admin, api, petit, plein):
    par_l_api(admin, api, plein[1].compte)

    api(plein[0].compte).delete(f"/api/v1/calendriers/{petit.pk}/inscription")

    assert statuts(plein) == ["CANCELLED", "CANCELLED", "CONFIRMED", "WAITLISTED"]


@pytest.mark.parametrize("acte", ["partir", "limite", "inscrire", "annulee"])
def test_la_promotion_passe_par_dessus_un_compte_desactive_d_avant(gestionnaire, petit, plein, acte):
    Compte.objects.filter(pk=plein[1].compte_id).update(est_actif=False)
    petit.refresh_from_db()
    if acte == "partir":
        services.desinscrire(evenement=petit, compte=plein[0].compte)
    elif acte == "limite":
        services.modifier(evenement=petit, nb_max_participants=2)
    elif acte == "annulee":
        services.changer_statut(participation=plein[0], statut="CANCELLED")
    else:
        EvenementCampus.objects.filter(pk=petit.pk).update(nb_max_participants=2)
        services.inscrire(evenement=petit, compte=comptes.compte())

    assert statuts(plein)[1:] == ["WAITLISTED", "CONFIRMED", "WAITLISTED"]
    verifier_les_places()


def test_le_passe_et_ce_qui_est_annule_gardent_leurs_lignes(admin, api, gestionnaire, etudiante):
    fini, annule = fabriques.evenement(gestionnaire), fabriques.evenement(gestionnaire)
    siennes = [fabriques.participation(evenement, etudiante) for evenement in (fini, annule)]
    fabriques.terminer(fini)
    services.annuler(evenement=annule)

    par_l_api(admin, api, etudiante)

    assert statuts(siennes) == ["CONFIRMED", "CONFIRMED"]


def test_reactiver_ne_rend_rien_et_l_on_se_reinscrit_au_bout_de_la_file(admin, api, petit, plein):
    compte = plein[0].compte
    par_l_api(admin, api, compte)

    assert api(admin).put(f"/api/v1/comptes/{compte.pk}/reactivate").status_code == 200
    apres = statuts(plein)
    compte.refresh_from_db()
    reponse = api(compte).post(f"/api/v1/calendriers/{petit.pk}/inscription")

    assert apres == ["CANCELLED", "CONFIRMED", "WAITLISTED", "WAITLISTED"]
    assert reponse.json()["data"]["statut"] == "WAITLISTED"


def test_les_places_rendues_s_annoncent_comme_un_depart(admin, api, petit, plein, evenements):
    with evenements() as recus:
        par_l_api(admin, api, plein[0].compte)

    du_calendrier = [e for e in recus if e["type"] == "event_updated"]
    assert [e["canal"] for e in du_calendrier] == [f"user:{plein[1].compte_id}"]
    assert du_calendrier[0]["payload"]["maParticipation"] == "CONFIRMED"


def test_une_place_libre_s_annonce_a_tous(admin, api, gestionnaire, etudiante, evenement, evenements):
    fabriques.participation(evenement, etudiante)

    with evenements() as recus:
        par_l_api(admin, api, etudiante)

    assert [e["canal"] for e in recus if e["type"] == "event_updated"] == ["calendriers"]


def test_rien_n_est_rendu_quand_la_desactivation_echoue(admin, petit, plein, evenements):
    with evenements() as recus, pytest.raises(RuntimeError), transaction.atomic():
        actes.desactiver(compte=plein[0].compte, acteur=acteur_de(admin))
        raise RuntimeError

    assert recus == []
    assert statuts(plein) == ["CONFIRMED", "WAITLISTED", "WAITLISTED", "WAITLISTED"]


@pytest.mark.parametrize("statut", ["CONFIRMED", "WAITLISTED", "PENDING"])
def test_l_equipe_ne_donne_rien_a_un_compte_desactive(admin, api, gestionnaire, etudiante, evenement, statut):
    sienne = fabriques.participation(evenement, etudiante)
    par_l_api(admin, api, etudiante)

    reponse = poser_statut(api(gestionnaire), sienne, statut)

    assert (reponse.status_code, reponse.json()["code"]) == (409, "CONFLICT")
    assert statuts([sienne]) == ["CANCELLED"]


def test_l_equipe_annule_une_place_qu_un_compte_desactive_tenait_encore(gestionnaire, etudiante, evenement, api):
    sienne = fabriques.participation(evenement, etudiante)
    Compte.objects.filter(pk=etudiante.pk).update(est_actif=False)

    reponse = poser_statut(api(gestionnaire), sienne, "CANCELLED")

    assert reponse.status_code == 200
    assert statuts([sienne]) == ["CANCELLED"]


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_s_inscrire_pendant_qu_on_est_desactive_ne_laisse_aucune_place(admin, gestionnaire):
    evenement = fabriques.evenement(gestionnaire, nb_max_participants=5)
    for _tour in range(15):
        qui = comptes.compte()
        frais = EvenementCampus.objects.get(pk=evenement.pk)
        ensemble(
            [
                lambda qui=qui, frais=frais: services.inscrire(evenement=frais, compte=Compte.objects.get(pk=qui.pk)),
                lambda qui=qui: actes.desactiver(compte=Compte.objects.get(pk=qui.pk), acteur=acteur_de(admin)),
            ]
        )

    assert not Participation.objects.actives().filter(compte__est_actif=False).exists()
    verifier_les_places()


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_etre_promu_pendant_qu_on_est_desactive_ne_laisse_aucune_place(admin, gestionnaire):
    for _tour in range(10):
        evenement = fabriques.evenement(gestionnaire, nb_max_participants=1)
        tient, attend, suivante = (fabriques.participation(evenement) for _rang in range(3))
        frais = EvenementCampus.objects.get(pk=evenement.pk)
        rendus = ensemble(
            [
                lambda frais=frais, tient=tient: services.desinscrire(evenement=frais, compte=tient.compte),
                lambda attend=attend: actes.desactiver(
                    compte=Compte.objects.get(pk=attend.compte_id), acteur=acteur_de(admin)
                ),
            ]
        )
        assert rendus == [None, None]
        assert statuts([tient, attend, suivante]) == ["CANCELLED", "CANCELLED", "CONFIRMED"]

    verifier_les_places()


def test_une_base_qui_a_vecu_rend_les_places_de_ses_comptes_desactives(gestionnaire, petit, plein):
    libre = fabriques.evenement(gestionnaire)
    ailleurs = fabriques.participation(libre, plein[0].compte)
    Compte.objects.filter(pk__in=[plein[0].compte_id, plein[1].compte_id]).update(est_actif=False)

    for _fois in range(2):
        import_module("calendrier.migrations.0005_places_des_comptes_desactives").liberer(apps, connection)

    assert statuts([*plein, ailleurs]) == ["CANCELLED", "CANCELLED", "CONFIRMED", "WAITLISTED", "CANCELLED"]
    verifier_les_places()
