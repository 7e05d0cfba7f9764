"""Closed cases kept long enough are deleted whole; all that is not theirs stays as it was."""

from datetime import timedelta

import pytest
from django.apps import apps
from django.core import mail
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.tests import fabriques as comptes
from config.tests.outils import acteur_de, client_de
from discussions import recompte
from discussions.models import Discussion, Message
from discussions.services import marquer_lus
from discussions.tests import fabriques as discussions
from equipes.tests import fabriques as equipes
from espace.tests.outils import Equipiere, valeur
from guests import entretien
from guests.fusion.retour import RetourImpossible, annuler
from guests.fusion.verification import verifier
from guests.models import AuditFusion, SessionInvitee
from guests.tests.fabriques import fusionner, session_invitee
from guests.tests.outils import tout_ce_qui_est_stocke
from guests.tests.vue import SIGNALEMENTS, vivre
from portail.models import Acces, CodeRetour
from resources import stockage
from resources.entretien import supprimes
from resources.models import Fichier
from resources.services.fichiers import supprimer as supprimer_un_fichier
from resources.tests import fabriques as fichiers
from signalements.compteurs.recompte import ecarts
from signalements.entretien import annoncer_les_suppressions, avis_remplaces
from signalements.garde import annonces_d_ici, clos_avant
from signalements.models import AlerteDeDossier, AvisDeSuppression, Signalement
from signalements.reserve import changer_lecteurs
from signalements.tests import fabriques
from socle.audit.models import Trace
from socle.audit.vocabulaire import Acte
from socle.domaine.temps import jour_du_campus
from socle.realtime.models import Evenement
from socle.taches.entretien import purges
from socle.taches.tests.outils import faire_les_taches

pytestmark = pytest.mark.django_db
GARDE = 365
# Tables that a deletion adds to.
QUI_CROISSENT = {"audit.Trace", "signalements.Effectif"}


@pytest.fixture(autouse=True)
def _garde(settings, tmp_path):
    settings.REPORTS_KEPT_DAYS = GARDE
    settings.REPORTS_WARNING_DAYS = 30
    local = {**settings.STORAGES["local"], "OPTIONS": {"location": tmp_path / "files"}}
    settings.STORAGES = {**settings.STORAGES, "default": local, "local": local}


@pytest.fixture
def avise(db):
    """The administrators had their notice, long ago."""
    aujourd_hui = jour_du_campus()
    AvisDeSuppression.objects.create(jour=aujourd_hui - timedelta(days=30), clos_avant=clos_avant(aujourd_hui))


def clore(dossier, jours=GARDE + 1):
    """As it was closed so many days ago, somebody having read all that its author wrote."""
    Message.objects.filter(discussion__signalement=dossier).update(est_lu=True)
    Discussion.objects.filter(signalement=dossier).update(jamais_lus=0)
    return fabriques.mettre(dossier, statut="CLOTURE", date_cloture=timezone.now() - timedelta(days=jours))


def etait_la():
    """Keys of all rows, by table."""
    return {
        modele._meta.label: set(modele._base_manager.values_list("pk", flat=True))
        for modele in apps.get_models(include_auto_created=True)
        if modele._meta.managed and modele._meta.label not in QUI_CROISSENT
    }


def ranges():
    return set(fichiers.stockes("local"))


def effacer(simulation=False):
    return entretien.dossiers(simulation=simulation)


def tout_est_juste():
    return not ecarts() and not list(verifier()) and not recompte.ecarts()


@pytest.mark.parametrize("invitee", [False, True], ids=["compte", "invitée"])
@pytest.mark.usefixtures("avise")
def test_un_dossier_part_en_entier_et_rien_d_autre(
    django_capture_on_commit_callbacks, admin, gestionnaire, invite, etudiante, autre_etudiante, invitee
):
    vivre(autre_etudiante, gestionnaire, titre="CANARI-D-AUTRUI")
    avant, rangees = etait_la(), ranges()
    personne = invite if invitee else etudiante
    dossier, echanges = vivre(personne, gestionnaire, titre="CANARI-EFFACE")
    for echange in echanges:
        marquer_lus(acteur=acteur_de(personne), discussion=echange)
    changer_lecteurs(signalement=dossier, acteur=acteur_de(admin), ecartes=[comptes.gestionnaire().pk])
    fabriques.services.assigner(signalement=dossier, gestionnaire_id=gestionnaire.pk, acteur=acteur_de(admin))
    # What is told of people, not of the case: a colleague more, and the order to close her sockets.
    avant["accounts.Compte"] = etait_la()["accounts.Compte"]
    avant["realtime.Evenement"] |= set(Evenement.objects.filter(type="fermer_sockets").values_list("pk", flat=True))
    clore(dossier)
    assert len(ranges()) == len(rangees) + 2

    with django_capture_on_commit_callbacks(execute=True):
        assert effacer() == 1

    assert etait_la() == avant
    assert ranges() == rangees
    stocke = tout_ce_qui_est_stocke()
    assert ("canari-d-autrui" in stocke, "canari-efface" in stocke) == (True, False)
    assert client_de(personne).get(f"{SIGNALEMENTS}{dossier.pk}").status_code in (403, 404)
    assert client_de(gestionnaire).get(f"{SIGNALEMENTS}{dossier.pk}").status_code == 404
    assert tout_est_juste()


@pytest.mark.parametrize("pourquoi", ["ouvert", "traité", "récent", "gelé", "sans date", "sans avis", "toujours"])
def test_ce_qui_ne_part_pas(admin, etudiante, settings, pourquoi, request):
    if pourquoi != "sans avis":
        request.getfixturevalue("avise")
    dossier = clore(fabriques.signalement(acteur_de(etudiante)))
    if pourquoi == "ouvert":
        fabriques.services.changer_statut(signalement=dossier, statut="EN_COURS", acteur=acteur_de(admin))
    elif pourquoi == "traité":
        fabriques.mettre(dossier, statut="TRAITE")
    elif pourquoi == "récent":
        clore(dossier, GARDE - 1)
    elif pourquoi == "gelé":
        fabriques.services.geler(signalement=dossier, acteur=acteur_de(admin), gele=True, motif="Enquête.")
    elif pourquoi == "sans date":
        fabriques.mettre(dossier, date_cloture=None)
    elif pourquoi == "toujours":
        settings.REPORTS_KEPT_DAYS = 0
    avant = etait_la()

    assert (effacer(simulation=True), effacer()) == (0, 0)
    assert etait_la() == avant


@pytest.mark.usefixtures("avise")
def test_le_dernier_jour_est_encore_garde(etudiante):
    dernier, passe = (clore(fabriques.signalement(acteur_de(etudiante)), jours) for jours in (GARDE, GARDE + 1))

    assert dernier.conserve_jusquau == jour_du_campus()
    assert effacer() == 1
    assert list(Signalement.objects.values_list("pk", flat=True)) == [dernier.pk]
    assert passe.conserve_jusquau < jour_du_campus()


@pytest.mark.usefixtures("avise")
def test_simuler_compte_exactement_et_n_efface_rien(admin, etudiante, monkeypatch):
    monkeypatch.setattr(entretien, "LOT_DE_DOSSIERS", 2)
    dossiers = [clore(fabriques.signalement(acteur_de(etudiante))) for _rang in range(7)]
    fabriques.services.geler(signalement=dossiers[1], acteur=acteur_de(admin), gele=True, motif="Enquête.")
    avant = etait_la()

    simule = effacer(simulation=True)

    assert etait_la() == avant
    assert simule == effacer() == 6
    assert list(Signalement.objects.values_list("pk", flat=True)) == [dossiers[1].pk]
    nombres = Trace.objects.filter(acte=Acte.DOSSIERS_EFFACES).order_by("pk").values_list("details__nombre", flat=True)
    assert list(nombres) == [1, 2, 2, 1] or sum(nombres) == 6


@pytest.mark.usefixtures("avise")
def test_la_commande_compte_puis_efface(etudiante, capsys):
    clore(fabriques.signalement(acteur_de(etudiante)))

    call_command("purge", dry_run=True)
    call_command("purge")

    dites = [ligne for ligne in capsys.readouterr().out.splitlines() if ligne.startswith("Dossiers clôturés")]
    assert dites == [
        "Dossiers clôturés, gardés assez longtemps : 1 à supprimer",
        "Dossiers clôturés, gardés assez longtemps : 1 supprimé(s)",
    ]
    assert not Signalement.objects.exists()


@pytest.mark.usefixtures("avise")
def test_un_lot_coute_autant_de_requetes_pour_un_dossier_que_pour_neuf(gestionnaire, invite, etudiante):
    couts = []
    for nombre in (1, 9):
        for _rang in range(nombre):
            for personne in (etudiante, invite):
                clore(vivre(personne, gestionnaire)[0])
        with CaptureQueriesContext(
            connection,
        ) as lot:
            assert effacer() == 2 * nombre
        couts.append(len([r for r in lot.captured_queries if "realtime_compteur" not in r["sql"]]))

    assert couts[0] == couts[1]


@pytest.mark.usefixtures("avise")
def test_un_fichier_joint_ailleurs_reste(django_capture_on_commit_callbacks, etudiante):
    avant, elle = ranges(), acteur_de(etudiante)
    piece, seule = (fichiers.fichier(elle).pk for _rang in range(2))
    garde = fabriques.signalement(elle, pieces_jointes=[piece])
    clore(fabriques.signalement(elle, description="Autre chose.", pieces_jointes=[piece, seule]))

    with django_capture_on_commit_callbacks(execute=True):
        assert effacer() == 1

    (reste,) = Fichier.objects.all()
    assert (reste.pk, reste.attaches.get().objet, len(ranges() - avant)) == (piece, garde.pk, 1)


@pytest.mark.usefixtures("avise")
def test_un_stockage_en_panne_laisse_un_orphelin_que_le_balayage_retire(
    django_capture_on_commit_callbacks, etudiante, monkeypatch
):
    avant = ranges()
    clore(fabriques.signalement(acteur_de(etudiante), pieces_jointes=[fichiers.fichier(acteur_de(etudiante)).pk]))
    (orphelin,) = ranges() - avant

    with monkeypatch.context() as panne, django_capture_on_commit_callbacks(execute=True):
        panne.setattr(stockage, "effacer", lambda *_: (_ for _ in ()).throw(OSError("hors service")))
        assert effacer() == 1

    assert not Fichier.objects.exists()
    assert orphelin in ranges()
    monkeypatch.setattr("resources.management.commands.sweep_files._est_ancien", lambda *_: True)
    call_command("sweep_files", force=True)
    assert orphelin not in ranges()


@pytest.mark.usefixtures("avise")
def test_un_fichier_d_un_seau_inconnu_attend_que_le_reglage_le_nomme(etudiante):
    piece = fichiers.fichier(acteur_de(etudiante))
    clore(fabriques.signalement(acteur_de(etudiante), pieces_jointes=[piece.pk]))
    Fichier.objects.update(seau="ancien")

    assert effacer() == 1

    assert Fichier.objects.get().est_supprime


def test_un_fichier_supprime_d_un_dossier_gele_garde_ses_octets(admin, etudiante, settings):
    settings.DELETED_FILES_KEPT = timedelta(0)
    elle, elle_admin = acteur_de(etudiante), acteur_de(admin)
    gele, libre = (
        fabriques.signalement(elle, description=nom, pieces_jointes=[fichiers.fichier(elle).pk])
        for nom in ("Un", "Deux")
    )
    fabriques.services.geler(signalement=gele, acteur=elle_admin, gele=True, motif="Enquête.")
    for fichier in Fichier.objects.all():
        supprimer_un_fichier(fichier=fichier, acteur=elle_admin)

    assert supprimes(simulation=True) == supprimes(simulation=False) == 1

    assert [str(f.pk) for f in Fichier.objects.all()] == gele.pieces_jointes
    fabriques.services.geler(signalement=gele, acteur=elle_admin, gele=False)
    assert supprimes(simulation=False) == 1
    assert libre.pk != gele.pk


# --- Merges ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def fusion(gestionnaire, invite, etudiante, settings):
    """Two cases joined into one, with their discussions, and a third that came along; too old to be taken back."""
    siens = {"mode": "IDENTIFIE", "titre": "Le même"}
    cible, _fils = vivre(etudiante, gestionnaire, **siens)
    source, _fils = vivre(invite, gestionnaire, **siens)
    autre, _fils = vivre(invite, gestionnaire, titre="Un autre")
    fusionner(invite, etudiante)
    assert Signalement.objects.get(pk=source.pk).absorbe_par_id == cible.pk
    AuditFusion.objects.update(date_creation=timezone.now() - timedelta(days=settings.MERGE_REVERT_DAYS + 1))
    return AuditFusion.objects.get(), Signalement.objects.get(pk=cible.pk), Signalement.objects.get(pk=autre.pk)


@pytest.mark.usefixtures("avise")
def test_une_fusion_reste_juste_et_ne_garde_aucun_texte(fusion):
    audit, cible, autre = fusion
    assert "Le même" in str(audit.retour)
    clore(cible)

    assert effacer() == 1

    audit.refresh_from_db()
    assert list(verifier()) == []
    assert "Le même" not in str(audit.retour)
    assert audit.resume["erased"]["counts"]["signalements"] == 1
    assert Signalement.objects.get() == autre
    with pytest.raises(RetourImpossible, match="effacés"):
        annuler(audit)
    clore(autre)
    assert effacer() == 1
    assert list(verifier()) == []
    assert not ecarts()


@pytest.mark.usefixtures("avise")
def test_une_fusion_que_l_on_peut_encore_defaire_garde_ses_dossiers(fusion, settings):
    _audit, cible, autre = fusion
    AuditFusion.objects.update(date_creation=timezone.now())
    clore(cible)
    clore(autre)

    assert effacer(simulation=True) == effacer() == 0

    AuditFusion.objects.update(date_creation=timezone.now() - timedelta(days=settings.MERGE_REVERT_DAYS + 1))
    assert effacer() == 2


@pytest.mark.usefixtures("avise")
def test_une_fusion_defaite_ne_garde_pas_non_plus_le_texte(fusion, settings):
    audit, cible, _autre = fusion
    settings.MERGE_REVERT_DAYS = 30
    annuler(audit)
    clore(Signalement.objects.get(pk=cible.pk))

    assert effacer() == 1

    audit.refresh_from_db()
    assert "Le même" not in str(audit.retour)
    assert list(verifier()) == []


# --- Register, events -----------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("avise")
def test_le_registre_garde_les_references_et_cache_le_reste_a_qui_etait_ecarte(admin, etudiante):
    ecarte = comptes.admin(email="sophie@campus.test")
    ouvert = clore(fabriques.signalement(acteur_de(etudiante)))
    reserve = fabriques.signalement(acteur_de(etudiante), description="Sophie.")
    changer_lecteurs(signalement=reserve, acteur=acteur_de(admin), ecartes=[ecarte.pk])
    clore(reserve)
    assert not Trace.objects.filter(objet=reserve.pk).visibles_par(acteur_de(ecarte)).exists()

    assert effacer() == 2

    (trace,) = Trace.objects.filter(acte=Acte.DOSSIERS_EFFACES)
    assert (trace.acteur, trace.objet, trace.details) == (None, None, {"nombre": 1, "references": [ouvert.reference]})
    (cachee,) = Trace.objects.filter(acte=Acte.RESERVES_EFFACES)
    assert cachee.details == {"nombre": 1, "references": [reserve.reference]}
    for qui in (ecarte, admin):
        vues = Trace.objects.visibles_par(acteur_de(qui))
        assert trace in vues
        assert cachee not in vues
        assert not vues.filter(objet=reserve.pk).exists()


@pytest.mark.usefixtures("avise")
def test_rien_ne_se_rejoue_d_un_dossier_efface(gestionnaire, etudiante, autre_etudiante):
    dossier, echanges = vivre(etudiante, gestionnaire)
    fabriques.services.changer_statut(signalement=dossier, statut="CLOTURE", acteur=acteur_de(gestionnaire))
    autre = fabriques.signalement(acteur_de(autre_etudiante))
    clore(dossier)
    cles = [str(un.pk) for un in (dossier, *echanges)]

    assert effacer() == 1

    restes = [str(ligne) for ligne in Evenement.objects.values_list("canal", "payload")]
    assert [ligne for ligne in restes if any(cle in ligne for cle in cles)] == []
    assert any(str(autre.pk) in ligne for ligne in restes)


# --- Notice ---------------------------------------------------------------------------------------------------------


def test_rien_n_est_efface_avant_que_l_avis_ait_couru(etudiante, settings):
    """A delay that was just set: cases of any age wait for the notice."""
    clore(fabriques.signalement(acteur_de(etudiante)), 10 * GARDE)
    annoncer_les_suppressions()
    assert effacer() == 0

    AvisDeSuppression.objects.update(jour=jour_du_campus() - timedelta(days=29))
    assert effacer() == 0
    AvisDeSuppression.objects.update(jour=jour_du_campus() - timedelta(days=30))
    annoncer_les_suppressions()
    assert effacer() == 1


def test_un_delai_raccourci_attend_son_propre_avis(etudiante, settings):
    settings.REPORTS_KEPT_DAYS = 2 * GARDE
    annoncer_les_suppressions()
    AvisDeSuppression.objects.update(
        jour=jour_du_campus() - timedelta(days=40), clos_avant=clos_avant(jour_du_campus())
    )
    clore(fabriques.signalement(acteur_de(etudiante)))

    settings.REPORTS_KEPT_DAYS = GARDE

    assert effacer() == 0


def test_garder_toujours_reprend_les_avis(etudiante, settings, avise):
    clore(fabriques.signalement(acteur_de(etudiante)))
    settings.REPORTS_KEPT_DAYS = 0
    annoncer_les_suppressions()

    settings.REPORTS_KEPT_DAYS = GARDE

    assert effacer() == 0


def test_les_administrateurs_ont_un_e_mail_par_jour_au_plus_sans_rien_du_dossier(admin, gestionnaire, etudiante):
    ecarte = comptes.admin(email="sophie@campus.test")
    dossier = fabriques.signalement(acteur_de(etudiante), titre="CANARI")
    changer_lecteurs(signalement=dossier, acteur=acteur_de(admin), ecartes=[ecarte.pk])
    clore(dossier, GARDE - 29)
    clore(fabriques.signalement(acteur_de(etudiante), titre="CANARI"), GARDE - 40)

    for _fois in range(2):
        annoncer_les_suppressions()
    faire_les_taches()

    (message,) = mail.outbox
    assert message.to == [admin.email]
    assert "1 dossier clôturé arrive" in message.body
    assert "/equipe/bientot-effaces/" in message.body
    assert "CANARI" not in message.body + message.alternatives[0].content
    assert dossier.reference not in message.body


def test_le_jour_suivant_n_ecrit_que_si_un_dossier_de_plus_arrive(admin, etudiante):
    clore(fabriques.signalement(acteur_de(etudiante)))
    annoncer_les_suppressions()
    faire_les_taches()
    AvisDeSuppression.objects.update(
        jour=jour_du_campus() - timedelta(days=1), clos_avant=clos_avant(jour_du_campus()) + timedelta(days=29)
    )

    annoncer_les_suppressions()
    faire_les_taches()
    assert len(mail.outbox) == 1

    AvisDeSuppression.objects.filter(jour=jour_du_campus()).delete()
    clore(fabriques.signalement(acteur_de(etudiante)), GARDE - 29)
    annoncer_les_suppressions()
    faire_les_taches()
    assert [m.body.count("2 dossiers clôturés") for m in mail.outbox] == [0, 1]


def test_un_e_mail_ne_dit_pas_qu_un_dossier_dont_on_est_ecarte_arrive_a_son_terme(admin, etudiante):
    """The same number as the day before, in a mail that only comes when a case more is due, would tell of it."""
    sophie = comptes.admin(email="sophie@campus.test")
    clore(fabriques.signalement(acteur_de(etudiante)), GARDE - 20)
    annoncer_les_suppressions()
    faire_les_taches()
    assert sorted(message.to[0] for message in mail.outbox) == sorted([admin.email, sophie.email])
    mail.outbox.clear()
    hier = jour_du_campus() - timedelta(days=1)
    AvisDeSuppression.objects.update(jour=hier, clos_avant=annonces_d_ici(hier))
    reserve = fabriques.signalement(acteur_de(etudiante), description="Sophie.")
    changer_lecteurs(signalement=reserve, acteur=acteur_de(admin), ecartes=[sophie.pk])
    clore(reserve, GARDE - 29)

    annoncer_les_suppressions()
    faire_les_taches()

    assert [message.to for message in mail.outbox] == [[admin.email]]


def test_les_avis_remplaces_s_en_vont(settings):
    aujourd_hui = jour_du_campus()
    for jours in (0, 1, 29, 30, 31, 400):
        AvisDeSuppression.objects.create(jour=aujourd_hui - timedelta(days=jours), clos_avant=aujourd_hui)

    assert avis_remplaces(simulation=True) == avis_remplaces(simulation=False) == 2

    assert AvisDeSuppression.objects.count() == 4


def test_la_liste_montre_ce_qui_part_a_qui_le_lit(admin, gestionnaire, etudiante):
    bientot = clore(fabriques.signalement(acteur_de(etudiante), titre="Bientôt"), GARDE - 10)
    clore(fabriques.signalement(acteur_de(etudiante), titre="Plus tard"), GARDE - 31)
    clore(fabriques.signalement(acteur_de(gestionnaire), titre="Le mien"), GARDE - 10)
    reserve = clore(fabriques.signalement(acteur_de(etudiante), titre="Sans Paul"), GARDE - 10)
    changer_lecteurs(signalement=reserve, acteur=acteur_de(admin), ecartes=[gestionnaire.pk])
    gele = clore(fabriques.signalement(acteur_de(etudiante), titre="Gelé ici"), GARDE - 10)
    fabriques.services.geler(signalement=gele, acteur=acteur_de(admin), gele=True, motif="Enquête.")

    de_paul, de_rose = (Equipiere(qui).lire("/equipe/bientot-effaces/") for qui in (gestionnaire, admin))

    titres = ("Bientôt", "Plus tard", "Le mien", "Sans Paul", "Gelé ici")
    assert [titre in de_paul for titre in titres] == [True, False, False, False, False]
    assert [titre in de_rose for titre in titres] == [True, False, True, True, False]
    assert str(bientot.pk) in de_paul
    assert "bientot-effaces" in Equipiere(gestionnaire).lire("/equipe/dossiers/", vue="clos")


def test_un_dossier_qu_aucun_administrateur_ne_lit_est_dit_a_qui_peut_le_rouvrir(admin, gestionnaire, etudiante):
    """Nobody could hold it: it would go without anybody's notice."""
    ecarte = comptes.admin(email="sophie@campus.test")
    dossier = fabriques.signalement(acteur_de(etudiante), titre="CANARI")
    changer_lecteurs(signalement=dossier, acteur=acteur_de(admin), ecartes=[ecarte.pk], admis=[gestionnaire.pk])
    clore(dossier, GARDE - 20)

    annoncer_les_suppressions()
    faire_les_taches()

    (message,) = mail.outbox
    assert message.to == [admin.email]
    assert "1 dossier clôturé arrive" in message.body
    de_rose, de_sophie, de_paul = (
        Equipiere(qui).lire("/equipe/bientot-effaces/") for qui in (admin, ecarte, gestionnaire)
    )
    assert (
        f'Aucun administrateur ne lit le dossier <span class="notranslate" translate="no">{dossier.reference}</span>'
        in de_rose
    )
    assert f"/equipe/dossiers/{dossier.pk}/lecteurs/" in de_rose
    assert "CANARI" not in de_rose
    assert dossier.reference not in de_sophie
    assert ("CANARI" in de_paul, "Aucun administrateur" in de_paul) == (True, False)

    vu = valeur(Equipiere(admin).lire(f"/equipe/dossiers/{dossier.pk}/lecteurs/"), "vu_lecteurs")
    choix = {"ecartes": [str(ecarte.pk)], "admis": [str(gestionnaire.pk), str(admin.pk)], "vu_lecteurs": vu}
    assert Equipiere(admin).envoyer(f"/equipe/dossiers/{dossier.pk}/lecteurs/", choix).status_code == 303
    de_rose = Equipiere(admin).lire("/equipe/bientot-effaces/")
    assert ("CANARI" in de_rose, "Aucun administrateur" in de_rose) == (True, False)


def test_un_dossier_d_une_equipe_sans_administrateur_est_dit_a_qui_peut_le_savoir(admin, gestionnaire, etudiante):
    """Of a team that they are not of: where it is, and where a reason opens it."""
    ecarte = comptes.admin(email="sophie@campus.test")
    dossier, autre = (fabriques.signalement(acteur_de(etudiante), titre="CANARI") for _rang in range(2))
    changer_lecteurs(signalement=autre, acteur=acteur_de(admin), ecartes=[ecarte.pk])
    equipe = equipes.equipe(gestionnaire)
    for un in (dossier, autre):
        equipes.confier(un, equipe)
        clore(un, GARDE - 20)

    annoncer_les_suppressions()
    faire_les_taches()

    assert sorted(message.to[0] for message in mail.outbox) == sorted([admin.email, ecarte.email])
    de_rose, de_sophie = (Equipiere(qui).lire("/equipe/bientot-effaces/") for qui in (admin, ecarte))
    assert all(f"/equipe/dossiers/{un.pk}/ouverture/" in de_rose for un in (dossier, autre))
    assert "CANARI" not in de_rose + de_sophie
    assert (dossier.reference in de_sophie, autre.reference in de_sophie) == (True, False)


@pytest.mark.usefixtures("avise")
def test_un_dossier_dont_tous_les_administrateurs_sont_ecartes_ne_part_pas(admin, gestionnaire, etudiante):
    autre = comptes.admin()
    dossier = fabriques.signalement(acteur_de(etudiante))
    changer_lecteurs(signalement=dossier, acteur=acteur_de(autre), ecartes=[admin.pk], admis=[gestionnaire.pk])
    clore(dossier)
    type(autre).objects.filter(pk=autre.pk).update(est_actif=False)

    annoncer_les_suppressions()
    faire_les_taches()
    assert (mail.outbox, effacer(simulation=True), effacer()) == ([], 0, 0)
    type(autre).objects.filter(pk=autre.pk).update(est_actif=True)

    # Not at once, when one may read it again: that one decides.
    assert effacer() == 0
    dossier = Signalement.objects.get(pk=dossier.pk)
    assert (dossier.est_gele, "sans qu'un administrateur" in dossier.gel_motif) == (True, True)
    changer_lecteurs(signalement=dossier, acteur=acteur_de(autre), admis=[autre.pk])
    fabriques.services.geler(signalement=dossier, acteur=acteur_de(autre), gele=False)
    assert effacer() == 1


@pytest.mark.usefixtures("avise")
@pytest.mark.parametrize("autre", [False, True], ids=["seul", "avec un autre"])
def test_un_administrateur_n_a_pas_l_avis_de_son_propre_dossier(admin, autre):
    if autre:
        comptes.admin()
    dossier = clore(fabriques.signalement(acteur_de(admin)))

    assert effacer() == autre
    assert Signalement.objects.filter(pk=dossier.pk, gele_depuis__isnull=False).exists() is not autre


# --- Guest sessions -------------------------------------------------------------------------------------------------


def ancienne(session, jours=400):
    depuis = timezone.now() - timedelta(days=jours)
    SessionInvitee.objects.filter(pk=session.pk).update(jour=depuis.date(), date_derniere_activite=depuis)
    return session


def test_une_session_vide_et_oubliee_s_en_va_avec_ce_qui_l_ouvre(settings, invite, autre_invite, etudiante):
    settings.GUEST_SESSIONS_KEPT_DAYS = 365
    avec_dossier, avec_fil, avec_fichier, fusionnee, recente = (
        ancienne(session_invitee(f"+24381234{rang}")) for rang in range(5600, 5605)
    )
    fabriques.signalement(acteur_de(avec_dossier))
    discussions.discussion(acteur_de(avec_fil))
    fichiers.fichier(acteur_de(avec_fichier))
    fusionner(fusionnee, etudiante)
    ancienne(recente, 300)
    for session in (invite, autre_invite):
        ancienne(session)
        CodeRetour.objects.create(invite=session, empreinte=session.pk.hex)
        Acces.objects.create(invite=session, jeton_empreinte=session.pk.hex)
    for session in (avec_dossier, avec_fil, avec_fichier):
        ancienne(session)

    assert entretien.sessions(simulation=True) == entretien.sessions(simulation=False) == 2

    restent = set(SessionInvitee.objects.values_list("pk", flat=True))
    assert restent == {un.pk for un in (avec_dossier, avec_fil, avec_fichier, fusionnee, recente)}
    assert not CodeRetour.objects.exists()
    assert not Acces.objects.exists()
    settings.GUEST_SESSIONS_KEPT_DAYS = 0
    ancienne(recente)
    assert entretien.sessions(simulation=False) == 0


@pytest.mark.usefixtures("avise")
def test_la_session_d_un_dossier_efface_s_en_va_a_la_purge_suivante(settings, invite):
    settings.GUEST_SESSIONS_KEPT_DAYS = 365
    clore(fabriques.signalement(acteur_de(invite)))
    ancienne(invite)

    parties = [
        {nom: purges[nom](simulation=False) for nom in purges if "clôturés" in nom or "vides" in nom} for _f in "ab"
    ]

    assert [list(une.values()) for une in parties] == [[0, 1], [1, 0]]


def test_un_dossier_ou_un_message_n_a_ete_lu_de_personne_n_est_jamais_efface(api, etudiante, admin, avise):
    dossier = clore(fabriques.signalement(acteur_de(etudiante)))
    fil = discussions.discussion(acteur_de(etudiante), signalement=dossier)
    discussions.message(acteur_de(etudiante), fil)  # after it was closed

    call_command("purge")
    assert Signalement.objects.filter(pk=dossier.pk).exists()

    marquer_lus(acteur=acteur_de(admin), discussion=fil)
    call_command("purge")
    assert not Signalement.objects.filter(pk=dossier.pk).exists()
    assert not AlerteDeDossier.objects.exists()


def test_ce_que_l_equipe_a_ecrit_et_que_l_auteur_n_a_pas_lu_n_y_fait_rien(etudiante, admin, avise):
    dossier = clore(fabriques.signalement(acteur_de(etudiante)))
    fil = discussions.discussion(acteur_de(etudiante), signalement=dossier)
    discussions.message(acteur_de(admin), fil)

    call_command("purge")

    assert not Signalement.objects.filter(pk=dossier.pk).exists()
