import secrets
from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from typing import Any, ParamSpec
from uuid import UUID

from django.conf import settings
from django.db import IntegrityError, connection, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import Compte
from equipes.lectures import dossiers_d_equipe, types_dits
from equipes.models import Equipe
from resources.erreurs import FichierUtilise
from resources.lecteurs import historique
from resources.services.fichiers import attacher
from signalements.alertes import finir
from signalements.compteurs.suivi import suivre
from signalements.dates import dates_d_un_nouveau
from signalements.erreurs import SonPropreDossier
from signalements.historique import noter
from signalements.lecteurs import Acces, acheminer, destinataire, poser, qui_ecarter, tenir_les_administrateurs
from signalements.models import ETAPE, AlerteDeDossier, EntreeTimeline, Signalement
from signalements.reserve import exiger_qui_paraissent, exiger_un_lecteur
from signalements.signals import (
    alerte_ecartee,
    historique_complete,
    note_ajoutee,
    signalement_assigne,
    signalement_cree,
    statut_modifie,
)
from signalements.vocabulaire import (
    ALPHABET_REFERENCE,
    ANONYME,
    IDENTIFIE,
    PAR_REGLE,
    PIECE_DE_SIGNALEMENT,
    RESOLUS,
    SUITES_D_ALERTE,
    NatureAlerte,
    Origine,
    Priorite,
    Statut,
    TypeEntree,
    type_lisible,
)
from socle.audit.registre import consigner
from socle.audit.vocabulaire import Acte, Sorte
from socle.domaine.acteurs import Acteur, ActeurCompte
from socle.domaine.identite import masquer_ecrits
from socle.domaine.verrous import verrouiller_dans_l_ordre
from socle.erreurs import ChampsInvalides, Introuvable
from socle.idempotence.creation import creation
from socle.moteur.ecritures import inserer

TIRAGES = 5

P = ParamSpec("P")


def _sous_une_reference_libre(creer: Callable[P, Signalement]) -> Callable[P, Signalement]:
    """Retry decorator for a creation whose commit finds its drawn reference taken: nothing of it is left by then."""

    @wraps(creer)
    def creer_encore(*args: P.args, **kwargs: P.kwargs) -> Signalement:
        for _essai in range(TIRAGES - 1):
            try:
                return creer(*args, **kwargs)
            except IntegrityError as refus:
                if connection.in_atomic_block or "reference" not in str(refus):
                    raise
        return creer(*args, **kwargs)

    return creer_encore


@_sous_une_reference_libre
@creation
def creer(
    *,
    acteur: Acteur,
    reference: str | None = None,
    pieces_jointes: Sequence[UUID] = (),
    ne_pas_montrer_a: Sequence[UUID] = (),
    **champs: Any,
) -> Signalement:
    """Insert a report of this actor; its mode defaults to ANONYME for a guest, IDENTIFIE for an account.

    The first routing rule that suits it gives it to a team, and to somebody there. `ne_pas_montrer_a` are accounts that
    never read it: 422 as `exiger_qui_paraissent` and `exiger_un_lecteur`; whom its presumed author's name means may not
    either, for now. CRITICAL becomes HIGH: staff alone set it, and who reports is only the owner here, staff or not.
    """
    exiger_qui_paraissent(ne_pas_montrer_a)
    acteur.verrouiller(exclusif=reference is not None)
    if reference is not None and acteur.compte is not None:
        acteur.compte.verrouiller()  # before the files, as in a merge
    if champs.get("priorite") == Priorite.CRITICAL:
        champs["priorite"] = Priorite.HIGH
    champs.setdefault("mode_identification", ANONYME if acteur.est_invite else IDENTIFIE)
    signalement = Signalement(**acteur.proprietaire, **champs)
    nommes = _tenir_qui_lira(signalement, ne_pas_montrer_a)
    signalement.pieces_jointes = attacher(
        acteur=acteur,
        fichiers=pieces_jointes,
        sorte=PIECE_DE_SIGNALEMENT,
        objet=signalement.pk,
        anonyme=signalement.se_cache,
    )
    dates_d_un_nouveau["echeances"](signalement)
    acces, origines = _acheminer(signalement, ne_pas_montrer_a, nommes)
    with suivre(signalement):
        if reference is None:
            _enregistrer_sous_une_reference(signalement)
        else:
            _enregistrer_sous(signalement, reference, acteur)
    if origines:  # before anybody hears of it
        poser(signalement, acces, None, origines)
    entrees = [noter(signalement, TypeEntree.CREATION, acteur, apres=signalement.statut)]
    if (gestionnaire := signalement.gestionnaire) is not None:
        qui, nom = ActeurCompte(compte=gestionnaire), gestionnaire.nom_complet
        entrees.append(noter(signalement, TypeEntree.ASSIGNATION, qui, apres=PAR_REGLE, contenu=nom))
    signalement_cree.send(Signalement, signalement=signalement, entrees=entrees)
    return signalement


@transaction.atomic
def changer_statut(*, signalement: Signalement, statut: str, acteur: Acteur) -> None:
    """Any statut to any other; the same again changes nothing but is still announced."""
    _verrouiller(signalement, acteur)
    ancien, entrees = signalement.statut, []
    if statut != ancien:
        with suivre(signalement):
            signalement.passer_a(statut)
            signalement.enregistrer(*ETAPE)
        entrees.append(noter(signalement, TypeEntree.STATUT, acteur, avant=ancien, apres=statut))
    if ancien in RESOLUS and not signalement.est_resolu:
        finir(signalement.pk, NatureAlerte.MESSAGE_APRES_CLOTURE)
    statut_modifie.send(Signalement, signalement=signalement, ancien=ancien, entrees=entrees)


@transaction.atomic
def ecarter_alerte(*, signalement: Signalement, acteur: Acteur) -> None:
    """Move on from a status that asks for attention; again changes nothing; 404 where there never was an alert."""
    _verrouiller(signalement, acteur)
    ancien = signalement.statut
    if not signalement.a_une_alerte:
        if not signalement.timeline.filter(type=TypeEntree.ALERTE_ECARTEE).exists():
            raise Introuvable
        return
    with suivre(signalement):
        signalement.passer_a(SUITES_D_ALERTE[Statut(ancien)])
        signalement.enregistrer(*ETAPE)
    entrees = [
        noter(signalement, TypeEntree.ALERTE_ECARTEE, acteur),
        noter(signalement, TypeEntree.STATUT, acteur, avant=ancien, apres=signalement.statut),
    ]
    statut_modifie.send(Signalement, signalement=signalement, ancien=ancien, entrees=entrees)


@transaction.atomic
def ecarter_une_alerte(*, alerte: AlerteDeDossier, acteur: Acteur) -> None:
    """Hide from all of the team an alert that no status raised; nothing else changes. Again, or over: nothing does."""
    _verrouiller(alerte.signalement, acteur)
    ouverte = AlerteDeDossier.objects.ouvertes().filter(pk=alerte.pk)
    if ouverte.update(date_ecartement=timezone.now(), ecartee_par=acteur.compte):
        alerte_ecartee.send(AlerteDeDossier, signalement=alerte.signalement)


@transaction.atomic
def assigner(*, signalement: Signalement, gestionnaire_id: Any, acteur: Acteur) -> None:
    """Assign to an active member of staff, else 422; NOUVEAU becomes ASSIGNE, other statuses stay."""
    # Row lock: somebody who is being deactivated at this moment does not receive a case.
    gestionnaire = Compte.objects.equipe_active().select_for_update(no_key=True).filter(pk=gestionnaire_id).first()
    if gestionnaire is None:
        raise ChampsInvalides.pour(gestionnaireId=_("Choisissez une personne active de l'équipe."))
    _verrouiller(signalement, acteur)
    if not Acces.de(signalement).admet(gestionnaire.pk):
        raise ChampsInvalides.pour(gestionnaireId=_("Cette personne ne peut pas lire ce dossier."))
    ancien, avant = signalement.statut, signalement.gestionnaire_id
    with suivre(signalement):
        signalement.gestionnaire = gestionnaire
        if ancien == Statut.NOUVEAU:
            signalement.passer_a(Statut.ASSIGNE)
        signalement.enregistrer("gestionnaire", *ETAPE)  # with the date, even of the same status: its author is told
    entrees = [noter(signalement, TypeEntree.ASSIGNATION, acteur, contenu=gestionnaire.nom_complet)]
    if signalement.statut != ancien:
        entrees.append(noter(signalement, TypeEntree.STATUT, acteur, avant=ancien, apres=signalement.statut))
    signalement_assigne.send(Signalement, signalement=signalement, entrees=entrees, ancien=avant)


@transaction.atomic
def rendre(*, signalement: Signalement, acteur: Acteur) -> None:
    """Take the case from its handler, for nobody; its status stays. A case that nobody handles is left as it is."""
    _verrouiller(signalement, acteur)
    if signalement.gestionnaire_id is not None:
        _passer(signalement, None, acteur)


@transaction.atomic
def rendre_faute_de_lire(cle: UUID, acteur: Acteur) -> bool:
    """Take the case from a handler who may not read it any more, by whoever took them out; True where it is done.

    For the head of its team, where that is not its author and may read it; else for nobody.
    """
    # Row lock, before the case: somebody who is being taken out of the team at this moment does not receive it.
    responsables = Compte.objects.equipe_active().select_for_update(no_key=True)
    responsable = responsables.filter(pk=Equipe.objects.responsable_de(Signalement.objects.filter(pk=cle))).first()
    signalement = Signalement(pk=cle)
    signalement.verrouiller()
    gestionnaire, acces = signalement.gestionnaire_id, Acces.de(signalement)
    if gestionnaire is None or acces.admet(gestionnaire):
        return False
    if responsable is not None and (responsable.pk == signalement.compte_id or not acces.admet(responsable.pk)):
        responsable = None
    _passer(signalement, responsable, acteur)
    return True


types_dits.inscrire("signalements", type_lisible)


@dossiers_d_equipe("signalements")
def a_eu_des_dossiers(equipe: UUID) -> bool:
    return bool(Signalement.objects.order_by().filter(equipe=equipe).exists())


def _passer(signalement: Signalement, suivant: Compte | None, acteur: Acteur) -> None:
    """Give the locked case, of which somebody is the handler, to another, or to nobody; its status stays."""
    avant = signalement.gestionnaire_id
    with suivre(signalement):
        signalement.gestionnaire = suivant
        signalement.enregistrer("gestionnaire")
    nom = "" if suivant is None else suivant.nom_complet
    entrees = [noter(signalement, TypeEntree.ASSIGNATION, acteur, contenu=nom)]
    signalement_assigne.send(Signalement, signalement=signalement, entrees=entrees, ancien=avant)


@transaction.atomic
def geler(*, signalement: Signalement, acteur: Acteur, gele: bool, motif: str = "") -> None:
    """Set or lift the hold; the same again changes nothing. Nothing is announced: its author hears the same channels.

    Written in the register without its reason, which goes with the case.
    """
    _verrouiller(signalement, acteur)
    if gele == signalement.est_gele and (not gele or motif == signalement.gel_motif):
        return
    signalement.gele_depuis = (signalement.gele_depuis or timezone.now()) if gele else None
    signalement.gel_motif, signalement.gele_par = (motif, acteur.compte) if gele else ("", None)
    masquer_ecrits(signalement)
    signalement.enregistrer("gele_depuis", "gel_motif", "gele_par")
    consigner(Acte.GEL_CHANGE, par=acteur, objet=signalement.pk, sorte=Sorte.SIGNALEMENT, gele=gele)


@transaction.atomic
def geler_sans_avis(cle: UUID) -> None:
    """Hold a case at its term of which no administrator could have notice: one who may read it again decides."""
    signalement = Signalement.objects.get(pk=cle)
    signalement.verrouiller()
    if signalement.est_gele:
        return
    signalement.gele_depuis = timezone.now()
    signalement.gel_motif = "Son temps de garde est passé sans qu'un administrateur puisse en avoir l'avis."
    signalement.enregistrer("gele_depuis", "gel_motif")
    consigner(Acte.GEL_CHANGE, par=None, objet=signalement.pk, sorte=Sorte.SIGNALEMENT, gele=True)


@transaction.atomic
def changer_priorite(*, signalement: Signalement, priorite: str, acteur: Acteur) -> None:
    _verrouiller(signalement, acteur)
    ancienne = signalement.priorite
    if priorite == ancienne:
        return
    with suivre(signalement):
        signalement.priorite = priorite
        signalement.enregistrer("priorite")
    entree = noter(signalement, TypeEntree.PRIORITE, acteur, avant=ancienne, apres=priorite)
    historique_complete.send(Signalement, signalement=signalement, entrees=[entree])


@creation
def ajouter_note(*, signalement: Signalement, contenu: str, acteur: Acteur) -> EntreeTimeline:
    """An internal note: a line of the history for staff alone."""
    _verrouiller(signalement, acteur)
    note = EntreeTimeline(signalement=signalement, type=TypeEntree.NOTE, contenu=contenu, **acteur.proprietaire)
    masquer_ecrits(note)
    note.save(force_insert=True)
    note_ajoutee.send(Signalement, signalement=signalement, note=note)
    return note


@historique("tenir")
def tenir_pour_leurs_pieces(dossiers: Iterable[UUID], acteur: Acteur) -> list[Signalement]:
    """Lock these cases, in id order, before their evidence changes; 409 FILE_IN_USE for their owner, staff or not."""
    tenus = {}
    for pk in sorted(dossiers):
        signalement = Signalement(pk=pk)
        signalement.verrouiller()
        if acteur.possede(signalement):
            raise FichierUtilise
        if not signalement.est_ouvert_a(acteur):
            raise Introuvable
        tenus[signalement.pk] = signalement
    return list(tenus.values())


@historique("geles")
def un_dossier_gele(dossiers: Iterable[UUID]) -> bool:
    """True where one of these cases is held, once they are locked in id order: until the commit that stays so."""
    lignes = Signalement.objects.filter(pk__in=dossiers).values_list("gele_depuis", flat=True)
    return any(verrouiller_dans_l_ordre(lignes))


@historique("noter")
def noter_une_piece(dossiers: Iterable[Signalement], acteur: Acteur, nom: str, *, supprimee: bool) -> None:
    type_ = TypeEntree.PIECE_SUPPRIMEE if supprimee else TypeEntree.PIECE_RETABLIE
    entrees = [noter(signalement, type_, acteur, contenu=nom) for signalement in dossiers]
    for entree in entrees:
        historique_complete.send(Signalement, signalement=entree.signalement, entrees=[entree])


def tirer_reference() -> str:
    """SIG-YYYY-XXXXXXXX, of almost 40 random bits after the year of the campus, drawn again where it has no digit.

    A code of letters alone, written without its SIG, would pass for a word.
    """
    annee = timezone.now().astimezone(settings.TIME_ZONE_CAMPUS).year
    code = ""
    while not any(signe.isdigit() for signe in code):
        code = "".join(ALPHABET_REFERENCE[octet % 32] for octet in secrets.token_bytes(8))  # 256 is a multiple of 32
    return f"SIG-{annee}-{code}"


def _verrouiller(signalement: Signalement, acteur: Acteur) -> None:
    """Lock the row, and judge again what may have changed since the door: 403 on one's own, 404 on a closed one."""
    signalement.verrouiller()
    if acteur.possede(signalement):
        raise SonPropreDossier
    if not signalement.est_ouvert_a(acteur):
        raise Introuvable


def _tenir_qui_lira(signalement: Signalement, ne_pas_montrer_a: Sequence[UUID]) -> set[UUID]:
    """Return whom the name given in a new case shuts out of it.

    Where somebody is, those counted on to read it and whoever is to handle it are locked first, together: a
    deactivation takes both in the order of their keys.
    """
    nommes = qui_ecarter["homonymes"](signalement.auteur_presume, signalement.compte_id)
    if not (ne_pas_montrer_a or nommes):
        return nommes
    tenir_les_administrateurs(destinataire(signalement))
    return qui_ecarter["homonymes"](signalement.auteur_presume, signalement.compte_id)  # a new role was waited for


def _acheminer(
    signalement: Signalement, ne_pas_montrer_a: Sequence[UUID], nommes: set[UUID]
) -> tuple[Acces, dict[UUID, str]]:
    """`acheminer` without both kinds of people; return the access, and by whose word each is shut out.

    Not by their name where nobody would be left to read the case: then only as its author asks, else 422.
    """
    demandes: dict[UUID, str] = dict.fromkeys(ne_pas_montrer_a, Origine.AUTEUR)
    origines = dict.fromkeys(nommes, Origine.HOMONYME) | demandes
    acces = acheminer(signalement, origines)
    if origines.keys() > demandes.keys() and not acces.a_quelqu_un(signalement):
        origines = demandes
        signalement.gestionnaire = None
        acces = acheminer(signalement, origines)
    if demandes:
        exiger_un_lecteur(acces, signalement)
    return acces, origines


def _enregistrer_sous_une_reference(signalement: Signalement) -> None:
    """Insert under a drawn reference: with the commit, or at once inside a transaction that cannot be made again."""
    est_a_part = bool(connection.savepoint_ids)
    for _essai in range(TIRAGES):
        signalement.reference = tirer_reference()
        signalement.indexer()
        if inserer(signalement, sauf_conflit=est_a_part):
            return
    raise IntegrityError("no reference is free")


def _enregistrer_sous(signalement: Signalement, reference: str, acteur: Acteur) -> None:
    """Save under a declared reference, 422 if used twice: it gives no access, it lets staff see that two are one.

    Call with the lock of the actor, or of its account: two at once would both find it free.
    """
    if Signalement.objects.de(acteur).filter(reference=reference).exists():
        raise ChampsInvalides.pour("unique", reference=_("Vous avez déjà un signalement sous cette référence."))
    signalement.reference = reference
    signalement.reference_tiree = False
    signalement.indexer()
    signalement.save(force_insert=True)
