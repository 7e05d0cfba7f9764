"""Reports in a merge: pair those that may be one case, join them, and take it back."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import Any, NotRequired, TypedDict
from uuid import UUID

from django.db.models import OuterRef, Q, Subquery
from django.db.models.functions import Coalesce

from accounts.models import Compte
from signalements.alertes import finir_celles_de_date, rendre, reporter, reprendre
from signalements.compteurs.suivi import suivre_lignes
from signalements.dates import DATES, tenir_les_dates
from signalements.garde import unir_les_gels
from signalements.lecteurs import (
    acces_en_json,
    ecarter_d_office,
    lecteurs_de,
    ne_laisser_qu_a_qui_le_lit,
    retablir_l_acces,
    tenir_a_ce_que_dit_l_auteur,
    unir,
)
from signalements.models import EntreeTimeline, Signalement
from signalements.signals import dossiers_joints, dossiers_rendus, historique_complete, lecteurs_changes, statut_modifie
from signalements.vocabulaire import RECHERCHES, Priorite, Statut, TypeEntree
from socle.domaine.acteurs import ActeurCompte
from socle.domaine.fusions import (
    ELEMENTS_MAX,
    LIGNES_MAX,
    Action,
    Colonnes,
    Decision,
    Etats,
    Groupe,
    Motif,
    Niveau,
    Paire,
    Rencontres,
    Reunion,
    age,
    colonnes,
    la_plus_recente,
    part_de,
    premieres,
    rapprocher,
    selon_l_action,
)
from socle.domaine.identite import IDENTIFIE
from socle.domaine.verrous import verrouiller_dans_l_ordre

CONTENU = (
    "titre",
    "description",
    "type",
    "date_incident",
    "lieu_incident",
    "auteur_presume",
    "a_temoins",
    "description_temoins",
    "bureau_genre_id",
)
# From the least to the most advanced.
AVANCEMENT = (Statut.NOUVEAU, Statut.ASSIGNE, Statut.EN_ATTENTE, Statut.EN_COURS, Statut.TRAITE, Statut.CLOTURE)
DE_LA_MOINS_URGENTE = tuple(Priorite)


def _anonymat(cible: Signalement, source: Signalement, action: Action) -> str:
    return source.mode_identification if se_cache(source) and not se_cache(cible) else cible.mode_identification


# The further statut and priorite, and the files of both, whatever the action.
SUIVI: dict[str, Reunion] = {
    "mode_identification": _anonymat,
    "statut": lambda cible, source, _action: max(cible.statut, source.statut, key=AVANCEMENT.index),
    "priorite": lambda cible, source, _action: max(cible.priorite, source.priorite, key=DE_LA_MOINS_URGENTE.index),
    "gestionnaire": lambda cible, source, _action: cible.gestionnaire_id or source.gestionnaire_id,
    "pieces_jointes": lambda c, source, _action: list(dict.fromkeys([*c.pieces_jointes, *source.pieces_jointes])),
}
COLONNES = Colonnes(
    portees={nom: selon_l_action(nom) for nom in CONTENU} | SUIVI | {"date_modification": la_plus_recente},
    recalculees=(
        "date_resolution",
        "date_cloture",
        *RECHERCHES,
        "empreinte_faits",
        "ouvert_a",
        "equipe",
        "gele_depuis",
        "gel_motif",
        "gele_par",
        "echeances",
        "prochaine_echeance",
    ),
    gardees=("reference", "reference_tiree", "sans_lecteur_le"),
)
# The columns of a case that the way back puts as they were.
RENDUES = (*COLONNES.rendues, "date_resolution", "date_cloture")
colonnes.inscrire("signalements.Signalement", COLONNES)
colonnes.inscrire(
    "signalements.EntreeTimeline",
    Colonnes(recalculees=("signalement",), gardees=("date_modification", "type", "avant", "apres", "contenu")),
)
# Each case keeps its own rules; a target gets rows of its own where a source is stricter.
colonnes.inscrire(
    "signalements.OuvertureMotivee", Colonnes(gardees=("date_modification", "signalement", "motif", "fin"))
)
colonnes.inscrire(
    "signalements.RegleDeLecture", Colonnes(gardees=("date_modification", "signalement", "admis", "origine", "par"))
)
# Each keeps its own alerts too; a target gets rows of its own for what is open (`alertes.reporter`).
colonnes.inscrire(
    "signalements.AlerteDeDossier",
    Colonnes(gardees=("signalement", "nature", "objet", "date_ecartement", "ecartee_par", "date_fin")),
)
Jonction = tuple[Signalement, Signalement, Action]


class RetourDesDossiers(TypedDict):
    """JSON record by which a merge gives the reports back; ids as strings."""

    absorbes: list[str]
    cibles: dict[str, Etats]  # by the id of what took something in; a record of an older version has fewer columns
    entrees: dict[str, list[str]]  # the history that each absorbed report had
    ajoutees: list[str]  # the lines that the merge wrote
    # Who reads what took something in (`acces_en_json`), by its id, where the merge changed it; not in older records.
    acces: NotRequired[dict[str, Etats]]


@dataclass(frozen=True)
class Histoire:
    """History lines that a merge adds to a case; `ancien` is the former statut of a target, None for any other."""

    dossier: Signalement
    ancien: str | None
    entrees: list[EntreeTimeline] = field(default_factory=list)


def compter(**proprietaire: Any) -> dict[str, int]:
    return {
        "signalements": Signalement.objects.filter(**proprietaire).count(),
        "suivis": EntreeTimeline.objects.filter(**proprietaire).count(),
    }


def rencontres(invite: Any, compte: Compte) -> Rencontres:
    """Reports of the guest and of the account under one reference, or of one fingerprint.

    What an earlier merge has joined to a case of the account still leads to it.
    """
    sources = _sources(invite, compte)
    toutes, sources = len(sources) <= ELEMENTS_MAX, sources[:ELEMENTS_MAX]
    part = part_de(len(sources))
    memes = [_du_compte(compte, nom, sources, part) for nom in ("reference", "empreinte_faits")] if sources else []
    return Rencontres([_rapprocher(source, part, *memes) for source in sources], toutes)


def _sources(invite: Any, compte: Compte) -> list[Signalement]:
    """The guest's that meet one of the account's, the oldest first, and one more than are looked at.

    Compared here: a join that the database takes for a small one would compare each with each.
    """
    par_age = Signalement.objects.filter(invite=invite).order_by("date_creation", "pk")
    siens = list(par_age.values_list("pk", "reference", "empreinte_faits"))
    if not siens:
        return []
    connus = list(Signalement.objects.order_by().filter(compte=compte).values_list("reference", "empreinte_faits"))
    references, empreintes = {reference for reference, _e in connus}, {empreinte for _r, empreinte in connus}
    trouves = [pk for pk, reference, empreinte in siens if reference in references or empreinte in empreintes]
    return list(_lignes().filter(pk__in=trouves[: ELEMENTS_MAX + 1]).order_by("date_creation", "pk"))


def _lignes() -> Any:
    champs = ("pk", "date_creation", "reference", "empreinte_faits", "mode_identification", "absorbe_par")
    return Signalement.objects.only(*champs).order_by()


def _du_compte(compte: Compte, nom: str, sources: list[Signalement], part: int) -> dict[Any, list[Signalement]]:
    """The cases to which the reports of the account with these values lead, by value, the oldest first."""
    memes = _lignes().filter(**{f"{nom}__in": {getattr(source, nom) for source in sources}}, compte=compte)
    dates = {"date_cas": Coalesce("absorbe_par__date_creation", "date_creation"), "cas": Coalesce("absorbe_par", "pk")}
    portes = list(premieres(memes.annotate(**dates), part + 1, par=nom, ordre=("date_cas", "cas", "pk")))
    cas = _lignes().in_bulk({s.absorbe_par_id for s in portes if s.absorbe_par_id})
    par_valeur: dict[Any, list[Signalement]] = {}
    for cible, porte in sorted(((cas.get(s.absorbe_par_id, s), s) for s in portes), key=lambda c: age(c[0])):
        par_valeur.setdefault(getattr(porte, nom), []).append(cible)
    return par_valeur


def _rapprocher(source: Signalement, part: int, par_reference: Any, par_empreinte: Any) -> Groupe:
    cibles, complet = rapprocher(
        part,
        (Motif.REFERENCE, par_reference.get(source.reference, [])),
        (Motif.FINGERPRINT, par_empreinte.get(source.empreinte_faits, [])),
    )
    return Groupe(
        [
            Paire(Niveau.SIGNALEMENT, source, cible, motif, egards=(se_cache(source), se_cache(cible)))
            for cible, motif in cibles
        ],
        complet,
    )


def a_nommer(invite: Any) -> Any:
    """Reports of the guest that a merge puts under the account's name, newest first."""
    return Signalement.objects.filter(invite=invite, mode_identification=IDENTIFIE).order_by("-date_creation", "-id")


def se_cache(signalement: Signalement | None) -> bool:
    """True for a report that hides its author; what belongs to no report hides nobody."""
    return signalement is not None and signalement.se_cache


def sont_mixtes(un: Signalement | None, autre: Signalement | None) -> bool:
    """True where exactly one of two hides its author."""
    return se_cache(un) != se_cache(autre)


def verrouiller(invite: Any, concernes: Iterable[UUID]) -> dict[UUID, Signalement]:
    """Lock the reports that are or were the guest's, and these, in id order; return them by id, as they now are."""
    eux = Q(invite=invite) | Q(fusionne_de=invite) | Q(pk__in=list(concernes))
    return {s.pk: s for s in verrouiller_dans_l_ordre(Signalement.objects.filter(eux))}


def rattacher(
    invite: Any, compte: Compte, decisions: Iterable[Decision], lignes: dict[UUID, Signalement]
) -> RetourDesDossiers:
    """Give the guest's reports to the account and join those that are one case; returns what the way back needs."""
    jonctions = [(lignes[d.paire.source.pk], lignes[d.paire.cible.pk], d.action) for d in decisions if d.joint]
    with suivre_lignes(lignes):
        retour, histoires = _rattacher(invite, compte, jonctions, lignes)
    _annoncer({source.pk: cible.pk for source, cible, _action in jonctions}, histoires)
    return retour


def _rattacher(
    invite: Any, compte: Compte, jonctions: list[Jonction], lignes: dict[UUID, Signalement]
) -> tuple[RetourDesDossiers, list[Histoire]]:
    moves = [s for s in lignes.values() if s.invite_id == invite.pk]
    Signalement.rattacher(invite, compte)
    EntreeTimeline.rattacher(invite, compte)
    for signalement in moves:
        signalement.compte, signalement.invite, signalement.fusionne_de = compte, None, invite
    cibles = {cible.pk: cible for _source, cible, _action in jonctions}
    avant = {pk: cible.etat(*RENDUES) for pk, cible in cibles.items()}
    lus = {pk: acces_en_json(cible) for pk, cible in cibles.items()}
    for source, cible, action in jonctions:
        _joindre(source, cible, action)
    entrees = _deplacer_l_historique([source for source, _cible, _action in jonctions], cibles.values())
    reporter({source.pk: cible for source, cible, _action in jonctions})
    vivants = [s for s in moves if s.absorbe_par_id is None]
    histoires = [Histoire(s, None) for s in vivants] + [Histoire(c, avant[pk]["statut"]) for pk, c in cibles.items()]
    retour: RetourDesDossiers = {
        "absorbes": [str(source.pk) for source, _cible, _action in jonctions],
        "cibles": {str(pk): {"avant": avant[pk], "apres": c.etat(*RENDUES)} for pk, c in cibles.items()},
        "entrees": entrees,
        "ajoutees": _raconter(histoires, compte),
        "acces": {
            str(pk): {"avant": lus[pk], "apres": apres}
            for pk, cible in cibles.items()
            if (apres := acces_en_json(cible)) != lus[pk]
        },
    }
    return retour, histoires


def obstacles(invite: Any, compte: Compte, retour: RetourDesDossiers, lignes: dict[UUID, Signalement]) -> list[str]:
    """List what has changed since the merge and cannot be put back, as sentences for the operator."""
    trouves = []
    for cle, etats in retour["cibles"].items():
        cible = lignes[UUID(cle)]
        apres = etats["apres"]
        changes = [nom for nom, valeur in cible.etat(*apres).items() if valeur != apres[nom]]
        if changes:
            trouves.append(f"{cible.reference} a changé depuis : {', '.join(changes)}.")
    plus_tard = Signalement.objects.joints_apres(invite, retour["cibles"]).order_by("absorbe_par__reference")
    for reference in plus_tard.values_list("absorbe_par__reference", flat=True).distinct():
        trouves.append(f"{reference} a reçu depuis un dossier d'une autre session : annulez d'abord cette fusion-là.")
    return trouves


def detacher(
    invite: Any,
    compte: Compte,
    retour: RetourDesDossiers,
    lignes: dict[UUID, Signalement],
    ecrits: Collection[UUID] = (),
) -> None:
    """The way back of `rattacher`; `ecrits` are the reports in which a message was written since."""
    cibles = [lignes[UUID(cle)] for cle in retour["cibles"]]
    lisaient = {cible.pk: set(lecteurs_de(cible)) for cible in cibles}
    with suivre_lignes(lignes):
        _detacher(invite, retour, lignes, ecrits)
    _annoncer({UUID(cle): UUID(cle) for cle in retour["absorbes"]}, [])
    for cible in cibles:
        if perdus := lisaient[cible.pk] - set(lecteurs_de(cible)):
            lecteurs_changes.send(Signalement, signalement=cible, perdus=perdus, entrees=[], prevenus=[])
    dossiers_rendus.send(Signalement, dossiers=cibles)


def _detacher(
    invite: Any, retour: RetourDesDossiers, lignes: dict[UUID, Signalement], ecrits: Collection[UUID]
) -> None:
    EntreeTimeline.objects.filter(pk__in=retour["ajoutees"]).delete()
    for absorbe, entrees in retour["entrees"].items():
        EntreeTimeline.objects.filter(pk__in=entrees).update(signalement=absorbe)
    absorbes = Signalement.objects.filter(pk__in=retour["absorbes"]).order_by("pk")
    cas = dict(absorbes.values_list("pk", "absorbe_par"))
    absorbes.update(absorbe_par=None)
    rendus = list(absorbes)
    for rendu in rendus:
        tenir_les_dates["echeances"](rendu)
        tenir_a_ce_que_dit_l_auteur(rendu, lignes[cas[rendu.pk]])
        ecarter_d_office(rendu)
    Signalement.objects.bulk_update(rendus, [*DATES, "ouvert_a", "gestionnaire"], LIGNES_MAX)
    rendre(cas, rendus)
    reprendre(map(UUID, retour["absorbes"]), map(UUID, retour["cibles"]))
    cibles = [lignes[UUID(cle)] for cle in retour["cibles"]]
    for cible in cibles:
        cible.retablir(retour["cibles"][str(cible.pk)]["avant"])
        cible.passer_a(cible.statut)
        lu, siens = retour.get("acces", {}).get(str(cible.pk)), [un for un in rendus if cas[un.pk] == cible.pk]
        est_le_meme = lu is not None and acces_en_json(cible) == lu["apres"]
        # Else somebody has said since who reads it, or has written for those who do.
        if lu is not None and est_le_meme and not _a_une_suite([cible, *siens], ecrits, invite):
            retablir_l_acces(cible, lu["avant"], siens)
        ecarter_d_office(cible)
        ne_laisser_qu_a_qui_le_lit(cible)
    _enregistrer(cibles)
    for dossier in (*rendus, *cibles):
        finir_celles_de_date(dossier)
    Signalement.detacher(invite)
    EntreeTimeline.detacher(invite)


def _a_une_suite(dossiers: list[Signalement], ecrits: Collection[UUID], invite: Any) -> bool:
    """True where one of these has gone on since the merge, whose own lines are no more: a line, or a message."""
    suite = EntreeTimeline.objects.filter(signalement__in=dossiers, date_creation__gt=invite.date_fusion)
    return any(un.pk in ecrits for un in dossiers) or bool(suite.exists())


def _joindre(source: Signalement, cible: Signalement, action: Action) -> None:
    """Set on the target, unsaved, what each column's rule takes from the source, and lead the source to it."""
    COLONNES.porter(source, cible, action)
    unir(source, cible)
    unir_les_gels(source, cible)
    cible.passer_a(cible.statut)
    source.absorbe_par = cible


def _deplacer_l_historique(absorbes: list[Signalement], cibles: Iterable[Signalement]) -> dict[str, list[str]]:
    """Absorb the reports, and move their history to the case; return `{report id: [entry ids]}` as it was."""
    if not absorbes:
        return {}
    Signalement.objects.bulk_update(absorbes, ["absorbe_par"], LIGNES_MAX)
    _enregistrer(list(cibles))
    entrees: dict[str, list[str]] = {}
    des_absorbes = EntreeTimeline.objects.filter(signalement__in=absorbes)
    for pk, signalement_id in des_absorbes.order_by("pk").values_list("pk", "signalement_id"):
        entrees.setdefault(str(signalement_id), []).append(str(pk))
    dossier = Signalement.objects.filter(pk=OuterRef("signalement")).values("absorbe_par")
    des_absorbes.update(signalement=Subquery(dossier))
    return entrees


def _enregistrer(cibles: list[Signalement]) -> None:
    """Save the targets with recomputed search text and fingerprint, the references of joined reports included."""
    references: dict[UUID | None, list[str]] = {}
    joints = Signalement.objects.filter(absorbe_par__in=cibles).order_by("reference", "pk")
    for cle, reference in joints.values_list("absorbe_par", "reference"):
        references.setdefault(cle, []).append(reference)
    for cible in cibles:
        cible.indexer(*references.get(cible.pk, ()))
        tenir_les_dates["echeances"](cible)
        if not se_cache(cible):
            cible.marquer_modifie()
    Signalement.objects.bulk_update(cibles, [*COLONNES.portees, *COLONNES.recalculees], LIGNES_MAX)


def _raconter(histoires: list[Histoire], compte: Compte) -> list[str]:
    """One line in the history of each case, another where its statut moved on; returns their ids."""
    auteur = ActeurCompte(compte=compte).proprietaire
    for histoire in histoires:
        dossier, ancien = histoire.dossier, histoire.ancien
        histoire.entrees.append(EntreeTimeline(signalement=dossier, type=TypeEntree.FUSION, **auteur))
        if ancien not in (None, dossier.statut):
            champs = {"avant": ancien, "apres": dossier.statut, **auteur}
            histoire.entrees.append(EntreeTimeline(signalement=dossier, type=TypeEntree.STATUT, **champs))
    ajoutees = EntreeTimeline.objects.bulk_create(entree for histoire in histoires for entree in histoire.entrees)
    return [str(entree.pk) for entree in ajoutees]


def _annoncer(chemins: dict[UUID, UUID], histoires: list[Histoire]) -> None:
    """Send the redirection of channels, then the events of each case.

    The merge line of a case that hides its author is not announced: cases merged at one moment are one person's.
    """
    dossiers_joints.send(Signalement, chemins=chemins)
    for histoire in histoires:
        dossier, ancien = histoire.dossier, histoire.ancien
        dites = [e for e in histoire.entrees if e.type != TypeEntree.FUSION or not se_cache(dossier)]
        if dites and ancien is not None:
            statut_modifie.send(Signalement, signalement=dossier, ancien=ancien, entrees=dites)
        elif dites:
            historique_complete.send(Signalement, signalement=dossier, entrees=dites)
