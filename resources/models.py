from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from accounts.vocabulaire import LANGUES
from resources.erreurs import FichierReserve
from resources.noms import nom_neutre
from resources.querysets import AideQuerySet, FichierQuerySet, RessourceQuerySet
from resources.vocabulaire import CATEGORIES_DE_FAQ, CONTACTS_MAX, FAQS_MAX, LOCAL, OCTETS, TYPES_SERVIS, Portee
from socle.domaine.acteurs import Acteur
from socle.domaine.identite import masquer_ecrits
from socle.domaine.modeles import AvecActeur, ModeleBase
from socle.domaine.recherche import indexable
from socle.domaine.texte import normaliser

VIVANTE = Q(date_suppression__isnull=True)
SUPPRIMEE = Q(date_suppression__isnull=False)  # SQLite does not see it in a negation


class Fichier(ModeleBase, AvecActeur):
    """An uploaded file. The row is inserted after the file is stored, and deleted before it: it is never without."""

    ECRITS = ("nom",)

    nom = models.CharField(_("nom"), max_length=255)
    type_mime = models.CharField(_("type"), max_length=100)
    taille = models.PositiveBigIntegerField(_("taille"))
    seau = models.CharField(_("rangé dans"), max_length=63, default=LOCAL)
    # Key in the store: random, so that no name tells anything.
    cle = models.CharField(max_length=80, unique=True, editable=False)
    metadonnees_retirees = models.BooleanField(_("métadonnées retirées"), default=False)
    portee = models.CharField(max_length=8, choices=Portee, default=Portee.LIBRE, editable=False)
    # Set on evidence alone, which is kept for a time; any other file goes at once.
    date_suppression = models.DateTimeField(_("supprimé le"), null=True, blank=True, editable=False)
    recherche = models.TextField(editable=False, default="")

    objects = FichierQuerySet.as_manager()

    class Meta(AvecActeur.Meta):
        verbose_name = _("fichier")
        constraints = [
            *AvecActeur.Meta.constraints,
            models.CheckConstraint(condition=Q(taille__gt=0), name="fichier_jamais_vide"),
            models.CheckConstraint(condition=Q(portee__in=Portee.values), name="fichier_portee_connue"),
        ]
        indexes = [
            models.Index(fields=["-date_creation", "-id"], name="fichier_date"),
            models.Index(fields=["compte"], condition=Q(compte__isnull=False), name="fichier_compte"),
            models.Index(fields=["invite"], condition=Q(invite__isnull=False), name="fichier_invite"),
            models.Index(fields=["fusionne_de"], condition=Q(fusionne_de__isnull=False), name="fichier_fusionne_de"),
            models.Index(
                fields=["date_creation", "id"],
                condition=VIVANTE & Q(portee=Portee.LIBRE),
                name="fichier_libre_date",
            ),
            models.Index(fields=["date_suppression", "id"], condition=SUPPRIMEE, name="fichier_supprime_date"),
        ]

    def __str__(self) -> str:
        return self.nom_d_autrui

    def indexer(self) -> None:
        """Recompute the search text; call before saving a name or a reach. No author in it: a report may hide them."""
        masquer_ecrits(self)
        self.recherche = indexable(self.nom_d_autrui)

    @property
    def nom_d_autrui(self) -> str:
        """Name for others than its owner: its own where OUVERTE, else a neutral one, since it may say who they are."""
        return self.nom if self.portee == Portee.OUVERTE else nom_neutre(self.pk, self.nom, self.type_mime)

    def nom_pour(self, acteur: Acteur | None) -> str:
        return self.nom if acteur is not None and acteur.possede(self) else self.nom_d_autrui

    def destiner(self, portee: Portee) -> None:
        """Set the reach on attaching, unsaved, under the row lock; 409 where it would tie a hidden author to more."""
        if self.portee == Portee.ANONYME or (portee == Portee.ANONYME and self.portee != Portee.LIBRE):
            raise FichierReserve
        self.portee = portee
        self.indexer()

    @property
    def est_supprime(self) -> bool:
        return self.date_suppression is not None

    @property
    def type_servi(self) -> str:
        return self.type_mime if self.type_mime in TYPES_SERVIS else OCTETS


class Attache(models.Model):
    """One use of a file: `objet` is the id of a row of a higher app, and `sorte` names its kind."""

    fichier = models.ForeignKey(Fichier, on_delete=models.CASCADE, related_name="attaches", db_index=False)
    sorte = models.CharField(max_length=20)
    objet = models.UUIDField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["fichier", "sorte", "objet"], name="attache_unique")]

    def __str__(self) -> str:
        return f"{self.sorte} {self.objet}"


class Ressource(ModeleBase):
    """A document of the library: a file of ours, or a link elsewhere."""

    ECRITS = ("titre", "description", "seau", "url_publique", "url_telechargement", "nom_fichier", "type_mime")

    titre = models.CharField(_("titre"), max_length=255)
    description = models.TextField(_("description"), blank=True)
    categorie = models.CharField(_("catégorie"), max_length=50)
    fichier = models.ForeignKey(
        Fichier, null=True, blank=True, on_delete=models.SET_NULL, related_name="+", verbose_name=_("fichier")
    )
    seau = models.CharField(max_length=255, blank=True, editable=False)
    url_publique = models.URLField(_("adresse publique"), max_length=2048, blank=True)
    url_telechargement = models.URLField(_("adresse de téléchargement"), max_length=2048, blank=True)
    nom_fichier = models.CharField(_("nom du fichier"), max_length=255, blank=True)
    type_mime = models.CharField(_("type"), max_length=100, blank=True)
    taille = models.PositiveBigIntegerField(_("taille"), default=0)
    cree_par = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", verbose_name=_("ajoutée par")
    )
    date_suppression = models.DateTimeField(_("supprimée le"), null=True, blank=True, editable=False)
    titre_tri = models.CharField(max_length=255, editable=False)
    recherche = models.TextField(editable=False, default="")

    objects = RessourceQuerySet.as_manager()

    class Meta:
        verbose_name = _("ressource")
        indexes = [
            models.Index(fields=champs, condition=VIVANTE, name=f"ressource_{nom}")
            for nom, champs in {
                "date": ["date_creation", "id"],
                "titre": ["titre_tri", "id"],
                "taille": ["taille", "id"],
                "categorie_date": ["categorie", "date_creation", "id"],
                "categorie_titre": ["categorie", "titre_tri", "id"],
                "categorie_taille": ["categorie", "taille", "id"],
            }.items()
        ] + [models.Index(fields=["date_creation", "id"], condition=~VIVANTE, name="ressource_supprimee_date")]

    def __str__(self) -> str:
        return self.titre

    def indexer(self) -> None:
        """Recompute sort key and search text; call before saving the texts."""
        masquer_ecrits(self)
        self.titre_tri = normaliser(self.titre)[:255]
        self.recherche = indexable(self.titre, self.description, self.nom_fichier)

    def reprendre(self, fichier: Fichier) -> None:
        """Copy bucket, name, type and size from this file, and clear the addresses."""
        self.fichier, self.seau = fichier, fichier.seau
        self.nom_fichier, self.type_mime, self.taille = fichier.nom, fichier.type_mime, fichier.taille
        self.url_publique = self.url_telechargement = ""

    @property
    def est_supprimee(self) -> bool:
        return self.date_suppression is not None

    def possede_par(self, compte: Any) -> bool:
        return bool(self.cree_par_id == compte.pk)


class EntreeDAide(ModeleBase):
    """Abstract help entry: written by the team for everybody to read, in an order that it chooses."""

    VISIBLE: str  # the flag that shows it
    MAXIMUM: int

    ordre = models.PositiveSmallIntegerField(
        _("ordre"), validators=[MaxValueValidator(9999)], help_text=_("Les plus petits d'abord.")
    )
    # Shown to who reads in it; "": to everybody. None of today's has one.
    langue = models.CharField(
        _("langue"),
        max_length=2,
        blank=True,
        default="",
        db_default="",
        choices=[("", _("Toutes")), *LANGUES],
        help_text=_(
            "Sur la page « Aide » du portail : pour qui lit dans cette langue. Sans rien dans la sienne, on lit tout."
        ),
    )
    recherche = models.TextField(editable=False, default="")

    objects = AideQuerySet.as_manager()

    class Meta:
        abstract = True

    @property
    def est_montree(self) -> bool:
        return bool(getattr(self, self.VISIBLE))

    def clean(self) -> None:
        self.exiger_de_la_place()

    def exiger_de_la_place(self) -> None:
        """ValidationError past MAXIMUM shown entries: the list goes out whole, so none is left out without a word."""
        autres = type(self)._default_manager.montrees().exclude(pk=self.pk)
        if self.est_montree and autres.count() >= self.MAXIMUM:
            texte = _("%(n)d entrées sont déjà montrées, c'est le maximum : retirez-en une d'abord.")
            raise ValidationError(texte % {"n": self.MAXIMUM})


class Faq(EntreeDAide):
    VISIBLE, MAXIMUM = "publiee", FAQS_MAX
    ECRITS = ("question", "reponse")

    question = models.CharField(_("question"), max_length=255)
    reponse = models.TextField(_("réponse"), max_length=5_000)
    categorie = models.CharField(_("catégorie"), max_length=50, default=CATEGORIES_DE_FAQ[0])
    publiee = models.BooleanField(_("publiée"), default=False)

    class Meta:
        verbose_name = _("question fréquente")
        verbose_name_plural = _("questions fréquentes")
        indexes = [models.Index(fields=["ordre", "id"], condition=Q(publiee=True), name="faq_publiee")]

    def __str__(self) -> str:
        return self.question

    def indexer(self) -> None:
        masquer_ecrits(self)
        self.recherche = indexable(self.question, self.reponse, self.categorie)


class ContactUrgence(EntreeDAide):
    VISIBLE, MAXIMUM = "actif", CONTACTS_MAX
    ECRITS = ("nom", "description", "telephone", "email", "disponibilite")

    nom = models.CharField(_("nom"), max_length=255)
    description = models.TextField(_("description"), max_length=1_000, blank=True)
    # Public numbers, kept and shown as they are written: 112, 15, +243 812 345 621, poste 4512.
    telephone = models.CharField(_("téléphone"), max_length=64, blank=True)
    email = models.EmailField(_("e-mail"), max_length=254, blank=True)
    disponibilite = models.CharField(_("disponibilité"), max_length=255, blank=True)
    actif = models.BooleanField(_("actif"), default=True)

    class Meta:
        verbose_name = _("contact d'urgence")
        verbose_name_plural = _("contacts d'urgence")
        constraints = [
            models.CheckConstraint(
                condition=~Q(telephone="", email=""),
                name="contact_urgence_joignable",
                violation_error_message=_("Donnez un téléphone ou un e-mail."),
            )
        ]
        indexes = [models.Index(fields=["ordre", "id"], condition=Q(actif=True), name="contact_urgence_actif")]

    def __str__(self) -> str:
        return self.nom

    def indexer(self) -> None:
        masquer_ecrits(self)
        self.recherche = indexable(self.nom, self.description, self.telephone, self.email)
