"""The layer of several processes: groups by `channels_redis`, to which a thread without a loop can publish too."""

from collections.abc import Iterable, Sequence
from time import monotonic
from typing import Any

from channels_redis.pubsub import RedisPubSubChannelLayer
from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as Coupure
from redis.exceptions import TimeoutError as Silence
from redis.retry import Retry

from socle.realtime.couche import DELAI_ENVOI, GROUPE, CoucheCommune, Message

ENSEMBLE = 10  # messages of one round trip: what a server that answers each late can hold up


class CoucheRedis(CoucheCommune):
    """One Redis."""

    def __init__(self, *, hosts: list[dict[str, Any]], prefix: str) -> None:
        super().__init__(RedisPubSubChannelLayer(hosts=hosts, prefix=prefix))
        (hote,) = hosts
        self._prefixe = prefix
        # Once again where the server has closed a connection that was idle; not where it is silent.
        self._client = Redis.from_url(hote["address"], retry=Retry(NoBackoff(), 1, supported_errors=(Coupure,)))
        # Whatever the address says of them.
        delais = {"socket_timeout": DELAI_ENVOI, "socket_connect_timeout": DELAI_ENVOI}
        self._client.connection_pool.connection_kwargs.update(delais)

    def publier(self, messages: Sequence[tuple[str, Message]]) -> None:
        """Publish each message to its group, a few in a round trip; RedisError where that fails, or takes too long."""
        fin = monotonic() + DELAI_ENVOI
        for debut in range(0, len(messages), ENSEMBLE):
            if debut and monotonic() > fin:
                raise Silence(f"{debut} of {len(messages)} messages in {DELAI_ENVOI} s")
            self._publier(messages[debut : debut + ENSEMBLE])

    def _publier(self, messages: Iterable[tuple[str, Message]]) -> None:
        with self._client.pipeline(transaction=False) as ensemble:
            for groupe, message in messages:
                ecrit = self.dessous.serialize({**message, GROUPE: groupe})
                ensemble.publish(f"{self._prefixe}__group__{groupe}", ecrit)
            ensemble.execute()
