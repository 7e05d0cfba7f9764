"""Copies of a name or an address, outside the row that has it: found by their text, and replaced.

A search of whole tables, which no index serves: for an operator's command, not for a request.
"""

import json
import re
from collections.abc import Iterable, Iterator
from itertools import permutations
from typing import Any

from django.contrib.admin.models import LogEntry
from django.contrib.sessions.models import Session as SessionDePage
from django.db import connection
from django.db.models import Model, Q, TextField, Value
from django.db.models.functions import Cast, Concat
from django_tasks_db.models import DBTaskResult

from accounts.models import Compte, Preferences
from accounts.services.effacement import Connu, structure
from accounts.vocabulaire import NOM_COMPLET_EFFACE
from personnes.services.textes import Replies, Textes, dans_une_adresse, plier
from signalements.models import EntreeTimeline
from signalements.vocabulaire import TYPES_CONNUS, Priorite, Statut, TypeEntree, type_lisible
from socle.domaine.texte import normaliser
from socle.realtime.models import Evenement
from stats.models import Export

LOT = 500
QUELQU_UN = "une personne de l'équipe"  # where a name may be a namesake's
# Columns where the service itself copied a name: model, columns, words for the operator.
COPIES: tuple[tuple[type[Model], tuple[str, ...], str], ...] = (
    (LogEntry, ("object_repr", "change_message"), "journal, autres entrées"),
    (DBTaskResult, ("traceback",), "tâches"),
    (Evenement, ("payload",), "événements"),  # last: numbering waits for those that we hold
)
# JSON where somebody may have looked for one, as it was typed: read row by row, for an address is stored encoded.
RECHERCHES: tuple[tuple[type[Model], str, str], ...] = (
    (Export, "filtres", "exports, filtres"),
    (Preferences, "parametres", "préférences d'autrui"),
)
MOTS_ENSEMBLE = 5  # words of a name, of which every order is looked for; of more, two by two
MOT_MIN = 4  # characters of a name that one looks for; in a shorter one others are meant as well
# Under these names one writes whom one looks for: there a family name alone is hers, elsewhere it may be any word.
_CHERCHE = re.compile("search|cherche|query|auteur|author|personne|lieu|^q$", re.IGNORECASE)
NOMMES = ("nom", "name", "titre", "title")  # of what is kept, in which our own words are ours


class Remplacement:
    """Each text by which a person was known, and what stands in its place."""

    def __init__(self, connu: Connu) -> None:
        self.connu = connu
        self.partages = partages = set(_portes_par_d_autres(connu))
        # A single word, or a namesake's name, is this person's only beside their key.
        surs = {nom for nom in connu.noms if " " in nom and nom not in partages}
        adresses = {
            **dict.fromkeys(connu.adresses, connu.adresse_technique),
            **dict.fromkeys(connu.telephones, ""),
        }
        self._surs = Textes({**dict.fromkeys(surs, NOM_COMPLET_EFFACE), **adresses})
        self._tous = Textes({**dict.fromkeys(connu.noms, NOM_COMPLET_EFFACE), **adresses})
        siens = {tape for tape in _tapes(connu) if not _mene_a_d_autres(tape, connu)}
        siens |= _morceaux(connu)
        entiers = {tape for tape in siens if " " in tape} | connu.telephones
        self._partout = Replies({**adresses, **dict.fromkeys(entiers, NOM_COMPLET_EFFACE)})
        cherches = {**adresses, **dict.fromkeys(siens | connu.telephones, normaliser(NOM_COMPLET_EFFACE))}
        self._tapes = Replies(cherches)
        nos_mots = _nos_mots()
        self._tapes_sauf_nos_mots = Replies({tape: dit for tape, dit in cherches.items() if tape not in nos_mots})

    def condition(self, champ: str) -> Q:
        """Rows that may hold one of them; JSON may be stored with its accents escaped."""
        condition = Q()
        for texte in (*self._surs.textes, self.connu.cle):
            for ecrit in {texte, _echappe(texte, ascii_=True), _echappe(texte, ascii_=False)}:
                condition |= Q(**{f"{champ}__icontains": ecrit})
        return condition

    def dans(self, valeur: Any) -> Any:
        """The value with what it holds replaced; itself where it holds nothing."""
        textes = self._tous if self.connu.cle in _a_plat(valeur) else self._surs
        lue = structure(valeur) if isinstance(valeur, str) else None
        if lue is None:
            return textes.remplacer(valeur)
        return valeur if (rendue := textes.remplacer(lue)) == lue else json.dumps(rendue)

    def dans_une_recherche(self, valeur: Any, nom: str = "") -> Any:
        """The same of what somebody looked for, or kept under this name: however it was typed, in an address too."""
        if isinstance(valeur, dict):
            return {
                self.dans_une_recherche(cle): self.dans_une_recherche(contenu, cle) for cle, contenu in valeur.items()
            }
        if isinstance(valeur, list):
            return [self.dans_une_recherche(element, nom) for element in valeur]
        return dans_une_adresse(valeur, nom, self._dans_ce_qui_est_tape) if isinstance(valeur, str) else valeur

    def _dans_ce_qui_est_tape(self, valeur: str, nom: str) -> str:
        if nom in NOMMES:
            return self._tapes_sauf_nos_mots.dans(valeur)
        return (self._tapes if _CHERCHE.search(nom) else self._partout).dans(valeur)


def remplacer(remplacement: Remplacement) -> dict[str, int]:
    """Replace the copies, in every table that has any; rows by words for the operator."""
    nombres = {mots: _dans_les_recherches(modele, champ, remplacement) for modele, champ, mots in RECHERCHES}
    return nombres | {mots: _dans_une_table(modele, champs, remplacement) for modele, champs, mots in COPIES}


def _dans_les_recherches(modele: type[Model], champ: str, remplacement: Remplacement) -> int:
    nombre = 0
    for lot in _lots(modele._base_manager.order_by("pk"), (champ,)):
        changees = []
        for ligne in lot:
            avant = getattr(ligne, champ)
            if (apres := remplacement.dans(remplacement.dans_une_recherche(avant))) != avant:
                setattr(ligne, champ, apres)
                changees.append(ligne)
        modele._base_manager.bulk_update(changees, [champ], batch_size=LOT)
        nombre += len(changees)
    return nombre


def _dans_une_table(modele: type[Model], champs: tuple[str, ...], remplacement: Remplacement) -> int:
    lignes: Any = modele._base_manager.annotate(
        # Concatenated as text: what a column of JSON holds is searched as it is written.
        cherche=Concat(Value(" "), *(Cast(champ, TextField()) for champ in champs), output_field=TextField())
    ).filter(remplacement.condition("cherche"))
    if modele is Evenement:  # one that is being numbered is passed over, and comes with the second look
        lignes = lignes.select_for_update(skip_locked=connection.features.has_select_for_update_skip_locked)
    nombre = 0
    for lot in _lots(lignes.order_by("pk"), champs):
        changees = [ligne for ligne in lot if _changer(ligne, champs, remplacement)]
        modele._base_manager.bulk_update(changees, champs, batch_size=LOT)
        nombre += len(changees)
    return nombre


def _lots(lignes: Any, champs: tuple[str, ...]) -> Iterator[list[Any]]:
    derniere = None
    while lot := list((lignes if derniere is None else lignes.filter(pk__gt=derniere)).only("pk", *champs)[:LOT]):
        yield lot
        derniere = lot[-1].pk


def _changer(ligne: Any, champs: Iterable[str], remplacement: Remplacement) -> bool:
    avant = [getattr(ligne, champ) for champ in champs]
    apres = [remplacement.dans(valeur) for valeur in avant]
    for champ, valeur in zip(champs, apres, strict=True):
        longueur = ligne._meta.get_field(champ).max_length
        setattr(ligne, champ, valeur[:longueur] if longueur else valeur)
    return avant != apres


def renommer_dans_l_historique(remplacement: Remplacement) -> int:
    """Lines that say to whom a case was given hold the name alone: where a namesake bears it, it could be theirs."""
    assignations = EntreeTimeline.objects.filter(type=TypeEntree.ASSIGNATION)
    siens = remplacement.connu.noms - remplacement.partages
    return sum(
        assignations.filter(contenu__in=noms).update(contenu=dit)
        for noms, dit in ((siens, NOM_COMPLET_EFFACE), (remplacement.partages, QUELQU_UN))
    )


def fermer_les_pages(remplacement: Remplacement) -> int:
    """Delete the browser sessions of the account, and those whose waiting messages name it: they are stored sealed."""
    nommees = []
    for session in SessionDePage.objects.iterator(LOT):
        contenu = session.get_decoded()
        if remplacement.connu.cle in _a_plat(contenu) or remplacement.dans(contenu) != contenu:
            nommees.append(session.pk)
    return SessionDePage.objects.filter(pk__in=nommees).delete()[0]


def _portes_par_d_autres(connu: Connu) -> Iterator[str]:
    """Yield the names that other accounts bear too."""
    for nom in connu.noms:
        morceaux = nom.split(" ")
        for rang in range(len(morceaux) + 1):
            prenom, famille = " ".join(morceaux[:rang]), " ".join(morceaux[rang:])
            if Compte.objects.filter(prenom=prenom, nom=famille).exclude(pk=connu.cle).exists():
                yield nom
                break


def _tapes(connu: Connu) -> set[str]:
    """Search forms that one types to find this person: names, and of an address or a number what is theirs."""
    noms = {plier(nom) for nom in connu.cherches}
    mots = {mot for nom in noms for mot in re.split(r"\W+", nom) if len(mot) >= MOT_MIN}
    boites = {plier(adresse.partition("@")[0]) for adresse in connu.adresses}
    siennes = {boite for boite in boites if any(mot in boite for mot in mots)}  # not "contact", "direction"
    numeros = {numero.lstrip("+") for numero in connu.telephones}
    return {tape for tape in noms | siennes | numeros if len(tape) >= MOT_MIN}


def _morceaux(connu: Connu) -> set[str]:
    """A word of the family name, alone and beside others of hers in any order, where nobody else is found by it."""
    famille = {mot for nom in connu.familles for mot in _mots_de(nom) if len(mot) >= MOT_MIN}
    siens = {mot for mot in famille if not _mene_a_d_autres(mot, connu)}
    mots = sorted({mot for nom in connu.noms for mot in _mots_de(nom)})
    ensemble = range(1, (len(mots) if len(mots) <= MOTS_ENSEMBLE else 2) + 1)
    suites = (suite for combien in ensemble for suite in permutations(mots, combien))
    return {" ".join(suite) for suite in suites if not siens.isdisjoint(suite)}


def _mots_de(nom: str) -> list[str]:
    return [mot for mot in re.split(r"\W+", plier(nom)) if mot]


def _nos_mots() -> set[str]:
    """The words of lists, which a filter is often named after: a Mrs Haute is not meant by « Priorité haute »."""
    dits = [*Statut.labels, *Priorite.labels, *map(type_lisible, TYPES_CONNUS)]
    return {mot for dit in dits for mot in normaliser(str(dit)).split()}


def _mene_a_d_autres(cherche: str, connu: Connu) -> bool:
    """True where a search for this finds other accounts as well."""
    return Compte.objects.cherches(cherche).exclude(pk=connu.cle).exists()


def _echappe(texte: str, *, ascii_: bool) -> str:
    return json.dumps(texte, ensure_ascii=ascii_)[1:-1]


def _a_plat(valeur: Any) -> str:
    return valeur if isinstance(valeur, str) else json.dumps(valeur, default=str)
