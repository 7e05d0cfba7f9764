from datetime import timedelta

import pytest
from cryptography.fernet import Fernet
from django.core.checks import run_checks
from django.core.management import CommandError, call_command
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from accounts.models import DemandeMotDePasse, Session
from accounts.tests.outils import AUTH, renouveler, se_connecter, statut_du_jeton
from config.management.commands import rotate_field_keys
from guests.models import SessionInvitee
from guests.tests.fabriques import session_invitee
from guests.tests.outils import colonne
from socle.realtime.diffusion import publier
from socle.realtime.models import Evenement
from socle.realtime.numerotation import numeroter
from socle.taches.entretien import purges
from socle.taches.tests.outils import faire_les_taches

pytestmark = pytest.mark.django_db


# --- purge ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def anciens_et_recents(api, etudiante):
    """One row of each kind that has served its time, and one that has not."""
    il_y_a_longtemps = timezone.now() - timedelta(days=30)
    vivante = se_connecter(etudiante).json()["data"]
    for modele, date in ((Session, "date_expiration"), (DemandeMotDePasse, "date_expiration")):
        champs = {"compte": etudiante, "date_expiration": timezone.now() + timedelta(hours=1)}
        passee = modele.objects.create(**champs)
        modele.objects.filter(pk=passee.pk).update(**{date: il_y_a_longtemps})
    api(None).post(f"{AUTH}forgot-password", {"email": etudiante.email})
    faire_les_taches()
    api(None).post(f"{AUTH}forgot-password", {"email": "personne@campus.test"})
    DBTaskResult.objects.filter(status="SUCCESSFUL").update(finished_at=il_y_a_longtemps)
    Evenement.objects.all().delete()
    publier("system_alert", ["admin"], {"niveau": "INFO", "message": "ancienne"})
    numeroter()
    Evenement.objects.update(date_creation=il_y_a_longtemps)
    publier("system_alert", ["admin"], {"niveau": "INFO", "message": "recente"})
    numeroter()
    return vivante


def nombres():
    return [modele.objects.count() for modele in (Session, DemandeMotDePasse, DBTaskResult, Evenement)]


def test_purger_retire_ce_qui_a_fait_son_temps_et_rien_d_autre(anciens_et_recents, capsys):
    avant = nombres()

    call_command("purge")

    assert [a - b for a, b in zip(avant, nombres(), strict=True)] == [1, 1, 1, 1]
    assert statut_du_jeton(anciens_et_recents["token"]) == 200
    assert Evenement.objects.get().payload["message"] == "recente"
    assert "Sessions expirées : 1 supprimé(s)" in capsys.readouterr().out


def test_purger_a_blanc_compte_sans_rien_retirer(anciens_et_recents, capsys):
    avant = nombres()

    call_command("purge", "--dry-run")

    lignes = capsys.readouterr().out.splitlines()
    assert nombres() == avant
    annonces = dict(ligne.rsplit(" : ", 1) for ligne in lignes)
    assert annonces.keys() == dict(purges.items()).keys()
    assert sorted(annonces.values())[-5:] == ["0 à supprimer", *["1 à supprimer"] * 4]


def test_purger_se_rejoue_sans_risque(anciens_et_recents, capsys):
    call_command("purge")
    capsys.readouterr()

    call_command("purge")

    assert all(": 0 supprimé(s)" in ligne for ligne in capsys.readouterr().out.splitlines())


def test_purger_garde_de_quoi_reconnaitre_un_jeton_rejoue(etudiante):
    jeton = se_connecter(etudiante).json()["data"]["refreshToken"]
    Session.objects.update(date_fin=timezone.now() - timedelta(days=1), motif_fin="ROTATION")
    call_command("purge", verbosity=0)

    assert renouveler(jeton).status_code == 401

    assert Evenement.objects.filter(type="system_alert").exists()


# --- rotate_field_keys ----------------------------------------------------------------------------------------------


@pytest.fixture
def nouvelle(settings):
    """A new key, in front of the present one."""
    cle = Fernet.generate_key().decode()
    settings.FIELD_ENCRYPTION_KEYS = [cle, *settings.FIELD_ENCRYPTION_KEYS]
    return cle


def test_tourner_les_cles_permet_de_retirer_l_ancienne(invite, autre_invite, nouvelle, settings, capsys):
    avant = colonne("telephone", invite)

    call_command("rotate_field_keys")

    settings.FIELD_ENCRYPTION_KEYS = [nouvelle]
    assert colonne("telephone", invite) != avant
    assert {s.telephone for s in SessionInvitee.objects.all()} == {"+243812345621", "+243898765432"}
    assert "guests.SessionInvitee.telephone : 2 valeur(s)" in capsys.readouterr().out


def test_tourner_a_blanc_n_ecrit_rien(invite, nouvelle, settings, capsys):
    avant = colonne("telephone", invite)

    call_command("rotate_field_keys", "--dry-run")

    assert colonne("telephone", invite) == avant
    assert "1 valeur(s)" in capsys.readouterr().out


def test_tourner_se_rejoue_sans_risque(invite, nouvelle, settings):
    for _rang in range(2):
        call_command("rotate_field_keys", verbosity=0)

    settings.FIELD_ENCRYPTION_KEYS = [nouvelle]
    assert SessionInvitee.objects.get().telephone == "+243812345621"


@pytest.fixture
def cinq_invites(db):
    return [session_invitee(f"+24381234562{n}") for n in range(5)]


def test_tourner_passe_par_lots_et_n_oublie_personne(cinq_invites, nouvelle, settings, monkeypatch):
    monkeypatch.setattr(rotate_field_keys, "LOT", 2)

    call_command("rotate_field_keys", verbosity=0)

    settings.FIELD_ENCRYPTION_KEYS = [nouvelle]
    assert sorted(s.telephone[-1] for s in SessionInvitee.objects.all()) == list("01234")


@pytest.mark.parametrize("options", [[], ["--dry-run"]])
def test_une_valeur_qu_aucune_cle_n_ouvre_arrete_bruyamment_sans_rien_perdre(invite, settings, options):
    avant, cles = colonne("telephone", invite), settings.FIELD_ENCRYPTION_KEYS
    settings.FIELD_ENCRYPTION_KEYS = [Fernet.generate_key().decode()]

    with pytest.raises(CommandError, match="aucune clé de FIELD_ENCRYPTION_KEYS"):
        call_command("rotate_field_keys", *options)

    settings.FIELD_ENCRYPTION_KEYS = cles
    assert colonne("telephone", invite) == avant
    assert SessionInvitee.objects.get().telephone == "+243812345621"


# --- system_alert, help ---------------------------------------------------------------------------------------------


def test_une_alerte_trop_longue_est_coupee():
    call_command("system_alert", "é" * 600, verbosity=0)

    assert Evenement.objects.get().payload == {"niveau": "INFO", "message": "é" * 500}


@pytest.mark.parametrize(
    ("commande", "mots"),
    [
        ("purge", ["--dry-run", "Supprime ce qui a fait son temps"]),
        ("rotate_field_keys", ["--dry-run", "FIELD_ENCRYPTION_KEYS"]),
        ("system_alert", ["--niveau", "CRITIQUE"]),
        ("db_worker", ["--queue-name", "e-mails"]),
        ("serve", ["--no-migrate", "HOST"]),
    ],
)
def test_chaque_commande_dit_ce_qu_elle_fait(capsys, commande, mots):
    with pytest.raises(SystemExit) as sortie:
        call_command(commande, "--help")

    texte = " ".join(capsys.readouterr().out.split())
    assert sortie.value.code == 0
    assert [mot for mot in mots if mot not in texte] == []


# --- migrate --------------------------------------------------------------------------------------------------------


def test_migrate_ne_dit_aucun_avertissement():
    """What it checks before it migrates, on the base of this run."""
    dits = [un for un in run_checks(databases=["default"]) if not un.is_silenced()]

    assert [un for un in dits if not str(un.id).startswith("campus.")] == []  # ours speak of settings
