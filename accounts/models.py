import re
import uuid
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import unquote

from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser
from django.core import signing
from django.core.validators import RegexValidator
from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _

from accounts.erreurs import CompteEfface
from accounts.querysets import CompteManager, DemandeAdresseQuerySet, InvitationQuerySet, SessionQuerySet
from accounts.vocabulaire import (
    DOMAINE_DES_EFFACES,
    FONCTION_MAX,
    LANGUES,
    MOT_MAX,
    NOMS_MAX,
    RYTHMES,
    MotifFin,
    StatutInvitation,
)
from socle.domaine.adresses import canonique
from socle.domaine.chiffrement import ChampChiffre, empreinte
from socle.domaine.droits import PERMISSIONS_ADMIN, Droit, Role, a_le_droit, role_actuel
from socle.domaine.identite import masquer_ecrits
from socle.domaine.modeles import ModeleBase
from socle.domaine.recherche import indexable
from socle.domaine.ressemblance import mots_d_un_nom, mots_d_une_adresse, ressemble
from socle.domaine.saisie import formes_tapees
from socle.moteur.lectures import LectureRemplie

# Salts of the mailed tokens.
INVITATION, MOT_DE_PASSE = "accounts.invitation", "accounts.mot-de-passe"
ADRESSE_CONFIRMEE, ADRESSE_CONTESTEE = "accounts.adresse", "accounts.adresse-contestee"
ARRET_DES_AVIS = "accounts.arret-des-avis"
ADRESSE_INVITEE, ARRET_D_INVITE = "avis.adresse-invitee", "avis.arret-d-invite"
# Before and after a token, whose letters are those of a signature: [A-Za-z0-9_-], dots and colons inside.
_ALENTOURS = re.compile(r"^[^\w-]+|[^\w-]+$", re.ASCII)


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
    # Since when this person reads every case, as the team does: what was written before is not unread for them. Null
    # for anybody else, and for whoever was of the team before this was kept: `date_creation` stands for it.
    equipe_depuis = models.DateTimeField(null=True, editable=False)
    # Generation counter, raised when every access is ended: an admin cookie is valid for the one it was made under.
    nb_coupures = models.PositiveIntegerField(default=0, db_default=0, editable=False)
    recherche = models.TextField(editable=False, default="")
    # Words of every name and address it has had, in the order in which they came.
    noms_portes = models.TextField(editable=False, default="", db_default="")
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

    @cached_property
    def email_en_attente(self) -> str | None:
        """The address that waits for its confirmation; `pour_lecture` reads it with the row."""
        demandes: Any = DemandeAdresse.objects.en_attente().filter(compte=self).order_by()
        email: str | None = demandes.values_list("email", flat=True).first()
        return email

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

    def dater_l_equipe(self, ancien_role: str | None = None) -> None:
        """Set `equipe_depuis`, unsaved: of a new account its creation, of another the moment its role reads all."""
        if not a_le_droit(self.role, Droit.SIGNALEMENTS_CONSULTER_TOUS):
            self.equipe_depuis = None
        elif ancien_role is None:
            self.equipe_depuis = self.date_creation
        elif not a_le_droit(ancien_role, Droit.SIGNALEMENTS_CONSULTER_TOUS):
            self.equipe_depuis = timezone.now()

    @property
    def jeton_d_arret(self) -> str:
        """Signed token of the link that stops its mails of news; it opens nothing, and lasts as long as the account."""
        return self.jeton_d_arret_de("")

    def jeton_d_arret_de(self, famille: str) -> str:
        """The same for one family of mails, by its name; that without a name is the team's."""
        return signing.Signer(salt=ARRET_DES_AVIS).sign(f"{self.pk.hex}.{famille}" if famille else self.pk.hex)

    def exiger_non_efface(self) -> None:
        if self.date_effacement is not None:
            raise CompteEfface

    def verrouiller(self, *ensuite: LectureRemplie) -> list[Any]:
        """Lock the row and refresh; CompteEfface for an erased one: a request begun before must not name it again."""
        lues = super().verrouiller(*ensuite)
        self.exiger_non_efface()
        return lues

    def doit_un_second_facteur(self, *, prouve: bool) -> bool:
        """True for staff whose sign-in proved no second factor, where STAFF_OTP_REQUIRED: the rule of every door."""
        return bool(settings.STAFF_OTP_REQUIRED) and not prouve and a_le_droit(self.role, Droit.ESPACE_ENTRER)

    def check_password(self, raw_password: str | None) -> bool:
        """Try each form in which the password may have been typed, all of them: time tells what was typed alone.

        An old hash is made anew, by Django, of the form that it is of.
        """
        return any([super(Compte, self).check_password(forme) for forme in formes_tapees(raw_password or "")])

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
        """As e-mail addresses are stored, and so compared."""
        return canonique(super().normalize_username(username))

    def indexer(self) -> None:
        """Keep the search text and `noms_portes` in step (`INDEXES`); call before saving a name or an address."""
        masquer_ecrits(self)
        portes = dict.fromkeys([*self.noms_portes.split(), *sorted(self._noms)])
        self.noms_portes = " ".join(list(portes)[:NOMS_MAX])
        self.recherche = indexable(self.prenom, self.nom, self.prenom, self.email)

    def se_cherche(self, question: str) -> bool:
        """True where a question resembles one of its names, those it had before too."""
        return ressemble(question, self._noms | set(self.noms_portes.split()))

    @property
    def _noms(self) -> set[str]:
        return mots_d_un_nom(self.prenom, self.nom) | mots_d_une_adresse(self.email)


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
    # Of the team alone: fingerprint of the device as its sign-in named it, under the password of then.
    provenance = models.CharField(max_length=64, default="", db_default="", editable=False)
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
            models.Index(fields=["compte", "provenance"], condition=~Q(provenance=""), name="session_provenance"),
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
    ECRITS = ("mot",)

    email = models.EmailField(_("e-mail"), max_length=254)
    type_utilisateur = models.CharField(_("rôle"), max_length=20, choices=Role)
    statut = models.CharField(_("statut"), max_length=20, choices=StatutInvitation, default=StatutInvitation.PENDING)
    expire_le = models.DateTimeField(_("expire le"))
    envoi = models.PositiveIntegerField(_("envoi"), default=1, editable=False)
    # Language of the mail: the sender's, since the invited person's is not known yet.
    langue = models.CharField(max_length=2, choices=LANGUES, default="fr", db_default="fr", editable=False)
    invitee_par = models.ForeignKey(Compte, on_delete=models.PROTECT, related_name="+", verbose_name=_("invitée par"))
    # From who invites to who is invited: it leaves with either of them.
    mot = models.CharField(_("mot"), max_length=MOT_MAX, blank=True, default="", db_default="")
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
        return signing.Signer(salt=INVITATION).sign(f"{self.pk.hex}.{self.envoi}")

    def citer(self) -> dict[str, str]:
        """Context `{mot, mot_de}` of a mail or a page that quotes the word under its author's name; {} without one."""
        return {"mot": self.mot, "mot_de": self.invitee_par.nom_complet} if self.mot else {}


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
        return signing.Signer(salt=MOT_DE_PASSE).sign(self.pk.hex)

    @classmethod
    def annuler(cls, compte: Compte) -> None:
        """Mark the unused links as used: none outlives the password, the address or the activity."""
        cls.objects.filter(compte=compte, date_utilisation__isnull=True).update(date_utilisation=timezone.now())

    def suit_de_pres(self) -> bool:
        """True where this request follows another of the account, unused, made within the `DE_PRES` before."""
        avant = Q(date_creation__lt=self.date_creation) | Q(date_creation=self.date_creation, pk__lt=self.pk)
        siennes = DemandeMotDePasse.objects.filter(compte=self.compte, date_utilisation__isnull=True)
        return siennes.filter(avant, date_creation__gt=self.date_creation - self.DE_PRES).exists()


class DemandeAdresse(models.Model):
    """Another address wanted for an account: it counts once the link mailed there confirms it.

    Confirmed or over, the row stays until it expires: who reads the former address may contest until then.
    """

    DUREE = timedelta(days=7)

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    compte = models.ForeignKey(
        Compte, on_delete=models.CASCADE, related_name="adresses_demandees", verbose_name=_("compte")
    )
    par = models.ForeignKey(Compte, on_delete=models.CASCADE, related_name="+", verbose_name=_("par"))
    email = models.EmailField(_("e-mail"), max_length=254)
    ancienne = models.EmailField(max_length=254)
    date_creation = models.DateTimeField(default=timezone.now, editable=False)
    date_expiration = models.DateTimeField()
    date_confirmation = models.DateTimeField(null=True)
    date_contestation = models.DateTimeField(null=True)
    date_fin = models.DateTimeField(null=True)  # since when its link opens nothing, unconfirmed

    objects = DemandeAdresseQuerySet.as_manager()

    class Meta:
        verbose_name = _("demande d'adresse")
        constraints = [
            models.UniqueConstraint(
                fields=["compte"],
                condition=Q(date_confirmation__isnull=True, date_fin__isnull=True),
                name="adresse_en_attente_unique",
            ),
            models.CheckConstraint(condition=Q(email=Lower("email")), name="adresse_en_attente_minuscule"),
        ]
        indexes = [models.Index(fields=["date_expiration"], name="adresse_expiration")]

    def __str__(self) -> str:
        return f"Demande du {self.date_creation:%d/%m/%Y}"

    @property
    def jeton(self) -> str:
        return signing.Signer(salt=ADRESSE_CONFIRMEE).sign(self.pk.hex)

    @property
    def jeton_de_contestation(self) -> str:
        """Token for who reads the former address: it opens nothing, and changes nothing."""
        return signing.Signer(salt=ADRESSE_CONTESTEE).sign(self.pk.hex)


class DemandeEffacement(models.Model):
    """A person who asks to be erased, until it is done or taken back: one row an account."""

    compte = models.OneToOneField(Compte, on_delete=models.CASCADE, primary_key=True, related_name="+")
    date_creation = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        verbose_name = _("demande d'effacement")
        indexes = [models.Index(fields=["date_creation", "compte"], name="effacement_demande_date")]

    def __str__(self) -> str:
        return f"Demande du {self.date_creation:%d/%m/%Y}"


class Preferences(models.Model):
    ECRITS = ("theme", "parametres", "fonction")
    # Mails about what concerns oneself, off until they are asked for: one's own cases, one's events, one's posts.
    E_MAILS = ("avis_dossiers", "avis_evenements", "avis_publications")

    compte = models.OneToOneField(Compte, on_delete=models.CASCADE, primary_key=True, related_name="preferences")
    notifications_activees = models.BooleanField(default=True)
    notifications_email = models.BooleanField(default=True)
    notifications_push = models.BooleanField(default=True)
    langue = models.CharField(max_length=2, choices=LANGUES, default="fr")
    theme = models.CharField(max_length=50, default="clair")
    parametres = models.JSONField(default=dict)
    # Nature of a notice -> Rythme, of those that were chosen.
    avis = models.JSONField(default=dict, db_default={})
    avis_dossiers = models.BooleanField(default=False, db_default=False)
    avis_evenements = models.BooleanField(default=False, db_default=False)
    avis_publications = models.BooleanField(default=False, db_default=False)
    # Of the staff: named, by what they do, to whoever reports, who may say that this person is not to read it.
    parait_au_portail = models.BooleanField(default=False, db_default=False)
    fonction = models.CharField(max_length=FONCTION_MAX, default="", db_default="", blank=True)

    class Meta:
        verbose_name = _("préférences")
        indexes = [
            models.Index(fields=["compte"], condition=Q(parait_au_portail=True), name="preferences_parait_au_portail")
        ]

    def __str__(self) -> str:
        return "Préférences"

    @classmethod
    def langue_de(cls, compte: Compte) -> str | None:
        """Stored language code of the account, None where it has no preferences row."""
        return cls.objects.filter(compte=compte).values_list("langue", flat=True).first()

    @property
    def rythmes(self) -> dict[str, str]:
        """Rythme of each nature of notice: as chosen, else the default."""
        return {nature: self.avis.get(nature, rythme) for nature, rythme in RYTHMES.items()}

    @property
    def admet_les_e_mails(self) -> bool:
        """True where mails of information may go: those of the account's security always do."""
        return self.notifications_activees and self.notifications_email


def invitation_du_jeton(jeton: str) -> tuple[uuid.UUID, int] | None:
    """`(id, envoi)` of a mailed invitation token, or None."""
    contenu = _verifier(INVITATION, jeton)
    identifiant, _, envoi = contenu.partition(".")
    return (uuid.UUID(identifiant), int(envoi)) if contenu else None


def ligne_du_jeton(sel: str, jeton: str) -> uuid.UUID | None:
    """Key of the row that a mailed token, signed with this salt, names, or None."""
    contenu = _verifier(sel, jeton)
    return uuid.UUID(contenu) if contenu else None


def arret_du_jeton(jeton: str) -> tuple[uuid.UUID, str] | None:
    """`(key of the account, name of the family)` of a token that stops mails, or None."""
    identifiant, _, famille = _verifier(ARRET_DES_AVIS, jeton).partition(".")
    return (uuid.UUID(identifiant), famille) if identifiant else None


def est_incomplet(jeton: str) -> bool:
    """True for a mailed token that none of our signatures ends: cut, or copied with something else."""
    sels = (INVITATION, MOT_DE_PASSE, ADRESSE_CONFIRMEE, ADRESSE_CONTESTEE)
    des_avis = (ARRET_DES_AVIS, ADRESSE_INVITEE, ARRET_D_INVITE)
    return not any(_verifier(sel, jeton) for sel in (*sels, *des_avis))


def _verifier(sel: str, jeton: str) -> str:
    try:
        return signing.Signer(salt=sel).unsign(_tel_qu_envoye(jeton))
    except signing.BadSignature:
        return ""


def _tel_qu_envoye(jeton: str) -> str:
    """The token, out of what mail programs and people make of a link: encoded again, quoted, before a full stop."""
    for _fois in range(2):
        jeton = unquote(jeton)
    return _ALENTOURS.sub("", jeton)
