"""The spaces of a French page: before its signs and its units, and nowhere in what somebody typed."""

import pytest
from django.contrib.admin.models import ADDITION, LogEntry
from django.utils.html import escape
from django.utils.translation import gettext_lazy as paresseux  # no text of the catalogue
from django.utils.translation import override

from accounts.tests.outils import entrer
from resources.tests import fabriques
from socle.pages.balises import isole, poids
from socle.pages.formulaires import ListeDeChoix
from socle.pages.typographie import composer, en_francais

NB, FINE = "\u00a0", "\u202f"


@pytest.mark.parametrize(
    ("ecrit", "montre"),
    [
        ("Qui lit ?", f"Qui lit{FINE}?"),
        ("Écrire ; lire !", f"Écrire{FINE}; lire{FINE}!"),
        ("État : en cours", f"État{NB}: en cours"),
        ("Adresse :", f"Adresse{NB}:"),
        ("à 14 :30", "à 14 :30"),
        ("« Quitter vite »", f"«{NB}Quitter vite{NB}»"),
        ("10 Mo au plus, 30 minutes", f"10{NB}Mo au plus, 30{NB}minutes"),
        ("50 % des cas, 10 €.", f"50{NB}% des cas, 10{NB}€."),
        ("3 messages", "3 messages"),
        ("le n° 2", f"le n°{NB}2"),
        ("01 23 45 67 89", NB.join(("01", "23", "45", "67", "89"))),
        ("au +33 6 39 98 00 21.", f"au {NB.join(('+33', '6', '39', '98', '00', '21'))}."),
        ("Un mot. Un autre.", "Un mot. Un autre."),
        ("L'équipe n'a qu'« un mot »", f"L’équipe n’a qu’«{NB}un mot{NB}»"),
        ("aujourd&#x27;hui, l&#39;an d'", "aujourd’hui, l’an d’"),
        ("'seul' 5' \"non\" &amp; l' un", "'seul' 5' \"non\" &amp; l' un"),
        ("Du 1 janvier au 1 août 2027", "Du 1er janvier au 1er août 2027"),
        ("21 mars, 11 mai, 1 maison, 1 mois, 0,1 ans", f"21 mars, 11 mai, 1 maison, 1{NB}mois, 0,1{NB}ans"),
    ],
)
def test_les_espaces_du_francais(ecrit, montre):
    assert en_francais(ecrit) == montre
    assert en_francais(montre) == montre


@pytest.mark.parametrize(
    "tape",
    [
        "<bdi>Au secours !</bdi>",
        '<div class="dit" dir="auto">Il a dit : <b>viens !</b><br>Quoi ?</div>',
        '<dd dir="auto">Un <dd>deux !</dd> trois ?</dd>',
        '<textarea name="contenu" dir="auto">Où ?</textarea>',
        '<input name="q" dir="auto" value="Où ?">',
        '<option value="1">Moi ?</option>',
        '<a title="Où ?" href="/?q=a : b">lien</a>',
        "<script>a ? b : c + 'l'un'</script>",
        "<bdi>N'Golo, né le 1 mai</bdi>",
        "<code>l'un</code>",
        '<input value="l\'un ?" placeholder-="l\'un">',
        """<a href="/?q=l'un&data-fait=l'un">lien</a>""",
        """<input value=" aria-label=l'un">""",
    ],
)
def test_ce_que_quelqu_un_a_tape_reste_comme_il_l_a_tape(tape):
    assert composer(f"<p>Fin ?</p>{tape}<p>Fin ?</p>") == f"<p>Fin{FINE}?</p>{tape}<p>Fin{FINE}?</p>"


@pytest.mark.parametrize("nom", ["aria-label", "placeholder", "data-texte-coupe", "data-fait"])
def test_les_attributs_ou_nous_parlons_sont_composes(nom):
    balise = f"""<div id="l'un" {nom}="L'un ?" class="a ?">l'autre</div>"""

    assert composer(balise) == f"""<div id="l'un" {nom}="L’un{FINE}?" class="a ?">l’autre</div>"""
    assert composer(f'<p dir="auto">l\'un{balise}</p>') == f'<p dir="auto">l\'un{balise}</p>'


@pytest.mark.parametrize(("langue", "dit"), [("fr", f"L’un{FINE}?"), ("en", "L'un ?")])
def test_nos_mots_sont_composes_ou_quelqu_un_peut_avoir_tape(langue, dit):
    """Beside names and titles, in a `<bdi>` or a list to choose in: a text of ours is lazy, a typed one never is."""
    liste = ListeDeChoix(choices=[("", paresseux("L'un ?")), ("1", "L'un ?")])

    with override(langue):
        assert isole(paresseux("L'un ?")) == f"<bdi>{escape(dit)}</bdi>"
        assert isole("L'un ?") == "<bdi>L&#x27;un ?</bdi>"
        options = liste.render("choix", None)
    assert f'<option value="" selected>{escape(dit)}</option>' in options
    assert '<option value="1">L&#x27;un ?</option>' in options


@pytest.mark.parametrize(
    ("octets", "dit"),
    [
        (0, "1 Ko"),
        (9, "1 Ko"),
        (8 * 1024, "8 Ko"),
        (1024**2 - 1, "1 Mo"),
        (1024**2 * 6 // 5, "1,2 Mo"),
        (10 * 1024**2, "10 Mo"),
        (2 * 1024**3, f"2{FINE}048 Mo"),
    ],
)
def test_une_taille_se_dit_dans_les_unites_des_limites(octets, dit):
    assert poids(octets) == dit


def test_un_grand_nombre_de_jours_a_son_espace(client, db, settings):
    settings.AUDIT_KEPT_DAYS = 1095

    assert f"1{FINE}095{NB}jours" in client.get("/confidentialite/").content.decode()


def test_une_page_a_ses_espaces_et_son_poids_est_dit(client, db):
    page = client.get("/qui-lit/")

    assert f"Qui lit{FINE}?</h1>" in page.content.decode()
    assert int(page.headers.get("Content-Length", len(page.content))) == len(page.content)


@pytest.mark.parametrize("adresse", ["/qui-lit/", "/adresse-inconnue/"])
def test_en_anglais_il_n_y_en_a_pas(client, db, adresse):
    page = client.get(adresse, headers={"accept-language": "en"}).content.decode()

    assert '<html lang="en">' in page
    assert FINE not in page


def test_le_json_reste_comme_il_est(client, db):
    assert FINE not in client.get("/api/v1/config").content.decode()


def test_l_administration_est_composee_ou_rien_de_tape_ne_se_montre_et_la_seule(admin):
    tape = "Qui l'a dit ?"
    elle = entrer(admin.email)
    question = fabriques.faq(question=tape)
    LogEntry.objects.log_actions(admin.pk, [question], ADDITION, "")

    premiere, liste, celle_la = (
        elle.get(f"/admin/{suite}", headers={"Accept-Language": "fr"}).content.decode()
        for suite in ("", "resources/faq/", f"resources/faq/{question.pk}/change/")
    )

    assert f"Que faire{FINE}?" in premiere
    for page in (premiere, liste, celle_la):
        assert escape(tape) in page
        assert en_francais(escape(tape)) not in page
    assert FINE not in celle_la
