"""Leaving: the cookies go, the access ends, nothing waits, nobody else can do it."""

from datetime import timedelta

import pytest
from django.db import DatabaseError
from django.utils import timezone

from config.serveur.pont import SANS_BASE
from guests.tests.fabriques import fusionner
from portail.models import Acces, Brouillon
from portail.pages import sortie
from portail.tests.outils import FAITS, la_session, texte_de
from portail.urls import urlpatterns

pytestmark = pytest.mark.django_db
RECIT = "Il m'attend chaque soir devant la cafétéria."


@pytest.mark.parametrize("venue", [None, "none", "same-origin"])
def test_quitter_ferme_l_acces_et_oublie_les_cookies(visiteuse, venue):
    visiteuse.signaler()
    entetes = {"Sec-Fetch-Site": venue} if venue else {}

    reponse = visiteuse.get("/quitter/", headers=entetes)

    page = texte_de(reponse)
    assert '<meta http-equiv="refresh" content="0;url=/quitter/suite/">' in page
    assert "<title>…</title>" in page
    assert {reponse.cookies[nom]["max-age"] for nom in ("espace", "brouillon")} == {0}
    assert Acces.objects.get().date_fin is not None


@pytest.mark.parametrize("espace", [False, True], ids=["sans espace", "dans un espace"])
def test_quitter_emporte_ce_qui_s_ecrivait(visiteuse, espace):
    if espace:
        visiteuse.signaler()
    visiteuse.envoyer("/ecrire/faits/", {**FAITS, "description": RECIT})
    copie = visiteuse.cookies["brouillon"].value

    visiteuse.get("/quitter/")

    assert not Brouillon.objects.filter(date_envoi=None).exists()
    visiteuse.cookies["brouillon"] = copie
    assert RECIT not in visiteuse.lire("/ecrire/faits/")


@pytest.mark.parametrize("venue", ["cross-site", "same-site"])
def test_un_autre_site_ne_peut_mettre_personne_dehors(visiteuse, venue):
    visiteuse.signaler()

    reponse = visiteuse.get("/quitter/", headers={"Sec-Fetch-Site": venue})

    assert reponse.status_code == 200
    assert not reponse.cookies
    assert visiteuse.get("/dossiers/").status_code == 200


def test_la_suite_change_un_cookie_et_mene_au_site_neutre(visiteuse, settings):
    settings.PORTAIL_SORTIE_URL = "https://meteo.example"

    reponse = visiteuse.get("/quitter/suite/")

    assert (reponse.status_code, reponse.headers["Location"]) == (303, "https://meteo.example")
    assert reponse.cookies["rien"]["max-age"] == 1


def test_une_base_absente_n_empeche_pas_de_partir(visiteuse, monkeypatch):
    visiteuse.signaler()

    def absente(jeton):
        raise DatabaseError

    monkeypatch.setattr(sortie, "terminer", absente)
    monkeypatch.setattr(sortie.connections, "close_all", lambda: None)
    monkeypatch.setattr(sortie, "terminer_a_part", sortie._terminer)

    assert visiteuse.get("/quitter/").cookies["espace"]["max-age"] == 0


def test_les_fins_qui_attendent_la_base_sont_bornees(monkeypatch):
    """A base that hangs holds one thread and so many ends, however often people leave."""
    confies = []

    class Executant:
        def submit(self, faire, jeton, _ecrit):
            confies.append(jeton)
            return Attente()

    class Attente:
        def add_done_callback(self, fait):
            pass  # it never ends

    monkeypatch.undo()
    monkeypatch.setattr(sortie, "_executant", Executant())
    monkeypatch.setattr(sortie, "_places", sortie.threading.BoundedSemaphore(3))

    for rang in range(10):
        sortie.terminer_a_part(str(rang), "")

    assert confies == ["0", "1", "2"]


@pytest.mark.parametrize(
    "page", ["/", "/aide/", "/securite/", "/qui-lit/", "/ecrire/", "/ecrire/faits/", "/retrouver/"]
)
def test_quitter_est_la_premiere_chose_que_le_clavier_trouve(visiteuse, page):
    corps = visiteuse.lire(page).partition("<body")[2]

    assert corps.index('href="/quitter/"') == corps.index('href="')
    assert 'rel="nofollow noreferrer"' in corps


def test_les_pages_qui_repondent_sans_base_ne_lui_demandent_rien(visiteuse, monkeypatch, django_assert_num_queries):
    """They have threads of their own, which a base that hangs must not hold: not even for who has a space open."""
    visiteuse.signaler()
    monkeypatch.setattr(sortie, "terminer_a_part", lambda acces, ecrit: None)
    du_portail = {f"{chemin}/" for chemin in SANS_BASE} & {f"/{une.pattern}" for une in urlpatterns}

    with django_assert_num_queries(0):
        statuts = {visiteuse.get(adresse).status_code for adresse in du_portail}

    assert du_portail == {"/", "/quitter/", "/quitter/suite/", "/securite/"}
    assert statuts == {200, 303}


# --- What was posted before, sent again by « Retour » and « Recharger » ----------------------------------------------


@pytest.mark.parametrize("geste", ["/quitter/", "terminer"])
@pytest.mark.parametrize("page", ["/ecrire/faits/", "/dossiers/1/repondre/", "/retrouver/", "/compte/connexion/"])
def test_ce_qui_fut_envoye_avant_de_partir_n_est_plus_montre(visiteuse, page, geste):
    visiteuse.signaler()
    poste = {champ: f"{RECIT} {champ}" for champ in ("contenu", "description", "texte", "code", "email")}
    poste["csrfmiddlewaretoken"] = visiteuse.cookies["csrftoken"].value
    visiteuse.envoyer("/acces/terminer/") if geste == "terminer" else visiteuse.get(geste)

    sans_cookie = visiteuse.post(page, poste)
    visiteuse.lire("/retrouver/")  # a new token
    encore = visiteuse.post(page, poste)

    for refus in (sans_cookie, encore):
        assert refus.status_code == 403
        assert RECIT not in texte_de(refus)
        assert "n'est plus montré" in texte_de(refus)


def test_qui_n_est_pas_parti_retrouve_son_texte(visiteuse):
    visiteuse.lire("/ecrire/faits/")
    visiteuse.cookies.clear()

    assert RECIT in texte_de(visiteuse.post("/ecrire/faits/", {"description": RECIT}))


@pytest.mark.parametrize("https", [False, True])
def test_le_cookie_du_depart_ne_dit_rien_et_finit_avec_le_navigateur(visiteuse, settings, https):
    settings.HTTPS_ONLY = https

    cookies = visiteuse.get("/quitter/", secure=https).cookies
    depart = cookies["__Host-parti" if https else "parti"]

    assert (depart.value, depart["max-age"], depart["expires"], depart["path"]) == ("1", "", "", "/")
    assert depart["httponly"]
    assert bool(depart["secure"]) == https


def test_un_lien_d_un_autre_site_ne_fait_pas_passer_pour_parti(visiteuse):
    assert "parti" not in visiteuse.get("/quitter/", headers={"Sec-Fetch-Site": "cross-site"}).cookies


def test_la_page_d_un_jeton_perdu_se_quitte_comme_les_autres(visiteuse):
    page = texte_de(visiteuse.post("/ecrire/faits/", {"description": RECIT}))
    corps = page.partition("<body")[2]

    assert corps.index('id="quitter"') < corps.index('href="#contenu"') < corps.index(RECIT)
    assert "campus/quitter" in page
    assert "campus/commun" in page
    assert 'id="annonce"' in corps


def test_la_page_d_un_jeton_perdu_de_l_equipe_n_a_pas_a_se_quitter_vite(visiteuse):
    assert 'id="quitter"' not in texte_de(visiteuse.post("/equipe/filtres/", {"nom": "x"}))


@pytest.mark.parametrize("entretemps", ["un premier clic", "inactif", "mode invité fermé", "rattaché"])
def test_terminer_ferme_quoi_qu_il_soit_arrive_a_l_espace(visiteuse, etudiante, settings, entretemps):
    visiteuse.signaler()
    visiteuse.envoyer("/ecrire/faits/", FAITS)
    premiers = {nom: visiteuse.cookies[nom].value for nom in ("espace", "brouillon", "csrftoken")}
    if entretemps == "un premier clic":
        visiteuse.envoyer("/acces/terminer/")
        for nom, valeur in premiers.items():  # the second was on its way before the first was answered
            visiteuse.cookies[nom] = valeur
    elif entretemps == "inactif":
        Acces.objects.update(date_activite=timezone.now() - timedelta(hours=1))
    elif entretemps == "rattaché":
        fusionner(la_session(), etudiante)
    else:
        settings.GUEST_MODE_ENABLED = False

    ferme = visiteuse.envoyer("/acces/terminer/")

    assert (ferme.status_code, ferme.headers["Location"]) == (303, "/")
    assert [ferme.cookies[nom]["max-age"] for nom in ("espace", "brouillon")] == [0, 0]
    assert ferme.cookies["parti"].value == "1"
    settings.GUEST_MODE_ENABLED = True
    assert not Acces.objects.filter(date_fin=None, date_activite__gt=timezone.now() - timedelta(minutes=30)).exists()
    assert not Brouillon.objects.filter(date_envoi=None).exists()
