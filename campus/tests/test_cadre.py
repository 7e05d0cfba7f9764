"""The frame of the students' rooms: who enters, what is open, where one is led."""

import importlib

import pytest
from django.apps import apps
from django.db import DatabaseError
from django.urls import resolve

from accounts.tests.fabriques import MOT_DE_PASSE
from campus import interrupteurs
from campus.models import BaseAnterieure
from campus.urls import urlpatterns
from config.examens import base
from portail.tests.outils import texte_de

pytestmark = pytest.mark.django_db
CONNEXION = "/compte/connexion/"
FERMES = dict.fromkeys(interrupteurs.INTERRUPTEURS, False)


def fermer(settings, **dits):
    for nom, valeur in (FERMES | dits).items():
        setattr(settings, nom, valeur)


@pytest.mark.parametrize("role", ["etudiante", "gestionnaire", "admin"])
def test_tout_compte_entre(visiteuse, personne, role):
    visiteuse.se_connecter(personne(role))

    page = visiteuse.lire("/campus/")

    assert "<title>Campus · Campus</title>" in page
    assert page.index("Quitter vite") < page.index("Calendrier") < page.index("Mes dossiers")
    assert '<a href="/acces/terminer/">Terminer</a>' in page


def test_sans_rien_d_ouvert_on_est_mene_a_la_connexion_et_de_la_ici(visiteuse, etudiante):
    mene = visiteuse.get("/campus/?x=1")
    assert (mene.status_code, mene.headers["Location"]) == (303, f"{CONNEXION}?retour=/campus/%3Fx%3D1")
    page = visiteuse.lire(mene.headers["Location"])
    assert 'name="retour" value="/campus/?x=1"' in page
    assert "Pour dire ce qui s'est passé, il n'en faut pas." in page
    assert "La vie du campus s'ouvre" not in visiteuse.lire(CONNEXION)

    qui = {"email": etudiante.email, "mot_de_passe": MOT_DE_PASSE, "retour": "/campus/?x=1"}
    faux = visiteuse.envoyer(CONNEXION, {**qui, "mot_de_passe": "faux"})
    assert 'name="retour" value="/campus/?x=1"' in texte_de(faux)
    entree = visiteuse.envoyer(CONNEXION, qui)

    assert (entree.status_code, entree.headers["Location"]) == (303, "/campus/?x=1")
    assert visiteuse.lire("/campus/")


@pytest.mark.parametrize(
    "ailleurs",
    [
        *("https://ailleurs.example/campus/", "//ailleurs.example/campus/", "/\\ailleurs.example/campus/"),
        *("/campus/\r\nSet-Cookie: a=b", "campus/", "/admin/", "/quitter/", "/campus/" + "x" * 600, "/campus/é"),
    ],
)
def test_la_connexion_ne_mene_ailleurs_que_sur_le_campus(visiteuse, etudiante, ailleurs):
    entree = visiteuse.envoyer(CONNEXION, {"email": etudiante.email, "mot_de_passe": MOT_DE_PASSE, "retour": ailleurs})

    assert (entree.status_code, entree.headers["Location"]) == (303, "/dossiers/")
    assert 'name="retour"' not in visiteuse.lire(CONNEXION, query_params={"retour": ailleurs})


def test_un_espace_sans_compte_lit_que_c_est_pour_les_comptes(visiteuse):
    visiteuse.signaler("Un titre à moi")

    refus = visiteuse.get("/campus/")

    assert refus.status_code == 403
    assert "Rien de votre espace n'y paraît." in texte_de(refus)
    assert "Un titre à moi" not in texte_de(refus)


def test_ferme_il_n_y_a_ni_page_ni_lien(elle, settings):
    fermer(settings)

    assert elle.get("/campus/").status_code == 404
    assert "campus" not in elle.lire("/").partition("<main")[2].replace("/static/campus", "").replace("campus.css", "")
    assert elle.get("/campus/calendrier/").status_code == 404


def test_l_aide_garde_le_cadre_de_qui_vient_du_campus(elle, autre_visiteuse):
    avant = elle.lire("/aide/")
    elle.lire("/campus/")
    autre_visiteuse.signaler("Un titre à moi")

    assert 'href="/campus/forum/"' not in avant
    assert 'href="/campus/forum/"' in elle.lire("/aide/")
    assert 'href="/aide/" aria-current="page"' in elle.lire("/aide/")
    assert 'class="aide" href="/compte/"' in elle.lire("/aide/")
    assert '<a href="/acces/terminer/">Terminer</a>' in elle.lire("/aide/")
    assert "/campus/" not in autre_visiteuse.lire("/aide/").replace("/static/campus/", "")


def test_sans_portail_il_n_y_a_pas_de_campus(elle, settings):
    settings.PORTAIL_ENABLED = False

    assert elle.get("/campus/").status_code == 404


def test_l_accueil_du_portail_y_mene_apres_ce_qui_sert_a_signaler(visiteuse, settings):
    settings.CALENDRIER_PAGES = settings.FORUM_PAGES = settings.BIBLIOTHEQUE_PAGES = True

    page = visiteuse.lire("/").partition("<main")[2]

    assert page.index('href="/ecrire/"') < page.index('href="/aide/"') < page.index('href="/campus/"')


def test_l_accueil_du_portail_ne_demande_rien_a_la_base(visiteuse, django_assert_num_queries):
    """What it knows already it shows; it waits for nothing to know it."""
    with django_assert_num_queries(0):
        assert 'href="/campus/"' not in visiteuse.lire("/")
    interrupteurs.ouverts()

    with django_assert_num_queries(0):
        assert 'href="/campus/"' in visiteuse.lire("/")


def test_une_base_absente_n_est_pas_prise_pour_une_base_d_avant(monkeypatch):
    def absente(*_args):
        raise DatabaseError

    with monkeypatch.context() as coupee:
        coupee.setattr("django.db.models.query.QuerySet.exists", absente)
        with pytest.raises(DatabaseError):
            interrupteurs.ouverts()

    assert interrupteurs.ouverts() == ["calendrier", "forum", "bibliotheque"]


# --- A base of before -------------------------------------------------------------------------------------------------


def migrer():
    importlib.import_module("campus.migrations.0001_base_anterieure").noter(apps, None)


def test_une_base_neuve_les_ouvre(django_assert_num_queries):
    migrer()

    assert interrupteurs.ouverts() == ["calendrier", "forum", "bibliotheque"]
    with django_assert_num_queries(0):
        assert interrupteurs.ouverts() == ["calendrier", "forum", "bibliotheque"]


def test_une_base_d_avant_attend_un_oui(elle, settings):
    migrer()

    assert BaseAnterieure.objects.count() == 1
    assert interrupteurs.ouverts() == []
    assert elle.get("/campus/").status_code == 404
    (attend,) = [constat.constat for constat in base.campus()]
    assert "CALENDRIER_PAGES, FORUM_PAGES, BIBLIOTHEQUE_PAGES" in attend
    settings.CALENDRIER_PAGES = True
    assert interrupteurs.ouverts() == ["calendrier"]
    assert elle.lire("/campus/")


def test_un_non_ferme_une_base_neuve(settings):
    settings.FORUM_PAGES = False

    assert interrupteurs.ouverts() == ["calendrier", "bibliotheque"]


# --- Every page -------------------------------------------------------------------------------------------------------


def test_chaque_page_est_de_ce_cadre():
    from campus.pages.base import PageDuCampus

    vues = [une.callback.view_class for une in urlpatterns]
    assert [vue for vue in vues if not issubclass(vue, PageDuCampus)] == []
    assert [vue for vue in vues if not vue.interrupteur and vue.__name__ != "Accueil"] == []
    assert resolve("/campus/").namespace == "campus"


def test_qui_a_un_compte_ouvert_n_est_pas_mene_a_une_connexion(visiteuse, etudiante):
    avant = visiteuse.lire("/")
    visiteuse.se_connecter(etudiante)
    apres = visiteuse.lire("/")

    assert "Vous avez un compte ?" in avant
    assert "Vous avez un compte ?" not in apres
    assert 'href="/compte/connexion/"' not in apres
    assert 'href="/acces/">' in apres.partition("<main")[2]


@pytest.mark.parametrize("adresse", ["/dossiers/", "/acces/"])
def test_mes_dossiers_mene_au_campus_un_compte_seul_et_seulement_s_il_est_la(elle, autre_visiteuse, settings, adresse):
    autre_visiteuse.signaler()

    assert '<a href="/campus/">' in elle.lire(adresse).partition("<main")[0]
    assert 'href="/campus/"' not in autre_visiteuse.lire(adresse)
    fermer(settings)
    assert 'href="/campus/"' not in elle.lire(adresse)


def test_mon_compte_finit_comme_ses_voisines(elle):
    assert '<a href="/acces/terminer/">Terminer</a>' in elle.lire("/compte/")
