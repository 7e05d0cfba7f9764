"""What people wrote stands in its own direction; six words and references are translated by nobody."""

import re

import pytest
from django.template import Context, Template

from config.tests.outils import acteur_de
from forum.tests import fabriques
from portail.tests.outils import Visiteuse, le_dossier
from signalements.models import Signalement
from socle.audit.registre import greffe

pytestmark = pytest.mark.django_db
TITRE, RECIT = "\u062a\u062d\u0631\u0634 (1)", "\u0642\u0627\u0644 \u0644\u064a"


@pytest.fixture
def ecrite(visiteuse):
    visiteuse.signaler(titre=TITRE, description=RECIT)
    return visiteuse


def test_les_six_mots_et_la_reference_ne_se_traduisent_pas(ecrite):
    page = ecrite.lire("/recu/")

    assert re.search(r'<div class="notranslate" translate="no"><ol class="mots"', page)
    assert f'<span class="notranslate" translate="no">{le_dossier().reference}</span>' in page
    assert f'<span class="notranslate" translate="no">{le_dossier().reference}</span>' in ecrite.lire("/dossiers/1/")
    assert re.search(r'<textarea name="code"[^>]* translate="no"', Visiteuse().lire("/retrouver/"))
    assert re.search(r'<input id="mot"[^>]* translate="no"', ecrite.lire("/recu/verifier/"))


def test_ce_qui_fut_ecrit_a_sa_direction(ecrite):
    assert f"<bdi>{TITRE}</bdi></a>" in ecrite.lire("/dossiers/")
    page = ecrite.lire("/dossiers/1/")
    assert '<h1 dir="auto">' in page
    assert f'<div class="dit" dir="auto">{RECIT}</div>' in page
    assert f"<bdi>{Signalement.objects.get().lieu_incident}</bdi>" in page
    assert re.search(r'<textarea name="contenu"[^>]* dir="auto"', page)
    assert re.search(r'<textarea name="description"[^>]* dir="auto"', ecrite.lire("/ecrire/faits/"))


def test_l_espace_de_l_equipe_isole_et_ne_traduit_pas(ecrite, admin, client):
    client.force_login(admin)
    liste = client.get("/equipe/dossiers/").content.decode()
    dossier = client.get(f"/equipe/dossiers/{le_dossier().pk}/").content.decode()

    assert f"<bdi>{TITRE}</bdi></a>" in liste
    # The attribute alone in the list, of fifty rows: translators read it, and the class is for those of before it.
    assert f'<span translate="no">{le_dossier().reference}</span>' in liste
    assert f'<span class="notranslate" translate="no">{le_dossier().reference}</span>' in dossier
    assert f'<div class="dit" dir="auto">{RECIT}</div>' in dossier
    assert re.search(rf'<h1 dir="auto">\s*{re.escape(TITRE)}\s*</h1>', dossier)


@pytest.mark.parametrize("page", ["", "gel/", "lecteurs/", "imprimer/"])
def test_la_reference_d_un_onglet_ne_se_traduit_pas_et_nos_titres_si(ecrite, admin, client, page):
    client.force_login(admin)
    dossier = client.get(f"/equipe/dossiers/{le_dossier().pk}/{page}").content.decode()
    liste = client.get("/equipe/dossiers/").content.decode()

    assert f'<title class="notranslate" translate="no">{le_dossier().reference} · ' in dossier
    assert "<title>" in liste


def test_ce_que_l_equipe_tape_a_sa_direction(ecrite, admin, client):
    client.force_login(admin)
    liste = client.get("/equipe/dossiers/", {"search": TITRE}).content.decode()
    dossier = client.get(f"/equipe/dossiers/{le_dossier().pk}/").content.decode()
    registre = client.get("/equipe/registre/", {"objetId": TITRE}).content.decode()

    for page, noms in (
        (liste, ("search", "nom")),
        (dossier, ("note-contenu", "reponse-contenu")),
        (registre, ("objetId",)),
    ):
        for nom in noms:
            champs = re.findall(rf'<(?:input|textarea)[^>]* name="{nom}"[^>]*>', page)
            assert [champ for champ in champs if 'type="hidden"' not in champ and 'dir="auto"' not in champ] == []
            assert any('dir="auto"' in champ for champ in champs), nom


def test_le_registre_isole_ce_qui_fut_cherche(ecrite, admin, client):
    client.force_login(admin)
    client.get("/equipe/dossiers/", {"search": TITRE})
    greffe.vider()

    assert f"<bdi>{TITRE}</bdi>" in client.get("/equipe/registre/").content.decode()


def test_le_site_d_administration_isole_dans_son_fil_ce_qui_fut_ecrit(admin, client, etudiante):
    poste = fabriques.poste(acteur_de(etudiante), titre=TITRE)
    client.force_login(admin)

    page = client.get(f"/admin/forum/poste/{poste.pk}/change/").content.decode()

    assert f"&rsaquo; <bdi>{TITRE}</bdi>\n</div>" in page
    assert "style-src 'self'" in client.get("/admin/").headers["Content-Security-Policy"]


def test_ce_qui_s_isole_reste_echappe():
    rendu = Template("{{ a|isole }}{{ a|sans_traduire }}{{ b|isole }}").render(Context({"a": "<script>", "b": ""}))

    assert "<script>" not in rendu
    assert rendu.count("&lt;script&gt;") == 2
    assert rendu.endswith("</span>")
