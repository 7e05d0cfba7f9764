from collections.abc import Sequence
from typing import Any

from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import OpenApiParameter
from rest_framework.decorators import action

from signalements.alertes import UneAlerte
from signalements.lectures import derniers
from signalements.models import Signalement
from signalements.serializers import Alerte
from signalements.vocabulaire import NON_LUS_MAX, Axe
from socle.api.champs import MOTIF_UUID
from socle.api.mots import phrases
from socle.api.operations import operation
from socle.api.pagination import lire_entier
from socle.api.viewsets import ApiViewSet
from socle.audit.registre import montrer
from socle.domaine.acteurs import Acteur
from socle.domaine.droits import Droit
from stats.chiffres import actions, tableau
from stats.chiffres import serializers as formes
from stats.chiffres.alertes import PLACES_DES_DERNIERES, alertes, ecarter
from stats.chiffres.delais import delais
from stats.chiffres.filters import DelaisFiltre, PeriodeFiltre, TendanceFiltre, filtre_de
from stats.chiffres.series import bornes, par_periode
from stats.chiffres.sources import DeTous, Filtre
from stats.vocabulaire import ALERTES_MAX, PERIODES_MAX, PERIODES_PAR_DEFAUT, RECENTS_MAX, RECENTS_PAR_DEFAUT, Pas

PORTEE = _(
    "L'équipe reçoit les nombres de tous les signalements (GLOBALE) ; là où des équipes sont définies, qui "
    "n'administre pas reçoit ceux des dossiers qu'il lit (EQUIPE), et qui administre, tous, les types de moins de cinq "
    "dossiers réunis sous AUTRE, et refusés comme `type` (422). Toute autre personne, ceux des siens (PERSONNELLE). Ce "
    "qu'une fusion a joint à un autre dossier ne compte pas, ni, pour qui ne peut pas le lire, un dossier réservé."
)
TENDANCE = format_lazy(
    _(
        "Une entrée par jour, semaine (du lundi) ou mois, vides compris : les {nombre} dernières par défaut, "
        "{maximum} au plus. `date` : premier jour de la période, à l'heure du campus."
    ),
    nombre=PERIODES_PAR_DEFAUT,
    maximum=PERIODES_MAX,
)
LIMITE = OpenApiParameter(
    "limit",
    int,
    description=format_lazy(
        _("{nombre} par défaut, {maximum} au plus."), nombre=RECENTS_PAR_DEFAUT, maximum=RECENTS_MAX
    ),
)


class StatistiquesViewSet(ApiViewSet):
    etiquette = "Statistiques"

    @operation(
        _("Statistiques des signalements"),
        _("Statistiques."),
        droit=Droit.STATS_CONSULTER_LES_SIENNES,
        sortie=formes.Statistiques,
        filtres=PeriodeFiltre,
        description=phrases(PORTEE, _("`parMois` : du premier au dernier mois, vides compris.")),
    )
    @action(detail=False, methods=["get"])
    def signalements(self, request: Any) -> Any:
        return self.rendre(tableau.statistiques(self.acteur, _admis(self.acteur, filtre_de(self.parametres()))))

    @operation(
        _("Dates tenues"),
        _("Dates tenues."),
        droit=Droit.STATS_CONSULTER_GLOBALES,
        sortie=formes.Delai,
        liste=True,
        filtres=DelaisFiltre,
        description=_(
            "Par nature, ce qui fut promis sur les dossiers, et tenu. `debut` et `fin` choisissent par le jour promis. "
            "Un dossier réservé ne compte que pour qui peut le lire."
        ),
    )
    @action(detail=False, methods=["get"])
    def delais(self, request: Any) -> Any:
        filtre = filtre_de(self.parametres())
        _admis(self.acteur, Filtre(type=filtre.type))  # its days are those of the promises
        return self.rendre(delais(self.acteur, filtre))


class TableauDeBordViewSet(ApiViewSet):
    etiquette = "Statistiques"

    @operation(
        _("Tableau de bord"),
        _("Tableau de bord."),
        nom="tableau_de_bord",
        droit=Droit.STATS_CONSULTER_LES_SIENNES,
        sortie=formes.TableauDeBord,
        filtres=PeriodeFiltre,
        description=phrases(
            PORTEE,
            format_lazy(
                _(
                    "`debut`, `fin` et `type` choisissent les signalements par leur création. `resolus` : aujourd'hui "
                    "TRAITE ou CLOTURE ; le délai va de la création à leur arrivée dans un de ces statuts. "
                    "`nouveaux7Jours` : aujourd'hui et les six jours d'avant. `messagesNonLus` : ceux que l'on n'a pas "
                    "lus, quel que soit le statut ; pour l'équipe, depuis que l'on en est ({maximum} discussions "
                    "récentes au plus, et autant d'anciennes)."
                ),
                maximum=NON_LUS_MAX,
            ),
        ),
    )
    def list(self, request: Any) -> Any:
        return self.rendre(tableau.tableau_de_bord(self.acteur, _admis(self.acteur, filtre_de(self.parametres()))))

    @operation(
        _("Charge de l'équipe"),
        _("Charge de l'équipe."),
        droit=Droit.STATS_CONSULTER_GLOBALES,
        sortie=formes.Charge,
        liste=True,
        description=_(
            "Qui peut traiter un dossier, et qui en a encore, par nom. Les dossiers de l'appelant n'y comptent pas."
        ),
    )
    @action(detail=False, methods=["get"])
    def team(self, request: Any) -> Any:
        return self.rendre(tableau.equipe(self.acteur))

    @operation(
        _("Alertes"),
        _("Alertes."),
        droit=Droit.STATS_CONSULTER_LES_SIENNES,
        sortie=Alerte,
        liste=True,
        description=phrases(
            PORTEE,
            format_lazy(
                _(
                    "Une par signalement NOUVEAU ou EN_ATTENTE, la plus urgente d'abord, puis la plus ancienne ; "
                    "{maximum} au plus : quand il y en a davantage, {places} places sont aux dernières arrivées, "
                    "quelle que soit leur urgence. `quick-actions` en dit le nombre entier. Ensuite, pour l'équipe "
                    "seule et s'il reste des places, les MESSAGE_APRES_CLOTURE, la plus ancienne d'abord : l'auteur "
                    "d'un dossier traité ou clôturé a écrit, et personne n'a lu. Leur `id` est à elles, `dateCreation` "
                    "celle du message ; elles finissent quand on lit, ou quand le dossier se rouvre."
                ),
                maximum=ALERTES_MAX,
                places=PLACES_DES_DERNIERES,
            ),
        ),
    )
    @action(detail=False, methods=["get"])
    def alerts(self, request: Any) -> Any:
        dossiers, autres = alertes(self.acteur)
        self._montrees([*dossiers, *(une.signalement for une in autres)])
        return self.rendre([*map(UneAlerte.de_statut, dossiers), *map(UneAlerte.de_dossier, autres)])

    @operation(
        _("Derniers signalements"),
        _("Derniers signalements."),
        droit=Droit.STATS_CONSULTER_LES_SIENNES,
        sortie=formes.CasRecent,
        liste=True,
        parametres=(LIMITE,),
        erreurs=(422,),
        description=phrases(PORTEE, _("Les plus récents d'abord.")),
    )
    @action(detail=False, methods=["get"], url_path="cases/recent")
    def recents(self, request: Any) -> Any:
        nombre = lire_entier(request.query_params, "limit", defaut=RECENTS_PAR_DEFAUT, minimum=1)
        return self.rendre(self._montrees(derniers(self.acteur).tranche(0, min(nombre, RECENTS_MAX))))

    @operation(
        _("Répartition par type"),
        _("Répartition."),
        droit=Droit.STATS_CONSULTER_GLOBALES,
        sortie=formes.Categorie,
        liste=True,
        filtres=PeriodeFiltre,
        description=_("Le plus fréquent d'abord. Un service peut réunir sous AUTRE les types trop rares."),
    )
    @action(detail=False, methods=["get"], url_path="distribution/categories")
    def categories(self, request: Any) -> Any:
        return self.rendre(tableau.categories(self.acteur, _admis(self.acteur, filtre_de(self.parametres()))))

    @operation(
        _("Créations au fil du temps"),
        _("Tendance des créations."),
        droit=Droit.STATS_CONSULTER_GLOBALES,
        sortie=formes.Creations,
        liste=True,
        filtres=TendanceFiltre,
        description=TENDANCE,
    )
    @action(detail=False, methods=["get"], url_path="trends/cases")
    def tendance_cas(self, request: Any) -> Any:
        return self.rendre([{"date": jour, "total": mesures.nombre} for jour, mesures in self._tendance(Axe.JOUR)])

    @operation(
        _("Résolutions au fil du temps"),
        _("Tendance des résolutions."),
        droit=Droit.STATS_CONSULTER_GLOBALES,
        sortie=formes.Resolutions,
        liste=True,
        filtres=TendanceFiltre,
        description=phrases(TENDANCE, _("Chaque cas résolu compte le jour depuis lequel il l'est.")),
    )
    @action(detail=False, methods=["get"], url_path="trends/resolution")
    def tendance_resolution(self, request: Any) -> Any:
        return self.rendre(
            [
                {"date": jour, "resolus": mesures.resolus, "delai_moyen_resolution": mesures.heures}
                for jour, mesures in self._tendance(Axe.RESOLUTION)
            ]
        )

    @operation(
        _("Actions rapides"),
        _("Actions rapides."),
        droit=Droit.STATS_CONSULTER_GLOBALES,
        sortie=formes.ActionRapide,
        liste=True,
        description=_("Ce que le rôle de l'appelant permet ; `compteur` est null où rien ne se compte."),
    )
    @action(detail=False, methods=["get"], url_path="quick-actions")
    def actions_rapides(self, request: Any) -> Any:
        return self.rendre(actions.actions_rapides(self.acteur))

    @operation(
        _("Invitations en attente"),
        _("Invitations en attente."),
        droit=Droit.INVITATIONS_GERER,
        sortie=formes.Invitations,
    )
    @action(detail=False, methods=["get"], url_path="invitations/pending")
    def invitations(self, request: Any) -> Any:
        nombre = tableau.invitations_en_attente()
        return self.rendre({"invitationsEnAttente": nombre, "pendingInvitations": nombre})

    @operation(
        _("Écarter une alerte"),
        _("Alerte écartée."),
        droit=Droit.STATS_ECARTER_ALERTES,
        sortie=formes.AlerteEcartee,
        description=_(
            "NOUVEAU devient ASSIGNE, EN_ATTENTE devient EN_COURS ; personne n'est assigné. Déjà écartée : la même "
            "réponse, sans changement. Jamais eu d'alerte : 404. Son propre dossier : 403. Une alerte qui a son propre "
            "`id` (MESSAGE_APRES_CLOTURE) est écartée pour toute l'équipe sans que le statut change."
        ),
    )
    @action(detail=False, methods=["put"], url_path=f"alerts/(?P<alert_id>{MOTIF_UUID})/dismiss")
    def dismiss(self, request: Any, alert_id: str) -> Any:
        return self.rendre({"id": ecarter(self.acteur, alert_id), "dismissed": True})

    def _montrees(self, lignes: Sequence[Signalement]) -> Sequence[Signalement]:
        """The same, noted in the register where staff are shown what is not theirs."""
        montrer(self.acteur, [une.pk for une in lignes if not self.acteur.possede(une)], {})
        return lignes

    def _tendance(self, axe: Axe) -> Any:
        parametres = self.parametres()
        pas = Pas(parametres.get("periode") or Pas.JOUR)
        return par_periode(DeTous(self.acteur), axe, pas, _admis(self.acteur, bornes(pas, filtre_de(parametres))))


def _admis(acteur: Acteur, filtre: Filtre) -> Filtre:
    tableau.exiger_une_part_montree(acteur, filtre)
    return filtre
