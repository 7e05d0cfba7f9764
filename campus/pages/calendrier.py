"""The calendar, by month and as a list, and one's registrations: the reads and the rights of the API."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from calendrier import lectures
from calendrier.models import EvenementCampus, Participation
from calendrier.vocabulaire import (
    ETENDUE_MAX,
    PUBLICS_CONNUS,
    TYPES_CONNUS,
    StatutParticipation,
    public_lisible,
    type_lisible,
)
from campus.pages import mois
from campus.pages.base import PageDuCampus
from campus.vocabulaire import (
    DERNIERE_ANNEE,
    EVENEMENTS_MAX,
    INSCRIPTIONS_MAX,
    PREMIERE_ANNEE,
    mois_d_apres,
)
from socle.domaine.droits import Droit
from socle.domaine.temps import debut_du_jour, fin_du_jour, jour_du_campus

MOT_MAX = 50  # characters of a type or a public, as where they are written


@dataclass(frozen=True)
class Filtres:
    """The choices of the address: "" for all."""

    type: str
    public: str

    @classmethod
    def de(cls, request: HttpRequest) -> "Filtres":
        lus = (request.GET.get(nom, "").strip().upper() for nom in ("type", "public"))
        return cls(*(mot if len(mot) <= MOT_MAX and "\0" not in mot else "" for mot in lus))

    def garder(self, evenements: Iterable[EvenementCampus]) -> list[EvenementCampus]:
        """Keep the events for this public; one that names none is for everybody."""
        return [un for un in evenements if not self.public or not un.public_cible or self.public in un.public_cible]

    def adresse(self, **changes: str) -> str:
        """The query that asks for this, with some of it changed."""
        voulus = {"type": self.type, "public": self.public} | changes
        return "?" + urlencode({nom: mot for nom, mot in voulus.items() if mot})

    def contexte(self, tous: Sequence[EvenementCampus]) -> dict[str, Any]:
        """For the page: the choices of each filter are the known words, and those of all events of the period."""
        types = _mots("type_evenement", TYPES_CONNUS, [un.type for un in tous], self.type)
        publics = _mots("public_cible", PUBLICS_CONNUS, [mot for un in tous for mot in un.public_cible], self.public)
        return {
            "filtres": True,
            "question": self.adresse(),
            "types": [_puce(self, "type", mot, type_lisible(mot), self.type) for mot in types],
            "publics": [_puce(self, "public", mot, public_lisible(mot), self.public) for mot in publics],
        }


def _mots(vocabulaire: str, connus: Iterable[str], vus: Iterable[str], choisi: str) -> list[str]:
    admis = settings.VOCABULAIRES[vocabulaire] or connus
    return list(dict.fromkeys([*admis, *sorted(set(vus)), *([choisi] if choisi else [])]))


def _puce(filtres: Filtres, nom: str, mot: str, texte: str, choisi: str) -> dict[str, Any]:
    """Chosen, it leads to all again."""
    est_choisi = mot == choisi
    return {"texte": texte, "choisi": est_choisi, "adresse": filtres.adresse(**{nom: "" if est_choisi else mot})}


class PageDuCalendrier(PageDuCampus):
    interrupteur = "CALENDRIER_PAGES"
    place = "calendrier"
    droit = Droit.CALENDRIER_CONSULTER
    titre = _("Calendrier")

    def lire(self, debut: datetime, fin: datetime, filtres: Filtres) -> "Lus":
        gardes, coupe = self._de_type(debut, fin, filtres.type or None)
        tous = self._de_type(debut, fin, None)[0] if filtres.type else gardes
        return Lus(filtres.garder(gardes), tous, EVENEMENTS_MAX if coupe else 0)

    def _de_type(self, debut: datetime, fin: datetime, type_: str | None) -> tuple[list[EvenementCampus], bool]:
        """The first events of the period, and whether there are more."""
        lus = lectures.de_la_periode(self.acteur, debut, fin, type_, None).tranche(0, EVENEMENTS_MAX + 1)
        return mois.a_montrer(lus[:EVENEMENTS_MAX]), len(lus) > EVENEMENTS_MAX


class Lus(NamedTuple):
    """Events of a period: those that the filters keep, those without filters, the cap where it was met, else 0."""

    gardes: list[EvenementCampus]
    tous: list[EvenementCampus]
    coupe: int


class Mois(PageDuCalendrier):
    gabarit = "campus/calendrier/mois.html"

    def get(self, request: HttpRequest, annee: int | None = None, mois_: int = 0) -> HttpResponse:
        premier = _premier_jour(annee, mois_)
        debut, fin = mois.bornes(premier)
        filtres = Filtres.de(request)
        lus = self.lire(debut_du_jour(debut), fin_du_jour(fin), filtres)
        contexte: dict[str, Any] = {
            "premier": premier,
            "avant": adresse_du_mois(mois_d_apres(premier, -1)),
            "apres": adresse_du_mois(mois_d_apres(premier, 1)),
            "mois_avant": mois_d_apres(premier, -1),
            "mois_apres": mois_d_apres(premier, 1),
            "semaines": mois.semaines(premier, lus.gardes),
            "evenements": lus.gardes,
            "coupe": lus.coupe,
        }
        return self.rendre(request, **filtres.contexte(lus.tous), **contexte)


class Liste(PageDuCalendrier):
    """The events to come, whatever the month."""

    gabarit = "campus/calendrier/liste.html"

    def get(self, request: HttpRequest) -> HttpResponse:
        maintenant = timezone.now()
        filtres = Filtres.de(request)
        lus = self.lire(maintenant, maintenant + ETENDUE_MAX, filtres)
        return self.rendre(request, a_venir=lus.gardes, coupe=lus.coupe, **filtres.contexte(lus.tous))


class Inscriptions(PageDuCalendrier):
    """One's own, of what has not ended, by date."""

    gabarit = "campus/calendrier/inscriptions.html"
    titre = _("Mes inscriptions")

    def get(self, request: HttpRequest) -> HttpResponse:
        siennes = Participation.objects.du_flux(self.acteur.compte, timezone.now(), INSCRIPTIONS_MAX)
        for une in siennes:
            une.evenement.statut_lecteur = une.statut
        return self.rendre(request, a_venir=mois.a_montrer(une.evenement for une in siennes))


def est_inscrit(statut: str | None) -> bool:
    return statut is not None and statut != StatutParticipation.CANCELLED


def _premier_jour(annee: int | None, rang: int) -> date:
    """The first day of this month, of the present one where none is named; 404 for one that nobody turns to."""
    if annee is None:
        return jour_du_campus().replace(day=1)
    if not (PREMIERE_ANNEE <= annee <= DERNIERE_ANNEE and 1 <= rang <= 12):
        raise Http404
    return date(annee, rang, 1)


def adresse_du_mois(jour: date | None) -> str:
    """The page of the month of this day, "" past the ends of the calendar."""
    if jour is None or not PREMIERE_ANNEE <= jour.year <= DERNIERE_ANNEE:
        return ""
    return reverse("campus:mois", args=[jour.year, jour.month])
