"""Invariants of every merge, asked of the database itself; each anomaly is a French sentence that names a row."""

from collections.abc import Iterator
from typing import Any

from django.apps import apps
from django.db.models import Count, F, Max, Min, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from discussions.models import Discussion, Message
from discussions.recompte import mal_gardees
from guests.fusion.plan import compter
from guests.models import AuditFusion, SessionInvitee
from guests.vocabulaire import StatutInvite
from signalements.models import EntreeTimeline, Signalement
from socle.domaine.modeles import AvecActeur

# Of a merge from which retention has deleted nothing.
RIEN_D_EFFACE: dict[str, Any] = {"counts": {}, "signalements": [], "discussions": [], "messages": []}


def verifier() -> Iterator[str]:
    """Yield a sentence for each anomaly; none when all is well."""
    yield from _registres()
    for modele in modeles_possedes():
        yield from _proprietaires(modele)
    yield from _titulaires()
    yield from _absorbes()
    yield from _numeros()
    for audit in AuditFusion.objects.filter(date_annulation=None).select_related("session").order_by("pk"):
        yield from _contenu(audit)


def modeles_possedes() -> list[Any]:
    """Every model with an owner (AvecActeur), those of apps to come as well."""
    return [modele for modele in apps.get_models() if issubclass(modele, AvecActeur)]


def _registres() -> Iterator[str]:
    """Each MERGED session has its one record, which names the same account."""
    fusionnees = SessionInvitee.objects.filter(statut=StatutInvite.MERGED)
    audits = AuditFusion.objects.filter(date_annulation=None)
    sans = fusionnees.exclude(pk__in=audits.values("session"))
    yield from _nommer(sans, "la session {} est rattachée sans trace de sa fusion")
    yield from _nommer(
        audits.exclude(session__statut=StatutInvite.MERGED, compte=F("session__fusionnee_dans")),
        "la fusion {} ne dit pas la même chose que sa session",
    )


def _proprietaires(modele: Any) -> Iterator[str]:
    nom = modele._meta.label
    lignes = modele._base_manager.all()
    restees = lignes.filter(invite__statut=StatutInvite.MERGED)
    yield from _nommer(restees, f"{nom} {{}} appartient encore à une session rattachée")
    ailleurs = lignes.filter(fusionne_de__isnull=False).exclude(compte=F("fusionne_de__fusionnee_dans"))
    yield from _nommer(ailleurs, f"{nom} {{}} n'appartient pas au compte de sa fusion")


def _titulaires() -> Iterator[str]:
    yield from _nommer(mal_gardees(), "la discussion {} n'est pas gardée pour la personne dont c'est le dossier")


def _absorbes() -> Iterator[str]:
    """An absorbed row has the owner of its target, which is live; no history or discussion hangs on it any more."""
    for modele in (Signalement, Discussion):
        absorbes = modele._base_manager.filter(absorbe_par__isnull=False)
        ailleurs = absorbes.exclude(absorbe_par__absorbe_par=None, absorbe_par__compte=F("compte"))
        yield from _nommer(ailleurs, f"{modele._meta.label} {{}} est joint à ce qui n'est pas un élément de son compte")
    for dependant in (EntreeTimeline, Discussion):
        restes = dependant._base_manager.filter(signalement__absorbe_par__isnull=False)
        yield from _nommer(restes, f"{dependant._meta.label} {{}} est resté sur un dossier absorbé")
    joints = Discussion.objects.filter(absorbe_par__isnull=False)
    autres = joints.exclude(signalement=F("absorbe_par__signalement"))
    autres = autres.exclude(signalement=None, absorbe_par__signalement=None)
    yield from _nommer(autres, "la discussion absorbée {} a un autre dossier que la sienne")


def _numeros() -> Iterator[str]:
    """1 … n in every discussion that lives, n being what its row says."""
    bornes = Message.objects.order_by().filter(discussion=OuterRef("pk")).values("discussion")
    calculs = (Count("pk"), Min("numero_sequence"), Max("numero_sequence"))
    nombre, premier, dernier = (Subquery(bornes.annotate(n=calcul).values("n")) for calcul in calculs)
    vivantes = Discussion.objects.vivants().annotate(
        nombre=Coalesce(nombre, 0), premier=Coalesce(premier, 1), dernier=Coalesce(dernier, 0)
    )
    justes = Q(premier=1, nombre=F("dernier_numero"), dernier=F("dernier_numero"))
    yield from _nommer(vivantes.exclude(justes), "les numéros de la discussion {} ne sont pas 1 … n")


def _contenu(audit: AuditFusion) -> Iterator[str]:
    """The record's counts equal the rows that the account received; the rows it names as set aside are still there.

    What retention has deleted since, the record says.
    """
    effaces = audit.resume.get("erased", RIEN_D_EFFACE)
    restes = compter(audit.session, colonne="fusionne_de")
    recus = {nom: nombre + effaces["counts"].get(nom, 0) for nom, nombre in restes.items()}
    if recus != audit.resume["migratedCounts"]:
        yield f"la fusion {audit.pk} compte {audit.resume['migratedCounts']}, le compte a reçu {recus}"
    for cle, nom, modele in (
        ("absorbedSignalements", "signalements", Signalement),
        ("absorbedDiscussions", "discussions", Discussion),
    ):
        noms = set(audit.resume[cle]) - set(effaces[nom])
        presents = modele._base_manager.filter(pk__in=noms, absorbe_par__isnull=False, fusionne_de=audit.session)
        if presents.count() != len(noms):
            yield f"la fusion {audit.pk} nomme dans {cle} ce qui n'est pas absorbé"
    doublons = set(audit.resume["deduplicatedMessages"]) - set(effaces["messages"])
    ecartes = Message.objects.filter(origine__in=audit.resume["absorbedDiscussions"], discussion=F("origine"))
    if {str(pk) for pk in ecartes.values_list("pk", flat=True)} != doublons:
        yield f"la fusion {audit.pk} ne nomme pas les messages écartés comme doublons"


def _nommer(lignes: QuerySet[Any], phrase: str) -> Iterator[str]:
    for pk in lignes.order_by("pk").values_list("pk", flat=True).iterator():
        yield phrase.format(pk)
