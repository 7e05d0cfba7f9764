"""The subscriptions of this process, and the cursor of each open channel."""

from dataclasses import dataclass, field
from typing import Protocol

from socle.metriques import events_caught_up_total, sockets
from socle.realtime.canaux import nom_de
from socle.realtime.enveloppe import Ecrit, Trame
from socle.realtime.garde import Surveille
from socle.realtime.vocabulaire import CONTROLE, FERMETURE_IDENTITE


class Auditeur(Surveille, Protocol):
    demande: str  # the channel it asked for, which leads to `canal`, the one it listens to
    depart: int

    def offrir(self, numero: int, ecrit: Ecrit) -> None: ...

    def rediriger(self, canal: str, numero: int) -> None: ...

    def fermer(self, code: int) -> None: ...


@dataclass(eq=False)
class Ouverture:
    """An open channel: its listeners by audience, and the cursor `dernier`, up to which they have every event."""

    dernier: int
    auditeurs: dict[str, set[Auditeur]] = field(default_factory=dict)


class Table:
    """Index of listeners by channel and by person; lives in the server's loop, lock-free because nothing awaits."""

    def __init__(self) -> None:
        self.ouvertures: dict[str, Ouverture] = {}
        self.dernier_ordre = 0
        self._ordre_annonce = 0
        self._personnes: dict[str, set[Auditeur]] = {}

    def auditeurs(self) -> list[Auditeur]:
        return [auditeur for presents in self._personnes.values() for auditeur in presents]

    def nombre(self, personne: str) -> int:
        return len(self._personnes.get(personne, ()))

    def inscrire(self, auditeur: Auditeur, audiences: list[str]) -> bool:
        """Subscribe from the cursor `depart` on; True when events after it may already have been delivered here."""
        self._personnes.setdefault(auditeur.identite.personne, set()).add(auditeur)
        sockets.labels(nom_de(auditeur.canal)).inc()
        self.ouvertures.setdefault(CONTROLE, Ouverture(auditeur.depart))
        return self._ecouter(auditeur, audiences)

    def deplacer(self, auditeur: Auditeur, canal: str) -> None:
        """Resubscribe to another channel with the same audiences; the listener itself catches up after its `depart`."""
        presents = self.ouvertures[auditeur.canal].auditeurs.items()
        audiences = [audience for audience, tous in presents if auditeur in tous]
        self._quitter(auditeur)
        auditeur.canal = canal
        self._ecouter(auditeur, audiences)

    def changer_audiences(self, auditeur: Auditeur, audiences: list[str]) -> None:
        ouverture = self.ouvertures[auditeur.canal]
        for presents in ouverture.auditeurs.values():
            presents.discard(auditeur)
        for audience in audiences:
            ouverture.auditeurs.setdefault(audience, set()).add(auditeur)

    def retirer(self, auditeur: Auditeur) -> None:
        personne = auditeur.identite.personne
        if auditeur not in self._personnes.get(personne, ()):
            return
        self._personnes[personne].discard(auditeur)
        sockets.labels(nom_de(auditeur.canal)).dec()
        if not self._personnes[personne]:
            del self._personnes[personne]
        self._quitter(auditeur)
        if not self._personnes:
            self.ouvertures.clear()

    def _ecouter(self, auditeur: Auditeur, audiences: list[str]) -> bool:
        ouverture = self.ouvertures.setdefault(auditeur.canal, Ouverture(auditeur.depart))
        for audience in audiences:
            ouverture.auditeurs.setdefault(audience, set()).add(auditeur)
        return ouverture.dernier > auditeur.depart

    def _quitter(self, auditeur: Auditeur) -> None:
        ouverture = self.ouvertures[auditeur.canal]
        for presents in ouverture.auditeurs.values():
            presents.discard(auditeur)
        if not any(ouverture.auditeurs.values()):
            del self.ouvertures[auditeur.canal]

    def recevoir(self, trame: Trame) -> bool:
        """Deliver a frame of the layer; False when it leaves a gap or is an order, and the database must be read.

        Frames of several senders may overtake each other. An order must take effect between the events numbered before
        and after it, so it is always read from the database, with the frames behind it.
        """
        ouverture = self.ouvertures.get(trame.canal)
        if ouverture is None or trame.numero <= ouverture.dernier:
            return True
        if trame.est_un_ordre:
            self._ordre_annonce = max(self._ordre_annonce, trame.numero)
        if self._ordre_annonce > self.ouvertures[CONTROLE].dernier or trame.precedent > ouverture.dernier:
            return False
        self._livrer(ouverture, trame)
        return True

    def appliquer(self, trames: list[Trame], ouvertures: dict[str, Ouverture], jusque: int) -> None:
        """Deliver the frames of a poll, and advance the cursor of these openings to `jusque`."""
        for trame in trames:
            ouverture = ouvertures.get(trame.canal)
            if ouverture is not None and trame.numero > ouverture.dernier:
                self._livrer(ouverture, trame)
                if not trame.est_un_ordre:  # orders are always read here
                    events_caught_up_total.labels(nom_de(trame.canal)).inc()
        for ouverture in ouvertures.values():
            ouverture.dernier = max(ouverture.dernier, jusque)

    def _livrer(self, ouverture: Ouverture, trame: Trame) -> None:
        ouverture.dernier = trame.numero
        if trame.est_un_ordre:
            self._obeir(trame)
            return
        ecrite = Ecrit(trame.texte)
        for auditeur in list(ouverture.auditeurs.get(trame.audience, ())):
            pour_lui = ecrite if trame.masque is None else trame.ecrite_pour(auditeur.identite.compte_id, ecrite)
            auditeur.offrir(trame.numero, pour_lui)

    def _obeir(self, trame: Trame) -> None:
        self.dernier_ordre = trame.numero
        ordre = trame.payload
        chemins = ordre.get("canaux", {})
        for auditeur in self.auditeurs():
            if trame.numero <= auditeur.depart:
                continue
            if auditeur.identite.est_visee(ordre):
                auditeur.fermer(FERMETURE_IDENTITE)
            # A guest does not follow to the account's channel: the merge that redirects it ends their session.
            elif not auditeur.identite.invite_id and (canal := _suite(auditeur, chemins)):
                auditeur.rediriger(canal, trame.numero)


def _suite(auditeur: Auditeur, chemins: dict[str, str]) -> str | None:
    """The redirection of a listener's channel, else that of the one it asked for, which may be separate again."""
    return chemins.get(auditeur.canal) or chemins.get(auditeur.demande)
