from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.contrib.admin.models import ADDITION
from django.contrib.auth.base_user import BaseUserManager
from django.db import models, transaction
from django.db.models import OuterRef, Q, Subquery
from django.db.models.functions import Lower
from django.utils import timezone

from accounts.journal import noter
from accounts.vocabulaire import StatutInvitation
from socle.audit.registre import consigner
from socle.audit.vocabulaire import Acte, Sorte
from socle.domaine.adresses import canonique, dans_une_question
from socle.domaine.droits import ROLES_HERITES, Droit, Role, roles_ayant
from socle.domaine.recherche import correspond

if TYPE_CHECKING:
    from accounts.models import Compte


def valeurs_stockees(role: str) -> list[str]:
    """A role and the legacy values that mean it."""
    return [role, *(ancien for ancien, actuel in ROLES_HERITES.items() if actuel == role)]


class CompteQuerySet(models.QuerySet["Compte"]):
    def pour_lecture(self) -> "CompteQuerySet":
        demandes: Any = self.model._meta.get_field("adresses_demandees").related_model
        attendue = demandes.objects.en_attente().filter(compte=OuterRef("pk")).values("email")
        return self.annotate(email_en_attente=Subquery(attendue)).order_by("-date_creation", "-id")

    def de_role(self, role: str) -> "CompteQuerySet":
        return self.filter(type_utilisateur__in=valeurs_stockees(role))

    def equipe_active(self) -> "CompteQuerySet":
        """Active accounts whose role can handle a report: few among many, found by the index of roles."""
        return self.filter(type_utilisateur__in=roles_ayant(Droit.SIGNALEMENTS_TRAITER), est_actif=True)

    def a_une_autre_forme(self) -> "list[Any]":
        """Keys of the accounts that nobody finds by their address: it is the other form of somebody else's."""
        ecrites = self.filter(email__regex=r"[^ -~]").order_by().values_list("pk", "email")
        return [pk for pk, email in ecrites if canonique(email) != email]

    def cherches(self, texte: str) -> "CompteQuerySet":
        return self.filter(correspond(dans_une_question(texte), "recherche"))


class CompteManager(BaseUserManager["Compte"].from_queryset(CompteQuerySet)):  # type: ignore[misc]
    def creer(self, *, email: str, mot_de_passe: str | None, **champs: Any) -> "Compte":
        compte = self.model(email=canonique(email), **champs)
        compte.set_password(mot_de_passe)
        compte.dater_l_equipe()
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
        return self.get(email=canonique(email or ""))


class SessionQuerySet(models.QuerySet[Any]):
    def actives(self) -> "SessionQuerySet":
        return self.filter(date_fin__isnull=True, date_expiration__gt=timezone.now())


class DemandeAdresseQuerySet(models.QuerySet[Any]):
    def en_cours(self) -> "DemandeAdresseQuerySet":
        """Confirmed, over or not, of an account that is open."""
        return self.filter(date_expiration__gt=timezone.now(), compte__est_actif=True)

    def en_attente(self) -> "DemandeAdresseQuerySet":
        return self.non_closes().filter(date_expiration__gt=timezone.now())

    def non_closes(self) -> "DemandeAdresseQuerySet":
        """One an account at most, expired or not."""
        return self.filter(date_confirmation__isnull=True, date_fin__isnull=True)


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
