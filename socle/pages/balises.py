"""Template filters for what people wrote, each in its own direction, and for what no translation may touch.

In every template, without a `load`: of what is shown and not written by us, each place needs one of the two.
"""

from typing import Any

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()


@register.filter
def isole(texte: Any) -> SafeString | str:
    """A title, a name, a place inside a line of ours: `<bdi>`, so that Arabic or Hebrew does not turn what follows."""
    return format_html("<bdi>{}</bdi>", texte) if texte else ""


@register.filter
def sans_traduire(texte: Any) -> SafeString | str:
    """A reference: what translates a page leaves it as it is."""
    return format_html('<span class="notranslate" translate="no">{}</span>', texte) if texte else ""
