"""The two stores: each test of this app that handles files runs on a folder, and on an S3 server."""

from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import boto3
import httpx
import pytest
from moto.server import ThreadedMotoServer

from config.magasins import magasin_s3

CLES = {"cle": "campus", "secret": "campus-secret", "region": "us-east-1"}


@pytest.fixture(scope="session")
def serveur_s3() -> Iterator[str]:
    """The address of an S3 server that has no bucket yet."""
    serveur = ThreadedMotoServer(ip_address="127.0.0.1", port=0)
    serveur.start()
    try:
        hote, port = serveur.get_host_and_port()
        yield f"http://{hote}:{port}"
    finally:
        serveur.stop()


@pytest.fixture(params=["local", "s3"])
def magasin(request: pytest.FixtureRequest, settings: Any, tmp_path: Any) -> str:
    """An empty store of each kind; its name, as `bucketId` gives it."""
    local = {**settings.STORAGES["local"], "OPTIONS": {"location": tmp_path / "files"}}
    settings.STORAGES = {**settings.STORAGES, "default": local, "local": local}
    if request.param == "local":
        return "local"
    adresse, seau = request.getfixturevalue("serveur_s3"), f"campus-{uuid4().hex}"
    boto3.client(
        "s3",
        endpoint_url=adresse,
        region_name=CLES["region"],
        aws_access_key_id=CLES["cle"],
        aws_secret_access_key=CLES["secret"],
    ).create_bucket(Bucket=seau)
    settings.STORAGES = {**settings.STORAGES, "s3": magasin_s3(seau, adresse=adresse, **CLES)}
    settings.STORAGE_ENABLED, settings.AWS_STORAGE_BUCKET_NAME = True, seau
    return seau


@pytest.fixture
def telecharger(client: Any) -> Any:
    """telecharger(url): (the bytes, the headers) that a browser without credentials gets."""
    return lambda url: _telecharger(client, url)


def _telecharger(client: Any, url: str) -> tuple[bytes, Any]:
    if url.startswith("http://testserver/"):
        reponse = client.get(url.removeprefix("http://testserver"))
        assert reponse.status_code == 200, reponse.content
        return b"".join(reponse.streaming_content), reponse.headers

    distante = httpx.get(url)
    assert distante.status_code == 200, distante.text
    return distante.content, distante.headers
