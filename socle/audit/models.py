"""Two tables to which rows are only added; see `protection` for what the database itself refuses."""

from collections.abc import Callable
from datetime import UTC
from typing import Any, Self

from django.db import models
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from socle.audit.vocabulaire import POUR_L_EXPLOITANT, Acte, Sorte
from socle.domaine.acteurs import Acteur
from socle.domaine.registre import Registre

# Seam: words -> (acteur) -> queryset of the ids of what this reader must not learn about: their own case, say.
objets_caches: Registre[Callable[[Acteur], Any]] = Registre("objets cachés au lecteur du registre")
# Seam: `Sorte` -> (acteur) -> queryset of the objects of this kind that are still there and, asked one by one, may be
# told of. Of one that was deleted nobody can say any more from whom it was hidden: what is noted is for operators.
objets_presents: Registre[Callable[[Acteur], Any]] = Registre("objets présents, pour le registre")

# Seam: words -> (acteur) -> queryset of the ids of cases that this reader does not read and may open again: of those
# they learn who decided who reads them, and nothing else.
objets_rouvrables: Registre[Callable[[Acteur], Any]] = Registre("objets que peut rouvrir le lecteur du registre")


class TraceQuerySet(models.QuerySet["Trace"]):
    def visibles_par(self, acteur: Acteur) -> Self:
        """Filter to the rows that this reader of the register may see, the latest first.

        The rest is for operators (`manage.py audit list`).
        """
        lignes = self.exclude(acte__in=POUR_L_EXPLOITANT)
        choix = Q(pk__in=[])
        for _mots, rouvrables in objets_rouvrables.items():
            choix |= Q(acte=Acte.LECTEURS_CHANGES, objet__in=rouvrables(acteur))
        for _mots, caches in objets_caches.items():
            lignes = lignes.exclude(Q(objet__in=caches(acteur)) & ~choix)
        for sorte, presents in objets_presents.items():
            est_la = Exists(presents(acteur).filter(pk=OuterRef("objet")))
            lignes = lignes.filter(~Q(sorte=sorte) | Q(objet__isnull=True) | est_la)
        return lignes.order_by("-date", "-id")


class Trace(models.Model):
    """One act of one person. No foreign key: a trace outlives what it is about."""

    id = models.BigAutoField(primary_key=True)
    date = models.DateTimeField("date", default=timezone.now, editable=False)
    # Of `Acte` and `Sorte`, which are no choices here: a new one is no migration.
    acte = models.CharField("acte", max_length=30)
    # Account of who did it; none where the machine did, or nobody is named.
    acteur = models.UUIDField("acteur", null=True, blank=True)
    role = models.CharField("rôle", max_length=20, blank=True)
    sorte = models.CharField("sorte", max_length=20, blank=True)
    # The case, for whatever belongs to one: its discussions and files are named in `details`.
    objet = models.UUIDField("objet", null=True, blank=True)
    adresse = models.CharField("adresse", max_length=45, blank=True)
    # Request id of the access log.
    requete = models.CharField("requête", max_length=64, blank=True)
    details = models.JSONField("détails", default=dict)

    objects = TraceQuerySet.as_manager()

    class Meta:
        verbose_name = "trace"
        indexes = [
            models.Index(fields=["-date", "-id"], name="trace_date"),
            models.Index(fields=["acteur", "-date", "-id"], name="trace_acteur"),
            models.Index(fields=["objet", "-date", "-id"], condition=Q(objet__isnull=False), name="trace_objet"),
            models.Index(fields=["acte", "-date", "-id"], name="trace_acte"),
        ]

    def __str__(self) -> str:
        return f"{self.acte} ({self.pk})"

    @property
    def acte_lisible(self) -> str:
        return str(Acte(self.acte).label)

    @property
    def sorte_lisible(self) -> str:
        return str(Sorte(self.sorte).label) if self.sorte else ""

    def en_clair(self) -> dict[str, Any]:
        """Every column but the key as JSON values: what is sealed."""
        return {
            "date": self.date.astimezone(UTC).isoformat(),
            "acte": self.acte,
            "acteur": self.acteur and self.acteur.hex,
            "role": self.role,
            "sorte": self.sorte,
            "objet": self.objet and self.objet.hex,
            "adresse": self.adresse,
            "requete": self.requete,
            "details": self.details,
        }


class Sceau(models.Model):
    """A link of the chain: keyed hash of the one before and of a batch of traces, in the order of `traces`."""

    numero = models.BigIntegerField("numéro", primary_key=True)
    date = models.DateTimeField("date", default=timezone.now, editable=False)
    traces = models.JSONField("traces")  # their keys
    precedent = models.CharField("sceau précédent", max_length=64, blank=True)
    empreinte = models.CharField("empreinte", max_length=64)

    class Meta:
        verbose_name = "sceau"
        verbose_name_plural = "sceaux"
        indexes = [models.Index(fields=["date"], name="sceau_date")]

    def __str__(self) -> str:
        return f"{self.numero}:{self.empreinte}"
