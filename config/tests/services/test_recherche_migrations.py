"""A base in service: what is stored to be searched takes its new form, a batch at a time, as saving would write it."""

import json
from importlib import import_module

import pytest
from django.apps import apps
from django.contrib.admin.models import LogEntry

from accounts.models import Compte
from accounts.services import comptes as services
from config.tests.contrat import test_recherche as listes
from config.tests.outils import acteur_de
from signalements.models import Signalement
from signalements.tests import fabriques
from socle.domaine import migrations
from socle.domaine.texte import normaliser

pytestmark = pytest.mark.django_db
ECRIT = "N’Diaye, Łukasz : sœur d'Élodie"


@pytest.fixture(autouse=True)
def petits_lots(monkeypatch):
    monkeypatch.setattr(migrations, "LOT", 2)


def lancer(nom):
    for operation in import_module(nom).Migration.operations:
        operation.code(apps, None)


@pytest.mark.parametrize(
    ("migration", "creer"),
    [
        ("accounts.migrations.0015_recherche_sans_signes", listes.un_compte),
        ("calendrier.migrations.0006_recherche_sans_signes", listes.un_evenement),
        ("forum.migrations.0007_recherche_sans_signes", listes.un_poste),
        ("forum.migrations.0007_recherche_sans_signes", listes.un_commentaire),
        ("resources.migrations.0008_recherche_sans_signes", listes.un_fichier),
        ("resources.migrations.0008_recherche_sans_signes", listes.une_ressource),
        ("resources.migrations.0008_recherche_sans_signes", listes.une_faq),
        ("resources.migrations.0008_recherche_sans_signes", listes.un_contact),
    ],
)
def test_ce_qui_etait_la_se_trouve_comme_ce_qui_s_ecrit(admin, migration, creer):
    lignes = [creer(admin, ECRIT) for _rang in range(5)]
    modele = type(lignes[0])._base_manager
    attendus = {ligne.pk: ligne.recherche for ligne in lignes}
    for ligne in lignes:
        modele.filter(pk=ligne.pk).update(recherche=normaliser(f"{ECRIT} Été"))

    lancer(migration)

    lues = dict(modele.filter(pk__in=attendus).values_list("pk", "recherche"))
    assert set(lues.values()) == {"n diaye, lukasz : soeur d elodie ete"}
    assert all("n diaye, lukasz : soeur d elodie" in attendu for attendu in attendus.values())


def test_un_dossier_gagne_son_lieu_et_son_auteur_presume_et_garde_les_references_jointes(etudiante):
    champs = {"titre": ECRIT, "lieu_incident": "Près de l’amphi", "auteur_presume": "M. N’Guessan"}
    for _rang in range(5):
        dossier = fabriques.signalement(acteur_de(etudiante), **champs)
        dossier.indexer("SIG-2020-ABCDEFGH")
        dossier.enregistrer("recherche")
    attendus = dict(Signalement.objects.values_list("pk", "recherche"))
    for dossier in Signalement.objects.all():
        textes = (dossier.reference, "SIG-2020-ABCDEFGH", dossier.titre, dossier.description)
        Signalement.objects.filter(pk=dossier.pk).update(recherche=normaliser(" ".join(textes)), recherche_auteur="")

    for _fois in range(2):  # as after an interruption
        lancer("signalements.migrations.0028_recherche_etendue")

    assert dict(Signalement.objects.values_list("pk", "recherche")) == attendus
    auteurs = dict(Signalement.objects.values_list("pk", "recherche_auteur"))
    assert auteurs == {pk: f"{recherche} m. n guessan" for pk, recherche in attendus.items()}


def test_les_noms_d_avant_que_le_journal_connait_sont_connus(admin, etudiante, autre_etudiante):
    services.modifier(
        compte=etudiante, acteur=acteur_de(admin), nom="Bâ-Diop", prenom="Awa", email="ba.diop@campus.test"
    )
    LogEntry.objects.create(
        user=admin, content_type=None, object_id=str(etudiante.pk), action_flag=2, change_message="des mots"
    )
    ecrits = LogEntry.objects.exclude(content_type=None).filter(object_id=str(etudiante.pk))
    assert any(
        "valeurs" in json.dumps(json.loads(message)) for message in ecrits.values_list("change_message", flat=True)
    )
    Compte.objects.update(noms_portes="")

    lancer("accounts.migrations.0017_noms_deja_portes")

    noms = {compte.pk: set(compte.noms_portes.split()) for compte in Compte.objects.all()}
    assert noms[etudiante.pk] == {"awa", "diop", "ba", "badiop"}
    assert noms[autre_etudiante.pk] == {"lea", "moreau"}
