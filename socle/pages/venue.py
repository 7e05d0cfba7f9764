"""Origin of a request as the browser says it, and whether somebody asks for it yet."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse

# A page of ours, or nowhere.
D_ICI = ("none", "same-origin")
MUETTES = ("", "about:blank", "about:client")  # pages of departure that say nothing
_EN_AVANCE = ("Sec-Purpose", "Purpose", "X-Purpose", "X-Moz")


def vient_d_ailleurs(request: HttpRequest) -> bool:
    """True where the browser says that another site led here: it left our Strict cookies at home.

    An older one says it by the page it comes from alone.
    """
    if site := request.headers.get("Sec-Fetch-Site", ""):
        return site not in D_ICI
    return _page_de_depart(request) not in MUETTES and not _part_d_ici(request)


def _page_de_depart(request: HttpRequest) -> str:
    return str(request.META.get("HTTP_REFERER", "")).strip()


def _part_d_ici(request: HttpRequest) -> bool:
    """True where it says that a page of ours leads here, which no page of another site can have it say."""
    ici = (f"{request.scheme}://{request.get_host()}", *settings.CSRF_TRUSTED_ORIGINS)
    return "/".join(_page_de_depart(request).split("/")[:3]) in ici


def se_dit_d_ici(request: HttpRequest) -> bool:
    """True where, of a browser that withholds Origin, the rest says that a page of ours sends this.

    No page of another site can have it say that.
    """
    dit = request.headers.get("Sec-Fetch-Site") == "same-origin" or _part_d_ici(request)
    return dit and sans_origine(request)


def est_en_avance(request: HttpRequest) -> bool:
    """Prefetch, prerender, preview: asked by a browser in case somebody follows a link."""
    return any(request.headers.get(nom, "").lower().startswith(("prefetch", "preview")) for nom in _EN_AVANCE)


def tait_son_origine(request: HttpRequest) -> bool:
    """No Origin, as an extension, a setting or a proxy withholds or empties it, but the cookie of our forms.

    It is Lax: a form of another site comes without it.
    """
    return sans_origine(request) and settings.CSRF_COOKIE_NAME in request.COOKIES and not vient_d_ailleurs(request)


def sans_origine(request: HttpRequest) -> bool:
    return str(request.META.get("HTTP_ORIGIN", "")).strip() in ("", "null")


class OrigineTue:
    """Middleware before the CSRF check: of a browser that withholds the origin of a page of ours, the token decides.

    That it is ours, the browser says itself (`Sec-Fetch-Site`, which no page can set, or the page it comes from); or it
    shows by the cookie of the token, which no other host can have put there (`__Host-`).
    docs/decisions/0013-origine-tue.md
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if tait_son_origine(request) and (
            request.headers.get("Sec-Fetch-Site")
            or _part_d_ici(request)
            or settings.CSRF_COOKIE_NAME.startswith("__Host-")
        ):
            request.META["HTTP_ORIGIN"] = f"{request.scheme}://{request.get_host()}"
        return self.get_response(request)
