"""Temporary databases to measure in, as context managers: created empty, dropped at the end."""

import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit
from uuid import uuid4

import psycopg
import redis

# The measures refuse any other name: no mistake can lead them to somebody's data.
PREFIXE = "campus_bench_"


class BaseAbsente(Exception):
    """The server does not answer; its message is the reason."""


@dataclass(frozen=True)
class Base:
    titre: str
    url: str


@contextmanager
def sqlite() -> Iterator[Base]:
    with tempfile.TemporaryDirectory(prefix="campus-bench-") as dossier:
        yield Base(f"SQLite {sqlite3.sqlite_version}", f"sqlite:///{Path(dossier) / PREFIXE}.sqlite3")


def postgresql(url: str) -> Callable[[], AbstractContextManager[Base]]:
    @contextmanager
    def ouvrir() -> Iterator[Base]:
        nom = f"{PREFIXE}{uuid4().hex[:12]}"
        with _connexion(url) as connexion:
            connexion.execute(f'CREATE DATABASE "{nom}"')
            try:
                version = str(connexion.info.server_version // 10_000)
                yield Base(f"PostgreSQL {version}", urlunsplit(urlsplit(url)._replace(path=f"/{nom}")))
            finally:
                connexion.execute(f'DROP DATABASE "{nom}" WITH (FORCE)')

    return ouvrir


def redis_absent(url: str) -> str:
    """The reason why this Redis does not answer, empty where it does."""
    try:
        with redis.Redis.from_url(url, socket_connect_timeout=3, socket_timeout=3) as client:
            client.ping()
    except redis.RedisError as erreur:
        return str(erreur)
    return ""


def _connexion(url: str) -> psycopg.Connection:
    try:
        return psycopg.connect(url, autocommit=True, connect_timeout=3)
    except psycopg.OperationalError as absente:
        raise BaseAbsente(str(absente).strip().splitlines()[0]) from absente
