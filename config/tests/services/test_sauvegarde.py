"""A backup holds all, says when it does not, and puts back what it held, with every session ended."""

import json
import os
import shutil
import sqlite3
import stat
import subprocess
import time
from pathlib import Path
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from config.sauvegarde import faire, remettre
from config.sauvegarde import manifeste as m
from config.tests.services.test_mise_a_jour import SECRETS
from config.tests.services.test_reglages import lancer
from personnes.services import journal
from personnes.services.journal import Ligne
from socle.audit.vocabulaire import Sorte

pytestmark = [pytest.mark.django_db, pytest.mark.longue]
PEUPLER = """
import django; django.setup()
from django.core.files.base import ContentFile
from accounts.services.sessions import connecter
from accounts.services.comptes import creer
from accounts.services.invitations import inviter
from guests.services import ouvrir
from portail.services.acces import ouvrir as ouvrir_un_acces
from resources.models import Fichier
from resources.stockage import ranger
from signalements.services import creer as signaler
from socle.audit.sceaux import sceller
from socle.domaine.acteurs import ActeurInvite
from socle.pages.sessions import SessionStore
import json

rose = {"email": "rose@campus.test", "mot_de_passe": "Baobab-penche-77"}
compte = creer(**rose, nom="Kabila", prenom="Rose", type_utilisateur="ADMIN_SYSTEME")
inviter(email="neuve@campus.test", type_utilisateur="ADMIN_SYSTEME", par=compte)
connecter(**rose, adresse="127.0.0.1")
page = SessionStore(); page["x"] = 1; page.create()
session = ouvrir(telephone="+243812345621")
acteur = ActeurInvite(invite=session, guest_id=session.guest_id)
signaler(acteur=acteur, titre="Amphi", description="Le soir.", type="HARCELEMENT")
ouvrir_un_acces(invite=session, jeton="j" * 40)
seau, cle = ranger(ContentFile(b"une preuve"))
sceller()
print(json.dumps({"guest": str(session.guest_id), "cle": cle}))
"""
LIRE = """
import django; django.setup()
import json, sys
from accounts.models import Compte, Invitation, Session
from django.contrib.sessions.models import Session as Page
from guests.services import session_de
from portail.models import Acces
from resources.stockage import stockage
from signalements.models import Signalement
from socle.audit.models import Trace

guest, cle = sys.argv[1:]
invite = session_de(guest)
print(json.dumps({
    "comptes": list(Compte.objects.values_list("email", "nb_coupures")),
    "titres": list(Signalement.objects.filter(invite=invite).values_list("titre", flat=True)),
    "telephone": invite.telephone,
    "ouvertes": Session.objects.filter(date_fin=None).count(),
    "pages": Page.objects.count(),
    "acces": Acces.objects.filter(date_fin=None).count(),
    "invitations": list(Invitation.objects.values_list("statut", flat=True)),
    "preuve": stockage("local").open(cle).read().decode(),
    "actes": sorted(set(Trace.objects.values_list("acte", flat=True))),
}))
"""

NAVIGATEUR = """
import django; django.setup()
import json
from django.contrib.sessions.models import Session as Page
from django.test import Client
from portail.models import Acces, Brouillon

class Navigateur(Client):
    def __init__(self):
        super().__init__(HTTP_HOST="localhost")
"""
NAVIGUER = """
ancienne = Page.objects.create(session_key="k" * 32, session_data="d", expire_date="2099-01-01T00:00Z")
ancienne.delete()  # on SQLite its page keeps it
rose = Navigateur()
rose.post("/admin/login/?next=/admin/", {"username": "rose@campus.test", "password": "Baobab-penche-77"})
Brouillon.objects.create(jeton_empreinte="b" * 64, contenu_scelle="RECITENCOURS")
print(json.dumps({
    "cookie": rose.cookies["sessionid"].value,
    "lignes": [*Page.objects.values_list("pk", flat=True), *Acces.objects.values_list("jeton_empreinte", flat=True)],
}))
"""
ESSAYER = """
def statut(cle):
    voleur = Navigateur()
    voleur.cookies["sessionid"] = cle
    return voleur.get("/equipe/dossiers/").status_code
"""

IL_Y_A_UNE_HEURE = """
from datetime import timedelta
from django.utils import timezone
from socle.audit.models import Trace
Trace.objects.create(acte="CONNEXION", date=timezone.now() - timedelta(hours=1))
"""
ROSE_EST_PARTIE = """
import django; django.setup()
from accounts.models import Compte
from accounts.services import comptes
from personnes.services.effacements import effacer_compte
from socle.domaine.acteurs import ActeurCompte

rose = Compte.objects.get(email="rose@campus.test")
autre = comptes.creer(
    email="ana@campus.test", mot_de_passe="Baobab-penche-78", nom="Ana", prenom="Ana", type_utilisateur="ADMIN_SYSTEME"
)
comptes.desactiver(compte=rose, acteur=ActeurCompte(compte=autre))
effacer_compte(rose.pk)
"""
REFERENCE = """
import django; django.setup()
import json
from signalements.models import Signalement
print(json.dumps(Signalement.objects.get().reference))
"""
QUI_RESTE = """
import django; django.setup()
import json
from accounts.models import Compte
from guests.models import SessionInvitee
from signalements.models import Signalement

print(json.dumps({
    "comptes": [[c.nom_complet, c.est_actif, "rose" in c.email] for c in Compte.objects.exclude(prenom="Ana")],
    "telephones": [s.telephone for s in SessionInvitee.objects.all()],
    "titres": list(Signalement.objects.values_list("titre", flat=True)),
}))
"""
EFFACES = {"comptes": [["Compte effacé", False, False]], "telephones": [None], "titres": ["Amphi"]}


class Service:
    """An installation of its own: its folder, its base, commands run in it as an operator does."""

    def __init__(self, dossier: Path, url: str) -> None:
        self.dossier = dossier
        dossier.mkdir(exist_ok=True)
        self.reglages = {"DJANGO_SETTINGS_MODULE": "config.settings", "PUBLIC_URL": "http://localhost", **SECRETS}
        if url:
            self.reglages["DATABASE_URL"] = url

    def lancer(self, *commande: str, **reglages: str) -> subprocess.CompletedProcess[str]:
        return lancer(self.dossier, *commande, **{**self.reglages, **reglages})

    def faire(self, *commande: str, **reglages: str) -> str:
        fait = self.lancer(*commande, **reglages)
        assert fait.returncode == 0, fait.stderr
        return fait.stdout

    def sauvegarder(self, dans: Path, *mots: str) -> Path:
        self.faire("manage.py", "sauvegarde", str(dans), *mots)
        return m.faites(dans)[-1]


@pytest.fixture
def bases():
    """Addresses of bases of the test's own: SQLite's is in the folder of the service, "" then."""
    faites: list[str] = []
    reglages = connection.settings_dict
    acces: dict[str, Any] = {nom.lower(): reglages[nom] or None for nom in ("HOST", "PORT", "USER", "PASSWORD")}

    def sur_le_serveur(ordre: str) -> None:
        with psycopg.connect(dbname="postgres", autocommit=True, **acces) as lien:
            lien.execute(ordre)

    def une() -> str:
        if connection.vendor != "postgresql":
            return ""
        nom = f"campus_copie_{uuid4().hex[:12]}"
        sur_le_serveur(f'CREATE DATABASE "{nom}"')
        faites.append(nom)
        secret = f":{acces['password']}" if acces["password"] else ""
        return f"postgres://{acces['user']}{secret}@{acces['host']}:{acces['port'] or 5432}/{nom}"

    yield une
    for nom in faites:
        sur_le_serveur(f'DROP DATABASE "{nom}" WITH (FORCE)')


@pytest.fixture
def service(tmp_path, bases):
    service = Service(tmp_path / "un", bases())
    service.faire("manage.py", "migrate", "--if-needed", "--verbosity=0")
    return service


@pytest.fixture
def peuple(service):
    return json.loads(service.faire("-c", PEUPLER).splitlines()[-1])


def test_ce_qui_est_sauvegarde_revient_et_rien_n_est_rouvert(service, peuple, bases, tmp_path):
    sauvegarde = service.sauvegarder(tmp_path / "copies")
    neuf = Service(tmp_path / "deux", bases())

    texte = neuf.faire("manage.py", "restauration", str(sauvegarde))

    assert "1 fichier(s) rendu(s)" in texte
    assert "La chaîne tient." in texte
    lu = json.loads(neuf.faire("-c", LIRE, *peuple.values()))
    assert lu == {
        "comptes": [["rose@campus.test", 1]],
        "titres": ["Amphi"],
        "telephone": "+243812345621",
        "ouvertes": 0,
        "pages": 0,
        "acces": 0,
        "invitations": ["REVOKED"],
        "preuve": "une preuve",
        "actes": ["CONNEXION", "INVITATION_ENVOYEE", "SAUVEGARDE_REMISE"],
    }
    # What the first service holds has not moved.
    assert json.loads(service.faire("-c", LIRE, *peuple.values()))["ouvertes"] == 1


def test_ce_que_rien_n_avait_encore_scelle_revient_sans_etre_dit_touche(service, bases, tmp_path):
    service.faire("-c", PEUPLER.replace("\nsceller()\n", IL_Y_A_UNE_HEURE))
    sauvegarde = service.sauvegarder(tmp_path / "copies")
    neuf = Service(tmp_path / "deux", bases())

    assert "0 à sceller. La chaîne tient." in neuf.faire("manage.py", "restauration", str(sauvegarde))


def test_elle_ne_se_lit_que_par_qui_tient_le_service_et_ne_contient_aucun_secret(service, peuple, tmp_path):
    sauvegarde = service.sauvegarder(tmp_path / "copies")

    modes = {stat.S_IMODE(un.stat().st_mode) for un in [sauvegarde, *sauvegarde.rglob("*")] if un.is_dir()}
    assert modes == {0o700}
    assert {stat.S_IMODE(un.stat().st_mode) & 0o077 for un in m.contenu(sauvegarde)} == {0}
    ecrit = b"".join(un.read_bytes() for un in sauvegarde.rglob("*") if un.is_file())
    assert [nom for nom, secret in SECRETS.items() if secret.encode() in ecrit] == []


def lisible(sauvegarde: Path) -> str:
    """All that a thief reads in the copy of the base."""
    fichier = sauvegarde / m.BASES[connection.vendor]
    if connection.vendor == "postgresql":
        ordre = ["pg_restore", "--file=-", str(fichier)]
        return subprocess.run(ordre, capture_output=True, text=True, check=True).stdout  # noqa: S603 -- our own words
    return fichier.read_bytes().decode("latin-1")


def test_de_qui_la_vole_aucune_cle_n_ouvre_ce_qui_est_ouvert(service, peuple, tmp_path):
    ouvert = json.loads(service.faire("-c", NAVIGATEUR + NAVIGUER).splitlines()[-1])
    sauvegarde = service.sauvegarder(tmp_path / "copies")

    vole = lisible(sauvegarde)
    assert "rose@campus.test" in vole
    assert len(ouvert["lignes"]) == 3
    tus = [ouvert["cookie"], *ouvert["lignes"], "b" * 64, "RECITENCOURS", "k" * 32]
    assert [tu for tu in tus if tu in vole] == []
    assert [un.name for un in sauvegarde.iterdir() if un.name.startswith("base")] == [m.BASES[connection.vendor]]
    m.verifier(sauvegarde, m.lire(sauvegarde))
    # The service has them still, and only the cookie's own key opens anything.
    essais = [ouvert["cookie"], *ouvert["lignes"], "k" * 32]
    dire = f"print(json.dumps([statut(cle) for cle in {essais}]))"
    assert json.loads(service.faire("-c", NAVIGATEUR + ESSAYER + dire).splitlines()[-1]) == [200, 302, 302, 302, 302]


def test_une_base_qui_n_est_pas_vide_n_est_remplacee_que_sur_demande(service, peuple, tmp_path):
    sauvegarde = service.sauvegarder(tmp_path / "copies")

    refus = service.lancer("manage.py", "restauration", str(sauvegarde))
    assert refus.returncode == 1
    assert refus.stderr.splitlines()[-1].startswith("CommandError: Rien n'a été changé. Cette base n'est pas vide")
    assert json.loads(service.faire("-c", LIRE, *peuple.values()))["ouvertes"] == 1

    service.faire("manage.py", "restauration", str(sauvegarde), "--par-dessus")
    assert json.loads(service.faire("-c", LIRE, *peuple.values()))["ouvertes"] == 0


def effacer_tous(service: Service) -> None:
    service.faire("-c", ROSE_EST_PARTIE)
    reference = json.loads(service.faire("-c", REFERENCE).splitlines()[-1])
    assert "sessions invitées : 1" in service.faire("manage.py", "effacer", "--session", reference, "--oui")


def test_qui_est_efface_apres_une_sauvegarde_l_est_encore_une_fois_remise(service, peuple, tmp_path):
    avant = service.sauvegarder(tmp_path / "copies")
    effacer_tous(service)

    texte = service.faire("manage.py", "restauration", str(avant), "--par-dessus")

    assert "2 effacement(s) rejoué(s)" in texte
    assert "La chaîne tient." in texte
    assert json.loads(service.faire("-c", QUI_RESTE)) == EFFACES
    # Once more: they are erased in the base that is put back, not twice in the log.
    assert "2 effacement(s) rejoué(s)" in service.faire("manage.py", "restauration", str(avant), "--par-dessus")
    assert len((service.dossier / "effacements.jsonl").read_text().splitlines()) == 2


def test_une_machine_neuve_apprend_de_la_sauvegarde_qui_fut_efface(service, peuple, bases, tmp_path):
    ancienne = service.sauvegarder(tmp_path / "copies")
    effacer_tous(service)
    recente = service.sauvegarder(tmp_path / "autres copies")
    neuf = Service(tmp_path / "deux", bases())

    neuf.faire("manage.py", "restauration", str(recente))
    texte = neuf.faire("manage.py", "restauration", str(ancienne), "--par-dessus")

    assert "2 effacement(s) rejoué(s)" in texte
    assert json.loads(neuf.faire("-c", QUI_RESTE)) == EFFACES
    assert stat.S_IMODE((neuf.dossier / "effacements.jsonl").stat().st_mode) == 0o600


def test_un_journal_des_effacements_change_arrete_la_restauration(fausse, settings, tmp_path):
    settings.ERASURE_LOG = tmp_path / "effacements.jsonl"
    journal.ajouter([Ligne.de(Sorte.COMPTE, uuid4())])
    settings.ERASURE_LOG.write_text(settings.ERASURE_LOG.read_text().replace("COMPTE", "SESSION_INVITEE"))

    with pytest.raises(m.SauvegardeFausse, match=r"La ligne 1 .* a été changée"):
        remettre.exiger_possible(fausse, par_dessus=True)


# --- Refusals, before anything is touched


@pytest.fixture
def fausse(tmp_path, monkeypatch):
    """A small backup of this base, made without its tools."""
    monkeypatch.setattr(faire, "vider_vers", lambda _connexion, fichier, **_options: fichier.write_bytes(b"la base"))
    monkeypatch.setattr(faire, "racine", lambda: tmp_path / "files")
    (tmp_path / "files" / "ab").mkdir(parents=True)
    (tmp_path / "files" / "ab" / "abcd").write_bytes(b"une preuve")
    return faire.sauvegarder(tmp_path / "copies")


def remplacer(dossier: Path, **valeurs: Any) -> None:
    chemin = dossier / m.MANIFESTE
    chemin.write_text(json.dumps({**json.loads(chemin.read_text()), **valeurs}))


def test_une_sauvegarde_entiere_est_admise(fausse):
    assert remettre.exiger_possible(fausse, par_dessus=True).nombre_de_fichiers == 1


@pytest.mark.parametrize(
    ("abimer", "dit"),
    [
        (lambda d: (d / m.BASES[connection.vendor]).write_bytes(b"autre chose"), "a changé depuis la sauvegarde"),
        (lambda d: (d / m.FICHIERS / "ab" / "abcd").unlink(), "manque à la sauvegarde"),
        (lambda d: (d / m.FICHIERS / "de-trop").write_text("x"), "n'était pas dans la sauvegarde"),
        (lambda d: (d / m.SOMMES).write_text(""), "a changé depuis la sauvegarde"),
        (lambda d: (d / m.SOMMES).unlink(), "manque"),
        (lambda d: (d / m.MANIFESTE).write_text("{"), "n'est pas une sauvegarde"),
        (lambda d: (d / m.MANIFESTE).write_text("{}"), "n'est pas une sauvegarde"),
        (lambda d: (d / m.MANIFESTE).unlink(), "n'est pas une sauvegarde"),
        (lambda d: remplacer(d, date="hier"), "n'est pas une sauvegarde"),
        (lambda d: remplacer(d, format=2), "version plus récente"),
        (lambda d: remplacer(d, moteur="sqlite" if connection.vendor == "postgresql" else "postgresql"), "cette base"),
    ],
)
def test_une_sauvegarde_abimee_est_refusee(fausse, abimer, dit):
    abimer(fausse)

    with pytest.raises(m.SauvegardeFausse, match=dit):
        remettre.exiger_possible(fausse, par_dessus=True)


def test_sous_une_autre_hash_key_elle_est_refusee(fausse, settings):
    settings.HASH_KEY = "une-autre-cle-" + "x" * 40

    with pytest.raises(m.SauvegardeFausse, match="HASH_KEY n'est pas celle"):
        remettre.exiger_possible(fausse, par_dessus=True)


def test_une_cle_de_chiffrement_de_moins_la_refuse_une_de_plus_ne_gene_pas(fausse, settings):
    neuve, anciennes = "YXV0cmUtYXV0cmUtYXV0cmUtYXV0cmUtYXV0cmUtMTI=", settings.FIELD_ENCRYPTION_KEYS
    settings.FIELD_ENCRYPTION_KEYS = [neuve, *anciennes]
    assert remettre.exiger_possible(fausse, par_dessus=True)

    settings.FIELD_ENCRYPTION_KEYS = [neuve]
    with pytest.raises(m.SauvegardeFausse, match="manque à FIELD_ENCRYPTION_KEYS"):
        remettre.exiger_possible(fausse, par_dessus=True)


def test_une_base_qui_a_des_comptes_demande_de_le_vouloir(fausse, gestionnaire):
    with pytest.raises(m.SauvegardeFausse, match="n'est pas vide"):
        remettre.exiger_possible(fausse, par_dessus=False)


def test_un_service_qui_tourne_encore_l_arrete(fausse):
    if connection.vendor != "postgresql":
        pytest.skip("demande PostgreSQL")
    parametres = connection.get_connection_params()
    acces = {nom: parametres.get(nom) for nom in ("dbname", "host", "port", "user", "password")}

    with (
        psycopg.connect(**acces, application_name="campus ailleurs 12"),
        pytest.raises(m.SauvegardeFausse, match=r"tiennent cette base \(1\)"),
    ):
        remettre.exiger_possible(fausse, par_dessus=True)


def test_la_suivante_lie_les_fichiers_que_la_precedente_a_deja(fausse):
    premiere = fausse.rename(fausse.with_name("campus-20200101T000000Z"))  # two in one second have one name
    seconde = faire.sauvegarder(premiere.parent)

    assert (seconde / m.FICHIERS / "ab" / "abcd").stat().st_nlink == 2
    m.verifier(seconde, m.lire(seconde))
    shutil.rmtree(premiere)
    m.verifier(seconde, m.lire(seconde))


@pytest.mark.parametrize(
    "abimer",
    [
        lambda d: (d / m.FICHIERS / "ab" / "abcd").write_bytes(b"une PREUVE"),
        lambda d: (d / m.SOMMES).write_text(""),
        lambda d: (d / m.SOMMES).unlink(),
    ],
)
def test_ce_que_la_precedente_a_perdu_est_copie_de_nouveau(fausse, abimer):
    """Linked, a byte that a disk has turned would be summed as it is, and the copy said to be whole."""
    premiere = fausse.rename(fausse.with_name("campus-20200101T000000Z"))
    abimer(premiere)

    seconde = faire.sauvegarder(premiere.parent)

    assert (seconde / m.FICHIERS / "ab" / "abcd").read_bytes() == b"une preuve"
    m.verifier(seconde, m.lire(seconde))


def test_garder_ne_retire_que_les_plus_anciennes_entieres(fausse):
    copies = fausse.parent
    autre, partielle = copies / "campus-notes", copies / ".campus-20200101T000000Z.1"
    for dossier in (autre, partielle):
        dossier.mkdir(parents=True)
    for annee in (2021, 2022):
        shutil.copytree(fausse, copies / f"campus-{annee}0101T000000Z")

    assert [une.name for une in faire.garder(copies, 2)] == ["campus-20210101T000000Z"]
    assert [une.name for une in m.faites(copies)] == ["campus-20220101T000000Z", fausse.name]
    assert autre.is_dir()
    assert partielle.is_dir()


def test_ce_qu_une_sauvegarde_tuee_a_laisse_s_en_va_avec_une_suivante(fausse):
    """It holds a whole base, and nothing else would ever take it away."""
    vieille, en_cours = (fausse.with_name(f".campus-2020010{n}T000000Z.{n}") for n in (1, 2))
    for une in (vieille, en_cours):
        une.mkdir()
        (une / "base.dump").write_bytes(b"la base")
    hier = time.time() - 25 * 3600
    os.utime(vieille, (hier, hier))
    fausse.rename(fausse.with_name("campus-20200101T000000Z"))

    faire.sauvegarder(fausse.parent)

    assert not vieille.exists()
    assert en_cours.exists()


def test_un_outil_qui_echoue_ne_laisse_rien(tmp_path, monkeypatch, transactional_db):
    def echouer(*_args: Any, **_options: Any) -> None:
        raise m.SauvegardeFausse("pg_dump a échoué : plus de place")

    monkeypatch.setattr(faire, "vider_vers", echouer)

    with pytest.raises(m.SauvegardeFausse):
        faire.sauvegarder(tmp_path / "copies")

    assert list((tmp_path / "copies").iterdir()) == []


@pytest.mark.parametrize(
    ("mots", "dit"),
    [
        ([], "Dites où"),
        (["{ici}", "--garder", "0"], "--garder"),
        (["{ici}", "--verifier"], "n'est pas une sauvegarde"),
        (["/proc/nulle-part"], "nulle-part"),
    ],
)
def test_une_demande_mal_faite_est_dite(tmp_path, mots, dit):
    with pytest.raises(CommandError, match=dit):
        call_command("sauvegarde", *(mot.format(ici=tmp_path) for mot in mots))


@pytest.mark.postgres
def test_sans_pg_dump_on_le_dit(service, tmp_path):
    fait = service.lancer("manage.py", "sauvegarde", str(tmp_path / "copies"), PATH="/nulle-part")

    assert fait.returncode == 1
    assert "installez les outils clients de PostgreSQL" in fait.stderr


def test_elle_se_fait_pendant_qu_on_ecrit(service, peuple, tmp_path):
    if connection.vendor == "postgresql":
        pytest.skip("pg_dump sees one moment of the base by itself")
    with sqlite3.connect(service.dossier / "campus.sqlite3") as lien:
        lien.execute("BEGIN IMMEDIATE")
        sauvegarde = service.sauvegarder(tmp_path / "copies")
        lien.rollback()

    with sqlite3.connect(sauvegarde / m.BASES["sqlite"]) as copie:
        assert copie.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert os.access(sauvegarde, os.R_OK)
