"""The log of erasures: what is in it, what is refused of it, and what is erased again from it."""

import json
import os
import stat
import threading
from uuid import uuid4

import pytest

from accounts.models import Compte
from accounts.tests import fabriques as comptes
from guests.models import SessionInvitee
from guests.tests.fabriques import fusionner
from personnes.erreurs import JournalPerdu
from personnes.services import effacements, journal
from personnes.services.journal import JournalFaux, Ligne
from personnes.tests import gestes
from socle.audit.models import Trace
from socle.audit.vocabulaire import Acte, Sorte

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def fichier(settings, tmp_path):
    settings.ERASURE_LOG = tmp_path / "effacements.jsonl"
    return settings.ERASURE_LOG


def une():
    return Ligne.de(Sorte.COMPTE, uuid4())


def test_une_ligne_ne_dit_qu_un_identifiant_et_un_moment(etudiante, fichier):
    effacements.effacer_compte(etudiante.pk)

    (brute,) = fichier.read_text().splitlines()
    ligne = json.loads(brute)
    assert ligne.keys() == {"id", "sorte", "date", "somme"}
    assert (ligne["id"], ligne["sorte"]) == (etudiante.pk.hex, "COMPTE")
    assert stat.S_IMODE(fichier.stat().st_mode) == 0o600


@pytest.mark.parametrize(
    "abimer",
    [
        lambda texte: texte.replace("COMPTE", "SESSION_INVITEE"),
        lambda texte: texte.replace('"somme": "', '"somme": "0'),
        lambda texte: texte.replace("COMPTE", "AUTRE"),
        lambda texte: texte.replace('"id"', '"ide"'),
        lambda texte: texte.replace("{", "", 1),
        lambda texte: "[1]\n" + texte,
        lambda texte: "\n" + texte,
        lambda texte: texte + texte.replace("COMPTE", "PAGE"),
    ],
)
def test_une_ligne_changee_est_refusee_avant_que_rien_ne_change(abimer, fichier, etudiante):
    journal.ajouter([une()])
    fichier.write_text(abimer(fichier.read_text()))

    with pytest.raises(JournalFaux, match="ligne"):
        effacements.effacer_compte(etudiante.pk)

    assert Compte.objects.get(pk=etudiante.pk).email == etudiante.email


def test_une_ligne_ecrite_sous_une_autre_cle_est_refusee(fichier, settings):
    journal.ajouter([une()])
    settings.HASH_KEY = "une-autre-cle-" + "x" * 40

    with pytest.raises(JournalFaux, match="ligne 1"):
        journal.lire(fichier)


def test_une_ligne_coupee_par_une_panne_ne_compte_pas_et_ne_gate_pas_la_suite(fichier):
    premiere, seconde = une(), une()
    journal.ajouter([premiere])
    with fichier.open("a") as flux:
        flux.write(une().ecrite()[:40])

    assert journal.lire(fichier) == [premiere]
    journal.ajouter([seconde])
    assert journal.lire(fichier) == [premiere, seconde]


def test_plusieurs_ecrivent_a_la_fois_des_lignes_entieres(fichier):
    lignes = [[une() for _une in range(20)] for _fil in range(6)]
    fils = [threading.Thread(target=journal.ajouter, args=(les_siennes,)) for les_siennes in lignes]
    for fil in fils:
        fil.start()
    for fil in fils:
        fil.join()

    assert sorted(journal.lire(fichier)) == sorted(ligne for les_siennes in lignes for ligne in les_siennes)


def test_un_journal_qui_ne_s_ecrit_pas_refuse_avant_que_rien_ne_change(settings, tmp_path, etudiante, invite):
    settings.ERASURE_LOG = tmp_path / "nulle-part" / "effacements.jsonl"
    avant = gestes.traces("")

    with pytest.raises(JournalFaux, match="ne s'écrit pas"):
        effacements.effacer_compte(etudiante.pk)
    with pytest.raises(JournalFaux, match="ne s'écrit pas"):
        effacements.effacer_session(invite.pk)

    assert gestes.traces("") == avant


def test_un_journal_disparu_refuse_puis_se_complete_d_apres_la_base(fichier, etudiante, invite, autre_etudiante):
    effacements.effacer_compte(etudiante.pk)
    effacements.effacer_session(invite.pk)
    attendues = {ligne.qui for ligne in journal.lire(fichier)}
    os.unlink(fichier)

    with pytest.raises(JournalPerdu):
        effacements.effacer_compte(autre_etudiante.pk)
    journal.ajouter(effacements.absentes_du_journal())

    assert {ligne.qui for ligne in journal.lire(fichier)} == attendues
    assert not effacements.absentes_du_journal()
    assert not effacements.effacer_compte(autre_etudiante.pk).deja_fait


# --- Replayed on a base that was put back


def test_rejouer_efface_quel_que_soit_l_etat_de_la_base_remise(admin, gestionnaire, invite, autre_invite):
    """Staff still active, the last administrator, a session merged since: the base is older than what was decided."""
    fusionner(invite, comptes.compte())
    lignes = [Ligne.de(Sorte.COMPTE, compte.pk) for compte in (admin, gestionnaire)]
    lignes += [Ligne.de(Sorte.SESSION_INVITEE, session.pk) for session in (invite, autre_invite)]

    assert effacements.rejouer(lignes) == 4

    assert {compte.est_actif for compte in Compte.objects.filter(pk__in=[admin.pk, gestionnaire.pk])} == {False}
    assert {session.telephone for session in SessionInvitee.objects.all()} == {None}
    traces = Trace.objects.filter(acte=Acte.PERSONNE_EFFACEE)
    assert [trace.details for trace in traces] == [{"rejoue": True}] * 4
    assert journal.lire(journal.chemin()) == []  # what is replayed is there already


def test_rejouer_ce_qui_n_est_pas_la_ou_l_est_deja_ne_fait_rien(etudiante):
    effacements.effacer_compte(etudiante.pk)
    avant = gestes.traces("")
    inconnues = [Ligne.de(Sorte.SESSION_INVITEE, uuid4()), une()]

    assert effacements.rejouer([*journal.lire(journal.chemin()), *inconnues]) == 0

    assert gestes.traces("") == avant


def test_un_compte_est_efface_la_session_qui_lui_fut_rattachee_l_est_aussi_ou_elle_ne_l_est_pas_encore(
    etudiante, invite, autre_invite
):
    fusionner(invite, etudiante)
    effacements.effacer_compte(etudiante.pk)
    # A base of before the merge holds the session still active: its own line erases it.
    du_journal = {ligne.qui for ligne in journal.lire(journal.chemin())}

    assert (Sorte.SESSION_INVITEE, invite.pk.hex) in du_journal
    assert (Sorte.SESSION_INVITEE, autre_invite.pk.hex) not in du_journal
