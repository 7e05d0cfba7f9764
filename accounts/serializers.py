from collections.abc import Mapping
from datetime import datetime
from typing import Any

import orjson
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import PolymorphicProxySerializer, extend_schema_field
from rest_framework import serializers

from accounts.models import Compte, Invitation, Preferences
from accounts.services import comptes, invitations, mot_de_passe_oublie
from accounts.vocabulaire import FONCTION_MAX, LANGUES, MOT_MAX, NIVEAUX, NatureAvis, Rythme, StatutInvitation
from socle.api.champs import Booleen, Choix, Courriel, MotDePasse, Telephone, Texte, TexteLong, a_un_controle
from socle.api.formulaires import Creation, Modification
from socle.api.mots import BUREAU, NOM, PRENOM, aides
from socle.api.serializers import ChampDate, ChampTexte, Sortie, SortieSimple
from socle.audit.models import Trace
from socle.audit.vocabulaire import POUR_L_EXPLOITANT, Acte, Sorte
from socle.domaine.droits import Droit, Role
from socle.domaine.temps import horodatage
from socle.erreurs import Details
from socle.moteur.sorties import rendre_un

MOT_DE_PASSE = _(
    "De 8 à 1 024 caractères, gardé tel que tapé ; ni courant, ni tout en chiffres, ni proche de l'e-mail ou du nom."
)
SON_MOT_DE_PASSE = _("Le mot de passe du compte ; faux : 422.")
ROLE = _("Le rôle du compte, dont viennent ses droits.")
LANGUE = _("La langue des e-mails, des exports et de l'agenda de ce compte.")
THEME = _("L'apparence que le client veut garder, de 1 à 50 caractères ; le service n'en fait rien.")
PARAMETRES = _("Ce que le client veut garder : un objet JSON, 16 Ko au plus, sans nombre au-delà de 2^53.")


class ChampRole(serializers.ChoiceField):
    """The present role, for a legacy value too."""

    def __init__(self, **options: Any) -> None:
        super().__init__(choices=Role.choices, read_only=True, source="role", **options)


class SignupRequest(Creation):
    email = Courriel(help_text=_("L'adresse qui sera celle du compte ; déjà prise : 409."))
    mot_de_passe = MotDePasse(help_text=MOT_DE_PASSE)
    nom = Texte(help_text=NOM)
    prenom = Texte(help_text=PRENOM)
    bureau_genre_id = Texte(required=False, max_length=64, allow_blank=True, help_text=BUREAU)
    invitation_token = Texte(required=False, max_length=512, help_text=_("Le jeton du lien d'invitation."))

    def refus_du_service(self, bons: Mapping[str, Any]) -> Details:
        return invitations.refus_d_inscription(**bons)


class LoginRequest(Creation):
    email = Courriel(help_text=_("L'adresse du compte, sans égard à la casse."))
    mot_de_passe = MotDePasse(help_text=_("Le mot de passe du compte ; `password` est lu à sa place s'il est absent."))
    appareil = Texte(
        required=False,
        allow_blank=True,
        help_text=_("Le nom de l'appareil, gardé avec la session ; un nom nouveau peut être annoncé à la personne."),
    )
    localisation = Texte(
        required=False, allow_blank=True, help_text=_("Le lieu que dit le client, gardé avec la session.")
    )
    otp = Texte(
        required=False,
        allow_blank=True,
        max_length=64,
        help_text=_("Demandé par `OTP_REQUIRED` : six chiffres de l'application, ou un code de secours."),
    )

    def to_internal_value(self, data: Any) -> Any:
        # A deployment's smoke test posts the password under this key.
        if isinstance(data, dict) and "motDePasse" not in data and "password" in data:
            data = {**data, "motDePasse": data["password"]}
        return super().to_internal_value(data)


class LoginResponse(SortieSimple):
    token = serializers.CharField(help_text=_("Le jeton d'accès (JWT), à envoyer dans `Authorization: Bearer`."))
    refresh_token = serializers.CharField(help_text=_("Le jeton qui renouvelle la session ; il sert une fois."))
    session_id = serializers.UUIDField(
        help_text=_("L'identifiant de la session ; un renouvellement en donne un autre.")
    )
    email = serializers.EmailField(help_text=_("L'adresse du compte connecté."))
    type_utilisateur = serializers.ChoiceField(choices=Role.choices, help_text=ROLE)
    expires_in = serializers.IntegerField(help_text=_("Combien de secondes vaut `token`."))


class RefreshRequest(Creation):
    refresh_token = Texte(max_length=4096, help_text=_("Le dernier `refreshToken` reçu ; déjà dépensé : 401."))


class ForgotPasswordRequest(Creation):
    email = Courriel(help_text=_("L'adresse d'un compte ; la réponse est la même pour une adresse inconnue."))


class ResetPasswordRequest(Creation):
    token = Texte(max_length=512, help_text=_("Le jeton du lien reçu par e-mail."))
    nouveau_mot_de_passe = MotDePasse(help_text=MOT_DE_PASSE)

    def refus_du_service(self, bons: Mapping[str, Any]) -> Details:
        return mot_de_passe_oublie.refus_de_reinitialisation(**bons)


class Validation(SortieSimple):
    valid = serializers.SerializerMethodField(help_text=_("Toujours true : un jeton qui ne vaut plus reçoit 401."))
    email = serializers.EmailField(help_text=_("L'adresse du compte de ce jeton."))
    type_utilisateur = ChampRole(help_text=ROLE)

    def get_valid(self, _compte: Compte) -> bool:
        return True


class CompteCreate(Creation):
    email = Courriel(help_text=_("L'adresse qui sera celle du compte ; déjà prise : 409."))
    mot_de_passe = MotDePasse(help_text=MOT_DE_PASSE)
    nom = Texte(help_text=NOM)
    prenom = Texte(help_text=PRENOM)
    type_utilisateur = Choix(choices=Role.choices, help_text=_("Le rôle que le compte aura."))
    bureau_genre_id = Texte(required=False, max_length=64, allow_blank=True, help_text=BUREAU)
    telephone = Telephone(required=False, allow_blank=True)

    def refus_du_service(self, bons: Mapping[str, Any]) -> Details:
        return comptes.refus_de_creation(**bons)


class CompteUpdate(Modification):
    nom = Texte(help_text=NOM)
    prenom = Texte(help_text=PRENOM)
    telephone = Telephone(
        allow_blank=True,
        allow_null=True,
        help_text=_("Un numéro, avec son indicatif (+243…) ou du pays de `PHONE_DEFAULT_REGION` ; null le retire."),
    )
    bureau_genre_id = Texte(
        max_length=64,
        allow_blank=True,
        allow_null=True,
        help_text=_("Le bureau de la personne, dans un annuaire tenu ailleurs ; null le retire."),
    )
    email = Courriel(
        help_text=_(
            "Réservé à l'administration. Compte une fois confirmée par le lien qui y part, valable sept jours : "
            "`emailEnAttente` jusque-là ; aussitôt là où les e-mails vont sur la console."
        )
    )
    type_utilisateur = Choix(choices=Role.choices, help_text=_("Réservé à l'administration."))

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        return {nom: "" if valeur is None else valeur for nom, valeur in attrs.items()}


class ChangePasswordRequest(Creation):
    ancien_mot_de_passe = MotDePasse(help_text=_("Celui d'aujourd'hui ; faux : 422."))
    nouveau_mot_de_passe = MotDePasse(help_text=MOT_DE_PASSE)

    def refus_du_service(self, bons: Mapping[str, Any]) -> Details:
        return comptes.refus_du_changement(compte=self.regard.acteur.compte, **bons)


class ResetPasswordAdminRequest(Creation):
    nouveau_mot_de_passe = MotDePasse(help_text=MOT_DE_PASSE)


class SecondFacteurCreate(Creation):
    mot_de_passe = MotDePasse(help_text=SON_MOT_DE_PASSE)


class SecondFacteurConfirmation(Creation):
    otp = Texte(max_length=64, help_text=_("Les six chiffres de l'application."))


class SecondFacteurPreuve(Creation):
    mot_de_passe = MotDePasse(help_text=SON_MOT_DE_PASSE)
    otp = Texte(max_length=64, help_text=_("Six chiffres de l'application, ou un code de secours."))


class SecondFacteurDetail(SortieSimple):
    actif = serializers.BooleanField(help_text=_("true : un second facteur est demandé à la connexion de ce compte."))
    date_activation = serializers.DateTimeField(
        allow_null=True, help_text=_("Quand il fut confirmé, en UTC ; null sans second facteur.")
    )
    codes_restants = serializers.IntegerField(
        help_text=_("Combien de codes de secours n'ont pas servi ; 0 sans second facteur.")
    )
    exige = serializers.BooleanField(help_text=_("Le service en demande un à ce compte."))


class EnrolementDetail(SortieSimple):
    secret = serializers.CharField(help_text=_("En base 32, à recopier dans l'application."))
    uri = serializers.CharField(help_text=_("`otpauth://…`, à montrer en QR code."))


class CodesDeSecours(SortieSimple):
    codes = serializers.ListField(child=serializers.CharField(), help_text=_("Montrés cette fois seulement."))


class CompteDetail(Sortie):
    type_utilisateur = ChampRole(help_text=ROLE)
    derniere_connexion = serializers.SerializerMethodField(
        help_text=_(
            "La sienne ; celle d'autrui est au jour près (UTC), et pour l'administration seule : null aux autres, ou "
            "sans connexion."
        )
    )

    email_en_attente = serializers.SerializerMethodField(
        help_text=_(
            "L'adresse demandée, que son lien n'a pas encore confirmée ; null pour qui n'est ni cette personne ni de "
            "l'administration."
        )
    )

    class Meta:
        model = Compte
        fields = (
            "id",
            "email",
            "email_en_attente",
            "nom",
            "prenom",
            "type_utilisateur",
            "telephone",
            "bureau_genre_id",
            "est_actif",
            "email_verifie",
            "date_creation",
            "date_modification",
            "derniere_connexion",
        )
        extra_kwargs = aides(
            email=_("L'adresse à laquelle le compte se connecte et reçoit ses e-mails, en minuscules."),
            nom=NOM,
            prenom=PRENOM,
            telephone=_("Son numéro, en E.164 ; null : aucun."),
            bureau_genre_id=_("Le bureau de la personne, dans un annuaire tenu ailleurs ; null : aucun."),
            est_actif=_("false : désactivé ou effacé, le compte n'ouvre plus rien."),
            email_verifie=_("true : un lien envoyé à cette adresse a été ouvert."),
        )

    def get_email_en_attente(self, compte: Compte) -> str | None:
        acteur = self.vu_par
        if acteur is None or (acteur.compte != compte and not acteur.peut(Droit.COMPTES_MODIFIER)):
            return None
        return compte.email_en_attente

    def get_derniere_connexion(self, compte: Compte) -> datetime | None:
        if self.vu_par is not None and self.vu_par.compte == compte:
            moment = compte.derniere_connexion
        elif self.vu_par is not None and self.vu_par.peut(Droit.COMPTES_CONSULTER_CONNEXIONS):
            moment = compte.jour_de_connexion
        else:
            moment = None
        return horodatage(moment) if moment else None  # type: ignore[return-value]


class CarteCompte(Sortie):
    type_utilisateur = ChampRole(help_text=ROLE)

    class Meta:
        model = Compte
        fields = ("id", "nom", "prenom", "type_utilisateur")
        extra_kwargs = aides(
            nom=NOM,
            prenom=PRENOM,
        )


class CompteOuCarte(Sortie):
    """The full account for oneself and staff, a card for anyone else."""

    class Meta:
        model = Compte
        fields = ("id",)

    def to_representation(self, instance: Compte) -> Any:
        acteur = self.vu_par
        entier = acteur is not None and (acteur.peut(Droit.COMPTES_LISTER) or acteur.compte == instance)
        return rendre_un(CompteDetail if entier else CarteCompte, instance, self.context)


COMPTE_OU_CARTE = PolymorphicProxySerializer(
    component_name="CompteOuCarte", serializers=[CompteDetail, CarteCompte], resource_type_field_name=None
)


class InvitationCreate(Creation):
    email = Courriel(help_text=_("L'adresse invitée ; celle d'un compte : 409."))
    type_utilisateur = Choix(choices=Role.choices, help_text=_("Le rôle que le compte aura."))
    mot = TexteLong(
        required=False,
        allow_blank=True,
        max_length=MOT_MAX,
        help_text=_("Cité dans l'e-mail et sur la page d'inscription, sous le nom de qui invite."),
    )


class InvitationDetail(Sortie):
    invitation_id = serializers.UUIDField(source="id", help_text=_("L'identifiant de l'invitation ; il n'ouvre rien."))
    type_utilisateur = ChampRole(help_text=_("Le rôle que le compte aura."))
    statut = serializers.ChoiceField(
        choices=StatutInvitation.choices,
        source="statut_montre",
        help_text=_("PENDING : ni acceptée, ni révoquée, et sa date n'est pas passée."),
    )
    expire_le = ChampDate(help_text=_("Quand le lien cesse de servir, en UTC."))

    class Meta:
        model = Invitation
        fields = ("invitation_id", "email", "type_utilisateur", "statut", "expire_le", "mot")
        extra_kwargs = aides(
            email=_("L'adresse invitée, seule à pouvoir s'en servir."),
            mot=_("Ce que qui invite a ajouté ; null : rien."),
        )


# Help texts by preference, shared by input and output: what the service does with each today.
NOTIFICATIONS: dict[str, Any] = {
    "notifications_activees": {
        "help_text": _("false : aucun e-mail d'information, quoi que dise `notificationsEmail`.")
    },
    "notifications_email": {
        "help_text": _(
            "Recevoir les e-mails d'information, les avis parmi eux. Ceux de la sécurité du compte (mot de passe, "
            "adresse, rôle) partent toujours."
        )
    },
    "avis_dossiers": {
        "help_text": _(
            "Prévenir par e-mail, une fois par jour au plus, qu'il y a du nouveau dans l'un de ses dossiers."
        )
    },
    "avis_evenements": {
        "help_text": _(
            "Prévenir par e-mail d'une place obtenue, d'un événement changé ou annulé, et la veille ; seulement à une "
            "adresse confirmée."
        )
    },
    "avis_publications": {
        "help_text": _(
            "Prévenir par e-mail qu'une publication est approuvée ou refusée ; seulement à une adresse confirmée."
        )
    },
    "parait_au_portail": {
        "help_text": _(
            "Pour une personne de l'équipe : être proposée, par son nom et sa fonction, à qui signale et ne veut pas "
            "qu'elle lise."
        )
    },
    "fonction": {
        "help_text": _("Ce que fait cette personne, en peu de mots, comme qui signale le lit ; vide ou null : rien.")
    },
    "notifications_push": {"help_text": _("Gardé pour les clients : le service lui-même n'envoie rien de tel.")},
}
AVIS = _(
    "Pour chaque nature d'avis à l'équipe (NOUVEAU_DOSSIER, DOSSIER_CRITIQUE, DOSSIER_CONFIE, DOSSIER_REPRIS, "
    "MESSAGE, ECHEANCE_PROCHE, ECHEANCE_DU_JOUR, ECHEANCE_DEPASSEE), quand un e-mail part : IMMEDIAT (un au plus par "
    "quart d'heure), QUOTIDIEN ou JAMAIS. Les natures absentes d'une modification restent ce qu'elles sont."
)


class PreferenceUpdate(Modification):
    notifications_activees = Booleen(**NOTIFICATIONS["notifications_activees"])
    notifications_email = Booleen(**NOTIFICATIONS["notifications_email"])
    notifications_push = Booleen(**NOTIFICATIONS["notifications_push"])
    avis_dossiers = Booleen(**NOTIFICATIONS["avis_dossiers"])
    avis_evenements = Booleen(**NOTIFICATIONS["avis_evenements"])
    avis_publications = Booleen(**NOTIFICATIONS["avis_publications"])
    parait_au_portail = Booleen(**NOTIFICATIONS["parait_au_portail"])
    fonction = Texte(allow_blank=True, max_length=FONCTION_MAX, **NOTIFICATIONS["fonction"])
    langue = Choix(choices=LANGUES, help_text=LANGUE)
    theme = Texte(max_length=50, help_text=THEME)
    parametres = serializers.DictField(help_text=PARAMETRES)
    avis = serializers.DictField(child=Choix(choices=Rythme.choices), help_text=AVIS)

    def validate_avis(self, valeur: dict[str, str]) -> dict[str, str]:
        if inconnues := sorted(set(valeur) - set(NatureAvis)):
            texte = _("Nature inconnue : %(inconnue)s. Natures admises : %(admises)s.")
            admises = ", ".join(NatureAvis)
            raise serializers.ValidationError(
                texte % {"inconnue": inconnues[0][:50], "admises": admises}, code="invalid_choice"
            )
        return valeur

    def validate_parametres(self, valeur: dict[str, Any]) -> dict[str, Any]:
        if len(orjson.dumps(valeur)) > 16 * 1024:
            raise serializers.ValidationError(_("16 Ko au plus."), code="max_length")
        if _a_un_nombre_demesure(valeur):
            raise serializers.ValidationError(_("Un nombre dépasse ce que JSON garantit (2^53)."), code="max_value")
        if a_un_controle(valeur):
            raise serializers.ValidationError(_("Les caractères de contrôle ne sont pas acceptés."), code="control")
        return valeur


class PreferencesDetail(Sortie):
    parametres = serializers.DictField(help_text=PARAMETRES)
    avis = serializers.DictField(
        child=serializers.ChoiceField(choices=Rythme.choices), source="rythmes", help_text=AVIS
    )

    class Meta:
        model = Preferences
        fields = (
            "notifications_activees",
            "notifications_email",
            "notifications_push",
            "langue",
            "theme",
            "parametres",
            "avis",
            "avis_dossiers",
            "avis_evenements",
            "avis_publications",
            "parait_au_portail",
            "fonction",
        )
        extra_kwargs = {
            **NOTIFICATIONS,
            **aides(
                langue=LANGUE,
                theme=THEME,
            ),
        }


class RoleDetail(SortieSimple):
    nom = serializers.ChoiceField(choices=Role.choices, help_text=_("La valeur de `typeUtilisateur` pour ce rôle."))
    libelle = serializers.CharField(help_text=_("Le nom du rôle, dans la langue de la requête."))
    description = serializers.CharField(
        help_text=_("Ce que fait ce rôle, en une phrase, dans la langue de la requête.")
    )


class RolePermissions(SortieSimple):
    role = serializers.ChoiceField(choices=Role.choices, help_text=_("Le rôle du chemin."))
    permissions = serializers.ListField(
        child=serializers.CharField(), help_text=_("Les droits du rôle, triés, sous la forme `domaine.action`.")
    )


def _a_un_nombre_demesure(valeur: Any) -> bool:
    if isinstance(valeur, dict | list):
        return any(_a_un_nombre_demesure(v) for v in (valeur.values() if isinstance(valeur, dict) else valeur))
    return isinstance(valeur, int | float) and abs(valeur) > 2**53


class TraceDetail(Sortie):
    acte = serializers.ChoiceField(
        choices=[(un.value, un.label) for un in Acte if un not in POUR_L_EXPLOITANT],
        help_text=_("La sorte d'acte ; une version à venir peut en ajouter."),
    )
    acteur_id = serializers.UUIDField(
        allow_null=True,
        source="acteur",
        help_text=_("Le compte qui l'a fait ; null : le service, ou personne que l'on nomme."),
    )
    acteur_nom = serializers.CharField(
        allow_null=True, help_text=_("Le nom de ce compte aujourd'hui ; null sans compte.")
    )
    acteur_role = ChampTexte(
        allow_null=True, source="role", help_text=_("Le rôle de ce compte quand il l'a fait ; null sans compte.")
    )
    objet_type = serializers.SerializerMethodField(
        help_text=_("Ce dont `objetId` est l'identifiant ; null : rien de précis.")
    )
    objet_id = serializers.UUIDField(
        allow_null=True, source="objet", help_text=_("L'identifiant de ce que cela concerne ; null : rien de précis.")
    )
    adresse = ChampTexte(allow_null=True, help_text=_("L'adresse IP d'où ce fut fait ; null si elle n'est pas connue."))
    requete_id = ChampTexte(
        allow_null=True, source="requete", help_text=_("Le `requestId` du journal d'accès ; null : hors d'une requête.")
    )
    details = serializers.DictField(help_text=_("Selon l'acte : critères d'une recherche, rôles avant et après…"))

    class Meta:
        model = Trace
        fields = (
            "id",
            "date",
            "acte",
            "acteur_id",
            "acteur_nom",
            "acteur_role",
            "objet_type",
            "objet_id",
            "adresse",
            "requete_id",
            "details",
        )
        extra_kwargs = aides(
            id=_("Un entier, propre à cette ligne du registre."),
            date=_("Quand ce fut fait, en UTC."),
        )

    @extend_schema_field(serializers.ChoiceField(choices=Sorte.choices, allow_null=True))
    def get_objet_type(self, trace: Trace) -> str | None:
        return trace.sorte or None


class CompteDesactiveEvenement(SortieSimple):
    user_id = serializers.UUIDField(help_text=_("Le compte."))
    email = serializers.EmailField(help_text=_("Son adresse."))
    date_desactivation = ChampDate(help_text=_("Quand il fut désactivé."))


class AlerteSystemeEvenement(SortieSimple):
    niveau = serializers.ChoiceField(choices=NIVEAUX, help_text=_("Sa gravité."))
    message = serializers.CharField(help_text=_("Une phrase, en français."))
