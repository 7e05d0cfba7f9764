"""When it is mailed: at once or once a day, never twice, never what has been seen to, and saying nothing."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.services import comptes
from accounts.tests.fabriques import compte
from avis.entretien import avis_perimes, dire_ce_qui_s_est_passe
from avis.mesures import avis_en_retard
from avis.models import Avis, Cadence
from avis.tasks import envoyer_les_avis
from avis.tests.outils import TOUT_DE_SUITE, UN_JOUR, passer
from config.tests.outils.clients import acteur_de
from config.tests.outils.typographie import ordinaire
from discussions import services as discussions
from personnes.services.effacements import effacer_compte
from signalements import services
from signalements.reserve import changer_lecteurs
from signalements.tests import fabriques
from socle.courriel import CONSOLE
from socle.taches.tests.outils import ServeurAbsent, en_file, faire_les_taches

pytestmark = pytest.mark.django_db
SERVEUR_ABSENT = f"{ServeurAbsent.__module__}.{ServeurAbsent.__qualname__}"


@pytest.fixture
def ruth(db):
    return compte(email="ruth@campus.test", prenom="Ruth", nom="Kanza", type_utilisateur="GESTIONNAIRE")


@pytest.fixture(autouse=True)
def _la_nuit(time_machine):
    """Before the first of the hours at which what waits for the day leaves: none is drawn within minutes."""
    time_machine.move_to(timezone.now().replace(hour=3, minute=0, second=0, microsecond=0), tick=False)


@pytest.fixture
def confie(signalement, admin, ruth):
    """Its creation is told to nobody; Ruth has just been given it."""
    Avis.objects.all().delete()
    services.assigner(signalement=signalement, gestionnaire_id=ruth.pk, acteur=acteur_de(admin))
    return signalement


def adresses(mailoutbox):
    return sorted(message.to[0] for message in mailoutbox)


def test_un_dossier_confie_part_tout_de_suite_et_une_fois(confie, time_machine, mailoutbox):
    passer(time_machine, TOUT_DE_SUITE)
    passer(time_machine, UN_JOUR)

    assert adresses(mailoutbox) == ["ruth@campus.test"]


def test_le_courriel_ne_dit_rien_du_dossier(confie, ruth, time_machine, mailoutbox):
    passer(time_machine, TOUT_DE_SUITE)

    (message,) = mailoutbox
    entier = message.message().as_bytes().decode() + ordinaire(message.body)
    for secret in (confie.reference, confie.titre, str(confie.pk), "Ruth", "Kanza", "HARCELEMENT", "dossier"):
        assert secret not in entier
    assert ordinaire(message.subject) == "Il y a du nouveau dans votre espace"
    assert "http://testserver/\n" in message.body or re.search(r"https?://[^/\s]+/\n", message.body)


def test_les_entetes_disent_l_automate_et_l_arret_en_un_clic(confie, client, ruth, time_machine, mailoutbox):
    passer(time_machine, TOUT_DE_SUITE)
    entetes = mailoutbox[0].extra_headers
    adresse = entetes["List-Unsubscribe"].strip("<>")

    reponse = client.post(adresse[adresse.index("/ne-plus") :], {"List-Unsubscribe": "One-Click"})

    assert entetes["Auto-Submitted"] == "auto-generated"
    assert entetes["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert reponse.status_code == 200
    assert set(comptes.preferences_de(ruth).rythmes.values()) == {"JAMAIS"}


def test_arreter_tait_aussi_ce_qui_attendait(confie, client, ruth, time_machine, mailoutbox):
    dire_ce_qui_s_est_passe()
    page = client.get("/ne-plus-prevenir", {"token": ruth.jeton_d_arret})

    client.post("/ne-plus-prevenir", {"token": ruth.jeton_d_arret})
    passer(time_machine, UN_JOUR)

    assert (page.status_code, mailoutbox) == (200, [])
    assert "ruth" not in page.content.decode()


@pytest.mark.parametrize("jeton", ["", "faux", "é\x00", "a" * 5000])
def test_un_lien_faux_n_arrete_rien(client, ruth, jeton):
    assert client.get("/ne-plus-prevenir", {"token": jeton}).status_code == 404
    assert client.post("/ne-plus-prevenir", {"token": jeton}).status_code == 404
    assert comptes.preferences_de(ruth).rythmes["MESSAGE"] == "IMMEDIAT"


def test_un_nouveau_dossier_attend_l_heure_de_chacun(signalement, ruth, gestionnaire, time_machine, mailoutbox):
    passer(time_machine, TOUT_DE_SUITE)
    avant = list(mailoutbox)
    heures = set(Avis.objects.values_list("du", flat=True))

    passer(time_machine, UN_JOUR)

    assert avant == []
    assert all(timezone.now() - UN_JOUR - TOUT_DE_SUITE < heure < timezone.now() for heure in heures)
    assert adresses(mailoutbox) == sorted([gestionnaire.email, "ruth@campus.test"])


def test_plusieurs_avis_font_un_courriel_et_l_intervalle_se_tient(etudiante, admin, ruth, time_machine, mailoutbox):
    def confier():
        dossier = fabriques.signalement(acteur_de(etudiante))
        Avis.objects.a_adresser().filter(nature="NOUVEAU_DOSSIER").delete()
        services.assigner(signalement=dossier, gestionnaire_id=ruth.pk, acteur=acteur_de(admin))

    confier()
    confier()
    passer(time_machine, TOUT_DE_SUITE)
    confier()
    passer(time_machine, TOUT_DE_SUITE)  # less than the interval after the first
    avant = len(mailoutbox)
    passer(time_machine, timedelta(minutes=10))

    assert (avant, len(mailoutbox)) == (1, 2)


def test_ce_qui_fut_vu_entre_temps_ne_part_pas(invite, signalement_invite, gestionnaire, time_machine, mailoutbox):
    Avis.objects.all().delete()
    acteur = acteur_de(invite)
    fil = discussions.ouvrir(acteur=acteur, titre="Suite", signalement_id=signalement_invite.pk)
    discussions.ecrire(acteur=acteur, discussion=fil, contenu="Bonjour")
    dire_ce_qui_s_est_passe()
    fil.refresh_from_db()
    discussions.marquer_lus(acteur=acteur_de(gestionnaire), discussion=fil)

    passer(time_machine, UN_JOUR)

    assert mailoutbox == []
    assert not Avis.objects.filter(courrier__isnull=False).exists()


def test_un_dossier_pris_par_quelqu_un_n_est_plus_nouveau(signalement, gestionnaire, ruth, time_machine, mailoutbox):
    dire_ce_qui_s_est_passe()
    services.assigner(signalement=signalement, gestionnaire_id=ruth.pk, acteur=acteur_de(ruth))

    passer(time_machine, UN_JOUR)

    assert mailoutbox == []


@pytest.mark.parametrize(
    "fermer",
    [
        lambda confie, ruth: changer_lecteurs(
            signalement=confie,
            acteur=acteur_de(compte(email="a2@campus.test", type_utilisateur="ADMIN_SYSTEME")),
            ecartes=[ruth.pk],
        ),
        lambda confie, ruth: type(ruth).objects.filter(pk=ruth.pk).update(est_actif=False),
        lambda confie, ruth: type(ruth).objects.filter(pk=ruth.pk).update(type_utilisateur="UTILISATEUR"),
        lambda confie, ruth: comptes.modifier_preferences(compte=ruth, notifications_email=False),
    ],
    ids=["écartée", "désactivée", "plus de l'équipe", "ne veut plus d'e-mail"],
)
def test_les_droits_sont_redemandes_quand_le_courriel_se_fait(confie, ruth, time_machine, mailoutbox, fermer):
    dire_ce_qui_s_est_passe()
    courrier_en_file = Avis.objects.filter(destinataire=ruth).exists()
    fermer(confie, ruth)

    passer(time_machine, TOUT_DE_SUITE)

    assert courrier_en_file
    assert mailoutbox == []


@pytest.mark.parametrize("rythme", ["IMMEDIAT", "QUOTIDIEN", "JAMAIS"])
def test_chacun_choisit_son_rythme_par_l_api(api, signalement, admin, ruth, time_machine, mailoutbox, rythme):
    Avis.objects.all().delete()
    reponse = api(ruth).put("/api/v1/preferences", {"avis": {"DOSSIER_CONFIE": rythme}})
    services.assigner(signalement=signalement, gestionnaire_id=ruth.pk, acteur=acteur_de(admin))

    passer(time_machine, TOUT_DE_SUITE)
    tout_de_suite = len(mailoutbox)
    passer(time_machine, UN_JOUR)

    assert reponse.json()["data"]["avis"] == {
        "NOUVEAU_DOSSIER": "QUOTIDIEN",
        "DOSSIER_CRITIQUE": "IMMEDIAT",
        "DOSSIER_CONFIE": rythme,
        "DOSSIER_REPRIS": "IMMEDIAT",
        "MESSAGE": "IMMEDIAT",
        "ECHEANCE_PROCHE": "IMMEDIAT",
        "ECHEANCE_DU_JOUR": "IMMEDIAT",
        "ECHEANCE_DEPASSEE": "IMMEDIAT",
    }
    assert (tout_de_suite, len(mailoutbox)) == {"IMMEDIAT": (1, 1), "QUOTIDIEN": (0, 1), "JAMAIS": (0, 0)}[rythme]


@pytest.mark.parametrize(
    "avis", [{"AUTRE": "JAMAIS"}, {"MESSAGE": "PARFOIS"}, {"MESSAGE": 1}, {"MESSAGE": None}, [], "JAMAIS", 3]
)
def test_un_rythme_inconnu_est_refuse(api, ruth, avis):
    reponse = api(ruth).put("/api/v1/preferences", {"avis": avis})

    assert reponse.status_code == 422
    assert comptes.preferences_de(ruth).avis == {}


def test_un_serveur_absent_retarde_et_le_second_essai_a_le_meme_identifiant(
    confie, ruth, settings, time_machine, mailoutbox
):
    present, settings.EMAIL_BACKEND = settings.EMAIL_BACKEND, SERVEUR_ABSENT
    passer(time_machine, TOUT_DE_SUITE)
    courrier = Avis.objects.get(destinataire=ruth).courrier
    avant = (list(mailoutbox), en_file().count())

    settings.EMAIL_BACKEND = present
    time_machine.move_to(timezone.now() + timedelta(minutes=1), tick=False)
    faire_les_taches()

    assert avant == ([], 1)
    assert mailoutbox[0].extra_headers["Message-ID"].startswith(f"<{courrier}@")


def test_un_courriel_refait_apres_un_arret_a_le_meme_identifiant_et_un_envoye_ne_se_refait_pas(
    confie, ruth, time_machine, mailoutbox
):
    passer(time_machine, TOUT_DE_SUITE)
    ligne = Avis.objects.get(destinataire=ruth)
    envoyer_les_avis.call(str(ligne.courrier))  # the task again: its mail is dated
    Avis.objects.filter(pk=ligne.pk).update(date_envoi=None)  # died before the date

    envoyer_les_avis.call(str(ligne.courrier))

    assert len({message.extra_headers["Message-ID"] for message in mailoutbox}) == 1
    assert len(mailoutbox) == 2


def test_un_avis_part_un_jour_apres_son_courriel_et_un_vain_apres_une_semaine(confie, ruth, time_machine):
    passer(time_machine, TOUT_DE_SUITE)
    tot = avis_perimes(simulation=True)
    time_machine.move_to(timezone.now() + UN_JOUR, tick=False)

    assert (tot, avis_perimes(simulation=False)) == (0, 1)
    Avis.objects.create(nature="MESSAGE", objet=confie.pk, est_adresse=True, destinataire=ruth, du=timezone.now())
    time_machine.move_to(timezone.now() + timedelta(days=6), tick=False)
    encore = avis_perimes(simulation=True)
    time_machine.move_to(timezone.now() + timedelta(days=2), tick=False)
    assert (encore, avis_perimes(simulation=False)) == (0, 1)


def test_sans_serveur_d_e_mail_rien_ne_s_ecrit_a_la_console_et_l_avis_attend(
    confie, ruth, settings, time_machine, mailoutbox, capfd
):
    avec, settings.EMAIL_BACKEND = settings.EMAIL_BACKEND, CONSOLE
    passer(time_machine, timedelta(days=2))
    avis_perimes(simulation=False)
    sans, en_retard = "".join(capfd.readouterr()), avis_en_retard().samples[0].value
    settings.EMAIL_BACKEND = avec

    passer(time_machine, TOUT_DE_SUITE)

    assert (ruth.email in sans, en_retard) == (False, 0)
    assert [m.to for m in mailoutbox if m.to == [ruth.email]] == [[ruth.email]]


def test_effacer_une_personne_efface_ses_avis(confie, ruth):
    dire_ce_qui_s_est_passe()
    type(ruth).objects.filter(pk=ruth.pk).update(est_actif=False)

    effacer_compte(ruth.pk, rejoue=True)

    assert not Avis.objects.filter(destinataire=ruth).exists()
    assert not Cadence.objects.filter(pk=ruth.pk).exists()
