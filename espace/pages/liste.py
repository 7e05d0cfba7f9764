"""The lists: what is mine, what nobody handles, what is not read, what is open, what is closed."""

from collections.abc import Container
from contextlib import suppress
from typing import Any, NamedTuple
from uuid import UUID

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

from echeances.models import ChoixDesDates
from espace.demandes import Demande, Prise, prises_dites
from espace.pages.base import PageDEquipe
from espace.pages.dossier import peut_prendre
from espace.pages.exporter import de_la_liste
from espace.pages.formulaires import Filtres, choix, jour_en_mots
from espace.selections import DERNIERE_ACTIVITE, Nombre, Selections, equipe, noms_a_verifier, sans_lecteur_pour
from espace.services import filtres as gardes
from espace.services import raccourcis
from espace.services.lots import issue as issue_du_lot
from espace.services.reprises import Reprise, feuillet
from espace.triage import Groupe, grouper
from espace.vocabulaire import (
    ANCIENS,
    APRES_CLOTURE,
    CLOS,
    DE_DATE,
    JAMAIS_LUS,
    NON_LUS,
    OUVERTS,
    RECENTS,
    TAILLE,
    TRIEES,
    URGENTS,
    VUES,
)
from signalements.compteurs.listes import des_non_traites
from signalements.filters import dossier_nomme, filtrer_pour
from signalements.garde import est_bornee
from signalements.models import Signalement
from signalements.permissions import signalement_accessible
from signalements.serializers import SignalementDetail
from signalements.vocabulaire import TYPES_CONNUS, Priorite, Statut, type_lisible
from socle.api.pagination import PLAFOND_DES_DOSSIERS, LignesDuMoment
from socle.api.serializers import Regard
from socle.audit.registre import montrer
from socle.domaine.droits import Droit
from socle.erreurs import ChampsInvalides, Introuvable, PermissionRefusee
from socle.moteur.lectures import ensemble
from socle.moteur.sorties import rendre_chacun
from socle.pages.formulaires import texte_saisi
from socle.pages.vues import vers
from socle.realtime.models import CompteurEvenements

EXTRAIT = 160  # characters
COMPTES = {"statut", "priorite", "type", "sourceActeur"}


class Lus(NamedTuple):
    """Content of one page of a list, and how many the list holds."""

    groupes: list[Groupe]
    trouves: Nombre
    precedente: Reprise | None = None
    suivante: Reprise | None = None


class Liste(PageDEquipe):
    gabarit = "espace/liste.html"
    titre = _("Dossiers")

    def get(self, request: HttpRequest) -> HttpResponse:
        prises = prises_dites(request.GET.getlist("pris"))
        pris = self._pris(prises[-1].cle) if prises else None
        return self.montrer(request, Demande.lue_dans(request.GET), pris=pris, prises=prises)

    def _pris(self, cle: UUID) -> Signalement | None:
        """The case that this person has just taken from a list, where it is theirs."""
        with suppress(Introuvable, PermissionRefusee):
            dossier = signalement_accessible(self.acteur, cle)
            est_le_sien = self.acteur.possede(dossier)  # who handles it is not told
            return dossier if dossier.gestionnaire_id == self.acteur.pk and not est_le_sien else None
        return None

    def montrer(self, request: HttpRequest, demande: Demande, statut: int = 200, **contexte: Any) -> HttpResponse:
        depuis = CompteurEvenements.lire().dernier_numero  # before what is read: nothing is missed
        selections = Selections(self.acteur)
        nombres, parametres, responsables = selections.compter()
        actifs, restes = equipe(self.acteur, responsables)
        form = Filtres(
            {**demande.donnes, "tri": demande.tri},
            types=types(),
            equipe=choix([*actifs, *(un for un, _nombre in restes)]),
            par_groupes=demande.vue in TRIEES,
        )
        form.is_valid()
        lecture = self._par_groupes if demande.est_triee else self._par_pages
        lus = lecture(demande, selections, nombres, form)
        pris = contexte.get("pris")
        _garder_leurs_places(lus.groupes, contexte.setdefault("prises", []))
        issue = issue_du_lot(self.acteur, request.GET, actifs)
        coches = contexte.get("coches") or (issue.cles if issue else set())
        peut_confier = self.acteur.peut(Droit.SIGNALEMENTS_ASSIGNER)
        montres = [un.pk for groupe in lus.groupes for un in groupe.dossiers if not self.acteur.possede(un)]
        montres += [un.pk for un in issue.tous] if issue else []
        nomme = dossier_nomme(demande.donnes)
        montrer(self.acteur, montres, demande.donnes, sur=nomme)
        return self.rendre(
            request,
            statut=422 if form.errors else statut,
            form=form,
            demande=demande,
            vue=demande.vue,
            vues=_onglets(nombres, demande.vue),
            trouves=lus.trouves,
            filtre=bool(demande.donnes),
            puces=_puces(form, demande),
            tetes=_tetes(demande),
            groupes=[(groupe, self._rendus(groupe, demande.vue, pris, coches)) for groupe in lus.groupes],
            est_vide=not any(groupe.dossiers for groupe in lus.groupes),
            cles={un.pk for groupe in lus.groupes for un in groupe.dossiers},
            est_coupee=any(groupe.nom and groupe.est_plein for groupe in lus.groupes),
            neufs=nombres[NON_LUS],
            jamais_lus=nombres[JAMAIS_LUS],
            precedente=lus.precedente and demande.autrement(reprise=lus.precedente),
            suivante=lus.suivante and demande.autrement(reprise=lus.suivante),
            adresse=demande.adresse,
            # A whole reference was looked for in every list.
            ailleurs=None if nomme else demande.autrement(vue=OUVERTS if demande.vue == CLOS else CLOS),
            caches=[(nom, valeur) for nom, valeur in demande.champs() if nom != "search"],
            gardes=gardes.lus_dans(parametres),
            actifs=actifs,
            issue=issue,
            peut_confier=peut_confier,
            choisit=peut_confier or self.acteur.peut(Droit.STATS_EXPORTER),
            peut_prendre=self.acteur.peut(Droit.SIGNALEMENTS_TRAITER),
            raccourcis=raccourcis.sont_actifs(parametres),
            partis=restes,
            sans_lecteur=sans_lecteur_pour(self.acteur),
            noms_a_verifier=noms_a_verifier(self.acteur),
            depuis=depuis,
            est_bornee=est_bornee(),
            a_dire_des_dates=self.acteur.peut(Droit.DELAIS_GERER) and not ChoixDesDates.objects.exists(),
            exportation=None if form.errors else de_la_liste(self.acteur, demande.vue, demande.donnes),
            **{**contexte, "coches": coches},
        )

    def _par_groupes(self, demande: Demande, selections: Selections, nombres: Any, form: Filtres) -> "Lus":
        avec_dates = any(nombres[vue].nombre for vue in DE_DATE)
        return Lus(grouper(self.acteur, demande.vue, selections.non_lus, avec_dates=avec_dates), nombres[demande.vue])

    def _par_pages(self, demande: Demande, selections: Selections, nombres: Any, form: Filtres) -> "Lus":
        """One page; what the filters refuse is said on the form, and shows nothing."""
        lignes: Any = selections.lignes(demande.vue)
        try:
            # A reference leads to its case, from any list.
            lignes = filtrer_pour(self.acteur, lignes, demande.donnes).annotate(activite=DERNIERE_ACTIVITE)
        except ChampsInvalides as refus:
            for detail in refus.details or []:
                form.add_error(detail["field"], str(detail["message"]))
            lignes = lignes.none()
        page = feuillet(
            demande.tranches(lignes), demande.reprise, champ=demande.champ, croissant=demande.croissant, taille=TAILLE
        )
        apres = []
        if demande.vue in APRES_CLOTURE and not (demande.donnes or page.precedente):  # of the first page
            apres = list(selections.apres_cloture(demande.vue)[:TAILLE])
        if not demande.donnes:
            trouves = nombres[demande.vue]
        elif form.errors or not (demande.reprise or page.suivante):  # all of them are here
            trouves = Nombre(len(page.lignes))
        else:
            trouves = self._nombre(demande.vue, demande.donnes, lignes)
        groupe = Groupe("", "", "", [*apres, *page.lignes], frozenset(un.pk for un in apres))
        return Lus([groupe], trouves, page.precedente, page.suivante)

    def _rendus(
        self, groupe: Groupe, vue: str, pris: Signalement | None, coches: Container[UUID]
    ) -> list[dict[str, Any]]:
        par_date = vue in DE_DATE  # the day is why the row is there
        rendus = rendre_chacun(SignalementDetail, groupe.dossiers, Regard(vu_par=self.acteur).contexte)
        return [
            {
                **rendu,
                "titre": dossier.titre_montre,
                "le": dossier.activite,
                "recu": dossier.date_creation,
                "deMoi": self.acteur.possede(dossier),
                "responsable": dossier.gestionnaire,
                "urgence": Priorite(rendu["priorite"]).label,
                "etat": Statut(rendu["statut"]).label,
                "extrait": extrait(dossier.titre, dossier.description),
                "type": type_lisible(rendu["type"]),
                "est_pris": dossier == pris,
                "est_coche": dossier.pk in coches,
                "peut_prendre": peut_prendre(self.acteur, dossier),
                "a_ecrit_apres": dossier.pk in groupe.ecrits_apres,
                "promis": dossier.prochaine_echeance if par_date else dossier.jour_a_tenir,
                "est_en_retard": dossier.est_en_retard,
            }
            for dossier, rendu in zip(groupe.dossiers, rendus, strict=True)
        ]

    def _nombre(self, vue: str, donnes: dict[str, str], lignes: Any) -> Nombre:
        """From the counters, where they know these filters; else counted, up to the cap."""
        if (
            vue == OUVERTS
            and donnes.keys() <= COMPTES
            and (comptage := des_non_traites(self.acteur, donnes)) is not None
        ):
            return Nombre(comptage.total(ensemble(*comptage.passages())))
        compte = LignesDuMoment(lignes).nombre(PLAFOND_DES_DOSSIERS + 1)
        return Nombre(min(compte, PLAFOND_DES_DOSSIERS), compte > PLAFOND_DES_DOSSIERS)


class GarderUnFiltre(Liste):
    """Keeps, renames or removes a filter of the person, and shows the list again."""

    def get(self, request: HttpRequest) -> HttpResponse:
        return vers("espace:liste", suite=Demande.lue_dans(request.GET).adresse)

    def post(self, request: HttpRequest) -> HttpResponse:
        demande = Demande.ecrite(request.POST.get("adresse", ""))
        nom = texte_saisi(request.POST.get("nom", ""), en_lignes=False)
        ancien = request.POST.get("ancien", "")
        compte = self.compte
        try:
            if request.POST.get("acte") == "retirer":
                gardes.retirer(compte, nom=ancien)
            elif ancien:
                gardes.renommer(compte, ancien=ancien, nom=nom)
            else:
                gardes.garder(compte, nom=nom, adresse=demande.autrement().lstrip("?"))
        except ChampsInvalides as refus:
            erreur = (refus.details or [{}])[0].get("message", refus.message)
            return self.montrer(request, demande, statut=422, nom_refuse=erreur, nom_tape=nom, ancien_refuse=ancien)
        return vers("espace:liste", suite=demande.autrement())


class ChoisirLesRaccourcis(PageDEquipe):
    """Single keys on or off, and the list again."""

    def get(self, request: HttpRequest) -> HttpResponse:
        return vers("espace:liste")

    def post(self, request: HttpRequest) -> HttpResponse:
        raccourcis.choisir(self.compte, actifs=request.POST.get("actifs") == "oui")
        return vers("espace:liste", suite=f"{Demande.ecrite(request.POST.get('adresse', '')).adresse}#clavier")


def _garder_leurs_places(groupes: list[Groupe], prises: list[Prise]) -> None:
    """Put cases that were just taken back where they stood in their group, so that who works down the list goes on."""
    places = {une.cle: une.place for une in prises if une.place}
    for groupe in groupes:
        for dossier in sorted((un for un in groupe.dossiers if un.pk in places), key=lambda un: places[un.pk]):
            groupe.dossiers.remove(dossier)
            groupe.dossiers.insert(places[dossier.pk] - 1, dossier)


def extrait(titre: str, description: str) -> str:
    """The first words of a story, in one line, for the team's list alone: cases of one kind do not look the same.

    `""` where the title already says them; what the title begins with is not said twice.
    """
    dit, deja = (" ".join(texte.split()) for texte in (description, titre.rstrip("… ")))
    commence = deja and dit.startswith(deja) and not dit[len(deja) : len(deja) + 1].isalnum()
    suite = dit[len(deja) :].lstrip(" .,;:…") if commence else dit
    return suite if len(suite) <= EXTRAIT else f"{suite[:EXTRAIT].rsplit(' ', 1)[0]}…"


def types() -> list[tuple[str, str]]:
    """The types that the operator admits, in words."""
    admis = settings.VOCABULAIRES["type_signalement"] or TYPES_CONNUS
    return [(type_, type_lisible(type_)) for type_ in admis]


def _onglets(nombres: dict[str, Nombre], vue: str) -> list[tuple[str, Any, Nombre]]:
    """The lists with their numbers; those of dates where any case has one that is near or past."""
    montrees = [nom for nom in VUES if nom not in DE_DATE or nombres[nom].nombre or nom == vue]
    return [(nom, VUES[nom], nombres[nom]) for nom in montrees]


def _puces(form: Filtres, demande: Demande) -> list[tuple[Any, Any, str]]:
    """Of each filter: its name, its value in words, the address of the list without it."""
    mots = {nom: dict(getattr(champ, "choices", ())) for nom, champ in form.fields.items()}
    return [
        (
            form.fields[nom].label,
            jour_en_mots(valeur) if nom in ("debut", "fin") else mots[nom].get(valeur, valeur),
            demande.sans(nom),
        )
        for nom, valeur in demande.donnes.items()
    ]


def _tetes(demande: Demande) -> dict[str, str]:
    """Of each head that sorts, the address that it leads to."""
    autre = ANCIENS if demande.tri == RECENTS else RECENTS
    return {"priorite": demande.autrement(tri=URGENTS), "recu": demande.autrement(tri=autre)}
