from typing import Any

from django.db.models import prefetch_related_objects
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.decorators import action

from guests import serializers as formes
from guests import services
from guests.fusion.execution import apercevoir, fusionner, rejouer
from guests.lectures import discussions_suivies, suivis
from guests.mesures import compter, refus_comptes
from guests.permissions import cle_de, compte_vise, dossier_a_juger, session_connue
from guests.vocabulaire import NOMMES_MAX
from signalements.permissions import signalement_par_reference
from socle.api.champs import MOTIF_UUID
from socle.api.operations import Acces, operation
from socle.api.reseau import cle_adresse
from socle.api.viewsets import ApiViewSet
from socle.domaine.droits import Droit
from socle.domaine.limites import consommer

USER_ID = OpenApiParameter("userId", OpenApiTypes.UUID, description=_("Requis sans jeton."))
CLE = OpenApiParameter(
    "Idempotency-Key",
    location=OpenApiParameter.HEADER,
    required=True,
    description=_("De 1 à 255 caractères imprimables, propre à cette fusion ; la même pour la réessayer."),
)
REJOUEE = _("GUEST_MERGE_IDEMPOTENT_REPLAY: votre dossier était déjà rattaché ; voici le premier résultat.")


class SessionInviteeViewSet(ApiViewSet):
    etiquette = "Mode invité"
    lookup_url_kwarg = "guestId"
    lookup_value_regex = "[^/]+"

    @operation(
        _("Ouvrir une session invitée"),
        _("Session ouverte. Gardez votre identifiant : il ouvre votre dossier."),
        acces=Acces.PUBLIC,
        entree=formes.SessionCreate,
        sortie=formes.SessionOuverte,
        statut=201,
        sans_cle=_("personne n'est encore connu. Chaque appel ouvre une session."),
        limites=("guest_session_address",),
        erreurs=(403,),
        description=_("Ouvre toujours une nouvelle session : un numéro n'ouvre jamais une session existante."),
    )
    def create(self, request: Any) -> Any:
        services.exiger_etape("create")
        # Nothing is counted by number, not even beside an address: who shares it would learn that it was used.
        return self.rendre(services.ouvrir(telephone=self.donnees()["telephone"]))

    @operation(
        _("Consulter une session invitée"),
        _("Session."),
        acces=Acces.PUBLIC,
        sortie=formes.SessionDetail,
        erreurs=(403,),
        description=_("L'identifiant est le secret : il vaut dans l'adresse ce que vaut `X-Guest-Id` ailleurs."),
    )
    def retrieve(self, request: Any, guestId: str) -> Any:
        services.exiger_etape("read")
        return self.rendre(self._session(guestId))

    @operation(
        _("Changer le numéro de téléphone"),
        _("Numéro mis à jour."),
        acces=Acces.PUBLIC,
        entree=formes.TelephoneUpdate,
        sortie=formes.TelephoneChange,
        erreurs=(403, 409),
        description=_("Le numéro est chiffré, et n'est rendu que masqué. Une session désactivée : 403."),
    )
    @action(detail=True, methods=["patch"])
    def telephone(self, request: Any, guestId: str) -> Any:
        services.exiger_etape("create")
        session = self._session(guestId)
        session.exiger_autorisee()
        services.changer_telephone(session=session, **self.donnees())
        return self.rendre(session)

    @operation(
        _("Prévoir le rattachement à un compte"),
        _("Aperçu de la fusion."),
        acces=Acces.FACULTATIF,
        droit=Droit.INVITES_RATTACHER,
        sortie=formes.ApercuDetail,
        erreurs=(403, 422),
        parametres=(USER_ID,),
        description=format_lazy(
            _(
                "Connecté : les conflits avec ce compte (`userId` d'un autre : 403). Sans jeton, `userId` est requis, "
                "rendu tel quel et jamais cherché : `conflicts` est vide. `planDigest`, renvoyé à la fusion, la refuse "
                "si les conflits ont changé entre-temps. Un élément de l'invité a au plus ses 20 conflits les plus "
                "forts ; `conflicts` nomme au plus 500 signalements et 500 discussions de l'invité, 1 000 conflits "
                "pour chaque sorte, et `conflictsTruncated` dit s'il y en a d'autres. Connecté, `porterontVotreNom` "
                "dit ce que l'équipe verra sous le nom du compte : les signalements IDENTIFIE, avec leurs discussions, "
                "et les discussions sans signalement ; les {maximum} derniers de chaque, et leurs nombres."
            ),
            maximum=NOMMES_MAX,
        ),
    )
    @action(detail=True, methods=["get"], url_path="merge-preview")
    def merge_preview(self, request: Any, guestId: str) -> Any:
        services.exiger_etape("merge")
        consommer("merge", request.auth.cle if request.auth else cle_adresse(self.requete))
        return self.rendre(apercevoir(session=self._session(guestId), **compte_vise(request)))

    @operation(
        _("Rattacher la session à son compte"),
        _("Votre dossier est rattaché à votre compte."),
        droit=Droit.INVITES_RATTACHER,
        entree=formes.FusionCreate,
        corps_facultatif=True,
        sortie=formes.FusionDetail,
        erreurs=(403, 409),
        parametres=(CLE,),
        description=_(
            "Tout ce qui est à la session devient au compte, en une transaction. MERGE_SAFE refuse tant qu'un "
            "conflit n'a pas sa résolution (409, `details` les nomme) ; MERGE_ALL règle les autres : MERGE_FIELDS, "
            "ou SKIP quand un seul des deux est anonyme et pour les discussions de deux dossiers qui restent deux. "
            "Ce que l'aperçu ne nomme pas retient MERGE_SAFE ; MERGE_ALL le laisse séparé. "
            "KEEP_TARGET, KEEP_GUEST et MERGE_FIELDS n'en gardent qu'un, celui du compte ; SKIP garde les deux. "
            "Une discussion jointe à une autre qui n'a pas de dossier lui donne le sien. "
            "La même clé rend le même résultat, avec `Idempotency-Replayed: true`."
        ),
    )
    @action(detail=True, methods=["post"])
    def merge(self, request: Any, guestId: str) -> Any:
        with refus_comptes():
            services.exiger_etape("merge")
            consommer("merge", self.acteur.cle)
            demande = {"session": self._session(guestId), "compte": self.compte, "cle": cle_de(request)}
            resultat = rejouer(**demande) or self._fusionner(demande)
        compter(resultat)
        if not resultat.rejoue:
            return self.rendre(resultat)
        return self.rendre(resultat, message=REJOUEE, **{"Idempotency-Replayed": "true"})

    def _fusionner(self, demande: dict[str, Any]) -> Any:
        demande["session"].exiger_active()
        return fusionner(**demande, **self.donnees())

    def _session(self, guest_id: str) -> Any:
        return session_connue(guest_id, self.requete)


class SessionDuDossierViewSet(ApiViewSet):
    """Decide on the guest session behind a case, without naming it."""

    etiquette = "Signalements"
    lookup_url_kwarg = "signalement_id"
    lookup_value_regex = MOTIF_UUID  # a malformed id never reaches a query: 404

    @operation(
        _("Désactiver ou rétablir la session invitée d'un dossier"),
        _("Décision enregistrée."),
        droit=Droit.INVITES_DESACTIVER,
        entree=formes.StatutSessionUpdate,
        sortie=formes.SessionDuDossier,
        erreurs=(409,),
        description=_(
            "DISABLED : l'identifiant de l'invité n'ouvre plus rien, ses sockets se ferment ; ACTIVE le rétablit. "
            "Chaque décision est gardée au journal avec son `motif`, et annoncée par `system_alert`. 409 : aucune "
            "session invitée n'est derrière ce dossier. D'un dossier anonyme que la personne a rattaché à son "
            "compte, la réponse est la même et rien ne change : une fusion ne se voit pas d'ici. "
            "Jamais pour son propre dossier (403)."
        ),
    )
    @action(detail=True, methods=["put"], url_path="session-invitee")
    def session_invitee(self, request: Any, signalement_id: str) -> Any:
        signalement = dossier_a_juger(self.acteur, signalement_id)
        donnees = self.donnees()
        services.changer_statut_derriere(signalement=signalement, acteur=self.acteur, **donnees)
        return self.rendre({"signalement_id": signalement.pk, "statut": donnees["statut"]})


class SuiviViewSet(ApiViewSet):
    etiquette = "Suivi invité"
    lookup_url_kwarg = "reference"
    lookup_value_regex = "[0-9A-Za-z-]+"  # a malformed reference never reaches a query: 404

    @operation(
        _("Suivre mes dossiers"),
        _("Vos dossiers."),
        acces=Acces.INVITE,
        droit=Droit.SIGNALEMENTS_CONSULTER_LES_SIENS,
        sortie=formes.SuiviResume,
        page=True,
    )
    def list(self, request: Any) -> Any:
        return self.paginer(suivis(self.acteur))

    @operation(
        _("Suivre un dossier"),
        _("Votre dossier."),
        acces=Acces.INVITE,
        droit=Droit.SIGNALEMENTS_CONSULTER_LES_SIENS,
        sortie=formes.SuiviDetail,
    )
    def retrieve(self, request: Any, reference: str) -> Any:
        signalement = signalement_par_reference(self.acteur, reference)
        prefetch_related_objects([signalement], discussions_suivies())
        return self.rendre(signalement)
