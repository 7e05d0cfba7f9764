"""manage.py effacer, as an operator types it."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from accounts.models import Compte
from guests.models import SessionInvitee
from guests.tests.fabriques import fusionner
from personnes.management.commands import effacer as commande
from personnes.services import effacements, journal
from personnes.tests import gestes
from resources.erreurs import StockageIndisponible
from stats.exports import entretien
from stats.models import Export

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _journal(settings, tmp_path, monkeypatch):
    settings.ERASURE_LOG = tmp_path / "effacements.jsonl"
    monkeypatch.setattr(effacements, "ATTENTE_SECONDES", 0.0)


def lancer(*mots, **options):
    sortie = StringIO()
    call_command("effacer", *map(str, mots), stdout=sortie, **options)
    return sortie.getvalue()


class Terminal(StringIO):
    def isatty(self):
        return True


def repondre(monkeypatch, *, par):
    monkeypatch.setattr(commande.sys, "stdin", Terminal())
    monkeypatch.setattr("builtins.input", lambda _invite: par)


def test_un_compte_par_son_adresse_ou_son_identifiant_sans_que_l_adresse_soit_dite(
    etudiante, autre_etudiante, caplog, capsys
):
    dit = lancer("--compte", f" {etudiante.email.upper()}", "--oui")
    dit += lancer("--compte", autre_etudiante.pk, "--oui")

    assert Compte.objects.filter(date_effacement=None).count() == 0
    assert "compte : 1" in dit
    partout = dit + caplog.text + "".join(capsys.readouterr())
    assert [mot for mot in (etudiante.email, autre_etudiante.email, "Diop") if mot in partout] == []


def test_une_session_par_la_reference_de_son_dossier_sa_cle_ou_ce_que_l_invite_tient(
    invite, autre_invite, signalement_invite
):
    assert "sessions invitées : 1" in lancer("--session", signalement_invite.reference.lower(), "--oui")
    assert "sessions invitées : 1" in lancer("--session", autre_invite.guest_id, "--oui")
    assert "Déjà effacé" in lancer("--session", autre_invite.pk, "--oui")
    assert {session.telephone for session in SessionInvitee.objects.all()} == {None}


def test_le_dossier_d_un_compte_mene_a_son_compte(signalement, signalement_invite, etudiante, invite):
    with pytest.raises(CommandError, match=f"Rien n'a été changé.*--compte {etudiante.pk}"):
        lancer("--session", signalement.reference, "--oui")
    fusionner(invite, etudiante)
    for dit in (signalement_invite.reference, invite.pk):
        with pytest.raises(CommandError, match=f"--compte {etudiante.pk}"):
            lancer("--session", dit, "--oui")


@pytest.mark.parametrize(
    "mots",
    [
        ("--compte", "personne@campus.test"),
        ("--compte", "00000000-0000-4000-8000-000000000000"),
        ("--compte", ""),
        ("--session", "SIG-1999-0000"),
        ("--session", "00000000-0000-4000-8000-000000000000"),
        ("--session", "%"),
    ],
)
def test_qui_est_inconnu_est_dit(mots):
    with pytest.raises(CommandError, match="Aucun compte"):
        lancer(*mots, "--oui")


def test_une_demande_sans_personne_ou_de_deux_est_refusee(etudiante):
    for mots in ((), ("--compte", etudiante.pk, "--session", etudiante.pk)):
        with pytest.raises(CommandError):
            lancer(*mots)


def test_il_faut_confirmer(etudiante, invite, monkeypatch):
    with pytest.raises(CommandError, match="--oui"):
        lancer("--compte", etudiante.pk)
    repondre(monkeypatch, par="oui")
    with pytest.raises(CommandError, match="Rien n'a été changé"):
        lancer("--compte", etudiante.pk)
    assert not journal.chemin().exists()

    repondre(monkeypatch, par=f"{etudiante.email} ")
    assert "Effacé" in lancer("--compte", etudiante.pk)
    repondre(monkeypatch, par=str(invite.pk))
    assert "Effacé" in lancer("--session", invite.pk)


def test_une_simulation_ne_demande_rien_et_compte_table_par_table(admin, gestionnaire):
    zoe = gestes.vivre(admin, gestionnaire)
    avant = gestes.traces("")

    dit = lancer("--compte", gestes.EMAIL, "--simulation")

    for mots in ("compte : 1", "sessions : ", "inscriptions à venir : 1", "événements : ", "invitations : 2"):
        assert mots in dit
    assert gestes.traces("") == avant
    assert Compte.objects.get(pk=zoe.pk).date_effacement is None


def test_un_journal_disparu_se_complete(etudiante, autre_etudiante):
    lancer("--compte", etudiante.pk, "--oui")
    journal.chemin().unlink()

    with pytest.raises(CommandError, match="--completer-le-journal"):
        lancer("--compte", autre_etudiante.pk, "--oui")
    assert "1 effacement(s) ajouté(s)" in lancer("--completer-le-journal")
    assert "0 effacement(s) ajouté(s)" in lancer("--completer-le-journal")
    assert "Fini." in lancer("--compte", autre_etudiante.pk, "--oui")


def test_un_membre_actif_de_l_equipe_est_refuse(gestionnaire):
    with pytest.raises(CommandError, match="désactivez-le d'abord"):
        lancer("--compte", gestionnaire.pk, "--oui")


def test_un_stockage_muet_n_empeche_pas_d_effacer(admin, gestionnaire, monkeypatch):
    gestes.vivre(admin, gestionnaire)

    def se_taire(seau, cle):
        raise StockageIndisponible

    monkeypatch.setattr(entretien, "effacer", se_taire)
    dit = lancer("--compte", gestes.EMAIL, "--oui")

    assert "« manage.py purge » retirera les fichiers d'export" in dit
    assert Export.objects.a_retirer().count() == 4
    monkeypatch.undo()
    entretien.fichiers(simulation=False)
    assert "export" not in {trace.partition(":")[0] for trace in gestes.traces(gestes.CANARI)}
