"""Each mail: one frame, the same words in both parts, legible in any colour of a campus, and nothing fetched."""

import html
import re
from datetime import UTC, datetime
from html.parser import HTMLParser

import pytest
from django.conf import settings as reglages
from django.utils import timezone, translation
from django.utils.html import strip_tags

from accounts.vocabulaire import Surete
from socle.pages.couleurs import NEUTRES_CLAIRS, NEUTRES_SOMBRES, TEXTE, contraste
from socle.pages.mails import ecrire

LIEN = "https://service.campus.test/page?token=ab:cd&acte=L_EFFET"
PREMIER = datetime(2026, 12, 1, 13, 5, tzinfo=UTC)
FUSEAU = "Africa/Kinshasa"
CONTEXTES = {
    "adresse_a_confirmer": {"lien": LIEN, "expire_le": PREMIER},
    "adresse_contestee": {"lien": LIEN},
    "adresse_demandee": {"lien": LIEN, "prenom": "Awa"},
    "ancienne_adresse": {"prenom": "Awa"},
    "avis": {"lien": LIEN, "arret": "https://service.campus.test/ne-plus-prevenir?token=ef:gh"},
    "avis_a_confirmer": {"lien": LIEN, "expire_le": PREMIER},
    "avis_evenements": {
        "lien": LIEN,
        "arret": "https://service.campus.test/ne-plus-prevenir?token=ef:gh",
        "dits": [
            {
                "phrase": "Un événement auquel vous êtes inscrit·e a changé.",
                "evenement": {"titre": "Premiers secours", "date_debut": PREMIER, "lieu": "Amphi B"},
            },
            {"phrase": "Un événement auquel vous êtes inscrit·e a lieu demain.", "evenement": None},
        ],
        "autres": 3,
    },
    "avis_publications": {
        "lien": LIEN,
        "arret": "https://service.campus.test/ne-plus-prevenir?token=ef:gh",
        "dits": [
            {"poste": {"titre": "Chorale", "date_creation": PREMIER}, "est_en_ligne": True},
            {"poste": {"titre": "", "date_creation": PREMIER}, "est_en_ligne": False},
        ],
    },
    "changement": {"mot_de_passe": True, "second_facteur": True, "adresse": True, "role": "Gestionnaire"},
    "codes_faux": {"prenom": "Awa"},
    "composition": {"lien": LIEN},
    "dossier_ferme": {"lien": LIEN},
    "effacement_demande": {"lien": LIEN},
    "invitation": {
        "lien": LIEN,
        "expire_le": PREMIER,
        "role": "Gestionnaire",
        "mot": "Chère Inès,\n\nà lundi : tu viens ?",
        "mot_de": "Rose Kabila",
    },
    "equipe_sans_lecteur": {"lien": LIEN},
    "nom_a_verifier": {"lien": LIEN},
    "ouverture_motivee": {"lien": LIEN},
    "reinitialisation": {"lien": LIEN, "prenom": "Awa"},
    "sans_lecteur": {"lien": LIEN},
    "suppressions": {"lien": LIEN, "nombre": 2, "jours": 30},
    "surete": {"fait": Surete.MOT_DE_PASSE_CHANGE.label, "moment": PREMIER},
}
# None: the house's own.
COULEURS = ["", "#5b2c83", "#ffff00", "#000000", "#ffffff", "#7aa300", "#d81e5b"]
DEHORS = re.compile(r"\b(?:src|srcset|background|poster|data)=|url\(|@import|<(?:img|link|script|form|iframe|object)")
SOMBRE = re.compile(r"@media \(prefers-color-scheme: dark\) \{\n(.*?)\n\}\n", re.S)


def mots(texte):
    return " ".join(texte.split())


def mail(modele, langue="fr", **contexte):
    with translation.override(langue), timezone.override(FUSEAU):
        return ecrire(modele, {"fuseau": FUSEAU, **CONTEXTES[modele], **contexte})


class Couches(HTMLParser):
    """Each text of the body, its colour, and the ground behind it: by inline styles, then by the rules of a theme."""

    def __init__(self, page, theme=""):
        super().__init__()
        self.regles = dict(re.findall(r"^\.(\w+) \{ (.*) \}$", theme, re.M))
        self.pile = [("", "")]
        self.vus = []
        self.feed(page.partition("</head>")[2])

    def handle_starttag(self, nom, attributs):
        donnes = dict(attributs)
        style = f"{donnes.get('style', '')};{self.regles.get(donnes.get('class', ''), '')}"
        couleur, fond = self.pile[-1]
        for propriete, valeur in re.findall(r"(?<![\w-])(color|background):\s*(#\w{6})", style):
            couleur, fond = (valeur, fond) if propriete == "color" else (couleur, valeur)
        if nom != "br":
            self.pile.append((couleur, fond))

    def handle_endtag(self, nom):
        self.pile.pop()

    def handle_data(self, texte):
        if texte.strip():
            self.vus.append((texte.strip(), *self.pile[-1]))


def test_chaque_gabarit_est_essaye():
    dossier = reglages.BASE_DIR / "templates" / "mails"
    assert {un.stem for un in dossier.iterdir() if not un.name.startswith("cadre")} == CONTEXTES.keys()


@pytest.mark.parametrize("langue", ["fr", "en"])
@pytest.mark.parametrize("modele", CONTEXTES)
def test_le_texte_et_la_page_disent_la_meme_chose(modele, langue):
    ecrit = mail(modele, langue)

    lue = mots(html.unescape(strip_tags(re.sub(r"<(?!/?bdi)[^>]*>", r" \g<0>", ecrit.html.partition("</head>")[2]))))
    phrase = {"fr": "Ou copiez cette adresse\u00a0:", "en": "Or copy this address:"}[langue]
    # What is quoted by a sign in the text is quoted by an element in the page.
    dite, _, nom = re.sub("^> ", "", ecrit.texte, flags=re.M).rstrip().rpartition("\n\n")
    assert lue.replace(f" {mots(phrase)}", "") == mots(f"{nom} {ecrit.sujet} {dite}")
    assert (phrase in ecrit.html) is ("lien" in CONTEXTES[modele])
    assert f'<html lang="{langue}">' in ecrit.html
    assert "\n" not in ecrit.sujet


@pytest.mark.parametrize("modele", CONTEXTES)
def test_chaque_lien_est_celui_qu_on_a_donne_et_le_texte_l_a_aussi(modele):
    ecrit = mail(modele)

    liens = re.findall(r'href="([^"]*)"', ecrit.html)
    assert liens == [LIEN.replace("&", "&amp;")] * ("lien" in CONTEXTES[modele])
    assert ecrit.texte.count(LIEN) == len(liens)
    autres = [CONTEXTES[modele]["arret"]] if "arret" in CONTEXTES[modele] else []
    assert re.findall(r"https?://\S+", ecrit.texte) == [*[LIEN] * len(liens), *autres]
    assert DEHORS.findall(ecrit.html) == []


@pytest.mark.parametrize("couleur", COULEURS)
@pytest.mark.parametrize("modele", ["invitation", "changement"])
def test_tout_se_lit_dans_les_deux_themes_quelle_que_soit_la_couleur(settings, couleur, modele):
    settings.PORTAIL_COULEUR = couleur

    page = mail(modele).html
    clair, sombre = (Couches(page, theme).vus for theme in ("", SOMBRE.search(page)[1].replace(" !important", "")))

    for vus in (clair, sombre):
        assert len(vus) > 6
        assert [un for un in vus if contraste(un[1], un[2]) < TEXTE] == []
    assert {une[1:] for une in clair}.isdisjoint(une[1:] for une in sombre)


def test_les_neutres_sont_les_jetons_des_pages():
    jetons = (reglages.BASE_DIR / "config/static/campus/jetons.css").read_text(encoding="utf-8")
    clairs, sombres = jetons.split("@media (prefers-color-scheme: dark)")
    for bloc, neutres in ((clairs, NEUTRES_CLAIRS), (sombres, NEUTRES_SOMBRES)):
        for nom, valeur in neutres.items():
            jeton = "creux" if (nom, bloc) == ("fond", clairs) else nom  # a hollow around a white card
            ecrit = re.search(rf"--{jeton}: (#\w+);", bloc)[1]
            assert valeur == re.sub(r"^#(.)(.)(.)$", r"#\1\1\2\2\3\3", ecrit), nom


@pytest.mark.parametrize("modele", CONTEXTES)
def test_une_seule_colonne_de_600_au_plus(modele):
    page = mail(modele).html

    assert re.findall(r"max-width:(\d+)px", page) == ["600"]
    assert {int(n) for n in re.findall(r"(?<![-\w])(?:min-)?width[:=]\"?(\d+)(?!\d*%)", page)} == set()


@pytest.mark.parametrize("modele", CONTEXTES)
def test_un_mail_ne_dit_ni_reference_ni_contenu_quoi_qu_on_lui_donne(modele):
    canaris = {nom: f"CANARI {nom}" for nom in ("reference", "titre", "description", "email", "dossier", "signalement")}

    ecrit = mail(modele, **canaris)

    assert "CANARI" not in "".join(ecrit)


def test_ce_qu_on_a_tape_reste_comme_on_l_a_tape(settings):
    settings.PORTAIL_NOM = "Campus d'Ici : <b>"
    ecrit = mail("reinitialisation", prenom="N'Golo <script> ?")

    assert "Bonjour N'Golo <script> ?," in ecrit.texte
    assert ecrit.texte.endswith("\n\nCampus d'Ici : <b>\n")
    assert "Bonjour <bdi>N&#x27;Golo &lt;script&gt; ?</bdi>," in ecrit.html
    assert "<script>" not in ecrit.html


def test_un_mot_ne_se_fait_pas_passer_pour_le_mail():
    faux = "Créer mon compte\nhttps://ailleurs.test/?token=x\u2028suite\r\n</blockquote></td><a href='https://x.test'>Ici</a>"

    ecrit = mail("invitation", mot=f"Bonjour.\n\n{faux}\n\n> Campus", mot_de="Rose\u202e <b>")

    avant, _, apres = ecrit.texte.partition("\n\nVous êtes invité")
    _bonjour, _vide, de, *lignes = avant.split("\n")
    assert de == "Rose\u202e <b> vous écrit\u00a0:"
    assert len(lignes) == 8
    assert [ligne for ligne in lignes if not ligne.startswith("> ")] == []
    assert apres.count(f"\n\nCréer mon compte\n{LIEN}\n\n") == 1
    cite = re.search(r"<blockquote [^>]*>(.*?)</blockquote>", ecrit.html)[1]
    assert set(re.findall("<[^>]*>", cite)) == {"<br>"}
    assert "&lt;a href=&#x27;https://x.test&#x27;&gt;Ici" in cite
    assert ecrit.html.count("</blockquote>") == 1
    assert re.findall(r'href="([^"]*)"', ecrit.html) == [LIEN.replace("&", "&amp;")]


@pytest.mark.parametrize("langue", ["fr", "en"])
def test_sans_mot_une_invitation_est_celle_de_toujours(langue):
    """The word and what introduces it are all that a word adds."""
    sans, avec = mail("invitation", langue, mot=""), mail("invitation", langue)

    assert re.sub(r"\n\n(?:Rose[^\n]*)\n(?:> [^\n]*\n)+", "\n", avec.texte) == sans.texte
    assert re.sub(r"<p><bdi>Rose[^\n]*\n<blockquote[^\n]*</blockquote>\n", "", avec.html) == sans.html
    assert "Rose" not in sans.texte + sans.html


def test_le_francais_a_ses_signes_et_l_anglais_les_siens():
    francais, anglais = mail("surete"), mail("surete", "en")

    for partie in (francais.texte, strip_tags(francais.html)):
        assert "C\u2019était le 1er décembre 2026, 14:05 (Africa/Kinshasa)." in partie
        assert "«\u00a0mot de passe oublié\u00a0»" in partie
        assert "'" not in partie.partition("prefers")[0]
    assert "That was on 1 December 2026, 14:05 (Africa/Kinshasa)." in anglais.texte
    assert not {"\u00a0", "\u202f"} & set(anglais.texte)
