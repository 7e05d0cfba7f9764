"""User-Agent headers in the words of a person: a browser and what it runs on, the same in every language."""

# The first that is found wins: most of them name others too.
NAVIGATEURS = (
    ("SamsungBrowser", "Samsung Internet"),
    ("Edg", "Edge"),
    ("OPR", "Opera"),
    ("Firefox", "Firefox"),
    ("FxiOS", "Firefox"),
    ("CriOS", "Chrome"),
    ("Chrome", "Chrome"),
    ("Safari", "Safari"),
)
SYSTEMES = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("CrOS", "ChromeOS"),
    ("Windows", "Windows"),
    ("Mac OS X", "Mac"),
    ("Linux", "Linux"),
)


def en_mots(agent: str) -> str:
    """As « Firefox, Android »; what is not known of the two is left out, and a program that is no browser is ""."""
    dits = (next((mot for signe, mot in connus if signe in agent), "") for connus in (NAVIGATEURS, SYSTEMES))
    return ", ".join(mot for mot in dits if mot)
