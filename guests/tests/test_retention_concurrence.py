"""A purge that meets everybody else, or dies: a case is whole, or it is no more."""

import os
import signal
import subprocess
import sys
import threading
from datetime import timedelta

import pytest
from django.db import connection, transaction
from django.utils import timezone

from accounts.models import Compte
from accounts.tests.outils import attendre_un_verrou, ensemble
from config.tests.outils import acteur_de, client_de, document
from config.tests.outils.plans import analyser
from discussions import recompte
from discussions.models import Discussion, Message
from discussions.services import marquer_lus
from discussions.tests import fabriques as conversations
from guests import entretien, suppression
from guests.fusion.verification import verifier
from guests.suppression import dossiers_echus, sessions_echues
from guests.tests.fabriques import fusionner
from guests.tests.vue import SIGNALEMENTS, vivre
from resources.models import Attache, Fichier
from resources.tests import fabriques as fichiers
from signalements.compteurs.recompte import ecarts
from signalements.garde import clos_avant
from signalements.models import AvisDeSuppression, EntreeTimeline, Signalement
from signalements.tests import fabriques
from socle.domaine.temps import jour_du_campus

GARDE = 365
sur_de_vraies_connexions = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


def marques(fonction):
    for marque in sur_de_vraies_connexions:
        fonction = marque(fonction)
    return fonction


@pytest.fixture(autouse=True)
def _garde(settings, tmp_path, db):
    settings.REPORTS_KEPT_DAYS = GARDE
    local = {**settings.STORAGES["local"], "OPTIONS": {"location": tmp_path / "files"}}
    settings.STORAGES = {**settings.STORAGES, "default": local, "local": local}
    document()
    aujourd_hui = jour_du_campus()
    AvisDeSuppression.objects.create(jour=aujourd_hui - timedelta(days=30), clos_avant=clos_avant(aujourd_hui))


def clore(dossier):
    """Closed for longer than cases are kept, all its messages read: an unread one would keep it."""
    for fil in Discussion.objects.filter(signalement=dossier):
        for personne in Compte.objects.filter(type_utilisateur__in=("GESTIONNAIRE", "ETUDIANT")):
            marquer_lus(acteur=acteur_de(personne), discussion=fil)
    return fabriques.mettre(dossier, statut="CLOTURE", date_cloture=timezone.now() - timedelta(days=GARDE + 1))


def effacer():
    return entretien.dossiers(simulation=False)


def est_entier_ou_absent(dossier):
    """What is left of it: all its rows, or none; True where it is there."""
    fils = Discussion.objects.filter(signalement=dossier.pk).values("pk")
    restes = {
        "entrées": EntreeTimeline.objects.filter(signalement=dossier.pk).exists(),
        "fils": fils.exists(),
        "messages": Message.objects.filter(discussion__in=fils).exists(),
        "pièces": Attache.objects.filter(objet=dossier.pk).exists(),
    }
    est_la = Signalement.objects.filter(pk=dossier.pk).exists()
    assert set(restes.values()) == {est_la}, restes
    return est_la


def tout_est_juste():
    assert ecarts() == {}
    assert list(verifier()) == []
    assert not recompte.ecarts()


ACTES = {
    "rouvrir": lambda d, fil: ("put", f"{SIGNALEMENTS}{d.pk}/statut", {"statut": "EN_COURS"}),
    "geler": lambda d, fil: ("put", f"{SIGNALEMENTS}{d.pk}/gel", {"gele": True, "motif": "Enquête."}),
    "noter": lambda d, fil: ("post", f"{SIGNALEMENTS}{d.pk}/notes", {"contenu": "Vu."}),
    "écrire": lambda d, fil: ("post", f"/api/v1/discussions/{fil.pk}/messages", {"contenu": "Encore là ?"}),
    "ouvrir": lambda d, fil: ("post", "/api/v1/discussions/", {"titre": "Suite", "signalementId": str(d.pk)}),
    "lire": lambda d, fil: ("put", f"/api/v1/discussions/{fil.pk}/messages/lus", {}),
}
RETIENNENT = ("rouvrir", "geler")


@marques
@pytest.mark.parametrize("acte", ACTES)
def test_effacer_et_agir_ensemble(admin, gestionnaire, etudiante, acte):
    dossiers = [clore(vivre(etudiante, gestionnaire, titre=f"Le {rang}")[0]) for rang in range(6)]
    fils = {un.pk: Discussion.objects.filter(signalement=un).first() for un in dossiers}

    def agir(dossier):
        methode, chemin, corps = ACTES[acte](dossier, fils[dossier.pk])
        return lambda: getattr(client_de(admin), methode)(chemin, corps).status_code

    *statuts, partis, encore = ensemble([*(agir(un) for un in dossiers), effacer, effacer])

    assert [un for un in (*statuts, partis, encore) if isinstance(un, Exception)] == []
    faits = {un.pk: statut in (200, 201) for un, statut in zip(dossiers, statuts, strict=True)}
    assert set(statuts) <= {200, 201, 403, 404, 422}
    restent = {un.pk for un in dossiers if est_entier_ou_absent(un)}
    assert partis + encore + len(restent) == 6
    if acte in RETIENNENT:
        assert restent == {pk for pk, fait in faits.items() if fait}
    else:
        assert restent == set()
    tout_est_juste()


@marques
@pytest.mark.parametrize("acte", RETIENNENT)
def test_ce_qui_est_retenu_pendant_que_la_purge_attend_reste(admin, gestionnaire, etudiante, acte):
    """It found the case due, and judges it again once it has the lock."""
    dossier, _fils = vivre(etudiante, gestionnaire)
    clore(dossier)
    partis = []
    fil = threading.Thread(target=lambda: partis.append(_fermer_apres(effacer)))

    with transaction.atomic():
        if acte == "geler":
            fabriques.services.geler(signalement=dossier, acteur=acteur_de(admin), gele=True, motif="Enquête.")
        else:
            fabriques.services.changer_statut(signalement=dossier, statut="EN_COURS", acteur=acteur_de(admin))
        fil.start()
        attendre_un_verrou()
    fil.join(timeout=20)

    assert partis == [0]
    assert est_entier_ou_absent(dossier)
    tout_est_juste()


@marques
@pytest.mark.parametrize("acte", ACTES)
def test_agir_sur_un_dossier_que_la_purge_tient_est_refuse_sans_erreur(
    admin, gestionnaire, etudiante, acte, monkeypatch
):
    dossier, echanges = vivre(etudiante, gestionnaire)
    clore(dossier)
    statuts = []
    methode, chemin, corps = ACTES[acte](dossier, echanges[0])

    def agir():
        statuts.append(getattr(client_de(admin), methode)(chemin, corps).status_code)

    fil = threading.Thread(target=lambda: _fermer_apres(agir))
    vrai = suppression.des_dossiers.retirer

    def retirer(lignes):
        fil.start()
        attendre_un_verrou()
        vrai(lignes)

    monkeypatch.setattr(suppression.des_dossiers, "retirer", retirer)

    assert effacer() == 1
    fil.join(timeout=20)

    assert statuts[0] in (403, 404, 422)
    assert not est_entier_ou_absent(dossier)
    tout_est_juste()


@marques
@pytest.mark.parametrize("tour", range(3))
def test_effacer_et_fusionner_ensemble(gestionnaire, invite, etudiante, tour):
    siens = {"mode": "IDENTIFIE", "titre": "Le même"}
    cible, _fils = vivre(etudiante, gestionnaire, **siens)
    source, _fils = vivre(invite, gestionnaire, **siens)
    clore(cible)
    clore(source)

    _resultat, partis = rendus = ensemble([lambda: fusionner(invite, etudiante), effacer])

    assert [un for un in rendus if isinstance(un, Exception)] == []
    assert partis + len([un for un in (cible, source) if Signalement.objects.filter(pk=un.pk).exists()]) == 2
    tout_est_juste()


PANNE = """
import os, signal, sys
import django
django.setup()
from guests import entretien, suppression
from resources import stockage

def mourir(*_):
    os.kill(os.getpid(), signal.SIGKILL)

entretien.LOT_DE_DOSSIERS = 2
vrai, lots = suppression.des_dossiers.retirer, []

def retirer(lignes):
    lots.append(lignes)
    if len(lots) == 2:
        if sys.argv[1] == "avant":
            mourir()
        stockage.effacer = mourir
    vrai(lignes)

suppression.des_dossiers.retirer = retirer
entretien.dossiers(simulation=False)
"""


@marques
@pytest.mark.parametrize("quand", ["avant", "après"])
def test_une_purge_tuee_laisse_des_dossiers_entiers_et_la_suivante_finit(
    gestionnaire, etudiante, settings, tmp_path, monkeypatch, quand
):
    """Killed in its second batch, before the commit, or after it and before the bytes."""
    dossiers = [clore(vivre(etudiante, gestionnaire, titre=f"Le {rang}")[0]) for rang in range(6)]
    base = connection.settings_dict
    adresse = f"postgres://{base['USER']}:{base['PASSWORD']}@{base['HOST']}:{base['PORT']}/{base['NAME']}"
    environ = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "DATABASE_URL": adresse,
        "DATA_DIR": str(tmp_path),
        "REPORTS_KEPT_DAYS": str(GARDE),
        "SECRET_KEY": settings.SECRET_KEY,
    }

    commande = [sys.executable, "-c", PANNE, quand]
    tuee = subprocess.run(commande, env=environ, capture_output=True, check=False)  # noqa: S603 -- our own

    assert tuee.returncode == -signal.SIGKILL, tuee.stderr.decode()
    restent = sum(est_entier_ou_absent(un) for un in dossiers)
    assert restent == (4 if quand == "avant" else 2)
    presents = set(Fichier.objects.values_list("cle", flat=True))
    orphelins = set(fichiers.stockes("local")) - presents
    assert presents <= set(fichiers.stockes("local"))
    assert len(orphelins) == (0 if quand == "avant" else 4)
    tout_est_juste()
    assert effacer() == restent
    assert not Fichier.objects.exists()
    assert set(fichiers.stockes("local")) == orphelins


@marques
def test_une_session_qui_revient_pendant_la_purge_reste(invite, settings):
    settings.GUEST_SESSIONS_KEPT_DAYS = 90
    depuis = timezone.now() - timedelta(days=200)
    type(invite).objects.update(jour=depuis.date(), date_derniere_activite=depuis)
    partis = []
    fil = threading.Thread(target=lambda: partis.append(_fermer_apres(lambda: entretien.sessions(simulation=False))))

    with transaction.atomic():
        fabriques.signalement(acteur_de(invite))
        fil.start()
        attendre_un_verrou()
    fil.join(timeout=20)

    assert partis == [0]
    assert Signalement.objects.get().invite_id == invite.pk


def test_les_dossiers_echus_se_trouvent_par_leur_index_dans_leur_ordre(etudiante, gestionnaire):
    for rang in range(40):
        dossier = fabriques.signalement(acteur_de(etudiante), titre=f"Le {rang}")
        if rang % 10 == 0:
            clore(dossier)
    conversations.discussion(acteur_de(etudiante), "Suite", dossier)
    if connection.vendor == "postgresql":
        analyser("signalements_signalement")
        with connection.cursor() as curseur:
            curseur.execute("SET LOCAL enable_seqscan = off")
            curseur.execute("SET LOCAL enable_sort = off")  # what of so few rows would be chosen

    plan = dossiers_echus()[:50].explain()

    assert "signalement_echeance" in plan
    assert "Seq Scan on signalements" not in plan
    assert "Sort" not in plan
    assert "TEMP B-TREE" not in plan


def test_les_sessions_echues_se_trouvent_par_le_jour_de_leur_ouverture(invite, settings):
    settings.GUEST_SESSIONS_KEPT_DAYS = 90
    if connection.vendor == "postgresql":
        with connection.cursor() as curseur:
            # As at a million rows, where neither reading all of them nor sorting them is cheap.
            curseur.execute("SET LOCAL enable_seqscan = off; SET LOCAL enable_sort = off")

    plan = sessions_echues()[:50].explain()

    assert "session_invitee_jour" in plan
    assert "Seq Scan on guests" not in plan


def _fermer_apres(acte):
    try:
        return acte()
    finally:
        connection.close()
