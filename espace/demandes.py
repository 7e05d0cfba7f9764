"""Address of the lists, read and written: a list, an order, filters, a place to go on from."""

from collections.abc import Iterable
from contextlib import suppress
from typing import Any, NamedTuple, Self
from uuid import UUID

from django.http import QueryDict

from espace.services.filtres import ADRESSE_MAX
from espace.services.reprises import Reprise
from espace.vocabulaire import (
    A_FAIRE,
    ANCIENS,
    DE_DATE,
    JAMAIS_LUS,
    OUVERTS,
    PROMIS,
    RECENTS,
    TRIEES,
    TRIS,
    URGENTS,
    VUES,
)
from signalements.vocabulaire import Priorite
from socle.moteur.conditions import Mot

FILTRES = ("search", "statut", "priorite", "type", "gestionnaireId", "sourceActeur", "debut", "fin")


class Demande(NamedTuple):
    """One list as it was asked for; what an address says beside is left out."""

    vue: str
    tri: str  # "" for the list's own order
    donnes: dict[str, str]  # filter -> as it was written
    reprise: Reprise | None = None

    @classmethod
    def lue_dans(cls, demande: QueryDict) -> Self:
        """Parse it; « À faire » is neither filtered nor sorted: what asks for that is about all open cases."""
        donnes = {nom: str(valeur) for nom, valeur in demande.items() if nom in FILTRES and str(valeur).strip()}
        tri = demande.get("tri", "") if demande.get("tri") in TRIS else ""
        reprise = Reprise.lue_dans(demande)
        vue = demande.get("vue", "") if demande.get("vue") in (*VUES, JAMAIS_LUS) else A_FAIRE
        if vue == A_FAIRE and (donnes or tri or reprise):
            vue = OUVERTS
        return cls(vue, tri, donnes, reprise)

    @classmethod
    def ecrite(cls, adresse: str) -> Self:
        """Parse the one that a form or a link of ours sends back."""
        return cls.lue_dans(QueryDict(adresse[:ADRESSE_MAX].lstrip("?")))

    @property
    def est_triee(self) -> bool:
        """True of a list that is shown by groups."""
        return self.vue in TRIEES and not (self.donnes or self.tri or self.reprise)

    @property
    def ordre(self) -> str:
        return self.tri or (PROMIS if self.vue in DE_DATE else RECENTS)

    @property
    def champ(self) -> str:
        """The column that the order goes by."""
        return "prochaine_echeance" if self.ordre == PROMIS else "date_creation"

    @property
    def croissant(self) -> bool:
        """The oldest first, of each slice."""
        return self.ordre in (ANCIENS, URGENTS, PROMIS)

    def tranches(self, lignes: Any) -> list[Any]:
        """The querysets that follow one another in this order: one, or one for each priority, the most urgent first."""
        if self.ordre != URGENTS:
            return [lignes]
        return [lignes.filter(priorite=Mot(priorite)) for priorite in reversed(Priorite)]

    def champs(self) -> list[tuple[str, str]]:
        """List the names and values of its address, its place apart, in one order, whatever the order they came in."""
        dits = {"vue": self.vue, "tri": self.tri} | {nom: self.donnes[nom] for nom in FILTRES if nom in self.donnes}
        return [(nom, valeur) for nom, valeur in dits.items() if valeur]

    @property
    def adresse(self) -> str:
        """`?…`, with its place."""
        gardee = QueryDict(mutable=True)
        gardee.update(dict(self.champs()))
        if self.reprise is not None:
            gardee[self.reprise.cote] = self.reprise.valeur
        return f"?{gardee.urlencode()}"

    def autrement(self, **changes: Any) -> str:
        """Address of the same list with another order, place or filters; from its start where no place is said."""
        return self._replace(**{"reprise": None, **changes}).adresse

    def sans(self, filtre: str) -> str:
        """Address of the same list without this filter."""
        return self.autrement(donnes={nom: valeur for nom, valeur in self.donnes.items() if nom != filtre})


def rang_dit(question: QueryDict, nom: str) -> int:
    """Rank, from 1, that an address says under this name; 0 where it says none."""
    dit = question.get(nom, "")[:4]
    return int(dit) if dit.isascii() and dit.isdigit() else 0


PRISES_MAX = 20  # cases of one visit of a list


class Prise(NamedTuple):
    """A case that was taken from a list, and the place that it had in its group, from 1."""

    cle: UUID
    place: int

    def __str__(self) -> str:
        return f"{self.cle}.{self.place}"


def prises_dites(ecrites: Iterable[str]) -> list[Prise]:
    """The cases that an address says were taken from its list, the latest last; what is none is left out."""
    prises = []
    for ecrite in [*ecrites][-PRISES_MAX:]:
        cle, _point, place = ecrite.partition(".")
        with suppress(ValueError):
            prises.append(Prise(UUID(cle), int(place[:3]) if place[:3].isascii() and place[:3].isdigit() else 0))
    return prises


def d_ou(question: QueryDict) -> str:
    """`?vue=…&rang=…`, the list that a case was opened from and its place there, as an address says; "" for none."""
    if "vue" not in question:
        return ""
    dans = f"{Demande.lue_dans(question).adresse}&rang={rang_dit(question, 'rang')}"
    return dans if len(dans) <= ADRESSE_MAX else ""
