"""What a lower app asks of a higher one: filled at every start, named where it is not, and never done without."""

import os
import re
import subprocess
import sys
from io import BytesIO
from uuid import uuid4

import pytest
from django.conf import settings as reglages
from django.core.management import call_command

from accounts.services import sessions
from config.checks import coutures_remplies, exiger_coherence
from config.env import ReglageInvalide
from config.tests.outils import acteur_de, dans_un_processus
from discussions.models import Discussion
from discussions.tests import fabriques as discussions
from forum.tests import fabriques as forum
from resources import stockage
from resources.permissions import fichier_accessible
from resources.services import fichiers
from resources.tests import fabriques as resources
from signalements.models import Signalement
from signalements.tests import fabriques as signalements
from socle.domaine import registre
from socle.domaine.identite import sans_guest_ids
from socle.domaine.registre import CoutureVide, Registre, registres
from socle.realtime.canaux import audiences
from socle.taches.entretien import chaque_minute

pytestmark = pytest.mark.django_db
SANS_L_ESPACE = """
import sys
import django.contrib.admin
from django.core.management import execute_from_command_line

django.contrib.admin.autodiscover = lambda: None
execute_from_command_line(["manage.py", "check", "--tag", "campus"])
print(sorted(nom for nom in sys.modules if nom.endswith(".admin") and not nom.startswith("django")))
"""


def couture(nom):
    return next(registre for registre in registres if registre.nom == nom)


@pytest.fixture
def vider(monkeypatch):
    """vider(seam, name): as if the module that fills it had never been imported; every name of it without a name."""

    def vider(nom, entree=None):
        entrees = {} if entree is None else {k: v for k, v in couture(nom)._entrees.items() if k != entree}
        assert entrees.keys() != couture(nom)._entrees.keys()
        monkeypatch.setattr(couture(nom), "_entrees", entrees)

    return vider


@pytest.fixture
def registre_d_essai(monkeypatch):
    monkeypatch.setattr(registre, "registres", [])
    return Registre


def test_un_nom_n_est_pris_qu_une_fois(registre_d_essai):
    essai = registre_d_essai("essai")
    essai("un")(print)

    with pytest.raises(ValueError, match="un"):
        essai("un")(repr)
    assert dict(essai.items()) == {"un": print}


def test_il_manque_ce_qui_est_attendu_ou_n_importe_quoi_ou_ce_qu_une_autre_a(registre_d_essai):
    precise, libre = registre_d_essai("précise", attendus=["un", "deux"]), registre_d_essai("libre")
    jumelle = registre_d_essai("jumelle", comme=libre)
    precise("un")(print)

    assert (precise.manquants, libre.manquants, jumelle.manquants) == (["deux"], ["*"], ["*"])

    libre("autre")(print)

    assert (libre.manquants, jumelle.manquants) == ([], ["autre"])
    assert [r.nom for r in registre.registres] == ["précise", "libre", "jumelle"]


def test_chaque_couture_est_remplie_sans_que_l_espace_de_l_equipe_soit_lu():
    """The admin site imports services on its way: a process that serves none of it must not depend on that."""
    environnement = {**os.environ, "DJANGO_SETTINGS_MODULE": "config.tests.outils.settings"}

    fini = subprocess.run(  # noqa: S603 -- our own script
        [sys.executable, "-c", SANS_L_ESPACE], cwd=reglages.BASE_DIR, env=environnement, capture_output=True, text=True
    )

    assert fini.returncode == 0, fini.stderr
    assert fini.stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize(
    ("nom", "entree"),
    [
        (registre.nom, entree)
        for registre in registres
        for entree in [*registre._attendus, *(registre._comme._entrees if registre._comme else ())] or [None]
    ],
)
def test_une_couture_vide_est_nommee_et_arrete_un_serveur(vider, nom, entree):
    assert coutures_remplies(None) == []

    vider(nom, entree)

    trouves = [probleme.msg for probleme in coutures_remplies(None)]
    assert f"Personne n'a rempli « {entree or '*'} » de la couture « {nom} »." in trouves
    with pytest.raises(ReglageInvalide, match=r"campus\.E010"):
        exiger_coherence()


def deposer(qui, mode="IDENTIFIE"):
    fichier = resources.fichier(acteur_de(qui), "photo.txt")
    signalements.signalement(acteur_de(qui), mode_identification=mode, pieces_jointes=[fichier.pk])
    return fichier


def publier(qui, gestionnaire):
    fichier = resources.fichier(acteur_de(qui), "affiche.txt")
    forum.poste(acteur_de(qui), par=acteur_de(gestionnaire), pieces_jointes=[fichier.pk])
    return fichier


@pytest.fixture
def gens(etudiante, autre_etudiante, invite, gestionnaire, admin):
    return {
        "etudiante": etudiante,
        "autre": autre_etudiante,
        "invite": invite,
        "gestionnaire": gestionnaire,
        "admin": admin,
    }


# The seam, its entry, what is there before, and the act that needs it.
ACTES = {
    "signaler sans compte": (
        "verrou d'un acteur",
        "GUEST",
        lambda gens: acteur_de(gens["invite"]),
        lambda gens, acteur: signalements.signalement(acteur),
    ),
    "écrire ce qui ressemble à un identifiant": (
        "identifiants d'invité",
        "connus",
        lambda gens: str(uuid4()),
        lambda gens, texte: sans_guest_ids(texte),
    ),
    "lire un signalement": (
        "lecture d'un signalement",
        "messages_non_lus_count",
        lambda gens: acteur_de(gens["etudiante"]),
        lambda gens, acteur: Signalement.objects.pour_lecture(acteur),
    ),
    "lire une discussion": (
        "lecture d'une discussion",
        "messages_non_lus_count",
        lambda gens: acteur_de(gens["etudiante"]),
        lambda gens, acteur: Discussion.objects.pour_lecture(acteur),
    ),
    "lire une pièce": (
        "lecteurs des pièces",
        "poste",
        lambda gens: publier(gens["etudiante"], gens["gestionnaire"]),
        lambda gens, fichier: fichier_accessible(acteur_de(gens["autre"]), fichier.pk),
    ),
    "joindre une pièce que personne ne lirait": (
        "lecteurs des pièces",
        "signalement",
        lambda gens: resources.fichier(acteur_de(gens["etudiante"]), "photo.txt"),
        lambda gens, fichier: signalements.signalement(acteur_de(gens["etudiante"]), pieces_jointes=[fichier.pk]),
    ),
    "joindre une pièce dont le dossier serait inconnu": (
        "dossiers des pièces",
        "poste",
        lambda gens: resources.fichier(acteur_de(gens["etudiante"]), "photo.txt"),
        lambda gens, fichier: forum.poste(acteur_de(gens["etudiante"]), pieces_jointes=[fichier.pk]),
    ),
    "supprimer une pièce sans savoir de quel dossier": (
        "dossiers des pièces",
        "signalement",
        lambda gens: deposer(gens["etudiante"]),
        lambda gens, fichier: fichiers.supprimer(fichier=fichier, acteur=acteur_de(gens["admin"])),
    ),
    "supprimer une preuve sans tenir son dossier": (
        "historique des dossiers",
        "tenir",
        lambda gens: deposer(gens["etudiante"]),
        lambda gens, fichier: fichiers.supprimer(fichier=fichier, acteur=acteur_de(gens["admin"])),
    ),
    "supprimer une preuve sans le raconter": (
        "historique des dossiers",
        "noter",
        lambda gens: deposer(gens["etudiante"]),
        lambda gens, fichier: fichiers.supprimer(fichier=fichier, acteur=acteur_de(gens["admin"])),
    ),
    "ranger dans un dossier que le balayage viderait": (
        "dossiers à part",
        "exports",
        lambda gens: BytesIO(b"x"),
        lambda gens, contenu: stockage.ranger(contenu, dossier="exports"),
    ),
    "couper les accès d'un compte": (
        "autres accès d'un compte",
        None,
        lambda gens: gens["etudiante"],
        lambda gens, compte: sessions.terminer_toutes(compte),
    ),
    "purger": ("purges", None, lambda gens: None, lambda gens, _rien: call_command("purge", "--dry-run")),
    "entretenir": ("entretien de chaque minute", None, lambda gens: None, lambda gens, _rien: chaque_minute.items()),
}


@pytest.mark.parametrize("acte", ACTES)
def test_ce_qui_demande_une_couture_vide_ne_continue_pas_sans_elle(vider, gens, acte):
    nom, entree, preparer, faire = ACTES[acte]
    faire(gens, preparer(gens))  # it passes while the seam is filled
    pret = preparer(gens)
    vider(nom, entree)

    with pytest.raises(CoutureVide, match=nom):
        faire(gens, pret)


def test_un_canal_sans_regle_est_refuse(vider, gens):
    vider("règles des canaux", "signalements")

    assert audiences(acteur_de(gens["gestionnaire"]), "signalements") == []


def test_une_discussion_sur_un_dossier_joint_ses_pieces_au_dossier(etudiante, admin):
    """The seams of files are asked for the kinds that a file has, and no others."""
    acteur = acteur_de(etudiante)
    dossier, fichier = signalements.signalement(acteur), resources.fichier(acteur, "photo.txt")
    discussions.message(acteur, discussions.discussion(acteur, "Suites", dossier), pieces_jointes=[fichier.pk])

    fichiers.supprimer(fichier=fichier, acteur=acteur_de(admin))

    assert list(dossier.timeline.values_list("type", flat=True).order_by("date_creation")) == [
        "CREATION",
        "PIECE_SUPPRIMEE",
    ]


CHARGES = """
import json, sys
import django
django.setup()
print(json.dumps(sorted(sys.modules)))
"""


def test_ce_qui_s_inscrit_est_importe_au_depart(tmp_path):
    """A module that registers something and that no `ready()` imports does nothing, in silence."""
    marques = re.compile(r"^@(chaque_minute|purges|canal|receiver|annotation_\w+|avec_\w+)\b", re.MULTILINE)
    dossiers = [dossier for dossier in reglages.BASE_DIR.iterdir() if (dossier / "__init__.py").is_file()]
    inscrits = {
        ".".join(chemin.relative_to(reglages.BASE_DIR).with_suffix("").parts)
        for dossier in dossiers
        for chemin in dossier.rglob("*.py")
        if "tests" not in chemin.parts and marques.search(chemin.read_text(encoding="utf-8"))
    }

    assert len(inscrits) > 20
    assert inscrits - set(dans_un_processus(CHARGES, tmp_path)) == {"socle.taches.ouvrier"}  # who does what they say
