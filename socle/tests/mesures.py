"""Reading what was counted, in the process of the test or from what `/metrics` answers."""

from typing import Any

from django.conf import settings
from prometheus_client.parser import text_string_to_metric_families

from config.tests.outils import ClientApi
from socle.metriques import registre


class Releve:
    """How much a series has grown since this was made."""

    def __init__(self, nom: str, **etiquettes: Any) -> None:
        self.nom = nom
        self.etiquettes = {cle: str(valeur) for cle, valeur in etiquettes.items()}
        self._debut = self._lire()

    def _lire(self) -> float:
        return registre.get_sample_value(self.nom, self.etiquettes) or 0.0

    @property
    def plus(self) -> float:
        return self._lire() - self._debut


def requetes(method: str, route: str, status: int) -> Releve:
    return Releve("campus_requests_total", method=method, route=route, status=status)


def lues(texte: str) -> dict[tuple[str, tuple[str, ...]], float]:
    """`(name, values of the labels in the order of their names): value` of each series of the text."""
    return {
        (lu.name, tuple(valeur for _nom, valeur in sorted(lu.labels.items()))): lu.value
        for famille in text_string_to_metric_families(texte)
        for lu in famille.samples
    }


def releve() -> dict[tuple[str, tuple[str, ...]], float]:
    """What the operator is told now."""
    reponse = ClientApi(jeton=settings.METRICS_TOKEN).get("/metrics")
    assert reponse.status_code == 200, reponse.content
    return lues(reponse.content.decode())
