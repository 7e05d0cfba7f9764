"""manage.py effacer: erase a person, whose cases stay under a pseudonym."""

import sys
import time
from argparse import ArgumentParser
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError
from django.db import OperationalError

from accounts.models import Compte
from guests.erreurs import SessionIntrouvable
from guests.models import SessionInvitee
from guests.services import session_de
from personnes.erreurs import EffacementRefuse, PersonneInconnue, SessionDUnCompte
from personnes.services import effacements, journal
from resources.erreurs import StockageIndisponible
from signalements.models import Signalement
from socle.audit.vocabulaire import Sorte
from socle.domaine.adresses import canonique
from stats.exports.entretien import fichiers


class Command(BaseCommand):
    help = (
        "Efface une personne : son nom, ses adresses, son téléphone et tout ce qui ouvre son compte ou sa session. Ses "
        "dossiers restent, sous un pseudonyme ; ce qu'elle a écrit n'est pas touché. Ne se défait pas : l'effacement "
        "est noté hors de la base (ERASURE_LOG) et rejoué après une restauration. Rejouable sans risque."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        qui = parser.add_mutually_exclusive_group(required=True)
        qui.add_argument("--compte", metavar="ID", help="identifiant ou e-mail du compte")
        qui.add_argument(
            "--session", metavar="ID", help="référence d'un dossier, ou identifiant, d'une session invitée"
        )
        qui.add_argument(
            "--completer-le-journal", action="store_true", help="y noter les effacements que la base est seule à savoir"
        )
        parser.add_argument("--simulation", action="store_true", help="compter ce qui changerait, ne rien changer")
        parser.add_argument("--oui", action="store_true", help="ne pas demander confirmation")

    def handle(self, *args: Any, simulation: bool, oui: bool, completer_le_journal: bool, **qui: Any) -> None:
        try:
            if completer_le_journal:
                return self._completer()
            sorte, cle = _trouver(qui["compte"], qui["session"])
            self._effacer(sorte, cle, simulation=simulation, oui=oui)
        except (EffacementRefuse, journal.JournalFaux) as refus:
            raise CommandError(f"Rien n'a été changé. {refus}") from refus
        except OperationalError as occupee:  # its text may hold a value
            raise CommandError("Rien n'a été changé. La base est occupée ou absente : recommencez.") from occupee

    def _effacer(self, sorte: Sorte, cle: UUID, *, simulation: bool, oui: bool) -> None:
        acte = effacements.effacer_compte if sorte == Sorte.COMPTE else effacements.effacer_session
        if not simulation and not oui:
            self._confirmer(sorte, cle)
        bilan = acte(cle, simulation=simulation)
        if bilan.deja_fait:
            self.stdout.write("Déjà effacé : rien à changer.")
            return
        self._dire(bilan, "Seraient changés" if simulation else "Effacé")
        if not simulation and bilan.copies_de is not None:
            self.stdout.write("Encore vingt secondes : ce qui s'écrivait à cet instant.")
            self.stdout.flush()
            time.sleep(effacements.ATTENTE_SECONDES)
            self._achever(bilan)

    def _achever(self, bilan: effacements.Bilan) -> None:
        try:
            effacements.achever(bilan)
        except OperationalError as occupee:
            raise CommandError(
                "C'est effacé, mais ce qui s'écrivait à cet instant n'a pas été relu : la base est occupée ou absente. "
                "Des événements peuvent nommer la personne jusqu'à leur purge (EVENTS_KEPT_HOURS)."
            ) from occupee
        try:
            fichiers(simulation=False)
        except StockageIndisponible:
            self.stdout.write("Le stockage ne répond pas : « manage.py purge » retirera les fichiers d'export.")
        self.stdout.write("Fini.")

    def _confirmer(self, sorte: Sorte, cle: UUID) -> None:
        if not sys.stdin.isatty():
            raise CommandError("Rien n'a été changé. Sans terminal, confirmez par --oui.", returncode=2)
        attendu = _a_taper(sorte, cle)
        self.stdout.write("Cela ne se défait pas. Pour confirmer, tapez :")
        self.stdout.write(f"  {attendu}")
        if input("> ").strip().lower() != attendu.lower():
            raise CommandError("Rien n'a été changé : ce n'est pas ce qui était demandé.", returncode=2)

    def _dire(self, bilan: effacements.Bilan, titre: str) -> None:
        self.stdout.write(f"{titre} ({bilan.sorte.label.lower()} {bilan.cle}) :")
        for mots, nombre in bilan.nombres.items():
            if nombre:
                self.stdout.write(f"  {mots} : {nombre}")

    def _completer(self) -> None:
        absentes = effacements.absentes_du_journal()
        journal.ajouter(absentes)
        self.stdout.write(f"{len(absentes)} effacement(s) ajouté(s) au journal.")


def _trouver(compte: str | None, session: str | None) -> tuple[Sorte, UUID]:
    """`(kind, key)` of who is named; PersonneInconnue, or what the operator may rather do."""
    if compte is not None:
        cle = _uuid(compte)
        lignes = Compte.objects.filter(pk=cle) if cle else Compte.objects.filter(email=canonique(compte))
        trouve = lignes.values_list("pk", flat=True).first()
    else:
        trouve = _session(str(session).strip())
    if trouve is None:
        raise PersonneInconnue
    return (Sorte.COMPTE if compte is not None else Sorte.SESSION_INVITEE), trouve


def _session(dit: str) -> UUID | None:
    """By its key, by the id that its guest holds, by the reference of a case."""
    if cle := _uuid(dit):
        if SessionInvitee.objects.filter(pk=cle).exists():
            return cle
        try:
            return session_de(cle).pk
        except SessionIntrouvable:
            return None
    dossier = Signalement.objects.filter(reference=dit.upper(), reference_tiree=True).first()
    if dossier is None:
        return None
    if dossier.invite_id is None:
        raise SessionDUnCompte(dossier.compte_id)
    return dossier.invite_id


def _a_taper(sorte: Sorte, cle: UUID) -> str:
    if sorte == Sorte.COMPTE:
        return str(Compte.objects.values_list("email", flat=True).get(pk=cle))
    return str(cle)


def _uuid(texte: str) -> UUID | None:
    try:
        return UUID(texte)
    except ValueError:
        return None
