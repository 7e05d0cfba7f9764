"""Sections of an export beside cases: the account or the guest session, and what the person did elsewhere."""

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any

from accounts.models import Compte, Invitation, Preferences, Session
from accounts.serializers import CompteDetail, InvitationDetail, PreferencesDetail
from avis.models import AdresseInvitee
from calendrier.models import FluxCalendrier, Participation
from equipes.models import MembreDEquipe
from forum.models import Commentaire, DemandeDeRelecture, Poste, Reaction
from forum.serializers import CommentaireDetail, PosteDetail, ReactionDetail
from guests.models import AuditFusion, SessionInvitee
from personnes import serializers as formes
from personnes.exports.dossiers import Dossiers
from personnes.exports.lots import une_a_une
from personnes.exports.navigateurs import navigateurs
from resources.models import Ressource
from socle.domaine.acteurs import Acteur
from socle.moteur.sorties import rendre_un

Section = tuple[str, Iterable[dict[str, Any]]]


def sections(acteur: Acteur, dossiers: Dossiers) -> Iterator[Section]:
    """`(name, rows)` of each JSON file, to be read in this order."""
    yield from _de_l_invite(acteur, dossiers) if acteur.est_invite else _du_compte(acteur.compte, dossiers)
    yield "signalements", dossiers.signalements()
    yield "historique", dossiers.historique()
    yield "accuses", dossiers.accuses()
    yield "ne-pas-montrer", dossiers.ne_pas_montrer()
    yield "discussions", dossiers.discussions()
    yield "messages", dossiers.messages()
    yield "navigateurs", navigateurs["ouverts"](acteur)


def _de_l_invite(acteur: Acteur, dossiers: Dossiers) -> Iterator[Section]:
    session = SessionInvitee.objects.get(pk=acteur.pk)  # with the phone number, which a request does not read
    yield "session-invitee", [rendre_un(formes.SessionInviteeExportee, session, dossiers.regard.contexte)]
    adresses = AdresseInvitee.objects.filter(session=session)
    yield "adresse-d-avis", [rendre_un(formes.AdresseExportee, une, dossiers.regard.contexte) for une in adresses]


def _du_compte(compte: Compte, dossiers: Dossiers) -> Iterator[Section]:
    def rendues(forme: Any, lignes: Any) -> Iterator[dict[str, Any]]:
        return (rendre_un(forme, ligne, dossiers.regard.contexte) for ligne in une_a_une(lignes))

    yield "compte", [rendre_un(CompteDetail, compte, dossiers.regard.contexte)]
    yield "preferences", rendues(PreferencesDetail, Preferences.objects.filter(compte=compte).order_by("pk"))
    yield (
        "sessions",
        rendues(
            formes.ConnexionExportee, Session.objects.actives().filter(compte=compte).order_by("date_creation", "id")
        ),
    )
    yield "invitations", chain.from_iterable(rendues(InvitationDetail, lignes) for lignes in _invitations(compte))
    fusions = AuditFusion.objects.filter(compte=compte).order_by("date_creation", "id")
    yield "rattachements", rendues(formes.RattachementExporte, fusions)
    publications = Poste.objects.pour_lecture().filter(compte=compte)
    yield "publications", ({**une, "approuverParId": None} for une in rendues(PosteDetail, publications))
    yield "commentaires", rendues(CommentaireDetail, Commentaire.objects.pour_lecture().filter(compte=compte))
    yield "reactions", rendues(ReactionDetail, Reaction.objects.pour_lecture().filter(compte=compte))
    demandes = DemandeDeRelecture.objects.filter(compte=compte).order_by("date_creation", "id")
    yield "demandes-de-relecture", rendues(formes.DemandeDeRelectureExportee, demandes)
    participations = Participation.objects.filter(compte=compte).select_related("evenement")
    yield "inscriptions", rendues(formes.InscriptionExportee, participations.order_by("date_inscription", "id"))
    abonnements = FluxCalendrier.objects.filter(compte=compte).order_by("pk")
    yield "abonnement-au-calendrier", rendues(formes.AbonnementExporte, abonnements)
    places = MembreDEquipe.objects.filter(compte=compte).select_related("equipe").order_by("date_creation", "id")
    yield "equipes", rendues(formes.PlaceExportee, places)
    ressources = Ressource.objects.vivantes().filter(cree_par=compte).order_by("date_creation", "id")
    yield "ressources", rendues(formes.RessourceExportee, ressources)


def _invitations(compte: Compte) -> Iterator[Any]:
    """The one that was accepted; and the one that waits at an address which is shown to be theirs."""
    yield Invitation.objects.filter(acceptee_par=compte).order_by("pk")
    if compte.email_verifie:
        yield Invitation.objects.ouvertes_pour(compte.email).order_by("pk")
