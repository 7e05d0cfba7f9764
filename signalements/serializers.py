import re
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from signalements.models import EntreeTimeline, Signalement
from signalements.vocabulaire import (
    ETATS,
    MODES_CONNUS,
    MOTIF_MAX,
    MOTIF_MIN,
    MOTIF_REFERENCE,
    NE_PAS_MONTRER_MAX,
    PERSONNES_MAX,
    TYPES_CONNUS,
    Origine,
    Ouverture,
    Priorite,
    Statut,
    TypeEntree,
)
from socle.api.champs import Booleen, Choix, DateHeure, Identifiant, PiecesJointes, Texte, TexteLong, Vocabulaire
from socle.api.formulaires import Creation
from socle.api.mots import BUREAU, NOM, PRENOM, SON_COMPTE, aides
from socle.api.serializers import ChampDate, Regard, Sortie, SortieAvecActeur, SortieSimple
from socle.domaine.canonique import StatutCanonique
from socle.domaine.droits import Droit
from socle.domaine.identite import id_montre, nom_montre
from socle.domaine.langue import en_francais
from socle.domaine.temps import fin_du_jour, jour_du_campus
from socle.moteur.sorties import rendre_un

CELUI_DU_DOSSIER = _("L'`id` du signalement.")
OUVERT_A = _(
    "TOUS : toute l'équipe ; EQUIPE : une seule des équipes ; SAUF : tous, moins `ecartes` ; SEULS : `admis` seuls."
)
# Help texts of what several forms show of a report.
DU_DOSSIER = {
    "titre": _("Ce dont il s'agit, en une ligne."),
    "type": _("Un mot en capitales, comme HARCELEMENT ; une installation peut en admettre d'autres."),
    "statut": _("Où en est le dossier ; TRAITE et CLOTURE sont résolus."),
    "priorite": _("Son urgence, de LOW à CRITICAL."),
}


class DateDIncident(DateHeure):
    """A moment that has come, or comes within a day: what people report is not next year's."""

    default_error_messages = {
        "avenir": _("Cette date est à venir. Vérifiez l'année, ou laissez vide si vous ne savez plus.")
    }

    def to_internal_value(self, value: Any) -> datetime:
        moment = super().to_internal_value(value)
        if moment >= fin_du_jour(jour_du_campus() + timedelta(days=1)):
            self.fail("avenir")
        return moment


def _ne_pas_montrer_a(**options: Any) -> serializers.ListField:
    return serializers.ListField(
        child=Identifiant(),
        max_length=NE_PAS_MONTRER_MAX,
        help_text=_("Des personnes de `GET /lecteurs`, qui ne liront pas ce dossier ; toute autre : 422."),
        **options,
    )


class SignalementCreate(Creation):
    titre = Texte(help_text=DU_DOSSIER["titre"])
    description = TexteLong(help_text=_("Ce qui s'est passé, en texte libre ; les sauts de ligne restent."))
    type = Vocabulaire("type_signalement", connues=TYPES_CONNUS)
    mode_identification = Vocabulaire("mode_identification", connues=MODES_CONNUS, required=False)
    date_incident = DateDIncident(
        required=False, help_text=_("Au plus tard demain, au calendrier du campus ; au-delà, 422.")
    )
    lieu_incident = Texte(required=False, allow_blank=True, help_text=_("Où cela s'est passé."))
    auteur_presume = Texte(required=False, allow_blank=True, help_text=_("Qui l'aurait fait, comme on peut le dire."))
    a_temoins = Booleen(required=False, help_text=_("true : il y a des témoins ; absent : false."))
    description_temoins = TexteLong(
        required=False, allow_blank=True, help_text=_("Qui sont les témoins, ou comment les joindre.")
    )
    bureau_genre_id = Texte(required=False, allow_blank=True, max_length=64, help_text=BUREAU)
    priorite = Choix(
        choices=Priorite.choices,
        required=False,
        help_text=_("L'urgence selon qui signale ; absente : MEDIUM ; CRITICAL devient HIGH."),
    )
    reference = Texte(
        required=False,
        max_length=17,
        help_text=_("La référence d'un dossier que l'on a déjà ; elle ne donne aucun accès."),
    )
    pieces_jointes = PiecesJointes()
    ne_pas_montrer_a = _ne_pas_montrer_a(required=False)

    def validate_reference(self, valeur: str) -> str:
        if not re.fullmatch(MOTIF_REFERENCE, valeur.upper()):
            raise serializers.ValidationError(_("Une référence a la forme SIG-2026-7K3M9QXT."), code="invalid")
        return valeur.upper()


class StatutUpdate(Creation):
    statut = Choix(
        choices=Statut.choices,
        help_text=_("Le nouveau statut ; tout statut peut suivre tout autre, le même ne change rien mais est annoncé."),
    )


class AssignationUpdate(Creation):
    gestionnaire_id = Identifiant(
        help_text=_("Le compte d'une personne active de l'équipe qui peut lire ce dossier ; tout autre : 422.")
    )


class LecteursUpdate(Creation):
    ecartes = serializers.ListField(
        child=Identifiant(),
        max_length=PERSONNES_MAX,
        required=False,
        default=list,
        help_text=_("Qui ne peut plus lire le dossier. Les listes remplacent celles d'avant ; vide : personne."),
    )
    admis = serializers.ListField(
        child=Identifiant(),
        max_length=PERSONNES_MAX,
        required=False,
        default=list,
        help_text=_("Les seules personnes qui lisent le dossier ; vide : toute l'équipe."),
    )
    motif = Texte(
        required=False,
        max_length=MOTIF_MAX,
        help_text=_("Pourquoi lit à nouveau quelqu'un que son auteur ne voulait pas ; son auteur le lit."),
    )


class PersonneNommee(SortieSimple):
    id = serializers.UUIDField(source="compte.pk", help_text=SON_COMPTE)
    nom = serializers.CharField(source="compte.nom", help_text=NOM)
    prenom = serializers.CharField(source="compte.prenom", help_text=PRENOM)


class PersonneDesignee(SortieSimple):
    """One person of the team, whose word it is, who named them, and since when."""

    id = serializers.UUIDField(source="compte.pk", help_text=SON_COMPTE)
    nom = serializers.CharField(source="compte.nom", help_text=NOM)
    prenom = serializers.CharField(source="compte.prenom", help_text=PRENOM)
    origine = serializers.ChoiceField(
        choices=Origine.choices,
        help_text=_("AUTEUR et LES_DEUX : qui a signalé l'a demandé. SOI : cette personne s'est retirée elle-même."),
    )
    par = serializers.CharField(
        source="par.nom_complet",
        allow_null=True,
        default=None,
        help_text=_("Le nom de qui l'a décidé dans l'équipe ; null : personne d'elle."),
    )
    date_creation = ChampDate(help_text=_("Depuis quand cette personne est désignée, en UTC."))


class LecteursDetail(SortieSimple):
    """Readers of a case in the team, and nothing of the case but its reference."""

    id = serializers.UUIDField(help_text=CELUI_DU_DOSSIER)
    reference = serializers.CharField()
    ouvert_a = serializers.ChoiceField(choices=Ouverture.choices, help_text=OUVERT_A)
    ecartes = PersonneDesignee(
        many=True, help_text=_("Les personnes de l'équipe qui ne peuvent pas lire le dossier, par nom.")
    )
    admis = PersonneDesignee(
        many=True, help_text=_("Sous SEULS, les seules personnes qui le lisent, par nom ; vide sinon.")
    )


class LecteurProposeDetail(SortieSimple):
    """Somebody of the staff who agreed to be named to whoever reports."""

    id = serializers.UUIDField(help_text=_("Le compte de cette personne, à donner dans `nePasMontrerA`."))
    nom = serializers.CharField(help_text=NOM)
    prenom = serializers.CharField(help_text=PRENOM)
    fonction = serializers.CharField(
        allow_null=True, help_text=_("Ce que fait cette personne ; null si elle ne l'a pas dit.")
    )


class NePasMontrerUpdate(Creation):
    ne_pas_montrer_a = _ne_pas_montrer_a()


class NePasMontrerDetail(SortieSimple):
    """People whom the author of a case does not want to read it."""

    id = serializers.UUIDField(help_text=CELUI_DU_DOSSIER)
    reference = serializers.CharField()
    ne_pas_montrer_a = PersonneNommee(
        many=True, help_text=_("Les personnes que l'auteur du dossier a écartées, par nom.")
    )


class EquipeDuDossierUpdate(Creation):
    equipe_id = Identifiant(
        allow_null=True, help_text=_("Une équipe active ; null : toutes les personnes qui traitent.")
    )
    motif = Texte(max_length=MOTIF_MAX, help_text=_("Pourquoi ; l'équipe le lit dans l'historique."))


class EquipeDuDossier(SortieSimple):
    """The team of a case, and nothing of the case but its reference."""

    id = serializers.UUIDField(help_text=CELUI_DU_DOSSIER)
    reference = serializers.CharField()
    equipe_id = serializers.UUIDField(
        allow_null=True, help_text=_("L'équipe qui seule le lit ; null : toutes les personnes qui traitent.")
    )


class OuvertureCreate(Creation):
    motif = Texte(min_length=MOTIF_MIN, max_length=MOTIF_MAX, help_text=_("Pourquoi ; ses lecteurs le lisent."))


class OuvertureDetail(SortieSimple):
    """An opening: its case by reference, and the end of the hour."""

    id = serializers.UUIDField(source="signalement.pk", help_text=CELUI_DU_DOSSIER)
    reference = serializers.CharField(source="signalement.reference")
    fin = ChampDate(help_text=_("Jusqu'à quand le dossier se lit, en UTC."))


class DossierConnu(SortieSimple):
    """A case that an administrator may know of without reading it."""

    id = serializers.UUIDField(help_text=CELUI_DU_DOSSIER)
    reference = serializers.CharField()
    equipe_id = serializers.UUIDField(help_text=_("L'équipe à qui il est confié."))
    date_creation = ChampDate()
    prochaine_echeance = serializers.DateField(
        allow_null=True, help_text=_("Le premier jour promis qui reste à tenir ; null : aucun.")
    )
    en_retard = serializers.BooleanField(
        source="est_en_retard", help_text=_("true : un jour promis est passé sans être tenu.")
    )


class GelUpdate(Creation):
    gele = Booleen(help_text=_("Vrai : rien du dossier n'est effacé par le temps de garde, jusqu'à ce qu'on le lève."))
    motif = Texte(required=False, allow_blank=True, default="", help_text=_("Pourquoi ; à donner pour geler."))

    def validate(self, attrs: Any) -> Any:
        if attrs["gele"] and not attrs["motif"].strip():
            raise serializers.ValidationError({"motif": [_("Dites pourquoi ce dossier est gelé.")]}, code="required")
        return attrs


class GelDetail(SortieSimple):
    """The legal hold of a case; all null where there is none."""

    id = serializers.UUIDField(help_text=CELUI_DU_DOSSIER)
    reference = serializers.CharField()
    gele_depuis = ChampDate(
        allow_null=True, help_text=_("Depuis quand le temps de garde n'en efface rien, en UTC ; null sans gel.")
    )
    motif = serializers.CharField(source="gel_motif", help_text=_("Pourquoi il est gelé ; vide sans gel."))
    par = serializers.CharField(
        source="gele_par_nom",
        allow_null=True,
        help_text=_("Le nom de qui l'a gelé ; null sans gel, ou si le service l'a fait de lui-même."),
    )
    conserve_jusquau = serializers.DateField(
        allow_null=True,
        help_text=_(
            "Le jour jusqu'auquel un dossier clôturé est gardé, au moins, gel à part ; null s'il ne "
            "l'est pas, ou si tout est gardé."
        ),
    )


class PrioriteUpdate(Creation):
    priorite = Choix(choices=Priorite.choices, help_text=_("La priorité que l'équipe lui donne."))


class NoteCreate(Creation):
    contenu = TexteLong(help_text=_("Le texte de la note, que l'équipe seule lit."))


class EcheanceDuDossier(SortieSimple):
    """A date promised on a case, in the words of the row of `echeances`: days are those of the campus."""

    id = serializers.UUIDField(help_text=_("L'identifiant de cette date, à donner pour la dire tenue."))
    nature = serializers.CharField(help_text=_("ACCUSE, RETOUR, ENTRETIEN, ou AUTRE, que `libelle` nomme."))
    libelle = serializers.CharField(help_text=_("Ce qui est promis, pour AUTRE ; vide pour les autres."))
    pourLe = serializers.DateField(help_text=_("Dernier jour pour la tenir."))
    faiteLe = serializers.DateField(allow_null=True, help_text=_("Jour où elle a été tenue ; nul : pas encore."))
    prolongeeDu = serializers.DateField(
        allow_null=True, help_text=_("Le jour promis d'abord, si elle a été prolongée ; sinon null.")
    )
    motif = serializers.CharField(help_text=_("Pourquoi elle a été prolongée, comme son auteur le lit."))


_DITES = tuple(EcheanceDuDossier().fields)


class EcheancesDuDossier(serializers.ListField):
    """The dates as their case keeps them, which is the shape of the answer, less what is not told."""

    child = EcheanceDuDossier()

    @staticmethod
    def montrer(gardees: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return [{nom: une[nom] for nom in _DITES} for une in gardees]


class SignalementDetail(SortieAvecActeur):
    """A report as its viewer may see it; `vu_par` None is the form for others, as in events."""

    statut_canonique = serializers.ChoiceField(choices=StatutCanonique.choices)
    has_unread_updates = serializers.BooleanField()
    messages_non_lus_count = serializers.IntegerField()
    reference_declaree = serializers.BooleanField(
        allow_null=True,
        help_text=_(
            "La référence est celle d'un autre dossier, que l'auteur a indiquée ; équipe seule, null pour lui."
        ),
    )
    ouvert_a = serializers.ChoiceField(
        choices=Ouverture.choices,
        allow_null=True,
        help_text=_("À qui de l'équipe le dossier est ouvert ; équipe seule, null pour son auteur."),
    )
    conserve_jusquau = serializers.DateField(
        allow_null=True,
        help_text=_(
            "Jour jusqu'auquel un dossier clôturé est gardé, au moins (REPORTS_KEPT_DAYS) ; nul tant qu'il n'est pas "
            "clôturé, ou si le service garde tout. Un gel ne le change pas."
        ),
    )
    gele_depuis = ChampDate(
        allow_null=True,
        help_text=_("Depuis quand rien n'en est effacé, en UTC ; null sans gel, et pour son auteur : équipe seule."),
    )
    equipe_id = serializers.UUIDField(
        allow_null=True,
        help_text=_(
            "L'équipe qui seule le lit ; jamais null : absent d'un dossier que toutes lisent, et pour son auteur."
        ),
    )
    echeances = EcheancesDuDossier(
        required=False,
        help_text=_("Ce qui est promis sur ce dossier, et pour quand ; absent d'un dossier sans date."),
    )
    gestionnaire_id = serializers.UUIDField(
        allow_null=True,
        help_text=_("Le compte de qui traite le dossier ; null : personne ; équipe seule, null pour son auteur."),
    )
    gestionnaire_nom = serializers.CharField(
        allow_null=True,
        help_text=_("Le nom de qui traite le dossier ; null : personne ; équipe seule, null pour son auteur."),
    )
    pieces_jointes = serializers.ListField(child=serializers.UUIDField())

    class Meta:
        model = Signalement
        a_tous = (
            "id",
            "reference",
            "titre",
            "description",
            "type",
            "mode_identification",
            "date_incident",
            "lieu_incident",
            "auteur_presume",
            "a_temoins",
            "description_temoins",
            "bureau_genre_id",
            "statut",
            "statut_canonique",
            "priorite",
            "pieces_jointes",
            "has_unread_updates",
            "messages_non_lus_count",
            "source_acteur",
            "acteur_id",
            "est_fusionne",
            "conserve_jusquau",
            "echeances",
            "date_creation",
            "date_modification",
        )
        facultatifs = ("echeances", "equipe_id")
        de_qui_lit = ("has_unread_updates", "messages_non_lus_count")
        de_l_equipe = (
            "gestionnaire_id",
            "gestionnaire_nom",
            "reference_declaree",
            "ouvert_a",
            "gele_depuis",
            "equipe_id",
        )
        extra_kwargs = aides(
            **DU_DOSSIER,
            description=_("Ce qui s'est passé, tel que son auteur l'a écrit, sauts de ligne compris."),
            mode_identification=_("IDENTIFIE montre l'auteur à l'équipe ; toute autre valeur le cache, comme ANONYME."),
            date_incident=_("Quand cela s'est passé, en UTC ; null si l'auteur ne l'a pas dit."),
            lieu_incident=_("Où cela s'est passé ; null si l'auteur ne l'a pas dit."),
            auteur_presume=_("Qui l'aurait fait ; null si l'auteur du signalement ne l'a pas dit."),
            a_temoins=_("true : il y a des témoins."),
            description_temoins=_("Qui sont les témoins, ou comment les joindre ; null si l'auteur ne l'a pas dit."),
            bureau_genre_id=_("Le bureau à qui cela s'adresse, tel qu'il fut donné ; null : aucun."),
            date_modification=_("Le dernier changement que son auteur peut voir, en UTC."),
        )

    def dossier_de(self, ligne: Signalement) -> Signalement:
        return ligne

    def est_pour_l_equipe(self, ligne: Signalement) -> bool:
        return self.regard.forme_equipe or (self._lit_en_equipe and ligne.pour_l_equipe(self.vu_par))

    @cached_property
    def _lit_en_equipe(self) -> bool:
        """Without this right no row is, whosever it is: asked once for a page."""
        return self.vu_par is not None and self.vu_par.peut(Droit.SIGNALEMENTS_LIRE_EN_EQUIPE)

    def to_representation(self, instance: Signalement) -> Any:
        rendu = super().to_representation(instance)
        if not instance.echeances:
            del rendu["echeances"]
        if rendu["equipeId"] is None:
            del rendu["equipeId"]
        return rendu


class SignalementEvenement(SignalementDetail):
    """A report as events tell it, without what depends on who reads; staff-only fields are null but for the staff."""

    class Meta:
        model = Signalement
        a_tous = tuple(nom for nom in SignalementDetail.Meta.a_tous if nom not in SignalementDetail.Meta.de_qui_lit)
        facultatifs = SignalementDetail.Meta.facultatifs
        de_l_equipe = SignalementDetail.Meta.de_l_equipe
        extra_kwargs = SignalementDetail.Meta.extra_kwargs


class NoteDetail(Sortie):
    auteur_id = serializers.SerializerMethodField(help_text=_("Le compte de qui l'a écrite."))
    contenu = serializers.CharField(help_text=_("Le texte de la note."))

    class Meta:
        model = EntreeTimeline
        fields = ("id", "auteur_id", "contenu", "date_creation")

    def get_auteur_id(self, note: EntreeTimeline) -> str:
        return id_montre(note, vu_par=self.vu_par, dossier=note.signalement)


class EntreeDetail(Sortie):
    """A line of the history; `regard.dossier` is its case. An owner sees staff as « Équipe ».

    Nobody is the author of what a routing rule did.
    """

    description = serializers.SerializerMethodField(
        help_text=_(
            "Ce qui est arrivé, en une phrase dans la langue de la requête ; son auteur n'y lit aucun nom de l'équipe."
        )
    )
    ancien_statut = serializers.ChoiceField(
        choices=Statut.choices,
        allow_null=True,
        help_text=_("Le statut d'avant, d'une entrée STATUT ; null de toute autre."),
    )
    nouveau_statut = serializers.ChoiceField(
        choices=Statut.choices,
        allow_null=True,
        help_text=_("Le statut d'après, d'une entrée STATUT ou CREATION ; null de toute autre."),
    )
    auteur_id = serializers.SerializerMethodField(
        help_text=_("Qui l'a fait ; null d'une règle de routage et, pour l'auteur du dossier, de l'équipe.")
    )
    auteur_nom = serializers.SerializerMethodField(
        help_text=_("Le nom de qui l'a fait ; pour l'auteur du dossier, « Équipe » en tient lieu.")
    )

    class Meta:
        model = EntreeTimeline
        fields = (
            "id",
            "type",
            "description",
            "ancien_statut",
            "nouveau_statut",
            "auteur_id",
            "auteur_nom",
            "date_creation",
        )
        extra_kwargs = aides(type=_("Ce qui est arrivé au dossier."))

    @property
    def _dossier(self) -> Signalement:
        dossier: Signalement = self.regard.dossier
        return dossier

    def get_description(self, entree: EntreeTimeline) -> str:
        return entree.decrire(pour_l_equipe=self._dossier.pour_l_equipe(self.vu_par))

    def get_auteur_id(self, entree: EntreeTimeline) -> str | None:
        if entree.est_d_une_regle or self._est_l_equipe(entree):
            return None
        return id_montre(entree, vu_par=self.vu_par, dossier=self._dossier)

    def get_auteur_nom(self, entree: EntreeTimeline) -> str:
        if self._est_l_equipe(entree):
            return str(_("Équipe"))
        if entree.est_d_une_regle:
            return str(_("Règle de routage"))
        return nom_montre(entree, vu_par=self.vu_par, dossier=self._dossier)

    def _est_l_equipe(self, entree: EntreeTimeline) -> bool:
        du_proprietaire = (entree.compte_id, entree.invite_id) == (self._dossier.compte_id, self._dossier.invite_id)
        return not du_proprietaire and not self._dossier.pour_l_equipe(self.vu_par)


class Alerte(SortieSimple):
    """Shape of a `UneAlerte`: the id of one that a status raises is the report's, of another its own."""

    id = serializers.UUIDField(
        help_text=_("Celui du signalement pour une alerte de son statut, sinon le sien ; à donner pour l'écarter.")
    )
    type = serializers.CharField(
        help_text=_(
            "NOUVEAU_SIGNALEMENT, SIGNALEMENT_EN_ATTENTE, MESSAGE_APRES_CLOTURE, ECHEANCE_PROCHE ou ECHEANCE_DEPASSEE."
        )
    )
    titre = serializers.CharField(help_text=DU_DOSSIER["titre"])
    priorite = serializers.ChoiceField(choices=Priorite.choices, help_text=DU_DOSSIER["priorite"])
    statut = serializers.ChoiceField(choices=Statut.choices, help_text=DU_DOSSIER["statut"])
    statut_canonique = serializers.ChoiceField(choices=StatutCanonique.choices)
    signalement_id = serializers.UUIDField()
    reference = serializers.CharField()
    date_creation = ChampDate(help_text=_("Quand le signalement fut créé, ou ce qui a levé une autre alerte, en UTC."))


def pour_equipe(signalement: Signalement) -> dict[str, Any]:
    """The event form for channels that staff alone may hear."""
    return rendre_un(SignalementEvenement, signalement, Regard(forme_equipe=True).contexte)


def sans_l_equipe(forme: dict[str, Any]) -> dict[str, Any]:
    """Set the staff-only fields (`caches`) of an event form to None: the form for the least entitled, its owner."""
    return {**forme, **dict.fromkeys(nom for nom in SignalementDetail.caches if nom in forme)}


def entree_pour_autrui(signalement: Signalement, entree: EntreeTimeline) -> dict[str, Any]:
    with en_francais():
        return rendre_un(EntreeDetail, entree, Regard(dossier=signalement).contexte)


def dites_a_l_auteur(entrees: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Lines of the history, their `phrase` as pages tell them to whoever reported: what a status means to them.

    How urgent the team finds the case is not for them to read there; the API has these lines in its own words.
    """
    return [
        {**une, "phrase": f"{ETATS[Statut(une['nouveauStatut'])]}."} if une["type"] == TypeEntree.STATUT else une
        for une in entrees
        if une["type"] not in (TypeEntree.PRIORITE, TypeEntree.ALERTE_ECARTEE)
    ]
