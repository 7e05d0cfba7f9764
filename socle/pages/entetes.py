"""Headers of the pages that hold somebody's case: kept nowhere, shown in no frame, talking to this host alone."""

from django.conf import settings
from django.http import HttpResponse

FIXES = {
    "Cache-Control": "no-store",
    # With `no-referrer` a form's Origin is null, which the CSRF check refuses.
    "Referrer-Policy": "same-origin",
    "X-Robots-Tag": "noindex, nofollow, noarchive",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), interest-cohort=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


def proteger(reponse: HttpResponse) -> HttpResponse:
    """Set the headers of a private page; no script, style or attribute in the page itself is run."""
    for nom, valeur in FIXES.items():
        reponse.headers[nom] = valeur
    reponse.headers["Content-Security-Policy"] = _csp()
    return reponse


def _csp() -> str:
    origine = settings.CSRF_TRUSTED_ORIGINS[0]
    return "; ".join(
        (
            "default-src 'none'",
            "style-src 'self'",
            "script-src 'self'",
            "img-src 'self'",
            # To older browsers 'self' is no socket.
            f"connect-src 'self' {origine.replace('http', 'ws', 1)}",
            "form-action 'self'",
            "base-uri 'none'",
            "frame-ancestors 'none'",
        )
    )
