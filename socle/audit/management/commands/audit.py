"""manage.py audit: list, verify and seal the register."""

import json
import re
import signal
from argparse import ArgumentTypeError
from collections.abc import Callable
from pathlib import Path
from threading import Event
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection

from socle.audit.models import Sceau, Trace
from socle.audit.protection import est_posee
from socle.audit.sceaux import EtatDesSceaux, sceller, verifier
from socle.audit.suivi import PAUSE, dernier_sceau, en_ligne, lire_la_reprise, noter_la_reprise, suivre
from socle.audit.vocabulaire import Acte
from socle.moteur.delais import accorder

ANOMALIES_MAX = 100
REFUS = 1


class Command(BaseCommand):
    help = (
        "Registre de ce que fait l'équipe. list : ses lignes, la plus récente d'abord ; verify : rien n'a-t-il été "
        "changé depuis ? ; seal : sceller maintenant ce que l'ouvrier scelle chaque minute. "
        "Codes de sortie : 0, tout va bien ; 1, verify a trouvé une anomalie ; 2, demande mal faite."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        actes = parser.add_subparsers(dest="quoi", required=True, metavar="{list,verify,seal}")
        liste = actes.add_parser("list", help="les lignes, une par ligne, en JSON")
        liste.add_argument("--acte", choices=Acte.values, metavar="ACTE", help=", ".join(Acte.values))
        liste.add_argument("--acteur", type=_uuid, metavar="ID", help="identifiant du compte")
        liste.add_argument("--objet", type=_uuid, metavar="ID", help="identifiant du dossier, du compte, de l'export…")
        liste.add_argument("--limit", type=int, default=100, metavar="N", help="100 au plus, si rien n'est dit")
        liste.add_argument(
            "--suivre",
            action="store_true",
            help="celles de chaque sceau, à mesure, de la plus ancienne à la plus récente, jusqu'à SIGTERM ; les "
            "filtres n'y valent pas",
        )
        liste.add_argument(
            "--apres", type=int, metavar="N", help="suivre après ce sceau ; 0 : tout ; absent : le reste"
        )
        liste.add_argument("--reprise", type=Path, metavar="FICHIER", help="y noter le sceau suivi, et en repartir")
        verifie = actes.add_parser("verify", help="sort 1 et nomme chaque anomalie ; écrit le dernier sceau")
        verifie.add_argument(
            "--head",
            type=_tete,
            action="append",
            default=[],
            metavar="N:SCEAU",
            help="un sceau noté ailleurs, qui doit y être encore ; plusieurs fois si l'on veut",
        )
        actes.add_parser("seal", help="sceller maintenant, et ce qui serait arrivé en retard")

    def handle(self, *args: Any, quoi: str, **options: Any) -> None:
        accorder(0)
        actes: dict[str, Callable[..., None]] = {
            "list": self._lister,
            "verify": self._verifier,
            "seal": self._sceller,
        }
        actes[quoi](**options)

    def _lister(
        self, *, acte: str | None, acteur: UUID | None, objet: UUID | None, limit: int, suivre: bool, **suivi: Any
    ) -> None:
        if suivre:
            self._suivre(**suivi)
            return
        criteres = {"acte": acte, "acteur": acteur, "objet": objet}
        traces = Trace.objects.filter(**{nom: valeur for nom, valeur in criteres.items() if valeur is not None})
        for trace in traces.order_by("-date", "-id")[: max(limit, 0)]:
            self.stdout.write(json.dumps(en_ligne(trace), ensure_ascii=False))

    def _suivre(self, *, apres: int | None, reprise: Path | None, **_: Any) -> None:
        """Write what each seal holds, then note its number: stopped in between, it is written again."""
        arret = Event()
        for signe in (signal.SIGTERM, signal.SIGINT):
            signal.signal(signe, lambda *_: arret.set())
        notee = lire_la_reprise(reprise) if reprise is not None else None
        depuis = next(numero for numero in (notee, apres, dernier_sceau()) if numero is not None)
        for numero, lignes in suivre(depuis, lambda: not arret.wait(PAUSE)):
            for ligne in lignes:
                self.stdout.write(json.dumps(ligne, ensure_ascii=False))
            self.stdout.flush()
            if reprise is not None:
                noter_la_reprise(reprise, numero)
            if arret.is_set():
                return

    def _verifier(self, *, head: list[tuple[int, str]], **_: Any) -> None:
        etat = EtatDesSceaux()
        anomalies: list[str] = (
            []
            if est_posee(connection)
            else ["La base accepterait de changer le registre : ses déclencheurs ont été retirés."]
        )
        for anomalie in verifier(etat, tetes=dict(head)):
            anomalies.append(str(anomalie))
            if len(anomalies) >= ANOMALIES_MAX:
                anomalies.append("…")
                break
        if anomalies:
            phrases = "\n".join(f"  {anomalie}" for anomalie in anomalies)
            raise CommandError(f"Le registre a été touché :\n{phrases}", returncode=REFUS)
        self.stdout.write(f"{etat.traces} trace(s), {etat.traces - etat.scellees} à sceller. La chaîne tient.")
        if etat.tete is not None:
            self.stdout.write(f"Dernier sceau, à noter ailleurs : {etat.tete}")

    def _sceller(self, **_: Any) -> None:
        nombre = sceller(depuis_toujours=True)
        dernier = Sceau.objects.order_by("-numero").first()
        self.stdout.write(f"{nombre} trace(s) scellée(s). Dernier sceau : {dernier or 'aucun'}")


def _uuid(texte: str) -> UUID:
    try:
        return UUID(texte)
    except ValueError as faux:
        raise ArgumentTypeError("on attend un identifiant UUID") from faux


def _tete(texte: str) -> tuple[int, str]:
    if not re.fullmatch(r"[0-9]{1,18}:[0-9a-f]{64}", texte):
        raise ArgumentTypeError("on attend N:SCEAU, comme verify l'écrit")
    numero, _deux_points, empreinte = texte.partition(":")
    return int(numero), empreinte
