"""Put a backup back, and close what it would open again."""

import shutil
from pathlib import Path

from django.apps import apps
from django.contrib.sessions.models import Session as SessionDePage
from django.core.management import call_command
from django.db import connection, transaction
from django.db.models import F
from django.utils import timezone

from accounts.models import Compte, DemandeAdresse, DemandeMotDePasse, Invitation, Session
from accounts.vocabulaire import MotifFin, StatutInvitation
from config.sauvegarde import manifeste as m
from config.sauvegarde.faire import racine
from config.sauvegarde.outils import remplir_depuis
from personnes.services import journal
from personnes.services.effacements import rejouer
from personnes.services.journal import Ligne
from portail.models import Acces, Brouillon
from socle.audit.registre import consigner
from socle.audit.vocabulaire import Acte


def exiger_possible(dossier: Path, *, par_dessus: bool) -> m.Manifeste:
    """Check all that can be before anything is touched; SauvegardeFausse says what stands in the way."""
    manifeste = m.lire(dossier)
    if manifeste.moteur != connection.vendor:
        raise m.SauvegardeFausse(f"La sauvegarde est de {manifeste.moteur}, cette base de {connection.vendor}.")
    presentes = m.empreintes_des_cles()
    if manifeste.cles["HASH_KEY"] != presentes["HASH_KEY"]:
        raise m.SauvegardeFausse("HASH_KEY n'est pas celle de la sauvegarde : nul invité n'y retrouverait son dossier.")
    if set(manifeste.cles["FIELD_ENCRYPTION_KEYS"]) - set(presentes["FIELD_ENCRYPTION_KEYS"]):
        raise m.SauvegardeFausse("Une clé de la sauvegarde manque à FIELD_ENCRYPTION_KEYS : rien ne se déchiffrerait.")
    if not par_dessus and _a_des_comptes():
        raise m.SauvegardeFausse("Cette base n'est pas vide. Service arrêté, --par-dessus la remplace entière.")
    if autres := _autres_processus():
        raise m.SauvegardeFausse(f"D'autres processus du service tiennent cette base ({autres}). Arrêtez-les d'abord.")
    m.verifier(dossier, manifeste)
    try:
        _effacements(dossier)
        journal.exiger_inscriptible()
    except journal.JournalFaux as faux:
        raise m.SauvegardeFausse(str(faux)) from faux
    return manifeste


def remettre(dossier: Path, manifeste: m.Manifeste) -> dict[str, int]:
    """Replace the base, add the files, bring the schema up to date, end every session, erase again whoever was erased.

    Returns what was done. Who was erased is known from the backup and from this machine, whose log gets what it lacks.
    """
    remplir_depuis(connection, dossier / m.BASES[manifeste.moteur])
    fichiers = _rendre_les_fichiers(dossier / m.FICHIERS)
    call_command("migrate", interactive=False, verbosity=0)
    fermes = tout_fermer(manifeste)
    presents, effaces = journal.lire(journal.chemin()), _effacements(dossier)
    journal.ajouter(effaces[len(journal.reunir(presents)) :])
    return {"fichiers": fichiers, "effacements": rejouer(effaces), **fermes}


@transaction.atomic
def tout_fermer(manifeste: m.Manifeste) -> dict[str, int]:
    """End what the copy held open: it may have been closed since, for a good reason.

    Guest ids and the words of the portal are left: they are the only way back of who has no account.
    """
    maintenant = timezone.now()
    ouvertes = Session.objects.filter(date_fin__isnull=True)
    sessions = ouvertes.update(date_fin=maintenant, motif_fin=MotifFin.REVOCATION)
    Compte.objects.update(nb_coupures=F("nb_coupures") + 1)
    SessionDePage.objects.all().delete()
    DemandeAdresse.objects.filter(date_confirmation__isnull=True).delete()
    DemandeMotDePasse.objects.filter(date_utilisation__isnull=True).update(date_utilisation=maintenant)
    invitations = Invitation.objects.filter(statut=StatutInvitation.PENDING)
    revoquees = invitations.update(statut=StatutInvitation.REVOKED)
    acces = Acces.objects.filter(date_fin__isnull=True).update(date_fin=maintenant, code_scelle="")
    Brouillon.objects.all().delete()
    consigner(Acte.SAUVEGARDE_REMISE, par=None, date=manifeste.date, version=manifeste.version)
    return {"sessions": sessions, "acces": acces, "invitations": revoquees}


def _effacements(dossier: Path) -> list[Ligne]:
    """Read the erasures of this machine's log, then those of the backup alone."""
    return journal.reunir(journal.lire(journal.chemin()), journal.lire(dossier / m.EFFACEMENTS))


def _rendre_les_fichiers(depuis: Path) -> int:
    """Copy those that are not there: a name is drawn at random, so the same name is the same file."""
    rendus = 0
    for chemin in sorted(un for un in depuis.rglob("*") if un.is_file()):
        cible = racine() / chemin.relative_to(depuis)
        if not cible.exists():
            cible.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            shutil.copyfile(chemin, cible)
            cible.chmod(0o600)
            rendus += 1
    return rendus


def _autres_processus() -> int:
    """Count the processes of the service connected to this base, this one apart; SQLite does not tell."""
    if connection.vendor != "postgresql":
        return 0
    with connection.cursor() as curseur:
        curseur.execute(
            "SELECT count(DISTINCT application_name) FROM pg_stat_activity WHERE datname = current_database() "
            "AND application_name LIKE 'campus %' AND application_name <> current_setting('application_name')"
        )
        (nombre,) = curseur.fetchone()
    return int(nombre)


def _a_des_comptes() -> bool:
    if apps.get_model("accounts.Compte")._meta.db_table not in connection.introspection.table_names():
        return False
    return Compte.objects.exists()
