from django.conf import settings
from django.http import HttpResponse


def poser_la_langue(reponse: HttpResponse, langue: str) -> None:
    """Set the cookie of the language of pages, for this browser session alone."""
    reponse.set_cookie(
        settings.LANGUAGE_COOKIE_NAME, langue, secure=settings.HTTPS_ONLY, httponly=True, samesite="Strict"
    )
