from collections.abc import Iterable
from uuid import UUID

from django.db import transaction
from django.db.models import OuterRef, Q, Subquery
from django.utils.translation import gettext as _

from discussions.lectures import ouverte_a
from discussions.models import Arriere, Discussion, Lecture, Message
from discussions.signals import discussion_ouverte, message_ecrit, messages_lus
from discussions.vocabulaire import PIECE_DE_MESSAGE, RECUS_ANNONCES, USER
from resources.services.fichiers import attacher
from signalements.alertes import finir, lever, tenir
from signalements.dates import dates_a_venir
from signalements.models import Signalement
from signalements.vocabulaire import NatureAlerte
from socle.audit.registre import consigner, est_surveille
from socle.audit.vocabulaire import Acte, Sorte
from socle.domaine.acteurs import Acteur
from socle.domaine.droits import Droit
from socle.erreurs import AccesRefuse, ChampsInvalides
from socle.idempotence.creation import creation
from socle.moteur.ecritures import inserer, modifier


@creation
def ouvrir(*, acteur: Acteur, titre: str, signalement_id: UUID | None = None) -> Discussion:
    """Insert a discussion of this actor; 403 to link it to a report, but for its owner and staff."""
    acteur.verrouiller()
    signalement = _dossier_a_lier(acteur, signalement_id) if signalement_id else None
    titulaire = signalement.cle_du_proprietaire if signalement else acteur.pk
    discussion = Discussion(titre=titre, signalement=signalement, titulaire=titulaire, **acteur.proprietaire)
    discussion.indexer()
    inserer(discussion)
    if signalement is not None and est_surveille(acteur) and not acteur.possede(signalement):
        dossier, sorte = signalement.pk, Sorte.SIGNALEMENT
        consigner(Acte.DISCUSSION_COMMENCEE, par=acteur, objet=dossier, sorte=sorte, discussion=discussion.pk)
    discussion_ouverte.send(Discussion, discussion=discussion)
    return discussion


@creation
def ecrire(
    *,
    acteur: Acteur,
    discussion: Discussion,
    contenu: str = "",
    type: str = USER,
    pieces_jointes: Iterable[UUID] = (),
    retour: bool = False,
) -> Message:
    """The next message: its number is given under the lock of the discussion, so there is no gap and no double.

    `retour`: it is the team's feedback on what was done about the case; 422 of anybody else, or without a case.
    """
    acteur.verrouiller()
    pieces_jointes = list(pieces_jointes)
    if retour and (discussion.signalement is None or discussion.est_de(acteur)):
        raise ChampsInvalides.pour(retour=_("L'équipe seule donne le retour sur les suites, dans un dossier."))
    tient_le_dossier = discussion.signalement is not None and (
        # Whether it hides its author decides where its files may be; what the team writes keeps its dates, those too
        # that it is being given at this moment.
        bool(pieces_jointes)
        or (
            not discussion.est_de(acteur) and (discussion.signalement.attend_un_message or dates_a_venir["echeances"]())
        )
    )
    if discussion.signalement is not None and tient_le_dossier:
        discussion.signalement.verrouiller()
    _verrouiller(discussion, acteur)
    de_l_auteur = discussion.est_de(acteur)
    discussion.dernier_numero += 1
    discussion.non_lus += not de_l_auteur
    discussion.jamais_lus += de_l_auteur
    discussion.compter(acteur.pk)
    discussion.enregistrer("dernier_numero", "non_lus", "jamais_lus", "participants")
    message = Message(
        discussion=discussion,
        numero_sequence=discussion.dernier_numero,
        origine=discussion,
        # Above every number written here before, since a merge only ever adds.
        numero_origine=discussion.dernier_numero,
        contenu=contenu,
        type=type,
        date_creation=discussion.date_modification,
        **acteur.proprietaire,
    )
    message.pieces_jointes = attacher(
        acteur=acteur,
        fichiers=pieces_jointes,
        sorte=PIECE_DE_MESSAGE,
        objet=message.pk,
        anonyme=_cache(acteur, discussion.signalement),
    )
    message.indexer()
    inserer(message)
    alerte = None
    if de_l_auteur and discussion.signalement and discussion.signalement.est_resolu:
        alerte = lever(discussion.signalement, NatureAlerte.MESSAGE_APRES_CLOTURE, message.pk)
    message_ecrit.send(
        Message,
        message=message,
        discussion=discussion,
        alerte=alerte,
        retour=retour,
        tient_le_dossier=tient_le_dossier,
    )
    return message


@transaction.atomic
def marquer_lus(*, acteur: Acteur, discussion: Discussion) -> None:
    """Move the actor's read marks to the end; announce the messages that nobody but their author had read."""
    acteur.verrouiller()
    _verrouiller(discussion, acteur)
    _poser_les_marques(acteur, discussion)
    if acteur.peut(Droit.DISCUSSIONS_CONSULTER_TOUTES):
        Arriere.objects.filter(discussion=discussion, compte=acteur.compte).delete()
    est_neuf = discussion.dernier_numero > 0 and discussion.compter(acteur.pk)
    compte = "non_lus" if discussion.est_de(acteur) else "jamais_lus"
    a_lu = getattr(discussion, compte) > 0
    if a_lu:
        setattr(discussion, compte, 0)
    if est_neuf or a_lu:
        modifier(discussion, "non_lus", "jamais_lus", "participants")
    if a_lu and compte == "jamais_lus":
        _finir_l_alerte(discussion)
    jamais_lus = discussion.messages.filter(est_lu=False).d_autrui(acteur)
    annonces = list(jamais_lus.order_by("-numero_sequence").values_list("pk", flat=True)[:RECUS_ANNONCES])
    if annonces:
        jamais_lus.update(est_lu=True)
        messages_lus.send(Message, discussion=discussion, messages=annonces[::-1])


def _finir_l_alerte(discussion: Discussion) -> None:
    """End the alert once nothing of the case is left that nobody of the team has read."""
    dossier = discussion.signalement
    if dossier is not None and dossier.est_resolu and tenir(dossier.pk, NatureAlerte.MESSAGE_APRES_CLOTURE):
        autres = Discussion.objects.vivants().jamais_lues().filter(signalement=dossier).exclude(pk=discussion.pk)
        if not autres.exists():
            finir(dossier.pk, NatureAlerte.MESSAGE_APRES_CLOTURE)


def _poser_les_marques(acteur: Acteur, discussion: Discussion) -> None:
    """Upsert one mark for each discussion of origin: itself, and those that a merge joined to it."""
    origines = Discussion._base_manager.filter(Q(pk=discussion.pk) | Q(absorbe_par=discussion.pk))
    messages = Message.objects.order_by("-numero_origine").filter(origine=OuterRef("pk"))
    derniers = origines.annotate(dernier=Subquery(messages.values("numero_origine")[:1])).filter(dernier__isnull=False)
    Lecture.objects.bulk_create(
        [
            Lecture(discussion_id=pk, numero=dernier, **acteur.proprietaire)
            for pk, dernier in derniers.order_by("pk").values_list("pk", "dernier")
        ],
        update_conflicts=True,
        unique_fields=["discussion", "invite" if acteur.est_invite else "compte"],
        update_fields=["numero", "date_modification"],
    )


def _dossier_a_lier(acteur: Acteur, signalement_id: UUID) -> Signalement:
    en_equipe = acteur.peut(Droit.SIGNALEMENTS_CONSULTER_TOUS)
    connus = Signalement.objects.visibles_par(acteur) if en_equipe else Signalement.objects.all()
    signalement: Signalement | None = connus.menant_a(signalement_id).first()
    if signalement is None:
        raise ChampsInvalides.pour("does_not_exist", signalementId=_("Ce signalement n'existe pas."))
    signalement.verrouiller()
    if en_equipe and not signalement.est_visible_de(acteur):
        raise ChampsInvalides.pour("does_not_exist", signalementId=_("Ce signalement n'existe pas."))
    if not (acteur.possede(signalement) or acteur.peut(Droit.DISCUSSIONS_PARTICIPER_A_TOUTES)):
        raise AccesRefuse.pour(acteur)
    return signalement


def _cache(acteur: Acteur, dossier: Signalement | None) -> bool:
    """True where this actor writes as the hidden author of the report; staff sign what they write there."""
    return dossier is not None and dossier.se_cache and acteur.possede(dossier)


def _verrouiller(discussion: Discussion, acteur: Acteur) -> None:
    """Lock the row, read its report, and check the access again (403): both may have changed since the door."""
    demandee = discussion.pk
    (ouverte,) = discussion.verrouiller(ouverte_a(acteur, demandee))
    if discussion.pk != demandee:
        ouverte = ouverte_a(acteur, discussion.pk).premiere()
    if ouverte is None:
        raise AccesRefuse.pour(acteur)
    discussion.signalement = ouverte.signalement
