"""SMTP with a deadline on the whole try: a server that trickles stays within every single timeout, and never ends."""

import io
import smtplib
import socket
import time
from typing import Any

from django.conf import settings
from django.core.mail.backends import smtp

# Sender of the envelope of a mail that nobody may send back: a bounce names whom it was for to who reads the mailbox.
SANS_RETOUR = "sans-retour@invalid"
CONSOLE = "django.core.mail.backends.console.EmailBackend"
SANS_BOITE = frozenset({CONSOLE, *(f"django.core.mail.backends.{ou}.EmailBackend" for ou in ("dummy", "filebased"))})


def est_remis() -> bool:
    """False where mails are written to the console or to files, or thrown away: nobody receives one."""
    return settings.EMAIL_BACKEND not in SANS_BOITE


class EnvoiRefuse(Exception):
    """Answer of a mail server, by its number alone: smtplib's own errors hold addresses, and end in logs and queues."""


class AdresseRefusee(EnvoiRefuse):
    """It takes no mail for this address, today or later."""


def sans_adresse(panne: smtplib.SMTPException) -> EnvoiRefuse:
    """The same failure, to be raised in its place and `from None`."""
    if isinstance(panne, smtplib.SMTPRecipientsRefused):
        codes = [code for code, _texte in panne.recipients.values()]
        return AdresseRefusee(*codes) if codes and min(codes) >= 500 else EnvoiRefuse(*codes)
    return EnvoiRefuse(type(panne).__name__, getattr(panne, "smtp_code", None))


class _Reponses(io.RawIOBase):
    """Raw stream of the server's answers that sets the socket timeout before each read."""

    def __init__(self, liaison: "_Bornee") -> None:
        self._liaison = liaison

    def readable(self) -> bool:
        return True

    def readinto(self, tampon: Any) -> int:
        self._liaison.limiter()
        prise = self._liaison.sock
        return 0 if prise is None else prise.recv_into(tampon)


class _Bornee(smtplib.SMTP):
    """SMTP client with a deadline: each wait gets the rest of EMAIL_TRY_SECONDS, at most EMAIL_TIMEOUT."""

    def __init__(self, *args: Any, **options: Any) -> None:
        self._fin = time.monotonic() + settings.EMAIL_TRY_SECONDS
        super().__init__(*args, **options)

    def limiter(self) -> None:
        reste = self._fin - time.monotonic()
        if reste <= 0:
            raise TimeoutError("le serveur d'e-mail a pris tout son temps")
        if self.sock is not None:
            self.sock.settimeout(min(reste, settings.EMAIL_TIMEOUT))

    def _get_socket(self, host: str, port: int, timeout: float) -> socket.socket:
        """Divide the time among the host's addresses, which are tried in turn."""
        adresses = len(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM))
        partage = min(timeout, settings.EMAIL_TRY_SECONDS / max(adresses, 1))
        prise: socket.socket = super()._get_socket(host, port, partage)  # type: ignore[misc]
        return prise

    def mail(self, sender: str, options: Any = ()) -> tuple[int, bytes]:
        return super().mail("" if sender == SANS_RETOUR else sender, options)

    def getreply(self) -> tuple[int, bytes]:
        if self.file is None:
            self.file = io.BufferedReader(_Reponses(self))
        return super().getreply()

    def send(self, s: Any) -> None:
        try:
            self.limiter()
        except TimeoutError as retard:
            self.close()
            raise smtplib.SMTPServerDisconnected(str(retard)) from retard
        super().send(s)


class _BorneeSsl(_Bornee, smtplib.SMTP_SSL):
    pass


class Courrier(smtp.EmailBackend):
    remet = True  # to mailboxes: what `doctor` tries

    @property
    def connection_class(self) -> type[smtplib.SMTP]:
        return _BorneeSsl if self.use_ssl else _Bornee
