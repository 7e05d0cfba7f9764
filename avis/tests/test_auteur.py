"""Who reported and asked for it: one neutral mail a day, at their minute, never soon, never of what they have seen."""

import logging
import smtplib
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from cryptography.fernet import Fernet
from django.core.mail.backends.base import BaseEmailBackend
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from accounts.models import Compte
from accounts.services import comptes
from avis.cadences import prochaine_minute
from avis.demandes import confirmer, demander
from avis.entretien import dire_ce_qui_s_est_passe
from avis.familles import familles_nommees
from avis.familles.auteur import Auteur
from avis.models import AdresseInvitee, Avis, Cadence
from avis.services import arreter
from avis.tasks import envoyer_les_avis
from avis.tests.outils import UN_JOUR, passer
from config.tests.outils.clients import acteur_de
from config.tests.outils.typographie import ordinaire
from discussions import services as discussions
from guests.models import SessionInvitee
from guests.tests import fabriques as invites
from personnes.services.effacements import effacer_compte
from portail.tests.outils import Visiteuse
from signalements import services
from signalements.compteurs.suivi import suivre
from signalements.models import Signalement
from signalements.reserve import changer_lecteurs
from signalements.signals import dossiers_joints
from signalements.tests import fabriques
from socle.courriel import SANS_RETOUR
from socle.realtime.models import Evenement
from socle.taches.tests.outils import ServeurAbsent, en_file, faire_les_taches

pytestmark = pytest.mark.django_db
PARIS = ZoneInfo("Europe/Paris")
MIDI = 12 * 60
CANARI = "canari-invite@boite.example.org"


class Refuse(BaseEmailBackend):
    """A mail server that refuses every recipient, as smtplib says it."""

    code = 550

    def send_messages(self, email_messages):
        refuses = {un: (self.code, f"no such user {un}".encode()) for m in email_messages for un in m.recipients()}
        raise smtplib.SMTPRecipientsRefused(refuses)


class RefuseUnMoment(Refuse):
    code = 451


def serveur(classe):
    return f"{classe.__module__}.{classe.__qualname__}"


def a(time_machine, *moment):
    time_machine.move_to(datetime(*moment, tzinfo=PARIS).astimezone(UTC), tick=False)


@pytest.fixture(autouse=True)
def _neuf_heures(time_machine, settings):
    settings.TIME_ZONE_CAMPUS = PARIS
    a(time_machine, 2026, 6, 1, 9, 0)


@pytest.fixture
def compte_prevenu(etudiante):
    """At noon, by an account."""
    Compte.objects.filter(pk=etudiante.pk).update(email_verifie=True)
    comptes.modifier_preferences(compte=etudiante, avis_dossiers=True)
    Cadence.objects.create(pk=etudiante.pk, minute=MIDI)
    return etudiante


@pytest.fixture
def invite_prevenu(invite):
    """At noon, without one."""
    demander(acteur=acteur_de(invite), email=CANARI, langue="fr")
    adresse = AdresseInvitee.objects.get()
    confirmer(adresse)
    AdresseInvitee.objects.update(minute=MIDI)
    DBTaskResult.objects.all().delete()
    return invite


@pytest.fixture(params=["compte", "invité"])
def auteur(request):
    return request.getfixturevalue({"compte": "compte_prevenu", "invité": "invite_prevenu"}[request.param])


@pytest.fixture
def dossier(auteur, time_machine):
    un = fabriques.signalement(acteur_de(auteur))
    Avis.objects.all().delete()
    time_machine.move_to(timezone.now() + timedelta(minutes=5), tick=False)
    return un


def ecrire(qui, dossier):
    acteur = acteur_de(qui)
    fil = dossier.discussions.first() or discussions.ouvrir(acteur=acteur, titre="Suite", signalement_id=dossier.pk)
    discussions.ecrire(acteur=acteur, discussion=fil, contenu="Bonjour")
    return fil


def avancer(gestionnaire, dossier, statut="EN_COURS"):
    services.changer_statut(signalement=dossier, statut=statut, acteur=acteur_de(gestionnaire))


def notees():
    return Avis.objects.filter(nature="SUITE", est_adresse=False).count()


# --- What is noted ----------------------------------------------------------------------------------------------------


def test_ce_que_fait_l_equipe_et_que_l_auteur_voit_est_note(dossier, gestionnaire):
    for acte in (
        lambda: ecrire(gestionnaire, dossier),
        lambda: avancer(gestionnaire, dossier, "EN_ATTENTE"),
    ):
        avant = notees()
        acte()
        assert notees() == avant + 1


def test_confier_un_dossier_nouveau_est_un_statut_et_le_confier_encore_n_en_est_pas_un(dossier, gestionnaire, admin):
    services.assigner(signalement=dossier, gestionnaire_id=gestionnaire.pk, acteur=acteur_de(admin))
    apres = notees()
    services.assigner(signalement=dossier, gestionnaire_id=admin.pk, acteur=acteur_de(admin))

    assert (apres, notees()) == (1, 1)


def test_le_reste_n_est_pas_note(dossier, auteur, gestionnaire, admin):
    ecrire(auteur, dossier)
    services.ajouter_note(signalement=dossier, contenu="Note interne", acteur=acteur_de(gestionnaire))
    services.changer_priorite(signalement=dossier, priorite="CRITICAL", acteur=acteur_de(gestionnaire))
    avancer(gestionnaire, dossier, dossier.statut)
    changer_lecteurs(signalement=dossier, acteur=acteur_de(admin), ecartes=[gestionnaire.pk])

    assert notees() == 0


def test_un_acte_coute_une_ecriture_et_aucune_lecture(dossier, gestionnaire):
    with CaptureQueriesContext(connection) as requetes:
        avancer(gestionnaire, dossier)

    des_avis = [une["sql"] for une in requetes if "avis_avis" in une["sql"] or "preferences" in une["sql"]]
    assert len(des_avis) == 1
    assert des_avis[0].startswith("INSERT")


# --- Who is told, when ------------------------------------------------------------------------------------------------


def test_un_courriel_part_a_son_heure_et_ne_dit_rien(
    dossier, auteur, gestionnaire, time_machine, mailoutbox, evenements
):
    ecrire(gestionnaire, dossier)
    with evenements() as annonces:
        passer(time_machine, timedelta(hours=2, minutes=50))
    avant = list(mailoutbox)

    passer(time_machine, timedelta(minutes=6))

    (message,) = mailoutbox
    entier = message.message().as_bytes().decode() + ordinaire(message.body)
    assert (avant, annonces) == ([], [])
    assert not Evenement.objects.filter(type="avis").exists()
    assert timezone.now().astimezone(PARIS).hour == 12
    for secret in (dossier.reference, dossier.titre, str(dossier.pk), "Awa", "Diop", "HARCELEMENT", "dossier"):
        assert secret not in entier
    assert ordinaire(message.subject) == "Il y a du nouveau dans votre espace"
    assert message.to == [auteur.email if isinstance(auteur, Compte) else CANARI]
    assert (message.from_email, message.cc, message.bcc) == (SANS_RETOUR, [], [])
    assert message.extra_headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert set(message.extra_headers) == {
        *("Auto-Submitted", "X-Auto-Response-Suppress", "From", "Message-ID"),
        *("List-Unsubscribe", "List-Unsubscribe-Post"),
    }


def test_rien_de_l_enveloppe_ni_des_entetes_ne_dit_si_l_on_a_signale_ou_si_l_on_est_de_l_equipe(
    dossier, auteur, gestionnaire, time_machine, mailoutbox
):
    ecrire(auteur, dossier)
    dire_ce_qui_s_est_passe()
    ecrire(gestionnaire, dossier)
    passer(time_machine, UN_JOUR)

    a_l_equipe, a_elle = sorted(mailoutbox, key=lambda message: message.to != [gestionnaire.email])

    assert a_l_equipe.to == [gestionnaire.email] != a_elle.to
    assert a_l_equipe.from_email == a_elle.from_email == SANS_RETOUR
    assert a_l_equipe.message().keys() == a_elle.message().keys()
    assert a_l_equipe.body.partition("?token=")[0] == a_elle.body.partition("?token=")[0]
    arrets = [un.extra_headers["List-Unsubscribe"] for un in (a_l_equipe, a_elle)]
    assert len({len(arret) for arret in arrets}) == 1


def test_jamais_dans_les_deux_heures(dossier, gestionnaire, time_machine, mailoutbox):
    a(time_machine, 2026, 6, 1, 10, 1)
    ecrire(gestionnaire, dossier)
    passer(time_machine, timedelta(hours=3))
    le_jour_meme = list(mailoutbox)

    a(time_machine, 2026, 6, 2, 12, 1)
    passer(time_machine, timedelta(0))

    assert (le_jour_meme, len(mailoutbox)) == ([], 1)


def test_ce_qui_suit_de_pres_n_avance_rien_et_ce_qui_n_est_pas_vu_part_avec(
    dossier, auteur, gestionnaire, time_machine, mailoutbox
):
    ecrire(gestionnaire, dossier)
    dire_ce_qui_s_est_passe()
    a(time_machine, 2026, 6, 1, 11, 30)
    ecrire(gestionnaire, dossier)
    dire_ce_qui_s_est_passe()

    (ligne,) = Avis.objects.filter(nature="SUITE")

    assert ligne.du.astimezone(PARIS).hour == 12
    assert ligne.du.astimezone(PARIS).day == 1


@pytest.mark.parametrize("auteur", ["invité"], indirect=True)
def test_un_acte_d_apres_une_visite_a_ses_deux_heures_a_lui(dossier, gestionnaire, time_machine):
    avancer(gestionnaire, dossier)
    dire_ce_qui_s_est_passe()
    a(time_machine, 2026, 6, 1, 11, 0)
    SessionInvitee.objects.update(date_derniere_activite=timezone.now())
    a(time_machine, 2026, 6, 1, 11, 30)
    avancer(gestionnaire, dossier, "EN_ATTENTE")
    dire_ce_qui_s_est_passe()

    (ligne,) = Avis.objects.filter(nature="SUITE")
    assert ligne.du.astimezone(PARIS).day == 2


def test_un_par_jour_au_plus_quoi_qu_il_arrive(dossier, gestionnaire, time_machine, mailoutbox):
    par_jour = []
    for jour in range(1, 5):
        avant = len(mailoutbox)
        for heure in range(8, 21):
            a(time_machine, 2026, 6, jour, heure, 7)
            ecrire(gestionnaire, dossier)
            passer(time_machine, timedelta(0))
        par_jour.append(len(mailoutbox) - avant)

    assert par_jour == [1, 1, 1, 1]


def test_un_ouvrier_en_retard_ne_fait_pas_deux_courriels_le_meme_jour(dossier, gestionnaire, time_machine, mailoutbox):
    ecrire(gestionnaire, dossier)
    dire_ce_qui_s_est_passe()
    a(time_machine, 2026, 6, 2, 9, 0)  # the worker was away: the mail of the day before leaves
    passer(time_machine, timedelta(0))
    ecrire(gestionnaire, dossier)

    a(time_machine, 2026, 6, 2, 12, 1)
    passer(time_machine, timedelta(0))
    le_jour_meme = len(mailoutbox)
    a(time_machine, 2026, 6, 3, 12, 1)
    passer(time_machine, timedelta(0))

    assert (le_jour_meme, len(mailoutbox)) == (1, 2)


@pytest.mark.parametrize(("mois", "jour"), [(10, 25), (3, 29)])
def test_son_heure_est_la_meme_le_jour_ou_l_heure_change(mois, jour):
    avant = datetime(2026, mois, jour - 1, 20, 0, tzinfo=PARIS).astimezone(UTC)

    du = prochaine_minute(avant + timedelta(hours=2), MIDI + 17)

    assert du.astimezone(PARIS).strftime("%m-%d %H:%M") == f"{mois:02}-{jour} 12:17"


def test_ce_qui_est_lu_entre_temps_ne_part_pas(dossier, auteur, gestionnaire, time_machine, mailoutbox):
    fil = ecrire(gestionnaire, dossier)
    dire_ce_qui_s_est_passe()
    time_machine.move_to(timezone.now() + timedelta(minutes=10), tick=False)
    discussions.marquer_lus(acteur=acteur_de(auteur), discussion=fil)
    if isinstance(auteur, SessionInvitee):  # as any request of theirs does
        SessionInvitee.objects.update(date_derniere_activite=timezone.now())
    else:
        _venir(auteur)

    passer(time_machine, UN_JOUR)

    assert mailoutbox == []
    assert not Avis.objects.filter(nature="SUITE", courrier__isnull=False).exists()


def test_un_message_qu_on_n_a_pas_ouvert_part_quand_meme(dossier, auteur, gestionnaire, time_machine, mailoutbox):
    ecrire(gestionnaire, dossier)
    dire_ce_qui_s_est_passe()
    time_machine.move_to(timezone.now() + timedelta(minutes=10), tick=False)
    SessionInvitee.objects.update(date_derniere_activite=timezone.now())
    if isinstance(auteur, Compte):
        _venir(auteur)

    passer(time_machine, UN_JOUR)

    assert len(mailoutbox) == 1


def test_un_statut_qu_on_est_venu_voir_ne_part_pas(dossier, auteur, gestionnaire, time_machine, mailoutbox):
    avancer(gestionnaire, dossier)
    dire_ce_qui_s_est_passe()
    time_machine.move_to(timezone.now() + timedelta(minutes=10), tick=False)
    SessionInvitee.objects.update(date_derniere_activite=timezone.now())
    if isinstance(auteur, Compte):
        _venir(auteur)

    passer(time_machine, UN_JOUR)

    assert mailoutbox == []


def _venir(compte):
    """Their own space is opened in a browser now."""
    elle = Visiteuse()
    assert elle.se_connecter(compte).status_code == 303
    elle.get("/dossiers/")


def _donner(dossier):
    with suivre(dossier):
        dossier.compte, dossier.invite = None, invites.session_invitee()
        dossier.enregistrer("compte", "invite")


@pytest.mark.parametrize(
    "fermer",
    [
        lambda c: Compte.objects.filter(pk=c.pk).update(est_actif=False),
        lambda c: Compte.objects.filter(pk=c.pk).update(email_verifie=False),
        lambda c: comptes.modifier_preferences(compte=c, avis_dossiers=False),
        lambda c: comptes.modifier_preferences(compte=c, notifications_email=False),
        lambda c: comptes.modifier_preferences(compte=c, notifications_activees=False),
        lambda c: _donner(Signalement.objects.get()),
    ],
    ids=["désactivé", "adresse non vérifiée", "ne le veut plus", "sans e-mail", "sans notification", "plus le sien"],
)
@pytest.mark.parametrize("quand", ["avant l'adresse", "avant l'envoi"])
def test_les_droits_du_compte_sont_redemandes(compte_prevenu, gestionnaire, time_machine, mailoutbox, fermer, quand):
    dossier = fabriques.signalement(acteur_de(compte_prevenu))
    ecrire(gestionnaire, dossier)
    if quand == "avant l'envoi":
        dire_ce_qui_s_est_passe()
        assert Avis.objects.filter(nature="SUITE", destinataire=compte_prevenu).exists()
    fermer(compte_prevenu)

    passer(time_machine, UN_JOUR)

    assert [m for m in mailoutbox if m.to == [compte_prevenu.email]] == []


def test_sans_l_avoir_demande_rien_ne_part(signalement, signalement_invite, gestionnaire, time_machine, mailoutbox):
    for un in (signalement, signalement_invite):
        ecrire(gestionnaire, un)
        avancer(gestionnaire, un)

    passer(time_machine, UN_JOUR)
    passer(time_machine, UN_JOUR)

    assert [m for m in mailoutbox if m.to != [gestionnaire.email]] == []
    assert not Avis.objects.filter(nature="SUITE").exists()


def test_une_adresse_non_confirmee_n_apprend_rien(invite, signalement_invite, gestionnaire, time_machine, mailoutbox):
    demander(acteur=acteur_de(invite), email=CANARI, langue="fr")
    faire_les_taches()
    mailoutbox.clear()
    ecrire(gestionnaire, signalement_invite)

    passer(time_machine, UN_JOUR)

    assert [m for m in mailoutbox if m.to == [CANARI]] == []


def test_un_dossier_joint_mene_a_son_nouveau_proprietaire(
    compte_prevenu, invite_prevenu, gestionnaire, time_machine, mailoutbox
):
    sien, autre, celui_du_compte = (
        fabriques.signalement(acteur_de(qui), titre=titre)
        for qui, titre in ((invite_prevenu, "Un"), (invite_prevenu, "Deux"), (compte_prevenu, "Trois"))
    )
    Avis.objects.all().delete()
    for un in (sien, autre):
        ecrire(gestionnaire, un)
    dire_ce_qui_s_est_passe()
    avancer(gestionnaire, sien)  # noted, addressed once it is joined
    for un in (sien, autre):
        fabriques.joindre(un, celui_du_compte)
    dossiers_joints.send(Signalement, chemins={sien.pk: celui_du_compte.pk, autre.pk: celui_du_compte.pk})
    invites.fusionner(invite_prevenu, compte_prevenu)

    passer(time_machine, UN_JOUR)

    assert [m.to for m in mailoutbox if m.to != [gestionnaire.email]] == [[compte_prevenu.email]]
    assert not AdresseInvitee.objects.exists()


def test_qui_est_de_l_equipe_l_apprend_de_son_dossier_comme_auteur_seul(gestionnaire, admin, time_machine, mailoutbox):
    Compte.objects.filter(pk=gestionnaire.pk).update(email_verifie=True)
    comptes.modifier_preferences(compte=gestionnaire, avis_dossiers=True)
    dossier = fabriques.signalement(acteur_de(gestionnaire))
    Avis.objects.all().delete()
    ecrire(admin, dossier)

    passer(time_machine, timedelta(days=2))

    assert [m.to for m in mailoutbox] == [[gestionnaire.email]]
    assert set(Avis.objects.values_list("nature", flat=True)) == {"SUITE"}


def test_qui_est_de_l_equipe_n_a_pas_deux_courriels_a_la_fois(
    gestionnaire, admin, signalement, time_machine, mailoutbox
):
    """Who reported nothing never has two within the interval."""
    Compte.objects.filter(pk=gestionnaire.pk).update(email_verifie=True)
    comptes.modifier_preferences(compte=gestionnaire, avis_dossiers=True)
    Cadence.objects.create(pk=gestionnaire.pk, minute=MIDI)
    ecrire(admin, fabriques.signalement(acteur_de(gestionnaire)))
    dire_ce_qui_s_est_passe()  # its own, and another's new case, are both due at noon

    combien = []
    for minute in (0, 14, 16, 59):
        a(time_machine, 2026, 6, 1, 12, minute)
        dire_ce_qui_s_est_passe()
        faire_les_taches()
        combien.append(len([m for m in mailoutbox if m.to == [gestionnaire.email]]))

    assert combien == [1, 1, 2, 2]


def test_quitter_l_equipe_ou_ne_plus_lire_n_efface_pas_ce_qu_on_attend_de_son_dossier(gestionnaire, admin, api):
    Compte.objects.filter(pk=gestionnaire.pk).update(email_verifie=True)
    comptes.modifier_preferences(compte=gestionnaire, avis_dossiers=True)
    dossier = fabriques.signalement(acteur_de(gestionnaire))
    ecrire(admin, dossier)
    dire_ce_qui_s_est_passe()

    changer_lecteurs(signalement=dossier, acteur=acteur_de(admin), ecartes=[gestionnaire.pk])
    api(admin).put(f"/api/v1/comptes/{gestionnaire.pk}", {"typeUtilisateur": "UTILISATEUR"})

    assert Avis.objects.filter(nature="SUITE", destinataire=gestionnaire).exists()


def test_un_compte_ferme_puis_rouvert_n_apprend_rien_d_avant(
    compte_prevenu, gestionnaire, admin, time_machine, mailoutbox
):
    ecrire(gestionnaire, fabriques.signalement(acteur_de(compte_prevenu)))
    dire_ce_qui_s_est_passe()
    comptes.desactiver(compte=compte_prevenu, acteur=acteur_de(admin))
    gardes = Avis.objects.filter(destinataire=compte_prevenu).count()
    Compte.objects.filter(pk=compte_prevenu.pk).update(est_actif=True)

    passer(time_machine, UN_JOUR)

    assert (gardes, [m for m in mailoutbox if m.to == [compte_prevenu.email]]) == (0, [])


def test_effacer_des_dossiers_ou_la_personne_efface_ce_qui_attendait(compte_prevenu, gestionnaire):
    ecrire(gestionnaire, fabriques.signalement(acteur_de(compte_prevenu)))
    dire_ce_qui_s_est_passe()

    effacer_compte(compte_prevenu.pk, rejoue=True)

    assert not Avis.objects.filter(destinataire=compte_prevenu).exists()
    assert not Cadence.objects.filter(pk=compte_prevenu.pk).exists()


def test_l_arret_en_un_clic_du_compte_coupe_ses_dossiers(
    compte_prevenu, gestionnaire, client, time_machine, mailoutbox
):
    ecrire(gestionnaire, fabriques.signalement(acteur_de(compte_prevenu)))
    dire_ce_qui_s_est_passe()

    client.post(f"/ne-plus-prevenir?token={compte_prevenu.jeton_d_arret}", {"List-Unsubscribe": "One-Click"})
    passer(time_machine, UN_JOUR)

    assert comptes.preferences_de(compte_prevenu).avis_dossiers is False
    assert [m for m in mailoutbox if m.to == [compte_prevenu.email]] == []


# --- The mail server --------------------------------------------------------------------------------------------------


def test_un_essai_de_plus_a_le_meme_identifiant(dossier, gestionnaire, settings, time_machine, mailoutbox):
    present, settings.EMAIL_BACKEND = settings.EMAIL_BACKEND, serveur(ServeurAbsent)
    ecrire(gestionnaire, dossier)
    passer(time_machine, UN_JOUR)
    courrier = Avis.objects.get(nature="SUITE").courrier
    settings.EMAIL_BACKEND = present
    time_machine.move_to(timezone.now() + timedelta(minutes=1), tick=False)
    faire_les_taches()
    Avis.objects.update(date_envoi=None)  # died before the date

    envoyer_les_avis.call(str(courrier))

    siens = [m.extra_headers["Message-ID"] for m in mailoutbox if m.to != [gestionnaire.email]]
    assert len(siens) == 2
    assert len(set(siens)) == 1
    assert siens[0].startswith(f"<{courrier}@")


def test_un_courriel_que_le_serveur_retarde_est_celui_de_ce_jour(
    dossier, gestionnaire, settings, time_machine, mailoutbox
):
    present, settings.EMAIL_BACKEND = settings.EMAIL_BACKEND, serveur(ServeurAbsent)
    _un_jour_de_plus(gestionnaire, dossier, time_machine)
    for _essai in range(3):
        time_machine.move_to(timezone.now() + timedelta(hours=6), tick=False)
        faire_les_taches()
    settings.EMAIL_BACKEND = present
    _un_jour_de_plus(gestionnaire, dossier, time_machine)  # the noon of another act, while the first is tried
    time_machine.move_to(timezone.now() + timedelta(hours=6), tick=False)
    passer(time_machine, timedelta(0))
    ensemble = len(mailoutbox)
    _un_jour_de_plus(gestionnaire, dossier, time_machine)

    assert (ensemble, len(mailoutbox)) == (1, 2)


def test_une_cle_perdue_ne_tait_pas_tout_le_monde(
    invite_prevenu, compte_prevenu, gestionnaire, settings, time_machine, mailoutbox
):
    for qui in (invite_prevenu, compte_prevenu):
        ecrire(gestionnaire, fabriques.signalement(acteur_de(qui)))
    settings.FIELD_ENCRYPTION_KEYS = [Fernet.generate_key().decode()]

    passer(time_machine, UN_JOUR)

    assert [m.to for m in mailoutbox if m.to != [gestionnaire.email]] == [[compte_prevenu.email]]


def test_une_cle_perdue_apres_un_premier_acte_ne_tait_personne_non_plus(
    invite_prevenu, compte_prevenu, gestionnaire, settings, time_machine, mailoutbox
):
    deux = [fabriques.signalement(acteur_de(qui)) for qui in (invite_prevenu, compte_prevenu)]
    for dossier in deux:
        avancer(gestionnaire, dossier)
    dire_ce_qui_s_est_passe()
    settings.FIELD_ENCRYPTION_KEYS = [Fernet.generate_key().decode()]
    for dossier in deux:  # the guest's first, whose row of before waits
        avancer(gestionnaire, dossier, "EN_ATTENTE")

    passer(time_machine, UN_JOUR)

    assert notees() == 0
    assert [m.to for m in mailoutbox if m.to != [gestionnaire.email]] == [[compte_prevenu.email]]


def test_un_acte_qui_ne_s_adresse_pas_ne_retient_pas_les_autres(
    invite_prevenu, compte_prevenu, gestionnaire, monkeypatch, caplog
):
    un, autre = (fabriques.signalement(acteur_de(qui)) for qui in (invite_prevenu, compte_prevenu))
    for dossier in (un, autre):
        avancer(gestionnaire, dossier)
    tenue = Auteur._tenue
    monkeypatch.setattr(Auteur, "_tenue", lambda soi, dossier: 1 / (dossier.pk != un.pk) and tenue(soi, dossier))

    dire_ce_qui_s_est_passe()

    assert [ligne.objet for ligne in Avis.objects.filter(nature="SUITE", est_adresse=True)] == [autre.pk]
    assert Avis.objects.filter(nature="SUITE", est_adresse=False).get().objet == un.pk  # for the next minute
    assert "ZeroDivisionError" in caplog.text


def test_arreter_puis_redemander_est_prevenu_de_ce_qui_suit(compte_prevenu, gestionnaire, time_machine, mailoutbox):
    dossier = fabriques.signalement(acteur_de(compte_prevenu))
    ecrire(gestionnaire, dossier)
    dire_ce_qui_s_est_passe()
    arreter(compte_prevenu, familles_nommees(""))
    comptes.modifier_preferences(compte=compte_prevenu, avis_dossiers=True)
    ecrire(gestionnaire, dossier)

    passer(time_machine, UN_JOUR)

    assert [m.to for m in mailoutbox if m.to != [gestionnaire.email]] == [[compte_prevenu.email]]


def _un_jour_de_plus(gestionnaire, dossier, time_machine):
    """An act in the morning, and the noon that follows."""
    demain = timezone.now().astimezone(PARIS) + timedelta(days=1)
    time_machine.move_to(demain.replace(hour=8, minute=30), tick=False)
    ecrire(gestionnaire, dossier)
    dire_ce_qui_s_est_passe()
    time_machine.move_to(demain.replace(hour=12, minute=1), tick=False)
    passer(time_machine, timedelta(0))


def test_cinq_refus_de_suite_font_taire_l_adresse(dossier, auteur, gestionnaire, settings, time_machine, mailoutbox):
    present, settings.EMAIL_BACKEND = settings.EMAIL_BACKEND, serveur(Refuse)
    for _jour in range(5):
        _un_jour_de_plus(gestionnaire, dossier, time_machine)
    assert not en_file().exists()  # none of them is tried again
    settings.EMAIL_BACKEND = present

    _un_jour_de_plus(gestionnaire, dossier, time_machine)

    assert mailoutbox == []
    assert not Avis.objects.filter(nature="SUITE").exists()
    if isinstance(auteur, Compte):
        assert Cadence.objects.get().se_tait(auteur.email)
        Compte.objects.filter(pk=auteur.pk).update(email="nouvelle@campus.test")
        _un_jour_de_plus(gestionnaire, dossier, time_machine)
        assert [m.to for m in mailoutbox] == [["nouvelle@campus.test"]]
    else:
        assert AdresseInvitee.objects.get().est_silencieuse


def test_un_courriel_pris_efface_les_refus(dossier, gestionnaire, settings, time_machine, mailoutbox):
    present = settings.EMAIL_BACKEND
    for classe in (Refuse, Refuse, Refuse, Refuse, None, Refuse):
        settings.EMAIL_BACKEND = serveur(classe) if classe else present
        _un_jour_de_plus(gestionnaire, dossier, time_machine)

    assert [*Cadence.objects.values_list("refus", flat=True), *AdresseInvitee.objects.values_list("refus", flat=True)][
        0
    ] == 1


@pytest.mark.parametrize("classe", [RefuseUnMoment, ServeurAbsent])
def test_ni_un_refus_passager_ni_un_serveur_absent_ne_comptent(dossier, gestionnaire, settings, time_machine, classe):
    settings.EMAIL_BACKEND = serveur(classe)
    _un_jour_de_plus(gestionnaire, dossier, time_machine)

    assert en_file().count() == 1
    assert {
        *Cadence.objects.values_list("refus", flat=True),
        *AdresseInvitee.objects.values_list("refus", flat=True),
    } == {0}


@pytest.mark.parametrize("classe", [Refuse, RefuseUnMoment])
def test_un_refus_n_ecrit_l_adresse_ni_au_journal_ni_dans_la_file(
    invite_prevenu, gestionnaire, settings, time_machine, caplog, classe
):
    caplog.set_level(logging.DEBUG)
    settings.EMAIL_BACKEND = serveur(classe)
    dossier = fabriques.signalement(acteur_de(invite_prevenu))
    _un_jour_de_plus(gestionnaire, dossier, time_machine)
    for _essai in range(10):
        time_machine.move_to(timezone.now() + timedelta(days=2), tick=False)
        faire_les_taches()

    assert not en_file().exists()
    file = str(list(DBTaskResult.objects.values_list()))
    assert "boite.example.org" not in caplog.text + file


def test_le_refus_d_une_confirmation_se_sait_et_ne_se_refait_pas(invite, settings):
    settings.EMAIL_BACKEND = serveur(Refuse)
    demander(acteur=acteur_de(invite), email=CANARI, langue="fr")

    faire_les_taches()

    assert AdresseInvitee.objects.get().refus == 1
    assert not en_file().exists()
