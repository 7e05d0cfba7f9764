"""Audiences of a frame, the reserved channel, and the close codes of a socket."""

from uuid import UUID

PUBLIC = "PUBLIC"
PERSONNEL = "PERSONNEL"
AUDIENCE_MAX = 40


def d_equipe(equipe: UUID) -> str:
    """The audience of one team of the staff: what is told of its cases where all of the staff listens."""
    return f"equipe:{equipe.hex}"


CONTROLE = "_controle"  # orders between processes; no rule exists for it, so no client hears it

FERMETURE_IDENTITE = 4001
FERMETURE_ACCES = 4003
FERMETURE_TROP_DE_SOCKETS = 4008
FERMETURE_TRAME_TROP_LONGUE = 1009
FERMETURE_INTERNE = 1011
FERMETURE_REESSAYER = 1013

# ASGI extension of our own server: a function that puts the octets of whole frames on the wire, or returns False where
# they would wait, or the socket is closing. Other servers do without.
EXTENSION = "campus.trames"
