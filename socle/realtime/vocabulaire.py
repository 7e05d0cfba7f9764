"""Audiences of a frame, the reserved channel, and the close codes of a socket."""

from uuid import UUID

PUBLIC = "PUBLIC"
PERSONNEL = "PERSONNEL"
AUDIENCE_MAX = 40


def d_equipe(equipe: UUID) -> str:
    """The audience of one team of the staff: what is told of its cases where all of the staff listens."""
    return f"equipe:{equipe.hex}"


CONTROLE = "_controle"  # orders between processes; no rule exists for it, so no client hears it
FERMER_SOCKETS, REDIRIGER = "fermer_sockets", "rediriger"
ORDRES = {FERMER_SOCKETS, REDIRIGER}

FERMETURE_IDENTITE = 4001
FERMETURE_ACCES = 4003
FERMETURE_TROP_DE_SOCKETS = 4008
FERMETURE_TRAME_TROP_LONGUE = 1009
FERMETURE_INTERNE = 1011
FERMETURE_REESSAYER = 1013

# Sub-protocol that the server chooses where a client offers it, and the openings of those that carry a credential: for
# browsers, which send no header of their own with a handshake. These are never chosen, so never said back.
PROTOCOLE = "campus.v1"
EN_PROTOCOLE = {"campus.jeton.": "token", "campus.invite.": "guestId"}

# ASGI extension of our own server: a function that puts the octets of whole frames on the wire, or returns False where
# they would wait, or the socket is closing. Other servers do without.
EXTENSION = "campus.trames"
