from datetime import date, datetime, timedelta

from django import template
from django.utils import timezone
from django.utils.formats import date_format, number_format
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from accounts.models import Compte
from espace.selections import Nombre
from signalements.vocabulaire import Priorite, Statut
from socle.domaine.temps import jour_du_campus

register = template.Library()
# A state, a priority -> its icon, which is the class of its colours too.
SIGNES: dict[str, str] = {
    Statut.NOUVEAU: "nouveau",
    Statut.ASSIGNE: "assigne",
    Statut.EN_COURS: "encours",
    Statut.EN_ATTENTE: "attente",
    Statut.TRAITE: "traite",
    Statut.CLOTURE: "clos",
    Priorite.CRITICAL: "critique",
    Priorite.HIGH: "haute",
    Priorite.MEDIUM: "moyenne",
    Priorite.LOW: "basse",
}
HEURE = 3600
JOUR = 24 * HEURE


@register.filter
def signe(code: str) -> str:
    """The icon of a state or a priority: its shape says it without its colour."""
    return SIGNES[code]


@register.filter
def initiales(compte: Compte) -> str:
    """Of a first and a last name, in capitals."""
    return f"{compte.prenom[:1]}{compte.nom[:1]}".upper()


@register.filter
def combien(nombre: Nombre) -> str:
    """The number, with a + where there are more."""
    return f"{number_format(nombre.nombre, force_grouping=True)}{'+' if nombre.plafonne else ''}"


@register.filter
def dossiers(nombre: Nombre) -> str:
    """« 3 dossiers », « plus de 1 000 dossiers »."""
    if nombre.plafonne:
        return _("Plus de %(n)s dossiers") % {"n": number_format(nombre.nombre, force_grouping=True)}
    phrase = ngettext("%(n)s dossier", "%(n)s dossiers", nombre.nombre)
    return phrase % {"n": number_format(nombre.nombre, force_grouping=True)}


@register.filter
def jour_court(jour: date) -> str:
    """« 9 déc. », with its year where it is another than this one: a row has room for no more."""
    est_francais = get_language() == "fr"
    mois = "N" if est_francais else "M"
    dit = date_format(jour, f"j {mois}" if jour.year == jour_du_campus().year else f"j {mois} Y")
    return f"1er{dit[1:]}" if est_francais and jour.day == 1 else dit


@register.filter
def recu(moment: datetime) -> str:
    """« reçu il y a 3 h », « reçu à l'instant »."""
    if timezone.now() - moment < timedelta(minutes=1):
        return _("reçu à l'instant")
    return _("reçu il y a %(age)s") % {"age": age(moment)}


@register.filter
def age(moment: datetime) -> str:
    """Format the time since a moment, in the one unit that says it."""
    secondes = max(int((timezone.now() - moment).total_seconds()), 0)
    if secondes < HEURE:
        return _("%(n)d min") % {"n": secondes // 60}
    if secondes < 2 * JOUR:
        return _("%(n)d h") % {"n": secondes // HEURE}
    return _("%(n)d j") % {"n": secondes // JOUR}
