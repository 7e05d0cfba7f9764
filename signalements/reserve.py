"""Acts on who reads a case, and what each of them asks for."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.lectures import qui_paraissent
from accounts.models import Compte
from equipes.models import Equipe
from signalements.compteurs.suivi import suivre
from signalements.erreurs import SonPropreDossier
from signalements.historique import noter, noter_un_motif
from signalements.lecteurs import (
    Acces,
    NomsDits,
    est_ouvert_sur_motif,
    noms_dits,
    poser,
    sont_administrateurs,
    tenir_les_administrateurs,
)
from signalements.models import EntreeTimeline, Signalement
from signalements.signals import equipe_changee, lecteurs_changes
from signalements.tasks import prevenir_d_une_fermeture
from signalements.vocabulaire import DE_L_AUTEUR, RESERVES, TypeEntree
from socle.audit.registre import consigner
from socle.audit.vocabulaire import Acte, Sorte
from socle.domaine.acteurs import Acteur
from socle.domaine.droits import Droit, roles_ayant
from socle.erreurs import ChampsInvalides, Introuvable, PermissionRefusee


@transaction.atomic
def changer_lecteurs(
    *,
    signalement: Signalement,
    acteur: Acteur,
    ecartes: Iterable[UUID] = (),
    admis: Iterable[UUID] = (),
    motif: str = "",
) -> None:
    """Say who of the team reads the case: all but `ecartes`; where `admis` names somebody, they alone.

    422 for who is not of the team, where nobody else could read the case or open it again, where nobody reads it and
    `admis` names nobody, and for what a manager may not do (`_exiger_un_recours`, `_exiger_un_motif`). Whoever handles
    it and may not read it any more is not its handler any more. Written in the register; `motif`, why somebody reads
    it whom its author had shut out, in the history that its author reads.
    """
    ecartes, admis = frozenset(ecartes), frozenset(admis)
    tenir_les_administrateurs()
    signalement.verrouiller()
    exiger_de_reserver(signalement, acteur)
    avant = Acces.de(signalement)
    _exiger_de_l_equipe(ecartes, admis, avant)
    if avant.est_a_personne and not admis:  # to leave both lists as they are read would open it to everybody
        raise ChampsInvalides.pour(admis=_("Personne ne lit ce dossier : dites qui le lira."))
    _exiger_une_decision(avant.ecartes - ecartes, signalement, acteur)
    acces = Acces.pour(ecartes, admis, avant.equipe)
    if acces == avant:
        return
    _exiger_un_recours(acces, avant, signalement, acteur)
    _exiger_que_reste_quelqu_un(acces, acteur)
    rendus = _rendus_malgre_l_auteur(signalement, acces)
    _exiger_un_motif(rendus, motif, acteur)
    perdus, entrees = appliquer(signalement, acces, acteur)
    if rendus:  # read by its author, and told to nobody of the staff
        noter_un_motif(signalement, TypeEntree.LECTURE_RENDUE, acteur, motif)
    consigner_les_lecteurs(signalement, acces, acteur)
    prevenus = _a_prevenir(acces, signalement, acteur) if perdus else []
    for compte in prevenus:
        prevenir_d_une_fermeture.enqueue(str(compte))
    lecteurs_changes.send(Signalement, signalement=signalement, perdus=perdus, entrees=entrees, prevenus=prevenus)


@transaction.atomic
def changer_equipe(*, signalement: Signalement, equipe_id: UUID | None, motif: str, acteur: Acteur) -> None:
    """Give the case to an active team, or to all of the staff (None): 422 for any other; to the same changes nothing.

    422 too where whoever moves it would come to read it: an administrator does not open a case that way. Who has
    opened it for a reason may send it anywhere.
    Who was shut out, or is named, stays so. Whoever handles it and may not read it any more is not its handler any
    more. In the history with its reason, for staff, and in the register.
    """
    equipe = None
    if equipe_id is not None:
        # Row lock, before the case: a team that is being deactivated at this moment receives none.
        equipe = Equipe.objects.select_for_update(no_key=True).filter(pk=equipe_id, active=True).first()
        if equipe is None:
            raise ChampsInvalides.pour(equipeId=_("Choisissez une équipe active."))
    signalement.verrouiller()
    avant = Acces.de(signalement)
    exiger_de_deplacer(signalement, avant, acteur)
    if avant.equipe == equipe_id:
        return
    acces = avant.vers(equipe_id)
    lit = signalement.est_visible_de(acteur) or est_ouvert_sur_motif(signalement, acteur)
    if not lit and acces.admet(acteur.pk):
        texte = _("Vous liriez ce dossier, que vous ne lisez pas : choisissez une autre équipe.")
        raise ChampsInvalides.pour(equipeId=texte)
    perdus, rendu = appliquer(signalement, acces, acteur)
    nom = "" if equipe is None else equipe.nom
    entrees = [noter_un_motif(signalement, TypeEntree.EQUIPE, acteur, f"{nom}\n{motif}"), *rendu]
    consigner(
        Acte.EQUIPE_CHANGEE,
        par=acteur,
        objet=signalement.pk,
        sorte=Sorte.SIGNALEMENT,
        avant=str(avant.equipe or ""),
        apres=str(equipe_id or ""),
    )
    equipe_changee.send(Signalement, signalement=signalement, perdus=perdus, entrees=entrees)


def appliquer(
    signalement: Signalement, acces: Acces, acteur: Acteur | None, origines: Mapping[UUID, str] = MappingProxyType({})
) -> tuple[set[UUID], list[EntreeTimeline]]:
    """Give this locked case its new access; return who loses it, and the line of its handler where it loses one.

    Its author is named to nobody, and does not learn from a line that whom they shut out was its handler; nor does
    anybody where a name alone decided (no `acteur`).
    """
    lisaient, gerait = _lecteurs(Acces.de(signalement)), signalement.gestionnaire_id
    decide = None if acteur is None or acteur.possede(signalement) else acteur
    with suivre(signalement):
        poser(signalement, acces, None if decide is None else decide.compte, origines)
        signalement.sans_lecteur_le = None  # told anew, where nobody is left to read it
        signalement.enregistrer("ouvert_a", "equipe", "gestionnaire", "sans_lecteur_le")
    rendu = gerait is not None and signalement.gestionnaire_id is None
    entrees = [noter(signalement, TypeEntree.ASSIGNATION, decide)] if rendu and decide is not None else []
    return lisaient - _lecteurs(acces), entrees


def _lecteurs(acces: Acces) -> set[UUID]:
    return set(acces.lecteurs().values_list("pk", flat=True))


def consigner_les_lecteurs(signalement: Signalement, acces: Acces, acteur: Acteur) -> None:
    """Write in the register who of the team reads the case from now on, as its rows say."""
    consigner(
        Acte.LECTEURS_CHANGES,
        par=acteur,
        objet=signalement.pk,
        sorte=Sorte.SIGNALEMENT,
        ouverture=acces.ouverture,
        ecartes=sorted(map(str, acces.ecartes)),
        admis=sorted(map(str, acces.admis)),
    )


def exiger_de_reserver(signalement: Signalement, acteur: Acteur) -> None:
    """403 on one's own, and on one that names them; 404 for who neither reads the case nor is an administrator whom
    nobody shut out of it."""
    if acteur.possede(signalement):
        raise SonPropreDossier
    if signalement.est_visible_de(acteur) and acteur.peut(Droit.SIGNALEMENTS_RESERVER):
        _exiger_de_ne_pas_y_etre_nomme(signalement, acteur)
        return
    if not Acces.de(signalement).rouvrable_par(acteur) or _y_est_nomme(signalement, acteur):
        raise Introuvable


def exiger_de_deplacer(signalement: Signalement, acces: Acces, acteur: Acteur) -> None:
    """403 on one's own, and on one that names them; 404 for who neither reads the case nor is an administrator whom
    nobody shut out of it."""
    if acteur.possede(signalement):
        raise SonPropreDossier
    if signalement.est_visible_de(acteur) and acteur.peut(Droit.SIGNALEMENTS_RESERVER):
        _exiger_de_ne_pas_y_etre_nomme(signalement, acteur)
        return
    if not acteur.peut(Droit.SIGNALEMENTS_ROUVRIR) or acteur.pk in acces.ecartes or _y_est_nomme(signalement, acteur):
        raise Introuvable


def _exiger_de_l_equipe(ecartes: frozenset[UUID], admis: frozenset[UUID], avant: Acces) -> None:
    """Of the team, and active if they are to read: somebody away may come back, and is shut out all the same.

    Who was shut out stays so, whatever they have become.
    """
    if ecartes & admis:
        raise ChampsInvalides.pour(admis=_("Une même personne ne peut pas être écartée et nommée."))
    equipe = Compte.objects.filter(type_utilisateur__in=roles_ayant(Droit.SIGNALEMENTS_TRAITER))
    connus = dict(equipe.filter(pk__in=ecartes | admis).values_list("pk", "est_actif"))
    if ecartes - avant.ecartes - connus.keys():
        raise ChampsInvalides.pour(ecartes=_("Choisissez des personnes de l'équipe."))
    if not all(connus.get(pk) for pk in admis):
        raise ChampsInvalides.pour(admis=_("Choisissez des personnes actives de l'équipe."))


def _exiger_une_decision(rendus: frozenset[UUID], signalement: Signalement, acteur: Acteur) -> None:
    """422 where somebody whom the case names would read it again before they were looked at.

    Of whom it means, an administrator alone may say so.
    """
    dits = noms_dits["homonymes"](signalement.pk) if rendus else NomsDits(frozenset(), frozenset())
    if rendus & dits.en_attente:
        texte = _("Le nom d'une personne écartée est à vérifier : un administrateur en décide à « Noms à vérifier ».")
        raise ChampsInvalides.pour(ecartes=texte)
    if rendus & dits.confirmes and not acteur.peut(Droit.SIGNALEMENTS_ROUVRIR):
        texte = _("Ce dossier met en cause une personne écartée : seul un administrateur peut y revenir.")
        raise ChampsInvalides.pour(ecartes=texte)


def _exiger_de_ne_pas_y_etre_nomme(signalement: Signalement, acteur: Acteur) -> None:
    """403 for whoever reads a case that names them, until somebody has looked: who reads it is not for them to say."""
    if _y_est_nomme(signalement, acteur):
        raise PermissionRefusee(_("C'est à un autre de dire qui lit ce dossier."))


def _y_est_nomme(signalement: Signalement, acteur: Acteur) -> bool:
    """True until somebody has looked: of a case that they do not read, they are not told even that it is there."""
    return acteur.pk in noms_dits["homonymes"](signalement.pk).en_attente


def _exiger_un_recours(acces: Acces, avant: Acces, signalement: Signalement, acteur: Acteur) -> None:
    """Refuse to let a manager, whom the case may accuse, shut out an administrator or close it for good.

    For good: where no administrator could open it again. By right, and not a constraint: others may shut out anybody.
    """
    if acteur.peut(Droit.SIGNALEMENTS_ROUVRIR):
        return
    if sont_administrateurs(acces.ecartes - avant.ecartes):
        texte = _("Seul un administrateur peut écarter un administrateur : demandez-le à l'un d'eux.")
        raise ChampsInvalides.pour(ecartes=texte)
    if not acces.elargit(avant) and not acces.recours_pour(signalement).exists():
        texte = _("Aucun administrateur ne pourrait rouvrir ce dossier : demandez à l'un d'eux de choisir qui le lit.")
        raise ChampsInvalides.pour(**{"admis" if acces.admis else "ecartes": texte})


def _a_prevenir(acces: Acces, signalement: Signalement, acteur: Acteur) -> list[UUID]:
    """The administrators to tell that a manager has closed a case to half of the team: those who may open it again."""
    if acteur.peut(Droit.SIGNALEMENTS_ROUVRIR) or not acces.ferme_a_la_moitie(signalement):
        return []
    return list(acces.recours_pour(signalement).order_by("pk").values_list("pk", flat=True))


def _rendus_malgre_l_auteur(signalement: Signalement, acces: Acces) -> list[str]:
    """Names of those whom its author had shut out, and `acces` does not."""
    de_l_auteur = signalement.regles.filter(admis=False, origine__in=DE_L_AUTEUR).exclude(compte__in=acces.ecartes)
    lignes = de_l_auteur.select_related("compte").order_by("compte__nom", "compte__prenom", "compte")
    return [regle.compte.nom_complet for regle in lignes]


def _exiger_un_motif(rendus: list[str], motif: str, acteur: Acteur) -> None:
    """An administrator alone lets somebody read whom its author had shut out, and says why, which the author reads."""
    if not rendus:
        return
    if not acteur.peut(Droit.SIGNALEMENTS_ROUVRIR):
        texte = _("Qui a signalé ne veut pas que %(noms)s lise ce dossier : seul un administrateur peut y revenir.")
        raise ChampsInvalides.pour(ecartes=texte % {"noms": rendus[0]})
    if not motif:
        texte = _("Qui a signalé ne veut pas que %(noms)s lise ce dossier : dites-lui pourquoi cela change.")
        raise ChampsInvalides.pour("required", motif=texte % {"noms": rendus[0]})


def exiger_qui_paraissent(comptes: Iterable[UUID]) -> None:
    """422, the same for any other account or none, unless each of these is named to whoever reports."""
    if not set(comptes) <= {un.id for un in qui_paraissent()}:
        raise ChampsInvalides.pour(nePasMontrerA=_("Choisissez des personnes de la liste, comme elle est à présent."))


def exiger_un_lecteur(acces: Acces, signalement: Signalement) -> None:
    """422 for its author where nobody would be left to read the case, nor to let somebody read it."""
    if not acces.a_quelqu_un(signalement):
        texte = _("Personne d'autre ne pourrait lire ce dossier : laissez au moins une personne le lire.")
        raise ChampsInvalides.pour(nePasMontrerA=texte)


def _exiger_que_reste_quelqu_un(acces: Acces, acteur: Acteur) -> None:
    """Somebody besides whoever decides, so that nobody alone can keep a case to themselves; an administrator may."""
    if acces.ouverture not in RESERVES:
        return
    restent = acces.lecteurs() | acces.recours()
    if not acteur.peut(Droit.SIGNALEMENTS_ROUVRIR):
        restent = restent.exclude(pk=acteur.pk)
    if not restent.exists():
        texte = _("Une autre personne que vous doit pouvoir lire ce dossier, ou un administrateur le rouvrir.")
        raise ChampsInvalides.pour(**{"admis" if acces.admis else "ecartes": texte})
