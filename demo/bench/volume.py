"""Time and queries of readings by number of reports: the same requests at each size of a base filled in steps."""

import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Compte
from accounts.services.sessions import connecter
from demo.scene import cle, installer_comptes
from demo.textes import MOT_DE_PASSE
from demo.volume import actualiser_statistiques, completer
from signalements.models import Signalement
from socle.domaine.droits import Role
from socle.domaine.memoire import MEMOIRES
from socle.moteur.delais import accorder

API = "/api/v1/"
# Name of the reading -> path; {n}, {m}: a page in the middle; {id}, {reference}: of a report in the middle.
DE_L_EQUIPE = {
    "liste, première page": "signalements/",
    "liste, page du milieu": "signalements/?page={n}",
    "liste, EN_COURS": "signalements/?statut=EN_COURS",
    "liste, EN_COURS VOL HIGH": "signalements/?statut=EN_COURS&type=VOL&priorite=HIGH",
    "à traiter": "signalements/non-traites",
    "à traiter, page du milieu": "signalements/non-traites?page={m}",
    "par référence": "signalements/?search={reference}",
    "chercher un mot": "signalements/?search=surveillant",
    "chercher deux mots": "signalements/?search=vole+telephone",
    "chercher ce qui n'est pas là": "signalements/?search=licorne+vole",
    "détail": "signalements/{id}",
    "tableau de bord": "stats/dashboard",
    "tableau de bord, 90 jours": "stats/dashboard?debut={debut}",
    "statistiques": "stats/signalements",
    "alertes": "stats/dashboard/alerts",
    "derniers": "stats/dashboard/cases/recent",
    "équipe": "stats/dashboard/team",
    "répartition": "stats/dashboard/distribution/categories",
    "tendance, 30 jours": "stats/dashboard/trends/cases",
    "tendance, 30 mois": "stats/dashboard/trends/cases?periode=mois",
    "résolutions, 30 jours": "stats/dashboard/trends/resolution",
    "actions rapides": "stats/dashboard/quick-actions",
}
# What may take more statements as it grows, and how many at the most: a long offset first asks for its day, and for
# the changes that no fold has told apart yet, twice; then for its day among all, where these leave it in doubt.
AU_PLUS = {"liste, page du milieu": 8, "à traiter, page du milieu": 8}
D_UN_COMPTE = {
    "les siens": "signalements/me",
    "son tableau de bord": "stats/dashboard",
    "ses statistiques": "stats/signalements",
}
FOIS = 15
EXPORT = "export CSV de tous"


def mesurer(tailles: list[int], *, rapide: bool) -> Iterator[dict[str, Any]]:
    """Yield, for each reading at each size, its median in seconds and its number of queries."""
    for taille in sorted(tailles):
        remplir(taille)
        variables = _variables(taille)
        for compte, lectures in ((_gestionnaire(), DE_L_EQUIPE), (_etudiant(), D_UN_COMPTE)):
            client = _client(compte)
            for nom, chemin in lectures.items():
                url = API + chemin.format(**variables)
                yield {"nom": nom, "signalements": taille, **_lecture(client, url, 1 if rapide else FOIS)}
        yield {"nom": EXPORT, "signalements": taille, **_export(_client(_gestionnaire()))}


def remplir(taille: int) -> None:
    """Bring the base up to this many reports, with no time limit on statements and no synchronous commit."""
    accorder(0)
    if connection.vendor == "postgresql":
        with connection.cursor() as curseur:
            curseur.execute("SET synchronous_commit = off")
    for _ajoutes in completer(taille):
        pass
    actualiser_statistiques()


def _lecture(client: Client, url: str, fois: int) -> dict[str, Any]:
    for memoire in MEMOIRES:  # read every ten seconds by a process, so by any request
        memoire()
    with CaptureQueriesContext(connection) as requetes:  # warms up too
        donnees = _exiger(client.get(url), 200)
    nombre = len(requetes)  # now: the next request forgets them
    durees = []
    for _une in range(fois):
        debut = time.perf_counter()
        _exiger(client.get(url), 200)
        durees.append(time.perf_counter() - debut)
    vide = isinstance(donnees, dict) and donnees.get("items") == []
    return {"quoi": "lecture", "secondes": statistics.median(durees), "requetes": nombre, "vide": vide}


def _export(client: Client) -> dict[str, Any]:
    """Export every report to CSV with a worker of its own; return its seconds, rows and peak memory in bytes."""
    debut = time.perf_counter()
    demande = _exiger(client.post(f"{API}stats/signalements/export", {}, content_type="application/json"), 201)
    subprocess.run([sys.executable, "manage.py", "db_worker", "--batch"], cwd=settings.BASE_DIR, check=True)
    duree = time.perf_counter() - debut
    export = _exiger(client.get(f"{API}stats/exports/{demande['exportId']}"), 200)
    if export["statut"] != "PRET":
        raise RuntimeError(f"l'export est {export['statut']}")
    octets = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024
    return {"quoi": "export", "secondes": duree, "lignes": export["lignes"], "octets": octets}


def _variables(taille: int) -> dict[str, Any]:
    """The variables of the paths: a page in the middle of each list, and a report there."""
    vivants = Signalement.objects.vivants()
    ouverts = vivants.non_traites().order_by().count()
    signalement = vivants.get(pk=cle("signalement", taille // 2))
    jours = timezone.now().date() - timedelta(days=90)
    return {
        "n": vivants.count() // 40,
        "m": ouverts // 40,
        "id": signalement.pk,
        "reference": signalement.reference,
        "debut": jours,
    }


def _gestionnaire() -> Compte:
    return next(compte for _personne, compte in installer_comptes() if compte.role == Role.GESTIONNAIRE)


def _etudiant() -> Compte:
    """An account of the mass, with twenty reports, given the public password in this base alone."""
    compte = Compte.objects.get(pk=cle("etudiant", 0))
    compte.set_password(MOT_DE_PASSE)
    compte.enregistrer("password")
    return compte


def _client(compte: Compte) -> Client:
    connexion = connecter(email=compte.email, mot_de_passe=MOT_DE_PASSE, adresse="127.0.0.1")
    return Client(SERVER_NAME="127.0.0.1", headers={"Authorization": f"Bearer {connexion.token}"})


def _exiger(reponse: Any, statut: int) -> Any:
    if reponse.status_code != statut:
        raise RuntimeError(f"{reponse.request['PATH_INFO']} : {reponse.status_code}")
    return reponse.json()["data"]
