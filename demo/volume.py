"""Generator of a mass of plausible reports over three years, to try the service at its later size."""

import random
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db import IntegrityError, connection, reset_queries, transaction
from django.utils import timezone

from accounts.models import Compte
from demo import paroles, textes
from demo.conversations import Conversation, conversation
from demo.dossiers import Dossier, dossier, enregistrer
from demo.scene import cle, session_passee
from guests.models import SessionInvitee
from signalements.compteurs.pliage import plier
from signalements.models import Effectif, Signalement
from signalements.vocabulaire import ALPHABET_REFERENCE, ANONYME, IDENTIFIE, Ouverture, Priorite, Statut
from socle.domaine.droits import Role

LOT = 4_000
PERIODE = timedelta(days=3 * 365)
RECENT = timedelta(days=21)
GESTIONNAIRES = 12
PAR_COMPTE = 20  # reports of one account
UN_INVITE_SUR = 5  # one report in five is a guest's
UNE_CONVERSATION_SUR = 4  # one report in four is discussed
LONGUEURS = range(2, 9)  # messages of a conversation
TIRAGES = 3

STATUTS_RECENTS = {"NOUVEAU": 40, "ASSIGNE": 22, "EN_COURS": 22, "EN_ATTENTE": 6, "TRAITE": 10}
STATUTS_ANCIENS = {"CLOTURE": 58, "TRAITE": 26, "EN_COURS": 6, "EN_ATTENTE": 6, "ASSIGNE": 2, "NOUVEAU": 2}
PRIORITES = {Priorite.LOW: 22, Priorite.MEDIUM: 50, Priorite.HIGH: 22, Priorite.CRITICAL: 6}
TYPES = {"HARCELEMENT": 31, "VOL": 22, "DISCRIMINATION": 16, "VIOLENCE": 13, "AUTRE": 13, "AGRESSION_SEXUELLE": 5}

hasard = random.SystemRandom()


def completer(nombre: int, equipes: Sequence[UUID] = ()) -> Iterator[int]:
    """Bring the mass up to `nombre` reports; yields how many each batch added.

    Each of `equipes`, teams of which the mass's managers are, has as many of those added as nobody's team.
    """
    for debut in range(0, nombre, LOT):
        ajoutes = _completer_lot(range(debut, min(debut + LOT, nombre)), [None, *equipes])
        yield ajoutes
        if ajoutes:
            # As the worker does every minute, and autovacuum: each fold leaves a dead row for each one it adds to.
            plier()
            _ranger(Effectif._meta.db_table)
        reset_queries()


def actualiser_statistiques() -> None:
    """ANALYZE after a bulk insertion, for the planner; VACUUM too, where it may run, for index-only scans."""
    if not _ranger():
        with connection.cursor() as curseur:
            curseur.execute("ANALYZE")


def _ranger(*tables: str) -> bool:
    """VACUUM and ANALYZE these tables, or all; False where there is none: on SQLite, and inside a transaction."""
    if connection.vendor != "postgresql" or connection.in_atomic_block:
        return False
    with connection.cursor() as curseur:
        curseur.execute(f"VACUUM ANALYZE {', '.join(tables)}".strip())
    return True


def gestionnaires(maintenant: datetime) -> list[Compte]:
    """The managers of the mass, created where they are not yet."""
    return _comptes("gestionnaire", range(GESTIONNAIRES), Role.GESTIONNAIRE, maintenant)


def _completer_lot(numeros: range, equipes: Sequence[UUID | None]) -> int:
    cles = {cle("signalement", n): n for n in numeros}
    connues = set(Signalement.objects.filter(pk__in=list(cles)).values_list("pk", flat=True))
    absents = [n for pk, n in cles.items() if pk not in connues]
    if not absents:
        return 0
    maintenant = timezone.now()
    responsables = gestionnaires(maintenant)
    auteurs = _auteurs(absents, maintenant)
    dossiers = [
        _dossier(n, auteurs[n] | _acces(equipes[n % len(equipes)]), responsables[n % GESTIONNAIRES], maintenant)
        for n in absents
    ]
    _enregistrer(dossiers)
    return len(absents)


def _enregistrer(dossiers: list[Dossier]) -> None:
    """Insert the batch under random references; draw them all again where one is taken, three tries at most."""
    for essai in range(1, TIRAGES + 1):
        for complet in dossiers:
            complet.signalement.reference = _reference(complet.signalement.date_creation)
            complet.signalement.indexer()
        try:
            with transaction.atomic():
                return enregistrer(dossiers)
        except IntegrityError:
            if essai == TIRAGES:
                raise


def _auteurs(numeros: list[int], maintenant: datetime) -> dict[int, dict[str, Any]]:
    """Map each number to its author's columns: modulo five decides, so guests have the same share at every size."""
    invites = {n: n // (2 * UN_INVITE_SUR) for n in numeros if n % UN_INVITE_SUR == 0}
    sessions = _sessions(sorted(set(invites.values())), maintenant)
    rangs = sorted({n // PAR_COMPTE for n in numeros})
    comptes = dict(zip(rangs, _comptes("etudiant", rangs, Role.UTILISATEUR, maintenant), strict=True))
    return {
        n: {"invite": sessions[invites[n]]} if n in invites else {"compte": comptes[n // PAR_COMPTE]} for n in numeros
    }


def _comptes(espece: str, rangs: Any, role: Role, maintenant: datetime) -> list[Compte]:
    """Accounts that nobody can sign in to."""
    comptes = [
        Compte(
            pk=cle(espece, rang),
            email=f"{espece}-{rang:06d}@{textes.DOMAINE}",
            prenom=hasard.choice(textes.PRENOMS),
            nom=hasard.choice(textes.NOMS),
            type_utilisateur=role,
            date_creation=maintenant - PERIODE,
            date_modification=maintenant - PERIODE,
        )
        for rang in rangs
    ]
    for compte in comptes:
        compte.set_unusable_password()
        compte.indexer()
    Compte.objects.bulk_create(comptes, ignore_conflicts=True)
    return comptes


def _sessions(rangs: list[int], maintenant: datetime) -> dict[int, SessionInvitee]:
    sessions = {
        rang: session_passee(cle("session", rang), f"+336399800{rang % 100:02d}", maintenant - PERIODE)
        for rang in rangs
    }
    SessionInvitee.objects.bulk_create(sessions.values(), ignore_conflicts=True)
    return sessions


def _acces(equipe: UUID | None) -> dict[str, Any]:
    return {} if equipe is None else {"equipe_id": equipe, "ouvert_a": Ouverture.EQUIPE}


def _dossier(numero: int, qui: dict[str, Any], responsable: Compte, maintenant: datetime) -> Dossier:
    age = PERIODE * hasard.random()
    signalement = Signalement(
        pk=cle("signalement", numero),
        statut=_tirer(STATUTS_RECENTS if age < RECENT else STATUTS_ANCIENS),
        priorite=_tirer(PRIORITES),
        mode_identification=IDENTIFIE if "compte" in qui and hasard.random() < 0.6 else ANONYME,
        date_creation=maintenant - age,
        date_incident=maintenant - age - timedelta(hours=hasard.randrange(1, 400)),
        lieu_incident=hasard.choice(textes.LIEUX),
        auteur_presume=hasard.choice(textes.PRESUMES),
        a_temoins=hasard.random() < 0.3,
        **_texte(),
        **qui,
    )
    notes = [hasard.choice(textes.NOTES)] if hasard.random() < 0.25 and signalement.statut != Statut.NOUVEAU else []
    pas = timedelta(hours=hasard.randrange(2, 200))
    complet = dossier(signalement, gestionnaire=responsable, notes=notes, maintenant=maintenant, pas=pas)
    if numero % UNE_CONVERSATION_SUR:
        return complet
    return complet._replace(conversations=(_conversation(numero, signalement, responsable, maintenant),))


def _conversation(numero: int, signalement: Signalement, responsable: Compte, maintenant: datetime) -> Conversation:
    """Draw messages of both sides in turns; the author's alone for a NOUVEAU report, which nobody has answered."""
    nombre, premier = hasard.choice(LONGUEURS), hasard.randrange(2)
    cotes = (paroles.AUTEUR, paroles.AUTEUR if signalement.statut == Statut.NOUVEAU else paroles.EQUIPE)
    dits = {cote: iter(hasard.sample(paroles.PAROLES[cote], nombre)) for cote in cotes}
    tours = [cotes[(premier + rang) % 2] for rang in range(nombre)]
    recent = maintenant - signalement.date_creation < RECENT
    return conversation(
        signalement,
        pk=cle("conversation", numero),
        titre=hasard.choice(paroles.SUJETS),
        propos=[paroles.Propos(cote, next(dits[cote])) for cote in tours],
        equipe=[responsable],
        lue=hasard.random() < (0.4 if recent else 0.95),
        maintenant=maintenant,
        pas=timedelta(hours=hasard.randrange(2, 72)),
    )


def _texte() -> dict[str, str]:
    type_ = _tirer(TYPES)
    fait, moment = hasard.choice(textes.FAITS[type_]), hasard.choice(textes.MOMENTS)
    description = f"{fait} {moment}. {hasard.choice(textes.SUITES)}"
    return {"type": type_, "titre": f"{fait} {moment}", "description": description}


def _tirer(poids: dict[Any, int]) -> str:
    return str(hasard.choices(list(poids), weights=list(poids.values()))[0])


def _reference(date: datetime) -> str:
    return f"SIG-{date.year}-{''.join(hasard.choices(ALPHABET_REFERENCE, k=8))}"
