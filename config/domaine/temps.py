"""Moments as the contract writes them."""

from datetime import UTC, datetime


def horodatage(moment: datetime | None = None) -> str:
    """ISO 8601 UTC, ending in Z, milliseconds."""
    return (moment or datetime.now(UTC)).astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
