"""Each check of who may do what, removed in turn: what a mutation run puts in the place of the code."""

import ast
import importlib
import inspect
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

from config.tests.outils.serveur import RACINE

# Where doors, rules of visibility and identity are written. `*`: every function, else those named.
OU: dict[str, set[str]] = {
    "accounts/permissions.py": {"*"},
    "calendrier/permissions.py": {"*"},
    "discussions/permissions.py": {"*"},
    "forum/permissions.py": {"*"},
    "guests/permissions.py": {"*"},
    "resources/permissions.py": {"*"},
    "signalements/permissions.py": {"*"},
    "socle/api/acces.py": {"*"},
    "stats/exports/permissions.py": {"*"},
    "accounts/canaux.py": {"*"},
    "calendrier/canaux.py": {"*"},
    "discussions/canaux.py": {"*"},
    "forum/canaux.py": {"*"},
    "signalements/canaux.py": {"*"},
    "stats/canaux.py": {"*"},
    "accounts/authentication.py": {"*"},
    "portail/services/acces.py": {"acces_du_jeton", "_exiger_la_session", "_exiger_connecte", "exiger_l_etape"},
    "espace/pages/base.py": {"entrer"},
    "espace/pages/actes.py": {"ouvrir", "exiger_le_meme"},
    "espace/pages/garde.py": {"post"},
    "espace/pages/lecteurs.py": {"get", "post"},
    "espace/pages/second_facteur.py": {"entrer"},
    "espace/selections.py": {"lignes", "_de", "_equipe"},
    "accounts/services/comptes.py": {
        *("exiger_champs_permis", "_exiger_possible", "desactiver", "refus_du_changement"),
        *("exiger_mot_de_passe", "_garder_un_admin", "_est"),
    },
    "resources/services/fichiers.py": {"_attacher", "est_retenu", "_supprimer", "_verrouille", "_preuves"},
    "stats/exports/selection.py": {"*"},
    "signalements/lecteurs.py": {
        *("admet", "lecteurs", "recours", "a_quelqu_un", "rouvrable_par"),
        *("acheminer", "deplacables", "a_ouvrir", "ouverts_a", "rouvrables"),
    },
    "signalements/querysets.py": {"visibles_par", "_ouverts_a", "de", "fermes_a"},
    "discussions/querysets.py": {"visibles_par", "ouvertes_a", "siennes"},
    "discussions/services.py": {"_dossier_a_lier", "_verrouiller"},
    "forum/querysets.py": {"visibles_par"},
    "stats/querysets.py": {"visibles_par"},
    "socle/audit/models.py": {"visibles_par"},
    "signalements/models.py": {"est_visible_de", "est_ouvert_a", "pour_l_equipe"},
    "discussions/models.py": {"est_visible_de"},
    "forum/models.py": {"est_visible_de"},
    "guests/models.py": {"exiger_autorisee", "exiger_active"},
    "guests/services.py": {"exiger_etape", "session_de"},
    "signalements/services.py": {"assigner", "_verrouiller"},
    "signalements/reserve.py": {"*"},
    "signalements/ecarts.py": {"*"},
    "signalements/ouvertures.py": {"*"},
    "equipes/services/equipes.py": {"ajouter", "accorder", "retirer", "_lecteurs", "_acceptes"},
    "equipes/querysets.py": {"*"},
    "homonymes/noms.py": {"*"},
    "homonymes/querysets.py": {"*"},
    "homonymes/lectures.py": {"*"},
    "homonymes/services.py": {"*"},
}
# Removed, these change no answer; and why they are there nevertheless.
SANS_EFFET = {
    "discussions/permissions.py discussion_accessible : est_surveille(acteur) and (not discussion.est_de(acteur)) -> "
    "not discussion.est_de(acteur)": "whoever is not of the team passes this door to discussions of theirs alone",
    "signalements/permissions.py signalement_accessible : not acteur.possede(signalement) and est_surveille(acteur) "
    "-> not acteur.possede(signalement)": "nor to any case but their own",
    "calendrier/permissions.py sa_participation : Participation.objects.pour_lecture().filter(compte=acteur.compte) -> "
    "Participation.objects.pour_lecture()": "an Idempotency-Key leads to what its holder has made",
    "accounts/permissions.py compte_modifiable : acteur.compte is None or acteur.compte.pk != compte.pk -> "
    "acteur.compte.pk != compte.pk": "a guest is refused before; the door says so itself",
    "signalements/permissions.py note_accessible : EntreeTimeline.objects.select_related('signalement')"
    ".filter(type=TypeEntree.NOTE) -> EntreeTimeline.objects.select_related('signalement')": (
        "an Idempotency-Key leads to what its holder has made: under this one, notes"
    ),
    "socle/api/acces.py AccesOperation.has_permission : operation.droit and (not acteur.peut(operation.droit)) "
    "-> not acteur.peut(operation.droit)": "wherever an actor is read the operation names a right",
    "accounts/services/comptes.py _est : acteur.compte is not None and acteur.compte.pk == compte.pk -> "
    "acteur.compte.pk == compte.pk": "a guest changes no account",
    "resources/services/fichiers.py est_retenu : bool(dossiers) and bool(historique['geles'](dossiers)) -> "
    "bool(historique['geles'](dossiers))": "it saves a query",
    "espace/selections.py _equipe : ouverts.reserves().filter(gestionnaire__isnull=False) -> ouverts.reserves()": (
        "a case that nobody handles adds nobody"
    ),
    "discussions/querysets.py DiscussionQuerySet.visibles_par : self.vivants() -> self": (
        "what was joined to another holds no message any more, its id leads to that one, and lists leave it out"
    ),
    "discussions/querysets.py DiscussionQuerySet.siennes : self.vivants() -> self": "the same",
    "discussions/canaux.py _noter : est_surveille(acteur) and (not discussion.est_de(acteur)) -> "
    "not discussion.est_de(acteur)": "nor hears any but theirs",
    "signalements/canaux.py _noter : est_surveille(acteur) and (not (signalement is not None and "
    "acteur.possede(signalement))) -> not (signalement is not None and acteur.possede(signalement))": "nor here",
    "espace/pages/lecteurs.py Lecteurs.post : refus.details or [] -> refus.details": (
        "for the type: a refusal of fields names one"
    ),
    "signalements/reserve.py exiger_de_reserver : acteur.peut(Droit.SIGNALEMENTS_RESERVER) -> True": (
        "whoever sees a case that is not theirs is of the team, which has the right"
    ),
    "signalements/reserve.py exiger_de_reserver : signalement.est_visible_de(acteur) and "
    "acteur.peut(Droit.SIGNALEMENTS_RESERVER) -> signalement.est_visible_de(acteur)": "the same",
    "signalements/reserve.py exiger_de_deplacer : acteur.peut(Droit.SIGNALEMENTS_RESERVER) -> True": "the same",
    "signalements/reserve.py exiger_de_deplacer : signalement.est_visible_de(acteur) and "
    "acteur.peut(Droit.SIGNALEMENTS_RESERVER) -> signalement.est_visible_de(acteur)": "the same",
    "signalements/reserve.py _exiger_de_l_equipe : equipe.filter(pk__in=ecartes | admis) -> equipe": (
        "a bound on what is read"
    ),
    "espace/pages/base.py PageDEquipe.entrer : not admin.site.has_permission(request) or not "
    "self.acteur.peut(self.droit) -> not self.acteur.peut(self.droit)": (
        "each right that a page asks for is the team's; the admin site says it too"
    ),
    "signalements/querysets.py SignalementQuerySet._ouverts_a : Q(ouvert_a=Ouverture.SEULS) & "
    "Exists(sienne.filter(admis=True)) -> Exists(sienne.filter(admis=True))": (
        "somebody is admitted by name only where nobody else is; it saves looking for whom, in all the others"
    ),
    "signalements/canaux.py _lignes : Signalement.objects.filter(pk__in=cles) -> Signalement.objects": (
        "a bound on what is read, as below"
    ),
    "forum/canaux.py _lignes : Poste._base_manager.filter(pk__in=cles) -> Poste._base_manager": (
        "a bound on what is read, as below"
    ),
    "discussions/canaux.py _lignes : Discussion.objects.filter(pk__in=cles) -> Discussion.objects": (
        "a bound on what is read: what no channel asks for is told to none"
    ),
    "homonymes/lectures.py nommes : auteur_presume and sont_compares() -> sont_compares()": (
        "an empty text names nobody"
    ),
    "homonymes/lectures.py dossiers_proches : Signalement.objects.vivants().filter(contient, pk__gt=apres)"
    ".exclude(auteur_presume='') -> Signalement.objects.vivants().filter(contient, pk__gt=apres)": (
        "a bound on what is read: an empty text names nobody"
    ),
    "homonymes/lectures.py dossiers_proches : Signalement.objects.vivants() -> Signalement.objects": (
        "what was joined to another leads to it, whose own text is judged"
    ),
    "homonymes/services.py _ecarter : acces != avant and assez_peu and acces.a_quelqu_un(signalement) -> assez_peu and "
    "acces.a_quelqu_un(signalement)": "of whom is shut out already nothing would change",
    "resources/permissions.py pieces_fermees : Attache.objects.filter(fichier__in=map(UUID, cites(Fichier))) -> "
    "Attache.objects": "a bound on what is read: what the journal does not cite hides nothing in it",
}
QUESTIONS = {"peut", "possede", "possede_par", "est_de", "est_visible_de", "est_ouvert_a", "pour_l_equipe", "admet"}
FILTRES = {"visibles_par", "de", "filter", "exclude", "siennes", "presents", "vivants"}


@dataclass(frozen=True)
class Mutant:
    """One check less; `quoi` is the source that was replaced."""

    fichier: str
    fonction: str
    ligne: int
    quoi: str
    par: str
    rang: int

    def __str__(self) -> str:
        return f"{self.fichier}:{self.ligne} {self.fonction} : {self.quoi} -> {self.par}"

    @property
    def nom(self) -> str:
        """Without its line, which moves."""
        return f"{self.fichier} {self.fonction} : {self.quoi} -> {self.par}"

    @property
    def lieu(self) -> str:
        """The function that it is in, as `PASSAGES` names it."""
        return f"{self.fichier} {self.fonction}"

    def poser(self) -> None:
        """In this process, for good."""
        arbre, places = _places(self.fichier)
        places[self.rang].remplacer()
        _remplacer(arbre, self.fichier, {self.fonction})


def tous() -> list[Mutant]:
    return [place.mutant for fichier in OU for place in _places(fichier)[1]]


# The functions that have run since it was emptied, once they are watched.
PASSAGES: set[str] = set()


def veiller(mutants: list[Mutant]) -> None:
    """In this process, for good: the functions of these mutants say in `PASSAGES` that they ran."""
    for fichier in {un.fichier for un in mutants}:
        arbre = ast.parse(_source(fichier))
        noms = {un.fonction for un in mutants if un.fichier == fichier}
        for nom, fonction in _fonctions(arbre):
            if nom in noms:
                dit = f"__import__({__name__!r}, fromlist=['PASSAGES']).PASSAGES.add({f'{fichier} {nom}'!r})"
                fonction.body[:0] = ast.parse(dit).body
        _remplacer(arbre, fichier, noms)


def _remplacer(arbre: ast.Module, fichier: str, noms: set[str]) -> None:
    """Give these functions of the file the code that they have in this tree."""
    ast.fix_missing_locations(arbre)
    code = compile(arbre, str(RACINE / fichier), "exec")
    for nom in noms:
        fonction = _fonction(fichier, nom)
        nouveau = next(un for un in _codes(code) if un.co_qualname == fonction.__code__.co_qualname)
        assert nouveau.co_freevars == fonction.__code__.co_freevars, (fichier, nom)
        fonction.__code__ = nouveau


@dataclass
class _Place:
    mutant: Mutant
    parent: Any
    champ: str
    indice: int | None
    neuf: ast.AST

    def remplacer(self) -> None:
        if self.indice is None:
            setattr(self.parent, self.champ, self.neuf)
        else:
            getattr(self.parent, self.champ)[self.indice] = self.neuf


@cache
def _source(fichier: str) -> str:
    """As it was when the run began."""
    return (RACINE / fichier).read_text(encoding="utf-8")


def _places(fichier: str) -> tuple[ast.Module, list[_Place]]:
    """The tree of this file, and where one check of it may be replaced."""
    arbre = ast.parse(_source(fichier))
    places: list[_Place] = []
    for nom, fonction in _fonctions(arbre):
        if OU[fichier].isdisjoint({"*", fonction.name}):
            continue
        for corps in fonction.body:
            for parent, champ, indice, noeud in [(fonction, "", None, corps), *_enfants(corps)]:
                for neuf in _remplacants(noeud):
                    if not champ:
                        champ, indice = "body", fonction.body.index(corps)
                    quoi, par = ast.unparse(noeud), ast.unparse(neuf)
                    mutant = Mutant(fichier, nom, noeud.lineno, quoi, par, len(places))
                    places.append(_Place(mutant, parent, champ, indice, neuf))
    return arbre, places


def _fonctions(arbre: ast.AST, prefixe: str = "") -> Iterator[tuple[str, ast.FunctionDef]]:
    for noeud in ast.iter_child_nodes(arbre):
        if isinstance(noeud, ast.ClassDef):
            yield from _fonctions(noeud, f"{prefixe}{noeud.name}.")
        elif isinstance(noeud, ast.FunctionDef):
            yield f"{prefixe}{noeud.name}", noeud


def _enfants(noeud: ast.AST) -> Iterator[tuple[ast.AST, str, int | None, Any]]:
    for champ, valeur in ast.iter_fields(noeud):
        if champ in ("annotation", "returns"):
            continue
        enfants = enumerate(valeur) if isinstance(valeur, list) else [(None, valeur)]
        for indice, enfant in enfants:
            if isinstance(enfant, ast.AST):
                yield noeud, champ, indice, enfant
                yield from _enfants(enfant)


def _remplacants(noeud: ast.AST) -> Iterator[Any]:
    if isinstance(noeud, ast.Raise):
        yield ast.Pass()
    if isinstance(noeud, ast.Call):
        appele = noeud.func
        nom = appele.attr if isinstance(appele, ast.Attribute) else getattr(appele, "id", "")
        if nom in QUESTIONS or nom == "a_le_droit":
            yield ast.Constant(value=True)
            yield ast.Constant(value=False)
        elif isinstance(appele, ast.Attribute) and nom in FILTRES:
            yield appele.value
    if isinstance(noeud, ast.BoolOp):
        for rang in range(len(noeud.values)):
            restes = [*noeud.values[:rang], *noeud.values[rang + 1 :]]
            yield restes[0] if len(restes) == 1 else ast.BoolOp(op=noeud.op, values=restes)
    if isinstance(noeud, ast.BinOp) and isinstance(noeud.op, ast.BitAnd | ast.BitOr):
        yield noeud.left
        yield noeud.right


@cache
def _fonction(fichier: str, nom: str) -> FunctionType:
    """The function that callers run, under its decorators."""
    trouvee: Any = importlib.import_module(str(Path(fichier).with_suffix("")).replace("/", "."))
    for partie in nom.split("."):
        trouvee = inspect.getattr_static(trouvee, partie)
    if isinstance(trouvee, property):
        trouvee = trouvee.fget
    trouvee = getattr(trouvee, "__func__", trouvee)  # a class or static method
    trouvee = getattr(trouvee, "func", trouvee)  # a cached property
    trouvee = inspect.unwrap(trouvee)
    assert isinstance(trouvee, FunctionType), (fichier, nom)
    return trouvee


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constante in code.co_consts:
        if isinstance(constante, CodeType):
            yield from _codes(constante)
