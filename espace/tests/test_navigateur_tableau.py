"""The dashboard as the team looks at it: in Chromium, against a real server process, without a reload."""

import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from config.tests.outils.navigateur import DELAI, FENETRES, Onglet, chromium, jeton_de, visiter, vues
from config.tests.outils.serveur import Serveur
from demo.textes import ADMIN, GESTIONNAIRE, MOT_DE_PASSE
from stats.tests.outils import lignes_csv

pytestmark = pytest.mark.navigateur
DE_PASSAGE = GESTIONNAIRE._replace(prenom="Noé", nom="Passage", adresse="noe.passage")
TABLEAU = "/equipe/tableau/"
PAUSE = 2.0  # seconds from one reading to the next, in direct.js
FIN = "Votre session a pris fin. Rechargez la page pour continuer."
A_JOUR = re.compile(r"^Mis à jour à \d\d:\d\d$")
# Text and marks of the page, and the background behind them, as Chromium paints them.
CONTRASTES = """() => {
    const lire = (couleur) => {
        const [r, v, b, a = 1] = couleur.match(/[\\d.]+/g).map(Number);
        const lineaire = (c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
        const [lr, lv, lb] = [r, v, b].map((c) => lineaire(c / 255));
        return { a, luminance: 0.2126 * lr + 0.7152 * lv + 0.0722 * lb };
    };
    const fond = (element) => {
        for (let e = element; e; e = e.parentElement) {
            const vu = lire(getComputedStyle(e).backgroundColor);
            if (vu.a > 0) return vu;
        }
    };
    const mesurer = (choix, propriete) => [...document.querySelectorAll(`main .carte :is(${choix})`)].map((element) => {
        const [a, b] = [lire(getComputedStyle(element)[propriete]), fond(element)].map((vu) => vu.luminance + 0.05);
        return [element.outerHTML.slice(0, 90), Math.max(a, b) / Math.min(a, b)];
    });
    return {
        textes: [...mesurer("p, dt, dd, h2, h3, h4, li, b, span, th, td", "color"), ...mesurer("text", "fill")],
        marques: mesurer(".s1, .s2", "fill"),
    };
}"""


@pytest.fixture
def service(partages: Callable[..., Serveur]) -> Serveur:
    return partages(THROTTLE_ENABLED="false")


@pytest.fixture(scope="module")
def navigateur() -> Iterator[Browser]:
    with chromium() as ouvert:
        yield ouvert


@pytest.fixture
def fenetre() -> str:
    return "bureau"


@pytest.fixture
def onglet(service: Serveur, navigateur: Browser, fenetre: str) -> Iterator[Onglet]:
    with visiter(navigateur, service.url, fenetre) as onglet:
        onglet.admise = "status of 40"  # of a session that has ended
        yield onglet


@pytest.fixture
def tableau(onglet: Onglet) -> Onglet:
    """The dashboard, once its socket is open."""
    onglet.entrer(GESTIONNAIRE)
    onglet.page.goto(TABLEAU)
    attendre_le_direct(onglet)
    return onglet


def attendre_le_direct(onglet: Onglet) -> None:
    expect(onglet.page.locator("#vivant")).to_have_attribute("data-etat", "direct")


def ouverts(onglet: Onglet) -> int:
    return int(chiffre(onglet, "Ouverts en ce moment").inner_text())


def chiffre(onglet: Onglet, nom: str):
    return onglet.page.locator("#chiffres div", has_text=nom).locator("dd").first


def signaler(service: Serveur, titre: str = "Lampadaire cassé") -> None:
    """Somebody without an account reports."""
    invite = service.client()("POST", "/guest/sessions", {"telephone": "+243812345699"}, statut=201)
    corps = {"titre": titre, "description": "Devant la bibliothèque.", "type": "AUTRE"}
    service.client(guest_id=invite["guestId"])("POST", "/signalements/", corps, statut=201)


def test_un_gestionnaire_voit_et_lit_les_dessins(tableau):
    page = tableau.page

    expect(page.get_by_role("img", name=re.compile("^Reçus et résolus, les 30 dernières semaines"))).to_be_visible()
    page.get_by_text("Les mêmes nombres en tableau").click()
    assert page.locator("#evolution-lignes tr").count() == 30
    for nom in ("Par état", "Par type", "Par priorité", "Par mois", "Dossiers ouverts, par personne"):
        assert page.get_by_role("region", name=nom).get_by_role("listitem").count() > 1
    expect(page.get_by_role("heading", name="Ce qui attend depuis le plus longtemps")).to_be_visible()
    expect(page.get_by_role("status").first).to_have_text(A_JOUR)
    for vue in vues(page, ("bureau", "petit_telephone")):
        expect(page.get_by_role("img", name=re.compile("^Reçus et résolus"))).to_be_visible()
        assert not tableau.deborde, vue
        contrastes = page.evaluate(CONTRASTES)
        assert len(contrastes["textes"]) > 50
        assert len(contrastes["marques"]) > 20
        assert [vu for vu in contrastes["textes"] if vu[1] < 4.5] == [], vue
        assert [vu for vu in contrastes["marques"] if vu[1] < 3] == [], vue


@pytest.mark.parametrize("fenetre", ["petit_telephone"])
def test_un_dessin_plus_large_que_l_ecran_s_ouvre_sur_les_derniers_jours_et_se_defile_au_clavier(tableau):
    page = tableau.page
    cadre = page.locator(".recent")
    dernier = page.locator("#evolution text", has_text=re.compile("[a-zé]")).last  # under the last period that has room

    cadre.evaluate("cadre => cadre.scrollIntoView({ block: 'center' })")
    expect(dernier).to_be_in_viewport()
    cadre.focus()
    for _fois in range(30):
        page.keyboard.press("ArrowLeft")

    expect(page.locator("#evolution text", has_text=re.compile("[a-zé]")).first).to_be_in_viewport()
    assert not tableau.deborde


def test_sur_papier_rien_n_est_coupe_et_tout_est_en_nombres(tableau):
    page = tableau.page
    page.set_viewport_size({"width": 720, "height": 1000})
    page.emulate_media(media="print")

    assert not tableau.deborde
    for cache in (".rail", ".barre-outils"):
        expect(page.locator(cache)).to_be_hidden()
    dessin, cadre = (page.locator(choix).bounding_box() for choix in (".graphe", ".recent"))
    assert dessin["x"] >= cadre["x"]
    assert dessin["x"] + dessin["width"] <= cadre["x"] + cadre["width"] + 1
    expect(page.locator("#evolution-lignes tr").first).to_be_visible()
    expect(page.get_by_text("Confidentiel. Imprimé par")).to_be_visible()


def test_une_periode_se_choisit_sans_script_et_s_exporte(service, navigateur):
    with visiter(navigateur, service.url, "bureau", javascript=False) as onglet:
        onglet.entrer(GESTIONNAIRE)
        page = onglet.page
        page.goto(TABLEAU)
        page.get_by_text("Choisir une période").click()
        page.get_by_label("Reçu depuis le").fill("2020-01-01")
        page.get_by_label("Reçu jusqu’au").fill("2035-12-31")
        page.get_by_role("button", name="Montrer").click()
        expect(
            page.get_by_role("heading", name="Dossiers reçus du 1er janvier 2020 au 31 décembre 2035.")
        ).to_be_visible()
        recus = int(chiffre(onglet, "Reçus").inner_text())

        page.locator("summary", has_text="Exporter").click()
        with page.expect_download() as telecharge:
            page.get_by_role("button", name="CSV").click()

        lignes = lignes_csv(Path(telecharge.value.path()).read_bytes())
        assert len(lignes) == recus > 1
        assert telecharge.value.suggested_filename.endswith(".csv")


def test_un_signalement_d_invite_change_le_nombre_sans_recharger(service, tableau):
    page, avant = tableau.page, ouverts(tableau)
    page.evaluate("window.estLaMeme = true")
    lien = page.get_by_role("link", name="12 mois")
    page.get_by_text("Les mêmes nombres en tableau").click()
    lien.focus()
    place = lien.bounding_box()["y"]

    signaler(service)

    expect(chiffre(tableau, "Ouverts en ce moment")).to_have_text(str(avant + 1))
    expect(page.get_by_role("status").first).to_have_text(A_JOUR)
    expect(page.locator("#evolution-lignes")).to_be_visible()  # what one has opened stays open
    assert page.evaluate("window.estLaMeme")
    expect(lien).to_be_focused()
    assert abs(lien.bounding_box()["y"] - place) < 1


def test_une_rafale_ne_fait_pas_une_rafale_de_lectures(service, tableau):
    """One at once, then at the most one in two seconds, however long a busy machine takes over the six."""
    lectures: list[str] = []
    tableau.page.on("request", lambda demande: lectures.append(demande.url) if TABLEAU in demande.url else None)
    avant, debut = ouverts(tableau), time.monotonic()

    for rang in range(6):
        signaler(service, f"Lampadaire {rang}")

    expect(chiffre(tableau, "Ouverts en ce moment")).to_have_text(str(avant + 6))
    assert 1 <= len(lectures) <= 2 + (time.monotonic() - debut) / PAUSE


def test_un_compte_desactive_le_lit_et_rien_ne_change_plus(service, onglet):
    administration = service.client(jeton=jeton_de(service, ADMIN))
    qui = {"nom": DE_PASSAGE.nom, "prenom": DE_PASSAGE.prenom, "email": DE_PASSAGE.email}
    corps = {**qui, "motDePasse": MOT_DE_PASSE, "typeUtilisateur": DE_PASSAGE.role}
    compte = administration("POST", "/comptes/", corps, statut=201)
    onglet.entrer(DE_PASSAGE)
    onglet.page.goto(TABLEAU)
    attendre_le_direct(onglet)

    administration("PUT", f"/comptes/{compte['id']}/deactivate")

    expect(onglet.page.get_by_role("status").first).to_have_text(FIN)


def test_une_session_qui_n_est_plus_le_lit_a_la_lecture_suivante(service, tableau):
    """The socket is not checked again yet: it is the page that is sent to the door."""
    avant = ouverts(tableau)
    tableau.page.context.clear_cookies()

    signaler(service)

    expect(tableau.page.get_by_role("status").first).to_have_text(FIN)
    assert ouverts(tableau) == avant


def test_ce_qui_s_est_dit_pendant_une_coupure_est_rattrape(service, tableau):
    avant = ouverts(tableau)
    service.tuer()
    expect(tableau.page.get_by_role("status").first).to_have_text("Connexion interrompue, nouvel essai…")

    service.demarrer()
    signaler(service)

    expect(chiffre(tableau, "Ouverts en ce moment")).to_have_text(str(avant + 1), timeout=2 * DELAI)
    expect(tableau.page.get_by_role("status").first).to_have_text(A_JOUR)
    assert [plainte for plainte in tableau.plaintes if "ERR_CONNECTION_REFUSED" not in plainte] == []
    tableau.plaintes.clear()  # the browser notes each attempt


@pytest.mark.parametrize("fenetre", ["petit_telephone"])
def test_un_service_neuf_le_dit_puis_montre_ce_qui_arrive(tmp_path, navigateur, fenetre):
    neuf = Serveur(
        tmp_path,
        PUBLIC_URL="https://campus.example.org",
        ALLOWED_HOSTS="127.0.0.1",
        DJANGO_SUPERUSER_PASSWORD=MOT_DE_PASSE,
    )
    neuf.demarrer()
    neuf.commander("createsuperuser", "--noinput", "--email", ADMIN.email, "--nom", ADMIN.nom, "--prenom", ADMIN.prenom)
    onglet = Onglet(navigateur.new_page(base_url=neuf.url, locale="fr-FR", viewport=FENETRES[fenetre]))
    try:
        onglet.entrer(ADMIN)
        onglet.page.goto(TABLEAU)
        attendre_le_direct(onglet)
        expect(onglet.page.get_by_text("Rien de reçu ni de résolu dans ce temps.")).to_be_visible()
        assert onglet.page.get_by_role("img").count() == 0

        signaler(neuf)

        expect(onglet.page.get_by_role("img", name=re.compile("Reçus : 1"))).to_be_visible()
        expect(onglet.page.get_by_text("Rien de reçu ni de résolu dans ce temps.")).to_have_count(0)
        expect(chiffre(onglet, "Ouverts en ce moment")).to_have_text("1")
        expect(onglet.page.get_by_role("link", name="Lampadaire cassé")).to_be_visible()
        assert not onglet.deborde
        assert onglet.plaintes == []
    finally:
        onglet.page.close()
        neuf.tuer()
