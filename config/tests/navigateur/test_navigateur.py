"""The pages as people use them: Chromium, against a real server process, on a desk and on a phone."""

import re
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from playwright.sync_api import expect

from config.tests.outils.navigateur import AU_BOUT, THEMES, jeton_de, vues
from config.tests.outils.serveur import Serveur, attendre
from demo.aide import CONTACTS, GUIDE, NOM_DU_GUIDE, QUESTIONS
from demo.textes import ADMIN, ETUDIANTE, GESTIONNAIRE, MOT_DE_PASSE
from socle.pages.couleurs import TEXTE, contraste
from socle.pages.typographie import en_francais

pytestmark = pytest.mark.navigateur
FENETRES = ("bureau", "telephone")
LE_GUIDE = en_francais(GUIDE[0])
BROUILLON = next(question for question in QUESTIONS if not question.publiee)
CHEMINS = "liens => liens.map((lien) => lien.pathname)"
POSTES, MOTS, EVENEMENTS = "/admin/forum/poste/", "/admin/forum/motsurveille/", "/admin/calendrier/evenementcampus/"
FAQS, CONTACTS_URGENCE = "/admin/resources/faq/", "/admin/resources/contacturgence/"
RESSOURCES, FICHIERS = "/admin/resources/ressource/", "/admin/resources/fichier/"
# What shows where the keyboard is: an outline, a shadow, or an underline that was not there.
MONTRE_LE_FOYER = """element => {
    const style = getComputedStyle(element);
    return (style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0) || style.boxShadow !== "none";
}"""

# From right to left: its last sign stands left of its first; in a line of ours it would stand right of it.
VA_VERS_LA_GAUCHE = """element => {
    const textes = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    let texte = textes.nextNode();
    while (!texte.data.includes(")")) texte = textes.nextNode();
    const [debut, fin] = [texte.data.search(/\\S/), texte.data.lastIndexOf(")")];
    const gauche = (rang) => {
        const signe = document.createRange();
        signe.setStart(texte, rang);
        signe.setEnd(texte, rang + 1);
        return signe.getBoundingClientRect().left;
    };
    return gauche(fin) < gauche(debut);
}"""
SENS = "element => getComputedStyle(element).unicodeBidi"
BOUTONS = "#content :is(input[type=submit], input[type=button], button, .button, .submit-row a, .object-tools a)"
# How much more room a button has under its words than over them, in pixels.
ECARTS = """() => [...document.querySelectorAll("#content :is(a.button, .submit-row a, .object-tools a)")].map((e) => {
    const mots = document.createRange();
    mots.selectNodeContents(e);
    const [boite, dits] = [e.getBoundingClientRect(), mots.getBoundingClientRect()];
    return [e.textContent.trim(), (boite.bottom - dits.bottom) - (dits.top - boite.top)];
})"""
# Controls that do not stand whole in the window, or not whole in what holds them; a table alone is pushed about.
COUPES = """() => {
    const sort = (boite, de) => Math.max(boite.right - de.right, boite.bottom - de.bottom, de.left - boite.left) > 0.5;
    const est_coupe = (e) => {
        const boite = e.getBoundingClientRect();
        for (let tient = e.parentElement; tient; tient = tient.parentElement) {
            const coupe = getComputedStyle(tient).overflow !== "visible";
            if (coupe && sort(boite, tient.getBoundingClientRect())) return true;
        }
        const deborde = e.matches("a, button") && e.scrollWidth > e.clientWidth + 1;
        return deborde || boite.right > innerWidth || boite.left < 0;
    };
    return [...document.querySelectorAll(":is(#header, #content) :is(a, input, button, select, textarea)")]
        .filter((e) => e.checkVisibility({visibilityProperty: true}) && !e.closest(".results") && est_coupe(e))
        .map((e) => e.outerHTML.slice(0, 120));
}"""
TEXTE_ET_FOND = """element => [getComputedStyle(element).color, getComputedStyle(element).backgroundColor]
    .map((dite) => "#" + dite.match(/\\d+/g).slice(0, 3).map((un) => (+un).toString(16).padStart(2, "0")).join(""))"""


def titres(service: Serveur, chemin: str, champ: str) -> list[str]:
    """What the API answers to the student."""
    return [ligne[champ] for ligne in service.client(jeton=jeton_de(service, ETUDIANTE))("GET", chemin)]


# --- Who enters -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("personne", "administre"), [(GESTIONNAIRE, False), (ADMIN, True)])
def test_l_equipe_entre_et_trouve_ce_qui_est_a_elle(onglet, personne, administre):
    onglet.entrer(personne)

    expect(onglet.page).to_have_title(re.compile("Administration"))
    for _vue in vues(onglet.page, FENETRES, ("light",)):
        for section in ("Questions fréquentes", "Contacts d’urgence", "Ressources", "Fichiers"):
            expect(onglet.page.locator("#content").get_by_role("link", name=section, exact=True).first).to_be_visible()
        assert not onglet.deborde
    for reservee in ("Comptes", "Sessions invitées"):
        liens = onglet.page.locator("#content").get_by_role("link", name=reservee, exact=True)
        assert (liens.count() > 0) is administre
    assert onglet.page.locator("html").get_attribute("lang") == "fr"


def test_une_etudiante_reste_a_la_porte_et_lit_pourquoi(onglet):
    onglet.entrer(ETUDIANTE)

    expect(onglet.page.get_by_text("compte qui n’est pas de l’équipe")).to_be_visible()
    expect(onglet.page.get_by_label("Mot de passe")).to_be_visible()
    assert onglet.page.get_by_role("link", name="Questions fréquentes").count() == 0


def test_qui_a_oublie_son_mot_de_passe_demande_un_lien(service, onglet):
    onglet.ouvrir("/admin/")
    onglet.page.get_by_role("link", name="Mot de passe oublié").click()
    onglet.page.get_by_label("E-mail").fill(GESTIONNAIRE.email)
    onglet.page.get_by_role("button", name="Valider").click()

    expect(onglet.page.get_by_role("main").get_by_role("status")).to_contain_text("un e-mail vient de partir")
    lien = attendre(lambda: re.search(r"/reinitialisation\?token=\S+", service.sortie.read_text()), "le lien")
    onglet.ouvrir(lien.group())
    onglet.page.get_by_label("Nouveau mot de passe").fill(MOT_DE_PASSE)
    onglet.page.get_by_role("button", name="Valider").click()
    onglet.page.get_by_role("link", name="Se connecter à l’espace de l’équipe").click()
    expect(onglet.page.get_by_role("heading", name="Se connecter")).to_be_visible()


def test_un_gestionnaire_n_ouvre_aucun_compte(onglet):
    onglet.entrer(GESTIONNAIRE)
    for page in ("compte/", "invitation/", "session/", ""):
        statut = onglet.ouvrir(f"/admin/accounts/{page}")

        assert statut in (403, 404), page
        assert ADMIN.email not in onglet.page.content(), page
        assert [plainte for plainte in onglet.plaintes if str(statut) not in plainte] == [], page
        onglet.plaintes.clear()  # the refusal itself, which the browser notes


# --- Help, from writing to reading ----------------------------------------------------------------------------------


def test_un_gestionnaire_publie_une_question_et_chacun_la_lit(service, onglet):
    assert BROUILLON.question not in titres(service, "/aide/faqs", "question")
    onglet.entrer(GESTIONNAIRE)

    onglet.agir(FAQS, BROUILLON.question, "Publier ce qui est choisi")

    expect(onglet.page.get_by_text("1 ligne traitée.")).to_be_visible()
    generales = service.client(jeton=jeton_de(service, ETUDIANTE))("GET", "/aide/faqs")
    assert [une["question"] for une in generales if une["categorie"] == BROUILLON.categorie][-1] == BROUILLON.question

    onglet.agir(FAQS, BROUILLON.question, "Retirer ce qui est choisi")

    expect(onglet.page.get_by_text("1 ligne traitée.")).to_be_visible()
    assert BROUILLON.question not in titres(service, "/aide/faqs", "question")


@pytest.mark.parametrize("fenetre", FENETRES)
def test_un_contact_s_ecrit_se_relit_et_s_efface(service, onglet, fenetre):
    nom = f"Permanence de nuit ({fenetre})"
    onglet.entrer(GESTIONNAIRE)
    onglet.ouvrir(f"{CONTACTS_URGENCE}add/")
    onglet.page.get_by_label("Nom").fill(nom)
    onglet.page.get_by_label("Téléphone").fill("0001")
    onglet.page.get_by_role("button", name="Enregistrer et continuer les modifications").click()

    apercu = onglet.page.locator(".apercu")
    expect(apercu.get_by_role("heading", name=nom)).to_be_visible()
    expect(apercu.get_by_text("0001")).to_be_visible()
    assert not onglet.deborde
    assert titres(service, "/aide/contacts-urgence", "nom")[-1] == nom

    onglet.page.get_by_label("Téléphone").fill("0002")
    onglet.page.get_by_role("button", name="Enregistrer et continuer les modifications").click()
    onglet.page.get_by_role("link", name="Historique", exact=True).click()
    changement = onglet.page.get_by_role("row", name="Téléphone 0001 0002")
    expect(changement.last).to_be_visible()
    assert not onglet.deborde

    onglet.page.go_back()
    onglet.page.get_by_role("link", name="Supprimer", exact=True).click()
    onglet.page.get_by_role("button", name="Oui, je suis sûr").click()
    expect(onglet.page.get_by_text("a été supprimé")).to_be_visible()
    assert nom not in titres(service, "/aide/contacts-urgence", "nom")


# --- The forum ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("fenetre", FENETRES)
def test_un_gestionnaire_approuve_une_publication_et_chacun_la_lit(service, onglet, fenetre):
    etudiante = service.client(jeton=jeton_de(service, ETUDIANTE))
    titre = f"Qui chante jeudi ? ({fenetre})"
    poste = etudiante("POST", "/postes/", {"titre": titre, "contenu": "Nous cherchons des voix."}, statut=201)
    assert poste["id"] not in _approuvees(etudiante)
    onglet.entrer(GESTIONNAIRE)

    onglet.agir(POSTES, titre, "Approuver les publications choisies")

    expect(onglet.page.get_by_text("1 ligne traitée.")).to_be_visible()
    assert not onglet.deborde
    assert poste["id"] in _approuvees(etudiante)
    historique = service.client(jeton=jeton_de(service, GESTIONNAIRE))("GET", f"/postes/{poste['id']}/historique")
    assert [(m["ancienStatut"], m["nouveauStatut"]) for m in historique] == [("NOUVEAU", "APPROUVER")]


@pytest.mark.parametrize("fenetre", FENETRES)
def test_une_publication_se_juge_de_sa_page(service, onglet, fenetre):
    etudiante = service.client(jeton=jeton_de(service, ETUDIANTE))
    titre = f"Qui danse vendredi ? ({fenetre})"
    poste = etudiante("POST", "/postes/", {"titre": titre, "contenu": "Tous niveaux."}, statut=201)
    onglet.entrer(GESTIONNAIRE)
    onglet.ouvrir(POSTES)
    onglet.page.get_by_role("link", name=titre).click()

    onglet.page.get_by_role("button", name="Rejeter").click()
    expect(onglet.page.get_by_text("1 ligne traitée.")).to_be_visible()
    assert poste["id"] not in _approuvees(etudiante)
    expect(onglet.page.get_by_role("button", name="Rejeter")).to_have_count(0)

    onglet.page.get_by_role("button", name="Approuver").click()
    expect(onglet.page.get_by_role("row", name="Rejeté Approuvé")).to_be_visible()
    assert poste["id"] in _approuvees(etudiante)
    assert not onglet.deborde


@pytest.mark.parametrize("fenetre", FENETRES)
def test_ce_qui_fut_ecrit_se_lit_dans_son_sens(service, onglet, fenetre):
    titre = f"\u062a\u062d\u0631\u0634 {fenetre} (\u0661)"
    service.client(jeton=jeton_de(service, ETUDIANTE))(
        "POST", "/postes/", {"titre": titre, "contenu": titre}, statut=201
    )
    onglet.entrer(GESTIONNAIRE)

    onglet.ouvrir(POSTES)
    lien = onglet.page.get_by_role("link", name=titre)
    sens = {"liste": lien.evaluate(VA_VERS_LA_GAUCHE)}
    lien.click()
    for lieu in ("#content > h2", ".breadcrumbs bdi", ".field-contenu_montre .readonly"):
        sens[lieu] = onglet.page.locator(lieu).first.evaluate(VA_VERS_LA_GAUCHE)

    assert sens == dict.fromkeys(sens, True)
    assert not onglet.deborde
    onglet.ouvrir(FAQS)
    assert onglet.page.locator("#searchbar").evaluate(SENS) == "plaintext"
    onglet.ouvrir(f"{FAQS}add/")
    champs = [onglet.page.locator(champ).evaluate(SENS) for champ in ("[name=question]", "[name=reponse]")]
    assert champs == ["plaintext"] * 2


def _approuvees(etudiante: Any) -> set[str]:
    return {poste["id"] for poste in etudiante("GET", "/postes/approuves")["items"]}


# --- The library ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("personne", [GESTIONNAIRE, ADMIN])
def test_un_fichier_se_telecharge_et_ne_s_affiche_pas(onglet, personne):
    onglet.entrer(personne)
    onglet.ouvrir(FICHIERS)

    with onglet.page.expect_download() as attendu:
        onglet.page.get_by_role("row", name=NOM_DU_GUIDE).get_by_role("link", name="Télécharger").click()

    assert attendu.value.suggested_filename == NOM_DU_GUIDE
    assert Path(attendu.value.path()).read_bytes().startswith(b"%PDF-")
    assert onglet.page.url.endswith(FICHIERS)


def test_un_gestionnaire_supprime_une_ressource_et_la_retablit(onglet):
    onglet.entrer(GESTIONNAIRE)

    onglet.agir(RESSOURCES, LE_GUIDE, "Supprimer les ressources choisies")
    expect(onglet.page.get_by_role("link", name=LE_GUIDE)).to_have_count(0)

    onglet.agir(f"{RESSOURCES}?etat=supprimees", LE_GUIDE, "Rétablir les ressources choisies")
    onglet.ouvrir(RESSOURCES)
    expect(onglet.page.get_by_role("link", name=LE_GUIDE)).to_be_visible()


# --- Every page -----------------------------------------------------------------------------------------------------


def test_chaque_page_de_l_administration_s_ouvre_sans_une_plainte(onglet, fenetre):
    onglet.entrer(ADMIN)
    listes = sorted(set(onglet.page.locator(".que-faire a:not([href$='/add/'])").evaluate_all(CHEMINS)))
    assert {FAQS, CONTACTS_URGENCE, RESSOURCES, FICHIERS, "/admin/accounts/compte/"} <= set(listes)
    pages = [f"{liste}add/" for liste in (FAQS, CONTACTS_URGENCE, MOTS, EVENEMENTS)]
    pages += [*listes, *(f"{liste}?o=1" for liste in listes), "/admin/", "/admin/password_change/", "/"]
    for liste in listes:
        onglet.ouvrir(liste)
        liens = onglet.page.locator("#result_list tbody tr a").evaluate_all(CHEMINS)
        fiches = [lien for lien in liens if lien.endswith("/change/")]
        suites = ["change", "history", *(["delete"] if liste in (FAQS, CONTACTS_URGENCE, FICHIERS) else [])]
        pages += [fiches[0].replace("/change/", f"/{suite}/") for suite in suites] if fiches else []

    vus = {}
    for page in pages:
        statut = onglet.ouvrir(page)
        for vue in vues(onglet.page, FENETRES, ("light",)):
            vus[page, vue] = (statut, onglet.deborde, onglet.fautes, list(onglet.plaintes))

    assert {ou: vu for ou, vu in vus.items() if vu != (200, False, [], [])} == {}


def test_chaque_page_publique_s_ouvre_sans_une_plainte(onglet):
    for chemin in ("/", "/admin/login/", "/mot-de-passe-oublie"):
        assert onglet.ouvrir(chemin) == 200
        for vue in vues(onglet.page, FENETRES, ("light",)):
            assert not onglet.deborde, (chemin, vue)
            assert onglet.fautes == [], (chemin, vue)
            assert onglet.page.get_by_role("heading", level=1).count() == 1, (chemin, vue)


@pytest.fixture
def longueurs(service):
    """Rows of every list of the admin site that hold as much as people write."""
    prenom, nom = "Marie-Antoinette Bénédicte", "Tshilombo-Mukendi wa Kalonji"
    email = f"{uuid4().hex}.marie-antoinette@etudiants.universite-de-lubumbashi.example"
    compte = {"email": email, "motDePasse": MOT_DE_PASSE, "prenom": prenom, "nom": nom}
    service.client()("POST", "/auth/signup", compte, statut=201)
    entree = {"email": email, "motDePasse": MOT_DE_PASSE, "appareil": "Firefox 130 " * 6, "localisation": "Kasapa " * 8}
    elle = service.client(jeton=service.client()("POST", "/auth/login", entree)["token"])
    equipe, admin = (service.client(jeton=jeton_de(service, qui)) for qui in (GESTIONNAIRE, ADMIN))
    poste = elle("POST", "/postes/", {"titre": "Colocation à trois, " * 6, "contenu": "m" * 300}, statut=201)
    elle("POST", f"/postes/{poste['id']}/commentaires", {"contenu": "Toujours d'actualité ? " * 8}, statut=201)
    evenement = {
        "titre": "Journée portes ouvertes de la faculté de médecine " * 2,
        "type": "PORTES_OUVERTES",
        "dateDebut": "2031-09-03T08:00:00Z",
        "dateFin": "2031-09-24T18:00:00Z",
        "lieu": "Grand amphithéâtre du bâtiment administratif",
    }
    publie = equipe("POST", "/calendriers/", evenement, statut=201)
    elle("POST", f"/calendriers/{publie['id']}/inscription", {}, statut=201)
    admin("POST", "/comptes/invitations", {"email": f"x{email}", "typeUtilisateur": "ADMIN_SYSTEME"}, statut=201)
    admin("POST", "/stats/signalements/export", {"statut": "NOUVEAU", "search": "bibliothèque " * 4}, statut=201)


def test_rien_n_est_coupe_dans_une_liste(longueurs, onglet):
    onglet.entrer(ADMIN)
    listes = sorted(set(onglet.page.locator(".que-faire a:not([href$='/add/'])").evaluate_all(CHEMINS)))
    assert {POSTES, EVENEMENTS, "/admin/guests/sessioninvitee/", "/admin/accounts/compte/"} <= set(listes)

    coupees = {liste: onglet.coupees for liste in listes if onglet.ouvrir(liste) == 200}

    assert {liste: cases for liste, cases in coupees.items() if cases} == {}
    assert set(coupees) == set(listes)


@pytest.mark.parametrize(
    ("chemin", "repere"),
    [("/api/v1/docs", "Ce que le service permet"), ("/api/v1/redoc", "Signaler, suivre et traiter")],
)
def test_la_documentation_se_lit_sans_rien_demander_ailleurs(onglet, chemin, repere):
    onglet.ouvrir(chemin)

    expect(onglet.page.get_by_text(repere).first).to_be_visible()
    onglet.page.wait_for_load_state("networkidle")
    assert onglet.plaintes == []
    expect(onglet.page.get_by_alt_text("redocly logo")).to_have_count(0)


def test_un_bouton_se_lit_sur_son_fond_au_repos_et_choisi(onglet):
    onglet.entrer(ADMIN)
    onglet.ouvrir(POSTES)
    poste = onglet.page.locator("#result_list tbody th a").first.get_attribute("href")
    onglet.ouvrir(FAQS)
    faq = str(onglet.page.locator("#result_list tbody th a").first.get_attribute("href"))
    suppression = faq.partition("?")[0].replace("/change/", "/delete/")

    lus, illisibles = set(), []
    for chemin in ("/admin/", FAQS, CONTACTS_URGENCE, f"{EVENEMENTS}add/", faq, suppression, poste):
        onglet.ouvrir(chemin)
        for theme in THEMES:
            onglet.page.emulate_media(color_scheme=theme)
            for bouton in onglet.page.locator(BOUTONS).locator("visible=true").all():
                nom = bouton.evaluate("e => e.textContent.trim() || e.value")
                for moment, faire in (("au repos", bouton.blur), ("choisi", bouton.focus)):
                    faire()
                    onglet.page.evaluate(AU_BOUT)
                    texte, fond = bouton.evaluate(TEXTE_ET_FOND)
                    lus.add(nom)
                    if contraste(texte, fond) < TEXTE:
                        illisibles.append((chemin, theme, nom, moment, texte, fond))

    assert illisibles == []
    assert {"Enregistrer", "Envoyer", "Rechercher", "Oui, je suis sûr", "Supprimer", "Rejeter"} <= lus


@pytest.mark.parametrize("fenetre", ["bureau", "petit_telephone"])
def test_les_mots_d_un_bouton_sont_au_milieu_de_sa_hauteur(onglet, fenetre):
    onglet.entrer(ADMIN)
    onglet.ouvrir(FAQS)
    faq = onglet.page.locator("#result_list tbody th a").first.get_attribute("href")

    ecarts = {}
    for chemin in ("/admin/", FAQS, f"{FAQS}add/", faq):
        onglet.ouvrir(chemin)
        ecarts |= {(chemin, nom): ecart for nom, ecart in onglet.page.evaluate(ECARTS)}

    assert {nom for _chemin, nom in ecarts} >= {
        "Ajouter\N{NO-BREAK SPACE}: question fréquente",
        "Historique",
        "Supprimer",
    }
    assert {ou: ecart for ou, ecart in ecarts.items() if abs(ecart) > 1.5} == {}


def test_rien_n_est_coupe_sur_un_petit_telephone(onglet):
    onglet.entrer(ADMIN)
    onglet.ouvrir(FAQS)
    faq = str(onglet.page.locator("#result_list tbody th a").first.get_attribute("href"))
    suppression = faq.partition("?")[0].replace("/change/", "/delete/")

    coupes = {}
    for chemin in ("/admin/", FAQS, f"{FAQS}add/", f"{EVENEMENTS}add/", faq, suppression, "/admin/password_change/"):
        onglet.ouvrir(chemin)
        for vue in vues(onglet.page, ("etroite", "petit_telephone")):
            coupes[chemin, vue] = onglet.page.evaluate(COUPES)
    onglet.ouvrir(FAQS)
    case = onglet.page.locator("#searchbar").bounding_box()
    lignes = [onglet.page.locator(f"#header nav a >> nth={rang}").bounding_box() for rang in range(5)]

    assert {ou: coupees for ou, coupees in coupes.items() if coupees} == {}
    assert case["width"] > 150
    assert {ligne["height"] for ligne in lignes} == {lignes[0]["height"]}  # each on one line


# --- The keyboard ---------------------------------------------------------------------------------------------------


def test_on_entre_et_on_publie_sans_souris(service, onglet):
    page = onglet.page
    onglet.ouvrir("/admin/")
    page.keyboard.type(GESTIONNAIRE.email)  # the cursor is there already
    page.keyboard.press("Tab")
    page.keyboard.type(MOT_DE_PASSE)
    page.keyboard.press("Enter")
    expect(page).to_have_title(re.compile("Administration"))

    inactif = next(contact.nom for contact in CONTACTS if not contact.actif)
    onglet.ouvrir(CONTACTS_URGENCE)
    page.get_by_role("link", name=inactif).focus()
    page.keyboard.press("Enter")
    page.get_by_label("Actif").focus()
    page.keyboard.press("Space")
    page.keyboard.press("Enter")

    expect(page.get_by_text("a été modifié")).to_be_visible()
    assert inactif in titres(service, "/aide/contacts-urgence", "nom")


def test_on_voit_toujours_ou_est_le_clavier(onglet):
    onglet.entrer(ADMIN)
    caches = []
    for chemin in ("/admin/", FAQS, f"{FAQS}add/", RESSOURCES, FICHIERS):
        onglet.ouvrir(chemin)
        for _pas in range(25):
            onglet.page.keyboard.press("Tab")
            foyer = onglet.page.locator(":focus")
            if foyer.count() == 1 and not foyer.evaluate(MONTRE_LE_FOYER):
                caches.append((chemin, foyer.evaluate("e => e.outerHTML.slice(0, 120)")))

    assert caches == []
