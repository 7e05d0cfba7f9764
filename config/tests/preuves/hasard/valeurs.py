"""What nobody would send: JSON values as they are written, and texts for addresses and headers."""

from collections.abc import Callable
from random import Random

Ecrite = bytes  # JSON, as it goes on the wire


def _texte(contenu: str) -> Ecrite:
    return b'"' + contenu.replace("\\", "\\\\").replace('"', '\\"').encode("utf-8", "surrogatepass") + b'"'


def _imbrique(ouvre: bytes, ferme: bytes, niveaux: int) -> Ecrite:
    return ouvre * niveaux + b"1" + ferme * niveaux


ALPHABETS = (
    "abcXYZ019",
    "éàçœßİıŁ\u0301\u0308\u0327",
    "\u0000\u0001\u0007\b\t\n\u001b\u007f\u0085\u2028\u2029",
    "\u200b\u200d\u202e\u2066\ufeff\ufffd\ufffe\U000e0001",
    "日本語ﷺ٣²ⅷ①ｆｕｌｌ",
    "😀👩\u200d👩\u200d👧🏽\U0001f1e8\U0001f1e9",
    "'\"\\/%_;-#&?=+*<>{}[]()|`$^~!@",
)

TEXTES = [
    "",
    " ",
    "\t\r\n",
    "a",
    "null",
    "true",
    "0",
    "-1",
    "1e309",
    "NaN",
    "9" * 400,
    "a" * 50,
    "a" * 51,
    "a" * 255,
    "a" * 256,
    "a" * 20_000,
    "a" * 20_001,
    "é" * 100_000,
    "e\u0301" * 127,
    "ﬁ" * 100,
    "ﷺ" * 60,
    "İ" * 130,
    "ß" * 200,
    "ｆｕｌｌ",
    "\u202egnp.exe",
    "\ufeff",
    "\u0085",
    "\ufffe\uffff",
    "👩\u200d👩\u200d👧" * 40,
    "../../../etc/passwd",
    "..%2f..%2f",
    "' OR 1=1 --",
    "<script>alert(1)</script>",
    "{{ settings }}",
    "%s%n%x",
    "${jndi:ldap://x}",
    "=1+1",
    "00000000-0000-0000-0000-000000000000",
    "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF",
    "{5f0c2a9e-6a7c-4c7e-9f6b-0a1b2c3d4e5f}",
    "5f0c2a9e6a7c4c7e9f6b0a1b2c3d4e5f",
    "SIG-2026-7K3M9QXT",
    "0001-01-01T00:00:00Z",
    "0001-01-01T00:00:00+14:00",
    "9999-12-31T23:59:59.999999-23:59",
    "2026-02-30T00:00:00Z",
    "2026-11-23T24:00:00Z",
    "2026-11-23T23:59:60Z",
    "2026-11-23T10:00:00+99:99",
    "2026-11-23T10:00:00.1234567890123Z",
    "2026-11-23",
    "0001-01-01",
    "9999-12-31",
    "+010000-01-01",
    "2026-W48-1",
    "http://[::1",
    "https://exemple:99999/",
    "https://exemple\u0000/",
    "javascript:alert(1)",
    "https://" + "a" * 300 + ".fr/",
    "https://é.fr/%zz",
    "HTTPS://EXEMPLE.ORG",
    "a@b",
    "a@" + "b" * 300 + ".fr",
    '"a b"@campus.example',
    "é@campus.example",
    "a@[127.0.0.1]",
    "+" * 40,
    "+243٨١٢٣٤٥٦٢١",
    "00243812345621",
    "+33 (0)6 12 34 56 78 ext. 9",
    "fr",
    "ADMIN_SYSTEME",
    "CLOTURE",
]
JSON: list[Ecrite] = [
    b"null",
    b"true",
    b"false",
    b"0",
    b"-0",
    b"-1",
    b"1",
    b"0.5",
    b"1e2",
    b"1E+308",
    b"1e400",
    b"-1e400",
    b"1e-400",
    b"2147483647",
    b"2147483648",
    b"-2147483649",
    b"9223372036854775808",
    b"18446744073709551616",
    b"9" * 400,
    b"9" * 5_000,
    b"0." + b"3" * 400,
    b"NaN",
    b"-Infinity",
    b"01",
    b'"\\ud800"',
    b'"\\udc00\\ud800"',
    b'"\\ud83d"',
    b'"\\u0000"',
    b'"a\\u0000b"',
    b'"\\u001b[2J"',
    b'"\\x41"',
    b'"\x00"',
    b'"\xff\xfe"',
    b'"\xed\xa0\x80"',
    b'"\xc0\x80"',
    b"[]",
    b"[null]",
    b"[[]]",
    b"[1, 2]",
    b'["a", "a"]',
    b"[{}]",
    b"[" + b"1," * 999 + b"1]",
    b"[" + b'"a",' * 5_000 + b'"a"]',
    b"{}",
    b'{"": ""}',
    b'{"a": 1, "a": 2}',
    b'{"$ref": "#"}',
    b'{"__proto__": {"admin": true}}',
    b'{"id": "5f0c2a9e-6a7c-4c7e-9f6b-0a1b2c3d4e5f"}',
    b'{"' + b"a" * 20_000 + b'": 1}',
    b"{" + b",".join(b'"%d": %d' % (n, n) for n in range(2_000)) + b"}",
    _imbrique(b"[", b"]", 30),
    _imbrique(b"[", b"]", 31),
    _imbrique(b"[", b"]", 33),
    _imbrique(b"[", b"]", 5_000),
    _imbrique(b'{"a":', b"}", 30),
    _imbrique(b'{"a":', b"}", 33),
    _imbrique(b'{"a":', b"}", 5_000),
    b"",
    b",",
    b"1 2",
    *map(_texte, TEXTES),
]


def texte_au_hasard(hasard: Random) -> str:
    """Letters of one or two alphabets, of any length that a field may judge."""
    lettres = "".join(hasard.sample(ALPHABETS, hasard.randint(1, 2)))
    longueur = hasard.choice((1, 2, 3, 8, 20, 49, 50, 60, 254, 256, 300))
    return "".join(hasard.choices(lettres, k=longueur))


def json_au_hasard(hasard: Random, niveaux: int = 3) -> Ecrite:
    """Any value, a few levels deep."""
    especes: tuple[Callable[[], Ecrite], ...] = (
        lambda: _texte(texte_au_hasard(hasard).replace("\n", "\\n")),
        lambda: str(hasard.randint(-(2**40), 2**40)).encode(),
        lambda: repr(hasard.uniform(-1e6, 1e6)).encode(),
        lambda: hasard.choice((b"null", b"true", b"false")),
        lambda: b"[" + b",".join(json_au_hasard(hasard, niveaux - 1) for _n in range(hasard.randint(0, 4))) + b"]",
        lambda: (
            b"{"
            + b",".join(b'"k%d":' % n + json_au_hasard(hasard, niveaux - 1) for n in range(hasard.randint(0, 4)))
            + b"}"
        ),
    )
    return hasard.choice(especes if niveaux else especes[:4])()
