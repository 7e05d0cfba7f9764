"""The help and the library that the demonstration brings."""

import html
import re
from io import BytesIO, StringIO

import pikepdf
import pytest
from django.core.management import call_command

from accounts.models import Compte
from accounts.tests import fabriques
from config.tests.outils.typographie import ordinaire
from demo import aide, textes
from resources.models import Attache, ContactUrgence, Faq, Fichier, Ressource
from resources.services import fichiers, ressources
from socle.domaine.acteurs import ActeurCompte

pytestmark = pytest.mark.django_db
MODELES = (Faq, ContactUrgence, Ressource, Fichier, Attache)


@pytest.fixture(autouse=True)
def _base_embarquee(settings):
    settings.EMBARQUE = True


def lancer():
    call_command("seed_demo", stdout=StringIO())


def etat():
    return [modele.objects.count() for modele in MODELES]


def test_relancer_ne_double_rien_et_ne_remet_pas_ce_qui_a_ete_retire():
    lancer()
    avant = etat()
    Faq.objects.filter(publiee=True).update(question="Réécrite")
    ressources.supprimer(ressource=Ressource.objects.filter(fichier=None).first())
    fichiers.supprimer(fichier=Fichier.objects.get(), acteur=ActeurCompte(compte=fabriques.admin()))

    lancer()

    assert avant == [len(aide.QUESTIONS), len(aide.CONTACTS), len(aide.LIENS) + 1, 1, 1]
    assert etat() == [*avant[:3], 0, 0]
    assert Ressource.objects.vivantes().count() == 1
    assert Faq.objects.filter(question="Réécrite").count() == len(aide.QUESTIONS) - 1


def test_ce_qui_manque_est_complete():
    lancer()
    attendu = etat()
    Faq.objects.first().delete()
    ContactUrgence.objects.all().delete()

    lancer()

    assert etat() == attendu


def test_chacun_lit_l_aide_et_ouvre_le_guide(api, client):
    lancer()
    etudiante = api(Compte.objects.get(email=textes.ETUDIANTE.email))

    questions, contacts = (etudiante.get(f"/api/v1/aide/{n}").json()["data"] for n in ("faqs", "contacts-urgence"))
    bibliotheque = etudiante.get("/api/v1/ressources/?categorie=GUIDE").json()["data"]["items"]

    assert [q["question"] for q in questions] == [q.question for q in aide.QUESTIONS if q.publiee]
    assert [c["nom"] for c in contacts] == [c.nom for c in aide.CONTACTS if c.actif]
    servi = client.get(bibliotheque[0]["downloadUrl"].removeprefix("http://testserver"))
    with pikepdf.open(BytesIO(b"".join(servi.streaming_content))) as document:
        assert len(document.pages) == 1
        assert not document.check_pdf_syntax()
    assert servi.headers["Content-Disposition"] == f'attachment; filename="{aide.NOM_DU_GUIDE}"'


def test_l_aide_dit_comme_le_portail_ce_qui_ouvre_un_dossier(client):
    lancer()

    page = ordinaire(html.unescape(client.get("/aide/").content.decode()))

    assert "eux seuls ouvrent votre espace" in page
    assert "Personne ne vous demande votre nom." in page
    assert "numéro de téléphone" not in page
    assert "« Rattacher à un compte »" in page


def test_aucun_numero_ne_sonne_nulle_part():
    """The ranges that are kept for fiction, or no number at all."""
    for contact in aide.CONTACTS:
        chiffres = re.sub(r"\D", "", contact.telephone)
        assert chiffres in ("", "0000") or chiffres.startswith("33639980"), contact


def test_chaque_entree_est_telle_que_l_espace_de_l_equipe_l_accepterait():
    lancer()

    for modele in (Faq, ContactUrgence):
        for entree in modele.objects.all():
            recherche = entree.recherche
            entree.full_clean()
            entree.indexer()
            assert entree.recherche == recherche


@pytest.mark.parametrize(
    ("langue", "dit", "tu"),
    [("fr", "Sous quel délai me répond-on ?", "How soon"), ("en", "How soon will I get an answer?", "Sous quel délai")],
)
def test_qui_arrive_lit_qui_lit_dans_sa_langue(client, langue, dit, tu):
    lancer()

    qui_lit, aide_ = (
        ordinaire(client.get(page, headers={"Accept-Language": langue}).content.decode())
        for page in ("/qui-lit/", "/aide/")
    )

    assert dit in html.unescape(qui_lit)
    assert tu not in html.unescape(qui_lit)
    assert html.unescape(qui_lit).count("<h2>") == 4
    for phrase in (dit, tu):
        assert phrase not in html.unescape(aide_)
