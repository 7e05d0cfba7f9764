"""The address of a guest: wanted, confirmed from there, shown to nobody, erased with all that it was to be told."""

import re
from datetime import timedelta

import pytest
from cryptography.fernet import Fernet
from django.conf import settings as reglages
from django.contrib import admin as site
from django.core.management import call_command
from django.utils import timezone

from accounts.tests.outils import entrer
from avis.entretien import adresses_perimees
from avis.models import AdresseInvitee, Avis
from config.tests.outils.clients import acteur_de
from config.tests.outils.typographie import ordinaire
from guests.fusion.retour import annuler
from guests.models import AuditFusion
from guests.tests import fabriques
from guests.tests.outils import tout_ce_qui_est_stocke
from personnes.services.effacements import effacer_session
from personnes.tests.test_api_export import lu, ouvrir
from signalements import services
from signalements.tests.fabriques import signalement as nouveau_dossier
from socle.courriel import CONSOLE, SANS_RETOUR
from socle.domaine.limites import Taux, consommer
from socle.erreurs import TropDeRequetes
from socle.taches.tests.outils import en_file, faire_les_taches

pytestmark = pytest.mark.django_db
URL = "/api/v1/guest/avis"
CANARI = "canari-invite@boite.example.org"
RIEN = {"demande": False, "confirme": False, "silencieux": False, "emailMasked": None}
LIEN = re.compile(r"/confirmer-e-mail\?token=\S+")


@pytest.fixture
def elle(api, invite):
    return api(invite)


def demander(elle, email=CANARI):
    reponse = elle.put(URL, {"email": email})
    faire_les_taches()
    return reponse


def suivre_le_lien(client, mailoutbox):
    adresse = LIEN.search(mailoutbox[-1].body)[0]
    return client.get(adresse), client.post(adresse.partition("?")[0], {"token": adresse.partition("token=")[2]})


@pytest.fixture
def confirmee(elle, client, mailoutbox):
    demander(elle)
    assert suivre_le_lien(client, mailoutbox)[1].status_code == 200
    mailoutbox.clear()
    return AdresseInvitee.objects.get()


def test_une_adresse_se_demande_se_confirme_et_s_arrete(elle, client, mailoutbox):
    avant = elle.get(URL).json()["data"]
    demandee = demander(elle)
    attend = elle.get(URL).json()["data"]
    page, confirmation = suivre_le_lien(client, mailoutbox)
    confirmee = elle.get(URL).json()["data"]
    deja = demander(elle)
    arretee = elle.delete(URL)

    assert avant == RIEN
    assert (demandee.status_code, attend["demande"], attend["confirme"]) == (202, True, False)
    assert attend["emailMasked"] == "c************@boite.example.org"
    assert (page.status_code, confirmation.status_code) == (200, 200)
    assert CANARI not in page.content.decode() + confirmation.content.decode()
    assert confirmee["confirme"] is True
    assert (deja.status_code, len(mailoutbox)) == (200, 1)
    assert (arretee.status_code, arretee.json()["data"]) == (200, RIEN)
    assert not AdresseInvitee.objects.exists()


def test_le_courriel_de_confirmation_ne_dit_ni_dossier_ni_signalement(elle, mailoutbox):
    demander(elle)

    (message,) = mailoutbox
    entier = message.message().as_bytes().decode() + ordinaire(message.body)
    for secret in ("signal", "dossier", "harc", "violence", "invité", "Diop", "référence"):
        assert secret not in entier.lower()
    assert ordinaire(message.subject) == "Confirmez votre adresse e-mail"
    assert message.to == [CANARI]
    assert message.from_email == SANS_RETOUR
    assert message.message()["From"] == reglages.DEFAULT_FROM_EMAIL
    assert "List-Unsubscribe" not in message.extra_headers


def test_ouvrir_le_lien_ne_confirme_rien_et_le_bouton_une_fois_ou_deux(elle, client, mailoutbox):
    demander(elle)
    adresse = LIEN.search(mailoutbox[-1].body)[0]
    for _fois in range(3):
        client.get(adresse)
        client.head(adresse)
    ouvert = AdresseInvitee.objects.get().est_confirmee

    pages = [suivre_le_lien(client, mailoutbox)[1].status_code for _fois in range(2)]

    assert (ouvert, pages) == (False, [200, 200])
    assert AdresseInvitee.objects.get().est_confirmee


@pytest.mark.parametrize("jeton", ["", "faux", "é\x00", "a" * 5000])
def test_un_faux_jeton_n_ouvre_rien(client, confirmee, jeton):
    assert client.get("/confirmer-e-mail", {"token": jeton}).status_code == 404
    assert client.post("/confirmer-e-mail", {"token": jeton}).status_code == 404


def test_un_jeton_n_ouvre_que_sa_page_et_n_est_pas_la_cle_de_la_session(client, confirmee, invite):
    assert client.post("/confirmer-e-mail", {"token": confirmee.jeton_d_arret}).status_code == 404
    assert client.post("/ne-plus-prevenir", {"token": confirmee.jeton_de_confirmation}).status_code == 404
    for cle in (invite.pk, invite.guest_id):
        assert cle.hex not in confirmee.jeton_d_arret + confirmee.jeton_de_confirmation


def test_le_lien_perime_ou_remplace_est_mort(elle, client, mailoutbox, time_machine):
    demander(elle)
    ancien = mailoutbox[-1].body
    demander(elle, "autre@boite.example.org")
    adresse = LIEN.search(ancien)[0]
    remplacee = client.get(adresse).status_code
    time_machine.move_to(timezone.now() + timedelta(days=3, minutes=1), tick=False)

    page, confirmation = suivre_le_lien(client, mailoutbox)

    assert (remplacee, page.status_code, confirmation.status_code) == (404, 404, 404)
    assert adresses_perimees(simulation=True) == 1
    assert adresses_perimees(simulation=False) == 1
    assert not AdresseInvitee.objects.exists()


def test_l_arret_du_courriel_efface_sans_compte(client, confirmee, invite):
    Avis.objects.create(nature="SUITE", objet=invite.pk, est_adresse=True, invite=invite)
    adresse = f"/ne-plus-prevenir?token={confirmee.jeton_d_arret}"
    page = client.get(adresse)

    reponse = client.post(adresse, {"List-Unsubscribe": "One-Click"})

    assert (page.status_code, reponse.status_code) == (200, 200)
    assert CANARI not in page.content.decode() + reponse.content.decode()
    assert not AdresseInvitee.objects.exists()
    assert not Avis.objects.filter(invite=invite).exists()


def test_le_lien_d_arret_repond_apres_comme_avant_et_comme_celui_d_un_compte(client, confirmee, etudiante):
    """Who reads a shared mailbox, and follows the link twice, learns nothing of whose it is."""
    liens = [f"/ne-plus-prevenir?token={jeton}" for jeton in (confirmee.jeton_d_arret, etudiante.jeton_d_arret)]

    for _fois in range(2):
        reponses = [(client.get(lien), client.post(lien, {"List-Unsubscribe": "One-Click"})) for lien in liens]
        assert [(page.status_code, fait.status_code) for page, fait in reponses] == [(200, 200)] * 2
        assert len({ordinaire(fait.content.decode()) for _page, fait in reponses}) == 1


def test_l_arret_reste_possible_ou_les_invites_ne_font_plus_que_lire(elle, confirmee, settings):
    settings.GUEST_MODE_STAGE = "read"

    redemandee, arretee = elle.put(URL, {"email": CANARI}), elle.delete(URL)

    assert (redemandee.status_code >= 400, arretee.status_code) == (True, 200)
    assert not AdresseInvitee.objects.exists()


def test_le_lien_d_une_adresse_remplacee_n_efface_pas_la_nouvelle(elle, client, confirmee):
    demander(elle, "autre@boite.example.org")

    assert client.post("/ne-plus-prevenir", {"token": confirmee.jeton_d_arret}).status_code == 200
    assert AdresseInvitee.objects.get().adresse == "autre@boite.example.org"


@pytest.fixture
def illisible(confirmee, settings):
    """The key that it was kept with is lost."""
    settings.FIELD_ENCRYPTION_KEYS = [Fernet.generate_key().decode()]
    return confirmee


def test_une_adresse_que_rien_n_ouvre_plus_se_redonne(elle, illisible):
    lue = elle.get(URL)
    redonnee = demander(elle)

    assert (lue.status_code, lue.json()["data"]) == (200, RIEN | {"demande": True})
    assert (redonnee.status_code, redonnee.json()["data"]["confirme"]) == (202, False)
    assert elle.get(URL).json()["data"]["emailMasked"] == "c************@boite.example.org"
    assert AdresseInvitee.objects.get().pk != illisible.pk


def test_une_adresse_que_rien_n_ouvre_plus_s_efface(elle, client, illisible):
    page = client.get("/confirmer-e-mail", {"token": illisible.jeton_de_confirmation})

    assert page.status_code == 200
    assert (elle.delete(URL).status_code, AdresseInvitee.objects.exists()) == (200, False)


def test_l_export_se_fait_sans_l_adresse_ni_le_numero_que_rien_n_ouvre_plus(elle, illisible):
    fichiers = lu(ouvrir(elle.get("/api/v1/guest/export")))

    assert [une["emailMasked"] for une in fichiers["adresse-d-avis.json"]] == [None]
    assert [une["telephoneMasked"] for une in fichiers["session-invitee.json"]] == [None]


def test_rien_ne_part_a_une_adresse_que_rien_n_ouvre_plus(elle, settings, mailoutbox):
    elle.put(URL, {"email": CANARI})
    settings.FIELD_ENCRYPTION_KEYS = [Fernet.generate_key().decode()]

    faire_les_taches()

    assert (mailoutbox, en_file().exists()) == ([], False)


def test_sans_serveur_d_e_mail_rien_n_est_garde_ni_montre(elle, settings, capfd):
    settings.EMAIL_BACKEND = CONSOLE

    reponse = demander(elle)

    assert (reponse.status_code, reponse.json()["code"]) == (409, "MAILS_NON_REMIS")
    assert not AdresseInvitee.objects.exists()
    assert not en_file().exists()
    assert CANARI not in "".join(capfd.readouterr())


def test_un_serveur_retire_ensuite_n_ecrit_pas_l_adresse_a_la_console(elle, settings, capfd):
    elle.put(URL, {"email": CANARI})
    settings.EMAIL_BACKEND = CONSOLE

    faire_les_taches()

    assert CANARI not in "".join(capfd.readouterr())


@pytest.mark.parametrize(
    "corps", [{}, {"email": ""}, {"email": "sans arobase"}, {"email": None}, {"email": ["a@b.fr"]}]
)
def test_une_adresse_illisible_est_refusee(elle, corps):
    assert elle.put(URL, corps).status_code == 422
    assert not AdresseInvitee.objects.exists()


def test_une_session_ne_demande_pas_sans_fin(elle, mailoutbox, settings):
    settings.THROTTLE_ENABLED = True
    statuts = [demander(elle, f"a{rang}@boite.example.org").status_code for rang in range(7)]

    assert statuts == [202] * 5 + [429] * 2
    assert len(mailoutbox) == 5
    assert AdresseInvitee.objects.get().adresse == "a4@boite.example.org"


def test_une_adresse_ne_recoit_pas_sans_fin_et_qui_demande_ne_sait_pas_qu_un_autre_l_a_fait(api, mailoutbox, settings):
    settings.THROTTLE_ENABLED = True
    reponses = [demander(api(fabriques.session_invitee())) for _fois in range(5)]

    assert {(un.status_code, str(un.json()["data"])) for un in reponses} == {(202, str(reponses[0].json()["data"]))}
    assert len(mailoutbox) == 3


def test_une_boite_sous_plusieurs_etiquettes_est_la_meme(elle, mailoutbox, settings):
    settings.THROTTLE_ENABLED = True
    statuts = [demander(elle, f"cible+{rang}@boite.example.org").status_code for rang in range(5)]

    assert statuts == [202] * 5
    assert [m.to for m in mailoutbox] == [[f"cible+{rang}@boite.example.org"] for rang in range(3)]


def test_qui_demande_sans_fin_d_un_ordinateur_n_empeche_pas_d_y_redemander_un_mot_de_passe(api, settings):
    settings.THROTTLE_ENABLED = True
    settings.THROTTLES = {**settings.THROTTLES, "notice_address": Taux.lire("3/h")}
    statuts = [
        api(fabriques.session_invitee()).put(URL, {"email": f"a{rang}@boite.example.org"}).status_code
        for rang in range(4)
    ]

    assert statuts == [202] * 3 + [429]
    with pytest.raises(TropDeRequetes):
        consommer("notice_address", "127.0.0.1", pas=0)
    consommer("forgot_password_address", "127.0.0.1", pas=settings.THROTTLES["forgot_password_address"].nombre)


@pytest.mark.parametrize(
    "email", ["=?utf-8?q?cible?=@boite.test", "=?utf-8?q?a=0d=0ab?=@boite.test", "=?x?b??=@b.test"]
)
def test_une_adresse_qui_en_cache_une_autre_est_refusee(elle, mailoutbox, email):
    """The mail would go to « cible », past the count of its mailbox; or raise, for two days."""
    assert demander(elle, email).status_code == 422
    assert mailoutbox == []


def test_redemander_la_meme_garde_bon_le_lien_d_avant(elle, client, mailoutbox):
    demander(elle)
    premier = LIEN.search(mailoutbox[0].body)[0]
    demander(elle)

    page = client.post(premier.partition("?")[0], {"token": premier.partition("token=")[2]})

    assert (page.status_code, AdresseInvitee.objects.get().est_confirmee) == (200, True)


@pytest.mark.parametrize(("fermer", "statut"), [("fusionner", 409), ("desactiver", 403)])
def test_une_session_fermee_ne_demande_rien(elle, invite, etudiante, fermer, statut):
    {
        "fusionner": lambda: fabriques.fusionner(invite, etudiante),
        "desactiver": lambda: fabriques.desactiver(invite),
    }[fermer]()

    assert {elle.get(URL).status_code, elle.put(URL, {"email": CANARI}).status_code, elle.delete(URL).status_code} == {
        statut
    }
    assert not AdresseInvitee.objects.exists()


@pytest.mark.parametrize("fin", ["fusion", "désactivation", "effacement", "clos depuis un mois", "arrêt"])
def test_l_adresse_s_efface_avec_ce_qui_la_rendait_utile(
    elle, confirmee, invite, signalement_invite, etudiante, admin, gestionnaire, time_machine, fin
):
    Avis.objects.create(nature="SUITE", objet=signalement_invite.pk, est_adresse=True, invite=invite)
    if fin == "fusion":
        fabriques.fusionner(invite, etudiante)
    elif fin == "désactivation":
        fabriques.desactiver(invite)
    elif fin == "effacement":
        effacer_session(invite.pk, rejoue=True)
    elif fin == "arrêt":
        elle.delete(URL)
    else:
        services.changer_statut(signalement=signalement_invite, statut="CLOTURE", acteur=acteur_de(gestionnaire))
        time_machine.move_to(timezone.now() + timedelta(days=29), tick=False)
        assert adresses_perimees(simulation=False) == 0
        time_machine.move_to(timezone.now() + timedelta(days=2), tick=False)
        call_command("purge")

    assert not AdresseInvitee.objects.exists()
    assert not Avis.objects.filter(invite=invite).exists()


def test_un_autre_dossier_ouvert_la_garde(confirmee, invite, signalement_invite, gestionnaire, time_machine):
    services.changer_statut(signalement=signalement_invite, statut="CLOTURE", acteur=acteur_de(gestionnaire))
    nouveau_dossier(acteur_de(invite))
    time_machine.move_to(timezone.now() + timedelta(days=90), tick=False)

    assert adresses_perimees(simulation=False) == 0


def test_defaire_une_fusion_ne_la_rend_pas(confirmee, invite, signalement_invite, etudiante):
    fabriques.fusionner(invite, etudiante)

    annuler(AuditFusion.objects.get())

    assert not AdresseInvitee.objects.exists()


def test_l_adresse_n_est_ecrite_nulle_part_en_clair(elle, client, mailoutbox, evenements, caplog):
    with evenements() as annonces:
        demander(elle)
        suivre_le_lien(client, mailoutbox)

    assert AdresseInvitee.objects.get().adresse == CANARI
    assert CANARI not in tout_ce_qui_est_stocke()
    assert CANARI not in str(annonces) + caplog.text
    assert annonces == []


def test_aucune_page_de_l_administration_ne_la_montre(confirmee, invite, admin):
    client = entrer(admin.email)
    pages = [client.get(f"/admin/guests/sessioninvitee/{suite}") for suite in ("", f"{invite.pk}/change/")]

    assert AdresseInvitee not in site.site._registry
    assert [page.status_code for page in pages] == [200, 200]
    assert not any("boite.example.org" in page.content.decode() for page in pages)


def test_seul_son_export_la_porte_masquee(elle, confirmee):
    donnees = lu(ouvrir(elle.get("/api/v1/guest/export")))

    (adresse,) = donnees["adresse-d-avis.json"]
    assert adresse["emailMasked"] == "c************@boite.example.org"
    assert set(adresse) == {"emailMasked", "langue", "dateDemande", "dateConfirmation"}
    assert CANARI not in str(donnees)
