import uuid
from datetime import UTC, datetime, timedelta
from typing import Any

from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser
from django.core import signing
from django.core.validators import RegexValidator
from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext_lazy as _

from accounts.erreurs import CompteEfface
from accounts.querysets import CompteManager, InvitationQuerySet, SessionQuerySet
from accounts.vocabulaire import DOMAINE_DES_EFFACES, LANGUES, MotifFin, StatutInvitation
from socle.domaine.chiffrement import ChampChiffre, empreinte
from socle.domaine.droits import PERMISSIONS_ADMIN, Droit, Role, a_le_droit, role_actuel
from socle.domaine.identite import masquer_ecrits
from socle.domaine.lectures import Demande
from socle.domaine.modeles import ModeleBase
from socle.domaine.texte import normaliser


class Compte(ModeleBase, AbstractBaseUser):
    ECRITS = ("email", "nom", "prenom", "bureau_genre_id")
    last_login = None
    email = models.EmailField(_("e-mail"), max_length=254)
    nom = models.CharField(_("nom de famille"), max_length=255)
    prenom = models.CharField(_("prénom"), max_length=255)
    type_utilisateur = models.CharField(_("rôle"), max_length=20, choices=Role, default=Role.UTILISATEUR)
    telephone = models.CharField(
        _("téléphone"), max_length=20, blank=True, validators=[RegexValidator(r"^\+[1-9]\d{5,14}$")]
    )
    bureau_genre_id = models.CharField(_("bureau genre"), max_length=64, blank=True)
    est_actif = models.BooleanField(_("actif"), default=True)
    # True once a link mailed to this very address has been used.
    email_verifie = models.BooleanField(_("e-mail vérifié"), default=False, db_default=False, editable=False)
    derniere_connexion = models.DateTimeField(_("dernière connexion"), null=True, blank=True, editable=False)
    # Generation counter, raised when every access is ended: an admin cookie is valid for the one it was made under.
    nb_coupures = models.PositiveIntegerField(default=0, db_default=0, editable=False)
    recherche = models.TextField(editable=False, default="")
    # Since when the person behind it is erased: the row stays for what it wrote, under a pseudonym, and never opens.
    date_effacement = models.DateTimeField(null=True, editable=False)

    objects = CompteManager()
    USERNAME_FIELD = "email"
    REQUIRED_FIELDS = ["nom", "prenom"]

    class Meta:
        verbose_name = _("compte")
        constraints = [
            models.UniqueConstraint(fields=["email"], name="compte_email_unique"),
            models.CheckConstraint(condition=Q(email=Lower("email")), name="compte_email_minuscule"),
            models.CheckConstraint(
                condition=Q(date_effacement__isnull=True) | Q(est_actif=False), name="compte_efface_ferme"
            ),
        ]
        indexes = [
            models.Index(fields=["-date_creation", "-id"], name="compte_date"),
            models.Index(fields=["type_utilisateur", "-date_creation", "-id"], name="compte_role_date"),
            models.Index(fields=["-date_creation", "-id"], condition=Q(est_actif=False), name="compte_inactif_date"),
            models.Index(fields=["id"], condition=Q(date_effacement__isnull=False), name="compte_efface"),
        ]

    def __str__(self) -> str:
        return self.nom_complet or self.email

    @property
    def nom_complet(self) -> str:
        return f"{self.prenom} {self.nom}".strip()

    @property
    def role(self) -> str:
        return role_actuel(self.type_utilisateur)

    @property
    def valeurs_de_depart(self) -> dict[str, tuple[None, str]]:
        """Journal values, column -> (None, value), of an account created for somebody else."""
        return {"email": (None, self.email), "type_utilisateur": (None, self.role)}

    @property
    def jour_de_connexion(self) -> datetime | None:
        """The day of the last login, as its first moment (UTC): the hour would tell who wrote what at that time."""
        moment = self.derniere_connexion
        return moment and moment.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)

    @property
    def is_active(self) -> bool:  # type: ignore[override]
        return self.est_actif

    @property
    def is_staff(self) -> bool:
        """May sign in to the admin site."""
        return self.est_actif and a_le_droit(self.role, Droit.ESPACE_ENTRER)

    @property
    def is_superuser(self) -> bool:
        return self.est_actif and a_le_droit(self.role, Droit.ESPACE_ADMINISTRER)

    @property
    def adresse_technique(self) -> str:
        """The address of an erased account: keyed, so that nobody takes it first, and one that receives nothing."""
        return f"efface-{empreinte('compte-efface', self.pk.hex)[:32]}@{DOMAINE_DES_EFFACES}"

    def exiger_non_efface(self) -> None:
        if self.date_effacement is not None:
            raise CompteEfface

    def verrouiller(self, *ensuite: Demande) -> list[Any]:
        """Lock the row and refresh; CompteEfface for an erased one: a request begun before must not name it again."""
        lues = super().verrouiller(*ensuite)
        self.exiger_non_efface()
        return lues

    def doit_un_second_facteur(self, *, prouve: bool) -> bool:
        """True for staff whose sign-in proved no second factor, where STAFF_OTP_REQUIRED: the rule of every door."""
        return bool(settings.STAFF_OTP_REQUIRED) and not prouve and a_le_droit(self.role, Droit.ESPACE_ENTRER)

    def has_perm(self, perm: str, obj: Any = None) -> bool:
        droit = PERMISSIONS_ADMIN.get(perm)
        return self.is_superuser or (self.is_staff and droit is not None and a_le_droit(self.role, droit))

    def has_perms(self, perms: Any, obj: Any = None) -> bool:
        return all(self.has_perm(perm, obj) for perm in perms)

    def has_module_perms(self, app_label: str) -> bool:
        return any(self.has_perm(perm) for perm in PERMISSIONS_ADMIN if perm.startswith(f"{app_label}.")) or (
            self.is_superuser
        )

    def get_session_auth_hash(self) -> str:
        """Hash that an admin cookie must hold: Django's, then `nb_coupures`, so that ending every access voids it."""
        empreinte = super().get_session_auth_hash()
        return f"{empreinte}.{self.nb_coupures}" if self.nb_coupures else empreinte

    @classmethod
    def normalize_username(cls, username: str) -> str:
        """Strip and lower-case: e-mail addresses are stored, and so compared, without case."""
        return super().normalize_username(username).strip().lower()

    def indexer(self) -> None:
        """Keep the search text in step; call before saving a name or an address."""
        masquer_ecrits(self)
        self.recherche = normaliser(f"{self.prenom} {self.nom} {self.prenom} {self.email}")


class Session(models.Model):
    """A login: one row per refresh token; spending the token ends the row and opens the next of its `famille`."""

    ECRITS = ("appareil", "localisation")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    compte = models.ForeignKey(
        Compte, on_delete=models.CASCADE, related_name="sessions", db_index=False, verbose_name=_("compte")
    )
    famille = models.UUIDField(default=uuid.uuid4, editable=False)
    appareil = models.CharField(_("appareil"), max_length=255, blank=True)
    localisation = models.CharField(_("localisation"), max_length=255, blank=True)
    # True where its sign-in proved a second factor; a refresh passes it on.
    second_facteur = models.BooleanField(_("second facteur"), default=False, db_default=False, editable=False)
    date_creation = models.DateTimeField(_("ouverte le"), default=timezone.now, editable=False)
    date_expiration = models.DateTimeField(_("expire le"))
    date_fin = models.DateTimeField(_("terminée le"), null=True, blank=True)
    motif_fin = models.CharField(_("motif"), max_length=20, choices=MotifFin, blank=True)

    objects = SessionQuerySet.as_manager()

    class Meta:
        verbose_name = _("session")
        constraints = [
            models.CheckConstraint(
                condition=Q(date_fin__isnull=True, motif_fin="") | (Q(date_fin__isnull=False) & ~Q(motif_fin="")),
                name="session_fin_motivee",
            )
        ]
        indexes = [
            models.Index(fields=["-date_creation", "-id"], name="session_date"),
            models.Index(fields=["compte"], condition=Q(date_fin__isnull=True), name="session_active_compte"),
            models.Index(fields=["famille"], condition=Q(date_fin__isnull=True), name="session_active_famille"),
            models.Index(fields=["date_expiration"], name="session_expiration"),
        ]

    def __str__(self) -> str:
        return _("Session du %(jour)s") % {"jour": date_format(self.date_creation, "SHORT_DATE_FORMAT")}


class SecondFacteur(models.Model):
    """The authenticator application of an account, in use from `date_activation` on, and its recovery codes."""

    compte = models.OneToOneField(Compte, on_delete=models.CASCADE, primary_key=True, related_name="second_facteur")
    secret = ChampChiffre()
    # Time step of the last code that was accepted: none serves twice.
    dernier_pas = models.BigIntegerField(default=-1)
    codes = models.JSONField(default=list)  # keyed hashes of the recovery codes that are left
    date_activation = models.DateTimeField(null=True)

    class Meta:
        verbose_name = _("second facteur")

    def __str__(self) -> str:
        return f"Second facteur {self.pk.hex[:8]}"


class Invitation(ModeleBase):
    email = models.EmailField(_("e-mail"), max_length=254)
    type_utilisateur = models.CharField(_("rôle"), max_length=20, choices=Role)
    statut = models.CharField(_("statut"), max_length=20, choices=StatutInvitation, default=StatutInvitation.PENDING)
    expire_le = models.DateTimeField(_("expire le"))
    envoi = models.PositiveIntegerField(_("envoi"), default=1, editable=False)
    # Language of the mail: the sender's, since the invited person's is not known yet.
    langue = models.CharField(max_length=2, choices=LANGUES, default="fr", db_default="fr", editable=False)
    invitee_par = models.ForeignKey(Compte, on_delete=models.PROTECT, related_name="+", verbose_name=_("invitée par"))
    acceptee_par = models.OneToOneField(
        Compte, on_delete=models.PROTECT, null=True, blank=True, related_name="+", verbose_name=_("acceptée par")
    )

    objects = InvitationQuerySet.as_manager()

    class Meta:
        verbose_name = _("invitation")
        constraints = [
            models.UniqueConstraint(
                Lower("email"), condition=Q(statut=StatutInvitation.PENDING), name="invitation_en_attente_unique"
            ),
            models.CheckConstraint(
                condition=Q(statut=StatutInvitation.ACCEPTED, acceptee_par__isnull=False)
                | (~Q(statut=StatutInvitation.ACCEPTED) & Q(acceptee_par__isnull=True)),
                name="invitation_acceptee_par_quelqu_un",
            ),
        ]
        indexes = [
            models.Index(fields=["-date_creation", "-id"], name="invitation_date"),
            models.Index(fields=["statut", "-date_creation", "-id"], name="invitation_statut_date"),
        ]

    def __str__(self) -> str:
        return self.email

    @property
    def role(self) -> str:
        return role_actuel(self.type_utilisateur)

    @property
    def statut_montre(self) -> str:
        """Status as shown: PENDING past `expire_le` reads EXPIRED."""
        if self.statut == StatutInvitation.PENDING and self.expire_le <= timezone.now():
            return StatutInvitation.EXPIRED
        return self.statut

    @property
    def jeton(self) -> str:
        """Signed token of the mailed link, made of id and `envoi`: not stored, and voided by a new sending."""
        return signing.Signer(salt="accounts.invitation").sign(f"{self.pk.hex}.{self.envoi}")


class DemandeMotDePasse(models.Model):
    """A password reset request; `compte` is null for an address without account, so that both cost the same."""

    DE_PRES = timedelta(seconds=20)

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    compte = models.ForeignKey(Compte, on_delete=models.CASCADE, null=True, related_name="+")
    date_creation = models.DateTimeField(default=timezone.now, editable=False)
    date_expiration = models.DateTimeField()
    date_utilisation = models.DateTimeField(null=True)

    class Meta:
        verbose_name = _("demande de mot de passe")
        indexes = [models.Index(fields=["date_expiration"], name="demande_expiration")]

    def __str__(self) -> str:
        return f"Demande du {self.date_creation:%d/%m/%Y}"

    @property
    def jeton(self) -> str:
        return signing.Signer(salt="accounts.mot-de-passe").sign(self.pk.hex)

    def suit_de_pres(self) -> bool:
        """Whether this account made another, unused, within the `DE_PRES` before."""
        avant = Q(date_creation__lt=self.date_creation) | Q(date_creation=self.date_creation, pk__lt=self.pk)
        siennes = DemandeMotDePasse.objects.filter(compte=self.compte, date_utilisation__isnull=True)
        return siennes.filter(avant, date_creation__gt=self.date_creation - self.DE_PRES).exists()


class Preferences(models.Model):
    ECRITS = ("theme", "parametres")

    compte = models.OneToOneField(Compte, on_delete=models.CASCADE, primary_key=True, related_name="preferences")
    notifications_activees = models.BooleanField(default=True)
    notifications_email = models.BooleanField(default=True)
    notifications_push = models.BooleanField(default=True)
    langue = models.CharField(max_length=2, choices=LANGUES, default="fr")
    theme = models.CharField(max_length=50, default="clair")
    parametres = models.JSONField(default=dict)

    class Meta:
        verbose_name = _("préférences")

    def __str__(self) -> str:
        return "Préférences"

    @classmethod
    def langue_de(cls, compte: Compte) -> str | None:
        """Stored language code of the account, None where it has no preferences row."""
        return cls.objects.filter(compte=compte).values_list("langue", flat=True).first()


def invitation_du_jeton(jeton: str) -> tuple[uuid.UUID, int] | None:
    """`(id, envoi)` of a mailed invitation token, or None."""
    contenu = _verifier("accounts.invitation", jeton)
    identifiant, _, envoi = contenu.partition(".")
    return (uuid.UUID(identifiant), int(envoi)) if contenu else None


def demande_du_jeton(jeton: str) -> uuid.UUID | None:
    contenu = _verifier("accounts.mot-de-passe", jeton)
    return uuid.UUID(contenu) if contenu else None


def _verifier(sel: str, jeton: str) -> str:
    try:
        return signing.Signer(salt=sel).unsign(jeton)
    except signing.BadSignature:
        return ""
