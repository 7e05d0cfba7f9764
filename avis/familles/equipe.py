"""The team: each member as they chose, of the cases that they read, in a mail that says nothing of them."""

from collections.abc import Sequence
from datetime import datetime

from django.utils.translation import gettext_lazy as _

from accounts.models import Compte, Preferences
from accounts.services import comptes
from accounts.vocabulaire import NatureAvis, Rythme
from avis import destinataires
from avis.cadences import cadences, prochaine_minute, tout_de_suite
from avis.familles.base import FamilleDeDossiers
from avis.models import Avis, Cadence
from avis.vocabulaire import EVENEMENT, canal_de
from signalements.models import Signalement
from socle.moteur.ecritures import ENSEMBLE_MAX, inserer
from socle.realtime.diffusion import publier


class Equipe(FamilleDeDossiers):
    natures = frozenset(NatureAvis.values)
    pour_qui = _("À l'équipe, d'un dossier")
    ce_qui_s_arrete = _(
        "Aucun e-mail ne vous dira plus qu'il y a du nouveau. Vous pourrez en redemander dans « Mon compte »."
    )

    def adresser(self, ligne: Avis, objet: Signalement) -> None:
        membres = destinataires.de(ligne, objet)
        if not membres:
            return
        cles = [compte.pk for compte in membres]
        siennes = cadences(cles)
        avis = [ligne.pour(objet.pk, compte, _du(ligne, compte, siennes[compte.pk])) for compte in membres]
        # By prepared statements: one of all their columns as arrays takes the processor three times as long.
        for debut in range(0, len(avis), ENSEMBLE_MAX):
            inserer(*avis[debut : debut + ENSEMBLE_MAX], sauf_conflit=True)
        charge = {"nature": ligne.nature, "signalementId": str(objet.pk), "date": ligne.date_creation}
        publier(EVENEMENT, [canal_de(cle) for cle in cles], charge)

    def a_dire(self, personne: Compte, lignes: Sequence[Avis]) -> list[Avis]:
        dossiers = destinataires.connus_par(personne, lignes) | destinataires.lisibles(personne, lignes)
        return destinataires.encore_a_dire(personne, lignes, dossiers)

    def arreter(self, compte: Compte) -> None:
        comptes.modifier_preferences(compte=compte, avis=dict.fromkeys(NatureAvis.values, Rythme.JAMAIS.value))


def _du(ligne: Avis, compte: Compte, cadence: Cadence) -> datetime | None:
    """Moment before which the mail does not leave; None for whom it never does."""
    preferences = getattr(compte, "preferences", None) or Preferences()
    rythme = preferences.rythmes[ligne.nature]
    if rythme == Rythme.JAMAIS or not preferences.admet_les_e_mails:
        return None
    if rythme == Rythme.IMMEDIAT:
        return tout_de_suite(ligne.date_creation)
    return prochaine_minute(ligne.date_creation, cadence.minute)
