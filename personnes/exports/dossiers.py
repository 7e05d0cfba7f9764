"""Cases and conversations of one person, as their author reads them, and the files that are theirs to open."""

from collections.abc import Iterable, Iterator
from typing import Any
from uuid import UUID

from discussions.models import Discussion, Message
from discussions.serializers import DiscussionDetail, MessageDetail
from discussions.vocabulaire import PIECE_DE_MESSAGE
from personnes.exports.lots import par_lots, une_a_une
from personnes.serializers import PersonneAEcarter
from reponses.models import AccuseAutomatique
from reponses.serializers import AccuseDetail
from resources.models import Fichier
from signalements.models import EntreeTimeline, RegleDeLecture, Signalement
from signalements.serializers import EntreeDetail, SignalementDetail
from signalements.vocabulaire import DE_L_AUTEUR, PIECE_DE_SIGNALEMENT
from socle.api.serializers import Regard
from socle.domaine.acteurs import Acteur, ActeurInvite
from socle.moteur.sorties import rendre_chacun, rendre_un

AUTEURS = ("acteurId", "auteurId")


class Dossiers:
    """The sections about cases; `fichiers` grows as they are read, and so is read after them."""

    def __init__(self, acteur: Acteur) -> None:
        self.acteur = acteur
        # A guest's own rows are shown under the id that opens them: here it is not even known.
        self.lecteur = ActeurInvite(invite=acteur.invite) if acteur.est_invite else acteur
        self.regard = Regard(vu_par=self.lecteur)
        self.fichiers: dict[UUID, Fichier] = {}

    def siens(self) -> Any:
        return Signalement.objects.pour_lecture(self.acteur).de(self.acteur)

    def signalements(self) -> Iterator[dict[str, Any]]:
        for lot in par_lots(self.siens()):
            self._retenir(PIECE_DE_SIGNALEMENT, self._objets(lot), lot)
            yield from map(self._sans_identifiant, rendre_chacun(SignalementDetail, lot, self.regard.contexte))

    def historique(self) -> Iterator[dict[str, Any]]:
        entrees = EntreeTimeline.objects.pour_lecture(pour_l_equipe=False).select_related("signalement")
        for lot in par_lots(self.siens()):
            for entree in une_a_une(entrees.filter(signalement__in=[dossier.pk for dossier in lot])):
                regard = Regard(vu_par=self.lecteur, dossier=entree.signalement)
                rendue = self._sans_identifiant(rendre_un(EntreeDetail, entree, regard.contexte))
                yield {"signalementId": entree.signalement_id, **rendue}

    def accuses(self) -> Iterator[dict[str, Any]]:
        for lot in par_lots(self.siens()):
            accuses = AccuseAutomatique.objects.filter(signalement__in=self._objets(lot))
            yield from rendre_chacun(AccuseDetail, list(accuses.order_by("signalement")), self.regard.contexte)

    def ne_pas_montrer(self) -> Iterator[dict[str, Any]]:
        """For each case, the people its author does not want to read it; nothing of what the team decided."""
        regles = RegleDeLecture.objects.filter(admis=False, origine__in=DE_L_AUTEUR).select_related("compte")
        for lot in par_lots(self.siens()):
            siennes = regles.filter(signalement__in=[dossier.pk for dossier in lot])
            ordre = siennes.order_by("signalement", "compte__nom", "compte__prenom", "compte")
            yield from rendre_chacun(PersonneAEcarter, list(ordre), self.regard.contexte)

    def discussions(self) -> Iterator[dict[str, Any]]:
        for lot in par_lots(Discussion.objects.pour_lecture(self.acteur).siennes(self.acteur)):
            yield from map(self._sans_identifiant, rendre_chacun(DiscussionDetail, lot, self.regard.contexte))

    def messages(self) -> Iterator[dict[str, Any]]:
        siennes = Discussion.objects.siennes(self.acteur).order_by().values("pk")
        messages = Message.objects.pour_lecture().select_related("discussion__signalement")
        for lot in par_lots(messages.filter(discussion__in=siennes)):
            self._retenir(PIECE_DE_MESSAGE, [message.pk for message in lot], lot)
            yield from map(self._sans_identifiant, rendre_chacun(MessageDetail, lot, self.regard.contexte))

    def ses_fichiers(self) -> None:
        """Keep the files that the person sent, wherever they are attached."""
        presents = Fichier.objects.presents().de(self.acteur).order_by("date_creation", "id").defer("recherche")
        self.fichiers |= {fichier.pk: fichier for fichier in presents}

    def _retenir(self, sorte: str, objets: Iterable[UUID], lignes: Iterable[Any]) -> None:
        """Keep the present files of these rows: attached to what the person reads, and so open to them."""
        cites = {UUID(str(cle)) for ligne in lignes for cle in ligne.pieces_jointes}
        joints = Fichier.objects.presents().filter(
            pk__in=cites, attaches__sorte=sorte, attaches__objet__in=list(objets)
        )
        self.fichiers |= {fichier.pk: fichier for fichier in joints.defer("recherche").distinct()}

    def _objets(self, lot: list[Any]) -> list[UUID]:
        """The keys of these reports, and of those joined to them, whose files are theirs now."""
        cles = [dossier.pk for dossier in lot]
        return [*cles, *Signalement.objects.filter(absorbe_par__in=cles).order_by().values_list("pk", flat=True)]

    def _sans_identifiant(self, rendu: dict[str, Any]) -> dict[str, Any]:
        """Null where the id of the reader would stand, of a guest: it is the secret that opens the space."""
        if self.acteur.est_invite:
            rendu |= {nom: None for nom in AUTEURS if rendu.get(nom) == self.lecteur.identifiant}
        return rendu
