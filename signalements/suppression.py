"""Cases that are deleted whole: their rows and what the counters hold of them. What hangs on them goes before."""

from collections.abc import Collection, Iterable
from uuid import UUID

from signalements.compteurs.suivi import suivre_lignes
from signalements.models import AlerteDeDossier, EntreeTimeline, OuvertureMotivee, RegleDeLecture, Signalement
from signalements.signals import dossiers_effaces
from signalements.vocabulaire import PIECE_DE_SIGNALEMENT
from socle.audit.registre import consigner
from socle.audit.vocabulaire import Acte
from socle.domaine.verrous import verrouiller_dans_l_ordre

# Columns of a locked case: the texts stay in the database.
LUES = (
    "reference",
    "pieces_jointes",
    "ouvert_a",
    "equipe_id",
    "compte_id",
    "invite_id",
    "absorbe_par_id",
    "date_creation",
)


def verrouiller(cles: Collection[UUID]) -> list[Signalement]:
    """Lock these cases and the reports joined to them, in id order, against writers and against new references."""
    eux = Signalement.objects.et_leurs_joints(cles)
    return verrouiller_dans_l_ordre(eux.only(*LUES), exclusif=True)


def pieces_de(lignes: Iterable[Signalement]) -> dict[str, dict[UUID, list[str]]]:
    return {PIECE_DE_SIGNALEMENT: {ligne.pk: ligne.pieces_jointes for ligne in lignes if ligne.pieces_jointes}}


def retirer(lignes: Collection[Signalement]) -> None:
    """Delete these locked rows, cases and the reports joined to them, with history and rules; count them out."""
    cles = [ligne.pk for ligne in lignes]
    with suivre_lignes(cles):
        RegleDeLecture.objects.filter(signalement__in=cles).delete()
        OuvertureMotivee.objects.filter(signalement__in=cles).delete()
        AlerteDeDossier.objects.filter(signalement__in=cles).delete()
        EntreeTimeline.objects.filter(signalement__in=cles).delete()
        Signalement.objects.filter(absorbe_par__in=cles).delete()
        Signalement.objects.filter(pk__in=cles).delete()
    _consigner([ligne for ligne in lignes if ligne.absorbe_par_id is None])
    dossiers_effaces.send(Signalement, dossiers=list(lignes))


def _consigner(dossiers: Collection[Signalement]) -> None:
    """One trace of them all, by references alone; reserved ones apart, as whoever was shut out may read the rest."""
    for acte, reserves in ((Acte.DOSSIERS_EFFACES, False), (Acte.RESERVES_EFFACES, True)):
        references = sorted(un.reference for un in dossiers if un.est_ouvert_a_tous is not reserves)
        if references:
            consigner(acte, par=None, nombre=len(references), references=references)
