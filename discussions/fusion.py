"""Discussions in a merge: pair those that may be one, join them, and take it back."""

from collections.abc import Collection, Iterable
from datetime import datetime
from typing import Any, TypedDict
from uuid import UUID

from django.db.models import Count, Exists, F, OuterRef, Q, Subquery

from accounts.models import Compte
from discussions.models import Arriere, Discussion, Lecture, Message
from discussions.participants import TOUS
from discussions.recompte import PERSONNE, recenser, recompter
from discussions.sequence import reunir, separer
from discussions.signals import discussions_jointes
from signalements.alertes import accorder
from signalements.fusion import RetourDesDossiers, se_cache, sont_mixtes
from signalements.models import Signalement
from signalements.vocabulaire import NatureAlerte
from socle.domaine.droits import Droit, a_le_droit
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
    age,
    colonnes,
    la_plus_recente,
    part_de,
    premieres,
    rapprocher,
    selon_l_action,
)
from socle.domaine.verrous import verrouiller_dans_l_ordre


class RetourDesDiscussions(TypedDict):
    """JSON record by which a merge gives the discussions back; ids as strings."""

    lus: list[str]  # messages that have become read
    liens: list[list[str]]  # discussion, the report that it was linked to
    lectures: list[list[Any]]  # discussion, how far the guest had read it, how far the account
    sources: dict[str, dict[str, Any]]  # what was joined: the columns that it had
    cibles: dict[str, Etats]
    doublons: list[str]


COLONNES = Colonnes(
    portees={
        "titre": selon_l_action("titre"),
        # The conversation stays with its case.
        "signalement": lambda cible, source, _action: cible.signalement_id or source.signalement_id,
        "date_modification": la_plus_recente,
    },
    gardees=("lus_par_tous",),
    recalculees=("dernier_numero", "titulaire", "non_lus", "jamais_lus", "participants", "empreinte_titre"),
)
# The columns of a discussion that the way back puts as they were.
RENDUES = (*COLONNES.rendues, "dernier_numero")
colonnes.inscrire("discussions.Discussion", COLONNES)
colonnes.inscrire(
    "discussions.Message",
    Colonnes(
        recalculees=("discussion", "numero_sequence", "est_lu"),
        gardees=(
            "date_modification",
            "origine",
            "numero_origine",
            "contenu",
            "type",
            "pieces_jointes",
            "signature",
        ),
    ),
)
colonnes.inscrire("discussions.Arriere", Colonnes(gardees=("discussion", "moment")))  # looked at again: `reprendre`
colonnes.inscrire("discussions.Lecture", Colonnes(recalculees=("numero",), gardees=("date_modification", "discussion")))
LOT = 10_000
MESSAGE_APRES_CLOTURE = NatureAlerte.MESSAGE_APRES_CLOTURE


def compter(**proprietaire: Any) -> dict[str, int]:
    return {
        "discussions": Discussion.objects.filter(**proprietaire).count(),
        "messages": Message.objects.filter(**proprietaire).count(),
    }


def rencontres(invite: Any, compte: Compte, dossiers: Rencontres) -> Rencontres:
    """Discussions of the guest and of the account on one report, on two that may be one, or of one title.

    Two reports of one reference may always be one, so SAME_REFERENCE never is the strongest reason. A member of
    staff also has discussions on the cases of others: those are no part of what they could merge.
    """
    cibles = Discussion.objects.order_by().vivants().filter(titulaire__in=[invite.pk, compte.pk], compte=compte)
    cas: dict[UUID | None, list[UUID]] = {}
    for paire in dossiers.paires:
        cas.setdefault(paire.source.pk, []).append(paire.cible.pk)
    sources = _sources(invite, cibles, cas)
    toutes, sources = len(sources) <= ELEMENTS_MAX, sources[:ELEMENTS_MAX]
    if not sources:
        return Rencontres()
    part = part_de(len(sources))
    des_dossiers = {cle for s in sources for cle in (s.signalement_id, *cas.get(s.signalement_id, ()))} - {None}
    par_dossier = _par(cibles, "signalement_id", des_dossiers, part)
    par_titre = _par(cibles, "empreinte_titre", {s.empreinte_titre for s in sources}, part)
    # Of many discussions on one report, once.
    du_cas = {
        cle: _sur_ces_dossiers([cle, *cas.get(cle, ())], par_dossier, part)
        for cle in {s.signalement_id for s in sources}
    }
    return Rencontres(
        [
            _rapprocher(source, part, du_cas[source.signalement_id], par_titre.get(source.empreinte_titre, []))
            for source in sources
        ],
        toutes,
    )


def _sources(invite: Any, cibles: Any, cas: dict[UUID | None, list[UUID]]) -> list[Discussion]:
    """The guest's that meet one of these, the oldest first, and one more than are looked at.

    Compared here: a join that the database takes for a small one would compare each with each.
    """
    par_age = Discussion.objects.filter(invite=invite).order_by("date_creation", "pk")
    siennes = list(par_age.values_list("pk", "empreinte_titre", "signalement"))
    if not siennes:
        return []
    connues = list(cibles.values_list("empreinte_titre", "signalement"))
    titres, discutes = {titre for titre, _s in connues}, {dossier for _t, dossier in connues} - {None}
    trouvees = [
        pk
        for pk, titre, dossier in siennes
        if titre in titres or dossier in discutes or not discutes.isdisjoint(cas.get(dossier, ()))
    ]
    lignes = _lignes(Discussion.objects.filter(pk__in=trouvees[: ELEMENTS_MAX + 1]))
    return list(lignes.order_by("date_creation", "pk"))


def _lignes(discussions: Any) -> Any:
    return discussions.select_related("signalement").only(
        "pk", "date_creation", "empreinte_titre", "signalement", "signalement__mode_identification"
    )


def _par(cibles: Any, nom: str, valeurs: set[Any], part: int) -> dict[Any, list[Discussion]]:
    """The account's of these values, by value, the oldest first."""
    memes = _lignes(cibles.filter(**{f"{nom}__in": valeurs}))
    par_valeur: dict[Any, list[Discussion]] = {}
    for cible in sorted(premieres(memes, part + 1, par=nom, ordre=("date_creation", "pk")), key=age):
        par_valeur.setdefault(getattr(cible, nom), []).append(cible)
    return par_valeur


def a_nommer(invite: Any) -> Any:
    """Discussions of the guest that no report hides: a merge puts them under the account's name, newest first."""
    return Discussion.objects.filter(invite=invite, signalement=None).order_by("-date_creation", "-id")


def verrouiller(invite: Any, concernees: Iterable[UUID]) -> dict[UUID, Discussion]:
    """Lock what is or was the guest's, the discussions on their reports, and these, in the order of their ids."""
    siennes = Q(invite=invite) | Q(fusionne_de=invite)
    dossiers = Signalement.objects.order_by().filter(siennes).values("pk")
    elles = siennes | Q(signalement__in=dossiers) | Q(pk__in=list(concernees))
    return {d.pk: d for d in verrouiller_dans_l_ordre(Discussion.objects.filter(elles))}


def rattacher(
    invite: Any,
    compte: Compte,
    decisions: Iterable[Decision],
    lignes: dict[UUID, Discussion],
    dossiers: RetourDesDossiers,
) -> RetourDesDiscussions:
    """Give the guest's conversation to the account and consolidate; returns what the way back needs.

    `dossiers` is the answer of the reports' own `rattacher`: what was linked to an absorbed one follows it.
    """
    liens = _suivre_les_dossiers(lignes.values(), dossiers["absorbes"])
    lectures = _rattacher_les_lectures(invite, compte)
    Discussion.rattacher(invite, compte)
    jonctions = [(lignes[d.paire.source.pk], lignes[d.paire.cible.pk], d.action) for d in decisions if d.joint]
    cibles = {cible.pk: cible for _source, cible, _action in jonctions}
    avant = {pk: cible.etat(*RENDUES) for pk, cible in cibles.items()}
    sources = {str(source.pk): source.etat("signalement", "dernier_numero") for source, _cible, _action in jonctions}
    lus = _consolider(invite, compte, jonctions, list(cibles.values()))
    Message.rattacher(invite, compte)
    recompter(lignes, devient=(invite.pk, compte.pk))
    # One of the staff reads as their own, of whatever team it is, all that they have taken in.
    a_revoir = lignes if a_le_droit(compte.role, Droit.DISCUSSIONS_CONSULTER_TOUTES) else cibles
    Arriere.objects.reprendre(a_revoir.values())
    _accorder_les_alertes(lignes.values())
    retour: RetourDesDiscussions = {
        "lus": lus,
        "liens": liens,
        "lectures": lectures,
        "sources": sources,
        "cibles": {str(pk): {"avant": avant[pk], "apres": c.etat(*RENDUES)} for pk, c in cibles.items()},
        "doublons": [str(pk) for pk in _messages_de(sources).order_by("pk").values_list("pk", flat=True)],
    }
    discussions_jointes.send(Discussion, chemins={source.pk: cible.pk for source, cible, _action in jonctions})
    return retour


def ecrits_depuis(dossiers: Collection[UUID], quand: datetime | None) -> set[UUID]:
    """Reports of these in a discussion of which a message was written after this moment."""
    ecrits = Message.objects.filter(discussion__signalement__in=dossiers, date_creation__gt=quand).order_by()
    return set(ecrits.values_list("discussion__signalement", flat=True))


def obstacles(invite: Any, compte: Compte, retour: RetourDesDiscussions, lignes: dict[UUID, Discussion]) -> list[str]:
    """List what has changed since the merge and cannot be put back, as sentences for the operator."""
    trouves = []
    suivies = [cle for cle, _lien in retour["liens"]]
    for cle, etats in retour["cibles"].items():
        if lignes[UUID(cle)].etat(*etats["apres"]) != etats["apres"]:
            trouves.append(f"La discussion {cle} a reçu des messages depuis.")
    depuis = Q(compte=compte, fusionne_de=None, date_creation__gt=invite.date_fusion)
    rendues = Q(fusionne_de=invite) | Q(signalement__fusionne_de=invite) | Q(pk__in=suivies)
    discussions = Discussion.objects.filter(rendues).exclude(pk__in=list(retour["cibles"]))
    for cle in discussions.filter(depuis).order_by("pk").values_list("pk", flat=True):
        trouves.append(f"Le compte a ouvert depuis la discussion {cle} sur un dossier qui serait rendu.")
    ecrites = Message.objects.filter(depuis, discussion__in=discussions.values("pk"))
    for cle in ecrites.order_by("discussion").values_list("discussion", flat=True).distinct():
        trouves.append(f"Le compte a écrit depuis dans la discussion {cle}.")
    # What the account had opened itself on a report that goes back, as staff do, goes with it.
    parties = Discussion.objects.order_by().filter(signalement__fusionne_de=invite).values_list("pk", flat=True)
    plus_tard = Discussion.objects.joints_apres(invite, [*retour["cibles"], *suivies, *parties]).order_by("absorbe_par")
    for cle in plus_tard.values_list("absorbe_par", flat=True).distinct():
        trouves.append(f"La discussion {cle} en a reçu une autre depuis : annulez d'abord cette fusion-là.")
    return trouves


def detacher(invite: Any, compte: Compte, retour: RetourDesDiscussions, lignes: dict[UUID, Discussion]) -> None:
    """The way back of `rattacher`."""
    sources = [lignes[UUID(cle)] for cle in retour["sources"]]
    cibles = [lignes[UUID(cle)] for cle in retour["cibles"]]
    separer(sources, cibles)
    for debut in range(0, len(retour["lus"]), LOT):
        lus = Message.objects.filter(pk__in=retour["lus"][debut : debut + LOT])
        lus.exclude(Exists(_lectures_d_autrui())).update(est_lu=False)
    for source in sources:
        source.retablir({**retour["sources"][str(source.pk)], "absorbe_par": None})
    for cible in cibles:
        cible.retablir(retour["cibles"][str(cible.pk)]["avant"])
        cible.indexer()
    for cle, signalement_id in retour["liens"]:
        lignes[UUID(cle)].signalement_id = signalement_id and UUID(signalement_id)
    champs = [*RENDUES, "empreinte_titre", "absorbe_par"]
    Discussion.objects.bulk_update(list(lignes.values()), champs, LIGNES_MAX)
    _suivre_les_vivantes(cibles)
    for modele in (Discussion, Message, Lecture):
        modele.detacher(invite)
    _rendre_les_lectures(invite, compte, retour["lectures"])
    recompter(lignes)
    recenser(lignes.values())  # whoever read two as one has a mark on each
    Arriere.objects.reprendre(lignes.values())
    _accorder_les_alertes(lignes.values())
    discussions_jointes.send(Discussion, chemins={source.pk: source.pk for source in sources})


def _accorder_les_alertes(discussions: Iterable[Discussion]) -> None:
    """An ended case among these has its alert where a message of its person is unread by all, and there alone."""
    cles = sorted({une.signalement_id for une in discussions if une.signalement_id})
    for debut in range(0, len(cles), LOT):
        finis = dict.fromkeys(Signalement.objects.resolus().vivants().filter(pk__in=cles[debut : debut + LOT]))
        a_lire = Message.objects.filter(
            discussion__in=Discussion.objects.vivants().jamais_lues().filter(signalement__in=list(finis)), est_lu=False
        ).annotate(auteur=PERSONNE)
        premiers = a_lire.filter(auteur=F("discussion__titulaire")).order_by("-date_creation", "-pk")
        accorder(finis, dict(premiers.values_list("discussion__signalement", "pk")), MESSAGE_APRES_CLOTURE)


def _lectures_d_autrui() -> Any:
    """The marks, of others than its author, that cover a message: somebody has really read it."""
    couvrent = Lecture.objects.filter(discussion=OuterRef("origine"), numero__gte=OuterRef("numero_origine"))
    de_l_auteur = Q(compte=OuterRef("compte"), compte__isnull=False) | Q(
        invite=OuterRef("invite"), invite__isnull=False
    )
    return couvrent.exclude(de_l_auteur)


def _sur_ces_dossiers(cas: list[Any], par_dossier: dict[Any, list[Discussion]], part: int) -> list[Discussion]:
    return sorted((une for cle in cas for une in par_dossier.get(cle, ())), key=age)[: part + 1]


def _rapprocher(source: Discussion, part: int, du_dossier: list[Discussion], du_titre: list[Discussion]) -> Groupe:
    cibles, complet = rapprocher(part, (Motif.SAME_REPORT, du_dossier), (Motif.SAME_TITLE, du_titre))
    return Groupe([_paire(source, cible, motif) for cible, motif in cibles], complet)


def _paire(source: Discussion, cible: Discussion, motif: Motif) -> Paire:
    """Build the pair; SKIP alone for one title where only one hides its author: joined, each would betray the other."""
    mixtes = motif is Motif.SAME_TITLE and sont_mixtes(source.signalement, cible.signalement)
    egards = tuple((str(une.signalement_id), se_cache(une.signalement)) for une in (source, cible))
    return Paire(Niveau.DISCUSSION, source, cible, motif, (Action.SKIP,) if mixtes else tuple(Action), egards)


def _suivre_les_dossiers(lignes: Iterable[Discussion], absorbes: list[str]) -> list[list[str]]:
    """Relink the discussions of absorbed reports to their case; return the former links, `[discussion, report]`."""
    anciens = set(absorbes)
    suivies = [d for d in lignes if str(d.signalement_id) in anciens]
    liens = [[str(d.pk), str(d.signalement_id)] for d in suivies]
    if suivies:
        dossier = Signalement.objects.filter(pk=OuterRef("signalement")).values("absorbe_par")
        for debut in range(0, len(suivies), LOT):
            lot = Discussion.objects.filter(pk__in=[d.pk for d in suivies[debut : debut + LOT]])
            lot.update(signalement=Subquery(dossier))
        cas = dict(Signalement.objects.filter(pk__in=absorbes).values_list("pk", "absorbe_par"))
        for discussion in suivies:
            discussion.signalement_id = cas[discussion.signalement_id]
    return liens


def _consolider(
    invite: Any, compte: Compte, jonctions: list[tuple[Discussion, Discussion, Action]], cibles: list[Discussion]
) -> list[str]:
    """Join the discussions and their messages; return the ids of messages made read by an equal one."""
    if not jonctions:
        return []
    for source, cible, action in jonctions:
        COLONNES.porter(source, cible, action)
        source.absorbe_par = cible
    sources = [source for source, _cible, _action in jonctions]
    Discussion.objects.bulk_update(sources, ["absorbe_par"], LIGNES_MAX)
    lus = reunir(sources, cibles, invite=invite, compte=compte)
    nombres = dict(_messages_de([c.pk for c in cibles]).values_list("discussion").annotate(n=Count("pk")))
    for cible in cibles:
        cible.dernier_numero = nombres.get(cible.pk, 0)
        cible.participants = TOUS
        cible.indexer()
    Discussion.objects.bulk_update(cibles, [*COLONNES.portees, *COLONNES.recalculees], LIGNES_MAX)
    _suivre_les_vivantes(cibles)
    return lus


def _suivre_les_vivantes(cibles: list[Discussion]) -> None:
    """Relink every absorbed discussion, of now or before, to the case of its target."""
    dossier = Discussion.objects.filter(pk=OuterRef("absorbe_par")).values("signalement")
    Discussion.objects.filter(absorbe_par__in=cibles).update(signalement=Subquery(dossier))


def _rattacher_les_lectures(invite: Any, compte: Compte) -> list[list[Any]]:
    """Keep the further mark where both have read one discussion; return `[discussion, guest's, account's]` of each."""
    du_compte = Lecture.objects.filter(discussion=OuterRef("discussion"), compte=compte).values("numero")
    doubles = Lecture.objects.filter(invite=invite).annotate(autre=Subquery(du_compte)).filter(autre__isnull=False)
    gardees = [[str(cle), sien, autre] for cle, sien, autre in doubles.values_list("discussion", "numero", "autre")]
    if gardees:
        a_avancer = {UUID(cle): sien for cle, sien, autre in gardees if sien > autre}
        lectures = list(Lecture.objects.filter(compte=compte, discussion__in=a_avancer))
        for lecture in lectures:
            lecture.numero = a_avancer[lecture.discussion_id]
        Lecture.objects.bulk_update(lectures, ["numero"], LIGNES_MAX)
        Lecture.objects.filter(invite=invite, discussion__in=[cle for cle, _s, _a in gardees]).delete()
    Lecture.rattacher(invite, compte)
    return gardees


def _rendre_les_lectures(invite: Any, compte: Compte, gardees: list[list[Any]]) -> None:
    for cle, sien, autre in gardees:
        Lecture.objects.filter(discussion=cle, compte=compte, numero=max(sien, autre)).update(numero=autre)
    Lecture.objects.bulk_create(Lecture(discussion_id=UUID(cle), invite=invite, numero=n) for cle, n, _a in gardees)


def _messages_de(discussions: Iterable[Any]) -> Any:
    return Message.objects.filter(discussion__in=list(discussions))
