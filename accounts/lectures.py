"""Reads of who is asking, in one prepared statement, and of who may be named to anybody."""

from collections.abc import Collection
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import BooleanField, Case, OuterRef, QuerySet, Subquery, Value, When
from django.db.models.functions import Concat

from accounts.models import Compte, Invitation, Preferences, SecondFacteur, Session
from accounts.vocabulaire import PARAISSENT_MAX
from socle.audit.models import Trace
from socle.domaine.acteurs import Acteur
from socle.domaine.memoire import Memoire
from socle.moteur.lectures import preparee


@preparee
def session_ouverte(session: UUID, compte: UUID) -> QuerySet[Any]:
    """The session of a token while it is open, with its active account; columns that identify nobody stay behind."""
    return _ouvertes().filter(pk=session, compte=compte)


@preparee
def compte_a_l_adresse(email: str) -> QuerySet[Any]:
    """The account of this address, in lower case, whether it is active or not."""
    return Compte.objects.filter(email=email)


@preparee
def second_facteur_actif(compte: UUID) -> QuerySet[Any]:
    return SecondFacteur.objects.filter(pk=compte, date_activation__isnull=False)


@preparee
def invitations_en_attente(maintenant: datetime) -> QuerySet[Any]:
    return Invitation.objects.en_attente(maintenant)


def traces(acteur: Acteur) -> QuerySet[Any]:
    """The register as this reader sees it, with the name of each actor."""
    acteurs = Compte.objects.filter(pk=OuterRef("acteur")).order_by()
    nom = Subquery(acteurs.values_list(Concat("prenom", Value(" "), "nom"))[:1])
    return Trace.objects.visibles_par(acteur).annotate(acteur_nom=nom)


def sessions_ouvertes(sessions: Collection[UUID]) -> QuerySet[Any]:
    """The same for many sessions, whosever they are: not prepared, for their number is in the statement."""
    return _ouvertes().filter(pk__in=sessions)


def _ouvertes() -> QuerySet[Any]:
    # As a CASE: a base that believes the table small would walk the index of those still open, an account's or all.
    est_ouverte = Case(When(date_fin__isnull=True, then=Value(True)), default=Value(False), output_field=BooleanField())
    ouvertes = Session.objects.select_related("compte").filter(est_ouverte, compte__est_actif=True)
    return ouvertes.defer("compte__recherche", "appareil", "localisation", "provenance")


class LecteurPropose(NamedTuple):
    """Somebody of the staff who agreed to be named to whoever reports."""

    id: UUID
    nom: str
    prenom: str
    fonction: str | None


def _qui_paraissent() -> list[LecteurPropose]:
    proposes = Preferences.objects.filter(parait_au_portail=True, compte__in=Compte.objects.equipe_active())
    lignes = proposes.order_by("compte__nom", "compte__prenom", "compte").values_list(
        "compte", "compte__nom", "compte__prenom", "fonction"
    )
    return [
        LecteurPropose(compte, nom, prenom, fonction or None)
        for compte, nom, prenom, fonction in lignes[:PARAISSENT_MAX]
    ]


# By name, PARAISSENT_MAX at most; who leaves the staff is in it for some seconds still.
qui_paraissent: Memoire[list[LecteurPropose]] = Memoire(_qui_paraissent)
