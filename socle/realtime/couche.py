"""The Redis layer of CHANNEL_LAYERS, to which a thread without a loop can publish too."""

from collections.abc import Sequence
from typing import Any

from channels_redis.pubsub import RedisPubSubChannelLayer
from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as Coupure
from redis.retry import Retry

from socle.realtime.expedition import DELAI_ENVOI


class CoucheRedis(RedisPubSubChannelLayer):
    """One Redis; its groups are those of the library, whose sockets hear what is published here."""

    def __init__(self, *, hosts: list[dict[str, Any]], prefix: str) -> None:
        super().__init__(hosts=hosts, prefix=prefix)
        (hote,) = hosts
        self._prefixe = prefix
        # Once again where the server has closed a connection that was idle; not where it is silent.
        self._client = Redis.from_url(
            hote["address"],
            socket_timeout=DELAI_ENVOI,
            socket_connect_timeout=DELAI_ENVOI,
            retry=Retry(NoBackoff(), 1, supported_errors=(Coupure,)),
        )

    def publier(self, messages: Sequence[tuple[str, dict[str, Any]]]) -> None:
        """Publish each message to its group, in one round trip; RedisError where that fails."""
        with self._client.pipeline(transaction=False) as ensemble:
            for groupe, message in messages:
                ensemble.publish(f"{self._prefixe}__group__{groupe}", self.serialize(message))
            ensemble.execute()
