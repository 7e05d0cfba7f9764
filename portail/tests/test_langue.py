"""The other language, asked for while something is being typed: it is all still there."""

from datetime import timedelta

import pytest
from django.utils import timezone

from discussions.models import Message
from portail.models import Acces
from portail.tests.outils import DETAILS, FAITS, cache, coches_de, le_dossier, page_de, texte_de
from signalements.models import Signalement

pytestmark = pytest.mark.django_db
BOUTON = 'name="vers" value="{}" formnovalidate lang="{}"'
EN_ANGLAIS, EN_FRANCAIS = (BOUTON.format(langue, langue) for langue in ("en", "fr"))


def changer(visiteuse, adresse, champs):
    """Press the button of the form that this page shows, and follow it; the page, now in English."""
    assert EN_ANGLAIS in visiteuse.lire(adresse.replace("repondre/", ""))
    rendue = visiteuse.envoyer(adresse, {**champs, "vers": "en"}, follow=True)
    page = texte_de(rendue)
    assert (rendue.status_code, '<html lang="en">' in page, EN_FRANCAIS in page) == (200, True, True)
    assert visiteuse.cookies["django_language"].value == "en"
    return page


@pytest.mark.usefixtures("numero_exige")
@pytest.mark.parametrize(
    ("etape", "champs", "dits"),
    [
        ("faits", FAITS, [FAITS["description"], 'value="HARCELEMENT" autocomplete="off" id="id_type_0"']),
        ("faits", {"description": "Un début"}, ["Un début</textarea>"]),
        ("details", {"jour": "99", "lieu_incident": "Amphi B"}, ['value="99"', 'value="Amphi B"']),
        ("numero", {"telephone": "06 39"}, ['value="06 39"']),
    ],
)
def test_une_etape_garde_ce_qui_y_est_tape(visiteuse, etape, champs, dits):
    page = changer(visiteuse, f"/ecrire/{etape}/", champs)

    assert [dit for dit in dits if dit not in page] == []
    assert "There is a problem" not in page


def test_la_derniere_page_garde_le_titre_qui_est_tape_et_traduit_celui_du_type(visiteuse):
    visiteuse.remplir()
    lue = visiteuse.lire("/ecrire/verifier/")
    page = changer(visiteuse, "/ecrire/verifier/", {"titre": "Harcèlement", **page_de(lue)})
    assert 'value="Harassment"' in page

    lue = visiteuse.lire("/ecrire/verifier/")
    visiteuse.envoyer("/ecrire/verifier/", {"titre": "Tous les soirs", "vers": "fr", **page_de(lue)})

    assert 'value="Tous les soirs"' in visiteuse.lire("/ecrire/verifier/")
    assert not Signalement.objects.exists()


@pytest.mark.parametrize(
    ("vers", "mene"),
    [
        ("aide", "/aide/"),
        ("avant", "/ecrire/details/"),
        ("type", "/ecrire/faits/#id_type_0"),
        ("jour", "/ecrire/details/#id_jour"),
    ],
)
def test_la_derniere_page_garde_son_titre_ou_que_l_on_aille(visiteuse, vers, mene):
    visiteuse.remplir()
    lue = visiteuse.lire("/ecrire/verifier/")

    partie = visiteuse.envoyer("/ecrire/verifier/", {"titre": "Tous les soirs", "vers": vers, **page_de(lue)})

    assert (partie.status_code, partie.headers["Location"]) == (303, mene)
    assert 'value="Tous les soirs"' in visiteuse.lire("/ecrire/verifier/")


def test_un_envoi_deja_fait_ne_se_recommence_pas_par_la_langue(visiteuse):
    visiteuse.remplir()
    page = {"titre": "Vol", **page_de(visiteuse.lire("/ecrire/verifier/"))}
    visiteuse.envoyer("/ecrire/verifier/", page)

    encore = visiteuse.envoyer("/ecrire/verifier/", {**page, "vers": "en"})

    assert (encore.status_code, encore.headers["Location"]) == (303, "/recu/")
    assert le_dossier().titre == "Vol"


def test_le_choix_de_montrer_son_nom_reste(visiteuse, etudiante):
    visiteuse.se_connecter(etudiante)
    visiteuse.envoyer("/ecrire/faits/", FAITS)
    visiteuse.envoyer("/ecrire/details/", DETAILS)
    lue = visiteuse.lire("/ecrire/verifier/")

    page = changer(visiteuse, "/ecrire/verifier/", {"titre": "T", "mode_identification": "IDENTIFIE", **page_de(lue)})

    assert "checked" in page.partition('value="IDENTIFIE"')[2].partition(">")[0]


@pytest.mark.parametrize(
    ("adresse", "champs", "dits"),
    [
        ("/retrouver/", {"code": "musée lavoir"}, ["musée lavoir</textarea>"]),
        ("/compte/connexion/", {"email": "awa@campus.test", "mot_de_passe": "Secret"}, ['value="awa@campus.test"']),
        ("/compte/inscription/", {"prenom": "Awa", "nom": "Diop"}, ['value="Awa"', 'value="Diop"']),
        ("/compte/oubli/", {"email": "awa@campus.test"}, ['value="awa@campus.test"']),
    ],
)
def test_ce_qui_ouvre_un_espace_garde_tout_sauf_le_mot_de_passe(visiteuse, adresse, champs, dits):
    page = changer(visiteuse, adresse, champs)

    assert [dit for dit in dits if dit not in page] == []
    assert "Secret" not in page


@pytest.mark.usefixtures("numero_exige")
@pytest.mark.parametrize(
    ("adresse", "champs", "dit"),
    [
        ("/dossiers/1/repondre/", {"contenu": "Encore hier."}, "Encore hier.</textarea>"),
        ("/acces/numero/", {"telephone": "06 39"}, 'value="06 39"'),
        ("/recu/verifier/", {"mot": "lavo"}, 'value="lavo"'),
    ],
)
def test_une_page_de_l_espace_garde_ce_qui_y_est_tape_et_n_en_fait_rien(visiteuse, adresse, champs, dit):
    visiteuse.signaler()

    assert dit in changer(visiteuse, adresse, champs)
    assert not Message.objects.exists()


def test_un_texte_qui_attend_son_code_reste(visiteuse):
    visiteuse.signaler()
    Acces.objects.update(date_activite=timezone.now() - timedelta(hours=1))
    page = changer(visiteuse, "/retrouver/", {"code": "x", "texte": "Encore hier.", "rang": "1", "pour": "y"})

    assert ("Encore hier.</textarea>" in page, cache(page, "rang"), cache(page, "pour")) == (True, "1", "y")


def test_un_refus_se_dit_dans_l_autre_langue_et_garde_le_texte(visiteuse):
    visiteuse.signaler()
    espace = cache(visiteuse.lire("/ecrire/faits/"), "espace")
    Acces.objects.update(date_activite=timezone.now() - timedelta(hours=1))
    page = {**FAITS, "recit": "", "espace": espace}
    assert EN_ANGLAIS in texte_de(visiteuse.envoyer("/ecrire/faits/", page))

    refus = visiteuse.envoyer("/ecrire/faits/", {**page, "vers": "en"})

    assert ("Your space has closed" in texte_de(refus), FAITS["description"] in texte_de(refus)) == (True, True)
    assert 'type="hidden" name="vers"' not in texte_de(refus)


def test_l_apercu_d_un_rattachement_garde_ses_choix(visiteuse, etudiante):
    visiteuse.signaler()
    apercu = visiteuse.passer_au_compte(etudiante)

    page = changer(visiteuse, "/rattacher/apercu/", {"plan_digest": cache(apercu, "plan_digest"), **coches_de(apercu)})

    assert coches_de(page) == coches_de(apercu)


@pytest.mark.parametrize("adresse", ["/", "/aide/", "/securite/", "/qui-lit/", "/accessibilite/", "/ecrire/"])
def test_une_page_ou_rien_ne_se_tape_garde_son_propre_bouton(visiteuse, adresse):
    page = visiteuse.lire(adresse)

    assert ('action="/langue/"' in page, EN_ANGLAIS in page) == (True, False)
