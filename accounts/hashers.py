import threading

from django.contrib.auth.hashers import Argon2PasswordHasher

# Semaphore of four hashes: each holds 19 MB and a core for 20 ms, so a crowd of logins waits here.
_PLACES = threading.BoundedSemaphore(4)


class Argon2Borne(Argon2PasswordHasher):
    """Argon2id with OWASP's parameters; Django's default costs ten times as much a login."""

    time_cost = 2
    memory_cost = 19_456
    parallelism = 1

    def encode(self, password: str, salt: str) -> str:
        with _PLACES:
            return super().encode(password, salt)

    def verify(self, password: str, encoded: str) -> bool:
        with _PLACES:
            return super().verify(password, encoded)
