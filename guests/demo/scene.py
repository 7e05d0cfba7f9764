"""The demonstration itself: its accounts, and its reports around them."""

import hashlib
from collections.abc import Iterator
from datetime import datetime, timedelta
from uuid import UUID, uuid4

from django.db import transaction
from django.utils import timezone

from accounts.models import Compte
from accounts.services import comptes
from guests.demo.dossiers import Dossier, dossier, enregistrer
from guests.demo.textes import (
    AUTRE_GESTIONNAIRE,
    ETUDIANTE,
    GESTIONNAIRE,
    MOT_DE_PASSE,
    PERSONNES,
    RECITS,
    TELEPHONES,
    Personne,
    Recit,
)
from guests.models import SessionInvitee, empreinte_guest_id
from signalements.models import Signalement
from signalements.services import tirer_reference

ANCIENNETE = timedelta(days=200)


def cle(espece: str, numero: int) -> UUID:
    """The same id at every run, so that what is there already is recognised."""
    return UUID(hashlib.sha256(f"demonstration:{espece}:{numero}".encode()).hexdigest()[:32], version=4)


def comptes_ouverts() -> list[tuple[Personne, Compte]]:
    """The accounts of the demonstration that its public password still opens; creates none."""
    presents = {c.email: c for c in Compte.objects.filter(email__in=[p.email for p in PERSONNES], est_actif=True)}
    trouves = [(p, presents[p.email]) for p in PERSONNES if p.email in presents]
    return [(personne, compte) for personne, compte in trouves if compte.check_password(MOT_DE_PASSE)]


def installer_comptes() -> list[tuple[Personne, Compte]]:
    """The accounts of the demonstration; those that are absent are created, the others are left as they are."""
    return [(personne, _compte(personne)) for personne in PERSONNES]


@transaction.atomic
def installer_dossiers() -> int:
    """The reports that are absent; how many."""
    connus = set(Signalement.objects.filter(pk__in=[cle("recit", n) for n in range(len(RECITS))]).values_list("pk"))
    absents = [(n, recit) for n, recit in enumerate(RECITS) if (cle("recit", n),) not in connus]
    enregistrer(_dossiers(absents, timezone.now()))
    return len(absents)


def session_passee(pk: UUID, telephone: str, ouverte: datetime) -> SessionInvitee:
    """A guest session that was; its guest id is drawn and forgotten."""
    session = SessionInvitee(
        pk=pk,
        guest_id_empreinte=empreinte_guest_id(uuid4()),
        date_creation=ouverte,
        date_modification=ouverte,
        date_derniere_activite=ouverte,
    )
    session.poser_telephone(telephone)
    return session


def _compte(personne: Personne) -> Compte:
    compte = Compte.objects.filter(email=personne.email).first()
    if compte is None:
        compte = comptes.creer(
            email=personne.email,
            mot_de_passe=MOT_DE_PASSE,
            prenom=personne.prenom,
            nom=personne.nom,
            type_utilisateur=personne.role,
            date_creation=timezone.now() - ANCIENNETE,
        )
    comptes.preferences_de(compte)
    return compte


def _dossiers(recits: list[tuple[int, Recit]], maintenant: datetime) -> Iterator[Dossier]:
    gens = {compte.email: compte for _personne, compte in installer_comptes()}
    invites = [_invite(rang, telephone, maintenant) for rang, telephone in enumerate(TELEPHONES)]
    for numero, recit in recits:
        creation = maintenant - timedelta(days=recit.jours, hours=2 + numero % 5, minutes=7 * numero % 60)
        auteur = {"compte": gens[ETUDIANTE.email]} if recit.invite is None else {"invite": invites[recit.invite]}
        signalement = Signalement(
            pk=cle("recit", numero),
            reference=tirer_reference(),
            titre=recit.titre,
            description=recit.description,
            type=recit.type,
            mode_identification=recit.mode,
            date_incident=creation - timedelta(hours=3 + numero % 40),
            lieu_incident=recit.lieu,
            auteur_presume=recit.auteur_presume,
            a_temoins=bool(recit.temoins),
            description_temoins=recit.temoins,
            statut=recit.statut,
            priorite=recit.priorite,
            date_creation=creation,
            **auteur,
        )
        signalement.indexer()
        responsable = gens[(GESTIONNAIRE if numero % 3 else AUTRE_GESTIONNAIRE).email]
        pas = timedelta(hours=18 + numero % 20)
        yield dossier(signalement, gestionnaire=responsable, notes=recit.notes, maintenant=maintenant, pas=pas)


def _invite(rang: int, telephone: str, maintenant: datetime) -> SessionInvitee:
    pk = cle("invite", rang)
    connue = SessionInvitee.objects.filter(pk=pk).first()
    if connue is None:
        connue = session_passee(pk, telephone, maintenant - ANCIENNETE)
        connue.save(force_insert=True)
    return connue
