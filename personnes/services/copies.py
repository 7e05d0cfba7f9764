"""Copies of a name or an address, outside the row that has it: found by their text, and replaced.

A search of whole tables, which no index serves: for an operator's command, not for a request.
"""

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from django.contrib.admin.models import LogEntry
from django.contrib.sessions.models import Session as SessionDePage
from django.db import connection
from django.db.models import Model, Q, TextField, Value
from django.db.models.functions import Cast, Concat
from django.http import QueryDict
from django_tasks_db.models import DBTaskResult

from accounts.models import Compte, Preferences
from accounts.services.effacement import Connu, structure
from accounts.vocabulaire import NOM_COMPLET_EFFACE
from signalements.models import EntreeTimeline
from signalements.vocabulaire import TypeEntree
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
# JSON where somebody may have looked for one, as it was typed: read row by row, for a list's query is stored encoded.
RECHERCHES: tuple[tuple[type[Model], str, str], ...] = (
    (Export, "filtres", "exports, filtres"),
    (Preferences, "parametres", "préférences d'autrui"),
)
MOT_MIN = 4  # characters of a name that one looks for; in a shorter one others are meant as well


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
        self._surs = _Textes({**dict.fromkeys(surs, NOM_COMPLET_EFFACE), **adresses})
        self._tous = _Textes({**dict.fromkeys(connu.noms, NOM_COMPLET_EFFACE), **adresses})
        cherches = {nom for nom in map(normaliser, connu.cherches) if len(nom) >= MOT_MIN}
        siens = {nom for nom in cherches if not _mene_a_d_autres(nom, connu)}
        self._cherches = _Textes({**dict.fromkeys(siens, normaliser(NOM_COMPLET_EFFACE)), **adresses})

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
        """The same of what somebody looked for, or kept: a search whatever its accents and capitals, in a query too."""
        if isinstance(valeur, dict):
            return {cle: self.dans_une_recherche(contenu, cle) for cle, contenu in valeur.items()}
        if isinstance(valeur, list):
            return [self.dans_une_recherche(element, nom) for element in valeur]
        if isinstance(valeur, str) and nom == "adresse" and valeur.startswith("?"):
            return self._dans_une_requete(valeur)
        if isinstance(valeur, str) and nom == "search":
            return self._dans_ce_qui_est_tape(valeur)
        return self._surs.remplacer(valeur)

    def _dans_une_requete(self, adresse: str) -> str:
        avant, apres = QueryDict(adresse[1:]), QueryDict(mutable=True)
        for nom, valeurs in avant.lists():
            apres.setlist(nom, self.dans_une_recherche(valeurs, nom))
        return adresse if apres == avant else f"?{apres.urlencode()}"

    def _dans_ce_qui_est_tape(self, valeur: str) -> str:
        rendue: str = self._surs.remplacer(valeur)
        cherchee = normaliser(rendue)
        return rendue if (trouvee := self._cherches.remplacer(cherchee)) == cherchee else trouvee


class _Textes:
    def __init__(self, remplacants: dict[str, str]) -> None:
        self._remplacants = {texte.casefold(): remplacant for texte, remplacant in remplacants.items()}
        self.textes = sorted(remplacants, key=len, reverse=True)
        # Not inside a longer name or address: "Awa Diop-Ba", "jean.awa@campus.example", "awa@campus.example.org".
        formes = "|".join(map(re.escape, self.textes))
        self._motif = re.compile(rf"(?<![\w.+-])(?:{formes})(?![\w-]|\.\w)", re.IGNORECASE)

    def remplacer(self, valeur: Any) -> Any:
        if not self.textes:
            return valeur
        if isinstance(valeur, str):
            return self._motif.sub(self._remplacant, valeur)
        if isinstance(valeur, dict):
            return {nom: self.remplacer(contenu) for nom, contenu in valeur.items()}
        if isinstance(valeur, list):
            return [self.remplacer(element) for element in valeur]
        return valeur

    def _remplacant(self, trouve: re.Match[str]) -> str:
        return self._remplacants.get(trouve[0].casefold(), NOM_COMPLET_EFFACE)


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
            if (apres := remplacement.dans_une_recherche(remplacement.dans(avant))) != avant:
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
    """Those of the names that other accounts bear too."""
    for nom in connu.noms:
        morceaux = nom.split(" ")
        for rang in range(len(morceaux) + 1):
            prenom, famille = " ".join(morceaux[:rang]), " ".join(morceaux[rang:])
            if Compte.objects.filter(prenom=prenom, nom=famille).exclude(pk=connu.cle).exists():
                yield nom
                break


def _mene_a_d_autres(cherche: str, connu: Connu) -> bool:
    """Whether a search for this finds other accounts as well."""
    return Compte.objects.filter(recherche__contains=cherche).exclude(pk=connu.cle).exists()


def _echappe(texte: str, *, ascii_: bool) -> str:
    return json.dumps(texte, ensure_ascii=ascii_)[1:-1]


def _a_plat(valeur: Any) -> str:
    return valeur if isinstance(valeur, str) else json.dumps(valeur, default=str)
