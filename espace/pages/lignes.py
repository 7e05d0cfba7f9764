"""Traces told as sentences, by day: in as many queries for fifty as for one."""

from collections.abc import Iterable, Mapping
from datetime import date
from itertools import groupby
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import Exists, OuterRef
from django.db.models.functions import Coalesce
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from accounts.models import Compte, Invitation
from accounts.vocabulaire import DOMAINE_DES_EFFACES
from equipes.lectures import noms_des_equipes
from espace.pages.formulaires import jour_en_mots
from espace.pages.phrases import (
    A_RELIRE,
    DEPART,
    DETAILS,
    DISTINCTIFS,
    ENSEMBLES,
    LECTURES,
    LIENS,
    PERSONNES,
    PHRASES,
    QUELQU_UN,
    SANS_NOM,
    SOI,
    TUS,
    VALEURS,
)
from resources.vocabulaire import categorie_lisible
from signalements.models import Signalement
from signalements.vocabulaire import type_lisible
from socle.audit.models import Trace
from socle.audit.vocabulaire import Acte, Sorte
from socle.domaine.acteurs import Acteur
from socle.domaine.droits import Droit
from socle.pages.balises import isole, sans_traduire

SUITE = ", "
# Details whose values are written in a way of their own.
LUES = {"type": type_lisible, "categorie": categorie_lisible, "debut": jour_en_mots, "fin": jour_en_mots}
_ORDRE = {nom: rang for rang, nom in enumerate(DETAILS)}


class Ligne(NamedTuple):
    """One line: the first of its traces, who and what in HTML, `(name, value)` details, the other cases it is about."""

    trace: Trace
    qui: Any
    initiales: str
    phrase: SafeString
    details: list[tuple[Any, Any]]
    dossiers: list[SafeString]
    est_a_relire: bool


def par_jour(traces: Iterable[Trace], acteur: Acteur) -> list[tuple[date, list[Ligne]]]:
    """Group traces by day of the campus, in their order, as sentences: what one list has shown is one line."""
    lues = list(traces)
    noms = _Noms.pour(lues, acteur)
    groupes = [list(groupe) for _cle, groupe in groupby(lues, key=_ensemble)]
    lignes = [_ligne(groupe, noms) for groupe in groupes]
    return [(jour, list(les_siens)) for jour, les_siens in groupby(lignes, key=lambda un: _jour(un.trace))]


def _jour(trace: Trace) -> date:
    return timezone.localtime(trace.date).date()


def _ensemble(une: Trace) -> Any:
    return (une.acteur, une.requete, une.acte, _jour(une)) if une.acte in ENSEMBLES else une.pk


class _Dossier(NamedTuple):
    reference: str
    est_reserve: bool
    est_lisible: bool


class _Noms(NamedTuple):
    """Names of the cases and accounts that some traces are about, as this reader may see them."""

    dossiers: dict[UUID, _Dossier]
    comptes: dict[UUID, str]
    equipes: dict[UUID, str]
    invitees: dict[UUID, str]
    gere_les_comptes: bool

    @classmethod
    def pour(cls, traces: list[Trace], acteur: Acteur) -> "_Noms":
        dossiers = {une.objet for une in traces if une.objet and une.sorte == Sorte.SIGNALEMENT}
        comptes = {une.objet for une in traces if une.objet and une.sorte == Sorte.COMPTE}
        comptes |= {cle for une in traces for nom in PERSONNES for cle in _cles(une.details.get(nom))}
        gere = acteur.peut(Droit.COMPTES_MODIFIER)
        invitees = {une.objet for une in traces if une.objet and une.sorte == Sorte.INVITATION}
        lus = _dossiers(dossiers, acteur), _comptes(comptes, acteur), noms_des_equipes(), _invitees(invitees, acteur)
        return cls(*lus, gere)

    def de_l_objet(self, une: Trace) -> SafeString | str:
        if une.objet is None:
            return ""
        if une.sorte == Sorte.EQUIPE:
            return format_html("{}", isole(self.equipes[une.objet]) if une.objet in self.equipes else _("(sans nom)"))
        if une.sorte == Sorte.INVITATION:
            return format_html("{}", isole(self.invitees[une.objet]) if une.objet in self.invitees else _("quelqu'un"))
        return self.du_dossier(une.objet) if une.sorte == Sorte.SIGNALEMENT else self.du_compte(une.objet)

    def du_dossier(self, cle: UUID) -> SafeString:
        dossier = self.dossiers.get(cle)
        if dossier is None:
            return format_html("{}", _("(sans référence)"))
        reference = sans_traduire(dossier.reference)
        if not dossier.est_lisible:
            return format_html("{}", reference)
        return format_html('<a href="{}">{}</a>', reverse("espace:dossier", args=[cle]), reference)

    def du_compte(self, cle: UUID) -> SafeString:
        nom = self.comptes.get(cle)
        if nom is None:
            return format_html("{}", _("quelqu'un"))
        if not self.gere_les_comptes:
            return format_html("{}", isole(nom))
        return format_html('<a href="{}">{}</a>', reverse("admin:accounts_compte_change", args=[cle]), isole(nom))

    def de(self, valeur: Any) -> SafeString:
        """The people of a detail, by name; what is no account of ours as it is."""
        textes = valeur if isinstance(valeur, list) else [valeur]
        lus = [(self.comptes.get(_cle(texte) or UUID(int=0), str(texte)),) for texte in textes]
        return format_html_join(SUITE, "<bdi>{}</bdi>", lus)


def _dossiers(cles: set[UUID], acteur: Acteur) -> dict[UUID, _Dossier]:
    """Cases that are still there; a joined one opens as the case it was joined to, where that may be read."""
    if not cles:
        return {}
    ouvert = Coalesce(OuterRef("absorbe_par"), OuterRef("pk"))
    lisible = Exists(Signalement.objects.visibles_par(acteur).order_by().filter(pk=ouvert))
    lus = Signalement.objects.order_by().filter(pk__in=cles).annotate(lisible=lisible)
    lus = lus.only("reference", "ouvert_a")
    return {un.pk: _Dossier(un.reference, un.est_reserve, un.lisible) for un in lus}


def _comptes(cles: set[UUID], acteur: Acteur) -> dict[UUID, str]:
    if not cles or not acteur.peut(Droit.COMPTES_LISTER):
        return {}
    lus = Compte.objects.order_by().filter(pk__in=cles).only("prenom", "nom")
    return {un.pk: un.nom_complet for un in lus}


def _invitees(cles: set[UUID], acteur: Acteur) -> dict[UUID, str]:
    """Addresses that were invited, for who reads them among the invitations; of one erased, none."""
    if not cles or not acteur.peut(Droit.INVITATIONS_GERER):
        return {}
    lues = Invitation.objects.order_by().filter(pk__in=cles).exclude(email__endswith=f"@{DOMAINE_DES_EFFACES}")
    return dict(lues.values_list("pk", "email"))


def _cles(valeur: Any) -> list[UUID]:
    lues = [_cle(texte) for texte in (valeur if isinstance(valeur, list) else [valeur])]
    return [cle for cle in lues if cle is not None]


def _cle(texte: Any) -> UUID | None:
    try:
        return UUID(str(texte))
    except ValueError:
        return None


def _ligne(groupe: list[Trace], noms: _Noms) -> Ligne:
    une = groupe[0]
    nom = getattr(une, "acteur_nom", None)
    dossier = noms.dossiers.get(une.objet) if une.objet else None
    reserve = une.acte in LECTURES and dossier is not None and dossier.est_reserve
    return Ligne(
        trace=une,
        qui=isole(nom) if nom else une.acteur or SANS_NOM.get(une.acte, QUELQU_UN),
        initiales="".join(mot[:1] for mot in (nom or "·").split()[:2]).upper(),
        phrase=_phrase(une, len(groupe), noms),
        details=_details(une, noms),
        dossiers=[noms.du_dossier(autre.objet) for autre in groupe if autre.objet] if len(groupe) > 1 else [],
        est_a_relire=une.acte in A_RELIRE or reserve or (une.acte == Acte.GEL_CHANGE and not une.details.get("gele")),
    )


def _phrase(une: Trace, nombre: int, noms: _Noms) -> SafeString:
    if nombre > 1:
        return format_html(str(ENSEMBLES[une.acte]), n=nombre)
    absents = {"ecartes": _("aucune personne"), "admis": _("aucune personne"), "compte": _("quelqu'un")}
    personnes = {nom: noms.de(une.details.get(nom) or []) or absent for nom, absent in absents.items()}
    return format_html(str(PHRASES.get(_cle_de_la_phrase(une), une.acte)), objet=noms.de_l_objet(une), **personnes)


def _cle_de_la_phrase(une: Trace) -> Any:
    """The key of the sentence that says the most; the act alone, which an earlier version may not know."""
    if une.details.get("quoi") == "retrait" and _est_de_soi(une):
        return une.acte, DEPART
    soi = SOI if une.objet is not None and une.objet == une.acteur else ""
    for valeur in (*(str(une.details[nom]) for nom in DISTINCTIFS if nom in une.details), soi, une.sorte):
        if (une.acte, valeur) in PHRASES:
            return une.acte, valeur
    return une.acte


def _details(une: Trace, noms: _Noms) -> list[tuple[Any, Any]]:
    """List what the sentence leaves out: what changed, from and to, then the rest by its words."""
    restent = _non_dits(une)
    dits: list[tuple[Any, Any]] = []
    if {"avant", "apres"} <= restent.keys():
        avant, apres = (_valeur("changement", restent.pop(nom), noms) for nom in ("avant", "apres"))
        dits.append(("", _("de « %(avant)s » à « %(apres)s »") % {"avant": avant, "apres": apres}))
    if isinstance(restent.get("etat"), Mapping):  # of every setting: those that changed
        etat = restent.pop("etat")
        dits += [(nom, etat.get(nom, _("par défaut"))) for nom in restent.pop("changes", [])]
    dits += [(DETAILS.get(nom, nom), _valeur(nom, valeur, noms)) for nom, valeur in restent.items()]
    return dits + _de_quoi(une, noms)


def _non_dits(une: Trace) -> dict[str, Any]:
    """Its details in the order of the table, without what is empty or said by the sentence."""
    cle = _cle_de_la_phrase(une)
    texte = str(PHRASES.get(cle, ""))
    dit = cle[1] if isinstance(cle, tuple) else None
    return {
        nom: une.details[nom]
        for nom in sorted(une.details, key=lambda nom: (_ORDRE.get(nom, len(_ORDRE)), nom))
        if une.details[nom] not in ("", [], None)
        and nom not in TUS
        and not (nom == "compte" and _est_de_soi(une))
        and f"{{{nom}}}" not in texte
        and not (nom in DISTINCTIFS and dit in (str(une.details[nom]), DEPART))
    }


def _est_de_soi(une: Trace) -> bool:
    """True where a person came to a team, asked to, or left it by themself."""
    return une.acte == Acte.MEMBRE_CHANGE and une.acteur is not None and une.details.get("compte") == str(une.acteur)


def _de_quoi(une: Trace, noms: _Noms) -> list[tuple[Any, Any]]:
    """The kind of what the sentence does not name, and the way to all that was done about it."""
    if une.objet is None or not une.sorte or une.sorte in (Sorte.SIGNALEMENT, Sorte.EQUIPE):
        return []
    if une.objet in noms.comptes or une.objet in noms.invitees:
        return []
    return [(une.sorte_lisible, _vers(f"{reverse('espace:registre')}?objetId={une.objet}", une.objet))]


def _vers(adresse: str, cle: Any) -> SafeString:
    """A link whose text is the beginning of an id: enough to tell two lines about one thing."""
    return format_html('<a href="{}">{}</a>', adresse, str(cle)[:8])


def _valeur(nom: str, valeur: Any, noms: _Noms) -> Any:
    if isinstance(valeur, list) and nom not in PERSONNES:
        return SUITE.join(str(_valeur(nom, un, noms)) for un in valeur)
    if (mot := VALEURS.get(nom, {}).get(str(valeur))) is not None:
        return mot
    if nom in PERSONNES:
        return noms.de(valeur)
    if isinstance(valeur, bool):
        return _("oui") if valeur else _("non")
    cle = _cle(valeur)
    if cle is not None and nom in LIENS:
        return _vers(reverse(LIENS[nom], args=[cle]), cle)
    if cle is not None and cle in noms.equipes:
        return noms.equipes[cle]
    return LUES[nom](str(valeur)) if nom in LUES else valeur
