import os
import threading

import nacl.exceptions
import nacl.pwhash
from django.contrib.auth.hashers import Argon2PasswordHasher

PLACES_MAX = 4  # each holds 19 MB


def _places() -> int:
    """One hash at a time for each core that this process may use: more on a core take its cache from each other."""
    coeurs = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(coeurs, PLACES_MAX)


# Semaphore of the hashes that run, 30 ms each: a crowd of logins waits here.
_PLACES = threading.BoundedSemaphore(_places())


class Argon2Borne(Argon2PasswordHasher):
    """Argon2id with OWASP's parameters; Django's default costs ten times as much a login.

    Checked by libsodium, which uses the widest instructions of the processor, a fifth faster than argon2-cffi; made
    by argon2-cffi, whose salt may have Django's length. Both write and read the same form.
    """

    time_cost = 2
    memory_cost = 19_456
    parallelism = 1

    def encode(self, password: str, salt: str) -> str:
        with _PLACES:
            return super().encode(password, salt)

    def verify(self, password: str, encoded: str) -> bool:
        _algorithme, _separe, condense = encoded.partition("$")
        with _PLACES:
            try:
                return nacl.pwhash.verify(f"${condense}".encode(), password.encode())
            except (nacl.exceptions.CryptPrefixError, nacl.exceptions.ValueError):
                # Of another service: a kind that libsodium does not read, or a longer salt.
                return super().verify(password, encoded)
            except nacl.exceptions.InvalidkeyError:
                return False
