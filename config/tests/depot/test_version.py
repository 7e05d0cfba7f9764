"""One place says which version this is: the changelog."""

import re
from datetime import date
from pathlib import Path

import pytest
from django.conf import settings

from config.version import INCONNUE, version_de


@pytest.fixture
def journal(tmp_path):
    """journal("## 0.2.0 - …"): the file that holds these lines."""

    def ecrire(*lignes):
        fichier = tmp_path / "CHANGELOG.md"
        fichier.write_text("\n".join(("# Journal des changements", "", *lignes, "")), encoding="utf-8")
        return fichier

    return ecrire


def test_la_version_est_la_derniere_publiee(journal):
    assert version_de(journal("## Unreleased", "", "## 1.10.2 - 2026-12-01", "## 1.9.0 - 2026-11-22")) == "1.10.2"


@pytest.mark.parametrize(
    "titre",
    [
        "## Unreleased",
        "## 0.2.0",  # announced, not dated
        "### 0.2.0 - 2026-11-22",
        "## 0.2 - 2026-11-22",
        "- ## 0.2.0 - 2026-11-22",
        "## 0.2.0 - 2026-11-22, bientôt",
    ],
)
def test_ce_qui_n_est_pas_une_version_publiee_n_en_donne_pas(journal, titre):
    assert version_de(journal(titre)) == INCONNUE


def test_sans_journal_le_service_demarre_sans_dire_sa_version(tmp_path):
    assert version_de(tmp_path / "absent.md") == INCONNUE
    assert version_de(tmp_path) == INCONNUE  # a folder


def test_un_journal_mal_encode_se_lit_encore(tmp_path):
    (tmp_path / "CHANGELOG.md").write_bytes("# Journal publié\n\n## 0.2.0 - 2026-11-22\n".encode("latin-1"))

    assert version_de(tmp_path / "CHANGELOG.md") == "0.2.0"


def test_le_journal_va_de_ce_qui_vient_a_la_plus_ancienne_version():
    titres = re.findall(
        r"^## (.*)$", (Path(settings.BASE_DIR) / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    publiees = [titre.split(" - ") for titre in titres[1:]]
    versions = [tuple(map(int, version.split("."))) for version, _jour in publiees]
    jours = [date.fromisoformat(jour) for _version, jour in publiees]

    assert titres[0] == "Unreleased"
    assert publiees[0][0] == settings.VERSION
    assert versions == sorted(set(versions), reverse=True)
    assert jours == sorted(jours, reverse=True)
