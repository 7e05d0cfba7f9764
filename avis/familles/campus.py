"""Participants of events and authors of posts: mailed where they ticked it, of what they then find by name."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple
from uuid import UUID

from django.conf import settings
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.models import Compte, Preferences
from accounts.services import comptes
from avis.cadences import cadences, minute_de_ce_jour, tout_de_suite
from avis.familles.base import Famille
from avis.models import Avis, Cadence
from avis.vocabulaire import EVENEMENT, NOMMES_MAX, PERSONNES_PAR_LOT, NatureCampus, canal_de
from calendrier import ics
from calendrier.models import EvenementCampus, Participation
from calendrier.vocabulaire import StatutParticipation
from forum.models import Poste
from forum.vocabulaire import PUBLICS, REFUSES
from socle.domaine.temps import jour_du_campus
from socle.pages.mails import Piece
from socle.realtime.diffusion import publier

# What is said of an event, the first of those that are true: whoever has a place need not be told that it changed.
PHRASES = {
    NatureCampus.EVENEMENT_ANNULE: _("Un événement auquel vous êtes inscrit·e est annulé."),
    NatureCampus.PLACE_OBTENUE: _("Une place s'est libérée pour vous : votre inscription est confirmée."),
    NatureCampus.EVENEMENT_MODIFIE: _("Un événement auquel vous êtes inscrit·e a changé."),
    NatureCampus.EVENEMENT_DEMAIN: _("Un événement auquel vous êtes inscrit·e a lieu demain."),
}

# The same of one that is never named, nor when it is.
PHRASES_DISCRETES = {
    **PHRASES,
    NatureCampus.EVENEMENT_DEMAIN: _("Un événement auquel vous êtes inscrit·e approche."),
}


class EvenementDit(NamedTuple):
    phrase: Any
    evenement: EvenementCampus | None  # None: it is never named


class PublicationDite(NamedTuple):
    poste: Poste
    est_en_ligne: bool


class DuCampus(Famille):
    """Off until a preference is ticked, and to an address that a mailed link has confirmed: another is anybody's."""

    preference: str

    def arreter(self, compte: Compte) -> None:
        comptes.modifier_preferences(compte=compte, **{self.preference: False})

    def est_voulue(self, compte: Compte, preferences: Preferences | None) -> bool:
        voulue = preferences is not None and preferences.admet_les_e_mails and getattr(preferences, self.preference)
        return bool(voulue) and compte.est_actif and compte.email_verifie

    def est_encore_voulue(self, compte: Compte) -> bool:
        return self.est_voulue(compte, Preferences.objects.filter(compte=compte).first())

    def ecrire(self, ligne: Avis, personnes: list[Compte], cle: str) -> None:
        """One row a person, with a mail for whom it is wanted, and the event with the id under the name `cle`.

        A row that waits for a mail is of this moment now; one that waits for none gives way to another.
        """
        preferences = Preferences.objects.in_bulk([compte.pk for compte in personnes])
        voulus = {compte.pk for compte in personnes if self.est_voulue(compte, preferences.get(compte.pk))}
        siennes = cadences(voulus)
        attendent = Avis.objects.filter(
            destinataire__in=personnes, objet=ligne.objet, nature=ligne.nature, est_adresse=True, courrier__isnull=True
        )
        attendent.filter(du__isnull=False).update(date_creation=ligne.date_creation)
        attendent.filter(du__isnull=True).delete()
        Avis.objects.bulk_create(
            [
                ligne.pour(ligne.objet, compte, _du(ligne, siennes[compte.pk]) if compte.pk in voulus else None)
                for compte in personnes
            ],
            ignore_conflicts=True,
        )
        charge = {"nature": ligne.nature, cle: str(ligne.objet), "date": ligne.date_creation}
        publier(EVENEMENT, [canal_de(compte.pk) for compte in personnes], charge)


class Evenements(DuCampus):
    nom = "evenements"
    natures = frozenset(PHRASES)
    modele = "avis_evenements"
    pour_qui = _("À qui est inscrit à un événement, et l'a demandé")
    preference = "avis_evenements"
    ce_qui_s_arrete = _(
        "Aucun e-mail ne vous parlera plus de vos événements. Vous pourrez en redemander dans « Mon compte »."
    )

    def tenir(self, ligne: Avis) -> EvenementCampus | None:
        """Without a lock: any account may read any event, and nobody loses one."""
        evenement: EvenementCampus | None = EvenementCampus.objects.filter(pk=ligne.objet).first()
        return None if evenement is None or evenement.est_termine else evenement

    def adresser(self, ligne: Avis, objet: EvenementCampus) -> None:
        lot = _a_prevenir(ligne).select_related("compte")[:PERSONNES_PAR_LOT]
        if personnes := [participation.compte for participation in lot]:
            self.ecrire(ligne, personnes, "evenementId")

    def en_reste(self, ligne: Avis, objet: EvenementCampus) -> bool:
        return ligne.vers is None and _a_prevenir(ligne).exists()

    def a_dire(self, compte: Compte, lignes: Sequence[Avis]) -> list[Avis]:
        if not self.est_encore_voulue(compte):
            return []
        siennes = _inscriptions(compte, lignes)
        return [un for un in lignes if un.objet in siennes and _est_vrai(un.nature, siennes[un.objet])]

    def contexte(self, compte: Compte, lignes: Sequence[Avis]) -> dict[str, Any]:
        return _en_mesure(self._dits(compte, lignes))

    def _dits(self, compte: Compte, lignes: Sequence[Avis]) -> list[EvenementDit]:
        """By date; of what is not named, each sentence once."""
        natures = {(un.objet, un.nature) for un in lignes}
        tous = []
        for cle, une in _inscriptions(compte, lignes).items():
            phrases = PHRASES_DISCRETES if une.evenement.discret else PHRASES
            phrase = next(phrase for nature, phrase in phrases.items() if (cle, nature) in natures)
            tous.append(EvenementDit(phrase, None if une.evenement.discret else une.evenement))
        return list(dict.fromkeys(tous))

    def exemple(self) -> dict[str, Any]:
        """One that is named, and one that is discreet."""
        demain = timezone.now() + timedelta(days=1)
        nomme = EvenementCampus(titre=gettext("Atelier de secourisme"), lieu=gettext("Salle B12"), date_debut=demain)
        annule, change = PHRASES[NatureCampus.EVENEMENT_ANNULE], PHRASES[NatureCampus.EVENEMENT_MODIFIE]
        return _en_mesure([EvenementDit(change, nomme), EvenementDit(annule, None)])

    def pieces(self, compte: Compte, lignes: Sequence[Avis]) -> Sequence[Piece]:
        """One calendar of the events that the mail names."""
        nommes = {dit.evenement for dit in self._dits(compte, lignes)[:NOMMES_MAX]}
        inscriptions = [une for une in _inscriptions(compte, lignes).values() if une.evenement in nommes]
        return [Piece("calendrier.ics", ics.publication(inscriptions), "text/calendar")] if inscriptions else ()


class Publications(DuCampus):
    nom = "publications"
    natures = frozenset({NatureCampus.PUBLICATION_APPROUVEE, NatureCampus.PUBLICATION_REFUSEE})
    modele = "avis_publications"
    pour_qui = _("À qui a écrit une publication, et l'a demandé")
    preference = "avis_publications"
    ce_qui_s_arrete = _(
        "Aucun e-mail ne vous parlera plus de vos publications. Vous pourrez en redemander dans « Mon compte »."
    )

    def tenir(self, ligne: Avis) -> Poste | None:
        """Without a lock: only its author is told of a post, and reads it as long as it is there."""
        poste: Poste | None = Poste.objects.presents().select_related("compte").filter(pk=ligne.objet).first()
        return poste

    def adresser(self, ligne: Avis, objet: Poste) -> None:
        if objet.compte.est_actif:
            self.ecrire(ligne, [objet.compte], "posteId")

    def a_dire(self, compte: Compte, lignes: Sequence[Avis]) -> list[Avis]:
        if not self.est_encore_voulue(compte):
            return []
        postes = _publications(compte, lignes)
        jugees = {NatureCampus.PUBLICATION_APPROUVEE: PUBLICS, NatureCampus.PUBLICATION_REFUSEE: REFUSES}
        return [
            un for un in lignes if un.objet in postes and postes[un.objet].statut in jugees[NatureCampus(un.nature)]
        ]

    def contexte(self, compte: Compte, lignes: Sequence[Avis]) -> dict[str, Any]:
        return _en_mesure(
            [PublicationDite(poste, poste.est_public) for poste in _publications(compte, lignes).values()]
        )

    def exemple(self) -> dict[str, Any]:
        return _en_mesure([PublicationDite(Poste(titre=gettext("La chorale cherche des voix")), True)])


def _en_mesure(dits: Sequence[Any]) -> dict[str, Any]:
    """The first of these, and how many are left."""
    return {"lien": f"{settings.PUBLIC_URL}/", "dits": dits[:NOMMES_MAX], "autres": len(dits[NOMMES_MAX:])}


def _du(ligne: Avis, cadence: Cadence) -> datetime:
    """Within minutes; of tomorrow's events, at the person's own minute of the day."""
    if ligne.nature == NatureCampus.EVENEMENT_DEMAIN:
        return minute_de_ce_jour(ligne.date_creation, cadence.minute)
    return tout_de_suite(ligne.date_creation)


def _a_prevenir(ligne: Avis) -> QuerySet[Participation]:
    """Registrations of whom it is still to be told, by account, but of whoever did it, and of who came after.

    A change or the end is told to who waits, too.
    """
    inscrits = Participation.objects.filter(
        evenement=ligne.objet, compte__est_actif=True, date_inscription__lte=ligne.date_creation
    ).exclude(compte=ligne.par or SANS_PERSONNE)
    if ligne.nature in (NatureCampus.PLACE_OBTENUE, NatureCampus.EVENEMENT_DEMAIN):
        inscrits = inscrits.de_statut(StatutParticipation.CONFIRMED)
    else:
        inscrits = inscrits.actives()
    if ligne.vers is not None:
        return inscrits.filter(compte=ligne.vers)
    dernier = _dernier_prevenu(ligne)
    return (
        inscrits.order_by("compte_id") if dernier is None else inscrits.filter(compte__gt=dernier).order_by("compte_id")
    )


def _dernier_prevenu(ligne: Avis) -> UUID | None:
    """The account at which the last transaction stopped: every row that it left has the moment of this one."""
    faits = Avis.objects.filter(
        objet=ligne.objet, nature=ligne.nature, est_adresse=True, date_creation=ligne.date_creation
    )
    return faits.order_by("-destinataire_id").values_list("destinataire", flat=True).first()


def _inscriptions(compte: Compte, lignes: Sequence[Avis]) -> dict[UUID, Participation]:
    """This person's registrations that stand, by the key of the event, in the order of the events."""
    siennes = Participation.objects.actives().filter(compte=compte, evenement__in={un.objet for un in lignes})
    siennes = siennes.select_related("evenement").order_by("evenement__date_debut", "evenement")
    return {une.evenement_id: une for une in siennes}


def _est_vrai(nature: str, inscription: Participation) -> bool:
    """True where this can still be said of the event, as it is now, to who is registered so."""
    evenement = inscription.evenement
    if evenement.est_termine or evenement.est_annule is not (nature == NatureCampus.EVENEMENT_ANNULE):
        return False
    a_une_place = inscription.statut_montre == StatutParticipation.CONFIRMED
    if nature == NatureCampus.EVENEMENT_DEMAIN:
        jours = (jour_du_campus(evenement.date_debut) - jour_du_campus(timezone.now())).days
        return a_une_place and jours == 1
    return a_une_place or nature != NatureCampus.PLACE_OBTENUE


def _publications(compte: Compte, lignes: Sequence[Avis]) -> dict[UUID, Poste]:
    siennes = Poste.objects.presents().filter(compte=compte, pk__in={un.objet for un in lignes})
    return {poste.pk: poste for poste in siennes.order_by("date_creation", "id")}


SANS_PERSONNE = UUID(int=0)
