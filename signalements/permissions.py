from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any
from uuid import UUID

from django.db.models import Q
from django.db.models.functions import Coalesce
from django.http import HttpRequest

from equipes.lectures import noms_des_equipes
from resources.lecteurs import dossiers_de, fermes, lecteurs, ouverts_sur_motif
from signalements.erreurs import (
    LectureSeule,
    OuvertureExigee,
    SonPropreDossier,
    TropDeSignalements,
    TropDeSignalementsDIci,
)
from signalements.lecteurs import Acces, a_ouvrir, deplacables, ouverts_a, rouvrables
from signalements.lectures import accessible
from signalements.models import AlerteDeDossier, EntreeTimeline, Signalement
from signalements.querysets import hors_d_autres_equipes
from signalements.reserve import exiger_de_deplacer, exiger_de_reserver
from signalements.vocabulaire import PIECE_DE_SIGNALEMENT, TypeEntree
from socle.api.reseau import cle_adresse
from socle.audit.models import objets_caches, objets_presents, objets_rouvrables
from socle.audit.registre import consulter, est_surveille
from socle.audit.vocabulaire import Acte, Sorte
from socle.domaine.acteurs import Acteur
from socle.domaine.droits import Droit
from socle.domaine.limites import reserver
from socle.erreurs import AccesRefuse, Introuvable, PermissionRefusee


@contextmanager
def cadence_de_signalement(acteur: Acteur, requete: HttpRequest) -> Iterator[None]:
    """Rate limit around one report: by actor, and for guests by address, since another session costs nothing."""
    with ExitStack() as limites:
        limites.enter_context(reserver("report", acteur.cle, refus=TropDeSignalements))
        if acteur.est_invite:
            limites.enter_context(reserver("report_address", cle_adresse(requete), refus=TropDeSignalementsDIci))
        yield


def signalement_accessible(
    acteur: Acteur, pk: UUID | str, *, a_rendre: bool = False, motivee: bool = False
) -> Signalement:
    """The only door to a report for a reader: return it, or the case it was joined to; 404 unknown, 403 not visible.

    `a_rendre` adds the annotations of a response, as its unread count; a write adds them afterwards (`completer`).
    `motivee`: a reading, which an `OuvertureMotivee` lets in too.
    """
    signalement: Signalement | None = accessible(acteur, pk, a_rendre).premiere()
    if signalement is not None:
        if not acteur.possede(signalement) and est_surveille(acteur):
            consulter(acteur, Acte.SIGNALEMENT_OUVERT, signalement.pk)
        return signalement
    if (ouvert := _par_une_ouverture(acteur, pk, a_rendre=a_rendre, motivee=motivee)) is not None:
        consulter(acteur, Acte.SIGNALEMENT_OUVERT, ouvert.pk)
        return ouvert
    # Who is shut out of one is told no more than of one that never was.
    if acteur.peut(Droit.SIGNALEMENTS_CONSULTER_TOUS) or not Signalement.objects.filter(pk=pk).exists():
        raise Introuvable
    raise AccesRefuse.pour(acteur)


def _par_une_ouverture(acteur: Acteur, pk: UUID | str, *, a_rendre: bool, motivee: bool) -> Signalement | None:
    """The case of a team that this administrator has opened; 403 before that, and for what is no reading.

    None for others, and for who was shut out of it. It is asked as often of one that never was.
    """
    if not noms_des_equipes():
        return None
    lignes = Signalement.objects.pour_lecture(acteur) if a_rendre else Signalement.objects.vivants()
    signalement: Signalement | None = a_ouvrir(lignes, acteur).menant_a(pk).first()
    if signalement is None:
        return None
    ouverture = signalement.ouvertures.en_cours(acteur).first()
    if ouverture is None:
        raise OuvertureExigee
    if not motivee:
        raise LectureSeule
    signalement.ouvert_jusqu_a = ouverture.fin
    return signalement


def dossier_a_ouvrir(acteur: Acteur, pk: UUID | str) -> Signalement:
    """The door to open a case for a reason, which shows nothing of it: any that one reads, or might open; 404."""
    signalement: Signalement | None = Signalement.objects.visibles_par(acteur).menant_a(pk).first()
    if signalement is None:  # asked as often of one that never was as of one that is closed
        signalement = a_ouvrir(Signalement.objects.vivants(), acteur).menant_a(pk).first()
    if signalement is None:
        raise Introuvable
    return signalement


def dossier_a_reserver(acteur: Acteur, pk: UUID | str) -> Signalement:
    """The door to say who reads a case, which shows nothing of it: `exiger_de_reserver`, and 404."""
    signalement: Signalement | None = Signalement.objects.visibles_par(acteur).menant_a(pk).first()
    if signalement is None:  # asked as often of one that never was as of one that is closed
        signalement = rouvrables(Signalement.objects.vivants(), acteur).menant_a(pk).first()
    if signalement is None:
        raise Introuvable
    exiger_de_reserver(signalement, acteur)
    consulter(acteur, Acte.LECTEURS_CONSULTES, signalement.pk)
    return signalement


def dossier_de_son_auteur(acteur: Acteur, pk: UUID | str) -> Signalement:
    """The door to what its author alone says of a case: `signalement_accessible`, and 403 for who reads it."""
    signalement = signalement_accessible(acteur, pk)
    if not acteur.possede(signalement):
        raise PermissionRefusee
    return signalement


def dossier_a_deplacer(acteur: Acteur, pk: UUID | str) -> Signalement:
    """The door to send a case to another team, which shows nothing of it: `exiger_de_deplacer`, and 404."""
    signalement: Signalement | None = Signalement.objects.visibles_par(acteur).menant_a(pk).first()
    if signalement is None:  # asked as often of one that never was as of one that is closed
        signalement = deplacables(Signalement.objects.vivants(), acteur).menant_a(pk).first()
    if signalement is None:
        raise Introuvable
    exiger_de_deplacer(signalement, Acces.de(signalement), acteur)
    return signalement


def signalement_a_traiter(acteur: Acteur, pk: UUID | str) -> Signalement:
    """The door to handle a report: `signalement_accessible`, and 403 on one's own."""
    signalement = signalement_accessible(acteur, pk)
    if acteur.possede(signalement):
        raise SonPropreDossier
    return signalement


def alerte_accessible(acteur: Acteur, pk: UUID | str) -> AlerteDeDossier | None:
    """The door to an alert with an id of its own, over or not; None where there is none for this person."""
    alertes = AlerteDeDossier.objects.select_related("signalement").filter(pk=pk)
    alerte: AlerteDeDossier | None = alertes.filter(signalement__in=_a_traiter(acteur)).first()
    return alerte


def _a_traiter(acteur: Acteur) -> Any:
    return Signalement.objects.visibles_par(acteur).exclude(compte=acteur.compte).order_by().values("pk")


def signalement_par_reference(acteur: Acteur, reference: str) -> Signalement:
    """Look a reference up among the actor's own: an unknown one and somebody else's are the same 404."""
    siens = Signalement.objects.pour_lecture(acteur).de(acteur)
    signalement: Signalement | None = siens.filter(reference=reference.upper()).first()
    if signalement is None:
        raise Introuvable
    return signalement


def note_accessible(acteur: Acteur, pk: UUID | str) -> EntreeTimeline:
    """Fetch an internal note through the door to handle its case; 404 or 403."""
    notes = EntreeTimeline.objects.select_related("signalement").filter(type=TypeEntree.NOTE)
    note: EntreeTimeline | None = notes.filter(pk=pk).first()
    if note is None:
        raise Introuvable
    signalement_a_traiter(acteur, note.signalement_id)
    return note


@objets_caches("les dossiers dont on est écarté")
def dossiers_fermes(acteur: Acteur) -> Any:
    """Cases that this person is shut out of, and those joined to them: their readers are a secret from this person."""
    fermes = Signalement.objects.fermes_a(acteur).order_by().values("pk")
    joints = Signalement.objects.filter(absorbe_par__in=fermes).order_by().values("pk")
    return fermes.union(joints)  # an OR would read the table whole


@objets_rouvrables("les dossiers que l'on peut rouvrir")
def dossiers_a_rouvrir(acteur: Acteur) -> Any:
    """Reserved cases that this person may open again, so as not to learn by chance that others may not read them."""
    return rouvrables(Signalement.objects.vivants().reserves(), acteur).order_by().values("pk")


@objets_presents(Sorte.SIGNALEMENT)
def dossiers_presents(acteur: Acteur) -> Any:
    """All but those of teams that this person is not of: one by one, as they are many."""
    toutes = Signalement.objects.order_by()
    return toutes.filter(*(hors_d_autres_equipes(toutes, acteur, cle) for cle in ("pk", "absorbe_par")))


@objets_caches("ses propres dossiers")
def ses_dossiers(acteur: Acteur) -> Any:
    """Cases of this person: no author is to know who handles or reads their case, nor what was joined to it."""
    return Signalement.objects.filter(compte=acteur.compte).order_by().values("pk")


@ouverts_sur_motif(PIECE_DE_SIGNALEMENT)
def dossiers_ouverts(acteur: Acteur) -> Any:
    """Cases open to this administrator for a reason, and the reports that were joined to them."""
    ouverts = ouverts_a(acteur).values("pk")
    return Signalement.objects.filter(Q(pk__in=ouverts) | Q(absorbe_par__in=ouverts)).order_by()


@lecteurs(PIECE_DE_SIGNALEMENT)
def signalements_lisibles(acteur: Acteur, ids: Iterable[UUID]) -> Any:
    """Queryset of these reports, or of the cases they were joined to, whose files the actor may read."""
    visibles = Signalement.objects.visibles_par(acteur)
    return visibles.filter(Q(pk__in=ids) | Q(pk__in=Signalement.objects.filter(pk__in=ids).values("absorbe_par")))


@fermes(PIECE_DE_SIGNALEMENT)
def signalements_fermes(acteur: Acteur) -> Any:
    return Signalement.objects.fermes_un_a_un(acteur)


@dossiers_de(PIECE_DE_SIGNALEMENT)
def dossiers_des_signalements(ids: Iterable[UUID]) -> Any:
    """Ids of these reports, or of the cases they were joined to."""
    return Signalement.objects.filter(pk__in=ids).values_list(Coalesce("absorbe_par_id", "pk"), flat=True)
