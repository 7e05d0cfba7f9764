"""The erasure of a person: one transaction, under the locks of other acts, logged outside the database before it ends.

Order of the locks: guest sessions, account, events. The row of the account is then written, which waits for whoever
has written something of theirs and has not committed; the copies are looked for after that.
"""

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import connection, transaction
from django.utils import timezone

from accounts.models import Compte
from accounts.services import effacement
from accounts.services.effacement import Connu
from avis.services import oublier_la_personne
from calendrier.services import liberer_les_places
from forum.services import oublier_les_demandes
from guests import services as invites
from guests.models import SessionInvitee
from guests.vocabulaire import StatutInvite
from personnes.erreurs import (
    CompteDeLEquipe,
    DossierGele,
    JournalPerdu,
    PersonneInconnue,
    RattachementsEnCours,
    SessionDUnCompte,
)
from personnes.services import copies, journal
from personnes.services.journal import Ligne
from signalements.models import Signalement
from socle.audit.registre import consigner
from socle.audit.vocabulaire import Acte, Sorte
from socle.domaine.droits import Droit, a_le_droit
from socle.domaine.registre import Registre
from socle.domaine.verrous import verrouiller_dans_l_ordre
from socle.moteur.delais import REPONSE_SECONDES, accorder
from stats.exports.services import perimer

# A request that began before an erasure has ended by then, and written what it had to.
ATTENTE_SECONDES = REPONSE_SECONDES + 1.0
ESSAIS = 5
# "portail" -> (session) -> rows taken away, by words: what the app of the pages keeps of a guest.
traces_d_un_invite: Registre[Callable[[SessionInvitee], dict[str, int]]] = Registre(
    "traces d'un invité", attendus=["portail"]
)


class _AutreRattachement(Exception):
    """A session was merged into the account between the two locks."""


@dataclass
class Bilan:
    """Result of an erasure, done or only simulated; `copies_de` is for the second look."""

    sorte: Sorte
    cle: UUID
    deja_fait: bool = False
    nombres: dict[str, int] = field(default_factory=dict)
    copies_de: copies.Remplacement | None = None
    fini_le: datetime | None = None

    def ajouter(self, nombres: dict[str, int]) -> None:
        for mots, nombre in nombres.items():
            self.nombres[mots] = self.nombres.get(mots, 0) + nombre


def effacer_compte(cle: UUID, *, simulation: bool = False, rejoue: bool = False) -> Bilan:
    """Erase an account, and the guest sessions that were merged into it; an erased one is left as it is.

    `rejoue` erases it whatever its role, and writes nothing to the log: it is there.
    """
    _exiger_le_journal(simulation or rejoue)
    for _essai in range(ESSAIS):
        with suppress(_AutreRattachement):
            return _effacer_compte(cle, simulation, rejoue)
    raise RattachementsEnCours


@transaction.atomic
def _effacer_compte(cle: UUID, simulation: bool, rejoue: bool) -> Bilan:
    accorder(0)
    rattachees = SessionInvitee.objects.filter(fusionnee_dans=cle).order_by("pk")
    sessions = _tenir(rattachees)
    compte = Compte.objects.select_for_update(no_key=True).filter(pk=cle).first()
    if compte is None:
        raise PersonneInconnue
    bilan = Bilan(Sorte.COMPTE, cle, deja_fait=compte.date_effacement is not None)
    if bilan.deja_fait:
        return bilan
    if set(rattachees.values_list("pk", flat=True)) != {session.pk for session in sessions}:
        raise _AutreRattachement
    if not rejoue and compte.est_actif and a_le_droit(compte.role, Droit.ESPACE_ENTRER):
        raise CompteDeLEquipe
    if not rejoue:
        _exiger_aucun_gel(compte=compte)
    connu = Connu.de(compte)
    remplacement = bilan.copies_de = copies.Remplacement(connu)
    bilan.ajouter({"inscriptions à venir": liberer_les_places(compte=compte)})
    bilan.ajouter(effacement.effacer(compte, connu))
    bilan.ajouter({"demandes de relecture": oublier_les_demandes(compte)})
    bilan.ajouter({"avis": oublier_la_personne(compte)})
    for session in sessions:
        bilan.ajouter(_effacer(session))
    bilan.ajouter({"historique des dossiers": copies.renommer_dans_l_historique(remplacement)})
    bilan.ajouter({"pages ouvertes": copies.fermer_les_pages(remplacement)})
    bilan.ajouter({"fichiers d'export": perimer(avant=timezone.now())})
    _consigner(bilan, rejoue)
    effaces = [(Sorte.COMPTE, compte.pk), *((Sorte.SESSION_INVITEE, session.pk) for session in sessions)]
    bilan.ajouter(copies.remplacer(remplacement))
    return _finir(bilan, effaces, simulation=simulation, rejoue=rejoue)


def effacer_session(cle: UUID, *, simulation: bool = False, rejoue: bool = False) -> Bilan:
    """Erase a guest session; SessionDUnCompte for a merged one, which its account is erased with."""
    _exiger_le_journal(simulation or rejoue)
    return _effacer_session(cle, simulation, rejoue)


@transaction.atomic
def _effacer_session(cle: UUID, simulation: bool, rejoue: bool) -> Bilan:
    session = next(iter(_tenir(SessionInvitee.objects.filter(pk=cle))), None)
    if session is None:
        raise PersonneInconnue
    bilan = Bilan(Sorte.SESSION_INVITEE, cle, deja_fait=session.date_effacement is not None)
    if bilan.deja_fait:
        return bilan
    if session.statut == StatutInvite.MERGED and not rejoue:
        raise SessionDUnCompte(session.fusionnee_dans_id)
    if not rejoue:
        _exiger_aucun_gel(invite=session)
    bilan.ajouter(_effacer(session))
    _consigner(bilan, rejoue)
    return _finir(bilan, [(bilan.sorte, cle)], simulation=simulation, rejoue=rejoue)


def achever(bilan: Bilan) -> None:
    """The second look, ATTENTE_SECONDES after the commit: what a request under way wrote meanwhile, under the name."""
    if bilan.copies_de is not None and bilan.fini_le is not None:
        with transaction.atomic():
            accorder(0)
            compte = Compte.objects.get(pk=bilan.cle)
            bilan.ajouter({"inscriptions à venir": liberer_les_places(compte=compte)})
            bilan.ajouter({"fichiers d'export": perimer(avant=bilan.fini_le)})
            bilan.ajouter({"historique des dossiers": copies.renommer_dans_l_historique(bilan.copies_de)})
            bilan.ajouter(copies.remplacer(bilan.copies_de))


def rejouer(lignes: Iterable[Ligne]) -> int:
    """Erase again, on a base that was put back, whoever is in it and in these lines; how many were not erased there."""
    refaits = 0
    for ligne in lignes:
        acte = effacer_compte if ligne.sorte == Sorte.COMPTE else effacer_session
        with suppress(PersonneInconnue):
            bilan = acte(UUID(hex=ligne.id), rejoue=True)
            achever(bilan)  # nobody else writes: the second look is at once
            refaits += not bilan.deja_fait
    return refaits


def absentes_du_journal() -> list[Ligne]:
    """Erasures that the base knows of and the log does not."""
    connues = {ligne.qui for ligne in journal.lire(journal.chemin())}
    lignes = [
        Ligne.de(sorte, cle)
        for sorte, modele in ((Sorte.COMPTE, Compte), (Sorte.SESSION_INVITEE, SessionInvitee))
        for cle in modele.objects.filter(date_effacement__isnull=False).values_list("pk", flat=True)
    ]
    return [ligne for ligne in lignes if ligne.qui not in connues]


def _exiger_le_journal(est_inutile: bool) -> None:
    """JournalFaux where it cannot be written, JournalPerdu where it is gone: a new one would not know the others."""
    if est_inutile:
        return
    if not journal.chemin().exists() and absentes_du_journal():
        raise JournalPerdu
    journal.exiger_inscriptible()


def _exiger_aucun_gel(**proprietaire: Any) -> None:
    geles = Signalement.objects.filter(gele_depuis__isnull=False, **proprietaire).order_by("reference")
    if reference := geles.values_list("reference", flat=True).first():
        raise DossierGele(reference)


def _tenir(sessions: Any) -> list[SessionInvitee]:
    """Lock them; their numbers are not read, which a lost key would prevent."""
    return verrouiller_dans_l_ordre(sessions.defer("telephone"))


def _effacer(session: SessionInvitee) -> dict[str, int]:
    """Erase a session whose row is held."""
    if session.date_effacement is not None:
        return {}
    invites.effacer(session)
    nombres = {"sessions invitées": 1}
    for _nom, oublier in traces_d_un_invite.items():
        nombres |= oublier(session)
    return nombres


def _consigner(bilan: Bilan, rejoue: bool) -> None:
    """Not the sessions of an account beside it: who reads the register would learn whose they were."""
    consigner(Acte.PERSONNE_EFFACEE, par=None, objet=bilan.cle, sorte=bilan.sorte, rejoue=rejoue)


def _finir(bilan: Bilan, effaces: Iterable[tuple[Sorte, UUID]], *, simulation: bool, rejoue: bool) -> Bilan:
    """Undo a simulation; else write the log, once the database has taken all that comes before its commit."""
    with connection.cursor() as curseur:
        curseur.execute("SELECT 1")  # what was kept to be sent with the next statement is refused now, or never
    if simulation:
        transaction.set_rollback(True)
    elif not rejoue:
        journal.ajouter(Ligne.de(sorte, cle) for sorte, cle in effaces)
    bilan.fini_le = timezone.now()
    return bilan
