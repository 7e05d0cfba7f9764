from dataclasses import replace
from functools import partial
from typing import Any

from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _
from rest_framework.decorators import action

from accounts.lectures import qui_paraissent
from accounts.vocabulaire import PARAISSENT_MAX
from equipes.permissions import equipe_connue
from signalements import ecarts, lectures, ouvertures, services
from signalements import serializers as formes
from signalements.compteurs import listes
from signalements.filters import SignalementFiltre, dossier_nomme
from signalements.lecteurs import Designation, connus_de
from signalements.models import Signalement
from signalements.permissions import (
    cadence_de_signalement,
    dossier_a_deplacer,
    dossier_a_ouvrir,
    dossier_a_reserver,
    dossier_de_son_auteur,
    note_accessible,
    signalement_a_traiter,
    signalement_accessible,
)
from signalements.reserve import changer_equipe, changer_lecteurs
from signalements.vocabulaire import OUVERTURE_MINUTES
from socle.api.champs import MOTIF_UUID
from socle.api.mots import phrases
from socle.api.operations import Acces, operation
from socle.api.pagination import PLAFOND_DES_DOSSIERS
from socle.api.viewsets import ApiViewSet
from socle.audit.registre import montrer
from socle.domaine.droits import Droit

SIEN = _("Sur son propre dossier, qui est de l'équipe reçoit un 403 : il en est l'auteur, rien de plus.")


class SignalementViewSet(ApiViewSet):
    etiquette = "Signalements"
    plafond = PLAFOND_DES_DOSSIERS
    lookup_url_kwarg = "signalement_id"
    lookup_value_regex = MOTIF_UUID  # a malformed id never reaches a query: 404

    def lues(self, lignes: list[Any], filtres: dict[str, Any]) -> None:
        acteur = self.acteur
        montres = [ligne.pk for ligne in lignes if not acteur.possede(ligne)]
        montrer(acteur, montres, filtres, sur=dossier_nomme(filtres))

    @operation(
        _("Signaler un incident"),
        _("Signalement créé."),
        acces=Acces.COMPTE_OU_INVITE,
        droit=Droit.SIGNALEMENTS_CREER,
        entree=formes.SignalementCreate,
        sortie=formes.SignalementDetail,
        statut=201,
        relire=partial(signalement_accessible, a_rendre=True),
        description=_(
            "`modeIdentification` absent vaut IDENTIFIE pour un compte, ANONYME pour une session invitée ; "
            "seul IDENTIFIE montre l'auteur à l'équipe. Un fichier joint à un signalement anonyme ne l'est à rien "
            "d'autre, et l'inverse : 409 FILE_IN_USE. `priorite` CRITICAL devient HIGH : l'équipe seule la pose. "
            "Vingt par heure et personne ; ce qui est refusé ne compte pas. `nePasMontrerA` : ces personnes ne "
            "l'auront jamais lu, ni compté, ni su ; s'il ne restait personne pour le lire, 422."
        ),
    )
    def create(self, request: Any) -> Any:
        donnees = self.donnees()
        with cadence_de_signalement(self.acteur, self.requete):
            return self.rendre(services.creer(acteur=self.acteur, **donnees))

    @operation(
        _("Tous les signalements"),
        _("Signalements."),
        droit=Droit.SIGNALEMENTS_CONSULTER_TOUS,
        sortie=formes.SignalementDetail,
        page=True,
        filtres=SignalementFiltre,
        description=_(
            "Les plus récents d'abord. `search` : une référence entière, comme on l'écrit, mène à son dossier quels "
            "que soient les autres filtres ; sinon chaque mot est cherché dans la référence, le titre, la description, "
            "le lieu et l'auteur présumé. Ce dernier n'est pas regardé si un mot ressemble aux noms de qui cherche."
        ),
    )
    def list(self, request: Any) -> Any:
        return self.paginer(lectures.tous(self.acteur), listes.de_tous)

    @operation(
        _("Mes signalements"),
        _("Vos signalements."),
        droit=Droit.SIGNALEMENTS_CONSULTER_LES_SIENS,
        sortie=formes.SignalementDetail,
        page=True,
    )
    @action(detail=False, methods=["get"])
    def me(self, request: Any) -> Any:
        return self.paginer(lectures.les_siens(self.acteur))

    @operation(
        _("Signalements de la session invitée"),
        _("Vos signalements."),
        acces=Acces.INVITE,
        droit=Droit.SIGNALEMENTS_CONSULTER_LES_SIENS,
        sortie=formes.SignalementDetail,
        page=True,
        guest_id_en_parametre=True,
    )
    @action(detail=False, methods=["get"], url_path="guest/me")
    def guest_me(self, request: Any) -> Any:
        return self.paginer(lectures.les_siens(self.acteur))

    @operation(
        _("Signalements à traiter"),
        _("Signalements à traiter."),
        droit=Droit.SIGNALEMENTS_CONSULTER_TOUS,
        sortie=formes.SignalementDetail,
        page=True,
        filtres=SignalementFiltre,
        description=_("Tous ceux qui ne sont ni TRAITE ni CLOTURE, les plus anciens d'abord."),
    )
    @action(detail=False, methods=["get"], url_path="non-traites")
    def non_traites(self, request: Any) -> Any:
        return self.paginer(lectures.non_traites(self.acteur), listes.des_non_traites)

    @operation(
        _("Consulter un signalement"),
        _("Signalement."),
        acces=Acces.COMPTE_OU_INVITE,
        droit=Droit.SIGNALEMENTS_CONSULTER_LES_SIENS,
        sortie=formes.SignalementDetail,
        description=_(
            "Son auteur et l'équipe. `gestionnaireId`, `gestionnaireNom`, `referenceDeclaree` et `equipeId` : équipe "
            "seule, et jamais sur son propre dossier. Qui administre et n'est pas de l'équipe du dossier reçoit "
            "403 OUVERTURE_MOTIVEE tant qu'il n'a pas donné de motif (`POST …/ouverture`)."
        ),
    )
    def retrieve(self, request: Any, signalement_id: str) -> Any:
        return self.rendre(signalement_accessible(self.acteur, signalement_id, a_rendre=True, motivee=True))

    @operation(
        _("Changer le statut"),
        _("Statut mis à jour."),
        droit=Droit.SIGNALEMENTS_CHANGER_STATUT,
        etat="retrieve",
        entree=formes.StatutUpdate,
        sortie=formes.SignalementDetail,
        description=SIEN,
    )
    @action(detail=True, methods=["put"])
    def statut(self, request: Any, signalement_id: str) -> Any:
        signalement = signalement_a_traiter(self.acteur, signalement_id)
        services.changer_statut(signalement=signalement, acteur=self.acteur, **self.donnees())
        return self.rendre(Signalement.objects.completer(signalement, self.acteur))

    @operation(
        _("Assigner à un gestionnaire"),
        _("Signalement assigné."),
        droit=Droit.SIGNALEMENTS_ASSIGNER,
        etat="retrieve",
        entree=formes.AssignationUpdate,
        sortie=formes.SignalementDetail,
        description=phrases(_("NOUVEAU devient ASSIGNE ; les autres statuts restent."), SIEN),
    )
    @action(detail=True, methods=["put"])
    def assigner(self, request: Any, signalement_id: str) -> Any:
        signalement = signalement_a_traiter(self.acteur, signalement_id)
        services.assigner(signalement=signalement, acteur=self.acteur, **self.donnees())
        return self.rendre(Signalement.objects.completer(signalement, self.acteur))

    @operation(
        _("Qui lit un dossier"),
        _("Lecteurs du dossier."),
        droit=Droit.SIGNALEMENTS_RESERVER,
        sortie=formes.LecteursDetail,
        description=phrases(
            _(
                "Qui, de l'équipe, est écarté du dossier (`SAUF`), ou y est seul admis (`SEULS`). Pour qui lit le "
                "dossier, et pour un administrateur qui n'en est pas écarté, même s'il ne le lit pas : 404 aux autres. "
                "Consulter s'écrit au registre."
            ),
            SIEN,
        ),
    )
    @action(detail=True, methods=["get"])
    def lecteurs(self, request: Any, signalement_id: str) -> Any:
        return self.rendre(Designation.de(dossier_a_reserver(self.acteur, signalement_id)))

    @operation(
        _("Choisir qui lit un dossier"),
        _("Lecteurs mis à jour."),
        droit=Droit.SIGNALEMENTS_RESERVER,
        etat="lecteurs",
        entree=formes.LecteursUpdate,
        sortie=formes.LecteursDetail,
        description=phrases(
            _(
                "Les deux listes remplacent celles d'avant ; vides, toute l'équipe lit, sauf d'un dossier que personne "
                "ne lit, où `admis` nomme quelqu'un (422). Qui ne peut pas lire un dossier ne le trouve nulle part : "
                "listes, recherche, sockets, exports, chiffres, fichiers, registre. Qui le traitait ne le traite plus. "
                "Il doit rester quelqu'un d'autre que soi qui le lise, ou un administrateur qui puisse le rouvrir : "
                "422. Un gestionnaire n'écarte pas un administrateur (422 sur `ecartes`), ni ne ferme un dossier "
                "qu'aucun administrateur actif, autre que son auteur, ne pourrait rouvrir (422) : demandez-le à un "
                "administrateur, que ces deux règles ne bornent pas. Quand un gestionnaire ferme un dossier à la "
                "moitié de l'équipe ou plus, les administrateurs que cela ne concerne pas l'apprennent, sans savoir "
                "lequel : e-mail et `system_alert`. Qui a signalé peut avoir écarté des personnes (`origine` AUTEUR, "
                "LES_DEUX) : un administrateur seul les laisse lire de nouveau, avec un `motif` que l'auteur du "
                "dossier lit (422). Écrit au registre."
            ),
            SIEN,
        ),
    )
    @lecteurs.mapping.put
    def choisir_les_lecteurs(self, request: Any, signalement_id: str) -> Any:
        signalement = dossier_a_reserver(self.acteur, signalement_id)
        changer_lecteurs(signalement=signalement, acteur=self.acteur, **self.donnees())
        return self.rendre(Designation.de(signalement))

    @operation(
        _("Les personnes que son auteur écarte"),
        _("Personnes qui ne lisent pas ce dossier."),
        acces=Acces.COMPTE_OU_INVITE,
        droit=Droit.SIGNALEMENTS_CONSULTER_LES_SIENS,
        sortie=formes.NePasMontrerDetail,
        description=_("Pour son auteur seul, par nom : 403 à qui le lit, 404 aux autres."),
    )
    @action(detail=True, methods=["get"], url_path="ne-pas-montrer")
    def ecartes(self, request: Any, signalement_id: str) -> Any:
        return self._demandes(dossier_de_son_auteur(self.acteur, signalement_id))

    @operation(
        _("Dire qui ne doit pas lire"),
        _("C'est noté."),
        acces=Acces.COMPTE_OU_INVITE,
        droit=Droit.SIGNALEMENTS_CONSULTER_LES_SIENS,
        etat="ecartes",
        entree=formes.NePasMontrerUpdate,
        sortie=formes.NePasMontrerDetail,
        description=_(
            "La liste remplace celle d'avant ; vide : personne. Par son auteur seul. Ces personnes perdent le dossier "
            "partout, comme s'il n'avait jamais été, et peuvent l'avoir lu avant ; rien ne le leur dit. Seul son "
            "auteur y revient, ou un administrateur, avec un motif que son auteur lit. Qui y est déjà peut y rester "
            "sans être encore dans `GET /lecteurs` ; toute autre personne, ou un dossier que personne ne lirait : 422."
        ),
    )
    @ecartes.mapping.put
    def ecarter(self, request: Any, signalement_id: str) -> Any:
        signalement = dossier_de_son_auteur(self.acteur, signalement_id)
        ecarts.ne_pas_montrer(signalement=signalement, acteur=self.acteur, **self.donnees())
        return self._demandes(signalement)

    def _demandes(self, signalement: Signalement) -> Any:
        return self.rendre(
            {
                "id": signalement.pk,
                "reference": signalement.reference,
                "ne_pas_montrer_a": ecarts.demandes(signalement),
            }
        )

    @operation(
        _("Ne plus lire un dossier"),
        _("Vous ne lisez plus ce dossier."),
        droit=Droit.SIGNALEMENTS_RESERVER,
        statut=204,
        erreurs=(409,),
        description=phrases(
            _(
                "Pour qui le lit et ne le doit pas : il disparaît de partout pour cette personne, qui ne peut y "
                "revenir seule ; qui le traitait ne le traite plus. 409 si personne d'autre ne pouvait le lire, ou le "
                "rouvrir. Écrit au registre, et dans l'historique que l'équipe lit."
            ),
            SIEN,
        ),
    )
    @action(detail=True, methods=["put"])
    def retrait(self, request: Any, signalement_id: str) -> Any:
        ecarts.se_retirer(signalement=signalement_a_traiter(self.acteur, signalement_id), acteur=self.acteur)
        return self.rendre()

    @operation(
        _("Confier un dossier à une équipe"),
        _("Dossier confié."),
        droit=Droit.SIGNALEMENTS_RESERVER,
        entree=formes.EquipeDuDossierUpdate,
        sortie=formes.EquipeDuDossier,
        description=phrases(
            _(
                "Par qui le lit, et par un administrateur qui n'en est pas écarté, même s'il ne le lit pas : 404 aux "
                "autres. Une équipe inconnue ou inactive : 422 ; de même là où un administrateur qui ne le lit pas "
                "viendrait à le lire. Qui en est écarté le reste ; qui le traitait et ne le lit plus ne le traite "
                "plus. Écrit à l'historique, où son auteur lit qu'il l'est à d'autres personnes, et au registre."
            ),
            SIEN,
        ),
    )
    @action(detail=True, methods=["put"])
    def equipe(self, request: Any, signalement_id: str) -> Any:
        signalement = dossier_a_deplacer(self.acteur, signalement_id)
        changer_equipe(signalement=signalement, acteur=self.acteur, **self.donnees())
        return self.rendre(signalement)

    @operation(
        _("Ouvrir un dossier avec un motif"),
        _("Dossier ouvert pour une heure, en lecture."),
        droit=Droit.SIGNALEMENTS_ROUVRIR,
        entree=formes.OuvertureCreate,
        sortie=formes.OuvertureDetail,
        statut=201,
        sans_cle=_("tant que dure une ouverture, la redemander rend la même."),
        erreurs=(409,),
        description=phrases(
            format_lazy(
                _(
                    "Pour un administrateur qui n'est pas de l'équipe du dossier, et n'en est pas écarté (404) : "
                    "{minutes} minutes pour le lire, sa chronologie, ses discussions et ses fichiers, sans liste, "
                    "canal ni export. Il n'y écrit rien, et peut le confier à une équipe. Chacun de ses lecteurs "
                    "l'apprend ; sans lecteur, les autres administrateurs. Écrit au registre, et dans l'historique que "
                    "l'équipe lit. 409 pour qui lit déjà le dossier."
                ),
                minutes=OUVERTURE_MINUTES,
            ),
            SIEN,
        ),
    )
    @action(detail=True, methods=["post"])
    def ouverture(self, request: Any, signalement_id: str) -> Any:
        signalement = dossier_a_ouvrir(self.acteur, signalement_id)
        return self.rendre(ouvertures.ouvrir(signalement=signalement, acteur=self.acteur, **self.donnees()))

    @operation(
        _("Gel d'un dossier"),
        _("Gel du dossier."),
        droit=Droit.SIGNALEMENTS_LIRE_EN_EQUIPE,
        sortie=formes.GelDetail,
        description=phrases(_("Depuis quand le temps de garde n'en efface rien, pourquoi, et par qui."), SIEN),
    )
    @action(detail=True, methods=["get"])
    def gel(self, request: Any, signalement_id: str) -> Any:
        return self.rendre(signalement_a_traiter(self.acteur, signalement_id))

    @operation(
        _("Geler un dossier, ou lever le gel"),
        _("Gel mis à jour."),
        droit=Droit.SIGNALEMENTS_GELER,
        etat="gel",
        entree=formes.GelUpdate,
        sortie=formes.GelDetail,
        description=phrases(
            _(
                "Gelé, un dossier n'est jamais effacé par le temps de garde (REPORTS_KEPT_DAYS), ni ses discussions, "
                "ses messages et ses fichiers, supprimés compris. Son auteur n'en voit rien : ni gel, ni motif, ni "
                "date. Écrit au registre, sans le motif."
            ),
            SIEN,
        ),
    )
    @gel.mapping.put
    def changer_le_gel(self, request: Any, signalement_id: str) -> Any:
        signalement = signalement_a_traiter(self.acteur, signalement_id)
        services.geler(signalement=signalement, acteur=self.acteur, **self.donnees())
        return self.rendre(signalement)

    @operation(
        _("Changer la priorité"),
        _("Priorité mise à jour."),
        droit=Droit.SIGNALEMENTS_CHANGER_PRIORITE,
        etat="retrieve",
        entree=formes.PrioriteUpdate,
        sortie=formes.SignalementDetail,
        description=SIEN,
    )
    @action(detail=True, methods=["put"])
    def priorite(self, request: Any, signalement_id: str) -> Any:
        signalement = signalement_a_traiter(self.acteur, signalement_id)
        services.changer_priorite(signalement=signalement, acteur=self.acteur, **self.donnees())
        return self.rendre(Signalement.objects.completer(signalement, self.acteur))

    @operation(
        _("Ajouter une note interne"),
        _("Note ajoutée."),
        droit=Droit.SIGNALEMENTS_NOTER,
        entree=formes.NoteCreate,
        sortie=formes.NoteDetail,
        statut=201,
        relire=note_accessible,
        description=phrases(_("Visible de l'équipe seule, dans l'historique du dossier."), SIEN),
    )
    @action(detail=True, methods=["post"])
    def notes(self, request: Any, signalement_id: str) -> Any:
        signalement = signalement_a_traiter(self.acteur, signalement_id)
        return self.rendre(services.ajouter_note(signalement=signalement, acteur=self.acteur, **self.donnees()))

    @operation(
        _("Historique du dossier"),
        _("Historique."),
        acces=Acces.COMPTE_OU_INVITE,
        droit=Droit.SIGNALEMENTS_CONSULTER_LES_SIENS,
        sortie=formes.EntreeDetail,
        liste=True,
    )
    @action(detail=True, methods=["get"])
    def timeline(self, request: Any, signalement_id: str) -> Any:
        signalement = signalement_accessible(self.acteur, signalement_id, motivee=True)
        self.regard = replace(self.regard, dossier=signalement)
        return self.rendre(signalement.timeline.pour_lecture(pour_l_equipe=signalement.pour_l_equipe(self.acteur)))


class LecteurViewSet(ApiViewSet):
    """The people of the staff who may be named to whoever reports."""

    etiquette = "Lecteurs"

    @operation(
        _("Qui peut être écarté d'un dossier"),
        _("Personnes de l'équipe."),
        acces=Acces.COMPTE_OU_INVITE,
        droit=Droit.SIGNALEMENTS_CREER,
        sortie=formes.LecteurProposeDetail,
        liste=True,
        description=format_lazy(
            _(
                "Les personnes de l'équipe qui acceptent d'être nommées (`paraitAuPortail`), par nom, {maximum} au "
                "plus : d'autres peuvent lire. Leurs `id` sont ceux de `nePasMontrerA`."
            ),
            maximum=PARAISSENT_MAX,
        ),
    )
    def list(self, request: Any) -> Any:
        return self.rendre(qui_paraissent())


class DossierDEquipeViewSet(ApiViewSet):
    """The cases of one team, as an administrator who is not of it knows of them."""

    etiquette = "Dossiers d'équipe"

    @operation(
        _("Dossiers d'une équipe, sans les lire"),
        _("Dossiers."),
        droit=Droit.SIGNALEMENTS_ROUVRIR,
        sortie=formes.DossierConnu,
        page=True,
        erreurs=(404,),
        description=_(
            "Pour un administrateur, de l'équipe ou non : qu'ils sont là, et leurs dates ; rien d'autre. Ceux dont il "
            "est écarté, et les siens, n'y sont pas. Les derniers reçus d'abord."
        ),
    )
    def list(self, request: Any, equipe_id: str) -> Any:
        equipe = equipe_connue(self.acteur, equipe_id)
        return self.paginer(connus_de(self.acteur, equipe.pk))
