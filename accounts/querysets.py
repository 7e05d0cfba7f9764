from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.contrib.admin.models import ADDITION
from django.contrib.auth.base_user import BaseUserManager
from django.db import models, transaction
from django.db.models import Q
from django.db.models.functions import Lower
from django.utils import timezone

from accounts.journal import noter
from accounts.vocabulaire import StatutInvitation
from socle.audit.registre import consigner
from socle.audit.vocabulaire import Acte, Sorte
from socle.domaine.droits import ROLES_HERITES, Droit, Role, roles_ayant
from socle.domaine.texte import normaliser

if TYPE_CHECKING:
    from accounts.models import Compte


def valeurs_stockees(role: str) -> list[str]:
    """A role and the legacy values that mean it."""
    return [role, *(ancien for ancien, actuel in ROLES_HERITES.items() if actuel == role)]


class CompteQuerySet(models.QuerySet["Compte"]):
    def pour_lecture(self) -> "CompteQuerySet":
        return self.order_by("-date_creation", "-id")

    def de_role(self, role: str) -> "CompteQuerySet":
        return self.filter(type_utilisateur__in=valeurs_stockees(role))

    def equipe_active(self) -> "CompteQuerySet":
        """Active accounts whose role can handle a report: few among many, found by the index of roles."""
        return self.filter(type_utilisateur__in=roles_ayant(Droit.SIGNALEMENTS_TRAITER), est_actif=True)

    def cherches(self, texte: str) -> "CompteQuerySet":
        return self.filter(recherche__contains=normaliser(texte))


class CompteManager(BaseUserManager["Compte"].from_queryset(CompteQuerySet)):  # type: ignore[misc]
    def creer(self, *, email: str, mot_de_passe: str | None, **champs: Any) -> "Compte":
        compte = self.model(email=email.strip().lower(), **champs)
        compte.set_password(mot_de_passe)
        compte.indexer()
        compte.save(force_insert=True)
        return compte

    @transaction.atomic
    def create_superuser(self, email: str, password: str | None = None, **champs: Any) -> "Compte":
        """Insert an ADMIN_SYSTEME, journaled and recorded, for `manage.py createsuperuser`."""
        compte = self.creer(email=email, mot_de_passe=password, type_utilisateur=Role.ADMIN_SYSTEME, **champs)
        noter(compte, compte.valeurs_de_depart, par=None, acte=ADDITION)
        consigner(Acte.COMPTE_CREE, par=None, objet=compte.pk, sorte=Sorte.COMPTE, role=compte.role)
        return compte

    def get_by_natural_key(self, email: str | None) -> "Compte":
        return self.get(email=(email or "").strip().lower())


class SessionQuerySet(models.QuerySet[Any]):
    def actives(self) -> "SessionQuerySet":
        return self.filter(date_fin__isnull=True, date_expiration__gt=timezone.now())


class InvitationQuerySet(models.QuerySet[Any]):
    def pour_lecture(self) -> "InvitationQuerySet":
        return self.order_by("-date_creation", "-id")

    def en_attente(self, maintenant: datetime | None = None) -> "InvitationQuerySet":
        return self.filter(statut=StatutInvitation.PENDING, expire_le__gt=maintenant or timezone.now())

    def ouvertes_pour(self, email: str) -> "InvitationQuerySet":
        """At most one row: the PENDING invitation of this address, expired or not, by its partial unique index."""
        return self.alias(adresse=Lower("email")).filter(adresse=email.lower(), statut=StatutInvitation.PENDING)

    def de_statut(self, statut: str) -> "InvitationQuerySet":
        """Filter by the status as shown: PENDING past its date counts as EXPIRED."""
        if statut == StatutInvitation.PENDING:
            return self.en_attente()
        if statut == StatutInvitation.EXPIRED:
            passees = Q(statut=StatutInvitation.PENDING, expire_le__lte=timezone.now())
            return self.filter(passees | Q(statut=StatutInvitation.EXPIRED))
        return self.filter(statut=statut)
