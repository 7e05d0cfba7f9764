"""The answer to what cannot be read as HTTP, which no application sees: 400 in the error envelope, then the end."""

from collections.abc import Iterable
from uuid import uuid4

from socle.api.renderers import en_json, refus
from socle.erreurs import RequeteMalformee

MESSAGE = "Ce n'est pas une requête HTTP lisible."


def reponse(entetes: Iterable[tuple[bytes, bytes]]) -> bytes:
    """The whole answer, after these headers; its path is "": the request line may be the fault."""
    identifiant = uuid4().hex
    corps = en_json(refus("", identifiant, statut=400, code=RequeteMalformee.code, message=MESSAGE))
    tous = [
        *entetes,
        (b"content-type", b"application/json"),
        (b"content-length", str(len(corps)).encode()),
        (b"x-request-id", identifiant.encode()),
        (b"connection", b"close"),
    ]
    return b"HTTP/1.1 400 Bad Request\r\n" + b"".join(b"%b: %b\r\n" % entete for entete in tous) + b"\r\n" + corps
