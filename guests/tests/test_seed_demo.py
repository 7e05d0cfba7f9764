from collections import Counter
from datetime import timedelta
from io import StringIO

import pytest
from django.contrib.auth.password_validation import validate_password
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection
from django.db.models import Max, Min, Q
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Compte, Preferences
from config.domaine.roles import Role
from guests.demo import textes, volume
from guests.models import SessionInvitee
from signalements.models import EntreeTimeline, Signalement
from signalements.vocabulaire import TYPES_CONNUS, Priorite, Statut, TypeEntree

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _base_embarquee(settings):
    settings.EMBARQUE = True


def lancer(*options: str) -> str:
    sortie = StringIO()
    call_command("seed_demo", *options, stdout=sortie)
    return sortie.getvalue()


def etat() -> list[int]:
    return [modele.objects.count() for modele in (Compte, SessionInvitee, Signalement, EntreeTimeline)]


def test_chaque_compte_affiche_ouvre_une_session_de_son_role(api):
    lignes = [ligne.split() for ligne in lancer().splitlines() if "@" in ligne]

    roles = [
        api(None).post("/api/v1/auth/login", {"email": email, "motDePasse": secret}).json()["data"]["typeUtilisateur"]
        for _role, email, secret in lignes
    ]

    assert roles == [role for role, _email, _secret in lignes]
    assert Counter(roles) == {"UTILISATEUR": 1, "GESTIONNAIRE": 2, "ADMIN_SYSTEME": 1}
    assert Preferences.objects.count() == 4


def test_le_mot_de_passe_de_demonstration_passe_les_regles(db):
    lancer("--accounts-only")

    for compte in Compte.objects.all():
        validate_password(textes.MOT_DE_PASSE, compte)


def test_les_dossiers_couvrent_tous_les_vocabulaires(db):
    lancer()

    vus = {champ: set(Signalement.objects.values_list(champ, flat=True)) for champ in ("type", "statut", "priorite")}
    assert vus == {"type": set(TYPES_CONNUS), "statut": set(Statut.values), "priorite": set(Priorite.values)}
    assert Signalement.objects.count() == len(textes.RECITS) == 25
    assert Signalement.objects.filter(invite__isnull=False).values("invite").distinct().count() == 3


def test_relancer_ne_double_rien(db):
    lancer("--reports", "30")
    avant = etat()

    lancer("--reports", "30")

    assert etat() == avant


def test_comptes_seuls_ne_cree_aucun_dossier_et_remplace_un_absent(db):
    lancer("--accounts-only")
    Compte.objects.filter(email=textes.ADMIN.email).delete()

    sortie = lancer("--accounts-only")

    assert textes.ADMIN.email in sortie
    assert etat() == [4, 0, 0, 0]


def test_un_mot_de_passe_change_n_est_ni_affiche_ni_remis(db):
    lancer("--accounts-only")
    compte = Compte.objects.get(email=textes.ADMIN.email)
    compte.set_password("Autre-chose-2026")
    compte.save()

    sortie = lancer()

    assert "mot de passe changé" in sortie
    compte.refresh_from_db()
    assert compte.check_password("Autre-chose-2026")


@pytest.mark.parametrize(("options", "demo"), [(["--force"], False), ([], True)])
def test_une_base_de_production_se_force(settings, options, demo):
    settings.EMBARQUE, settings.DEMO = False, demo

    lancer(*options)

    assert Compte.objects.count() == 4


def test_une_base_de_production_est_refusee(settings):
    settings.EMBARQUE = settings.DEMO = False

    with pytest.raises(CommandError, match="--force"):
        lancer()

    assert etat() == [0, 0, 0, 0]


@pytest.mark.parametrize("nombre", ["0", "-3", "beaucoup"])
def test_un_nombre_de_dossiers_absurde_est_refuse(nombre):
    with pytest.raises(CommandError):
        call_command("seed_demo", f"--reports={nombre}")


def test_le_volume_est_complete_et_jamais_double(monkeypatch):
    monkeypatch.setattr(volume, "LOT", 40)

    lancer("--reports", "60")
    lancer("--reports", "130")

    de_volume = Signalement.objects.exclude(pk__in=_cles_des_recits())
    assert de_volume.count() == 130
    assert de_volume.filter(invite__isnull=False).count() == 26  # one in five, at every size
    assert de_volume.values("reference").distinct().count() == 130
    etendue = de_volume.aggregate(Min("date_creation"), Max("date_creation"))
    assert etendue["date_creation__max"] - etendue["date_creation__min"] > timedelta(days=365)
    assert etendue["date_creation__min"] > timezone.now() - timedelta(days=3 * 365 + 1)


def test_une_reference_deja_prise_est_tiree_a_nouveau(monkeypatch):
    lancer()
    prise = Signalement.objects.values_list("reference", flat=True)[0]
    tirages = iter([prise, *(f"SIG-2026-0000000{rang}" for rang in range(5))])
    monkeypatch.setattr(volume, "_reference", lambda date: next(tirages))

    lancer("--reports", "2")

    assert Signalement.objects.filter(reference__startswith="SIG-2026-000000").count() == 2


def test_une_reference_toujours_prise_arrete_sans_rien_laisser(monkeypatch):
    monkeypatch.setattr(volume, "_reference", lambda date: "SIG-2026-00000000")

    with pytest.raises(IntegrityError):
        lancer("--reports", "2")

    assert Signalement.objects.filter(reference="SIG-2026-00000000").count() == 0


def test_les_comptes_du_volume_n_ouvrent_rien(db):
    lancer("--reports", "40")

    autres = Compte.objects.exclude(email__in=[personne.email for personne in textes.PERSONNES])
    assert autres.count() == volume.GESTIONNAIRES + 2
    assert not any(compte.has_usable_password() for compte in autres)


@pytest.mark.parametrize("options", [[], ["--reports", "150"]])
def test_chaque_dossier_a_l_histoire_que_son_statut_suppose(options):
    lancer(*options)

    for signalement in Signalement.objects.prefetch_related("timeline").select_related("gestionnaire"):
        _verifier_l_histoire(signalement, sorted(signalement.timeline.all(), key=lambda e: e.date_creation))


def test_l_historique_se_lit_par_l_api(api):
    lancer()
    gestionnaire = Compte.objects.get(email=textes.GESTIONNAIRE.email)
    dossier = Signalement.objects.filter(timeline__type=TypeEntree.NOTE, statut=Statut.CLOTURE).first()

    reponse = api(gestionnaire).get(f"/api/v1/signalements/{dossier.pk}/timeline")

    assert reponse.status_code == 200
    assert {e["type"] for e in reponse.json()["data"]} >= {"CREATION", "ASSIGNATION", "STATUT", "NOTE"}


def test_rien_n_est_annonce(evenements):
    with evenements() as recus:
        lancer("--reports", "5")

    assert recus == []


def test_le_gestionnaire_est_de_l_equipe(db):
    lancer("--reports", "40")

    assert not Signalement.objects.filter(
        Q(gestionnaire__isnull=False) & ~Q(gestionnaire__type_utilisateur=Role.GESTIONNAIRE)
    ).exists()


def _cles_des_recits():
    return Signalement.objects.filter(titre__in=[recit.titre for recit in textes.RECITS]).values("pk")


def _verifier_l_histoire(signalement, entrees):
    statuts = [e for e in entrees if e.type == TypeEntree.STATUT]
    assert (entrees[0].type, entrees[0].date_creation) == (TypeEntree.CREATION, signalement.date_creation)
    assert (entrees[0].compte_id, entrees[0].invite_id) == (signalement.compte_id, signalement.invite_id)
    assert [e.avant for e in statuts] == ["NOUVEAU", *(e.apres for e in statuts)][: len(statuts)]
    assert signalement.statut == (statuts[-1].apres if statuts else Statut.NOUVEAU)
    assert (signalement.gestionnaire is None) == (signalement.statut == Statut.NOUVEAU)
    assert [e.contenu for e in entrees if e.type == TypeEntree.ASSIGNATION] == (
        [signalement.gestionnaire.nom_complet] if signalement.gestionnaire else []
    )
    assert signalement.date_modification == [e for e in entrees if e.type != TypeEntree.NOTE][-1].date_creation
    assert signalement.date_creation <= entrees[-1].date_creation < timezone.now()
    assert signalement.date_incident < signalement.date_creation
    assert signalement.recherche.startswith(signalement.reference.lower())


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_apres_le_volume_la_base_est_rangee_pour_repondre_depuis_ses_index():
    with CaptureQueriesContext(connection) as requetes:
        lancer("--reports", "30")

    assert requetes[-1]["sql"] == "VACUUM ANALYZE"
