"""Prepared statements without a cursor: one or several in one round trip, and writes that wait for the next one."""

import time
from collections import OrderedDict
from collections.abc import Generator, Sequence
from typing import Any, NamedTuple
from uuid import UUID

from psycopg import errors, pq
from psycopg.adapt import PyFormat, Transformer
from psycopg.generators import execute
from psycopg.waiting import Ready, Wait

from socle.moteur.delais import noter_une_fin_inconnue
from socle.moteur.issue import IssueInconnue, est_inconnue

PREPAREES_MAX = 400  # of one connection, which forgets the least used
# PostgreSQL keeps the plan that it made of a statement, for as few rows as there were then, until somebody analyzes the
# table: it is prepared anew after so many seconds, then after four times as many, up to a quarter of an hour.
PREMIERE_VIE, VIE_MAX = 15.0, 900.0
_UUID_OID = 2950  # of PostgreSQL's own types
TOUTES = b"ALL"  # the names that the server knows
REMIS_MAX = 100  # writes kept at once
BINAIRE, AUTO = pq.Format.BINARY, PyFormat.AUTO
REUSSIS = (pq.ExecStatus.TUPLES_OK, pq.ExecStatus.COMMAND_OK)
SYNCHRONISE = pq.ExecStatus.PIPELINE_SYNC
HORS_TRANSACTION = pq.TransactionStatus.IDLE
# A change of the schema has made another statement of it, or the server no longer has it.
PERIMEES = (errors.FeatureNotSupported, errors.InvalidSqlStatementName)

Lignes = list[tuple[Any, ...]]
Cle = tuple[bytes, tuple[int, ...]]


class Ordre(NamedTuple):
    """A statement, and its values as $1, $2…"""

    texte: bytes
    valeurs: Sequence[Any] = ()


class _Preparee:
    """A statement that the server has parsed, or is about to, and the reader of its rows."""

    __slots__ = ("est_faite", "fin", "lecteur", "nom", "sait_lire", "texte", "types", "vie")

    def __init__(self, nom: bytes, cle: Cle, lecteur: Any, vie: float = 0.0) -> None:
        self.nom, self.lecteur, self.vie = nom, lecteur, vie
        self.texte, self.types = cle
        self.fin = time.monotonic() + vie
        self.est_faite = self.sait_lire = False

    def lignes(self, resultat: Any) -> Lignes:
        self.lecteur.set_pgresult(resultat, set_loaders=not self.sait_lire, format=BINAIRE)
        self.sait_lire = True
        lues: Lignes = self.lecteur.load_rows(0, resultat.ntuples, tuple)
        self.lecteur.set_pgresult(None, set_loaders=False)
        return lues


def _en_ids(valeurs: Sequence[Any]) -> list[bytes] | None:
    """The wire form of values that are all UUIDs, of which psycopg's dumper is Python; None where one is not."""
    ids = []
    for valeur in valeurs:
        if valeur.__class__ is not UUID:
            return None
        ids.append(valeur.int.to_bytes(16, "big"))
    return ids


def _nue(cle: Cle) -> _Preparee:
    """A statement of its own words, which needs no name."""
    nue = _Preparee(b"", cle, None)
    nue.est_faite = True
    return nue


class Dit(NamedTuple):
    """A statement as it goes to the server: its values in their wire form, whatever the connection."""

    cle: Cle
    parametres: Sequence[Any]
    formats: Sequence[Any] | None


BEGIN, COMMIT = Dit((b"BEGIN", ()), (), None), Dit((b"COMMIT", ()), (), None)
# Stands for what prepares a statement, or has the server forget one: it has an answer, and no rows.
PREPARATIF = Dit((b"", ()), (), None)
_OUBLIEE = _nue(PREPARATIF.cle)  # of all connections: nothing reads what becomes of it
_Envoi = tuple[_Preparee, Dit]
# Sent in their own words: they are what puts right, or ends, a transaction whose statements the server has lost.
_NUES = {dit.cle: _nue(dit.cle) for dit in (BEGIN, COMMIT)}


class Pipeline:
    """The prepared statements of one connection; psycopg knows nothing of them, so a rollback forgets none."""

    def __init__(self, connexion: Any) -> None:
        self._connexion = connexion
        self._pgconn = connexion.pgconn
        self._ecrivain = Transformer(connexion)
        self._preparees: OrderedDict[Cle, _Preparee] = OrderedDict()
        self._nommees = 0
        self._a_oublier: list[bytes] = []
        self._remis: list[Dit] = []
        self.entendue = 0.0  # when the server last answered, by the monotonic clock

    def lire(self, texte: bytes, valeurs: Sequence[Any]) -> Lignes:
        """The rows of a statement."""
        return self._lire([self.dire(texte, valeurs)])[0]

    def lire_ensemble(self, ordres: Sequence[Ordre]) -> list[Lignes]:
        """The rows of each statement, run in this order; behind a lock, each sees what was committed before it."""
        return self._lire([self.dire(*ordre) for ordre in ordres])

    def _lire(self, dits: Sequence[Dit]) -> list[Lignes]:
        """Read the rows of statements that are said; one that cannot be has left what was kept as it is."""
        avant = self._prendre_ce_qui_precede()
        recus = self._envoyer([*avant, *dits])
        return [preparee.lignes(resultat) for preparee, resultat in recus[len(avant) :]]

    def ecrire(self, texte: bytes, valeurs: Sequence[Any]) -> int:
        """Run the statement; return how many rows it has written."""
        dit = self.dire(texte, valeurs)
        *_, (_preparee, resultat) = self._envoyer([*self._prendre_ce_qui_precede(), dit])
        return resultat.command_tuples or 0

    def remettre(self, ordre: Ordre) -> None:
        """Keep a write for the next round trip of this transaction, at the latest its commit.

        What the server says against it is raised there; a rollback, to a savepoint too, drops it unsent.
        """
        self._remis.append(self.dire(*ordre))
        if len(self._remis) >= REMIS_MAX:
            self.vider()

    def vider(self) -> None:
        if self._remis:
            self._envoyer(self._prendre_ce_qui_precede())

    def valider(self) -> None:
        """Commit, with what was kept for it."""
        if self._remis or self._pgconn.transaction_status != HORS_TRANSACTION:
            *_, (_preparee, resultat) = self._envoyer([*self._prendre_ce_qui_precede(), COMMIT])
            if resultat.command_status != COMMIT.cle[0]:
                raise errors.InFailedSqlTransaction("an error was passed over: the transaction was rolled back")

    @property
    def attend(self) -> bool:
        """True where a write was kept."""
        return bool(self._remis)

    def abandonner(self) -> None:
        self._remis.clear()

    def _prendre_ce_qui_precede(self) -> list[Dit]:
        """Take what was kept, behind the beginning of a transaction that has had no statement yet."""
        remis, self._remis = self._remis, []
        if not self._connexion._autocommit and self._pgconn.transaction_status == HORS_TRANSACTION:
            return [BEGIN, *remis]
        return remis

    def _envoyer(self, dits: Sequence[Dit]) -> list[tuple[_Preparee, Any]]:
        est_entier = self._pgconn.transaction_status == HORS_TRANSACTION  # no earlier part to be lost with it
        try:
            return self._envoyer_une_fois(dits)
        except PERIMEES:
            self._preparees.clear()
            self._a_oublier = [TOUTES]
            if not est_entier or self._pgconn.transaction_status != HORS_TRANSACTION:
                raise
            return self._envoyer_une_fois(dits)

    def _envoyer_une_fois(self, dits: Sequence[Dit]) -> list[tuple[_Preparee, Any]]:
        envois = [(_NUES.get(dit.cle) or self._preparee(dit.cle), dit) for dit in dits]
        if len(envois) == 1 and envois[0][0].est_faite:
            preparee, dit = envois[0]
            resultat = self._envoyer_seul(preparee, dit)
            self._examiner(dit, resultat)
            recus = [(preparee, resultat)]
        else:
            recus = self._envoyer_en_file(envois)
        self.entendue = time.monotonic()
        return recus

    def dire(self, texte: bytes, valeurs: Sequence[Any]) -> Dit:
        """The statement with these values, ready to be sent, now or later."""
        if (ids := _en_ids(valeurs)) is not None:
            return Dit((texte, (_UUID_OID,) * len(ids)), ids, [BINAIRE] * len(ids))
        ecrivain = self._ecrivain
        parametres = ecrivain.dump_sequence(valeurs, [AUTO] * len(valeurs))
        return Dit((texte, ecrivain.types or ()), parametres, ecrivain.formats)

    def _preparee(self, cle: Cle) -> _Preparee:
        connue = self._preparees.get(cle)
        if connue is not None:
            self._preparees.move_to_end(cle)
            if connue.fin > self.entendue:
                return connue
            self._oublier(connue)
        elif len(self._preparees) >= PREPAREES_MAX:
            self._oublier(self._preparees.popitem(last=False)[1])
        vie = PREMIERE_VIE if connue is None else min(4 * connue.vie, VIE_MAX)
        self._nommees += 1
        neuve = self._preparees[cle] = _Preparee(b"c%d" % self._nommees, cle, Transformer(self._connexion), vie)
        return neuve

    def _oublier(self, preparee: _Preparee) -> None:
        self._a_oublier += [preparee.nom] if preparee.est_faite else []

    def _envoyer_seul(self, preparee: _Preparee, dit: Dit) -> Any:
        self._dire_au_serveur(preparee, dit)
        *_, resultat = self._connexion.attendre(execute(self._pgconn), annuler=dit is COMMIT)
        return resultat

    def _dire_au_serveur(self, preparee: _Preparee, dit: Dit) -> None:
        if preparee.nom:
            self._pgconn.send_query_prepared(preparee.nom, dit.parametres, dit.formats, BINAIRE)
        else:
            self._pgconn.send_query_params(preparee.texte, None)

    def _envoyer_en_file(self, envois: Sequence[_Envoi]) -> list[tuple[_Preparee, Any]]:
        """In libpq's pipeline mode: sent together, answered in order; behind an error nothing is run."""
        pgconn = self._pgconn
        try:
            pgconn.enter_pipeline_mode()
            attendus = self._mettre_en_file(envois)
            pgconn.pipeline_sync()
            resultats = self._connexion.attendre(_recevoir(pgconn), annuler=envois[-1][1] is COMMIT)
            pgconn.exit_pipeline_mode()
        except BaseException:
            pgconn.finish()  # what is still to be answered would be taken for the answer to something else
            raise
        couples = list(zip(attendus, resultats, strict=True))
        if len(couples) > len(envois):
            for (preparee, dit), resultat in couples:
                if dit is PREPARATIF:
                    preparee.est_faite = resultat.status in REUSSIS
                    # Behind an error the server has not read it; a pooler may have, and would refuse the name again.
                    self._a_oublier += [preparee.nom] if preparee.nom and not preparee.est_faite else []
        recus = []
        for (preparee, dit), resultat in couples:
            self._examiner(dit, resultat)
            if dit is not PREPARATIF:
                recus.append((preparee, resultat))
        return recus

    def _examiner(self, dit: Dit, resultat: Any) -> None:
        """Raise what the server says against a statement."""
        if resultat.status not in REUSSIS:
            panne = errors.error_from_result(resultat, encoding=self._ecrivain.encoding)
            if dit is COMMIT and est_inconnue(panne):
                noter_une_fin_inconnue()
                raise IssueInconnue("the server stopped in a commit: it may be done") from panne
            raise panne

    def _oublier_au_serveur(self) -> int:
        """Close the statements that are forgotten here; how many answers that makes."""
        oubliees, self._a_oublier = self._a_oublier, []
        for nom in oubliees:
            if nom == TOUTES:
                self._pgconn.send_query_params(b"DEALLOCATE ALL", None)
            else:
                self._pgconn.send_close_prepared(nom)  # unlike DEALLOCATE, PgBouncer follows it
        return len(oubliees)

    def _mettre_en_file(self, envois: Sequence[_Envoi]) -> list[_Envoi]:
        """Close what is forgotten, prepare what is not, and run; what each answer will be about."""
        attendus = [(_OUBLIEE, PREPARATIF)] * self._oublier_au_serveur() if self._a_oublier else []
        for preparee, dit in envois:
            if not preparee.est_faite and (preparee, PREPARATIF) not in attendus:
                self._pgconn.send_prepare(preparee.nom, preparee.texte, preparee.types)
                attendus.append((preparee, PREPARATIF))
            self._dire_au_serveur(preparee, dit)
            attendus.append((preparee, dit))
        return attendus


def _recevoir(pgconn: Any) -> Generator[Wait, Ready, list[Any]]:
    """Send what waits, then collect the result of each command up to the mark of the end."""
    while pgconn.flush():
        if (yield Wait.RW) & Ready.R:
            pgconn.consume_input()
    resultats: list[Any] = []
    while True:
        while pgconn.is_busy():
            yield Wait.R
            pgconn.consume_input()
        resultat = pgconn.get_result()
        if resultat is None:  # between two commands
            continue
        if resultat.status == SYNCHRONISE:
            return resultats
        resultats.append(resultat)
