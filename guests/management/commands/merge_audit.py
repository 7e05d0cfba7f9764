"""manage.py merge_audit: list, show and verify merges, and revert one."""

import json
from argparse import ArgumentTypeError
from collections.abc import Callable, Iterable
from datetime import UTC, datetime, time
from typing import Any
from uuid import UUID

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db.models import Q, QuerySet
from django.utils.dateparse import parse_date, parse_datetime

from guests.fusion.retour import RetourImpossible, annuler
from guests.fusion.verification import verifier
from guests.models import AuditFusion
from socle.domaine.adresses import canonique
from socle.domaine.identite import empreinte_guest_id, pseudonyme
from socle.domaine.temps import horodatage

REFUS, USAGE = 1, 2


class Command(BaseCommand):
    help = (
        "Fusions de sessions invitées. list : leur liste ; show ID : une fusion, ce qui en est advenu ; "
        "verify : chaque fusion tient-elle ? ; revert ID : rendre à l'invité tout ce qu'une fusion a déplacé. "
        "Codes de sortie : 0, tout va bien ; 1, verify a trouvé une anomalie ou revert est refusé ; "
        "2, demande mal faite."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        actes = parser.add_subparsers(dest="acte", required=True, metavar="{list,show,verify,revert}")
        liste = actes.add_parser("list", help="les fusions, la plus récente d'abord")
        liste.add_argument("--guest", type=_uuid, metavar="ID", help="identifiant d'invité, ou de sa session")
        liste.add_argument("--user", metavar="ID", help="identifiant ou e-mail du compte")
        liste.add_argument("--since", type=_instant, metavar="DATE", help="AAAA-MM-JJ ou date et heure ISO 8601")
        montre = actes.add_parser("show", help="une fusion : décisions, éléments absorbés, doublons")
        montre.add_argument("id", type=_uuid)
        verifie = actes.add_parser("verify", help="sort 1 et nomme chaque anomalie")
        annule = actes.add_parser(
            "revert",
            help=f"tout rendre à l'invité, pendant {settings.MERGE_REVERT_DAYS} jours (MERGE_REVERT_DAYS) ; "
            "refusé, en disant pourquoi, si ce qui a changé depuis ne peut être remis",
        )
        annule.add_argument("id", type=_uuid)
        for acte in (liste, montre, verifie, annule):
            acte.add_argument("--json", action="store_true", dest="en_json", help="en JSON, pour un programme")

    def handle(self, *args: Any, acte: str, en_json: bool, **options: Any) -> None:
        actes: dict[str, Callable[..., None]] = {
            "list": self._lister,
            "show": self._montrer,
            "verify": self._verifier,
            "revert": self._annuler,
        }
        actes[acte](en_json=en_json, **options)

    def _lister(self, *, guest: UUID | None, user: str | None, since: datetime | None, en_json: bool, **_: Any) -> None:
        audits = _choisir(guest, user, since)
        if en_json:
            return self._ecrire_json([_resumer(audit) for audit in audits])
        lignes = [_ligne(audit) for audit in audits]
        entete = ("FUSION", "DATE", "COMPTE", "SIGNALEMENTS", "DISCUSSIONS", "MESSAGES", "SUIVIS", "ÉTAT")
        self._tableau(entete, lignes)
        self.stdout.write(f"{len(lignes)} fusion(s)")

    def _montrer(self, *, id: UUID, en_json: bool, **_: Any) -> None:
        audit = _connue(id)
        if en_json:
            return self._ecrire_json(_resumer(audit))
        resume = audit.resume
        self._tableau(("", ""), [(f"{nom} :", str(valeur)) for nom, valeur in _fiche(audit)])
        if resume["decisions"]:
            self.stdout.write("\nDécisions :")
            noms = ("level", "reason", "action", "guestEntityId", "targetEntityId")
            self._tableau(
                ("NIVEAU", "MOTIF", "ACTION", "DE L'INVITÉ", "DU COMPTE"),
                [tuple(decision[nom] for nom in noms) for decision in resume["decisions"]],
            )
        for titre, cle in (
            ("Signalements absorbés", "absorbedSignalements"),
            ("Discussions absorbées", "absorbedDiscussions"),
            ("Messages écartés comme doublons", "deduplicatedMessages"),
        ):
            if resume[cle]:
                self.stdout.write(f"\n{titre} ({len(resume[cle])}) :")
                self.stdout.write("\n".join(f"  {pk}" for pk in resume[cle]))

    def _verifier(self, *, en_json: bool, **_: Any) -> None:
        anomalies = list(verifier())
        if en_json:
            self._ecrire_json({"ok": not anomalies, "problems": anomalies})
        elif not anomalies:
            self.stdout.write(f"{AuditFusion.objects.filter(date_annulation=None).count()} fusion(s), toutes justes.")
        if anomalies:
            phrases = "\n".join(f"  {anomalie}" for anomalie in anomalies)
            raise CommandError(f"{len(anomalies)} anomalie(s) :\n{phrases}", returncode=REFUS)

    def _annuler(self, *, id: UUID, en_json: bool, **_: Any) -> None:
        audit = _connue(id)
        try:
            annuler(audit)
        except RetourImpossible as refus:
            if en_json:
                self._ecrire_json({"reverted": False, "problems": refus.raisons})
            phrases = "\n".join(f"  {raison}" for raison in refus.raisons)
            raise CommandError(
                f"Rien n'a été changé. Cette fusion ne peut être annulée :\n{phrases}", returncode=REFUS
            ) from refus
        if en_json:
            return self._ecrire_json({"reverted": True, **_resumer(audit)})
        self.stdout.write(f"Fusion {audit.pk} annulée : la session invitée est de nouveau active, tout lui est rendu.")

    def _ecrire_json(self, valeur: Any) -> None:
        self.stdout.write(json.dumps(valeur, ensure_ascii=False, indent=2))

    def _tableau(self, entete: tuple[str, ...], lignes: Iterable[tuple[str, ...]]) -> None:
        rangees = [entete, *lignes] if any(entete) else list(lignes)
        largeurs = [max(len(cellule) for cellule in colonne) for colonne in zip(*rangees, strict=True)]
        for rangee in rangees:
            cellules = (cellule.ljust(largeur) for cellule, largeur in zip(rangee, largeurs, strict=True))
            self.stdout.write("  ".join(cellules).rstrip())


def _choisir(guest: UUID | None, user: str | None, since: datetime | None) -> QuerySet[AuditFusion]:
    audits = AuditFusion.objects.select_related("session", "compte").defer("retour", "session__telephone")
    if guest is not None:
        audits = audits.filter(Q(session=guest) | Q(session__guest_id_empreinte=empreinte_guest_id(guest)))
    if user is not None:
        audits = audits.filter(Q(compte__email=canonique(user)) if "@" in user else Q(compte=_compte(user)))
    if since is not None:
        audits = audits.filter(date_creation__gte=since)
    return audits.order_by("-date_creation", "-pk")


def _connue(pk: UUID) -> AuditFusion:
    audit = AuditFusion.objects.select_related("session", "compte").filter(pk=pk).first()
    if audit is None:
        raise CommandError(f"Aucune fusion {pk}. « merge_audit list » les montre.", returncode=USAGE)
    return audit


def _resumer(audit: AuditFusion) -> dict[str, Any]:
    """A merge in the words of the contract; `guestId` is the pseudonym that staff see: the true one opened the case."""
    return {
        "id": str(audit.pk),
        "guestId": pseudonyme("invite", audit.session_id),
        "sessionId": str(audit.session_id),
        "userId": str(audit.compte_id),
        "mergeRequestId": audit.cle,
        "summary": audit.resume,
        "createdAt": horodatage(audit.date_creation),
        "revertedAt": horodatage(audit.date_annulation) if audit.date_annulation else None,
    }


def _fiche(audit: AuditFusion) -> Iterable[tuple[str, Any]]:
    yield "Fusion", audit.pk
    yield "Clé", audit.cle
    yield "Session", audit.session_id
    yield "Compte", audit.compte_id
    yield "Faite le", horodatage(audit.date_creation)
    yield "Annulée le", horodatage(audit.date_annulation) if audit.date_annulation else "—"
    yield "Politique", audit.resume["acceptPolicy"]
    yield from ((nom.capitalize(), nombre) for nom, nombre in audit.resume["migratedCounts"].items())


def _ligne(audit: AuditFusion) -> tuple[str, ...]:
    comptes = audit.resume["migratedCounts"]
    nombres = (str(comptes[nom]) for nom in ("signalements", "discussions", "messages", "suivis"))
    etat = "annulée" if audit.date_annulation else "faite"
    return (str(audit.pk), horodatage(audit.date_creation), str(audit.compte_id), *nombres, etat)


def _uuid(texte: str) -> UUID:
    try:
        return UUID(texte)
    except ValueError:
        raise ArgumentTypeError("un identifiant UUID est attendu") from None


def _compte(texte: str) -> UUID:
    try:
        return UUID(texte)
    except ValueError:
        raise CommandError(
            "--user : un identifiant UUID ou une adresse e-mail est attendu.", returncode=USAGE
        ) from None


def _instant(texte: str) -> datetime:
    """A day of the campus, or an instant; without an offset it is read as UTC."""
    try:
        if (jour := parse_date(texte)) is not None:
            return datetime.combine(jour, time.min, tzinfo=settings.TIME_ZONE_CAMPUS)
        if (instant := parse_datetime(texte)) is not None:
            return instant if instant.tzinfo else instant.replace(tzinfo=UTC)
    except ValueError:
        pass  # a date that does not exist: the same refusal as one that cannot be read
    raise ArgumentTypeError("une date est attendue, comme 2026-03-01 ou 2026-03-01T14:30:00Z")
