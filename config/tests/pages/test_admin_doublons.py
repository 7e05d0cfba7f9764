"""Administrators who add the same row at once: the second reads why not, in the form as it was typed."""

import html
import threading
from contextlib import suppress

import pytest
from django.apps import apps
from django.contrib.admin import ModelAdmin

from accounts.tests.outils import ensemble, entrer
from config.tests.outils.typographie import ordinaire

DELAI = {"nature": "AUTRE", "libelle": "Vous répondre", "type": "VOL", "nombre": "7", "unite": "JOURS_OUVRES"}
MODELE = {"titre": "Bien reçu", "texte_fr": "Lu.", "type": "VOL", "statut": "", "ordre": "10", "automatique": "on"}
CAS = {
    "echeances.delai": (DELAI, "Ce délai existe déjà pour ce type", "Vous répondre"),
    "echeances.jourferme": ({"jour": "2026-12-24", "libelle": "Veille de fête"}, "existe déjà", "Veille de fête"),
    "forum.motsurveille": ({"mot": "Zut"}, "Ce mot est déjà dans la liste", "Zut"),
    "reponses.modeledereponse": (MODELE, "part déjà d'elle-même pour ce type", "Bien reçu"),
    "reponses.orientation": ({"type": "VOL", "texte_fr": "Gardez tout."}, "Ce type a déjà son", "Gardez tout."),
}
chaque_table = pytest.mark.parametrize("nom", CAS)


def ajout(nom):
    return f"/admin/{nom.replace('.', '/')}/add/"


def texte(reponse):
    return ordinaire(html.unescape(reponse.content.decode()))


@pytest.mark.django_db
@pytest.mark.parametrize("nom", sorted(set(CAS) - {"forum.motsurveille"}))
def test_ce_qui_vient_d_etre_pris_se_dit_dans_le_formulaire(admin, monkeypatch, nom):
    """The first look at the table is before the other has saved."""
    modele, (donnees, phrase, saisi) = apps.get_model(nom), CAS[nom]
    client = entrer(admin.email)
    client.post(ajout(nom), donnees)
    juger, vus = modele.validate_constraints, []
    monkeypatch.setattr(modele, "validate_constraints", lambda un, **o: juger(un, **o) if vus else vus.append(un))

    reponse = client.post(ajout(nom), donnees)

    assert (reponse.status_code, len(vus), modele.objects.count()) == (200, 1, 1)
    assert phrase in texte(reponse)
    assert saisi in texte(reponse)


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
@chaque_table
def test_de_deux_qui_ajoutent_la_meme_ligne_une_y_est(admin, monkeypatch, nom):
    """Both are judged before either is saved."""
    modele, (donnees, phrase, saisi) = apps.get_model(nom), CAS[nom]
    clients = [entrer(admin.email) for _rang in range(2)]
    rendez_vous, garder = threading.Barrier(2), ModelAdmin.save_model

    def attendre_l_autre(*args):
        with suppress(threading.BrokenBarrierError):  # a second try is alone
            rendez_vous.wait(timeout=5)
        garder(*args)

    monkeypatch.setattr(ModelAdmin, "save_model", attendre_l_autre)

    refusee, ajoutee = sorted(
        ensemble([lambda c=c: c.post(ajout(nom), donnees) for c in clients]), key=lambda reponse: reponse.status_code
    )

    assert (refusee.status_code, ajoutee.status_code, modele.objects.count()) == (200, 302, 1)
    assert phrase in texte(refusee)
    assert saisi in texte(refusee)
