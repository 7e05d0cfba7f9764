from typing import Any

from django.utils.text import format_lazy
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from reponses import serializers as formes
from reponses import services
from reponses.accuses import rempli
from reponses.filters import ModeleDeReponseFiltre
from reponses.models import ModeleDeReponse, Orientation
from reponses.permissions import modele_connu, orientation_connue
from reponses.selections import accuses_de
from reponses.vocabulaire import MODELES_MAX, ORIENTATIONS_MAX, VARIABLES
from signalements.permissions import signalement_accessible
from socle.api.champs import MOTIF_UUID
from socle.api.mots import phrases
from socle.api.operations import Acces, operation
from socle.api.viewsets import ApiViewSet
from socle.domaine.droits import Droit

ADMISES = ", ".join(f"`{{{nom}}}`" for nom in VARIABLES)
ECRIRE = format_lazy(
    _(
        "Variables admises : {variables} (la prochaine date promise ; sans date, la ligne qui la nomme est laissée de "
        "côté). Un autre mot entre accolades est un 422 qui le nomme. `automatique` : elle répond d'elle-même à chaque "
        "nouveau signalement, une par type au plus (409) ; celle du type l'emporte sur celle de tous."
    ),
    variables=ADMISES,
)


class ModeleDeReponseViewSet(ApiViewSet):
    etiquette = "Réponses types"
    lookup_url_kwarg = "modele_id"
    lookup_value_regex = MOTIF_UUID  # a malformed id never reaches a query: 404

    def lues(self, lignes: list[Any], filtres: dict[str, Any]) -> None:
        """Give each row the text that is answered, in `lu`."""
        langue = filtres.get("langue") or get_language() or "fr"
        for modele in lignes:
            dit = modele.dit(langue)
            modele.lu = rempli(dit, self.dossier) if self.dossier is not None else dit

    @operation(
        _("Réponses types"),
        _("Réponses types."),
        droit=Droit.DISCUSSIONS_PARTICIPER_A_TOUTES,
        sortie=formes.ModeleDeReponsePropose,
        page=True,
        filtres=ModeleDeReponseFiltre,
        erreurs=(404,),
        description=_(
            "Celles qui sont actives et ne partent pas d'elles-mêmes, par `ordre`, `titre`, puis identifiant. Avec "
            "`signalementId`, celles qui conviennent au type et à l'état de ce dossier, les variables de `texte` "
            "remplies ; sans lui, toutes, les variables comme elles sont écrites. Un dossier que l'on ne lit pas : "
            "404. Rien n'est envoyé à personne."
        ),
    )
    def list(self, request: Any) -> Any:
        demande = self.parametres().get("signalementId")
        self.dossier = signalement_accessible(self.acteur, demande) if demande else None
        modeles = ModeleDeReponse.objects.pour_lecture()
        return self.paginer(modeles.convenant_a(self.dossier) if self.dossier else modeles)

    @operation(
        _("Écrire une réponse type"),
        _("Réponse type ajoutée."),
        droit=Droit.REPONSES_GERER,
        entree=formes.ModeleDeReponseCreate,
        sortie=formes.ModeleDeReponseDetail,
        statut=201,
        relire=lambda acteur, pk: modele_connu(pk),
        description=phrases(ECRIRE, format_lazy(_("{maximum} au plus : 409 CONFLICT au-delà."), maximum=MODELES_MAX)),
    )
    def create(self, request: Any) -> Any:
        return self.rendre(services.ajouter_un_modele(par=self.acteur, **self.donnees()))

    @operation(
        _("Une réponse type"),
        _("Réponse type."),
        droit=Droit.REPONSES_GERER,
        sortie=formes.ModeleDeReponseDetail,
        description=_("Telle qu'elle s'écrit, dans ses deux langues, active ou non."),
    )
    def retrieve(self, request: Any, modele_id: str) -> Any:
        return self.rendre(modele_connu(modele_id))

    @operation(
        _("Modifier une réponse type"),
        _("Réponse type modifiée."),
        droit=Droit.REPONSES_GERER,
        etat="retrieve",
        entree=formes.ModeleDeReponseUpdate,
        sortie=formes.ModeleDeReponseDetail,
        erreurs=(409,),
        description=phrases(_("Seuls les champs présents changent."), ECRIRE),
    )
    def update(self, request: Any, modele_id: str) -> Any:
        modele = modele_connu(modele_id)
        services.modifier(texte=modele, par=self.acteur, **self.donnees())
        return self.rendre(modele)

    @operation(
        _("Supprimer une réponse type"),
        _("Réponse type supprimée."),
        droit=Droit.REPONSES_GERER,
        etat="retrieve",
        statut=204,
        description=_("Ce qui en fut envoyé reste."),
    )
    def destroy(self, request: Any, modele_id: str) -> Any:
        services.supprimer(texte=modele_connu(modele_id), par=self.acteur)
        return self.rendre()


class OrientationViewSet(ApiViewSet):
    etiquette = "Orientations"
    lookup_url_kwarg = "orientation_id"
    lookup_value_regex = MOTIF_UUID

    @operation(
        _("Orientations"),
        _("Orientations."),
        acces=Acces.PUBLIC,
        sortie=formes.OrientationDetail,
        liste=True,
        description=format_lazy(
            _(
                "Ce qu'il faut savoir tout de suite, par type de dossier ; {maximum} au plus. Du texte simple, "
                "les sauts de ligne sont des sauts de ligne ; l'un au moins des deux textes est donné."
            ),
            maximum=ORIENTATIONS_MAX,
        ),
    )
    def list(self, request: Any) -> Any:
        return self.rendre(Orientation.objects.pour_lecture()[:ORIENTATIONS_MAX])

    @operation(
        _("Écrire une orientation"),
        _("Orientation ajoutée."),
        droit=Droit.REPONSES_GERER,
        entree=formes.OrientationCreate,
        sortie=formes.OrientationDetail,
        statut=201,
        sans_cle=_("un type n'a qu'une orientation, la redemander est un 409 qui ne double rien."),
        erreurs=(409,),
        description=format_lazy(
            _("Un type qui a la sienne : 409 CONFLICT, de même au-delà de {maximum}."), maximum=ORIENTATIONS_MAX
        ),
    )
    def create(self, request: Any) -> Any:
        return self.rendre(services.ajouter_une_orientation(par=self.acteur, **self.donnees()))

    @operation(
        _("Modifier une orientation"),
        _("Orientation modifiée."),
        droit=Droit.REPONSES_GERER,
        entree=formes.OrientationUpdate,
        sortie=formes.OrientationDetail,
        erreurs=(409,),
        description=_("Seuls les champs présents changent. Vers un type qui a la sienne : 409 CONFLICT."),
    )
    def update(self, request: Any, orientation_id: str) -> Any:
        orientation = orientation_connue(orientation_id)
        services.modifier(texte=orientation, par=self.acteur, **self.donnees())
        return self.rendre(orientation)

    @operation(_("Supprimer une orientation"), _("Orientation supprimée."), droit=Droit.REPONSES_GERER, statut=204)
    def destroy(self, request: Any, orientation_id: str) -> Any:
        services.supprimer(texte=orientation_connue(orientation_id), par=self.acteur)
        return self.rendre()


class AccuseViewSet(ApiViewSet):
    etiquette = "Accusés automatiques"

    @operation(
        _("Accusé automatique d'un dossier"),
        _("Accusés automatiques."),
        acces=Acces.COMPTE_OU_INVITE,
        droit=Droit.SIGNALEMENTS_CONSULTER_LES_SIENS,
        sortie=formes.AccuseDetail,
        liste=True,
        erreurs=(404,),
        description=_(
            "Ce que le service a répondu de lui-même quand le dossier est arrivé, pour qui le lit ; celui aussi de "
            "chaque dossier qui y fut joint, par date. Vide sans réponse automatique. Il n'ouvre pas de discussion et "
            "ne compte pas parmi les messages : un front end le montre sur le reçu, puis avant le premier message."
        ),
    )
    def list(self, request: Any, signalement_id: str) -> Any:
        return self.rendre(accuses_de(signalement_accessible(self.acteur, signalement_id, motivee=True)))
