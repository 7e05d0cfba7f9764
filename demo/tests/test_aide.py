"""The help and the library that the demonstration brings."""

import html
import re
from io import BytesIO

import pikepdf
import pytest

from accounts.models import Compte
from accounts.tests import fabriques
from calendrier.models import EvenementCampus
from calendrier.vocabulaire import LIBELLES_DES_TYPES
from config.tests.outils.typographie import ordinaire
from demo import aide, textes
from demo.rendez_vous import RENDEZ_VOUS
from demo.tests.outils import semer
from forum.models import Poste
from resources.models import Attache, ContactUrgence, Faq, Fichier, Ressource
from resources.services import fichiers, ressources
from socle.domaine.acteurs import ActeurCompte
from socle.pages.typographie import en_francais

pytestmark = pytest.mark.django_db
MODELES = (Faq, ContactUrgence, Ressource, Fichier, Attache)


@pytest.fixture(autouse=True)
def _base_embarquee(settings):
    settings.EMBARQUE = True


def etat():
    return [modele.objects.count() for modele in MODELES]


def test_relancer_ne_double_rien_et_ne_remet_pas_ce_qui_a_ete_retire():
    semer()
    avant = etat()
    Faq.objects.filter(publiee=True).update(question="Réécrite")
    ressources.supprimer(ressource=Ressource.objects.filter(fichier=None).first())
    fichiers.supprimer(fichier=Fichier.objects.get(), acteur=ActeurCompte(compte=fabriques.admin()))

    semer()

    assert avant == [len(aide.QUESTIONS), len(aide.CONTACTS), len(aide.LIENS) + 1, 1, 1]
    assert etat() == [*avant[:3], 0, 0]
    assert Ressource.objects.vivantes().count() == 1
    assert Faq.objects.filter(question="Réécrite").count() == len(aide.QUESTIONS) - 1


def test_ce_qui_manque_est_complete():
    semer()
    attendu = etat()
    Faq.objects.first().delete()
    ContactUrgence.objects.all().delete()

    semer()

    assert etat() == attendu


def test_une_base_d_avant_ou_le_francais_est_pour_tous_reste_comme_elle_est():
    semer()
    for modele in (Faq, ContactUrgence):
        modele.objects.filter(langue="en").delete()
        modele.objects.update(langue="")
    Faq.objects.filter(question=aide.QUESTIONS[0].question).delete()

    semer()

    assert Faq.objects.exclude(langue="").count() == 1
    assert not ContactUrgence.objects.exclude(langue="").exists()


def test_chacun_lit_l_aide_et_ouvre_le_guide(api, client):
    semer()
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
    semer()

    page = ordinaire(html.unescape(client.get("/aide/").content.decode()))

    assert "eux seuls ouvrent votre espace" in page
    assert "Personne ne vous demande votre nom." in page
    assert "numéro de téléphone" not in page
    assert "« Rattacher à un compte »" in page


@pytest.mark.parametrize(
    ("langue", "dits", "tus"),
    [
        ("fr", ("Puis-je signaler sans compte ?", "Infirmerie"), ("Can I report without an account?", "Health centre")),
        ("en", ("Can I report without an account?", "Health centre"), ("Puis-je signaler sans compte ?", "Infirmerie")),
    ],
)
def test_l_aide_se_lit_dans_sa_langue_et_une_fois(client, langue, dits, tus):
    semer()

    page = ordinaire(html.unescape(client.get("/aide/", headers={"Accept-Language": langue}).content.decode()))

    assert [(page.count(f">{dit}<"), page.count(tu)) for dit, tu in zip(dits, tus, strict=True)] == [(1, 0), (1, 0)]


def test_ce_qui_se_lit_en_francais_se_lit_en_anglais():
    """Question for question, contact for contact, by category and by number."""
    for entrees, champs in ((aide.QUESTIONS, ("categorie",)), (aide.CONTACTS, ("email",))):
        montrees = [une for une in entrees if getattr(une, "publiee", True) and getattr(une, "actif", True)]
        par_langue = [[une for une in montrees if une.langue == langue] for langue in ("fr", "en")]
        francais, anglais = ([[getattr(une, nom) for nom in champs] for une in siennes] for siennes in par_langue)
        assert francais == anglais != []


def test_aucun_numero_ne_sonne_nulle_part():
    """The ranges that are kept for fiction, or no number at all."""
    for contact in aide.CONTACTS:
        chiffres = re.sub(r"\D", "", contact.telephone)
        assert chiffres in ("", "0000") or chiffres.startswith("33639980"), contact


def test_chaque_entree_est_telle_que_l_espace_de_l_equipe_l_accepterait():
    semer()

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
    semer()

    qui_lit, aide_ = (
        ordinaire(client.get(page, headers={"Accept-Language": langue}).content.decode())
        for page in ("/qui-lit/", "/aide/")
    )

    assert dit in html.unescape(qui_lit)
    assert tu not in html.unescape(qui_lit)
    assert html.unescape(qui_lit).count("<h2>") == 4
    for phrase in (dit, tu):
        assert phrase not in html.unescape(aide_)


def test_ce_qui_se_montre_comme_on_l_a_tape_ne_se_coupe_pas_au_mauvais_endroit():
    """Titles and opening hours, which no filter composes: as a careful person types them."""
    semer()

    tapes = [
        *EvenementCampus.objects.values_list("titre", flat=True),
        *Poste.objects.values_list("titre", flat=True),
        *Ressource.objects.values_list("titre", flat=True),
        *ContactUrgence.objects.filter(langue="fr").values_list("disponibilite", flat=True),
    ]

    assert len(tapes) > 20
    assert [tape for tape in tapes if en_francais(tape) != tape] == []


def test_chaque_type_du_calendrier_a_son_mot_dans_les_deux_langues():
    assert {un.type for un in RENDEZ_VOUS} <= LIBELLES_DES_TYPES.keys()
