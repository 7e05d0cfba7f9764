from datetime import timedelta

from django.db import models
from django.utils.translation import gettext_lazy as _

LIBELLE_MAX, MOTIF_MAX = 100, 500  # characters
DELAIS_MAX = 20  # active at once: each is a date of every new case
JOURS_FERMES_MAX = 1_000  # every creation of a case has them at hand
NOMBRE_MAX = 1_000  # of days, or of months, of one delay
PROLONGATION_MAX = timedelta(days=366)  # past the former date

# After a yes: every process has read it, and every creation that had not is committed, without its dates.
PARTOUT_SU = timedelta(minutes=1)
PREMIERE_HEURE = 7  # of the campus's day, from which a date that has come is told


class NatureDelai(models.TextChoices):
    """Promise that a date is for; AUTRE is one of the campus's own, named by it."""

    ACCUSE = "ACCUSE", _("Accusé de réception")
    RETOUR = "RETOUR", _("Retour sur les suites")
    ENTRETIEN = "ENTRETIEN", _("Entretien")
    AUTRE = "AUTRE", _("Autre délai")


# Dates that every new case gets; a meeting has one once it is opened.
A_LA_CREATION = (NatureDelai.ACCUSE, NatureDelai.RETOUR, NatureDelai.AUTRE)
# Dates that a message ends: by what it is, never by a word of the team.
PAR_MESSAGE = (NatureDelai.ACCUSE, NatureDelai.RETOUR)


class Unite(models.TextChoices):
    JOURS = "JOURS", _("jours")
    JOURS_OUVRES = "JOURS_OUVRES", _("jours ouvrés")
    MOIS = "MOIS", _("mois")


class Etape(models.IntegerChoices):
    """Steps of a date that is not kept, each taken once."""

    POSEE = 0
    PROCHE = 1  # told to the handler
    AUJOURD_HUI = 2  # told to the handler and to all who read the case
    DEPASSEE = 3  # an alert of the team
    SIGNALEE = 4  # told to the administrators who are not shut out


# In days from the date.
JOUR_DE_L_ETAPE = {Etape.PROCHE: -2, Etape.AUJOURD_HUI: 0, Etape.DEPASSEE: 1, Etape.SIGNALEE: 2}


# The three of the law: an acknowledgement within 7 working days, a meeting within 20, feedback within 3 months
# (directive (EU) 2019/1937, article 9; decree 2022-1284, article 4).
LEGAUX = (
    (NatureDelai.ACCUSE, 7, Unite.JOURS_OUVRES),
    (NatureDelai.ENTRETIEN, 20, Unite.JOURS_OUVRES),
    (NatureDelai.RETOUR, 3, Unite.MOIS),
)
