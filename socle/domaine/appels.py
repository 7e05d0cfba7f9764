"""Numbers to dial, out of a contact that somebody wrote for the eye."""

import re
import unicodedata
from collections.abc import Iterator

from socle.domaine import telephones

# One that stands alone, though others may follow it with a space between.
COURTS = frozenset(map(str, (112, 15, 17, 18, 19, 110, 113, 114, 115, 117, 118, 119, 191, 196, 197, 911, 999)))
CHIFFRES = range(2, 16)  # how many a number has
_LONG = 6  # digits from which one is hardly a room, a price or an hour
_ANNEE = r"(?:19[4-9]|20\d)\d(?!\d)"
_MOIS = (
    r"(?:janv(?:ier)?|f[ée]v(?:r(?:ier)?)?|mars|avr(?:il)?|mai|juin|juil(?:let)?|ao[ûu]t|sept(?:emb(?:re|er))?"
    r"|oct(?:ob(?:re|er))?|nov(?:emb(?:re|er))?|d[ée]c(?:emb(?:re|er))?|jan(?:uary)?|feb(?:ruary)?|march|april|june|july"
    r"|aug(?:ust)?)\b\.?"
)
_ADRESSE = r"[^\s,;]*?(?=\W0\d[\s.]\d\d|[\s,;]|$)"  # to its end, or to the number after it
_UNITES = r"(?:h(?:\d\d)?|heures?|hours?|hrs?|am|pm)"
_VOIE = r"(?:rue|avenue|av|boulevard|bd|place|allées?|chemin|quai|cours|street|road)"
_COMPTES = r"(?:lignes?|lines?|ans|years?|minutes?|min|mn|personnes|people)"
_FOIS = r"(?:h|heures?|hours?|j|jours?|d|days?)"
# Addresses, codes that command a network, years and days: their digits are no number, and their signs say so.
_SIGNES = re.compile(
    rf"""[\w.+-]+@(?:[\w-]+\.)+[a-z]{{2,}}
    | (?:https?://|www\.|(?<![\w.])[a-z][\w.-]*\.(?:fr|org|com|net|eu|info|edu|be|ch|ca|lu|cd|cg|uk)/){_ADRESSE}
    | [*\#]{{1,2}}\d+(?:\*+\d*)*\#
    | (?<![\d./-])\d{{1,2}}(?P<point>[./-])\d{{1,2}}(?P=point){_ANNEE}(?![./-]\d)
    | (?<![\d/-])\d\d?/(?:0?\d|1[0-2])/\d\d(?![./-]?\d)
    | (?<![\d-]){_ANNEE}-(?:0\d|1[0-2])-[0-3]\d(?![\d-])
    | \b(?:le|du|au)\s+\d{{1,2}}[./-](?:0\d|1[0-2])(?![\s./-]?\d)
    | (?<!\d)\d{{1,2}}(?:er|st|nd|rd|th)?\s+{_MOIS}(?:\s+{_ANNEE})?
    | \b(?:depuis|dès|en|année|since|in|{_MOIS})\s+{_ANNEE}""",
    re.IGNORECASE | re.VERBOSE,
)
# What numbers stand beside, none of it to be dialled: extensions that a switchboard alone knows, hours, prices, places.
_AUTRES = re.compile(
    rf"""\b(?:poste|extension|ext|interne|int|bureau|salle|porte|étage|office|room|floor)\b[.:\s]*\w*\d+
    | \b(?:b\.?\s?p|p\.?\s?o\.?\s?box|cs|tsa|cedex|bâtiment|bât|building|chambre|appartement|appt|code)\b[.:\s]*\d+
    | \b(?:bp|cs)\d+
    | \b(?:n\s?[°o]|ligne|line|option|touche|tapez|press)\s*[1-9](?!\d|\s\d{{2,3}}\s\d)
    | (?<!\d)\d{{1,3}}(?:\s?(?:bis|ter))?,?\s+{_VOIE}\b
    | (?<!\d)\d{{1,2}}\s*{_FOIS}?\s*(?:/|sur|out\ of)\s*\d{{1,2}}\s*{_FOIS}\b
    | (?<!\d)\d{{1,2}}\s*{_FOIS}\s*(?:/|sur|out\ of)\s*\d{{1,2}}(?!\d)
    | (?<!\d)\d{{1,2}}\s*{_UNITES}?\s*(?:à|a|to|-)\s*\d{{1,2}}\s*{_UNITES}(?!\w)
    | (?<![\w:.,])\d{{1,2}}\s*{_UNITES}(?!\w)
    | (?<![\d:])\d{{1,2}}:\d\d(?![\d:])
    | \d+(?:[.,]\d+)?\s*(?:€|\$|£|%|eur\b|euros?\b|centimes?\b|cts?\b)(?:\s*/\s*\w+)?
    | (?:(?<!\d)\d{{1,2}}\s*(?:-|à|a|et|to|and)\s*)?\d+\s+{_COMPTES}\b
    | (?<!\d)\d{{5}}\s+(?=[^\W\d_]{{3}})""",
    re.IGNORECASE | re.VERBOSE,
)
# Letters for the digits they look like (« l0 », « OO »), or signs for those that are kept back, with the groups beside
# them: nobody knows which number it is.
_MAL_TAPE = re.compile(
    r"""(?<!\d)(?:\d+[\s.-])*(?<![^\W_])(?:(?=[oil]*\d)(?=\d*[oil])[\doil]{2,}|(?<=\d[\s.-])oo)(?![^\W_])(?:[\s.-]\d+)*
    | (?<!\d)(?<!\d[\s.-])0\d(?:[\s.-]\d\d){1,3}[\s.-](?:[*?_x]{2}|\d(?![\s.-]?\w))""",
    re.IGNORECASE | re.VERBOSE,
)
_EN_DEUX_CHIFFRES = re.compile(r"(?<!\d)0\d(?P<entre>[\s./,:•·-]{1,3})\d\d(?:(?P=entre)\d\d){3}(?!\d)")
# « 24/7 », « 9-12 »; « 15/17 » are two numbers. A whole number is seen first, so that its end is no pair.
_PAIRE = re.compile(rf"{_EN_DEUX_CHIFFRES.pattern}|(?<![\d/-])(\d{{1,2}})([/-])(\d{{1,2}})(?![\d/-])")
_JOURNEE = 24  # hours
# Digits in groups, with what people put between, and the letters glued to the first.
_SUITE = re.compile(r"([^\W\d_]*)((?>\(?(?:\+\s?)?[\d(][\d()\[\]\s./·-]*(?<=[\d)\]])|\(?\+?\d))(?!-?[^\W\d_])")
_ANNONCES = frozenset(("", "t", "tel", "tél"))
_BARRE = re.compile(r"\s[-/]\s|/")  # « 15 - 17 », « 01 … / 06 … » are two
_ENTIER = 9  # digits after which a bar begins another number; with its country, one more
_AVEC_PAYS = 11  # digits that only a country written without its + makes so many, but for those of _LONGS
_LONGS = ("0", "1", "8")
_DE_FRANCE = re.compile(r"3[01269]\d\d")  # services, two of which may follow each other
_SIX = re.compile(r"11[68]\d{3}")  # European services, French directories
_ZERO = re.compile(r"[(\[]\s*0\s*[)\]]")  # dialled from inside the country alone
# In a sentence a short number is a count, unless it is told to be called, or stands where one is named.
_APPELER = r"\b(?:appele[rz]|compose[rz]|faites|call|dial|ring)(?:\s+(?:le|au|the))?\s+"
_NOMMER = r"(?:\b(?:le|au|ou|or)\s+|[:(/]\s*|^\W*)"
_SANS_UNITE = r"(?!\s+(?!(?:ou|et|or|and)\b)[^\W\d_])"
_ENTRE = "(?:\\s?\\(0\\))?[\\s().\u2011-]*"  # two digits of one number
PHRASE_MAX = 400  # characters of a line that numbers are looked for in


def a_composer(texte: str) -> str:
    """Number to dial for the first one of this text, digits after a + for an international one; "" for none.

    A wrong number is worse than no link: where the digits could not be one, there is none. A short one that is no
    service's, or a year, gives way to a whole number after it.
    """
    courts = []
    for numero in _numeros(_sans_autres(_en_clair(texte))):
        if len(numero) >= _LONG or numero in COURTS or (_est_un_service(numero) and not re.fullmatch(_ANNEE, numero)):
            return numero
        courts.append(numero)
    return courts[0] if courts else ""


def appels_de(phrase: str) -> list[tuple[int, int, str]]:
    """Place of each sure number of a sentence, and the number to dial, read as `a_composer` does.

    Whole numbers, and those of services where the sentence says to call them; a wrong link is worse than none.
    """
    trouves: list[tuple[int, int, str]] = []
    for numero in _numeros(_sans_autres(_en_clair(phrase))) if len(phrase) <= PHRASE_MAX else ():
        apres = trouves[-1][1] if trouves else 0
        if place := _place_de(numero, phrase, apres):
            trouves.append((*place.span("numero"), numero))
    return trouves


def _place_de(numero: str, phrase: str, apres: int) -> re.Match[str] | None:
    """The number as it is written in the sentence, None where it is written otherwise, or is none for sure."""
    ecrit = rf"(?P<numero>(?<![\w+]){re.escape(numero[0])}{_ENTRE}{_ENTRE.join(numero[1:])})(?!\d)"
    if len(numero) >= _LONG:
        return re.compile(ecrit).search(phrase, apres)
    if numero not in COURTS and (not _est_un_service(numero) or re.fullmatch(_ANNEE, numero)):
        return None
    suite = _SANS_UNITE if len(numero) == len("15") else ""
    appele = re.compile(f"{_APPELER}{ecrit}", re.IGNORECASE).search(phrase, apres)
    return appele or re.compile(f"{_NOMMER}{ecrit}{suite}", re.IGNORECASE).search(phrase, apres)


def _sans_autres(texte: str) -> str:
    for autres in (_SIGNES, _MAL_TAPE, _AUTRES):
        texte = autres.sub(" ; ", texte)
    return _PAIRE.sub(_horaire, texte)


def _numeros(texte: str) -> Iterator[str]:
    position = 0
    while trouve := _SUITE.search(texte, position):
        position, ecrit = trouve.end(), trouve[2]
        if deux := _EN_DEUX_CHIFFRES.match(texte, trouve.start(2)):
            position = deux.end()
            numero = _chiffres(deux.group())
        elif not _a_un_pays(ecrit) and (suivant := _EN_DEUX_CHIFFRES.search(texte, trouve.start(2), position)):
            position = suivant.start()
            numero = _premier(texte[trouve.start(2) : position])
        else:
            numero = _premier(ecrit)
        est_entier = len(numero) >= _LONG or not numero.startswith("0")
        if est_entier and trouve[1].lower() in _ANNONCES and len(numero.lstrip("+")) in CHIFFRES:
            yield numero


def _horaire(paire: re.Match[str]) -> str:
    """Two numbers apart where they are services; nothing of two hours; the first where it ends a number."""
    premier, barre, second = paire.group(2, 3, 4)
    if barre is None:
        return paire[0]
    if {premier, second} <= COURTS:
        return f"{premier} ; {second}"
    if not re.search(r"\d[\s.]$", paire.string[: paire.start()]) or max(int(premier), int(second)) <= _JOURNEE:
        return " ; "
    return paire[0] if re.match(r"[\s.]\d", paire.string[paire.end() :]) else f"{premier} ; "


def _est_un_service(numero: str) -> bool:
    return len(numero) == len("3919") and numero[0] in "13"


def _en_clair(texte: str) -> str:
    """Digits of any script as ASCII, dashes as hyphens, format characters dropped."""
    plat = unicodedata.normalize("NFKC", texte)
    return "".join(
        str(unicodedata.decimal(c)) if c.isdecimal() else "-" if unicodedata.category(c) == "Pd" else c
        for c in plat
        if unicodedata.category(c) != "Cf"
    )


def _a_un_pays(ecrit: str) -> bool:
    return ecrit.lstrip("( ").startswith(("+", "00"))


def _premier(ecrit: str) -> str:
    a_un_pays = _a_un_pays(ecrit)
    ecrit = _avant_la_barre(ecrit, a_un_pays=a_un_pays)
    if a_un_pays:  # what reads phone numbers says whether it is one
        return telephones.lire(_ZERO.sub(" ", ecrit).replace("/", " "), None) or ""
    ouvrante = ecrit.find("(", 1)
    if len(_chiffres(ecrit[: max(ouvrante, 0)])) >= len("112"):  # « 3919 (24) »
        ecrit = ecrit[:ouvrante]
    numero = _de_groupes(re.findall(r"\d+", ecrit))
    return "" if len(numero) >= _AVEC_PAYS and not numero.startswith(_LONGS) else numero


def _avant_la_barre(ecrit: str, *, a_un_pays: bool) -> str:
    """Cut at the first bar after a whole number: a bar within one is a way to write it."""
    for barre in _BARRE.finditer(ecrit):
        avant = _chiffres(ecrit[: barre.start()])
        un_seul = not a_un_pays and (avant in COURTS or _SIX.fullmatch(avant) or _est_un_service(avant))
        separe = not a_un_pays and len(barre[0]) > 1 and (len(avant) >= _LONG or not avant.startswith("0"))
        if len(avant) >= _ENTIER + a_un_pays or un_seul or separe:
            return ecrit[: barre.start()]
    return ecrit.strip()


def _de_groupes(groupes: list[str]) -> str:
    """The digits of all of them, or of the first where it is a number by itself."""
    if len(groupes) < len(("118", "712")):
        return "".join(groupes)
    premier, second = groupes[:2]
    if _SIX.fullmatch(premier + second) and not {premier, second} <= COURTS:
        return premier + second
    un_service_puis_autre = _est_un_service(premier) and premier[0] == "3" and len(second) < len("119")
    deux_services = _DE_FRANCE.fullmatch(premier) and (second in COURTS or _DE_FRANCE.fullmatch(second))
    est_seul = premier in COURTS or _SIX.fullmatch(premier) or len(premier) >= _ENTIER
    if est_seul or un_service_puis_autre or deux_services:
        return premier
    return "".join(groupes)


def _chiffres(ecrit: str) -> str:
    return "".join(re.findall(r"\d", ecrit))
