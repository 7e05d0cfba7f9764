"""Close codes of a socket, in words: the meaning of each, and the next step of a client that behaves."""

from typing import Any, NamedTuple

from django.utils.translation import gettext_lazy as _

from socle.realtime.vocabulaire import (
    FERMETURE_ACCES,
    FERMETURE_IDENTITE,
    FERMETURE_INTERNE,
    FERMETURE_REESSAYER,
    FERMETURE_TRAME_TROP_LONGUE,
    FERMETURE_TROP_DE_SOCKETS,
)


class Fermeture(NamedTuple):
    code: int
    sens: Any
    suite: Any


REVENIR = _(
    "Revenir avec `depuis` et le dernier `eventId` reçu, après une attente au hasard qui double à chaque échec : de "
    "1 s à 60 s. Un `connected` la ramène à 1 s."
)
FERMETURES = (
    Fermeture(
        FERMETURE_IDENTITE,
        _("Identité refusée ou finie : jeton, session, compte, rôle réduit, session invitée."),
        _(
            "Ne pas revenir avec le même jeton. Le renouveler une fois (`POST /auth/refresh`), puis revenir avec "
            "`depuis` ; si le renouvellement est refusé, ou si le jeton neuf l'est, la personne se reconnecte. Un "
            "invité n'a rien à renouveler : s'arrêter."
        ),
    ),
    Fermeture(
        FERMETURE_ACCES,
        _("Ce canal n'est pas pour cette personne, ne l'est plus, ou n'existe pas."),
        _("S'arrêter : ne pas revenir sur ce canal."),
    ),
    Fermeture(
        FERMETURE_TROP_DE_SOCKETS,
        _("Trop de sockets pour cette personne."),
        _("En fermer avant d'en ouvrir un autre ; ne pas revenir de soi-même."),
    ),
    Fermeture(1002, _("Une trame n'est pas du WebSocket."), _("S'arrêter, et corriger le client.")),
    Fermeture(1007, _("Un texte n'est pas de l'UTF-8."), _("S'arrêter, et corriger le client.")),
    Fermeture(
        FERMETURE_TRAME_TROP_LONGUE,
        _("Une trame du client est trop longue : plus de 4 Ko."),
        _("S'arrêter, et corriger le client."),
    ),
    Fermeture(FERMETURE_INTERNE, _("Erreur inattendue, ou client qui ne répond plus aux pings."), REVENIR),
    Fermeture(1012, _("Le service redémarre."), REVENIR),
    Fermeture(
        FERMETURE_REESSAYER,
        _("Base absente, client trop lent, ou trop d'ouvertures d'une même adresse."),
        REVENIR,
    ),
)
