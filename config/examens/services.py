"""Examinations of what answers over a network: Redis, the store of files, the mail server, the antivirus."""

import secrets
import time
from collections.abc import Iterator
from email.utils import parseaddr
from io import BytesIO
from typing import Any
from uuid import uuid4

import redis
from django.conf import settings
from django.core.files import File
from django.core.mail import get_connection
from django.utils.module_loading import import_string
from redis.backoff import NoBackoff
from redis.retry import Retry

from config.checks import est_local, tout_est_local
from config.examens.base import ecart_d_horloge
from config.examens.constat import Constat, attention, bien, examen, panne
from config.examens.machine import est_a_nous
from resources.antivirus import virus_dans
from resources.erreurs import AnalyseIndisponible
from resources.stockage import seau_courant, stockage
from resources.vocabulaire import LOCAL
from socle.courriel import CONSOLE

REDIS_SECONDES = 3.0


@examen("redis")
def redis_repond() -> Iterator[Constat]:
    """PING, then a message published and heard, as sockets hear theirs."""
    if not settings.REDIS_URL:
        yield bien("Aucun Redis : un seul processus peut servir.")
        return
    try:
        with _client() as client:
            version = client.info("server")["redis_version"]
            entendu = _publier_et_entendre(client)
            la_leur, debut = client.time(), time.time()
    except redis.RedisError as erreur:
        yield panne(
            f"Redis ne répond pas ({type(erreur).__name__}) : limites par processus, retard du direct.",
            "Vérifiez REDIS_URL et ce serveur.",
        )
        return
    if entendu:
        yield bien(f"Redis {version} : un message publié est entendu.")
    else:
        yield panne(
            "Redis répond, et un message publié n'est pas entendu.", "Regardez ses droits (ACL) et son journal."
        )
    yield ecart_d_horloge("Redis", la_leur[0] + la_leur[1] / 1e6 - debut)


def _client() -> Any:
    client = redis.Redis.from_url(settings.REDIS_URL, retry=Retry(NoBackoff(), 0))
    # Whatever the address says of them.
    client.connection_pool.connection_kwargs.update(
        socket_timeout=REDIS_SECONDES, socket_connect_timeout=REDIS_SECONDES
    )
    return client


def _publier_et_entendre(client: Any) -> bool:
    canal, mot = f"campus__doctor__{secrets.token_hex(8)}", secrets.token_hex(8).encode()
    fin = time.monotonic() + REDIS_SECONDES
    with client.pubsub(ignore_subscribe_messages=True) as oreille:
        oreille.subscribe(canal)
        oreille.get_message(timeout=REDIS_SECONDES)  # the subscription itself
        client.publish(canal, mot)
        while (reste := fin - time.monotonic()) > 0:
            message = oreille.get_message(timeout=reste)
            if message is not None and message["data"] == mot:
                return True
    return False


@examen("stockage")
def stockage_ecrit() -> Iterator[Constat]:
    """Write, read and delete a probe where new files go; one left behind is swept like any file without a row."""
    seau = seau_courant()
    if seau == LOCAL and not est_a_nous(settings.DATA_DIR):
        yield attention(
            "Stockage non éprouvé : DATA_DIR appartient à un autre utilisateur que celui de cette commande.",
            "Lancez « manage.py doctor » sous l'utilisateur du service.",
        )
        return
    ou = "DATA_DIR/files" if seau == LOCAL else "le seau"
    magasin, cle, contenu = stockage(seau), uuid4().hex, secrets.token_bytes(64)
    try:
        chemin = magasin.save(f"{cle[:2]}/{cle}", File(BytesIO(contenu)))
        try:
            with magasin.open(chemin) as ecrit:
                pareil = ecrit.read() == contenu
        finally:
            magasin.delete(chemin)
    except Exception as erreur:  # of the system, of botocore, or of what stands before the bucket
        yield panne(
            f"Écrire, lire, effacer dans {ou} : échec ({type(erreur).__name__}).",
            "Aucun fichier n'est reçu : voyez les droits et la place, ou les réglages AWS_….",
        )
        return
    if pareil:
        yield bien(f"Écrire, lire, effacer dans {ou} : fait.")
    else:
        yield panne(f"Ce qui est lu dans {ou} n'est pas ce qui fut écrit.", "Ce stockage n'est pas sûr : changez-en.")


@examen("courriel")
def courriel() -> Iterator[Constat]:
    """Connect, greet, start TLS and sign in to the mail server; nothing is sent."""
    if not getattr(import_string(settings.EMAIL_BACKEND), "remet", False):
        yield _personne_ne_recoit()
        return
    try:
        lien: Any = get_connection()
        lien.open()
        lien.close()
    except Exception as erreur:  # sockets, TLS and SMTP have each their own
        yield panne(
            f"Le serveur d'e-mail n'a pas admis le service ({type(erreur).__name__}).",
            "Vérifiez EMAIL_URL : hôte, port, TLS, utilisateur et secret.",
        )
        return
    yield bien("Le serveur d'e-mail admet le service ; rien n'a été envoyé.")
    chiffre = settings.EMAIL_USE_TLS or settings.EMAIL_USE_SSL
    if settings.EMAIL_HOST_USER and not chiffre and not est_local(settings.EMAIL_HOST):
        yield attention("Le secret de l'e-mail part en clair.", "Donnez smtp+tls:// ou smtp+ssl:// à EMAIL_URL.")
    if parseaddr(settings.DEFAULT_FROM_EMAIL)[1].endswith("@localhost"):
        yield attention(
            "L'expéditeur est à @localhost : beaucoup de serveurs le refusent.",
            "Donnez à DEFAULT_FROM_EMAIL une adresse de votre domaine.",
        )


def _personne_ne_recoit() -> Constat:
    ou = "sur la sortie standard" if settings.EMAIL_BACKEND == CONSOLE else "ailleurs que dans une boîte"
    constat = f"Personne ne reçoit d'e-mail : ils s'écrivent {ou}."
    return bien(constat) if tout_est_local() else panne(constat, "Donnez EMAIL_URL, puis DEFAULT_FROM_EMAIL.")


@examen("antivirus")
def antivirus() -> Iterator[Constat]:
    if not settings.CLAMD_SOCKET:
        yield bien("Aucun antivirus n'est demandé (CLAMD_SOCKET).")
        return
    try:
        virus_dans(BytesIO(b"campus"))
    except AnalyseIndisponible:
        yield panne("clamd ne donne pas de verdict : aucun fichier n'est reçu.", "Vérifiez CLAMD_SOCKET et clamd.")
    else:
        yield bien("clamd juge les fichiers.")
