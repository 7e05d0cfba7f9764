"""The acts on names that a case shares with the staff: kept to be decided, decided, and compared when one changes."""

from collections.abc import Collection, Mapping
from contextlib import suppress
from types import MappingProxyType
from uuid import UUID

from django.db import transaction

from accounts.models import Compte
from echeances.jours import dans_des_jours_ouvres
from homonymes.erreurs import DejaDecide
from homonymes.lectures import connus_de, dossiers_proches, nomme, nommes
from homonymes.models import Homonyme
from homonymes.tasks import prevenir_d_un_nom
from homonymes.vocabulaire import DEBUT, ECARTES_MAX, JOURS_OUVRES, LOT, Decision
from signalements.lecteurs import Acces, origines_de, tenir_les_administrateurs
from signalements.models import Signalement
from signalements.reserve import appliquer
from signalements.signals import lecteurs_changes
from signalements.vocabulaire import Origine
from socle.audit.registre import consigner
from socle.audit.vocabulaire import Acte, Sorte
from socle.domaine.acteurs import Acteur
from socle.erreurs import Introuvable


def noter(signalement: Signalement, joints: Collection[UUID] = ()) -> None:
    """Keep for a decision whom this case, just written or joined by others, names, and tell who may decide.

    Whoever shut them out, their name or its author; where too many are named, all of them, though they read it. What
    was said of a report that is joined to it is said of it.
    """
    origines = origines_de(signalement) if signalement.est_reserve else {}
    d_office = {compte for compte, origine in origines.items() if origine == Origine.HOMONYME}
    dits = _dits_de(joints) if joints else {}
    lus = nommes(signalement.auteur_presume, signalement.compte_id, [signalement.pk, *joints])
    confirmes = {compte: par for compte, par in dits.items() if par is not None}
    _prevenir(_garder(signalement, d_office | lus | dits.keys(), confirmes))


def _dits_de(joints: Collection[UUID]) -> dict[UUID, UUID | None]:
    """Accounts that one of these reports may mean, each with whoever decided so, or None."""
    portes = Homonyme.objects.filter(signalement__in=joints).exclude(decision=Decision.AUTRE).order_by()
    return {un.compte_id: un.decide_par_id for un in portes}


def rapprocher(compte: Compte, apres: UUID = DEBUT) -> UUID | None:
    """Compare an account, active and of the staff, with the cases that are there: the next LOT after this key.

    Return the last key where there may be more. Each case that names it is locked, one after the other, in the order
    of keys.
    """
    lus = dossiers_proches(compte, apres)
    a_prevenir: set[UUID] = set()
    for cle, auteur_presume in lus:
        if nomme(auteur_presume, compte):
            with suppress(Introuvable), transaction.atomic():  # one that was deleted since
                signalement = Signalement(pk=cle)
                signalement.verrouiller()
                a_prevenir |= _ecarter(signalement, compte)
    _prevenir(a_prevenir)
    return lus[-1][0] if len(lus) == LOT else None


def _ecarter(signalement: Signalement, compte: Compte) -> set[UUID]:
    """Shut this account out of the locked case until a decision; too many, or the last, wait for it reading.

    Return the administrators to tell. Nothing once a decision was taken.
    """
    if not nomme(signalement.auteur_presume, compte):
        return set()
    connus = dict(Homonyme.objects.filter(signalement=signalement).values_list("compte", "decision"))
    if connus.get(compte.pk, Decision.EN_ATTENTE) != Decision.EN_ATTENTE:
        return set()
    avant = Acces.de(signalement)
    acces = avant.sans([compte.pk])
    assez_peu = len(connus.keys() | {compte.pk}) <= ECARTES_MAX
    if acces != avant and assez_peu and acces.a_quelqu_un(signalement):
        perdus, _entrees = appliquer(signalement, acces, None, {compte.pk: Origine.HOMONYME})
        lecteurs_changes.send(Signalement, signalement=signalement, perdus=perdus, entrees=[], prevenus=[])
    return _garder(signalement, {compte.pk})


def _garder(
    signalement: Signalement, comptes: set[UUID], confirmes: Mapping[UUID, UUID] = MappingProxyType({})
) -> set[UUID]:
    """Write a row for each that has none yet; return the administrators to tell, whom none of its rows is about.

    `confirmes` are those whom a report of the case was said to mean, and by whom: nothing waits of them.
    """
    if not comptes:
        return set()
    connus = set(Homonyme.objects.filter(signalement=signalement).values_list("compte", flat=True))
    if not (nouveaux := comptes - connus):
        return set()
    jour = dans_des_jours_ouvres(JOURS_OUVRES)
    Homonyme.objects.bulk_create(
        Homonyme(
            signalement=signalement,
            compte_id=compte,
            jusqu_au=jour,
            decision=Decision.ECARTE if compte in confirmes else Decision.EN_ATTENTE,
            decide_par_id=confirmes.get(compte),
        )
        for compte in sorted(nouveaux)
    )
    return qui_decident(signalement, connus | nouveaux) if nouveaux - confirmes.keys() else set()


def _prevenir(comptes: set[UUID]) -> None:
    for compte in sorted(comptes):
        prevenir_d_un_nom.enqueue(str(compte))


def qui_decident(signalement: Signalement, nommes_: set[UUID]) -> set[UUID]:
    """Active administrators who may decide of the names of this case: neither its author, nor shut out, nor named."""
    return set(Acces.de(signalement).recours_pour(signalement).exclude(pk__in=nommes_).values_list("pk", flat=True))


@transaction.atomic
def decider(*, homonyme: Homonyme, acteur: Acteur, est_la_personne: bool) -> None:
    """Say whether the case means this member of the staff: they stay shut out of it, or are not by their name.

    404 for whoever is concerned, 409 once another has said otherwise. What its author asks stays. Whoever decides could
    open the case again: somebody is always left. In the register, for operators: read beside the case, the line would
    tell somebody who reads it again that they had not.
    """
    tenir_les_administrateurs()
    signalement = Signalement(pk=homonyme.signalement_id)
    signalement.verrouiller()
    homonyme = connus_de(acteur).filter(pk=homonyme.pk).first()
    if homonyme is None:
        raise Introuvable
    decision = Decision.ECARTE if est_la_personne else Decision.AUTRE
    if homonyme.decision == decision:
        return
    if homonyme.decision != Decision.EN_ATTENTE:
        raise DejaDecide
    homonyme.decision, homonyme.decide_par = decision, acteur.compte
    homonyme.enregistrer("decision", "decide_par")
    consigner(Acte.HOMONYME_DECIDE, par=acteur, objet=signalement.pk, sorte=Sorte.SIGNALEMENT, decision=decision)
    _regler(signalement, homonyme.compte_id, acteur, est_la_personne=est_la_personne)


def _regler(signalement: Signalement, compte: UUID, acteur: Acteur, *, est_la_personne: bool) -> None:
    """Make the access of the locked case what was decided of this account; what the team and its author said stays."""
    avant, origine = Acces.de(signalement), origines_de(signalement).get(compte)
    regle = signalement.regles.filter(compte=compte)
    acces = avant
    if est_la_personne:
        acces = avant.sans([compte])
        if origine == Origine.HOMONYME:
            regle.update(origine=Origine.EQUIPE, par=acteur.compte)
        elif origine == Origine.AUTEUR:
            regle.update(origine=Origine.LES_DEUX, par=acteur.compte)
    elif origine == Origine.HOMONYME:
        acces = avant.sans([], de_nouveau=[compte])
    if acces != avant:
        perdus, entrees = appliquer(signalement, acces, acteur)
        lecteurs_changes.send(Signalement, signalement=signalement, perdus=perdus, entrees=entrees, prevenus=[])
