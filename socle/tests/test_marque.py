"""The colour and the logo of a campus: legible, harmless, by settings alone."""

import pytest

from socle.pages.marque import LOGO_MAX, lire_couleur, lire_logo, lire_numero_court

PIXEL = b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'


@pytest.mark.parametrize("brut", ["", "rouge", "#12345", "#1234567", "#zzzzzz", "123456#", "#175c66;", "#175c6\n6"])
def test_ce_qui_n_est_pas_une_couleur_est_refuse(brut):
    with pytest.raises(ValueError):  # noqa: PT011 -- what the reader of settings hears
        lire_couleur(brut)


@pytest.mark.parametrize("brut", ["#175C66", "#ffffff", "#000000", "#ffff00"])
def test_toute_couleur_est_admise_et_se_lira(brut):
    assert lire_couleur(brut) == brut.lower()


@pytest.mark.parametrize("brut", ["17", "112", "01 99 00 12 12", "+33 1 99 00 12 12"])
def test_un_numero_se_garde_comme_il_s_ecrit(brut):
    assert lire_numero_court(brut) == brut


@pytest.mark.parametrize("brut", ["", "1", "le 112", "112;x", "++112", "1" * 25, " 112"])
def test_ce_qui_ne_se_compose_pas_est_refuse(brut):
    with pytest.raises(ValueError):  # noqa: PT011 -- the same
        lire_numero_court(brut)


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
