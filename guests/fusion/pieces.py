"""Files in a merge: one that a hidden author has on their case is nowhere else, whatever the case becomes."""

from collections.abc import Iterable
from dataclasses import replace
from uuid import UUID

from django.db.models import Count, F, Q

from accounts.models import Compte
from discussions.models import Message
from guests.erreurs import FichiersPartages
from resources.models import Attache, Fichier
from resources.vocabulaire import Portee
from signalements.models import Signalement
from socle.domaine.fusions import Action, Colonnes, Paire, Rencontres, colonnes
from socle.domaine.verrous import verrouiller_dans_l_ordre

colonnes.inscrire(
    "resources.Fichier",
    Colonnes(
        recalculees=("portee", "recherche"),
        gardees=(
            "date_modification",
            "nom",
            "type_mime",
            "taille",
            "seau",
            "cle",
            "metadonnees_retirees",
            "date_suppression",
        ),
    ),
)


def restreindre(rencontres: Rencontres, compte: Compte) -> Rencontres:
    """Allow SKIP alone where joining would hide the author of a case that shares a file of theirs.

    A file of this account too: whoever has handled a case as staff, and then joins it to their own, is its author.
    """
    caches = {paire.cle for paire in rencontres.paires if paire.source.se_cache or paire.cible.se_cache}
    lies = _aux_fichiers_partages({cle for cles in caches for cle in cles}, compte) if caches else set()

    def restreinte(paire: Paire) -> Paire:
        est_lie = paire.cle in caches and not lies.isdisjoint(paire.cle)
        return replace(paire, actions=(Action.SKIP,)) if est_lie else paire

    groupes = [replace(groupe, paires=[restreinte(p) for p in groupe.paires]) for groupe in rencontres.groupes]
    return replace(rencontres, groupes=groupes)


def reserver(dossiers: Iterable[Signalement], compte: Compte) -> list[str]:
    """Make ANONYME the files of this account on joined cases that hide it; return the ids of those changed."""
    caches = {dossier.pk for dossier in dossiers if dossier.se_cache}
    if not caches:
        return []
    siens = Fichier.objects.filter(pk__in=list(_pieces(caches, compte)), compte=compte, portee=Portee.OUVERTE)
    fichiers = verrouiller_dans_l_ordre(siens)
    if _partages(fichier.pk for fichier in fichiers):
        raise FichiersPartages  # attached elsewhere since the plan, or by way of a third report
    _destiner(fichiers, Portee.ANONYME)
    return [str(fichier.pk) for fichier in fichiers]


def rendre(cles: Iterable[str]) -> None:
    """The way back of `reserver`."""
    _destiner(verrouiller_dans_l_ordre(Fichier.objects.filter(pk__in=list(cles))), Portee.OUVERTE)


def _destiner(fichiers: list[Fichier], portee: Portee) -> None:
    for fichier in fichiers:
        fichier.portee = portee
        fichier.indexer()
    Fichier.objects.bulk_update(fichiers, ["portee", "recherche"])


def _aux_fichiers_partages(dossiers: set[UUID], compte: Compte) -> set[UUID]:
    """Filter these reports to those with a file of their owner's, or of this account, attached more than once."""
    pieces = _pieces(dossiers, compte)
    return {dossier for fichier in _partages(pieces) for dossier in pieces[fichier]}


def _partages(fichiers: Iterable[UUID]) -> set[UUID]:
    ouverts = Attache.objects.filter(fichier__in=list(fichiers), fichier__portee=Portee.OUVERTE)
    attaches = ouverts.values("fichier").annotate(n=Count("pk"))
    return set(attaches.filter(n__gt=1).order_by().values_list("fichier", flat=True))


def _pieces(dossiers: set[UUID], compte: Compte) -> dict[UUID, set[UUID]]:
    """Map each file that the owners of these cases, or this account, attached there or to a message: file -> cases."""
    pieces: dict[UUID, set[UUID]] = {}
    des_dossiers = Signalement.objects.filter(pk__in=dossiers).exclude(pieces_jointes=[])
    a_soi = Q(compte=F("discussion__signalement__compte")) | Q(invite=F("discussion__signalement__invite"))
    a_soi |= Q(compte=compte)
    messages = Message.objects.filter(a_soi, discussion__signalement__in=dossiers).exclude(pieces_jointes=[])
    for lignes, dossier in ((des_dossiers, "pk"), (messages, "discussion__signalement")):
        for cle, fichiers in lignes.order_by().values_list(dossier, "pieces_jointes"):
            for fichier in fichiers:
                pieces.setdefault(UUID(fichier), set()).add(cle)
    return pieces
