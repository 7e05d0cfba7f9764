"""Receivers of the acts on cases, events and posts, which note each for those whom it concerns."""

from typing import Any
from uuid import UUID

from django.dispatch import receiver

from accounts.models import Compte
from accounts.signals import compte_desactive, role_modifie
from accounts.vocabulaire import NatureAvis
from avis.demandes import oublier
from avis.services import (
    fermer,
    mener,
    noter,
    noter_a_chacun,
    oublier_l_objet,
    oublier_les_dossiers,
    perdre,
    perdre_l_illisible,
    quitter,
)
from avis.vocabulaire import CE_QUI_COMPTE, NatureCampus, NatureSuite
from calendrier.models import EvenementCampus
from calendrier.signals import evenement_annule, evenement_modifie, participations_changees
from calendrier.vocabulaire import StatutParticipation
from discussions.models import Discussion, Message
from discussions.signals import message_ecrit
from echeances.signals import date_rappelee
from echeances.vocabulaire import Etape
from equipes.signals import composition_changee
from forum.models import Poste
from forum.signals import poste_supprime
from forum.signals import statut_modifie as publication_jugee
from forum.vocabulaire import PUBLICS, REFUSES
from guests.models import SessionInvitee
from guests.signals import session_desactivee, session_fusionnee
from signalements.dates import POSEE, PROLONGEE
from signalements.lecteurs import Acces
from signalements.models import EntreeTimeline, Signalement
from signalements.signals import (
    dossiers_effaces,
    dossiers_joints,
    equipe_changee,
    historique_complete,
    lecteurs_changes,
    signalement_assigne,
    signalement_cree,
    statut_modifie,
)
from signalements.vocabulaire import Priorite, TypeEntree
from socle.domaine.droits import Droit, a_le_droit

NATURES_DES_ETAPES = {
    Etape.PROCHE: NatureAvis.ECHEANCE_PROCHE,
    Etape.AUJOURD_HUI: NatureAvis.ECHEANCE_DU_JOUR,
    Etape.SIGNALEE: NatureAvis.ECHEANCE_DEPASSEE,
}


@receiver(signalement_cree)
def noter_un_dossier(sender: Any, signalement: Signalement, **kwargs: Any) -> None:
    noter(NatureAvis.NOUVEAU_DOSSIER, signalement.pk, par=signalement.compte_id)
    if signalement.gestionnaire_id is not None:  # by a routing rule
        noter(NatureAvis.DOSSIER_CONFIE, signalement.pk, par=signalement.compte_id, vers=signalement.gestionnaire_id)


@receiver(signalement_assigne)
def noter_une_assignation(
    sender: Any, signalement: Signalement, entrees: list[EntreeTimeline], ancien: UUID | None, **kwargs: Any
) -> None:
    """Note it for its new handler and for the former one; not of what one does to oneself."""
    par, nouveau = entrees[0].compte_id, signalement.gestionnaire_id
    if nouveau is not None and nouveau not in (ancien, par):
        noter(NatureAvis.DOSSIER_CONFIE, signalement.pk, par=par, vers=nouveau)
    if ancien is not None and ancien not in (nouveau, par):
        noter(NatureAvis.DOSSIER_REPRIS, signalement.pk, par=par, vers=ancien)


@receiver(historique_complete)
def noter_un_dossier_critique(
    sender: Any, signalement: Signalement, entrees: list[EntreeTimeline], **kwargs: Any
) -> None:
    for entree in entrees:
        if entree.type == TypeEntree.PRIORITE and entree.apres == Priorite.CRITICAL:
            noter(NatureAvis.DOSSIER_CRITIQUE, signalement.pk, par=entree.compte_id)


@receiver(historique_complete)
def noter_une_date_donnee(sender: Any, signalement: Signalement, entrees: list[EntreeTimeline], **kwargs: Any) -> None:
    """Note for the author that a day was promised, or put off; one that is kept, a message has told."""
    for entree in entrees:
        if entree.type == TypeEntree.ECHEANCE and entree.apres in (POSEE, PROLONGEE):
            noter(NatureSuite.SUITE, signalement.pk, par=entree.compte_id)


@receiver(date_rappelee)
def noter_une_date(sender: Any, signalement: Signalement, etapes: list[Etape], **kwargs: Any) -> None:
    for etape in etapes:
        if etape in NATURES_DES_ETAPES:
            noter(NATURES_DES_ETAPES[etape], signalement.pk, par=None)


@receiver(message_ecrit)
def noter_un_message(sender: Any, message: Message, discussion: Discussion, **kwargs: Any) -> None:
    """Note those of the author of a case for the team, and the team's for the author."""
    if discussion.signalement_id is None:
        return
    de_l_auteur = discussion.titulaire in (message.compte_id, message.invite_id)
    nature = NatureAvis.MESSAGE if de_l_auteur else NatureSuite.SUITE
    noter(nature, discussion.signalement_id, par=message.compte_id)


@receiver([statut_modifie, signalement_assigne])
def noter_un_statut(sender: Any, signalement: Signalement, entrees: list[EntreeTimeline], **kwargs: Any) -> None:
    """Note a status that has changed, by whatever act, for the author of the case; not of what they do themselves."""
    for entree in entrees:
        if entree.type == TypeEntree.STATUT and entree.compte_id != signalement.compte_id:
            noter(NatureSuite.SUITE, signalement.pk, par=entree.compte_id)


@receiver([session_desactivee, session_fusionnee])
def oublier_l_adresse_d_un_invite(sender: Any, session: SessionInvitee, **kwargs: Any) -> None:
    """Forget it, whatever closes, erases or merges the session: taking a merge back does not bring it back."""
    oublier(session.pk)


@receiver([compte_desactive, role_modifie])
def oublier_qui_n_est_plus_de_l_equipe(sender: Any, compte: Compte, **kwargs: Any) -> None:
    if not compte.est_actif:
        fermer(compte)
    elif not a_le_droit(compte.role, Droit.SIGNALEMENTS_TRAITER):
        quitter(compte)
    else:  # whoever may not open cases again any more was told of some that they do not read
        perdre_l_illisible(compte)


@receiver([lecteurs_changes, equipe_changee])
def oublier_qui_ne_lit_plus(sender: Any, signalement: Signalement, perdus: set[UUID], **kwargs: Any) -> None:
    """Former readers of it; and those shut out, who may have been told of it without reading it, to open it again."""
    perdre(signalement, perdus | Acces.de(signalement).ecartes)


@receiver(equipe_changee)
def noter_un_dossier_confie_a_une_equipe(
    sender: Any, signalement: Signalement, entrees: list[EntreeTimeline], **kwargs: Any
) -> None:
    """To those who read it now it is a new case."""
    noter(NatureAvis.NOUVEAU_DOSSIER, signalement.pk, par=entrees[0].compte_id)


@receiver(composition_changee)
def oublier_qui_n_est_plus_d_une_equipe(sender: Any, perdus: set[UUID], **kwargs: Any) -> None:
    for compte in Compte.objects.filter(pk__in=perdus).order_by("pk"):
        perdre_l_illisible(compte)


@receiver(dossiers_effaces)
def oublier_avec_les_dossiers(sender: Any, dossiers: list[Signalement], **kwargs: Any) -> None:
    oublier_les_dossiers(dossiers)


@receiver(dossiers_joints)
def mener_avec_les_dossiers(sender: Any, chemins: dict[UUID, UUID], **kwargs: Any) -> None:
    mener(chemins)


@receiver(participations_changees)
def noter_des_places(
    sender: Any, evenement: EvenementCampus, statut: str, comptes: list[UUID], par: UUID | None, **kwargs: Any
) -> None:
    """Note each place that somebody else's act has given."""
    if statut == StatutParticipation.CONFIRMED:
        noter_a_chacun(NatureCampus.PLACE_OBTENUE, evenement.pk, par=par, vers=comptes)


@receiver(evenement_modifie)
def noter_un_changement(
    sender: Any, evenement: EvenementCampus, champs: frozenset[str], par: UUID | None, **kwargs: Any
) -> None:
    if champs & CE_QUI_COMPTE and not evenement.est_termine:
        noter(NatureCampus.EVENEMENT_MODIFIE, evenement.pk, par=par)


@receiver(evenement_annule)
def noter_une_annulation(sender: Any, evenement: EvenementCampus, par: UUID | None, **kwargs: Any) -> None:
    if not evenement.est_termine:
        noter(NatureCampus.EVENEMENT_ANNULE, evenement.pk, par=par)


@receiver(publication_jugee)
def noter_un_jugement(sender: Any, poste: Poste, avant: str, par: UUID, **kwargs: Any) -> None:
    """Note for its author that a post is now for everybody, or refused; that of the hook is in the answer to them."""
    if par == poste.compte_id:
        return
    for nature, statuts in (
        (NatureCampus.PUBLICATION_APPROUVEE, PUBLICS),
        (NatureCampus.PUBLICATION_REFUSEE, REFUSES),
    ):
        if poste.statut in statuts and avant not in statuts:
            noter(nature, poste.pk, par=par, vers=poste.compte_id)


@receiver(poste_supprime)
def oublier_avec_la_publication(sender: Any, poste: Poste, **kwargs: Any) -> None:
    oublier_l_objet(poste.pk)
