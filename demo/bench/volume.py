"""Time and queries of readings by number of reports: the same requests at each size of a base filled in steps."""

import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import timedelta
from itertools import product
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import connection
from django.db.models import F
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Compte
from accounts.services.sessions import connecter
from demo.scene import cle, installer_comptes
from demo.textes import MOT_DE_PASSE
from demo.volume import actualiser_statistiques, completer, gestionnaires
from discussions.entretien import relever
from discussions.models import Discussion
from equipes.models import Equipe, MembreDEquipe
from signalements.models import Signalement
from socle.domaine.acteurs import ActeurCompte
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
PARMI = 1_000  # reports, of which a reader of some teams reads several
EXPORT = "export CSV de tous"


def mesurer(tailles: list[int], *, equipes: int, rapide: bool) -> Iterator[dict[str, Any]]:
    """Yield, for each reading at each size, its median in seconds and its number of queries.

    With teams, those of the staff are read by a manager of one, by one of three and by one of all.
    """
    fois = 1 if rapide else FOIS
    for taille in sorted(tailles):
        remplir(taille, equipes)
        Discussion.objects.update(lus_par_tous=F("dernier_numero"))  # they read what comes: nothing waits
        lecteurs = _gestionnaires(equipes)
        for qui, compte in lecteurs.items():
            while relever(ActeurCompte(compte)):  # as the worker does every minute
                pass
            for mesure in _lectures(compte, DE_L_EQUIPE, _variables(compte, taille), fois):
                yield {**mesure, "nom": f"{mesure['lecture']}{qui}", "signalements": taille}
        for mesure in _lectures(_etudiant(), D_UN_COMPTE, {}, fois):
            yield {**mesure, "nom": mesure["lecture"], "signalements": taille}
        yield {"nom": EXPORT, "signalements": taille, **_export(_client(list(lecteurs.values())[-1]))}


def _lectures(
    compte: Compte, chemins: dict[str, str], variables: dict[str, Any], fois: int
) -> Iterator[dict[str, Any]]:
    client = _client(compte)
    for nom, chemin in chemins.items():
        yield {"lecture": nom, **_lecture(client, API + chemin.format(**variables), fois)}


def remplir(taille: int, equipes: int = 0) -> None:
    """Bring the base up to this many reports, with no time limit on statements and no synchronous commit."""
    accorder(0)
    if connection.vendor == "postgresql":
        with connection.cursor() as curseur:
            curseur.execute("SET synchronous_commit = off")
    for _ajoutes in completer(taille, _equipes(equipes)):
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


def _equipes(nombre: int) -> list[UUID]:
    """Teams that the managers of the mass read, all of them; created where they are not yet."""
    if not nombre:
        return []
    maintenant = timezone.now()
    cles = [cle("equipe", rang) for rang in range(nombre)]
    Equipe.objects.bulk_create(
        [Equipe(pk=pk, nom=f"Équipe {rang}") for rang, pk in enumerate(cles)], ignore_conflicts=True
    )
    _admettre(gestionnaires(maintenant), cles)
    return cles


def _admettre(comptes: list[Compte], equipes: list[UUID]) -> None:
    membres = [
        MembreDEquipe(equipe_id=equipe, compte=compte, accepte_le=timezone.now())
        for compte, equipe in product(comptes, equipes)
    ]
    MembreDEquipe.objects.bulk_create(membres, ignore_conflicts=True)


def _gestionnaires(equipes: int) -> dict[str, Compte]:
    """Managers of one, of three and of all the teams, by what follows a reading's name; without any, the one."""
    if not equipes:
        return {"": _gestionnaire()}
    voulus = dict.fromkeys(min(nombre, equipes) for nombre in (1, 3, equipes))
    comptes = {
        nombre: _avec_mot_de_passe(un) for nombre, un in zip(voulus, gestionnaires(timezone.now()), strict=False)
    }
    for nombre, compte in comptes.items():
        MembreDEquipe.objects.filter(compte=compte).delete()
        _admettre([compte], [cle("equipe", rang) for rang in range(nombre)])
    return {f" · {nombre} éq.": compte for nombre, compte in comptes.items()}


def _variables(compte: Compte, taille: int) -> dict[str, Any]:
    """The variables of the paths: a page in the middle of each list that this account reads, and a report there.

    One that is discussed, and that they have not opened at a smaller size: the first time, its trace is read too.
    """
    lus = Signalement.objects.vivants().visibles_par(ActeurCompte(compte))
    du_milieu = [cle("signalement", numero) for numero in range(taille // 2, taille)[:PARMI]]
    signalement = lus.filter(pk__in=du_milieu, discussions__isnull=False).order_by("pk")[0]
    return {
        "n": lus.order_by().count() // 40,
        "m": lus.non_traites().order_by().count() // 40,
        "id": signalement.pk,
        "reference": signalement.reference,
        "debut": timezone.now().date() - timedelta(days=90),
    }


def _gestionnaire() -> Compte:
    return next(compte for _personne, compte in installer_comptes() if compte.role == Role.GESTIONNAIRE)


def _etudiant() -> Compte:
    """An account of the mass, with twenty reports, given the public password in this base alone."""
    return _avec_mot_de_passe(Compte.objects.get(pk=cle("etudiant", 0)))


def _avec_mot_de_passe(compte: Compte) -> Compte:
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
