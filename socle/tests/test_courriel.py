"""A mail server that hangs, trickles or talks without end holds a try no longer than its limit."""

import smtplib
import time
import traceback
from contextlib import contextmanager

import pytest
from django.core import mail

from config.tests.pannes.sourds import bavard, boite_qui_prend, goutte_a_goutte, muet, serveur_sourd
from socle.courriel import AdresseRefusee, EnvoiRefuse, est_remis, sans_adresse
from socle.pages.mails import envoyer


@pytest.mark.parametrize("conduite", [muet, goutte_a_goutte, bavard])
def test_un_essai_d_envoi_est_borne_en_tout(settings, conduite):
    settings.EMAIL_BACKEND = "socle.courriel.Courrier"
    settings.EMAIL_TIMEOUT, settings.EMAIL_TRY_SECONDS = 10, 1
    with serveur_sourd(conduite) as port:
        settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", port
        debut = time.monotonic()

        with pytest.raises((smtplib.SMTPException, OSError)):
            mail.send_mail("Sujet", "Texte", "service@campus.test", ["awa@campus.test"])

        assert 0.9 < time.monotonic() - debut < settings.EMAIL_TIMEOUT


A_ELLE = "awa@campus.test"


@contextmanager
def boite(settings, rcpt: bytes = b"250 Bien"):
    """The lines that a mail server was told, reached by these settings; it answers this of every recipient."""
    settings.EMAIL_BACKEND = "socle.courriel.Courrier"
    recu: list[str] = []

    with serveur_sourd(boite_qui_prend(recu, rcpt)) as port:
        settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", port
        yield recu


def ecrire(**options):
    envoyer("avis", A_ELLE, "fr", {"lien": "https://a.test/", "arret": "https://a.test/b"}, **options)


def test_un_serveur_qui_repond_recoit_le_courriel(settings):
    with boite(settings) as recu:
        assert mail.send_mail("Sujet", "Texte", "service@campus.test", ["awa@campus.test"]) == 1

    assert {"Subject: Sujet", "Texte", "quit"} <= set(recu)


@pytest.mark.parametrize(("sans_retour", "enveloppe"), [(True, "<>"), (False, "<service@campus.test>")])
def test_l_enveloppe_n_a_pas_de_retour_et_l_expediteur_reste_celui_du_service(settings, sans_retour, enveloppe):
    settings.DEFAULT_FROM_EMAIL = "Campus <service@campus.test>"
    with boite(settings) as recu:
        ecrire(sans_retour=sans_retour)

    (de,) = [ligne for ligne in recu if ligne.startswith("mail ")]
    assert de.split()[1] == f"FROM:{enveloppe}"
    assert [ligne for ligne in recu if ligne.startswith("rcpt ")] == ["rcpt TO:<awa@campus.test>"]
    assert [ligne for ligne in recu if ligne.startswith(("From:", "To:", "Cc:", "Bcc:", "Return-Path:"))] == [
        "From: Campus <service@campus.test>",
        "To: awa@campus.test",
    ]
    assert not any("sans-retour" in ligne for ligne in recu)


@pytest.mark.parametrize(
    ("reponse", "attendue"),
    [
        (b"550 5.1.1 awa@campus.test is unknown", AdresseRefusee),
        (b"451 4.7.1 awa@campus.test: later", EnvoiRefuse),
    ],
)
def test_un_refus_se_dit_sans_l_adresse_et_un_passager_n_est_pas_celui_de_l_adresse(settings, reponse, attendue):
    with boite(settings, reponse), pytest.raises(EnvoiRefuse) as refus:
        ecrire()

    assert type(refus.value) is attendue
    assert "awa" not in "".join(traceback.format_exception(refus.value))


def test_ce_qu_un_serveur_repond_hors_du_destinataire_n_est_pas_un_refus_de_l_adresse():
    pannes = [
        smtplib.SMTPDataError(554, b"spam for awa@campus.test"),
        smtplib.SMTPSenderRefused(553, b"no", "service@campus.test"),
        smtplib.SMTPServerDisconnected("awa@campus.test"),
    ]

    assert [type(sans_adresse(panne)) for panne in pannes] == [EnvoiRefuse] * 3
    assert "campus.test" not in str([sans_adresse(panne) for panne in pannes])


@pytest.mark.parametrize(
    ("ou", "remis"),
    [
        ("socle.courriel.Courrier", True),
        ("django.core.mail.backends.console.EmailBackend", False),
        ("django.core.mail.backends.dummy.EmailBackend", False),
        ("django.core.mail.backends.filebased.EmailBackend", False),
    ],
)
def test_un_courriel_n_est_remis_que_par_un_serveur(settings, ou, remis):
    settings.EMAIL_BACKEND = ou

    assert est_remis() is remis
