"""The library on its page: found, sorted and read as the API lets."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from config.tests.outils import acteur_de
from portail.tests.outils import texte_de
from resources.models import Fichier, Ressource
from resources.services.ressources import supprimer
from resources.tests import fabriques
from socle.api.pagination import TAILLE_PAR_DEFAUT
from socle.audit.tests.outils import traces
from socle.audit.vocabulaire import Acte

pytestmark = pytest.mark.django_db
URL = "/campus/documents/"


def titres(page):
    """Those of the cards, in the order of the page."""
    return [carte.partition("<bdi>")[2].partition("</bdi>")[0] for carte in page.split('<li class="carte">')[1:]]


def document(compte, titre="Guide", **champs):
    """A document that is a file."""
    fichier = fabriques.fichier(acteur_de(compte), "guide.pdf", b"%PDF-1.7\n", type_mime="application/pdf")
    return fabriques.ressource(compte, titre, file_id=fichier.pk, **champs)


def test_une_carte_dit_le_genre_la_taille_et_ou_mene_un_lien(elle, autre_etudiante):
    guide = document(autre_etudiante, "Vos droits", description="Pas à pas.", categorie="GUIDE")
    fabriques.ressource(autre_etudiante, "La loi", url_publique="https://loi.example.org/a?b=1&c=2")

    page = elle.lire(URL)

    assert titres(page) == ["La loi", "Vos droits"]
    loi, droits = page.split('<li class="carte">')[1:]
    dits = ("<bdi>Guide</bdi> · PDF · 1 Ko", "Pas à pas.", f'href="{URL}{guide.pk}/fichier/"')
    assert [mot for mot in dits if mot not in droits] == []
    assert "sur le site <bdi>loi.example.org</bdi>" in loi
    assert 'href="https://loi.example.org/a?b=1&c=2" rel="external noopener noreferrer"' in loi
    assert "2 documents" in page
    assert autre_etudiante.nom not in page


def test_ce_qui_fut_tape_est_montre_tel_quel(elle, autre_etudiante):
    fabriques.ressource(autre_etudiante, "<b>Titre</b>", description="<script>1</script>\n" + "mot " * 200)

    page = elle.get(URL).content.decode()

    assert "<bdi>&lt;b&gt;Titre&lt;/b&gt;</bdi>" in page
    assert "<script>1" not in page
    assert "mot…</p><details>" in page


@pytest.mark.parametrize(
    ("demande", "trouves"),
    [
        ("", ["Écouter", "charte", "Agir"]),
        ("?tri=dateCreation-asc", ["Agir", "charte", "Écouter"]),
        ("?tri=titre-asc", ["Agir", "charte", "Écouter"]),
        ("?tri=titre-desc", ["Écouter", "charte", "Agir"]),
        ("?tri=sizeBytes-desc", ["charte", "Écouter", "Agir"]),
        ("?tri=sizeBytes-asc", ["Agir", "Écouter", "charte"]),
        ("?tri=categorie-asc", ["Agir", "Écouter", "charte"]),
        ("?search=ECOUTER", ["Écouter"]),
        ("?search=adoptée juin", ["charte"]),
        ("?categorie=guide", ["charte"]),
        ("?categorie=GUIDE&search=agir", []),
        ("?categorie=INCONNUE", []),
        ("?search=%00", ["Écouter", "charte", "Agir"]),
    ],
)
def test_chercher_choisir_et_trier(elle, autre_etudiante, demande, trouves):
    fabriques.ressource(autre_etudiante, "Agir", taille=10)
    fabriques.ressource(autre_etudiante, "charte", description="Adoptée en juin", categorie="GUIDE", taille=30)
    fabriques.ressource(autre_etudiante, "Écouter", taille=20)

    assert titres(elle.lire(URL + demande)) == trouves


@pytest.mark.parametrize(
    ("demande", "erreur", "gardes"),
    [
        ("?tri=poids&search=loi", "Choisissez un ordre de la liste.", ['value="loi"']),
        ("?tri=titre-ailleurs", "Choisissez un ordre de la liste.", []),
        (f"?search={'x' * 201}&categorie=GUIDE", "200", ["x" * 201, '<option value="GUIDE" selected>']),
        (f"?categorie={'X' * 51}", "50", ["X" * 51]),
        ("?page=-1&search=loi", "Un entier d'au moins 0 est attendu.", ['value="loi"']),
        ("?page=deux", "Un entier d'au moins 0 est attendu.", []),
    ],
)
def test_un_filtre_faux_rend_la_page_telle_qu_elle_fut_tapee(elle, autre_etudiante, demande, erreur, gardes):
    fabriques.ressource(autre_etudiante, "La loi")

    refus = elle.get(URL + demande)

    page = texte_de(refus)
    assert (refus.status_code, titres(page)) == (422, [])
    assert [un for un in ("Il y a un problème", erreur, "Corrigez la recherche", *gardes) if un not in page] == []


@pytest.mark.parametrize("hostile", ["\x00a", "\x1b[2J", "\u202e\ufeff", "𝕏" * 150, "٣", '"', "%00%ff", "' OR 1=1 --"])
@pytest.mark.parametrize("nom", ["search", "categorie", "tri", "page"])
def test_rien_de_ce_qu_on_demande_ne_fait_tomber_la_page(elle, nom, hostile):
    assert elle.get(URL, query_params={nom: hostile}).status_code in (200, 422)


def test_par_pages_sans_rien_perdre_ni_redire(elle, autre_etudiante):
    for rang in range(TAILLE_PAR_DEFAUT + 2):
        fabriques.ressource(autre_etudiante, f"Loi {rang:02}")
    demande = "?search=loi&tri=titre-asc"

    premiere = elle.lire(URL + demande)
    suite = elle.lire(URL + demande + "&page=1")

    assert f'rel="next" href="{demande}&page=1"' in premiere
    assert 'rel="prev"' not in premiere
    assert f'rel="prev" href="{demande}"' in suite
    assert 'rel="next"' not in suite
    assert titres(premiere) + titres(suite) == [f"Loi {rang:02}" for rang in range(TAILLE_PAR_DEFAUT + 2)]
    assert "Cette page est après la fin de la liste." in elle.lire(URL + demande + "&page=9")
    assert "Cette page est après la fin de la liste." in elle.lire(f"{URL}?page={'9' * 30}")


def test_la_page_coute_autant_pour_un_document_que_pour_neuf(elle, autre_etudiante):
    document(autre_etudiante)
    elle.lire(URL)

    def compter():
        with CaptureQueriesContext(connection) as requetes:
            elle.lire(URL)
        return len(requetes)

    un = compter()
    for rang in range(8):
        document(autre_etudiante, f"Guide {rang}")

    assert compter() == un
    assert un <= 5


def test_un_document_se_telecharge_en_piece_jointe_par_qui_a_un_compte(
    elle, visiteuse, autre_visiteuse, autre_etudiante
):
    adresse = f"{URL}{document(autre_etudiante).pk}/fichier/"

    recu = elle.get(adresse)

    assert (recu.status_code, b"".join(recu.streaming_content)) == (200, b"%PDF-1.7\n")
    assert recu.headers["Content-Disposition"] == 'attachment; filename="guide.pdf"'
    assert "no-store" in recu.headers["Cache-Control"]
    autre_visiteuse.signaler()
    assert autre_visiteuse.get(adresse).status_code == 403


def test_ce_qui_n_est_plus_la_ne_s_ouvre_pas(elle, autre_etudiante, settings):
    supprimee, sans_fichier, lien = (
        document(autre_etudiante),
        document(autre_etudiante),
        fabriques.ressource(autre_etudiante),
    )
    supprimer(ressource=supprimee)
    Fichier.objects.filter(pk=sans_fichier.fichier_id).delete()

    for une in (supprimee, sans_fichier, lien):
        assert elle.get(f"{URL}{une.pk}/fichier/").status_code == 404
    page = elle.lire(URL)
    assert str(supprimee.pk) not in page
    assert (len(titres(page)), page.count("Fichier supprimé.")) == (2, 1)
    settings.BIBLIOTHEQUE_PAGES = False
    reste = document(autre_etudiante)
    assert [elle.get(adresse).status_code for adresse in (URL, f"{URL}{reste.pk}/fichier/")] == [404, 404]


def test_un_fichier_qui_n_est_d_aucun_document_ne_s_ouvre_pas_ici(elle, autre_etudiante):
    """The address names a document: no file of a case can be asked for by it."""
    fichier = fabriques.fichier(acteur_de(autre_etudiante))

    assert elle.get(f"{URL}{fichier.pk}/fichier/").status_code == 404


def test_l_equipe_ouvre_un_document_et_le_registre_le_dit(visiteuse, gestionnaire, autre_etudiante):
    visiteuse.se_connecter(gestionnaire)
    guide = document(autre_etudiante)

    assert visiteuse.get(f"{URL}{guide.pk}/fichier/").status_code == 200

    assert [une.objet for une in traces(Acte.FICHIER_OUVERT)] == [guide.fichier_id]


def test_rien_ne_s_y_envoie(elle, autre_etudiante):
    assert elle.envoyer(URL, {"titre": "x"}).status_code == 405
    assert not Ressource.objects.exists()
