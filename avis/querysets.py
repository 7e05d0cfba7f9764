from datetime import datetime
from typing import Any

from django.db import models
from django.db.models import Exists, OuterRef, Q

from avis.vocabulaire import ABANDON, ESSAIS, GARDE, GARDE_DES_CLOS, REFUS_MAX, VALIDITE_DU_LIEN
from guests.vocabulaire import StatutInvite
from signalements.models import Signalement


class AvisQuerySet(models.QuerySet[Any]):
    def a_adresser(self) -> "AvisQuerySet":
        return self.filter(est_adresse=False).order_by("date_creation", "id")

    def dus(self, maintenant: datetime) -> "AvisQuerySet":
        """Rows that no mail has taken, whose time has come."""
        return self.filter(est_adresse=True, courrier__isnull=True, du__lte=maintenant)

    def avec_leur_personne(self) -> "AvisQuerySet":
        """Its account or its session with each, but the number of a guest, which a lost key would not open."""
        return self.select_related("destinataire", "invite").defer("invite__telephone")

    def a_envoyer(self, courrier: Any) -> "AvisQuerySet":
        return self.filter(courrier=courrier, date_envoi__isnull=True)

    def en_route(self, maintenant: datetime) -> "AvisQuerySet":
        """Rows of mails that no server has taken, and whose tries are not over."""
        return self.filter(courrier__isnull=False, date_envoi__isnull=True, du__gt=maintenant - ESSAIS)

    def de(self, compte: Any) -> "AvisQuerySet":
        return self.filter(destinataire=compte).order_by("-date_creation", "-id")

    def perimes(self, maintenant: datetime) -> "AvisQuerySet":
        """A day after the mail, or after what nobody is mailed of; and what no server took for a week."""
        finis = models.Q(date_envoi__lt=maintenant - GARDE)
        tus = models.Q(du__isnull=True, courrier__isnull=True)
        vains = models.Q(date_creation__lt=maintenant - ABANDON)
        anciens = self.filter(est_adresse=True, date_creation__lt=maintenant - GARDE)
        return anciens.filter(finis | tus | vains).order_by()


class AdresseInviteeQuerySet(models.QuerySet[Any]):
    def ouvertes(self) -> "AdresseInviteeQuerySet":
        """Confirmed, not silenced, of sessions that still open."""
        confirmees = self.filter(date_confirmation__isnull=False, refus__lt=REFUS_MAX)
        return confirmees.filter(session__statut=StatutInvite.ACTIVE)

    def a_confirmer(self, maintenant: datetime) -> "AdresseInviteeQuerySet":
        """Filter to those whose link is valid, used or not: a second click leads where the first did."""
        return self.filter(date_demande__gt=maintenant - VALIDITE_DU_LIEN, session__statut=StatutInvite.ACTIVE)

    def perimees(self, maintenant: datetime) -> "AdresseInviteeQuerySet":
        """Never confirmed in time; or of guests all of whose cases have been closed for a month, or who have none."""
        limite = maintenant - GARDE_DES_CLOS
        encore = Q(date_cloture__isnull=True) | Q(date_cloture__gte=limite)
        suivis = Signalement._base_manager.order_by().filter(encore, invite=OuterRef("session"))
        jamais = Q(date_confirmation__isnull=True, date_demande__lte=maintenant - VALIDITE_DU_LIEN)
        return self.filter(jamais | (Q(date_demande__lt=limite) & ~Exists(suivis))).order_by()
