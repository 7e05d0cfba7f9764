"""Requests of our own: each field of each input of the document, and whole requests, as nobody sends them."""

from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple
from urllib.parse import quote
from uuid import UUID

from config.tests.outils.hostiles import METHODES
from config.tests.preuves.hasard.corps import ENTIERS, ecrire, gater
from config.tests.preuves.hasard.entetes import ENTETES
from config.tests.preuves.hasard.entetes import METHODES as ETRANGES
from config.tests.preuves.hasard.parties import CASSEES, plusieurs_parties
from config.tests.preuves.hasard.reserve import Reserve
from config.tests.preuves.hasard.valeurs import TEXTES, texte_au_hasard

FORMES = {
    "email": "ruth.{n}@campus.example",
    "date-time": "2027-03-01T{h:02}:00:00Z",
    "date": "2027-03-01",
    "uri": "https://campus.example.org/{n}",
}
PAR_NOM = {
    "motDePasse": "Amphi-B-2027-rive",
    "nouveauMotDePasse": "Amphi-B-2027-rive",
    "telephone": "+243812345{n:03}",
    "type": "VOL",
    "langue": "fr",
    "otp": "123456",
    "fin": "2027-03-02",
    "dateFin": "2027-03-02T00:00:00Z",
}


# What is served beside the operations; nothing but a 5xx is a fault of a page.
PAGES = (
    *("/openapi.json", "/api/v1/openapi.json", "/asyncapi.json", "/api/v1/asyncapi.json"),
    *("/api/v1/docs", "/api/v1/docs/evenements", "/api/v1/redoc", "/api/v1/rien", "/api/", "/rien"),
    *("/", "/aide/", "/securite/", "/qui-lit/", "/langue/", "/ecrire/", "/ecrire/faits/", "/recu/", "/retrouver/"),
    *("/confidentialite/", "/mentions-legales/", "/mes-droits/", "/ecrire/numero/"),
    *(
        "/dossiers/",
        "/dossiers/1/",
        "/fichiers/envoyer/",
        "/acces/",
        "/acces/prevenir/",
        "/compte/",
        "/compte/connexion/",
        "/rattacher/",
    ),
    *("/quitter/", "/equipe/compte/", "/equipe/avis/", "/ne-plus-prevenir", "/confirmer-e-mail"),
    *("/equipe/", "/equipe/tableau/", "/admin/", "/admin/login/", "/reinitialisation", "/invitation", "/robots.txt"),
    *("/favicon.ico", "/campus.css", "/campus-logo", "/.well-known/security.txt", "/static/rien.css", "/ws/admin"),
)


class Requete(NamedTuple):
    operation: str
    quoi: str  # what was done to it
    methode: str
    chemin: str
    question: str
    entetes: dict[str, bytes]
    corps: bytes


class Champ(NamedTuple):
    """A place of an operation: `corps`, `question`, `chemin`, or the `requete` itself; the way to it, within a body."""

    lieu: str
    voie: tuple[str | int, ...]


class Generateur:
    """`identifiant` is the scheme of who asks: of an operation that does not know it, only whole requests are made."""

    def __init__(self, document: dict[str, Any], reserve: Reserve, hasard: Random, identifiant: str) -> None:
        self._identifiant = identifiant
        self._composants = document["components"]["schemas"]
        self._reserve, self._hasard = reserve, hasard
        self._operations = [
            (methode.upper(), chemin, description)
            for chemin, methodes in document["paths"].items()
            for methode, description in methodes.items()
            if methode in METHODES
        ]
        self._operations += [("GET", page, {}) for page in PAGES]

    def requetes(self) -> Iterator[Requete]:
        """Without end: each field of each operation in an order of chance, then all again."""
        lieux = [(operation, champ) for operation in self._operations for champ in self._champs(operation[2])]
        while True:
            self._hasard.shuffle(lieux)
            for operation, champ in lieux:
                yield self._faire(*operation, champ)

    @property
    def nombre_de_champs(self) -> int:
        champs = [champ for operation in self._operations for champ in self._champs(operation[2])]
        return sum(champ.lieu not in ("rien", "requete") for champ in champs)

    # --- Fields -----------------------------------------------------------------------------------------------------

    def _champs(self, description: dict[str, Any]) -> list[Champ]:
        acces = {nom for choix in description.get("security") or [] for nom in choix}
        if acces and self._identifiant not in acces:
            return [Champ("requete", ())]
        lieux = {"path": "chemin", "query": "question", "header": "entete"}
        champs = [Champ(lieux[p["in"]], (p["name"],)) for p in description.get("parameters", []) if p["in"] in lieux]
        champs += [Champ("corps", voie) for voie in self._voies(self._forme(description))]
        # As is, to be sure of what is reached; and the request itself, as often as a few fields together.
        return [*champs, Champ("rien", ()), *[Champ("requete", ())] * 3]

    def _voies(self, schema: dict[str, Any], niveaux: int = 4) -> list[tuple[str | int, ...]]:
        if schema.get("type") == "array":
            return [(0, *voie) for voie in [(), *self._voies(self._resoudre(schema["items"]), niveaux - 1)]]
        proprietes = schema.get("properties", {}) if niveaux else {}
        suites = {nom: self._voies(self._resoudre(sous), niveaux - 1) for nom, sous in proprietes.items()}
        return [(nom, *voie) for nom, voies in suites.items() for voie in [(), *voies]]

    def _forme(self, description: dict[str, Any]) -> dict[str, Any]:
        contenu = description.get("requestBody", {}).get("content", {})
        return self._resoudre(next(iter(contenu.values()), {}).get("schema", {}))

    def _resoudre(self, schema: dict[str, Any]) -> dict[str, Any]:
        for cle in ("allOf", "oneOf", "anyOf"):
            if schema.get(cle):
                return {**self._resoudre(schema[cle][0]), **{n: v for n, v in schema.items() if n != cle}}
        if "$ref" in schema:
            return self._resoudre(self._composants[schema["$ref"].rpartition("/")[2]])
        return schema

    # --- Requests ---------------------------------------------------------------------------------------------------

    def _faire(self, methode: str, chemin: str, description: dict[str, Any], champ: Champ) -> Requete:
        autour = self._parametres(description)
        forme = self._forme(description)
        televerse = "multipart/form-data" in description.get("requestBody", {}).get("content", {})
        corps = self._valeur("", forme) if forme else None
        requete = Requete(
            f"{methode} {chemin}",
            f"{champ.lieu} {'.'.join(map(str, champ.voie))}",
            methode,
            self._adresse(chemin, champ),
            self._question(autour["query"], champ),
            {nom: valeur.encode() for nom, valeur in autour["header"].items()},
            b"",
        )
        if televerse:
            return self._televerser(requete, corps or {}, champ)
        if corps is not None:
            ecrit = gater(corps, champ.voie, self._hasard) if champ.lieu == "corps" else ecrire(corps)
            requete = requete._replace(corps=ecrit)
            requete.entetes["Content-Type"] = b"application/json"
        if champ.lieu == "entete":
            requete.entetes[str(champ.voie[0])] = self._hasard.choice(ENTETES.get(str(champ.voie[0]), [b"x", b"\xff"]))
        return self._casser(requete) if champ.lieu == "requete" else requete

    def _parametres(self, description: dict[str, Any]) -> dict[str, dict[str, str]]:
        """Good values: those that are required, and one time in four each of the others."""
        choisis: dict[str, dict[str, str]] = {"path": {}, "query": {}, "header": {}, "cookie": {}}
        for parametre in description.get("parameters", []):
            if parametre.get("required") or self._hasard.random() < 0.25:
                valeur = self._valeur(parametre["name"], self._resoudre(parametre["schema"]))
                choisis[parametre["in"]][parametre["name"]] = str(valeur).lower() if valeur is True else str(valeur)
        return choisis

    def _adresse(self, chemin: str, champ: Champ) -> str:
        for morceau in chemin.split("{")[1:]:
            nom = morceau.partition("}")[0]
            if champ == Champ("chemin", (nom,)):
                valeur = quote(self._texte().encode("utf-8", "surrogatepass")[:3_000], safe="")
                valeur = valeur or self._hasard.choice(
                    ("%", "%zz", "%FF%FE", "%ED%A0%80", "..", "%2e%2e", ";a=b", "%00")
                )
            else:
                valeur = quote(self._reserve.tirer(nom, self._hasard) or str(self._uuid()))
            chemin = chemin.replace(f"{{{nom}}}", valeur)
        return chemin

    def _question(self, parametres: dict[str, str], champ: Champ) -> str:
        paires = [f"{quote(nom)}={quote(valeur)}" for nom, valeur in parametres.items()]
        if champ.lieu == "question":
            nom = str(champ.voie[0])
            valeur = quote(self._texte().encode("utf-8", "surrogatepass")[:6_000], safe="")
            formes = (f"{nom}={valeur}",) * 6 + (
                nom,
                f"{nom}=",
                f"{nom}={valeur}&{nom}=1",
                f"{nom}[]={valeur}",
                f"{nom}=%FF%00",
            )
            paires = [p for p in paires if not p.startswith(f"{nom}=")] + [self._hasard.choice(formes)]
        return "&".join(paires)

    def _televerser(self, requete: Requete, champs: dict[str, Any], champ: Champ) -> Requete:
        textes = {nom: str(valeur) for nom, valeur in champs.items() if nom != "file"}
        if champ.lieu == "corps" and champ.voie[0] != "file":
            textes[str(champ.voie[0])] = self._texte()
        est_casse = champ.lieu == "requete" or champ.voie == ("file",)
        type_, corps = plusieurs_parties(self._hasard, textes, self._hasard.choice(CASSEES) if est_casse else "")
        requete.entetes["Content-Type"] = type_
        requete = requete._replace(corps=corps)
        return self._casser(requete) if champ.lieu == "requete" and self._hasard.random() < 0.4 else requete

    def _casser(self, requete: Requete) -> Requete:
        """The whole request: its method, a few of its headers, its body."""
        quoi = self._hasard.random()
        if quoi < 0.15:
            return requete._replace(quoi="methode", methode=self._hasard.choice(ETRANGES))
        if quoi < 0.4:
            corps = self._hasard.choice(ENTIERS)(requete.corps or b"{}")
            return requete._replace(quoi="corps entier", corps=corps)
        noms = self._hasard.sample(sorted(ENTETES), self._hasard.choice((1, 1, 2, 5)))
        requete.entetes.update({nom: self._hasard.choice(ENTETES[nom]) for nom in noms})
        return requete._replace(quoi=f"en-tetes {' '.join(noms)}")

    # --- Values -----------------------------------------------------------------------------------------------------

    def _texte(self) -> str:
        return self._hasard.choice(TEXTES) if self._hasard.random() < 0.6 else texte_au_hasard(self._hasard)

    def _uuid(self) -> UUID:
        return UUID(int=self._hasard.getrandbits(128), version=4)

    def _valeur(self, nom: str, schema: dict[str, Any]) -> Any:
        """One that the document admits, and that is known where it names something."""
        schema = self._resoudre(schema)
        type_ = schema.get("type")
        if type_ == "object" or "properties" in schema:
            exiges = schema.get("required", [])
            return {
                cle: self._valeur(cle, sous)
                for cle, sous in schema.get("properties", {}).items()
                if not sous.get("readOnly") and (cle in exiges or self._hasard.random() < 0.5)
            }
        if type_ == "array":
            return [] if self._hasard.random() < 0.5 else [self._valeur(nom, schema["items"])]
        if type_ == "boolean":
            return self._hasard.random() < 0.5
        if type_ in ("integer", "number"):
            return self._hasard.randint(int(schema.get("minimum", 0)), min(int(schema.get("maximum", 50)), 10**6))
        return self._mot(nom, schema)

    def _mot(self, nom: str, schema: dict[str, Any]) -> str:
        if connue := self._reserve.tirer(nom, self._hasard):
            return connue
        if choix := [valeur for valeur in schema.get("enum", []) if valeur]:
            return str(self._hasard.choice(choix))
        forme = PAR_NOM.get(nom) or FORMES.get(schema.get("format", ""))
        if forme:
            return forme.format(n=self._hasard.randint(100, 999), h=self._hasard.randint(0, 23))
        if schema.get("format") == "uuid":
            return str(self._uuid())
        return "Un sac, à l'amphi."[: schema.get("maxLength", 50)]
