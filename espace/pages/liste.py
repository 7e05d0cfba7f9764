"""The lists: what is mine, what nobody handles, what is not read, what is open, what is closed."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, QueryDict
from django.utils.translation import gettext_lazy as _

from espace.pages.base import PageDEquipe
from espace.pages.formulaires import Filtres, choix
from espace.selections import Nombre, Selections, equipe, sans_lecteur_pour
from espace.services import filtres as gardes
from espace.services import raccourcis
from espace.services.reprises import Reprise, feuillet
from espace.vocabulaire import ANCIENS, JAMAIS_LUS, OUVERTS, PAGES_MAX, RECENTS, TAILLE, TRIS, VUES
from signalements.compteurs.listes import des_non_traites
from signalements.filters import dossier_nomme, filtrer_pour
from signalements.garde import est_bornee
from signalements.serializers import SignalementDetail
from signalements.vocabulaire import TYPES_CONNUS, Priorite, Statut, type_lisible
from socle.api.pagination import PLAFOND, LignesDuMoment
from socle.api.serializers import Regard
from socle.audit.registre import montrer
from socle.domaine.droits import Droit
from socle.erreurs import ChampsInvalides
from socle.moteur.lectures import ensemble
from socle.moteur.sorties import rendre_chacun
from socle.pages.formulaires import texte_saisi
from socle.pages.vues import vers
from socle.realtime.models import CompteurEvenements

FILTRES = ("search", "statut", "priorite", "type", "gestionnaireId", "sourceActeur", "debut", "fin")
EXTRAIT = 160  # characters
COMPTES = {"statut", "priorite", "type", "sourceActeur"}
# What an address of the list may say; the rest of a query is left out.
ADRESSE = ("vue", "tri", *FILTRES)
PAR = "date_creation"  # the column that both orders go by


class Liste(PageDEquipe):
    gabarit = "espace/liste.html"
    titre = _("Dossiers")

    def get(self, request: HttpRequest) -> HttpResponse:
        return self.montrer(request, request.GET)

    def montrer(self, request: HttpRequest, demande: QueryDict, statut: int = 200, **contexte: Any) -> HttpResponse:
        depuis = CompteurEvenements.lire().dernier_numero  # before what is read: nothing is missed
        vue = demande.get("vue", "") if demande.get("vue") in (*VUES, JAMAIS_LUS) else OUVERTS
        tri = demande.get("tri", "") if demande.get("tri") in TRIS else RECENTS
        reprise = Reprise.lue_dans(demande)
        donnes = {nom: str(valeur) for nom, valeur in demande.items() if nom in FILTRES and str(valeur).strip()}
        selections = Selections(self.acteur)
        nombres, parametres, responsables = selections.compter()
        actifs, restes = equipe(self.acteur, responsables)
        form = Filtres({**donnes, "tri": tri}, types=types(), equipe=choix([*actifs, *(un for un, _nombre in restes)]))
        form.is_valid()
        try:
            lignes = filtrer_pour(self.acteur, selections.lignes(vue, tri), donnes)
        except ChampsInvalides as refus:
            for detail in refus.details or []:
                form.add_error(detail["field"], str(detail["message"]))
            lignes, statut = selections.lignes(vue, tri).none(), 422
        dossiers, precedente, suivante = feuillet(lignes, reprise, champ=PAR, croissant=tri == ANCIENS, taille=TAILLE)
        apres_cloture = [] if donnes or reprise else selections.apres_cloture(vue)
        if not donnes:
            trouves = nombres[vue]
        elif form.errors or not (reprise or suivante):  # all of them are here
            trouves = Nombre(len(dossiers))
        else:
            trouves = self._nombre(vue, donnes, lignes)
        montres = [un.pk for un in (*apres_cloture, *dossiers) if not self.acteur.possede(un)]
        montrer(self.acteur, montres, donnes, sur=dossier_nomme(donnes))
        return self.rendre(
            request,
            statut=statut,
            form=form,
            vue=vue,
            vues=[(nom, titre, nombres[nom]) for nom, titre in VUES.items()],
            trouves=trouves,
            filtre=bool(donnes),
            dossiers=self._rendus(dossiers),
            apres_cloture=self._rendus(apres_cloture),
            jamais_lus=nombres[JAMAIS_LUS],
            est_une_suite=reprise is not None,
            precedente=precedente and _adresse(demande, precedente),
            suivante=suivante and _adresse(demande, suivante),
            adresse=_adresse(demande, reprise),
            caches=[(nom, demande[nom]) for nom in ADRESSE if nom != "search" and demande.get(nom)],
            gardes=gardes.lus_dans(parametres),
            raccourcis=raccourcis.sont_actifs(parametres),
            partis=restes,
            sans_lecteur=sans_lecteur_pour(self.acteur),
            depuis=depuis,
            est_bornee=est_bornee(),
            peut_prendre=self.acteur.peut(Droit.SIGNALEMENTS_ASSIGNER) and self.acteur.peut(Droit.SIGNALEMENTS_TRAITER),
            **contexte,
        )

    def _rendus(self, dossiers: list[Any]) -> list[dict[str, Any]]:
        rendus = rendre_chacun(SignalementDetail, dossiers, Regard(vu_par=self.acteur).contexte)
        return [
            {
                **rendu,
                "le": dossier.date_creation,
                "deMoi": self.acteur.possede(dossier),
                "urgence": Priorite(rendu["priorite"]).label,
                "etat": Statut(rendu["statut"]).label,
                "extrait": extrait(dossier.titre, dossier.description),
                "type": type_lisible(rendu["type"]),
            }
            for dossier, rendu in zip(dossiers, rendus, strict=True)
        ]

    def _nombre(self, vue: str, donnes: dict[str, str], lignes: Any) -> Nombre:
        """From the counters, where they know these filters; else counted, up to the cap."""
        if (
            vue == OUVERTS
            and donnes.keys() <= COMPTES
            and (comptage := des_non_traites(self.acteur, donnes)) is not None
        ):
            return Nombre(comptage.total(ensemble(*comptage.passages())))
        compte = LignesDuMoment(lignes).nombre(PLAFOND + 1)
        return Nombre(min(compte, PLAFOND), compte > PLAFOND)


class GarderUnFiltre(Liste):
    """Keeps, renames or removes a filter of the person, and shows the list again."""

    def get(self, request: HttpRequest) -> HttpResponse:
        return vers("espace:liste", suite=_adresse(request.GET, Reprise.lue_dans(request.GET)))

    def post(self, request: HttpRequest) -> HttpResponse:
        demande = _de(request.POST.get("adresse", ""))
        nom = texte_saisi(request.POST.get("nom", ""), en_lignes=False)
        ancien = request.POST.get("ancien", "")
        compte = self.compte
        try:
            if request.POST.get("acte") == "retirer":
                gardes.retirer(compte, nom=ancien)
            elif ancien:
                gardes.renommer(compte, ancien=ancien, nom=nom)
            else:
                gardes.garder(compte, nom=nom, adresse=_adresse(demande).lstrip("?"))
        except ChampsInvalides as refus:
            erreur = (refus.details or [{}])[0].get("message", refus.message)
            return self.montrer(request, demande, statut=422, nom_refuse=erreur, nom_tape=nom, ancien_refuse=ancien)
        return vers("espace:liste", suite=_adresse(demande))


class ChoisirLesRaccourcis(PageDEquipe):
    """Single keys on or off, and the list again."""

    def get(self, request: HttpRequest) -> HttpResponse:
        return vers("espace:liste")

    def post(self, request: HttpRequest) -> HttpResponse:
        raccourcis.choisir(self.compte, actifs=request.POST.get("actifs") == "oui")
        return vers("espace:liste", suite=f"{retour(request.POST.get('adresse', ''))}#clavier")


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


def retour(adresse: str) -> str:
    """The query of a list, as this page writes it, from one that a form sent back."""
    demande = _de(adresse)
    return _adresse(demande, Reprise.lue_dans(demande))


def _de(adresse: str) -> QueryDict:
    return QueryDict(adresse[: gardes.ADRESSE_MAX].lstrip("?"))


def numero_de_page(demande: QueryDict) -> int:
    texte = demande.get("page", "0")[:6]
    return min(int(texte), PAGES_MAX) if texte.isascii() and texte.isdigit() else 0


def _adresse(demande: QueryDict, reprise: Reprise | None = None) -> str:
    """`?…`, with what the list understands, in one order."""
    gardee = QueryDict(mutable=True)
    gardee.update({nom: str(demande[nom]) for nom in ADRESSE if demande.get(nom)})
    if reprise is not None:
        gardee[reprise.cote] = reprise.valeur
    return f"?{gardee.urlencode()}"
