"""Entries of STORAGES for stores of files elsewhere."""

from typing import Any


def magasin_s3(seau: str, *, adresse: str = "", region: str = "", cle: str = "", secret: str = "") -> dict[str, Any]:
    """An entry of STORAGES for a bucket; what is empty is left to the machine's own configuration."""
    from botocore.config import Config  # a laptop's start does not wait for it

    return {
        "BACKEND": "storages.backends.s3.S3Storage",
        "OPTIONS": {
            "bucket_name": seau,
            "access_key": cle or None,
            "secret_key": secret or None,
            "endpoint_url": adresse or None,
            "region_name": region or None,
            "default_acl": None,
            "file_overwrite": False,
            "querystring_auth": True,
            # Other stores than Amazon's refuse the checksums that boto3 adds of itself.
            "client_config": Config(
                signature_version="s3v4",
                s3={"addressing_style": "path"},
                request_checksum_calculation="when_required",
                response_checksum_validation="when_required",
                connect_timeout=3,
                read_timeout=20,
                retries={"max_attempts": 2},
            ),
        },
    }
