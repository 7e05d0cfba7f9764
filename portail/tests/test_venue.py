"""Arriving from a mail or another site, whose requests carry no Strict cookie; being asked for in advance."""

from datetime import timedelta

import pytest
from django.utils import timezone

from portail.models import Acces
from portail.tests.outils import Visiteuse, texte_de

pytestmark = pytest.mark.django_db
D_ACCES = ["/dossiers/", "/dossiers/1/", "/dossiers/1/fichier/", "/acces/", "/acces/terminer/", "/recu/", "/rattacher/"]
AILLEURS = pytest.mark.parametrize("venue", ["cross-site", "same-site"])
EN_AVANCE = [
    {"Sec-Purpose": "prefetch"},
    {"Sec-Purpose": "prefetch;prerender"},
    {"Purpose": "prefetch"},
    {"X-Purpose": "preview"},
    {"X-Moz": "prefetch"},
]


@AILLEURS
@pytest.mark.parametrize("adresse", D_ACCES)
def test_qui_vient_d_ailleurs_ouvre_son_espace_d_un_lien_a_nous(visiteuse, venue, adresse):
    visiteuse.signaler()
    sans_cookie = Visiteuse()  # the browser left them at home

    arrivee = sans_cookie.get(f"{adresse}?page=2", headers={"Sec-Fetch-Site": venue})

    page = texte_de(arrivee)
    assert (arrivee.status_code, arrivee.headers["Cache-Control"]) == (200, "no-store")
    assert f'<a class="bouton" href="{adresse}?page=2">Ouvrir mon espace</a>' in page
    assert 'id="quitter"' in page
    assert "refresh" not in page
    assert not {"espace", "brouillon"} & set(arrivee.cookies)
    suivi = visiteuse.get(adresse, headers={"Sec-Fetch-Site": "same-origin"})
    assert suivi.status_code == 200


@pytest.mark.parametrize("adresse", D_ACCES)
def test_un_vieux_navigateur_dit_seulement_de_quelle_page_il_vient(adresse):
    arrivee = Visiteuse().get(adresse, headers={"Referer": "https://courriel.example/boite"})
    d_ici = Visiteuse().get(adresse, headers={"Referer": "http://testserver/"})

    assert (arrivee.status_code, "Ouvrir mon espace" in texte_de(arrivee)) == (200, True)
    assert d_ici.status_code == 401


def test_arriver_ne_dit_pas_s_il_y_a_un_espace(visiteuse):
    vide = visiteuse.lire("/dossiers/", headers={"Sec-Fetch-Site": "cross-site"})
    visiteuse.signaler()
    plein = Visiteuse().lire("/dossiers/", headers={"Sec-Fetch-Site": "cross-site"})

    assert sans_jeton(vide) == sans_jeton(plein)


def sans_jeton(page: str) -> str:
    return page.partition("<body")[2].partition("<footer")[0]


@pytest.mark.parametrize("venue", [None, "none", "same-origin"])
def test_sans_cookie_la_page_refuse_et_n_en_efface_aucun(visiteuse, venue):
    refus = visiteuse.get("/dossiers/", headers={"Sec-Fetch-Site": venue} if venue else {})

    assert refus.status_code == 401
    assert "espace" not in refus.cookies


@AILLEURS
def test_un_acces_fini_se_dit_et_son_cookie_part_d_ou_que_l_on_vienne(visiteuse, venue):
    visiteuse.signaler()
    Acces.objects.update(date_activite=timezone.now() - timedelta(hours=1))

    refus = visiteuse.get("/dossiers/", headers={"Sec-Fetch-Site": venue})

    assert refus.status_code == 401
    assert refus.cookies["espace"]["max-age"] == 0


def test_une_reponse_sans_cookie_rend_son_texte_et_n_efface_rien(visiteuse):
    visiteuse.signaler()
    visiteuse.lire("/dossiers/1/")
    autre = visiteuse.cookies.pop("espace")

    rendue = visiteuse.envoyer("/dossiers/1/repondre/", {"contenu": "Encore hier soir, devant l'amphi."})

    assert rendue.status_code == 401
    assert "Encore hier soir, devant l'amphi." in texte_de(rendue)
    assert "espace" not in rendue.cookies
    visiteuse.cookies["espace"] = autre.value
    assert visiteuse.get("/dossiers/1/").status_code == 200


@pytest.mark.parametrize("entetes", EN_AVANCE, ids=str)
def test_une_page_de_sortie_demandee_en_avance_ne_ferme_rien_et_n_est_pas_gardee(visiteuse, entetes):
    visiteuse.signaler()

    reponse = visiteuse.get("/quitter/", headers=entetes)

    assert (reponse.status_code, reponse.content, reponse.headers["Cache-Control"]) == (403, b"", "no-store")
    assert not reponse.cookies
    assert visiteuse.get("/dossiers/").status_code == 200
    assert visiteuse.get("/quitter/").cookies["espace"]["max-age"] == 0
    assert Acces.objects.get().date_fin is not None


def test_demander_les_entetes_de_la_sortie_ne_ferme_rien(visiteuse):
    visiteuse.signaler()

    reponse = visiteuse.head("/quitter/")

    assert (reponse.status_code, len(reponse.cookies)) == (200, 0)
    assert visiteuse.get("/dossiers/").status_code == 200


@pytest.mark.parametrize("adresse", ["/dossiers/", "/aide/"])
def test_demander_une_page_en_avance_n_est_pas_s_en_servir(visiteuse, adresse):
    visiteuse.signaler()
    avant = timezone.now() - timedelta(minutes=20)
    Acces.objects.update(date_activite=avant)

    visiteuse.get(adresse, headers={"Sec-Purpose": "prefetch"})
    assert Acces.objects.get().date_activite == avant

    visiteuse.get(adresse)
    assert Acces.objects.get().date_activite > avant
