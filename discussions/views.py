from contextlib import suppress
from functools import partial
from typing import Any
from uuid import UUID

from django.utils.translation import gettext_lazy as _
from rest_framework.decorators import action
from rest_framework.exceptions import APIException

from discussions import lectures, services
from discussions import serializers as formes
from discussions.filters import DiscussionFiltre, MessageFiltre
from discussions.models import Discussion, Message
from discussions.permissions import discussion_accessible, message_accessible, sont_d_un_dossier_ouvert
from socle.api.champs import MOTIF_UUID
from socle.api.mots import phrases
from socle.api.operations import Acces, operation
from socle.api.pagination import PLAFOND_DES_DOSSIERS
from socle.api.serializers import Regard
from socle.api.viewsets import ApiViewSet
from socle.audit.registre import est_surveille, montrer
from socle.domaine.droits import Droit
from socle.erreurs import ErreurMetier
from socle.moteur.ecritures import de_cle

RATTACHEE = _("L'identifiant d'une discussion qu'une fusion a jointe à une autre mène à celle-ci.")


class DiscussionViewSet(ApiViewSet):
    etiquette = "Discussions"
    plafond = PLAFOND_DES_DOSSIERS
    lookup_url_kwarg = "discussion_id"
    lookup_value_regex = MOTIF_UUID  # a malformed id never reaches a query: 404

    def lues(self, lignes: list[Any], filtres: dict[str, Any]) -> None:
        """Titles and last messages of a list are of their cases; messages were reached by the door of theirs."""
        if self.action == "list":
            dossiers = [une.signalement_id for une in lignes if une.signalement_id and not une.est_de(self.acteur)]
            montrer(self.acteur, dossiers, filtres, sur=filtres.get("signalementId"))

    @operation(
        _("Ouvrir une discussion"),
        _("Discussion ouverte."),
        acces=Acces.COMPTE_OU_INVITE,
        droit=Droit.DISCUSSIONS_PARTICIPER,
        entree=formes.DiscussionCreate,
        sortie=formes.DiscussionDetail,
        statut=201,
        relire=partial(discussion_accessible, a_rendre=True),
        description=_("La lier à un signalement demande d'en être l'auteur ou de l'équipe (403) ; inconnu : 422."),
    )
    def create(self, request: Any) -> Any:
        return self.rendre(services.ouvrir(acteur=self.acteur, **self.donnees()))

    @operation(
        _("Mes discussions"),
        _("Discussions."),
        droit=Droit.DISCUSSIONS_PARTICIPER,
        sortie=formes.DiscussionDetail,
        page=True,
        filtres=DiscussionFiltre,
        description=_(
            "Celles de ses signalements, et celles que l'on a ouvertes sans signalement ; l'équipe les voit "
            "toutes. La dernière activité d'abord. `signalementId` d'un dossier ouvert avec un motif mène aux siennes."
        ),
    )
    def list(self, request: Any) -> Any:
        if sont_d_un_dossier_ouvert(self.acteur, self.parametres().get("signalementId")):
            return self.paginer(lectures.des_dossiers_ouverts(self.acteur))
        return self.paginer(lectures.visibles(self.acteur))

    @operation(
        _("Discussions de la session invitée"),
        _("Vos discussions."),
        acces=Acces.INVITE,
        droit=Droit.DISCUSSIONS_PARTICIPER,
        sortie=formes.DiscussionDetail,
        page=True,
        filtres=DiscussionFiltre,
        description=_(
            "Celles de ses signalements, et celles qu'elle a ouvertes sans signalement. La dernière activité d'abord."
        ),
    )
    @action(detail=False, methods=["get"], url_path="guest/me")
    def guest_me(self, request: Any) -> Any:
        return self.paginer(lectures.visibles(self.acteur))

    @operation(
        _("Consulter une discussion"),
        _("Discussion."),
        acces=Acces.COMPTE_OU_INVITE,
        droit=Droit.DISCUSSIONS_PARTICIPER,
        sortie=formes.DiscussionDetail,
        description=phrases(
            _("L'auteur de son signalement, ou sans signalement qui l'a ouverte ; l'équipe."), RATTACHEE
        ),
    )
    def retrieve(self, request: Any, discussion_id: str) -> Any:
        return self.rendre(discussion_accessible(self.acteur, discussion_id, a_rendre=True, motivee=True))

    @operation(
        _("Lire les messages"),
        _("Messages."),
        acces=Acces.COMPTE_OU_INVITE,
        droit=Droit.DISCUSSIONS_PARTICIPER,
        sortie=formes.MessageDetail,
        page=True,
        filtres=MessageFiltre,
        description=_("Lire une page ne marque rien comme lu : `PUT …/messages/lus` le fait."),
    )
    @action(detail=True, methods=["get"])
    def messages(self, request: Any, discussion_id: str) -> Any:
        discussion = self._discussion(discussion_id, motivee=True)
        return self.paginer(lectures.messages_de(discussion.pk).liee(discussion=discussion))

    @operation(
        _("Écrire un message"),
        _("Message envoyé."),
        acces=Acces.COMPTE_OU_INVITE,
        droit=Droit.DISCUSSIONS_PARTICIPER,
        entree=formes.MessageCreate,
        sortie=formes.MessageDetail,
        statut=201,
        relire=message_accessible,
        description=_(
            "`numeroSequence` vaut 1, 2, 3 … dans la discussion, sans trou ni doublon. Un fichier que "
            "l'auteur d'un signalement anonyme y joint ne l'est à rien d'autre : 409 FILE_IN_USE."
        ),
    )
    @messages.mapping.post
    def ecrire(self, request: Any, discussion_id: str) -> Any:
        pressee = self._sous_son_verrou(discussion_id)
        if pressee is not None:
            return self.rendre(pressee)
        discussion = self._discussion(discussion_id)
        return self.rendre(services.ecrire(acteur=self.acteur, discussion=discussion, **self.donnees()))

    @operation(
        _("Marquer les messages comme lus"),
        _("Messages marqués comme lus."),
        nom="marquer_lus",
        acces=Acces.COMPTE_OU_INVITE,
        droit=Droit.DISCUSSIONS_PARTICIPER,
        description=_(
            "Tout ce qui est écrit jusqu'ici. Un `message_read` pour chaque message dont `estLu` devient vrai "
            "(les 100 derniers au plus)."
        ),
    )
    @action(detail=True, methods=["put"], url_path="messages/lus")
    def lus(self, request: Any, discussion_id: str) -> Any:
        services.marquer_lus(acteur=self.acteur, discussion=discussion_accessible(self.acteur, discussion_id))
        return self.rendre()

    def _sous_son_verrou(self, discussion_id: str) -> Message | None:
        """Write in a discussion that its lock alone judges; None where the door is to say who may, or note who has.

        Whatever is refused here is asked again behind the door: who may not enter learns that, and nothing else. Until
        then they have held its lock for an instant, as one who may write does.
        """
        if est_surveille(self.acteur):
            return None
        pk = UUID(discussion_id)
        self.regard = Regard(vu_par=self.acteur, ids=frozenset({pk}))
        with suppress(ErreurMetier, APIException):
            donnees = self.donnees()
            if not donnees.get("pieces_jointes"):  # whose report is locked before its discussion
                return services.ecrire(acteur=self.acteur, discussion=de_cle(Discussion, pk), **donnees)
        return None

    def _discussion(self, discussion_id: str, *, motivee: bool = False) -> Discussion:
        discussion = discussion_accessible(self.acteur, discussion_id, motivee=motivee)
        self.regard = Regard(vu_par=self.acteur, ids=frozenset({discussion.pk, UUID(discussion_id)}))
        return discussion
