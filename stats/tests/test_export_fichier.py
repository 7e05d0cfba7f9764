"""The link of an export: who holds it has the file, for an hour, from wherever it is stored."""

from datetime import UTC, datetime, timedelta
from urllib.parse import parse_qs, urlsplit
from zoneinfo import ZoneInfo

import httpx
import pytest
import time_machine
from django.core.management import call_command
from django.utils import timezone

from config.tests.outils import ClientApi
from resources import stockage
from stats.exports.liens import lien_de_l_export
from stats.models import Export
from stats.tests import fabriques
from stats.tests.outils import EXPORT, lignes_csv, octets, telecharger

pytestmark = pytest.mark.django_db


@pytest.fixture
def export(gestionnaire, signalement):
    return fabriques.export(gestionnaire)


@pytest.mark.parametrize(
    ("format", "type_"),
    [
        ("csv", "text/csv; charset=utf-8"),
        ("xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
    ],
)
def test_le_fichier_part_en_piece_jointe_que_rien_ne_garde(gestionnaire, signalement, settings, format, type_):
    settings.TIME_ZONE_CAMPUS = ZoneInfo("Africa/Kinshasa")
    with time_machine.travel(datetime(2026, 11, 20, 23, 30, tzinfo=UTC), tick=False):
        reponse = telecharger(lien_de_l_export(fabriques.export(gestionnaire, format)))

    assert reponse.status_code == 200
    assert reponse.headers["Content-Type"] == type_
    assert reponse.headers["Content-Disposition"] == f'attachment; filename="signalements-2026-11-21.{format}"'
    assert reponse.headers["X-Content-Type-Options"] == "nosniff"
    assert reponse.headers["Cache-Control"] == "private, no-store"
    assert reponse.headers["Referrer-Policy"] == "no-referrer"
    assert int(reponse.headers["Content-Length"]) == Export.objects.get().taille == len(octets(reponse))


def test_un_lien_vaut_une_heure_de_la_reponse_qui_l_a_montre(api, gestionnaire, export):
    premier = lien_de_l_export(export)
    with time_machine.travel(timezone.now() + timedelta(minutes=59)):
        encore = telecharger(premier)
        second = lien_de_l_export(export)
    with time_machine.travel(timezone.now() + timedelta(minutes=61)):
        perime, neuf = telecharger(premier), telecharger(second)

    assert [r.status_code for r in (encore, perime, neuf)] == [200, 403, 200]
    assert perime.json()["code"] == "PERMISSION_DENIED"


def test_un_lien_falsifie_d_un_autre_ou_sans_jeton_est_un_403(gestionnaire, export):
    autre = fabriques.export(gestionnaire)
    adresse, jeton = lien_de_l_export(export).split("?jeton=")
    heure, _deux_points, signature = jeton.replace("%3A", ":").partition(":")
    d_un_envoi = stockage.Liens("fichiers/{}/contenu", sel="lien de fichier").adresse(export.pk)
    faux = [
        adresse,
        f"{adresse}?jeton=",
        f"{adresse}?jeton=x:y",
        f"{adresse}?jeton={heure}:{signature[:-1]}{'A' if signature[-1] != 'A' else 'B'}",
        f"{adresse}?jeton={heure}0:{signature}",
        lien_de_l_export(autre).replace(str(autre.pk), str(export.pk)),
        f"{adresse}?{d_un_envoi.partition('?')[2]}",
    ]

    assert [telecharger(url).status_code for url in faux] == [403] * len(faux)
    assert telecharger(f"{adresse}?jeton={jeton}").status_code == 200


def test_un_mauvais_bearer_n_empeche_pas_de_telecharger(export):
    chemin = lien_de_l_export(export).removeprefix("http://testserver")

    assert ClientApi(jeton="un.mauvais.jeton").get(chemin).status_code == 200


def test_apres_un_jour_le_fichier_n_est_plus_la_purge_ou_non(export):
    with time_machine.travel(timezone.now() + timedelta(hours=24, minutes=1)):
        avant_la_purge = telecharger(lien_de_l_export(export))
        call_command("purge", verbosity=0)
        apres = telecharger(lien_de_l_export(export))

    assert [r.status_code for r in (avant_la_purge, apres)] == [404, 404]
    assert "nouvel export" in apres.json()["message"]


def test_un_fichier_que_le_stockage_a_perdu_est_un_404(export, caplog):
    stockage.effacer(export.seau, export.cle)

    assert telecharger(lien_de_l_export(export)).status_code == 404
    assert str(export.pk) in caplog.text


@pytest.mark.parametrize("format", ["csv", "xlsx"])
def test_un_seau_donne_le_fichier_lui_meme_pour_une_minute(magasin, api, gestionnaire, signalement, format):
    donnees = api(gestionnaire).post(EXPORT, {"format": format}).json()["data"]
    assert donnees["downloadUrl"].startswith("http://testserver/api/v1/stats/exports/")
    reponse = telecharger(donnees["downloadUrl"])
    if magasin == "local":
        assert reponse.status_code == 200
        return

    assert reponse.status_code == 302
    assert reponse.headers["Cache-Control"] == "private, no-store"
    question = parse_qs(urlsplit(reponse.headers["Location"]).query)
    assert question["X-Amz-Expires"] == ["60"]
    recu = httpx.get(reponse.headers["Location"])
    nom = f"signalements-{timezone.now():%Y-%m-%d}.{format}"
    assert recu.headers["Content-Disposition"] == f'attachment; filename="{nom}"'
    assert recu.headers["Cache-Control"] == "private, no-store"
    assert len(recu.content) == Export.objects.get().taille
    if format == "csv":
        assert [ligne["Référence"] for ligne in lignes_csv(recu.content)] == [signalement.reference]


def test_le_lien_d_un_export_inconnu_est_introuvable(export):
    adresse, requete = lien_de_l_export(export).split("?")
    inconnue = adresse.replace(str(export.pk), "5f0c2a9e-6a7c-4c7e-9f6b-0a1b2c3d4e5f")

    assert inconnue != adresse
    assert telecharger(f"{inconnue}?{requete}").status_code == 404


def test_un_seau_que_l_on_a_quitte_ne_casse_ni_le_lien_ni_la_purge(export):
    Export.objects.update(seau="un-ancien-seau")

    lien = telecharger(lien_de_l_export(export))
    with time_machine.travel(timezone.now() + timedelta(hours=25)):
        call_command("purge", verbosity=0)

    assert lien.status_code == 404
