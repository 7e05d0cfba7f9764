"""A mail server that hangs, trickles or talks without end holds a try no longer than its limit."""

import smtplib
import threading
import time

import pytest
from django.core import mail

from config.tests.pannes.sourds import bavard, goutte_a_goutte, muet, serveur_sourd


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


def test_un_serveur_qui_repond_recoit_le_courriel(settings):
    settings.EMAIL_BACKEND = "socle.courriel.Courrier"
    recu = []

    def repondre(prise, fin: threading.Event) -> None:
        prise.sendall(b"220 campus\r\n")
        texte = False
        for ligne in prise.makefile("rb"):
            recu.append(ligne.decode().strip())
            texte = (texte or recu[-1] == "data") and recu[-1] != "."
            prise.sendall(b"354 Texte\r\n" if recu[-1] == "data" else b"" if texte else b"250 Bien\r\n")

    with serveur_sourd(repondre) as port:
        settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", port

        assert mail.send_mail("Sujet", "Texte", "service@campus.test", ["awa@campus.test"]) == 1

    assert {"Subject: Sujet", "Texte", "quit"} <= set(recu)
