from collections.abc import Callable
from pathlib import Path

import pytest

from resources.nettoyage.processus import Limites, Resultat, nettoyer


@pytest.fixture
def passer(tmp_path: Path) -> Callable[..., tuple[Resultat, bytes | None]]:
    """passer(octets): what the cleaner says of a file, and what it wrote; it leaves nothing else behind."""

    def passer(octets: bytes, **limites: float) -> tuple[Resultat, bytes | None]:
        source, destination = tmp_path / "recu", tmp_path / "propre"
        source.write_bytes(octets)
        resultat = nettoyer(source, destination, limites=Limites(**limites))
        ecrit = destination.read_bytes() if destination.exists() else None
        assert (ecrit is not None) == resultat.accepte
        assert source.read_bytes() == octets
        assert set(tmp_path.iterdir()) <= {source, destination}
        destination.unlink(missing_ok=True)
        return resultat, ecrit

    return passer


@pytest.fixture
def nettoye(passer: Callable[..., tuple[Resultat, bytes | None]]) -> Callable[..., bytes]:
    """nettoye(octets): the cleaned file."""

    def nettoye(octets: bytes, **limites: float) -> bytes:
        resultat, ecrit = passer(octets, **limites)
        assert (resultat.motif, resultat.metadonnees_retirees) == (None, True)
        assert ecrit is not None
        return ecrit

    return nettoye
