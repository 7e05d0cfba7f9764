from socle.erreurs import Conflit


class DossierJoint(Conflit):
    """409 of a page: its case was joined to another, which the answer shows."""


class JamaisLus(Conflit):
    """409 of a page that closes a case: `nombre` messages of its author were read by nobody."""

    def __init__(self, nombre: int) -> None:
        super().__init__()
        self.nombre = nombre


class SansReponse(Conflit):
    """409 of a page that closes a case in which nobody of the team has written."""


class ChangeDepuis(Conflit):
    """409 of a page: `champ` of the case is no longer what the page showed."""

    def __init__(self, champ: str) -> None:
        super().__init__()
        self.champ = champ
