"""The columns of an export: headers in the language of who asked; widths; cells, which never depend on it."""

from collections.abc import Collection, Mapping
from datetime import UTC, datetime
from typing import Any, NamedTuple
from uuid import UUID

from django.conf import settings
from django.utils.translation import gettext_lazy as _
from django.utils.translation import override

from signalements.vocabulaire import Priorite, Statut
from socle.domaine.acteurs import SourceActeur
from socle.domaine.identite import nom_montre, source_montree
from stats.vocabulaire import AUTRE_EN_CLAIR

# Header, and width in a spreadsheet.
COLONNES = (
    (_("Référence"), 19),
    (_("Titre"), 40),
    (_("Type"), 20),
    (_("Statut"), 12),
    (_("Priorité"), 12),
    (_("Identification"), 15),
    (_("Origine"), 16),
    (_("Auteur"), 24),
    (_("Gestionnaire"), 24),
    (_("Lieu"), 28),
    (_("Date de l'incident"), 17),
    (_("Créé le"), 17),
    (_("Modifié le"), 17),
    (_("Résolu le"), 17),
    (_("Délai de résolution (h)"), 22),
    (_("Bureau genre"), 18),
    (_("Pièces jointes"), 14),
    (_("Référence déclarée"), 19),
)
# Columns whose rare values may point at somebody.
REGROUPEES = ("type", "lieu_incident", "bureau_genre_id")


def colonnes(langue: str) -> list[tuple[str, int]]:
    """COLONNES, with their headers in this language."""
    with override(langue):
        return [(str(entete), largeur) for entete, largeur in COLONNES]


class Personne(NamedTuple):
    prenom: str | None
    nom: str | None

    @property
    def nom_complet(self) -> str:
        return f"{self.prenom or ''} {self.nom or ''}".strip()


class Ligne(NamedTuple):
    """A report as a named tuple of `values_list`: a model instance would cost several times as much."""

    reference: str
    reference_tiree: bool
    titre: str
    type: str
    statut: str
    priorite: str
    mode_identification: str
    compte_id: UUID | None
    invite_id: UUID | None
    fusionne_de_id: UUID | None
    compte__prenom: str | None
    compte__nom: str | None
    gestionnaire__prenom: str | None
    gestionnaire__nom: str | None
    lieu_incident: str
    date_incident: datetime | None
    date_creation: datetime
    date_modification: datetime
    date_resolution: datetime | None
    bureau_genre_id: str
    pieces_jointes: list[str]

    @property
    def compte(self) -> Personne:
        return Personne(self.compte__prenom, self.compte__nom)

    @property
    def heures(self) -> float | None:
        """Hours from creation to resolution, to a tenth; None while unresolved."""
        if self.date_resolution is None:
            return None
        return round((self.date_resolution - self.date_creation).total_seconds() / 3600, 1)


class Redaction:
    """Formatter of reports as cells, for one member of staff; construct it with French active.

    `partages` has, for the grouped columns, the values that enough reports share: others become "Autre".
    """

    def __init__(self, compte_id: UUID, partages: Mapping[str, Collection[str]]) -> None:
        self.compte_id = compte_id
        self.partages = partages
        self.statuts = {valeur: str(libelle) for valeur, libelle in Statut.choices}
        self.priorites = {valeur: str(libelle) for valeur, libelle in Priorite.choices}
        self.origines = {SourceActeur.AUTH_USER: "Compte", SourceActeur.GUEST: "Session invitée"}

    def cellules(self, ligne: Ligne) -> list[Any]:
        """In the order of COLONNES."""
        ligne = self._regroupee(ligne)
        return [
            ligne.reference,
            ligne.titre,
            ligne.type,
            self.statuts[ligne.statut],
            self.priorites[ligne.priorite],
            ligne.mode_identification,
            # For the least entitled viewer: a file is handed on, and an anonymous report must not name even its reader.
            self.origines[source_montree(ligne, vu_par=None, dossier=ligne)],
            nom_montre(ligne, vu_par=None, dossier=ligne),
            self._gestionnaire(ligne),
            ligne.lieu_incident,
            a_l_heure_du_campus(ligne.date_incident),
            a_l_heure_du_campus(ligne.date_creation),
            a_l_heure_du_campus(ligne.date_modification),
            a_l_heure_du_campus(ligne.date_resolution),
            ligne.heures,
            ligne.bureau_genre_id,
            len(ligne.pieces_jointes),
            # Never empty: read with another separator, a row that ends in an empty cell comes apart.
            "non" if ligne.reference_tiree else "oui",
        ]

    def _gestionnaire(self, ligne: Ligne) -> str:
        """The handler's name, "" on the reader's own report: they may not learn who handles it."""
        if ligne.compte_id == self.compte_id:
            return ""
        return Personne(ligne.gestionnaire__prenom, ligne.gestionnaire__nom).nom_complet

    def _regroupee(self, ligne: Ligne) -> Ligne:
        if not self.partages:
            return ligne
        rares: dict[str, Any] = {
            nom: AUTRE_EN_CLAIR for nom, valeurs in self.partages.items() if getattr(ligne, nom) not in valeurs
        }
        return ligne._replace(**rares) if rares else ligne


def a_l_heure_du_campus(moment: datetime | None) -> datetime | None:
    """Convert to campus time without an offset, as a spreadsheet wants it; UTC at the ends of the calendar."""
    if moment is None:
        return None
    try:
        return moment.astimezone(settings.TIME_ZONE_CAMPUS).replace(tzinfo=None)
    except OverflowError:  # at the ends of the calendar
        return moment.astimezone(UTC).replace(tzinfo=None)
