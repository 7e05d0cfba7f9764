"""« Être prévenu·e »: the one mail shown whole, an address that only its person sees, and nothing where none leaves."""

import re
from datetime import timedelta

import pytest
from cryptography.fernet import Fernet
from django.utils import timezone

from accounts.models import Compte, Preferences
from avis.models import AdresseInvitee, Cadence
from avis.vocabulaire import REFUS_MAX
from config.tests.outils.typographie import ordinaire
from portail.models import Acces
from portail.tests.outils import texte_de
from portail.vocabulaire import PREUVE
from socle.courriel import CONSOLE
from socle.taches.tests.outils import faire_les_taches

pytestmark = pytest.mark.django_db
URL = "/acces/prevenir/"
EMAIL = "canari-invite@boite.example.org"
MASQUEE = "c************@boite.example.org"
SUJET = "Il y a du nouveau dans votre espace"


def lire(elle):
    return ordinaire(elle.lire(URL))


@pytest.fixture
def elle(visiteuse):
    visiteuse.signaler()
    return visiteuse


@pytest.fixture
def connectee(visiteuse, etudiante):
    Compte.objects.filter(pk=etudiante.pk).update(email_verifie=True)
    visiteuse.se_connecter(etudiante)
    return visiteuse


def test_une_invitee_lit_l_e_mail_donne_son_adresse_la_confirme_et_arrete(elle, client, mailoutbox):
    avant = lire(elle)
    donnee = elle.envoyer(URL, {"email": EMAIL})
    faire_les_taches()
    attend = lire(elle)
    lien = re.search(r"/confirmer-e-mail\?token=(\S+)", mailoutbox[0].body)[1]
    client.post("/confirmer-e-mail", {"token": lien})
    confirmee = lire(elle)
    arretee = elle.envoyer(URL, {"acte": "non"})

    assert SUJET in avant
    assert "Pour ne plus recevoir ces e-mails" in avant
    assert "Arrêter" not in avant
    assert "<title>Espace · " in elle.get(URL).content.decode()
    assert (donnee.status_code, donnee.headers["Location"]) == (303, f"{URL}?fait=oui#fait")
    assert f"Un lien est parti à <bdi>{MASQUEE}</bdi>" in attend
    assert f"Vous êtes prévenu·e à <bdi>{MASQUEE}</bdi>" in confirmee
    assert EMAIL not in avant + attend + confirmee
    assert (arretee.status_code, arretee.headers["Location"]) == (303, f"{URL}?fait=non#fait")
    assert not AdresseInvitee.objects.exists()


def test_l_arret_reste_possible_ou_les_invites_ne_font_plus_que_lire(elle, settings):
    elle.envoyer(URL, {"email": EMAIL})
    settings.GUEST_MODE_STAGE = "read"

    assert elle.envoyer(URL, {"acte": "non"}).status_code == 303
    assert not AdresseInvitee.objects.exists()


@pytest.mark.parametrize("email", ["", "sans arobase", "a" * 300, "\x00@b.fr"])
def test_une_adresse_illisible_se_redit_dans_la_page(elle, email):
    reponse = elle.envoyer(URL, {"email": email})

    assert reponse.status_code == 422
    assert "Erreur :" in ordinaire(texte_de(reponse)).replace("\xa0", " ")
    assert not AdresseInvitee.objects.exists()


def test_au_dela_de_la_limite_l_adresse_tapee_reste(elle, settings):
    settings.THROTTLE_ENABLED = True
    for rang in range(5):
        elle.envoyer(URL, {"email": f"a{rang}@boite.example.org"})

    reponse = elle.envoyer(URL, {"email": EMAIL})

    assert (reponse.status_code, EMAIL in texte_de(reponse)) == (429, True)
    assert "Retry-After" in reponse.headers


def test_une_adresse_qui_refuse_se_dit_et_se_redonne(elle):
    elle.envoyer(URL, {"email": EMAIL})
    AdresseInvitee.objects.update(refus=1)
    attend = lire(elle)
    AdresseInvitee.objects.update(refus=REFUS_MAX, date_confirmation="2026-01-01T00:00:00Z")
    tue = lire(elle)
    acces = ordinaire(elle.lire("/acces/"))
    elle.envoyer(URL, {"email": EMAIL})

    assert "a refusé notre e-mail. Vérifiez-la" in attend
    assert "a refusé nos derniers e-mails : plus rien n'y part" in tue
    assert "Votre adresse refuse nos e-mails" in acces
    assert AdresseInvitee.objects.get().refus == 0


def test_un_compte_choisit_et_se_ravise(connectee, etudiante):
    avant = lire(connectee)
    voulu = connectee.envoyer(URL, {"acte": "oui"})
    apres = lire(connectee)
    pendant = Preferences.objects.get(compte=etudiante).avis_dossiers
    connectee.envoyer(URL, {"acte": "non"})

    assert SUJET in avant
    assert (voulu.status_code, pendant) == (303, True)
    assert "Vous êtes prévenu·e, à l'adresse de votre compte." in apres
    assert 'name="email"' not in avant + apres
    assert Preferences.objects.get(compte=etudiante).avis_dossiers is False


def test_un_compte_dont_l_adresse_n_est_pas_verifiee_apprend_quoi_faire(visiteuse, etudiante):
    visiteuse.se_connecter(etudiante)
    page = lire(visiteuse)

    reponse = visiteuse.envoyer(URL, {"acte": "oui"})

    assert "Confirmez d'abord l'adresse de votre compte" in page
    assert "Me prévenir</button>" not in page
    assert reponse.status_code == 422
    assert not Preferences.objects.filter(compte=etudiante, avis_dossiers=True).exists()


def test_un_compte_dont_l_adresse_refuse_l_apprend_et_recommence(connectee, etudiante):
    connectee.envoyer(URL, {"acte": "oui"})
    cadence = Cadence.objects.create(pk=etudiante.pk, minute=720)
    for _fois in range(REFUS_MAX):
        cadence.noter_un_refus(etudiante.email)
    pages = [ordinaire(connectee.lire(adresse)) for adresse in (URL, "/acces/", "/compte/")]

    connectee.envoyer(URL, {"acte": "oui"})

    assert "a refusé nos derniers e-mails" in pages[0]
    assert all("Votre adresse refuse nos e-mails" in page for page in pages[1:])
    cadence.refresh_from_db()
    assert not cadence.se_tait(etudiante.email)


def test_les_pages_d_un_compte_y_menent(connectee):
    assert f'href="{URL}"' in connectee.lire("/compte/")
    assert f'href="{URL}"' in connectee.lire("/acces/")


def test_le_recu_d_une_invitee_y_mene(elle):
    assert f'href="{URL}"' in elle.lire("/recu/")
    assert f'href="{URL}"' in elle.lire("/acces/")


def test_des_pages_du_campus_le_mot_de_passe_est_redemande(connectee):
    connectee.get("/compte/")
    Acces.objects.update(date_mot_de_passe=None, date_creation=timezone.now() - PREUVE - timedelta(seconds=1))

    assert connectee.get(URL).headers["Location"].startswith("/compte/preuve/")


def test_une_adresse_que_rien_n_ouvre_plus_est_a_redonner(elle, settings):
    elle.envoyer(URL, {"email": EMAIL})
    settings.FIELD_ENCRYPTION_KEYS = [Fernet.generate_key().decode()]

    avant = lire(elle)
    elle.envoyer(URL, {"email": EMAIL})

    assert "ne se lit plus : rien n'y part. Donnez-la de nouveau." in avant
    assert "Arrêter" in avant
    assert f"Un lien est parti à <bdi>{MASQUEE}</bdi>" in lire(elle)


def test_sans_serveur_d_e_mail_rien_n_est_offert(elle, settings):
    settings.EMAIL_BACKEND = CONSOLE

    assert elle.get(URL).status_code == 404
    assert elle.envoyer(URL, {"email": EMAIL}).status_code == 404
    for adresse in ("/recu/", "/acces/"):
        assert f'href="{URL}"' not in elle.lire(adresse)
    assert not AdresseInvitee.objects.exists()


def test_un_serveur_retire_laisse_une_invitee_arreter(elle, settings):
    elle.envoyer(URL, {"email": EMAIL})
    settings.EMAIL_BACKEND = CONSOLE

    page = lire(elle)
    menent = f'href="{URL}"' in elle.lire("/acces/")
    autre = elle.envoyer(URL, {"email": "autre@boite.example.org"})
    arretees = [elle.envoyer(URL, {"acte": "non"}) for _fois in range(2)]
    apres = ordinaire(elle.lire(arretees[0].headers["Location"].partition("#")[0]))

    assert f"Vous avez demandé à être prévenu·e à <bdi>{MASQUEE}</bdi>. Aucun e-mail ne part" in page
    assert ("Arrêter</button>" in page, "Me prévenir" in page, SUJET in page, menent) == (True, False, False, True)
    assert autre.status_code == 404
    assert [reponse.status_code for reponse in arretees] == [303, 303]
    assert not AdresseInvitee.objects.exists()
    assert ("plus aucun e-mail ne partira" in apres, "Arrêter</button>" in apres) == (True, False)
    assert elle.get(URL).status_code == 404


def test_un_serveur_retire_laisse_un_compte_arreter(connectee, etudiante, settings):
    connectee.envoyer(URL, {"acte": "oui"})
    settings.EMAIL_BACKEND = CONSOLE

    page = lire(connectee)
    encore = connectee.envoyer(URL, {"acte": "oui"})
    arretee = connectee.envoyer(URL, {"acte": "non"})

    assert "Vous avez demandé à être prévenu·e. Aucun e-mail ne part" in page
    assert ("Arrêter</button>" in page, "Me prévenir" in page) == (True, False)
    assert (encore.status_code, arretee.status_code) == (404, 303)
    assert Preferences.objects.get(compte=etudiante).avis_dossiers is False


def test_des_pages_du_campus_un_choix_d_avant_ne_se_dit_pas(connectee, settings):
    connectee.envoyer(URL, {"acte": "oui"})
    settings.EMAIL_BACKEND = CONSOLE
    avant = f'href="{URL}"' in connectee.lire("/acces/")

    connectee.get("/compte/")
    Acces.objects.update(date_mot_de_passe=None, date_creation=timezone.now() - PREUVE - timedelta(seconds=1))

    assert (avant, f'href="{URL}"' in connectee.lire("/acces/")) == (True, False)
    assert connectee.get(URL).headers["Location"].startswith("/compte/preuve/")


def test_sans_acces_la_page_ne_dit_rien(visiteuse):
    assert visiteuse.get(URL).status_code == 401
