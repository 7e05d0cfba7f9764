"""The colour and the logo of a campus: legible, harmless, by settings alone."""

import re

import pytest

from socle.pages.marque import ASSEZ, BLANC, FOND_SOMBRE, LOGO_MAX, contraste, feuille, lire_couleur, lire_logo

PIXEL = b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'


@pytest.mark.parametrize("couleur", ["#000000", "#1F5F8B", "#a3201d", "#0b6623", "#5b2c83", "#00008b"])
def test_une_couleur_admise_se_lit_dans_les_deux_themes(couleur):
    claire, sombre = (
        tuple(bytes.fromhex(trouvee)) for trouvee in re.findall(r"--accent: #(\w{6})", feuille(lire_couleur(couleur)))
    )

    assert contraste(claire, BLANC) >= ASSEZ
    assert contraste(sombre, FOND_SOMBRE) >= ASSEZ  # its own text, and the text on it


def test_le_contraste_est_celui_de_wcag():
    assert contraste((0, 0, 0), (255, 255, 255)) == pytest.approx(21)
    assert contraste((0x76, 0x76, 0x76), (255, 255, 255)) == pytest.approx(4.54, abs=0.01)


@pytest.mark.parametrize("brut", ["", "rouge", "#12345", "#1234567", "#zzzzzz", "#ffffff", "#8cc4ec", "123456#"])
def test_une_couleur_illisible_est_refusee(brut):
    with pytest.raises(ValueError):  # noqa: PT011 -- what the reader of settings hears
        lire_couleur(brut)


def test_un_logo_est_une_image_et_ne_pese_pas(tmp_path):
    bon, autre, lourd = tmp_path / "logo.SVG", tmp_path / "logo.html", tmp_path / "logo.png"
    bon.write_bytes(PIXEL)
    autre.write_bytes(PIXEL)
    lourd.write_bytes(b"x" * (LOGO_MAX + 1))

    assert lire_logo(str(bon)) == str(bon)
    for refuse in (autre, lourd, tmp_path / "absent.svg"):
        with pytest.raises(ValueError):  # noqa: PT011 -- the same
            lire_logo(str(refuse))


@pytest.mark.django_db
def test_sans_reglage_les_pages_n_en_demandent_rien(client):
    page = client.get("/securite/").content.decode()

    assert "campus.css" not in page
    assert "campus-logo" not in page
    assert [client.get(adresse).status_code for adresse in ("/campus.css", "/campus-logo")] == [404, 404]


@pytest.mark.django_db
def test_avec_reglages_les_pages_les_montrent_et_aucun_script_du_logo_ne_court(client, settings, tmp_path):
    fichier = tmp_path / "logo.svg"
    fichier.write_bytes(PIXEL)
    settings.PORTAIL_COULEUR, settings.PORTAIL_LOGO = "#5b2c83", str(fichier)

    page = client.get("/securite/").content.decode()
    style, logo = client.get("/campus.css"), client.get("/campus-logo")

    assert 'href="/campus.css"' in page
    assert '<img src="/campus-logo" alt=""' in page
    assert "--accent: #5b2c83" in style.content.decode()
    assert style.headers["Content-Type"].startswith("text/css")
    assert (logo.content, logo.headers["Content-Type"]) == (PIXEL, "image/svg+xml")
    assert "sandbox" in logo.headers["Content-Security-Policy"]
    assert logo.headers["X-Content-Type-Options"] == "nosniff"

    fichier.unlink()
    assert client.get("/campus-logo").status_code == 404
