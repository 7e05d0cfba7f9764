"""Old cookies, old tabs, two people on one browser: what was opened before opens nothing else."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from config.tests.outils import acteur_de
from discussions.models import Message
from guests.models import AuditFusion
from guests.tests.fabriques import desactiver
from guests.tests.fabriques import fusionner as fusionner_ailleurs
from portail.entretien import acces_laisses
from portail.models import Acces, Brouillon
from portail.tests.outils import DETAILS, FAITS, Visiteuse, cache, cle_de, la_session, le_dossier, six_mots, texte_de
from signalements.models import Signalement
from signalements.tests import fabriques

pytestmark = pytest.mark.django_db


@pytest.fixture
def a_deux_dossiers(visiteuse, etudiante):
    """A guest's page open on her first case, in a browser that has passed to an account with a case of its own."""
    fabriques.signalement(acteur_de(etudiante), titre="Vélo, à mon nom")
    visiteuse.signaler()
    montre = visiteuse.montre(1)
    visiteuse.passer_au_compte(etudiante)
    return montre


def test_un_vieil_onglet_n_ecrit_pas_dans_un_autre_dossier(visiteuse, a_deux_dossiers):
    refus = visiteuse.envoyer("/dossiers/1/repondre/", {"contenu": "Mon texte anonyme.", "dossier": a_deux_dossiers})

    page = texte_de(refus)
    assert refus.status_code == 409
    assert "Cette page montrait un autre dossier." in page
    assert "Mon texte anonyme.</textarea>" in page
    assert Message.objects.count() == 0
    assert visiteuse.envoyer("/dossiers/1/lus/", {"dossier": a_deux_dossiers}).status_code == 409
    fichier = SimpleUploadedFile("a.txt", b"un")
    pour = f"1-{a_deux_dossiers.replace('-', '')}"
    assert visiteuse.envoyer("/fichiers/envoyer/", {"pour": pour, "fichier": fichier}).status_code == 409
    assert Message.objects.count() == 0


def test_une_page_sans_marque_n_ecrit_rien(visiteuse):
    visiteuse.signaler()

    assert visiteuse.envoyer("/dossiers/1/repondre/", {"contenu": "Bonjour.", "dossier": ""}).status_code == 409
    assert Message.objects.count() == 0


@pytest.mark.parametrize("geste", ["/acces/ailleurs/", "/acces/code/"])
def test_un_acces_vole_gare_dans_un_compte_n_y_reste_pas(visiteuse, autre_visiteuse, etudiante, geste):
    code = visiteuse.signaler()
    page = visiteuse.passer_au_compte(etudiante)  # whoever took the cookie
    autre_visiteuse.revenir(code)

    assert autre_visiteuse.envoyer(geste).status_code == 303

    assert not Acces.objects.filter(a_rattacher__isnull=False).exists()
    refus = visiteuse.confirmer(page)
    assert refus.status_code == 409
    assert visiteuse.envoyer("/rattacher/revenir/").headers["Location"] == "/dossiers/"
    assert not AuditFusion.objects.exists()
    assert autre_visiteuse.get("/dossiers/1/").status_code == 200


def test_le_cookie_d_un_brouillon_envoye_n_ouvre_plus_rien_apres_une_minute(visiteuse):
    visiteuse.remplir()
    pose = visiteuse.cookies["brouillon"].value
    visiteuse.envoyer("/ecrire/verifier/", {"titre": "Vol"})
    tiers = Visiteuse()
    tiers.cookies["brouillon"] = pose
    Acces.objects.update(date_creation=timezone.now() - timedelta(minutes=2))

    rejoue = tiers.envoyer("/ecrire/verifier/", {"titre": "Vol"})

    assert "espace" not in rejoue.cookies
    assert tiers.get("/recu/").status_code == 401
    assert Brouillon.objects.get().date_envoi is not None


def test_le_cookie_d_un_brouillon_n_ouvre_pas_l_espace_que_son_envoi_a_ouvert(visiteuse):
    """Within the minute, from another browser, by whoever read the cookie; not even with a page of their own."""
    visiteuse.remplir()
    tiers = Visiteuse()
    tiers.cookies["brouillon"] = lu = visiteuse.cookies["brouillon"].value
    la_sienne = cle_de(tiers.lire("/ecrire/verifier/"))
    visiteuse.envoyer("/ecrire/verifier/", {"titre": "Vol", **cle_de(visiteuse.lire("/ecrire/verifier/"))})

    for page in ({}, la_sienne, {"cle_de_la_page": "x" * 5_000}, {"cle_de_la_page": "é"}):
        tiers.cookies["brouillon"] = lu
        rejoue = tiers.envoyer("/ecrire/verifier/", {"titre": "Vol", **page})
        assert (rejoue.headers["Location"], "espace" in rejoue.cookies) == ("/recu/", False)
    assert tiers.get("/recu/").status_code == 401
    assert visiteuse.get("/dossiers/1/").status_code == 200
    assert le_dossier().titre == "Vol"


def test_un_brouillon_pose_dans_son_navigateur_n_y_lit_pas_ce_qu_elle_ecrit(visiteuse, autre_visiteuse):
    autre_visiteuse.envoyer("/ecrire/details/", {"lieu_incident": "Rien"})
    pose = autre_visiteuse.cookies["brouillon"].value
    visiteuse.cookies["brouillon"] = pose

    visiteuse.remplir()

    assert FAITS["description"] not in autre_visiteuse.lire("/ecrire/faits/")
    assert autre_visiteuse.envoyer("/ecrire/verifier/", {"titre": "Vol"}).status_code == 409
    visiteuse.envoyer("/ecrire/verifier/", {"titre": "À elle"})
    assert le_dossier().titre == "À elle"


def test_une_reponse_perdue_en_route_n_emporte_pas_le_brouillon(visiteuse):
    visiteuse.envoyer("/ecrire/faits/", FAITS)
    avant = visiteuse.cookies["brouillon"].value
    visiteuse.envoyer("/ecrire/details/", DETAILS)

    visiteuse.cookies["brouillon"] = avant

    assert FAITS["description"] in visiteuse.lire("/ecrire/faits/")
    visiteuse.envoyer("/ecrire/details/", DETAILS)
    visiteuse.envoyer("/ecrire/details/", DETAILS)
    assert "Amphi B" in visiteuse.lire("/ecrire/verifier/")


@pytest.mark.parametrize("quand", ["perdue", "deux onglets"])
def test_revenir_ne_se_rejoue_pas_avec_le_cookie_du_compte(visiteuse, etudiante, quand):
    visiteuse.signaler()
    apercu = visiteuse.passer_au_compte(etudiante)
    voleuse = Visiteuse()
    voleuse.cookies["espace"] = visiteuse.cookies["espace"].value
    la_sienne = cle_de(voleuse.lire("/rattacher/apercu/"))
    visiteuse.envoyer("/rattacher/revenir/", cle_de(apercu))

    refus = voleuse.envoyer("/rattacher/revenir/", la_sienne if quand == "deux onglets" else {})

    assert refus.status_code == 401
    assert voleuse.get("/dossiers/").status_code == 401
    assert visiteuse.get("/dossiers/1/").status_code == 200


# --- Where it had ended, which refusal ------------------------------------------------------------------------------


def dit(visiteuse, cookie):
    """Status and sentence that an old cookie gets."""
    elle = Visiteuse()
    elle.cookies["espace"] = cookie
    refus = elle.get("/dossiers/")
    return refus.status_code, texte_de(refus).partition('role="alert">')[2].partition("</p>")[0]


def test_un_acces_fini_de_lui_meme_ne_dit_rien_de_la_suite(visiteuse, etudiante, settings):
    """Idle for long, then merged, disabled, or the guest mode closed: to its holder it has ended, and no more."""
    visiteuse.signaler()
    cookie = visiteuse.cookies["espace"].value
    Acces.objects.update(date_activite=timezone.now() - timedelta(hours=1))
    ferme = (401, "Votre espace s'est fermé. Entrez vos six mots, ou connectez-vous, pour le rouvrir.")
    assert dit(visiteuse, cookie) == ferme
    desactiver(la_session())
    assert dit(visiteuse, cookie) == ferme
    desactiver(la_session(), "ACTIVE")
    fusionner_ailleurs(la_session(), etudiante)
    assert dit(visiteuse, cookie) == ferme

    settings.GUEST_MODE_ENABLED = False

    statut, phrase = dit(visiteuse, cookie)
    assert (statut, "ne se rouvre pas pour le moment" in phrase, "Entrez vos six mots" in phrase) == (401, True, False)


def test_un_acces_termine_avant_la_fusion_ne_la_dit_pas(visiteuse, autre_visiteuse, etudiante):
    code = visiteuse.signaler()
    cookie = visiteuse.cookies["espace"].value
    visiteuse.envoyer("/acces/terminer/")
    autre_visiteuse.revenir(code)
    ouvert = autre_visiteuse.cookies["espace"].value

    fusionner_ailleurs(la_session(), etudiante)

    assert dit(visiteuse, cookie)[0] == 401
    assert dit(visiteuse, ouvert) == (409, "Ce dossier est dans un compte. Connectez-vous.")


def test_mode_invite_ferme_un_acces_ouvert_le_dit_et_un_fini_non(visiteuse, settings):
    visiteuse.signaler()
    cookie = visiteuse.cookies["espace"].value
    settings.GUEST_MODE_ENABLED = False
    assert dit(visiteuse, cookie)[0] == 403

    Acces.objects.update(date_fin=timezone.now())

    assert dit(visiteuse, cookie)[0] == 401


def test_changer_de_code_ne_garde_plus_aucun_appareil(visiteuse, autre_visiteuse, settings):
    code = visiteuse.signaler()
    visiteuse.envoyer("/recu/verifier/", {"mot": code.split()[2]})
    visiteuse.envoyer("/acces/garder/")
    assert Acces.objects.get().est_garde
    autre_visiteuse.revenir(code)

    autre_visiteuse.envoyer("/acces/code/")

    assert not Acces.objects.filter(garde_jusqu_a__isnull=False).exists()
    assert six_mots(autre_visiteuse.lire("/acces/code/")) != code


def test_ne_plus_garder_redemande_le_code_pour_garder_encore(visiteuse):
    code = visiteuse.signaler()
    visiteuse.envoyer("/recu/verifier/", {"mot": code.split()[2]})
    visiteuse.envoyer("/acces/garder/")
    visiteuse.envoyer("/acces/garder/fin/")

    visiteuse.envoyer("/acces/garder/")

    assert not Acces.objects.get().est_garde


def test_rien_ne_dit_plus_a_qui_etait_un_espace_passe_a_un_compte(visiteuse, etudiante):
    visiteuse.signaler()
    visiteuse.passer_au_compte(etudiante)
    assert Acces.objects.filter(invite__isnull=False).exists()  # a second click may still come
    Acces.objects.filter(invite__isnull=False).update(date_fin=timezone.now() - timedelta(minutes=2))

    acces_laisses()

    assert not Acces.objects.filter(invite__isnull=False).exists()
    assert Acces.objects.get().session.compte == etudiante


def test_sans_portail_un_cookie_n_ouvre_ni_socket_ni_envoi(visiteuse, settings):
    from config.serveur.identites import televerse

    visiteuse.signaler()
    cookies = visiteuse.cookies.output(attrs=[], header="", sep=";").strip().encode()
    scope = {"path": "/fichiers/envoyer/", "headers": [(b"cookie", cookies), (b"host", b"testserver")]}
    assert televerse(scope) is not None

    settings.PORTAIL_ENABLED = False

    assert televerse(scope) is None


def test_une_page_qui_se_tient_a_jour_n_oublie_pas_le_cookie_qu_une_autre_vient_de_poser(visiteuse):
    visiteuse.signaler()
    Acces.objects.update(date_fin=timezone.now())

    assert "espace" not in visiteuse.get("/dossiers/1/", headers={"X-Direct": "1"}).cookies
    assert visiteuse.get("/dossiers/1/").cookies["espace"]["max-age"] == 0
    assert le_dossier()


# --- A case that was joined to another while its page was open ------------------------------------------------------


@pytest.fixture
def joint(visiteuse, etudiante):
    """A guest's page on her case; in an account's hands since, and joined to one of the account's own, the second."""
    visiteuse.signaler()
    la_sienne = le_dossier()
    fabriques.signalement(acteur_de(etudiante), titre="Ancien")
    fabriques.mettre(Signalement.objects.get(titre="Ancien"), date_creation=timezone.now() - timedelta(days=2))
    reste = fabriques.signalement(acteur_de(etudiante), titre="Il reste", mode_identification="ANONYME")
    fusionner_ailleurs(la_session(), etudiante)
    fabriques.mettre(la_sienne, absorbe_par=reste)
    return str(la_sienne.pk), reste


def test_un_message_ecrit_dans_un_dossier_joint_va_a_celui_qui_demeure(visiteuse, etudiante, joint):
    montre, reste = joint
    refus = visiteuse.envoyer("/dossiers/1/repondre/", {"contenu": "Encore hier soir.", "dossier": montre})
    page = texte_de(refus)
    assert (refus.status_code, "Encore hier soir.</textarea>" in page) == (409, True)
    assert "Ce dossier est dans un compte. Connectez-vous." in page

    repris = visiteuse.se_connecter(etudiante, texte="Encore hier soir.", rang="1", pour=cache(page, "pour"))
    assert "Encore hier soir.</textarea>" in texte_de(repris)
    ecrit = visiteuse.envoyer("/dossiers/1/repondre/", {"contenu": "Encore hier soir.", "dossier": montre})

    assert (ecrit.status_code, ecrit.headers["Location"]) == (303, "/dossiers/2/#messages")
    assert Message.objects.get().discussion.signalement == reste
    assert visiteuse.envoyer("/dossiers/1/lus/", {"dossier": montre}).headers["Location"] == "/dossiers/2/"
    fichier = SimpleUploadedFile("a.txt", b"un")
    envoye = visiteuse.envoyer("/fichiers/envoyer/", {"pour": f"1-{montre.replace('-', '')}", "fichier": fichier})
    assert envoye.headers["Location"] == "/dossiers/2/#messages"


def test_la_page_qui_se_tient_a_jour_est_menee_a_celui_qui_demeure(visiteuse, etudiante, joint):
    montre, reste = joint
    assert visiteuse.get("/dossiers/1/", headers={"X-Direct": montre}).status_code == 409
    visiteuse.se_connecter(etudiante)

    relue = visiteuse.get("/dossiers/1/", headers={"X-Direct": montre})

    assert (relue.status_code, relue.headers["Location"]) == (303, "/dossiers/2/")
    assert f'data-de="{reste.pk}"' in visiteuse.lire("/dossiers/2/", headers={"X-Direct": montre})
    assert visiteuse.get("/dossiers/1/", headers={"X-Direct": str(uuid4())}).status_code == 409


def test_un_rang_qui_a_change_ne_trompe_pas_une_page_ouverte(visiteuse, etudiante):
    visiteuse.se_connecter(etudiante)
    a_elle = fabriques.signalement(acteur_de(etudiante), titre="Le sien")
    assert "Le sien" in visiteuse.lire("/dossiers/1/")
    arrive = fabriques.signalement(acteur_de(etudiante), titre="Venu d'ailleurs")
    fabriques.mettre(arrive, date_creation=timezone.now() - timedelta(days=2))

    ecrit = visiteuse.envoyer("/dossiers/1/repondre/", {"contenu": "Bonjour.", "dossier": str(a_elle.pk)})

    assert ecrit.headers["Location"] == "/dossiers/2/#messages"
    assert Message.objects.get().discussion.signalement == a_elle
    relue = visiteuse.get("/dossiers/1/", headers={"X-Direct": str(a_elle.pk)})
    assert relue.headers["Location"] == "/dossiers/2/"


@pytest.mark.parametrize("texte", ["", "Je suis passée ce matin."])
def test_revenir_en_arriere_puis_recharger_ne_rouvre_rien(visiteuse, texte, time_machine):
    """Her access has ended by itself, and somebody holds the phone."""
    time_machine.move_to(timezone.now())
    code = visiteuse.signaler()
    visiteuse.envoyer("/acces/terminer/")
    poste = {"code": code, **cle_de(visiteuse.lire("/retrouver/")), **({"texte": texte, "rang": "1"} if texte else {})}
    ouverte = visiteuse.envoyer("/retrouver/", poste)
    assert (ouverte.status_code, texte in texte_de(ouverte)) == (200 if texte else 303, True)
    assert visiteuse.envoyer("/retrouver/", poste).status_code == ouverte.status_code  # a double click
    time_machine.shift(timedelta(minutes=5))
    assert texte in texte_de(visiteuse.envoyer("/retrouver/", poste))  # she is in: her text, or her cases
    assert visiteuse.get("/dossiers/1/").status_code == 200
    time_machine.shift(timedelta(minutes=31))

    for rejouee in (poste, {**poste, "vers": "en"}):
        rejoue = visiteuse.envoyer("/retrouver/", rejouee)
        assert (rejoue.status_code, rejoue.headers["Location"]) == (303, "/retrouver/")
        assert visiteuse.get("/dossiers/1/").status_code == 401
    assert visiteuse.envoyer("/retrouver/", {"code": code, **cle_de(visiteuse.lire("/retrouver/"))}).status_code == 303
    assert visiteuse.get("/dossiers/1/").status_code == 200


def test_un_mot_de_passe_poste_n_ouvre_pas_deux_fois(visiteuse, etudiante, time_machine):
    time_machine.move_to(timezone.now())
    cle = cle_de(visiteuse.lire("/compte/connexion/"))
    assert visiteuse.se_connecter(etudiante, code="", **cle).headers["Location"] == "/dossiers/"
    time_machine.shift(timedelta(minutes=31))

    rejoue = visiteuse.se_connecter(etudiante, code="", **cle)

    assert (rejoue.status_code, rejoue.headers["Location"]) == (303, "/compte/connexion/")
    assert visiteuse.get("/dossiers/").status_code == 401
