"""What the tests of several folders ask for."""

import pytest
from django.test import Client


@pytest.fixture
def brut():
    """A client without credentials that checks nothing by itself."""
    return Client(raise_request_exception=False)
