"""Former name of `stats.exports.tasks`, under which its task is stored: processes of two versions share a queue."""

from stats.exports.tasks import ecrire_export

__all__ = ["ecrire_export"]
