"""The ten colours that one makes: each is read, in both themes, whatever the one was."""

import colorsys
import re

import pytest
from django.conf import settings

from socle.pages.couleurs import BORD, FONDS_CLAIRS, FONDS_SOMBRES, TEXTE, contraste, famille, feuille

FEUILLES = settings.BASE_DIR / "config" / "static" / "campus"
JETONS = (FEUILLES / "jetons.css").read_text(encoding="utf-8")


def hexa(teinte: float, clarte: float, saturation: float) -> str:
    parties = colorsys.hls_to_rgb(teinte, clarte, saturation)
    return f"#{bytes(round(255 * partie) for partie in parties).hex()}"


TEINTES = [hexa(rang / 40, clarte, vif) for rang in range(40) for clarte in (0.2, 0.45, 0.8) for vif in (0.3, 1.0)]
EXTREMES = ["#000000", "#ffffff", "#808080", "#ffff00", "#00ff00", "#0000ff"]


@pytest.mark.parametrize("couleur", [*TEINTES, *EXTREMES])
def test_ce_qui_se_lit_et_ce_qui_borde_se_voient_dans_les_deux_themes(couleur):
    for jetons, fonds in zip(famille(couleur), (FONDS_CLAIRS, FONDS_SOMBRES), strict=True):
        derriere = (*fonds, jetons["voile"])
        assert min(contraste(jetons["lien"], fond) for fond in derriere) >= TEXTE
        assert min(contraste(jetons["bord-accent"], fond) for fond in derriere) >= BORD - 0.001
        assert contraste(jetons["sur-accent"], jetons["accent"]) >= TEXTE
        assert contraste(jetons["sur-accent"], jetons["accent-fort"]) >= TEXTE
        assert contraste(jetons["sur-rail"], jetons["rail-haut"]) >= TEXTE


def test_une_couleur_lisible_est_gardee_telle_quelle():
    assert famille("#5b2c83")[0]["accent"] == "#5b2c83"


def test_la_couleur_de_la_maison_fait_les_jetons_ecrits():
    """Without a colour of its own, a campus has the family that jetons.css writes."""
    for nom, valeur in re.findall(r"--([\w-]+): (#\w+);", feuille("#175c66").splitlines()[0]):
        ecrite = re.search(rf"--{nom}: (#\w+);", JETONS)
        assert ecrite is not None
        assert valeur == re.sub(r"^#(.)(.)(.)$", r"#\1\1\2\2\3\3", ecrite[1]), nom


@pytest.mark.parametrize("theme", [0, 1])
def test_les_fonds_sont_ceux_des_feuilles(theme):
    bloc = JETONS.split("@media (prefers-color-scheme: dark)")[theme]
    ecrits = [re.search(rf"--{nom}: (#\w+);", bloc)[1] for nom in ("fond", "carte", "creux")]
    assert [re.sub(r"^#(.)(.)(.)$", r"#\1\1\2\2\3\3", un) for un in ecrits] == list(
        (FONDS_CLAIRS, FONDS_SOMBRES)[theme]
    )


def test_le_contraste_est_celui_de_wcag():
    assert contraste("#000000", "#ffffff") == pytest.approx(21)
    assert contraste("#767676", "#ffffff") == pytest.approx(4.54, abs=0.01)


def test_les_pages_et_l_administration_ont_les_memes_jetons():
    assert (FEUILLES / "commun.css").read_text(encoding="utf-8").startswith(JETONS)


def test_aucune_autre_feuille_n_ecrit_une_couleur():
    """But for shadows and veils, which are black or white behind something."""
    autres = {chemin: chemin.read_text(encoding="utf-8") for chemin in settings.BASE_DIR.glob("*/static/campus/*.css")}
    autres[FEUILLES / "commun.css"] = autres[FEUILLES / "commun.css"].removeprefix(JETONS)
    del autres[FEUILLES / "jetons.css"]

    assert {
        chemin.name: trouvees
        for chemin, texte in autres.items()
        if (trouvees := re.findall(r"#[0-9a-f]{3,6}\b(?!-)(?=[;\s},)])", texte))
    } == {}
