"""The conversation of a case as a page shows it, whichever discussions hold it, and a reply in it."""

from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.safestring import SafeString

from discussions.erreurs import MessagesDepuis
from discussions.models import Discussion, Lecture, Message
from discussions.permissions import discussion_accessible
from discussions.serializers import MessageDetail
from discussions.services import ecrire, marquer_lus, ouvrir
from discussions.vocabulaire import DOUBLE_CLIC
from resources.models import Fichier
from resources.serializers import FichierDetail
from resources.services.fichiers import effacer
from resources.stockage import memes_octets
from signalements.dates import attend_le_retour
from signalements.models import EntreeTimeline, Signalement
from signalements.serializers import EntreeDetail
from socle.api.serializers import Regard
from socle.domaine.acteurs import Acteur
from socle.domaine.identite import sans_guest_ids
from socle.domaine.verrous import verrouiller_dans_l_ordre
from socle.moteur.sorties import rendre_chacun
from socle.pages.balises import isole

MESSAGES_MAX = 500  # shown of a case, the latest
EN_DIRECT_MAX = 3  # discussions
LUES_MAX = 50  # discussions, those that moved last


def situer(acteur: Acteur, lignes: list[Any], rendus: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Add what a page says in its own words: `deMoi`, whether it is the reader's own, and `le`, its moment.

    What nobody is the author of, as what a routing rule did, is nobody's own.
    """
    return [
        {**rendu, "le": ligne.date_creation, "deMoi": rendu["auteurId"] is not None and acteur.possede(ligne)}
        for ligne, rendu in zip(lignes, rendus, strict=True)
    ]


def histoire(acteur: Acteur, entrees: list[EntreeTimeline], regard: Regard) -> list[dict[str, Any]]:
    """Lines of the history of the case that is looked at, each with its `phrase`: our words, what was typed apart."""
    en_equipe = regard.dossier.pour_l_equipe(regard.vu_par)
    rendus = situer(acteur, entrees, rendre_chacun(EntreeDetail, entrees, regard.contexte))
    return [
        {**rendu, "phrase": SafeString(ligne.decrire(pour_l_equipe=en_equipe, tape=isole))}
        for ligne, rendu in zip(entrees, rendus, strict=True)
    ]


def messages_du_dossier(acteur: Acteur, dossier: Signalement, regard: Regard) -> list[dict[str, Any]]:
    """The latest messages of a case in the order of time, each with `fichiers`, its files that are still there.

    And `lu`, of what one's side has written: whether the other side has read it. For who reads the case of somebody
    else, whether its author has, whatever colleagues have.
    """
    du_dossier = Message.objects.pour_lecture().filter(discussion__in=_discussions_de(dossier))
    lignes = list(du_dossier.select_related("compte", "discussion").order_by("-date_creation", "-id")[:MESSAGES_MAX])
    for ligne in lignes:
        ligne.discussion.signalement = dossier
    rendus = situer(acteur, lignes[::-1], rendre_chacun(MessageDetail, lignes[::-1], regard.contexte))
    fichiers = fichiers_nommes({cle for un in rendus for cle in un["piecesJointes"]}, regard)
    lus = _lus_par_l_equipe(dossier, lignes) if acteur.possede(dossier) else _lus_par_l_auteur(dossier, lignes)
    return [
        {
            **un,
            "fichiers": [fichiers[cle] for cle in un["piecesJointes"] if cle in fichiers],
            "lu": ligne.pk in lus,
        }
        for ligne, un in zip(lignes[::-1], rendus, strict=True)
    ]


def _lus_par_l_equipe(dossier: Signalement, lignes: list[Message]) -> set[UUID]:
    return {ligne.pk for ligne in lignes if ligne.est_lu and ligne.cle_du_proprietaire == dossier.cle_du_proprietaire}


def _lus_par_l_auteur(dossier: Signalement, lignes: list[Message]) -> set[UUID]:
    marques = _marques_de_l_auteur(dossier, {ligne.origine_id for ligne in lignes})
    return {
        ligne.pk
        for ligne in lignes
        if ligne.numero_origine <= marques.get(ligne.origine_id, 0)
        and ligne.cle_du_proprietaire != dossier.cle_du_proprietaire
    }


def _marques_de_l_auteur(dossier: Signalement, origines: set[UUID]) -> dict[UUID, int]:
    """Of each discussion of origin, the highest number that the author of the case has read."""
    siennes = Lecture.objects.order_by().filter(discussion__in=origines)
    siennes = siennes.filter(**({"compte": dossier.compte_id} if dossier.compte_id else {"invite": dossier.invite_id}))
    return dict(siennes.values_list("discussion", "numero"))


def _discussions_de(dossier: Signalement) -> QuerySet[Any]:
    lignes: QuerySet[Any] = Discussion.objects.vivants().filter(signalement=dossier).order_by()
    return lignes


def fichiers_nommes(cles: set[str], regard: Regard) -> dict[str, dict[str, Any]]:
    """Render these files by key; those that were deleted are not in the answer."""
    presents = list(Fichier.objects.presents().filter(pk__in=cles)) if cles else []
    return {un["fileId"]: un for un in rendre_chacun(FichierDetail, presents, regard.contexte)}


def discussions_en_direct(dossier: Signalement) -> list[UUID]:
    """The discussions of a case that a page listens to, empty ones too: those that moved last, each by a socket."""
    recentes = _discussions_de(dossier).order_by("-date_modification", "-id").values_list("pk", flat=True)
    return list(recentes[:EN_DIRECT_MAX])


@transaction.atomic
def repondre(
    *, acteur: Acteur, dossier: Signalement, contenu: str, vu: str | None = None, retour: bool = False
) -> None:
    """Write, under the lock of the case, unless the same words were written here a moment ago; all is read by then.

    `vu` is the latest message of others that the writer was shown, "" for none: MessagesDepuis where there is a newer
    one. None does not ask. `retour`: it is the feedback on the case.
    """
    acteur.verrouiller()
    dossier.verrouiller()
    discussion = la_discussion(acteur, dossier)
    recents = discussion.messages.filter(date_creation__gt=timezone.now() - DOUBLE_CLIC, **acteur.proprietaire)
    a_dire = retour and attend_le_retour(dossier)  # the same words, marked now, are what gives the feedback
    if not a_dire and sans_guest_ids(contenu) in recents.values_list("contenu", flat=True):  # as it was stored
        return
    _exiger_vus(acteur, dossier, vu)
    ecrire(acteur=acteur, discussion=discussion, contenu=contenu, retour=retour)
    _marquer_lus(acteur, dossier)


@transaction.atomic
def joindre(*, acteur: Acteur, dossier: Signalement, fichier: Fichier) -> None:
    """Write a message that holds this file; the same one sent here a moment ago stands for it, and it is deleted."""
    acteur.verrouiller()
    dossier.verrouiller()
    discussion = la_discussion(acteur, dossier)
    recents = discussion.messages.filter(date_creation__gt=timezone.now() - DOUBLE_CLIC, **acteur.proprietaire)
    cles = [cle for pieces in recents.values_list("pieces_jointes", flat=True) for cle in pieces]
    if any(memes_octets(un, fichier) for un in Fichier.objects.presents().filter(pk__in=cles, nom=fichier.nom)):
        effacer(fichier.pk)
    else:
        ecrire(acteur=acteur, discussion=discussion, pieces_jointes=[fichier.pk])


def la_discussion(acteur: Acteur, dossier: Signalement) -> Discussion:
    """The one that moved last, or a new one."""
    siennes = Discussion.objects.vivants().filter(signalement=dossier).order_by("-date_modification", "-id")
    if derniere := siennes.values_list("pk", flat=True).first():
        return discussion_accessible(acteur, derniere)
    return ouvrir(acteur=acteur, titre=dossier.titre, signalement_id=dossier.pk)


@transaction.atomic
def tout_marquer_lu(*, acteur: Acteur, dossier: Signalement, vu: str | None = None) -> None:
    """Move the actor's marks to the end of the discussions of the case; `vu` as in `repondre`."""
    acteur.verrouiller()
    dossier.verrouiller()
    _exiger_vus(acteur, dossier, vu)
    _marquer_lus(acteur, dossier)


def _marquer_lus(acteur: Acteur, dossier: Signalement) -> None:
    """Mark unread discussions as read, LUES_MAX at a time: whoever writes decides how many there are."""
    non_lues = Discussion.objects.pour_lecture(acteur).filter(signalement=dossier, messages_non_lus_count__gt=0)
    for cle in list(non_lues.values_list("pk", flat=True)[:LUES_MAX]):
        marquer_lus(acteur=acteur, discussion=discussion_accessible(acteur, cle))


def tenir_les_jamais_lus(dossier: Signalement) -> int:
    """Count of the author's messages that nobody else has read, with the discussions of this locked case held."""
    return sum(verrouiller_dans_l_ordre(_discussions_de(dossier).values_list("jamais_lus", flat=True)))


def dernier_d_autrui(acteur: Acteur, dossier: Signalement) -> UUID | None:
    """The latest message of the case that is not the actor's."""
    d_autrui = Message.objects.d_autrui(acteur).filter(discussion__signalement=dossier)
    cle: UUID | None = d_autrui.order_by("-date_creation", "-id").values_list("pk", flat=True).first()
    return cle


def _exiger_vus(acteur: Acteur, dossier: Signalement, vu: str | None) -> None:
    if vu is None:
        return
    # Whoever writes in one of them now has ended, or waits until this reply is there.
    verrouiller_dans_l_ordre(_discussions_de(dossier).values_list("pk"))
    dernier = dernier_d_autrui(acteur, dossier)
    if dernier is not None and str(dernier) != vu:
        raise MessagesDepuis
