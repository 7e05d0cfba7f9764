"""Acts of the team on a case from a page: done where the page still showed the truth, asked about elsewhere.

`vu` is what the page showed. Once asked, the person sees what is there now, and that is what the page sends then.
"""

from collections.abc import Iterable
from hashlib import sha256
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from accounts.models import Compte
from discussions.conversation import tenir_les_jamais_lus
from discussions.models import Message
from discussions.vocabulaire import DOUBLE_CLIC
from equipes.models import Equipe
from espace.erreurs import ChangeDepuis, JamaisLus, SansReponse
from signalements import reserve, services
from signalements.lecteurs import Acces, tenir_les_administrateurs
from signalements.models import Signalement
from signalements.vocabulaire import RESOLUS, TypeEntree
from socle.domaine.acteurs import Acteur
from socle.domaine.identite import sans_guest_ids


@transaction.atomic
def changer_statut(
    *, dossier: Signalement, acteur: Acteur, statut: str, vu: str, jamais_lus_vus: int = 0, sans_reponse: bool = False
) -> None:
    """Change the status; JamaisLus where it ends a case with more messages that nobody has read than the page said.

    SansReponse where nobody of the team has written in it, unless the page has said so.
    """
    _exiger_tel_que_vu(dossier, "statut", vu, voulu=statut)
    if statut in RESOLUS and not dossier.est_resolu:
        nombre = tenir_les_jamais_lus(dossier)
        if nombre > jamais_lus_vus:
            raise JamaisLus(nombre)
        if not (nombre or sans_reponse or Message.objects.de_l_equipe([dossier]).exists()):
            raise SansReponse
    services.changer_statut(signalement=dossier, statut=statut, acteur=acteur)


@transaction.atomic
def changer_priorite(*, dossier: Signalement, acteur: Acteur, priorite: str, vu: str) -> None:
    _exiger_tel_que_vu(dossier, "priorite", vu, voulu=priorite)
    services.changer_priorite(signalement=dossier, priorite=priorite, acteur=acteur)


@transaction.atomic
def assigner(*, dossier: Signalement, acteur: Acteur, gestionnaire_id: UUID, vu: str) -> None:
    # The account before the case, as the service locks them: two who assign at once never wait for each other.
    list(Compte.objects.select_for_update(no_key=True).filter(pk=gestionnaire_id).values_list("pk"))
    voulu = str(gestionnaire_id)
    _exiger_tel_que_vu(dossier, "gestionnaire_id", vu, voulu=voulu)
    if vu == voulu or str(dossier.gestionnaire_id) != voulu:  # else a second click, or a colleague, has done it since
        services.assigner(signalement=dossier, gestionnaire_id=gestionnaire_id, acteur=acteur)


@transaction.atomic
def noter(*, dossier: Signalement, acteur: Acteur, contenu: str) -> None:
    """One note for a click, however often it is sent: notes cannot be taken back."""
    dossier.verrouiller()
    notes = dossier.timeline.filter(type=TypeEntree.NOTE, date_creation__gt=timezone.now() - DOUBLE_CLIC)
    if sans_guest_ids(contenu) not in notes.filter(**acteur.proprietaire).values_list("contenu", flat=True):
        services.ajouter_note(signalement=dossier, contenu=contenu, acteur=acteur)


@transaction.atomic
def changer_lecteurs(
    *, dossier: Signalement, acteur: Acteur, ecartes: Iterable[UUID], admis: Iterable[UUID], vu: str, motif: str = ""
) -> None:
    """A page that is behind must not let in again whom somebody has just shut out."""
    voulu = Acces.pour(ecartes, admis, dossier.equipe_id)
    tenir_les_administrateurs()  # before the case, as the service locks them
    dossier.verrouiller()
    if marque_de_l_acces(Acces.de(dossier)) not in (vu, marque_de_l_acces(voulu)):
        raise ChangeDepuis("lecteurs")
    choix = {"ecartes": voulu.ecartes, "admis": voulu.admis}
    reserve.changer_lecteurs(signalement=dossier, acteur=acteur, motif=motif, **choix)


@transaction.atomic
def confier_a_une_equipe(*, dossier: Signalement, acteur: Acteur, equipe_id: UUID | None, motif: str, vu: str) -> None:
    # The team before the case, as the service locks them.
    if equipe_id is not None:
        list(Equipe.objects.select_for_update(no_key=True).filter(pk=equipe_id).values_list("pk"))
    _exiger_tel_que_vu(dossier, "equipe_id", vu, voulu=str(equipe_id or ""))
    reserve.changer_equipe(signalement=dossier, equipe_id=equipe_id, motif=motif, acteur=acteur)


@transaction.atomic
def geler(*, dossier: Signalement, acteur: Acteur, gele: bool, vu: str, motif: str = "") -> None:
    """Neither a reason nor a hold that the page did not show is lost."""
    dossier.verrouiller()
    if marque_du_gel(dossier.est_gele, dossier.gel_motif) not in (vu, marque_du_gel(gele, motif)):
        raise ChangeDepuis("gel")
    services.geler(signalement=dossier, acteur=acteur, gele=gele, motif=motif)


def marque_de_l_acces(acces: Acces) -> str:
    """Digest of the readers of a case, by which a page says that it showed them."""
    return _marque(*(f"-{un}" for un in sorted(acces.ecartes)), *(f"+{un}" for un in sorted(acces.admis)))


def marque_du_gel(gele: bool, motif: str) -> str:
    return _marque("gele", motif) if gele else _marque()


def _marque(*morceaux: str) -> str:
    return sha256("\0".join(morceaux).encode()).hexdigest()[:32]


def _exiger_tel_que_vu(dossier: Signalement, champ: str, vu: str, *, voulu: str) -> None:
    """Lock the case; ChangeDepuis where this column is neither what the page showed nor what is wanted."""
    dossier.verrouiller()
    if str(getattr(dossier, champ) or "") not in (vu, voulu):
        raise ChangeDepuis(champ)
