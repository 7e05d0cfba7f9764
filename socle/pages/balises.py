"""Template filters for what people wrote, each in its own direction, and for what no translation may touch; icons.

In every template, without a `load`: of what is shown and not written by us, each place needs one of the two.
"""

from typing import Any

from django import template
from django.utils.formats import number_format
from django.utils.html import format_html, format_html_join, linebreaks
from django.utils.safestring import SafeString
from django.utils.text import normalize_newlines
from django.utils.translation import gettext as _

from socle.domaine.appels import appels_de
from socle.pages import icones
from socle.pages.typographie import dite

register = template.Library()
KO = 1024


@register.filter
def isole(texte: Any) -> SafeString | str:
    """A title, a name, a place inside a line of ours: `<bdi>`, so that Arabic or Hebrew does not turn what follows."""
    return format_html("<bdi>{}</bdi>", dite(texte)) if texte else ""


@register.filter
def avec_appels(texte: str) -> SafeString:
    """A text of the team for people in trouble: paragraphs, each number that is sure a link that a phone dials."""
    lignes = format_html_join("\n", "{}", ((_ligne_avec_appels(une),) for une in normalize_newlines(texte).split("\n")))
    return SafeString(linebreaks(lignes))  # of what is escaped already


def _ligne_avec_appels(ligne: str) -> SafeString:
    morceaux: list[str] = []
    position = 0
    for debut, fin, numero in appels_de(ligne):
        lien = format_html('<a href="tel:{}">{}</a>', numero, ligne[debut:fin])
        morceaux += [ligne[position:debut], lien]
        position = fin
    return format_html_join("", "{}", ((un,) for un in [*morceaux, ligne[position:]]))


@register.filter
def en_milliers(nombre: int) -> str:
    """The number, in groups of three digits."""
    return number_format(nombre, force_grouping=True)


@register.filter
def poids(octets: int) -> str:
    """The size of a file in the units that limits are told in: kilobytes of 1,024, then megabytes."""
    en_ko = max(1, round(octets / KO))
    if en_ko < KO:
        return _("%(n)s Ko") % {"n": en_ko}
    en_mo = round(octets / KO**2, 1)
    decimales = 1 if en_mo < 10 and en_mo % 1 else 0
    return _("%(n)s Mo") % {"n": number_format(en_mo, decimales, force_grouping=True)}


@register.filter
def sans_traduire(texte: Any) -> SafeString | str:
    """A reference: what translates a page leaves it as it is."""
    return format_html('<span class="notranslate" translate="no">{}</span>', texte) if texte else ""


@register.simple_tag(takes_context=True)
def icone(context: template.Context, nom: str) -> SafeString:
    """The use of an icon; its drawing comes once, by `symboles` at the end of the body."""
    _utilisees(context).add(nom)
    return icones.icone(nom)


@register.simple_tag(takes_context=True)
def symboles(context: template.Context, *autres: str) -> SafeString:
    """The drawings of the icons used so far, and of these: a block that is renewed live may need others than it had."""
    return icones.symboles(_utilisees(context).union(autres))


def _utilisees(context: template.Context) -> set[str]:
    """In the lowest dictionary of the context, which every included and extended template of a page shares."""
    utilisees: set[str] = context.dicts[0].setdefault("icones_utilisees", set())
    return utilisees
