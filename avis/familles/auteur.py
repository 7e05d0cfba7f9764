"""Authors of cases, who asked for it: one neutral mail a day at most, at a minute of their own, never soon.

Whoever writes to a case without a name must not see whose phone lights up.
"""

from collections.abc import Callable, Sequence
from datetime import datetime

from django.utils.translation import gettext_lazy as _

from accounts.models import Compte, Preferences
from accounts.services import comptes
from avis.cadences import cadences, prochaine_minute
from avis.familles.base import FamilleDeDossiers
from avis.familles.boites import Boite, boite_de_l_invite, boite_du_compte
from avis.models import AdresseInvitee, Avis, Cadence
from avis.vocabulaire import RETENUE, NatureSuite
from guests.models import SessionInvitee
from signalements.models import Signalement
from socle.courriel import est_remis
from socle.domaine.acteurs import Acteur, ActeurCompte, ActeurInvite
from socle.domaine.registre import Registre

# "portail" -> (account, since) -> True where its person has been in their own space since.
visites: Registre[Callable[[Compte, datetime], bool]] = Registre("visites d'un compte", attendus=["portail"])


class Auteur(FamilleDeDossiers):
    natures = frozenset(NatureSuite.values)
    ce_qui_s_arrete = _(
        "Aucun e-mail ne vous dira plus qu'il y a du nouveau. Vous pourrez en redemander dans le service."
    )

    def adresser(self, ligne: Avis, objet: Signalement) -> None:
        """Write the row of its owner, if they asked for it; one that waits stands for both, until they come."""
        tenue = self._tenue(objet)
        if tenue is None:
            return
        en_attente = Avis.objects.avec_leur_personne().filter(
            nature=ligne.nature, objet=objet.pk, est_adresse=True, courrier=None, **tenue.ses_avis
        )
        if (premiere := en_attente.first()) is not None:
            if premiere.du is not None and not _est_venue(premiere.personne, premiere.date_creation):
                return
            premiere.delete()
        Avis.objects.create(
            nature=ligne.nature,
            objet=objet.pk,
            date_creation=ligne.date_creation,
            est_adresse=True,
            destinataire_id=tenue.ses_avis.get("destinataire"),
            invite_id=tenue.ses_avis.get("invite"),
            du=prochaine_minute(ligne.date_creation + RETENUE, tenue.minute),
        )

    def _tenue(self, dossier: Signalement) -> Cadence | AdresseInvitee | None:
        """The pace of the owner of this case; None where they are to be told of nothing."""
        if dossier.compte_id is None:
            ouvertes = AdresseInvitee.objects.ouvertes()
            adresse: AdresseInvitee | None = ouvertes.filter(session=dossier.invite_id).first()
            return adresse
        compte = Compte.objects.get(pk=dossier.compte_id)
        if not _veut(compte):
            return None
        cadence = cadences([compte.pk])[compte.pk]
        return None if cadence.se_tait(compte.email) else cadence

    def boite(self, personne: Compte | SessionInvitee) -> Boite | None:
        """None too where no mail is delivered."""
        if not est_remis():
            return None
        if isinstance(personne, SessionInvitee):
            adresse = AdresseInvitee.objects.ouvertes().filter(session=personne).first()
            return boite_de_l_invite(adresse) if adresse is not None and adresse.lue is not None else None
        cadence = cadences([personne.pk])[personne.pk]
        if not _veut(personne) or cadence.se_tait(personne.email):
            return None
        return boite_du_compte(personne, self.nom, cadence)

    def a_dire(self, personne: Compte | SessionInvitee, lignes: Sequence[Avis]) -> list[Avis]:
        """Filter to their own cases in which a message waits, or that they have not come to see since.

        What an act was is not kept: news that is not a message is seen by coming. A case read by an application alone
        is not known of, and told.
        """
        acteur = _acteur(personne)
        cles = {un.objet for un in lignes}
        siens = {un.pk: un for un in Signalement.objects.pour_lecture(acteur).de(acteur).filter(pk__in=cles)}
        return [
            un
            for un in lignes
            if un.objet in siens
            and (siens[un.objet].messages_non_lus_count or not _est_venue(personne, un.date_creation))
        ]

    def arreter(self, compte: Compte) -> None:
        comptes.modifier_preferences(compte=compte, avis_dossiers=False)


def _veut(compte: Compte) -> bool:
    """True where its person asked for these mails, at an address that is shown to be theirs."""
    preferences = Preferences.objects.filter(compte=compte).first()
    if preferences is None or not (compte.est_actif and compte.email_verifie):
        return False
    return preferences.avis_dossiers and preferences.admet_les_e_mails


def _acteur(personne: Compte | SessionInvitee) -> Acteur:
    return ActeurInvite(invite=personne) if isinstance(personne, SessionInvitee) else ActeurCompte(compte=personne)


def _est_venue(personne: Compte | SessionInvitee, depuis: datetime) -> bool:
    if isinstance(personne, SessionInvitee):
        return personne.date_derniere_activite > depuis
    return visites["portail"](personne, depuis)
