"""The demonstration itself: its accounts, and its reports around them."""

import hashlib
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from uuid import UUID, uuid4

from django.db import transaction
from django.utils import timezone

from accounts.models import Compte
from accounts.services import comptes
from demo import conversations
from demo.conversations import Conversation, conversation
from demo.dossiers import Dossier, dossier, enregistrer
from demo.paroles import ECHANGES
from demo.textes import (
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
from discussions.models import Discussion
from guests.models import SessionInvitee
from signalements.models import Signalement
from signalements.services import tirer_reference
from socle.domaine.identite import empreinte_guest_id
from socle.domaine.temps import jour_du_campus

ANCIENNETE = timedelta(days=200)


def cle(espece: str, numero: int) -> UUID:
    """Derive an id from a hash of kind and number: the same at every run, so that existing rows are recognised."""
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
    """Create the absent reports and discussions; return how many reports."""
    gens = {compte.email: compte for _personne, compte in installer_comptes()}
    recits, maintenant = list(enumerate(RECITS)), timezone.now()
    connus = Signalement.objects.in_bulk([cle("recit", n) for n, _recit in recits])
    absents = [(n, recit) for n, recit in recits if cle("recit", n) not in connus]
    nouveaux = list(_dossiers(absents, gens, maintenant))
    enregistrer(nouveaux)
    dossiers = connus | {d.signalement.pk: d.signalement for d in nouveaux}
    conversations.enregistrer(_conversations(recits, dossiers, gens, maintenant))
    return len(absents)


def session_passee(pk: UUID, telephone: str, ouverte: datetime) -> SessionInvitee:
    """Build a past guest session, unsaved; its guest id is drawn at random and kept only as a hash."""
    return SessionInvitee(
        pk=pk,
        telephone=telephone,
        guest_id_empreinte=empreinte_guest_id(uuid4()),
        date_creation=ouverte,
        jour=jour_du_campus(ouverte),
        date_modification=ouverte,
        date_derniere_activite=ouverte,
    )


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


def _dossiers(recits: Iterable[tuple[int, Recit]], gens: dict[str, Compte], maintenant: datetime) -> Iterator[Dossier]:
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
        responsable = gens[_responsable(numero).email]
        pas = timedelta(hours=18 + numero % 20)
        yield dossier(signalement, gestionnaire=responsable, notes=recit.notes, maintenant=maintenant, pas=pas)


def _conversations(
    recits: Iterable[tuple[int, Recit]],
    dossiers: dict[UUID, Signalement],
    gens: dict[str, Compte],
    maintenant: datetime,
) -> Iterator[Conversation]:
    """Build the absent conversations, on reports that no merge has joined to another."""
    connues = set(Discussion.objects.filter(pk__in=[cle("discussion", n) for n, _recit in recits]).values_list("pk"))
    for numero, recit in recits:
        signalement = dossiers[cle("recit", numero)]
        echange = ECHANGES.get(recit.titre)
        if echange is None or (cle("discussion", numero),) in connues or signalement.absorbe_par_id:
            continue
        responsable = _responsable(numero)
        collegues = [personne for personne in PERSONNES if personne not in (responsable, ETUDIANTE)]
        yield conversation(
            signalement,
            pk=cle("discussion", numero),
            titre=echange.titre,
            propos=echange.propos,
            equipe=[gens[personne.email] for personne in (responsable, *collegues)],
            lue=echange.lu,
            maintenant=maintenant,
            pas=timedelta(hours=11 + numero % 20, minutes=13),
        )


def _responsable(numero: int) -> Personne:
    return GESTIONNAIRE if numero % 3 else AUTRE_GESTIONNAIRE


def _invite(rang: int, telephone: str, maintenant: datetime) -> SessionInvitee:
    pk = cle("invite", rang)
    connue = SessionInvitee.objects.filter(pk=pk).first()
    if connue is None:
        connue = session_passee(pk, telephone, maintenant - ANCIENNETE)
        connue.save(force_insert=True)
    return connue
