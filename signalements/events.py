from collections.abc import Iterable, Iterator
from typing import Any
from uuid import UUID

from django.db.models import Q
from django.dispatch import receiver
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import Compte
from equipes.models import Equipe
from equipes.signals import composition_changee
from signalements.lecteurs import Acces
from signalements.models import EntreeTimeline, Signalement
from signalements.rendus import rendre_les_illisibles
from signalements.serializers import (
    EntreeDetail,
    NoteDetail,
    SignalementEvenement,
    entree_pour_autrui,
    pour_equipe,
    sans_l_equipe,
)
from signalements.signals import (
    dossier_ouvert_sur_motif,
    dossiers_effaces,
    dossiers_joints,
    equipe_changee,
    historique_complete,
    lecteurs_changes,
    note_ajoutee,
    signalement_assigne,
    signalement_cree,
    statut_modifie,
)
from signalements.tasks import prevenir_d_une_ouverture
from signalements.vocabulaire import DE_L_EQUIPE_SEULE, Ouverture
from socle.domaine.droits import Droit, roles_ayant
from socle.domaine.langue import en_francais
from socle.moteur.sorties import rendre_un
from socle.realtime.canaux import PERSONNEL, PUBLIC
from socle.realtime.declarations import declarer
from socle.realtime.diffusion import (
    Annonce,
    annoncer,
    fermer_sockets,
    oublier,
    oublier_alertes,
    oublier_canaux,
    publier,
    rediriger,
)
from socle.realtime.enveloppe import masquer_a

# Channels on which the whole team hears of every case.
DIFFUSES = ("signalements", "discussions", "dashboard")

declarer(
    "signalement_created",
    SignalementEvenement,
    "signalements",
    quand=gettext_lazy("Un dossier que toute l'équipe lit est signalé."),
)
declarer(
    "signalement_statut_updated",
    SignalementEvenement,
    "signalements",
    "signalement:{id}",
    quand=gettext_lazy("Le statut d'un dossier change, ou le dossier arrive à une autre équipe."),
)
declarer(
    "signalement_assigned",
    SignalementEvenement,
    "signalements",
    "signalement:{id}",
    quand=gettext_lazy("Un dossier est confié à quelqu'un ; son auteur ne lit pas à qui."),
)
declarer(
    "signalement_note_added",
    NoteDetail,
    "signalement:{id}",
    quand=gettext_lazy("Une note interne est écrite ; à l'équipe seule, jamais à l'auteur du dossier."),
)
declarer(
    "signalement_timeline_updated",
    EntreeDetail,
    "signalement:{id}",
    quand=gettext_lazy("Une ligne s'ajoute à l'historique du dossier, sous la forme que son auteur lit."),
)


@receiver(signalement_cree)
def publier_creation(sender: Any, signalement: Signalement, entrees: list[EntreeTimeline], **kwargs: Any) -> None:
    annoncer([*_a_l_equipe("signalement_created", signalement), *_histoire(signalement, entrees)])


@receiver(statut_modifie)
def publier_statut(sender: Any, signalement: Signalement, entrees: list[EntreeTimeline], **kwargs: Any) -> None:
    annoncer([*_dossier("signalement_statut_updated", signalement), *_histoire(signalement, entrees)])


@receiver(signalement_assigne)
def publier_assignation(sender: Any, signalement: Signalement, entrees: list[EntreeTimeline], **kwargs: Any) -> None:
    annoncer([*_dossier("signalement_assigned", signalement), *_histoire(signalement, entrees)])


@receiver(note_ajoutee)
def publier_note(sender: Any, signalement: Signalement, note: EntreeTimeline, **kwargs: Any) -> None:
    payload = rendre_un(NoteDetail, note)
    ajoutee = Annonce("signalement_note_added", _canal(signalement.pk), payload, PERSONNEL)
    annoncer([ajoutee, *_histoire(signalement, [note])])


@receiver(historique_complete)
def publier_histoire(sender: Any, signalement: Signalement, entrees: list[EntreeTimeline], **kwargs: Any) -> None:
    annoncer(_histoire(signalement, entrees))


@receiver(lecteurs_changes)
def fermer_a_qui_ne_lit_plus(
    sender: Any,
    signalement: Signalement,
    perdus: set[UUID],
    entrees: list[EntreeTimeline],
    prevenus: list[UUID],
    **kwargs: Any,
) -> None:
    """Close the sockets of who may not read it any more, and take what its broadcast channels still hold of it."""
    if not signalement.est_ouvert_a_tous:
        _oublier_avec_leurs_joints([signalement.pk])
    if prevenus:
        _alerter(prevenus)  # before their sockets close, which it is for
    fermer_sockets(comptes=sorted(perdus))
    annoncer(_histoire(signalement, entrees))


@receiver(equipe_changee)
def mener_a_l_autre_equipe(
    sender: Any, signalement: Signalement, perdus: set[UUID], entrees: list[EntreeTimeline], **kwargs: Any
) -> None:
    """Take what the broadcast channels hold of it, close the sockets of who loses it, and tell the team that has it."""
    _oublier_avec_leurs_joints([signalement.pk])
    fermer_sockets(comptes=sorted(perdus))
    annoncer([*_a_l_equipe("signalement_statut_updated", signalement), *_histoire(signalement, entrees)])


@receiver(dossier_ouvert_sur_motif)
def dire_qu_il_fut_ouvert(
    sender: Any, signalement: Signalement, par: str, entrees: list[EntreeTimeline], prevenus: list[UUID], **kwargs: Any
) -> None:
    """Tell each reader, who has the case, which one was opened and by whom; by mail, that one was."""
    with en_francais():
        message = _("%(nom)s a ouvert le dossier %(reference)s, avec un motif que son historique dit.")
        dit = message % {"nom": par, "reference": signalement.reference}
    if prevenus:
        publier("system_alert", [f"user:{compte}" for compte in prevenus], {"niveau": "SECURITE", "message": dit})
    for compte in prevenus:
        prevenir_d_une_ouverture.enqueue(str(compte))
    annoncer(_histoire(signalement, entrees))


@receiver(composition_changee)
def faire_rendre_ce_qu_ils_ne_lisent_plus(
    sender: Any, equipe: Equipe, perdus: set[UUID], par: UUID | None, **kwargs: Any
) -> None:
    """Have former readers of a team give back its cases; of who leaves the staff, whoever sees to it says to whom."""
    for compte in sorted(perdus) if par is not None else ():
        rendre_les_illisibles.enqueue(f"{equipe.pk} {compte} {par}")


@receiver(dossiers_effaces)
def oublier_ce_qu_on_en_a_dit(sender: Any, dossiers: list[Signalement], **kwargs: Any) -> None:
    """Take what channels still hold of deleted cases; their sockets close at the next check of who listens."""
    oublier(DIFFUSES, *(str(un.pk) for un in dossiers), depuis=min(un.date_creation for un in dossiers))
    oublier_canaux(_canal(un.pk) for un in dossiers)


@receiver(dossiers_joints)
def mener_leurs_canaux(sender: Any, chemins: dict[UUID, UUID], **kwargs: Any) -> None:
    cas = Signalement.objects.filter(pk__in=set(chemins.values())).order_by("pk")
    reserves = list(cas.exclude(ouvert_a=Ouverture.TOUS))
    for dossier in reserves:  # before their sockets are led to it
        fermes = Compte.objects.equipe_active().exclude(pk__in=Acces.de(dossier).lecteurs().values("pk"))
        fermer_sockets(comptes=fermes.exclude(pk=dossier.compte_id).order_by("pk").values_list("pk", flat=True))
    rediriger({_canal(de): _canal(vers) for de, vers in chemins.items()})
    _oublier_avec_leurs_joints([dossier.pk for dossier in reserves])


def _alerter(prevenus: list[UUID]) -> None:
    """Alert these administrators: on the channel of all where none is concerned by the case, else on their own."""
    administrateurs = Compte.objects.filter(type_utilisateur__in=roles_ayant(Droit.SERVICE_SURVEILLER), est_actif=True)
    tous = not administrateurs.exclude(pk__in=prevenus).exists()
    with en_francais():
        message = _("Une personne gestionnaire a fermé un dossier à la moitié de l'équipe, ou plus. Voyez le registre.")
    canaux = ["admin"] if tous else [f"user:{compte}" for compte in prevenus]
    publier("system_alert", canaux, {"niveau": "SECURITE", "message": message})


def _oublier_avec_leurs_joints(reserves: Iterable[UUID]) -> None:
    """Take what the broadcast channels hold of these cases, and of the reports that were joined to them."""
    cles = list(reserves)
    dossiers = Signalement.objects.filter(Q(pk__in=cles) | Q(absorbe_par__in=cles)).order_by()
    lus = list(dossiers.values_list("pk", "reference", "date_creation")) if cles else []
    if lus:
        depuis = min(date for _pk, _reference, date in lus)
        oublier(DIFFUSES, *(str(pk) for pk, _reference, _date in lus), depuis=depuis)
        oublier_alertes({reference for _pk, reference, _date in lus}, depuis=depuis)


def _dossier(type_: str, signalement: Signalement) -> Iterator[Annonce]:
    forme = pour_equipe(signalement)
    yield Annonce(type_, _canal(signalement.pk), sans_l_equipe(forme))
    yield from _a_l_equipe(type_, signalement, forme)


def _a_l_equipe(type_: str, signalement: Signalement, forme: dict[str, Any] | None = None) -> Iterator[Annonce]:
    """Staff event with a mask for its owner, who may be of the team: they are not told who handles their case.

    To its team alone, where it has one. None of a reserved case: nobody hears this channel for one case.
    """
    if not signalement.est_reserve:
        masque = masquer_a(signalement.compte_id, signalement.pk, SignalementEvenement.caches)
        forme = forme or pour_equipe(signalement)
        yield Annonce(type_, "signalements", forme, signalement.audience_de_l_equipe, masque)


def _histoire(signalement: Signalement, entrees: Iterable[EntreeTimeline]) -> Iterator[Annonce]:
    for entree in entrees:
        audience = PERSONNEL if entree.type in DE_L_EQUIPE_SEULE else PUBLIC
        payload = entree_pour_autrui(signalement, entree)
        yield Annonce("signalement_timeline_updated", _canal(signalement.pk), payload, audience)


def _canal(pk: UUID) -> str:
    return f"signalement:{pk}"
