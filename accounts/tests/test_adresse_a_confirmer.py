"""An address that an administrator changes counts once it is confirmed; who reads the former one is told of it."""

import html
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from accounts.models import Compte, DemandeAdresse
from accounts.services import comptes
from accounts.tests import fabriques
from accounts.tests.fabriques import MOT_DE_PASSE
from accounts.tests.outils import demander_une_adresse, ensemble, entrer, jeton_recu, lien_recu, se_connecter
from config.tests.outils import acteur_de, client_de
from config.tests.outils.typographie import ordinaire
from personnes.services.effacements import effacer_compte
from socle.audit.models import Trace
from socle.taches.tests.outils import faire_les_taches

pytestmark = pytest.mark.django_db
URL = "/api/v1/comptes/"
NOUVELLE = "eva@campus.test"
NOUVEAU = "Baobab-penché-77"


@pytest.fixture
def demander(api, admin, etudiante):
    def demander_pour(compte: Any = None, email: str = NOUVELLE) -> Any:
        reponse = api(admin).put(f"{URL}{(compte or etudiante).pk}", {"email": email})
        faire_les_taches()
        return reponse

    return demander_pour


def recus(mailoutbox, adresse):
    return [message for message in mailoutbox if message.to == [adresse]]


def page_de(message):
    """The link's path, as a browser opens it."""
    return lien_recu(message).partition("://")[2].partition("/")[2]


def ouvrir(message):
    chemin = f"/{page_de(message)}"
    return Client().get(chemin)


def valider(message):
    return Client().post(f"/{page_de(message).partition('?')[0]}", {"token": jeton_recu(message)})


def test_une_adresse_attend_d_etre_confirmee_et_l_ancienne_ouvre_jusque_la(api, admin, etudiante, demander, mailoutbox):
    recu = demander().json()["data"]

    assert (recu["email"], recu["emailEnAttente"]) == ("awa@campus.test", NOUVELLE)
    assert se_connecter(etudiante).status_code == 200
    assert se_connecter(etudiante, email=NOUVELLE).status_code == 401
    (lu,) = [un for un in api(admin).get(URL).json()["data"]["items"] if un["id"] == str(etudiante.pk)]
    assert lu["emailEnAttente"] == NOUVELLE

    assert valider(recus(mailoutbox, NOUVELLE)[0]).status_code == 200
    assert se_connecter(etudiante).status_code == 401
    assert se_connecter(etudiante, email=NOUVELLE).status_code == 200
    apres = api(admin).get(f"{URL}{etudiante.pk}").json()["data"]
    assert (apres["email"], apres["emailEnAttente"], apres["emailVerifie"]) == (NOUVELLE, None, True)


def test_le_lien_dit_ce_qu_il_fait_et_ne_nomme_personne(etudiante, demander, mailoutbox):
    demander()

    (message,) = recus(mailoutbox, NOUVELLE)
    texte = ouvrir(message).content.decode()

    assert NOUVELLE in texte
    for ecrit in (texte, message.subject, message.body, message.alternatives[0][0]):
        assert [mot for mot in ("Awa", "Diop", "awa@campus.test", "Rose") if mot in ecrit] == []
    assert Compte.objects.get(pk=etudiante.pk).email == "awa@campus.test"  # opening is not confirming


def test_l_ancienne_adresse_l_apprend_aussitot_puis_quand_elle_ne_compte_plus(etudiante, demander, mailoutbox):
    Compte.objects.update(email_verifie=True)
    demander()
    aussitot = [ordinaire(message.subject) for message in recus(mailoutbox, "awa@campus.test")]

    valider(recus(mailoutbox, NOUVELLE)[0])
    faire_les_taches()

    assert aussitot == ["Votre compte va changer d'adresse"]
    dits = recus(mailoutbox, "awa@campus.test")
    assert [ordinaire(message.subject) for message in dits] == [*aussitot, "Votre compte a changé d'adresse"]
    assert [message.body.partition("\n")[0] for message in dits] == ["Bonjour Awa,"] * 2
    assert not any(NOUVELLE in message.body + message.alternatives[0][0] for message in dits)


def test_l_ancienne_adresse_l_apprend_meme_quand_le_serveur_de_courriels_tarde(api, admin, etudiante, mailoutbox):
    api(admin).put(f"{URL}{etudiante.pk}", {"email": NOUVELLE})
    jeton = DemandeAdresse.objects.get().jeton
    Client().post("/confirmer-adresse", {"token": jeton})

    faire_les_taches()

    assert len(recus(mailoutbox, "awa@campus.test")) == 2
    assert recus(mailoutbox, NOUVELLE) == []  # its link has served


def test_s_y_opposer_ne_fait_que_demander_a_l_administration_et_une_fois(etudiante, admin, demander, mailoutbox):
    autre = fabriques.admin(email="reine@campus.test")
    demander()
    (message,) = recus(mailoutbox, "awa@campus.test")

    for _fois in range(2):
        assert valider(message).status_code == 200
        faire_les_taches()

    contestees = [une for une in mailoutbox if ordinaire(une.subject) == "Un changement d'adresse est contesté"]
    assert [une.to[0] for une in contestees] == [autre.email]  # who asked is not the one to judge
    assert f"/admin/accounts/compte/{etudiante.pk}/change/" in contestees[0].body
    assert not any("awa" in une.body or NOUVELLE in une.body for une in contestees)
    page = entrer(admin.email).get(f"/admin/accounts/compte/{etudiante.pk}/change/").content.decode()
    assert f"{NOUVELLE}, à confirmer jusqu" in page
    assert "qui lit awa@campus.test ne s" in page
    assert valider(recus(mailoutbox, NOUVELLE)[0]).status_code == 200  # it stopped nothing


def test_un_changement_deja_confirme_se_conteste_encore(etudiante, admin, demander, mailoutbox):
    demander()
    valider(recus(mailoutbox, NOUVELLE)[0])

    assert valider(recus(mailoutbox, "awa@campus.test")[0]).status_code == 200

    page = entrer(admin.email).get(f"/admin/accounts/compte/{etudiante.pk}/change/").content.decode()
    assert f"{NOUVELLE}, confirmée ; qui lit awa@campus.test ne s" in page


MORTS = {
    "déjà servi": lambda demande, admin: Client().post("/confirmer-adresse", {"token": demande.jeton}),
    "remplacé": lambda demande, admin: client_de(admin).put(f"{URL}{demande.compte_id}", {"email": "lea2@campus.test"}),
    "renoncé": lambda demande, admin: client_de(admin).delete(f"{URL}{demande.compte_id}/email-en-attente"),
    "expiré": lambda demande, admin: DemandeAdresse.objects.update(date_expiration=timezone.now()),
    "compte désactivé": lambda demande, admin: client_de(admin).put(f"{URL}{demande.compte_id}/deactivate"),
    "mot de passe changé": lambda demande, admin: client_de(demande.compte).put(
        f"{URL}me/password", {"ancienMotDePasse": MOT_DE_PASSE, "nouveauMotDePasse": NOUVEAU}
    ),
    "mot de passe imposé": lambda demande, admin: client_de(admin).put(
        f"{URL}{demande.compte_id}/reset-password", {"nouveauMotDePasse": NOUVEAU}
    ),
    "désactivé, puis réactivé": lambda demande, admin: [
        client_de(admin).put(f"{URL}{demande.compte_id}/{acte}") for acte in ("deactivate", "reactivate")
    ],
    "compte effacé": lambda demande, admin: effacer_compte(demande.compte_id),
}


@pytest.mark.parametrize("cas", MORTS)
def test_un_lien_mort_le_dit_et_ne_change_rien(cas, admin, etudiante, demander):
    demander()
    demande = DemandeAdresse.objects.select_related("compte").get()
    MORTS[cas](demande, admin)
    avant = Compte.objects.get(pk=etudiante.pk).email

    for reponse in (
        Client().get("/confirmer-adresse", {"token": demande.jeton}),
        Client().post("/confirmer-adresse", {"token": demande.jeton}),
    ):
        texte = reponse.content.decode()
        assert (reponse.status_code, "plus valable" in texte, "Mon compte" in texte) == (404, True, True)
        assert 'href="/compte/connexion/"' in texte
        assert not {un for un in (demande.email, etudiante.email, etudiante.prenom) if un in texte}
    assert Compte.objects.get(pk=etudiante.pk).email == avant


@pytest.mark.parametrize("autre", ["jeton_de_contestation", "jeton"])
def test_un_jeton_n_ouvre_que_sa_page(autre, etudiante, demander):
    demander()
    page = "/confirmer-adresse" if autre == "jeton_de_contestation" else "/contester-adresse"

    reponse = Client().post(page, {"token": getattr(DemandeAdresse.objects.get(), autre)})

    assert reponse.status_code == 404
    demande = DemandeAdresse.objects.get()
    assert (demande.date_confirmation, demande.date_contestation) == (None, None)


def test_ce_qui_est_conteste_reste_dit_quoi_que_demande_encore_qui_l_a_demande(etudiante, admin, demander, mailoutbox):
    demander()
    valider(recus(mailoutbox, "awa@campus.test")[0])

    demander()
    valider(recus(mailoutbox, NOUVELLE)[-1])
    demander(email="encore@campus.test")

    page = entrer(admin.email).get(f"/admin/accounts/compte/{etudiante.pk}/change/").content.decode()
    assert f"{NOUVELLE}, abandonnée ; qui lit awa@campus.test ne s" in page
    assert "encore@campus.test, à confirmer" in page


def test_le_registre_ne_fait_pas_de_la_personne_l_auteur_de_ce_qu_un_lien_a_fait(
    gestionnaire, admin, demander, mailoutbox
):
    demander(gestionnaire)
    valider(recus(mailoutbox, gestionnaire.email)[0])
    valider(recus(mailoutbox, NOUVELLE)[0])

    lus = {une.acte: une for une in Trace.objects.filter(objet=gestionnaire.pk)}
    for acte in ("ADRESSE_CONFIRMEE", "ADRESSE_CONTESTEE"):
        assert (lus[acte].acteur, lus[acte].details) == (None, {"demandeePar": str(admin.pk)})
    assert "SON_COMPTE_MODIFIE" not in lus
    assert LogEntry.objects.latest("pk").user == admin


def test_une_administratrice_seule_dont_on_prend_l_adresse_ne_previent_pas_le_voleur(api, admin, mailoutbox, caplog):
    api(admin).put(f"{URL}me", {"email": NOUVELLE})
    faire_les_taches()
    valider(recus(mailoutbox, NOUVELLE)[0])
    mailoutbox.clear()

    valider_la_contestation = Client().post(
        "/contester-adresse", {"token": DemandeAdresse.objects.get().jeton_de_contestation}
    )
    faire_les_taches()

    assert valider_la_contestation.status_code == 200
    assert [une for une in mailoutbox if ordinaire(une.subject) == "Un changement d'adresse est contesté"] == []
    assert "aucun administrateur n'est là pour l'apprendre" in caplog.text


def test_d_un_compte_desactive_l_adresse_ne_change_pas(api, admin, etudiante, demander, mailoutbox):
    api(admin).put(f"{URL}{etudiante.pk}/deactivate")

    reponse = demander()

    assert (reponse.status_code, "réactivez-le d'abord" in reponse.json()["message"]) == (409, True)
    assert recus(mailoutbox, NOUVELLE) == []


def test_une_adresse_demandee_par_erreur_reste_a_qui_elle_est(api, admin, etudiante, demander):
    """Erasing the one leaves the invitation of the other."""
    demander()
    api(admin).delete(f"{URL}{etudiante.pk}/email-en-attente")
    invitation = fabriques.invitation(admin, email=NOUVELLE)

    effacer_compte(etudiante.pk)

    invitation.refresh_from_db()
    assert (invitation.statut, invitation.email) == ("PENDING", NOUVELLE)


def test_une_page_morte_dit_quoi_faire(etudiante):
    jeton = demander_une_adresse(etudiante).jeton
    DemandeAdresse.objects.update(date_expiration=timezone.now())

    for page, conseil in (
        ("/contester-adresse", "Si vous n'attendiez pas ce changement, parlez-en"),
        ("/confirmer-adresse", "« Mon compte » dit quelle adresse est la vôtre"),
    ):
        assert conseil in ordinaire(html.unescape(Client().get(page, {"token": jeton}).content.decode()))


def test_une_adresse_prise_entre_temps_n_est_pas_donnee(etudiante, demander, mailoutbox):
    demander()
    (message,) = recus(mailoutbox, NOUVELLE)
    offerte = ouvrir(message).content.decode()
    fabriques.compte(email=NOUVELLE)

    pages = [reponse.content.decode() for reponse in (ouvrir(message), valider(message))]

    assert "Confirmer cette adresse</button>" in offerte
    for page in pages:
        assert page.count("Un compte existe déjà") == 1
        assert "<button" not in page  # it would only be refused again
    assert Compte.objects.get(pk=etudiante.pk).email == "awa@campus.test"


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_deux_comptes_qui_attendent_la_meme_adresse_et_confirment_a_la_fois(admin, etudiante, autre_etudiante):
    for compte in (etudiante, autre_etudiante):
        client_de(admin).put(f"{URL}{compte.pk}", {"email": NOUVELLE})
    jetons = [demande.jeton for demande in DemandeAdresse.objects.all()]

    statuts = ensemble(
        [lambda j=j: Client().post("/confirmer-adresse", {"token": j}).status_code for j in (*jetons, *jetons)]
    )

    assert set(statuts) <= {200, 404}
    assert Compte.objects.filter(email=NOUVELLE).count() == 1


def test_une_adresse_d_un_autre_compte_est_refusee_avant_tout_envoi(etudiante, autre_etudiante, demander, mailoutbox):
    assert demander(email=autre_etudiante.email).status_code == 409
    assert (mailoutbox, DemandeAdresse.objects.count()) == ([], 0)


def test_renvoyer_le_formulaire_entier_ne_renonce_a_rien(api, admin, etudiante, demander):
    demander()

    recu = api(admin).put(f"{URL}{etudiante.pk}", {"nom": "Ndiaye", "email": "awa@campus.test"}).json()["data"]

    assert (recu["nom"], recu["emailEnAttente"]) == ("Ndiaye", NOUVELLE)


def test_envoyer_l_adresse_d_aujourd_hui_seule_renonce_a_celle_qui_attend(api, admin, etudiante, demander, mailoutbox):
    demander()

    recus_ensuite = [
        api(admin).put(f"{URL}{etudiante.pk}", {"email": "Awa@campus.test"}).json()["data"] for _fois in range(2)
    ]

    assert [(un["email"], un["emailEnAttente"]) for un in recus_ensuite] == [("awa@campus.test", None)] * 2
    assert valider(recus(mailoutbox, NOUVELLE)[0]).status_code == 404
    dits = [entree.get_change_message() for entree in LogEntry.objects.order_by("pk")]
    assert dits == ["Modification : nouvelle adresse demandée."] * 2  # asked for, then dropped, once
    assert Trace.objects.filter(details__champs=["email_en_attente"]).count() == 2


def test_qui_ne_change_pas_les_adresses_n_y_renonce_pas_non_plus(api, etudiante, demander):
    demander()

    reponse = api(etudiante).put(f"{URL}{etudiante.pk}", {"email": "awa@campus.test"})

    assert (reponse.status_code, reponse.json()["data"]["emailEnAttente"]) == (200, NOUVELLE)


def test_renoncer_le_dit_au_journal_et_n_a_lieu_qu_une_fois(api, admin, etudiante, demander):
    demander()

    statuts = [api(admin).delete(f"{URL}{etudiante.pk}/email-en-attente").status_code for _fois in range(2)]

    assert statuts == [204, 409]
    assert api(admin).get(f"{URL}{etudiante.pk}").json()["data"]["emailEnAttente"] is None
    dits = [entree.get_change_message() for entree in LogEntry.objects.order_by("pk")]
    assert dits == ["Modification : nouvelle adresse demandée."] * 2
    assert Trace.objects.filter(details__champs=["email_en_attente"]).count() == 2


def test_seuls_la_personne_et_l_administration_savent_ce_qui_attend(api, admin, etudiante, gestionnaire, demander):
    demander()

    vus = {
        qui.prenom: api(qui).get(f"{URL}{etudiante.pk}").json()["data"]["emailEnAttente"]
        for qui in (etudiante, admin, gestionnaire)
    }

    assert vus == {etudiante.prenom: NOUVELLE, admin.prenom: NOUVELLE, gestionnaire.prenom: None}
    for une in api(gestionnaire).get(URL).json()["data"]["items"]:
        assert une["emailEnAttente"] is None


def test_sa_propre_adresse_aussi_attend(api, admin, mailoutbox):
    """Whoever sits down at an administrator's open session does not leave with the account."""
    api(admin).put(f"{URL}me", {"email": NOUVELLE})
    faire_les_taches()

    assert Compte.objects.get(pk=admin.pk).email == admin.email
    assert ordinaire(recus(mailoutbox, admin.email)[0].subject) == "Votre compte va changer d'adresse"


def test_l_administration_voit_dans_son_site_que_rien_ne_change_encore(admin, etudiante, mailoutbox):
    navigateur = entrer(admin.email)
    champs = {"email": NOUVELLE, "prenom": "Awa", "nom": "Diop", "type_utilisateur": "UTILISATEUR"}

    page = navigateur.post(f"/admin/accounts/compte/{etudiante.pk}/change/", champs, follow=True).content.decode()

    assert f"un lien part à {NOUVELLE}" in page
    assert Compte.objects.get(pk=etudiante.pk).email == "awa@campus.test"
    choix = {"action": "renoncer_a_l_adresse", "_selected_action": [str(etudiante.pk)]}
    navigateur.post("/admin/accounts/compte/", choix)
    assert not DemandeAdresse.objects.en_attente().exists()


def test_la_ou_les_courriels_vont_sur_la_console_elle_compte_aussitot(admin, etudiante, settings):
    settings.EMAIL_BACKEND = "django.core.mail.backends.console.EmailBackend"

    comptes.modifier(compte=etudiante, acteur=acteur_de(admin), email=NOUVELLE)

    assert (etudiante.email, DemandeAdresse.objects.exists()) == (NOUVELLE, False)


def test_une_demande_expiree_ne_se_montre_plus_et_la_purge_l_oublie(api, admin, etudiante, demander):
    demander()
    DemandeAdresse.objects.update(date_expiration=timezone.now() - timedelta(seconds=1))

    assert api(admin).get(f"{URL}{etudiante.pk}").json()["data"]["emailEnAttente"] is None
    assert api(admin).get(URL).json()["data"]["items"][-1]["emailEnAttente"] is None
    call_command("purge", verbosity=0)
    assert not DemandeAdresse.objects.exists()


def test_un_compte_efface_ne_laisse_ni_l_adresse_ni_son_nom_au_journal(admin, etudiante, demander):
    demander()

    effacer_compte(etudiante.pk)

    assert not DemandeAdresse.objects.exists()
    assert not LogEntry.objects.filter(change_message__contains="eva@").exists()
