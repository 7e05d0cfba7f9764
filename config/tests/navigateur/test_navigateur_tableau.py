"""The dashboard as the team looks at it: in Chromium, against a real server process, without a reload."""

import re
import time

import pytest
from playwright.sync_api import expect

from config.tests.outils.navigateur import DELAI, FENETRES, Onglet, jeton_de
from config.tests.outils.serveur import Serveur
from demo.textes import ADMIN, GESTIONNAIRE, MOT_DE_PASSE

pytestmark = pytest.mark.navigateur
DE_PASSAGE = GESTIONNAIRE._replace(prenom="Noé", nom="Passage", adresse="noe.passage")
DESSINS = ("Dossiers par statut", "Reçus et résolus, jour par jour", "Temps de résolution moyen")
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
    const mesurer = (choix, propriete) => [...document.querySelectorAll(`#tableau :is(${choix})`)].map((element) => {
        const [a, b] = [lire(getComputedStyle(element)[propriete]), fond(element)].map((vu) => vu.luminance + 0.05);
        return [element.outerHTML.slice(0, 90), Math.max(a, b) / Math.min(a, b)];
    });
    return {
        textes: [...mesurer("p, dt, dd, h2, h3, li, strong, span", "color"), ...mesurer("text", "fill")],
        marques: [
            ...mesurer(".ouvert, .recu, .tete", "fill"),
            ...mesurer(".bord-clos, .bord-resolu, .tige, .moyenne, .axe", "stroke"),
        ],
    };
}"""


@pytest.fixture
def tableau(onglet: Onglet) -> Onglet:
    """The first page, once its socket is open."""
    onglet.entrer(GESTIONNAIRE)
    attendre_le_direct(onglet)
    return onglet


def attendre_le_direct(onglet: Onglet) -> None:
    expect(onglet.page.locator("#tableau")).to_have_attribute("data-etat", "direct")


def ouverts(onglet: Onglet) -> int:
    return int(chiffre(onglet, "Dossiers ouverts").inner_text())


def chiffre(onglet: Onglet, nom: str):
    return onglet.page.locator(".tableau-chiffres div", has_text=nom).locator("dd").first


def signaler(service: Serveur, titre: str = "Lampadaire cassé") -> None:
    """Somebody without an account reports."""
    invite = service.client()("POST", "/guest/sessions", {"telephone": "+243812345699"}, statut=201)
    corps = {"titre": titre, "description": "Devant la bibliothèque.", "type": "AUTRE"}
    service.client(guest_id=invite["guestId"])("POST", "/signalements/", corps, statut=201)


@pytest.mark.parametrize("fenetre", ["bureau", "petit_telephone"])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_un_gestionnaire_voit_et_lit_les_dessins(tableau, theme):
    tableau.page.emulate_media(color_scheme=theme)

    for nom in DESSINS:
        expect(tableau.page.get_by_role("img", name=nom)).to_be_visible()
        assert tableau.page.get_by_role("table", name=nom).get_by_role("row").count() > 1
    expect(tableau.page.get_by_role("heading", name="Ce qui attend depuis le plus longtemps")).to_be_visible()
    expect(tableau.page.get_by_role("status")).to_have_text(A_JOUR)
    assert not tableau.deborde
    contrastes = tableau.page.evaluate(CONTRASTES)
    assert len(contrastes["textes"]) > 50
    assert len(contrastes["marques"]) > 20
    assert [vu for vu in contrastes["textes"] if vu[1] < 4.5] == []
    assert [vu for vu in contrastes["marques"] if vu[1] < 3] == []


def test_un_signalement_d_invite_change_le_nombre_sans_recharger(service, tableau):
    page, avant = tableau.page, ouverts(tableau)
    page.evaluate("window.estLaMeme = true")
    lien = page.get_by_role("link", name="Questions fréquentes")
    lien.focus()
    place = lien.bounding_box()["y"]

    signaler(service)

    expect(chiffre(tableau, "Dossiers ouverts")).to_have_text(str(avant + 1))
    expect(page.get_by_role("status")).to_have_text(A_JOUR)
    assert page.evaluate("window.estLaMeme")
    expect(lien).to_be_focused()
    assert abs(lien.bounding_box()["y"] - place) < 1


def test_une_rafale_ne_fait_pas_une_rafale_de_lectures(service, tableau):
    """One at once, then at the most one in two seconds, however long a busy machine takes over the six."""
    lectures: list[str] = []
    tableau.page.on(
        "request", lambda demande: lectures.append(demande.url) if "/admin/tableau/" in demande.url else None
    )
    avant, debut = ouverts(tableau), time.monotonic()

    for rang in range(6):
        signaler(service, f"Lampadaire {rang}")

    expect(chiffre(tableau, "Dossiers ouverts")).to_have_text(str(avant + 6))
    assert 1 <= len(lectures) <= 2 + (time.monotonic() - debut) / PAUSE


def test_un_compte_desactive_le_lit_et_rien_ne_change_plus(service, onglet):
    administration = service.client(jeton=jeton_de(service, ADMIN))
    qui = {"nom": DE_PASSAGE.nom, "prenom": DE_PASSAGE.prenom, "email": DE_PASSAGE.email}
    corps = {**qui, "motDePasse": MOT_DE_PASSE, "typeUtilisateur": DE_PASSAGE.role}
    compte = administration("POST", "/comptes/", corps, statut=201)
    onglet.entrer(DE_PASSAGE)
    attendre_le_direct(onglet)

    administration("PUT", f"/comptes/{compte['id']}/deactivate")

    expect(onglet.page.get_by_role("status")).to_have_text(FIN)


def test_une_session_qui_n_est_plus_le_lit_a_la_lecture_suivante(service, tableau):
    """The socket is not checked again yet: it is the page that is sent to the door."""
    avant = ouverts(tableau)
    tableau.page.context.clear_cookies()

    signaler(service)

    expect(tableau.page.get_by_role("status")).to_have_text(FIN)
    assert ouverts(tableau) == avant


def test_ce_qui_s_est_dit_pendant_une_coupure_est_rattrape(service, tableau):
    avant = ouverts(tableau)
    service.tuer()
    expect(tableau.page.get_by_role("status")).to_have_text("Connexion interrompue, nouvel essai…")

    service.demarrer()
    signaler(service)

    expect(chiffre(tableau, "Dossiers ouverts")).to_have_text(str(avant + 1), timeout=2 * DELAI)
    expect(tableau.page.get_by_role("status")).to_have_text(A_JOUR)
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
        attendre_le_direct(onglet)
        expect(onglet.page.get_by_text("Aucun signalement pour l'instant.")).to_be_visible()
        assert onglet.page.get_by_role("img").count() == 0

        signaler(neuf)

        expect(onglet.page.get_by_role("img", name=DESSINS[0])).to_be_visible()
        expect(onglet.page.get_by_text("Aucun signalement pour l'instant.")).to_have_count(0)
        assert [
            bloc[8:] for bloc in onglet.page.locator("#tableau-corps > *").evaluate_all("l => l.map(b => b.id)")
        ] == [
            "chiffres",
            "statuts",
            "tendance",
            "delais",
            "attentes",
        ]
        assert not onglet.deborde
        assert onglet.plaintes == []
    finally:
        onglet.page.close()
        neuf.tuer()
