"""The three parts of a mail, from one template and three frames: all that one part says, the others say."""

import html
import smtplib
from collections.abc import Iterable
from typing import Any, NamedTuple

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.template.loader import render_to_string
from django.utils import timezone, translation
from django.utils.html import strip_tags
from django.utils.translation import get_language

from socle.courriel import SANS_RETOUR, sans_adresse
from socle.metriques import mail_failures_total, mails_sent_total
from socle.pages.couleurs import ecrites
from socle.pages.typographie import composer

# That no person wrote it (RFC 3834, and Exchange's own): an absence answers none of our mails.
D_UN_AUTOMATE = {"Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "All"}


class Piece(NamedTuple):
    """A file that goes with a mail."""

    nom: str
    contenu: bytes
    type_mime: str


class Mail(NamedTuple):
    sujet: str
    texte: str
    html: str


def ecrire(modele: str, contexte: dict[str, Any]) -> Mail:
    """In the language and at the hour that are active; `lien`, where there is one, is the mail's only button."""
    clair, sombre = ecrites(settings.PORTAIL_COULEUR)
    contexte = {"nom": settings.PORTAIL_NOM, "clair": clair, "sombre": sombre, **contexte}
    sujet = _en_clair(_partie(modele, "cadre_sujet.txt", contexte))
    texte = _en_clair(_partie(modele, "cadre.txt", contexte))
    return Mail(sujet, f"{texte}\n", _partie(modele, "cadre.html", {**contexte, "sujet": sujet}))


def envoyer(
    modele: str,
    destinataire: str,
    langue: str,
    contexte: dict[str, Any],
    entetes: dict[str, str] | None = None,
    pieces: Iterable[Piece] = (),
    *,
    sans_retour: bool = False,
) -> None:
    """Write it in this language and hand it to the mail server; raises where that does not take it.

    `sans_retour` empties its return path: no bounce tells a mailbox of ours whom it was for.
    """
    with translation.override(langue), timezone.override(settings.TIME_ZONE_CAMPUS):
        mail = ecrire(modele, {"fuseau": settings.TIME_ZONE_CAMPUS, **contexte})
    message = EmailMultiAlternatives(
        mail.sujet,
        mail.texte,
        SANS_RETOUR if sans_retour else settings.DEFAULT_FROM_EMAIL,
        [destinataire],
        headers={**D_UN_AUTOMATE, "From": settings.DEFAULT_FROM_EMAIL, **(entetes or {})},
    )
    message.attach_alternative(mail.html, "text/html")
    for piece in pieces:
        message.attach(*piece)
    try:
        message.send()
    except Exception as panne:
        mail_failures_total.labels(modele).inc()
        if isinstance(panne, smtplib.SMTPException):
            raise sans_adresse(panne) from None
        raise
    mails_sent_total.labels(modele).inc()


def _partie(modele: str, cadre: str, contexte: dict[str, Any]) -> str:
    """Through the same typography as the pages, which leaves what stands in a `<bdi>`: a name, a link."""
    rendue = render_to_string(f"mails/{modele}.txt", {"cadre": f"mails/{cadre}", **contexte})
    return composer(rendue) if get_language() == "fr" else rendue


def _en_clair(rendue: str) -> str:
    """Plain text: it was rendered as HTML is, so that no tag in it is anybody's but ours."""
    return html.unescape(strip_tags(rendue)).strip()
