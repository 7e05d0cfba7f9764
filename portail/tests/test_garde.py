"""A space kept on a device: asked for, once the code is known to be had, said plainly, and taken back."""

from datetime import timedelta

import pytest
from django.core.management import call_command
from django.db import IntegrityError, transaction
from django.utils import timezone

from guests.tests.fabriques import desactiver
from guests.tests.fabriques import fusionner as fusionner_ailleurs
from portail.models import Acces
from portail.tests.outils import Visiteuse, la_session, texte_de
from socle.domaine.limites import Taux

pytestmark = pytest.mark.django_db
GARDER = "/acces/garder/"
QUATORZE_JOURS = 14 * 24 * 3600


def verifier_le_code(visiteuse, code):
    assert visiteuse.envoyer("/recu/verifier/", {"mot": code.split()[2]}).status_code == 200


@pytest.fixture
def gardee(visiteuse):
    """Somebody who has reported, checked her code, and keeps her space on this device."""
    visiteuse.code = visiteuse.signaler()
    verifier_le_code(visiteuse, visiteuse.code)
    assert visiteuse.envoyer(GARDER).status_code == 303
    return visiteuse


def vieillir(**depuis):
    Acces.objects.update(**{nom: timezone.now() - duree for nom, duree in depuis.items()})


def test_garder_demande_d_abord_le_code(visiteuse):
    code = visiteuse.signaler()
    page = visiteuse.lire(GARDER)
    assert "Vérifiez d'abord que vous avez vos six mots." in page
    assert f'action="{GARDER}"' not in page

    visiteuse.envoyer("/recu/verifier/", {"mot": "zzz"})
    refusee = visiteuse.envoyer(GARDER)
    assert (Acces.objects.get().garde_jusqu_a, refusee.cookies.get("espace")) == (None, None)
    verifier_le_code(visiteuse, code)

    assert f'action="{GARDER}"' in visiteuse.lire(GARDER)
    visiteuse.envoyer(GARDER)
    assert Acces.objects.get().garde_jusqu_a is not None


def test_revenir_par_ses_six_mots_les_verifie(visiteuse, autre_visiteuse):
    autre_visiteuse.revenir(visiteuse.signaler())

    autre_visiteuse.envoyer(GARDER)

    assert Acces.objects.filter(garde_jusqu_a__isnull=False).count() == 1
    assert autre_visiteuse.cookies["espace"]["max-age"] == QUATORZE_JOURS


def test_la_page_dit_ce_que_cela_veut_dire(visiteuse):
    visiteuse.signaler()

    page = visiteuse.lire(GARDER)

    assert "Pendant 14 jours, cet espace resterait ouvert sur cet appareil" in page
    assert "Quelqu'un qui le prend en main" in page


def test_un_espace_garde_reste_ouvert_sans_usage_jusqu_a_sa_date(gardee):
    assert gardee.cookies["espace"]["max-age"] == QUATORZE_JOURS
    vieillir(date_creation=timedelta(days=13), date_activite=timedelta(days=13))

    page = gardee.lire("/dossiers/")

    assert "data-inactivite" not in page  # no clock that would lie
    assert "<dialog" not in page
    assert "reste ouvert sur cet appareil jusqu'au" in gardee.lire("/acces/")
    Acces.objects.update(garde_jusqu_a=timezone.now() - timedelta(minutes=1))
    assert gardee.get("/dossiers/").status_code == 401


def test_un_espace_garde_ne_montre_plus_les_mots(gardee):
    assert Acces.objects.get().code_scelle == ""
    assert 'class="mots"' not in gardee.lire("/acces/terminer/")


def test_garder_deux_fois_ne_prolonge_pas(gardee):
    fin = Acces.objects.get().garde_jusqu_a

    gardee.envoyer(GARDER)

    assert Acces.objects.get().garde_jusqu_a == fin


def test_ne_plus_garder_rend_l_espace_a_son_heure(gardee):
    vieillir(date_creation=timedelta(days=3), date_activite=timedelta(days=3))

    rendue = gardee.envoyer("/acces/garder/fin/")

    assert (rendue.status_code, rendue.headers["Location"]) == (303, "/acces/")
    assert rendue.cookies["espace"]["max-age"] == ""
    assert "data-inactivite" in gardee.lire("/dossiers/")
    vieillir(date_activite=timedelta(minutes=31))
    assert gardee.get("/dossiers/").status_code == 401


@pytest.mark.parametrize("fin", ["/acces/terminer/", "/quitter/"])
def test_terminer_et_quitter_ferment_ce_qui_est_garde(gardee, fin):
    jeton = gardee.cookies["espace"].value

    finie = gardee.get(fin) if fin == "/quitter/" else gardee.envoyer(fin)

    assert finie.cookies["espace"]["max-age"] == 0
    ensuite = Visiteuse()
    ensuite.cookies["espace"] = jeton
    assert ensuite.get("/dossiers/").status_code == 401


def test_un_compte_ou_l_equipe_ferment_ce_qui_est_garde(gardee, etudiante):
    desactiver(la_session())
    assert gardee.get("/dossiers/").status_code == 403
    desactiver(la_session(), "ACTIVE")
    assert gardee.get("/dossiers/").status_code == 401

    gardee = Visiteuse()
    verifier_le_code(gardee, gardee.signaler())
    gardee.envoyer(GARDER)
    fusionner_ailleurs(Acces.objects.get(date_fin=None).invite, etudiante)

    assert gardee.get("/dossiers/").status_code == 409


def test_changer_de_code_ne_garde_plus_et_demande_de_verifier_encore(gardee, autre_visiteuse):
    change = gardee.envoyer("/acces/code/", {"code": gardee.code})

    assert change.cookies["espace"]["max-age"] == ""
    acces = Acces.objects.get()
    assert (acces.garde_jusqu_a, acces.date_verification) == (None, None)
    assert 'class="mots"' in gardee.lire("/acces/code/")
    gardee.envoyer(GARDER)
    assert Acces.objects.get().garde_jusqu_a is None


def test_l_exploitant_peut_ne_pas_le_proposer(gardee, settings):
    settings.PORTAIL_GARDE = timedelta(0)

    assert "Garder sur cet appareil" not in gardee.lire("/acces/")
    assert "Ne plus garder" not in gardee.lire("/acces/")
    assert {gardee.get(GARDER).status_code, gardee.envoyer(GARDER).status_code} == {404}
    vieillir(date_activite=timedelta(minutes=31))
    assert gardee.get("/dossiers/").status_code == 401


def test_un_compte_ne_se_garde_pas(visiteuse, etudiante):
    visiteuse.se_connecter(etudiante)

    assert "Garder sur cet appareil" not in visiteuse.lire("/acces/")
    assert {visiteuse.get(GARDER).status_code, visiteuse.envoyer("/acces/garder/fin/").status_code} == {404}
    with pytest.raises(IntegrityError), transaction.atomic():
        Acces.objects.update(garde_jusqu_a=timezone.now(), date_verification=timezone.now())


def test_sans_verification_la_base_ne_garde_rien(visiteuse):
    visiteuse.signaler()

    with pytest.raises(IntegrityError), transaction.atomic():
        Acces.objects.update(garde_jusqu_a=timezone.now())


def test_la_purge_laisse_ce_qui_est_garde(gardee):
    vieillir(date_creation=timedelta(days=10))
    call_command("purge", verbosity=0)
    assert gardee.get("/dossiers/").status_code == 200

    Acces.objects.update(garde_jusqu_a=timezone.now() - timedelta(days=2))
    call_command("purge", verbosity=0)

    assert not Acces.objects.exists()


def test_la_purge_retire_ce_qui_fut_garde_et_termine(gardee):
    gardee.envoyer("/acces/terminer/")
    vieillir(date_creation=timedelta(days=2))

    call_command("purge", verbosity=0)

    assert not Acces.objects.exists()


# --- The number -----------------------------------------------------------------------------------------------------


def test_qui_n_a_pas_de_numero_n_en_a_pas_a_changer(visiteuse):
    visiteuse.signaler()

    corps = {"telephone": "+33 6 39 98 00 99"}
    assert "Changer mon numéro" not in visiteuse.lire("/acces/")
    assert visiteuse.get("/acces/numero/").headers["Location"] == "/acces/"
    assert visiteuse.envoyer("/acces/numero/", corps).headers["Location"] == "/acces/"
    assert visiteuse.envoyer("/acces/numero/", {**corps, "vers": "en"}).headers["Location"] == "/acces/"
    assert la_session().telephone is None


def test_qui_en_a_donne_un_le_change_meme_si_l_on_n_en_demande_plus(visiteuse, settings):
    settings.PORTAIL_TELEPHONE_EXIGE = True
    visiteuse.signaler()
    settings.PORTAIL_TELEPHONE_EXIGE = False

    assert "Changer mon numéro" in visiteuse.lire("/acces/")
    assert "Numéro donné : +33*******99" in visiteuse.lire("/acces/numero/")
    assert visiteuse.envoyer("/acces/numero/", {"telephone": "+33 6 39 98 00 77"}).status_code == 303
    assert la_session().telephone == "+33639980077"


def test_changer_son_numero(visiteuse, settings):
    visiteuse.signaler()
    settings.PORTAIL_TELEPHONE_EXIGE = True
    assert "Vous n'avez pas donné de numéro." in visiteuse.lire("/acces/numero/")

    change = visiteuse.envoyer("/acces/numero/", {"telephone": "+33 6 39 98 00 99"})

    assert (change.status_code, change.headers["Location"]) == (303, "/acces/numero/?fait#fait")
    assert la_session().telephone == "+33639980099"
    page = visiteuse.lire("/acces/numero/")
    assert "+33*******99" in page
    assert "639980099" not in page.replace(" ", "")


@pytest.mark.parametrize("telephone", ["", "12", "x" * 5_000])
@pytest.mark.usefixtures("numero_exige")
def test_un_numero_qui_n_en_est_pas_un_est_refuse_et_l_ancien_reste(visiteuse, telephone):
    visiteuse.signaler()

    refus = visiteuse.envoyer("/acces/numero/", {"telephone": telephone})

    assert (refus.status_code, "Il y a un problème" in texte_de(refus)) == (422, True)
    assert la_session().telephone == "+33639980099"


def test_un_numero_ne_se_change_ni_au_stade_lecture_ni_par_un_compte(visiteuse, autre_visiteuse, etudiante, settings):
    visiteuse.signaler()
    autre_visiteuse.se_connecter(etudiante)
    corps = {"telephone": "+33 6 39 98 00 99"}

    settings.PORTAIL_TELEPHONE_EXIGE = True
    du_compte = autre_visiteuse.envoyer("/acces/numero/", corps)
    settings.GUEST_MODE_STAGE = "read"

    assert du_compte.headers["Location"] == "/acces/"
    assert "Changer mon numéro" not in visiteuse.lire("/acces/")
    assert {visiteuse.get("/acces/numero/").status_code, visiteuse.envoyer("/acces/numero/", corps).status_code} == {
        403
    }
    assert la_session().telephone is None


def test_une_page_ouverte_avant_de_garder_l_apprend_sans_s_en_servir(visiteuse):
    code = visiteuse.signaler()
    assert "X-Garde" not in visiteuse.head("/acces/").headers
    verifier_le_code(visiteuse, code)
    visiteuse.envoyer(GARDER)
    vieillir(date_activite=timedelta(hours=1))

    apprise = visiteuse.head("/acces/", headers={"X-Direct": "1"})

    assert (apprise.status_code, apprise.headers["X-Garde"]) == (200, "1")
    assert Acces.objects.get().date_activite < timezone.now() - timedelta(minutes=59)


@pytest.mark.usefixtures("numero_exige")
def test_un_numero_partage_ne_ferme_la_porte_a_personne(settings):
    """Nothing is counted by number: the same one opens a space each time, and shows only to its own."""
    settings.THROTTLE_ENABLED = True
    settings.THROTTLES = {nom: Taux(1_000, 60) for nom in settings.THROTTLES}

    for _fois in range(4):
        visiteuse = Visiteuse()
        visiteuse.remplir(telephone="+33 6 39 98 00 99")

        assert visiteuse.envoyer("/ecrire/verifier/", {"titre": "Vol"}).status_code == 303
        assert "Numéro donné : +33*******99" in visiteuse.lire("/acces/numero/")
    assert not [nom for nom in settings.THROTTLES if "phone" in nom]
