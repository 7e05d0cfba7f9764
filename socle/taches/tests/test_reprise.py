from datetime import timedelta

import pytest
from django.core.management import call_command
from django.db import transaction
from django.utils import timezone
from django_tasks.base import TaskResultStatus
from django_tasks_db.models import DBTaskResult

from accounts.models import Compte, DemandeMotDePasse, Invitation
from accounts.tests.outils import AUTH, jeton_recu
from socle.taches.reprise import DELAIS, reprendre, tache
from socle.taches.tests.outils import ServeurAbsent, delai_de, en_file, faire_les_taches

pytestmark = pytest.mark.django_db
SERVEUR_ABSENT = f"{ServeurAbsent.__module__}.{ServeurAbsent.__qualname__}"
faites: list[str] = []
pannes: list[Exception] = []


@tache()
def essai(identifiant: str) -> None:
    if pannes:
        raise pannes[0]
    faites.append(identifiant)


@pytest.fixture(autouse=True)
def _ardoise():
    faites.clear()
    pannes.clear()


@pytest.fixture
def heure(time_machine):
    """heure(secondes) moves the clock, which otherwise stands still."""
    debut = timezone.now()
    time_machine.move_to(debut, tick=False)

    def avancer(secondes):
        time_machine.move_to(timezone.now() + timedelta(seconds=secondes), tick=False)

    return avancer


def statuts():
    return list(DBTaskResult.objects.order_by("enqueued_at").values_list("status", flat=True))


def test_une_tache_s_execute_une_fois():
    essai.enqueue("a")

    for _rang in range(2):
        faire_les_taches()

    assert faites == ["a"]
    assert statuts() == [TaskResultStatus.SUCCESSFUL]


def test_une_tache_qui_echoue_revient_plus_tard(heure):
    pannes.append(RuntimeError("panne"))
    essai.enqueue("a")

    faire_les_taches()
    pannes.clear()
    faire_les_taches()

    assert (faites, en_file().count()) == ([], 1)
    heure(DELAIS[0])
    faire_les_taches()
    assert (faites, en_file().count()) == (["a"], 0)


def test_les_delais_grandissent_puis_la_tache_est_abandonnee(heure, caplog):
    pannes.append(RuntimeError("panne"))
    essai.enqueue("a")
    delais = []

    for _essai in range(50):
        faire_les_taches()
        if not en_file().exists():
            break
        delais.append(delai_de(en_file().get()))
        heure(delais[-1])

    assert tuple(delais) == DELAIS == tuple(sorted(DELAIS))
    assert statuts() == [TaskResultStatus.SUCCESSFUL] * len(DELAIS) + [TaskResultStatus.FAILED]
    assert "abandonnée" in caplog.text


def test_une_panne_ne_met_ni_argument_ni_message_dans_le_journal(heure, caplog):
    pannes.append(RuntimeError("awa@campus.test"))
    essai.enqueue("identifiant-secret")

    faire_les_taches()

    journal = "\n".join(str(vars(ligne)) for ligne in caplog.records if ligne.name == "campus.taches")
    assert "RuntimeError" in journal
    assert "awa@campus.test" not in journal
    assert "identifiant-secret" not in journal


def test_une_tache_n_existe_pas_quand_sa_transaction_echoue():
    with pytest.raises(RuntimeError), transaction.atomic():
        essai.enqueue("a")
        raise RuntimeError

    faire_les_taches()

    assert (faites, DBTaskResult.objects.count()) == ([], 0)


@pytest.mark.parametrize(("depuis", "reprise"), [(timedelta(seconds=-30), 0), (timedelta(seconds=30), 1)])
def test_ce_qu_un_ouvrier_mort_a_laisse_est_repris_apres_le_delai(settings, depuis, reprise):
    essai.enqueue("a")
    DBTaskResult.objects.get().claim("mort")
    DBTaskResult.objects.update(started_at=timezone.now() - settings.TASK_RECLAIM_AFTER - depuis)

    assert reprendre() == reprise
    faire_les_taches()

    assert faites == ["a"] * reprise


@pytest.mark.parametrize("statut", [TaskResultStatus.SUCCESSFUL, TaskResultStatus.FAILED, TaskResultStatus.READY])
def test_une_tache_qui_n_est_pas_en_cours_n_est_pas_reprise(statut):
    essai.enqueue("a")
    DBTaskResult.objects.update(status=statut, started_at=timezone.now() - timedelta(days=1))

    assert reprendre() == 0


class TestServeurDeCourrielAbsent:
    @pytest.fixture(autouse=True)
    def _absent(self, settings):
        self.present, settings.EMAIL_BACKEND = settings.EMAIL_BACKEND, SERVEUR_ABSENT

    def revenir(self, settings, heure):
        settings.EMAIL_BACKEND = self.present
        heure(DELAIS[0])
        faire_les_taches()

    def test_un_mot_de_passe_oublie_repond_et_le_courriel_part_plus_tard(
        self, api, etudiante, settings, heure, mailoutbox
    ):
        reponse = api(None).post(f"{AUTH}forgot-password", {"email": etudiante.email})
        faire_les_taches()
        avant = list(mailoutbox)

        self.revenir(settings, heure)

        assert (reponse.status_code, avant) == (200, [])
        assert [message.to for message in mailoutbox] == [["awa@campus.test"]]
        assert jeton_recu(mailoutbox[0]) == DemandeMotDePasse.objects.get().jeton

    def test_une_invitation_repond_et_le_courriel_part_plus_tard(self, api, admin, settings, heure, mailoutbox):
        corps = {"email": "ines@campus.test", "typeUtilisateur": "GESTIONNAIRE"}
        reponse = api(admin).post("/api/v1/comptes/invitations", corps)
        faire_les_taches()

        self.revenir(settings, heure)

        assert reponse.status_code == 201
        assert jeton_recu(mailoutbox[0]) == Invitation.objects.get().jeton

    def test_s_inscrire_ne_demande_aucun_courriel(self, api):
        corps = {"email": "ines@campus.test", "motDePasse": "Baobab-penché-77", "nom": "Lukusa", "prenom": "Inès"}

        assert api(None).post(f"{AUTH}signup", corps).status_code == 201
        assert Compte.objects.filter(email="ines@campus.test").exists()

    def test_un_courriel_qui_revient_apres_son_lien_ne_part_plus(self, api, etudiante, settings, heure, mailoutbox):
        api(None).post(f"{AUTH}forgot-password", {"email": etudiante.email})
        faire_les_taches()
        heure(3600)

        self.revenir(settings, heure)

        assert (mailoutbox, en_file().count()) == ([], 0)

    def test_une_demande_purgee_avant_le_retour_n_est_pas_une_panne(self, api, etudiante, settings, heure, mailoutbox):
        api(None).post(f"{AUTH}forgot-password", {"email": etudiante.email})
        faire_les_taches()
        heure(3601)
        call_command("purge", verbosity=0)

        self.revenir(settings, heure)

        assert (mailoutbox, en_file().count()) == ([], 0)


def test_la_file_ne_garde_ni_adresse_ni_jeton(api, etudiante, admin):
    api(None).post(f"{AUTH}forgot-password", {"email": etudiante.email})
    corps = {"email": "ines@campus.test", "typeUtilisateur": "GESTIONNAIRE"}
    api(admin).post("/api/v1/comptes/invitations", corps)

    arguments = str(list(DBTaskResult.objects.values_list("args_kwargs", flat=True)))

    assert "@campus.test" not in arguments
    assert DemandeMotDePasse.objects.get().jeton not in arguments
    assert Invitation.objects.get().jeton not in arguments
