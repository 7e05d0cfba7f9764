"""Being kept from a case by another word than the team's: its author's, or one's own."""

from collections.abc import Iterable
from uuid import UUID

from django.db import transaction

from signalements.erreurs import DemandesChangees, DernierLecteur, SonPropreDossier
from signalements.historique import noter
from signalements.lecteurs import Acces, noms_dits, origines_de, tenir_les_administrateurs
from signalements.models import RegleDeLecture, Signalement
from signalements.reserve import appliquer, consigner_les_lecteurs, exiger_qui_paraissent, exiger_un_lecteur
from signalements.signals import lecteurs_changes
from signalements.vocabulaire import DE_L_AUTEUR, Origine, TypeEntree
from socle.domaine.acteurs import Acteur
from socle.erreurs import Introuvable


def demandes(signalement: Signalement) -> list[RegleDeLecture]:
    """Rows of the people whom its author does not want to read it, each with its account, by name."""
    lignes = signalement.regles.filter(admis=False, origine__in=DE_L_AUTEUR).select_related("compte")
    return list(lignes.order_by("compte__nom", "compte__prenom", "compte"))


@transaction.atomic
def ne_pas_montrer(
    *, signalement: Signalement, acteur: Acteur, ne_pas_montrer_a: Iterable[UUID], vus: Iterable[UUID] | None = None
) -> None:
    """Make these the people whom its author, who asks, does not want to read it; to the same, nothing changes.

    Whom the team had shut out stays so, and whom the case names until they are looked at.
    404 for anybody else; 422 for a new one who is not named to whoever reports,
    and where nobody would be left to read it; 409 where a page showed others, `vus`.
    """
    voulus = frozenset(ne_pas_montrer_a)
    acteur.verrouiller()
    tenir_les_administrateurs()
    signalement.verrouiller()
    if not acteur.possede(signalement):
        raise Introuvable
    deja = origines_de(signalement)
    siens = {compte for compte, origine in deja.items() if origine in DE_L_AUTEUR}
    if vus is not None and siens not in (set(vus), voulus):
        raise DemandesChangees
    ajoutes, retires = voulus - siens, siens - voulus
    exiger_qui_paraissent(ajoutes)
    if not (ajoutes or retires):
        return
    avant = Acces.de(signalement)
    attendent = noms_dits["homonymes"](signalement.pk).en_attente if retires else frozenset()
    nommes = {un for un in retires & attendent if deja[un] == Origine.AUTEUR}
    acces = avant.sans(voulus, de_nouveau=[un for un in retires - nommes if deja[un] == Origine.AUTEUR])
    if ajoutes:
        exiger_un_lecteur(acces, signalement)
    regles = signalement.regles
    par_leur_nom = {compte for compte in ajoutes if deja.get(compte) == Origine.HOMONYME}
    regles.filter(compte__in=(ajoutes & avant.ecartes) - par_leur_nom).update(origine=Origine.LES_DEUX)
    regles.filter(compte__in=par_leur_nom).update(origine=Origine.AUTEUR)
    regles.filter(compte__in=(retires & acces.ecartes) - nommes).update(origine=Origine.EQUIPE)
    regles.filter(compte__in=nommes).update(origine=Origine.HOMONYME)
    perdus, entrees = appliquer(signalement, acces, acteur, dict.fromkeys(ajoutes, Origine.AUTEUR))
    lecteurs_changes.send(Signalement, signalement=signalement, perdus=perdus, entrees=entrees, prevenus=[])


@transaction.atomic
def se_retirer(*, signalement: Signalement, acteur: Acteur) -> None:
    """Shut oneself out of a case that one reads; only others let one in again.

    404 for who does not read it, 409 where nobody would be left to. In the history that staff read, and the register.
    """
    tenir_les_administrateurs()
    signalement.verrouiller()
    if acteur.possede(signalement):
        raise SonPropreDossier
    if not signalement.est_ouvert_a(acteur):
        raise Introuvable
    acces = Acces.de(signalement).sans([acteur.pk])
    if not acces.a_quelqu_un(signalement):
        raise DernierLecteur
    perdus, entrees = appliquer(signalement, acces, acteur, {acteur.pk: Origine.SOI})
    entrees.append(noter(signalement, TypeEntree.RETRAIT, acteur))
    consigner_les_lecteurs(signalement, acces, acteur)
    lecteurs_changes.send(Signalement, signalement=signalement, perdus=perdus, entrees=entrees, prevenus=[])
