"""What the pages say: of a file alone, of what was done, of what is closed, and the code for the whole first visit."""

import re

import pytest
from django.utils import timezone

from accounts.tests.fabriques import compte
from config.tests.outils import acteur_de
from config.tests.outils.typographie import ordinaire
from discussions.conversation import repondre
from discussions.models import Message
from guests.models import SessionInvitee
from guests.services import ouvrir
from guests.tests.fabriques import desactiver, fusionner
from portail.models import Acces
from portail.tests.outils import DETAILS, FAITS, la_session, le_dossier, six_mots, texte_de
from portail.tests.test_fichiers import envoyer
from resources.models import Fichier
from resources.tests import fabriques as aide
from signalements.historique import noter_un_motif
from signalements.models import Signalement
from signalements.services import changer_statut
from signalements.vocabulaire import TypeEntree
from socle.domaine.acteurs import ActeurInvite
from socle.domaine.limites import Taux

pytestmark = pytest.mark.django_db
FERMES = "Les espaces sans compte sont fermés pour le moment. Gardez vos six mots."
DE_LA_VISITE = ["/aide/", "/qui-lit/", "/ecrire/", "/ecrire/faits/", "/ecrire/details/", "/dossiers/", "/acces/"]


# --- Files ----------------------------------------------------------------------------------------------------------


def test_un_message_qui_n_est_qu_un_fichier_ne_montre_que_lui(visiteuse):
    visiteuse.signaler()
    envoyer(visiteuse, b"Ce que j'ai vu.", nom="recit.txt")
    assert Message.objects.get().pieces_jointes

    page = visiteuse.lire("/dossiers/1/")

    assert "recit.txt" in page
    assert "None" not in page


def test_lu_dit_que_l_equipe_a_lu_ses_messages_et_ni_qui_ni_quand(api, visiteuse, gestionnaire, admin):
    visiteuse.signaler()
    visiteuse.envoyer("/dossiers/1/repondre/", {"contenu": "Êtes-vous là ?"})
    fil = Message.objects.get().discussion_id
    avant = visiteuse.lire("/dossiers/1/")
    for membre in (gestionnaire, admin):
        api(membre).put(f"/api/v1/discussions/{fil}/messages/lus")
    repondre(acteur=acteur_de(gestionnaire), dossier=la_derniere(), contenu="Oui.")
    visiteuse.envoyer("/dossiers/1/repondre/", {"contenu": "Merci."})

    apres = visiteuse.lire("/dossiers/1/")

    lus = [message for message in apres.split("<article")[1:] if 'class="lu"' in message.split("</article>")[0]]
    assert 'class="lu"' not in avant
    assert [("Êtes-vous là" in message, gestionnaire.nom in message) for message in lus] == [(True, False)]


def test_les_fichiers_joints_au_recit_se_lisent_sur_sa_page(visiteuse, autre_visiteuse):
    autre_visiteuse.signaler()
    visiteuse.signaler()
    dossier = la_derniere()
    joint = aide.fichier(ActeurInvite(invite=dossier.invite), "capture.txt")
    perdu = "5f0c2a9e-6a7c-4c7e-9f6b-0a1b2c3d4e5f"
    Signalement.objects.filter(pk=dossier.pk).update(pieces_jointes=[str(joint.pk), perdu])

    page = visiteuse.lire("/dossiers/1/")

    assert f'href="/fichiers/{joint.pk}/"><bdi>capture.txt</bdi></a>' in page
    assert page.count("Fichier supprimé.") == 1
    assert visiteuse.get(f"/fichiers/{joint.pk}/").status_code == 200
    assert autre_visiteuse.get(f"/fichiers/{joint.pk}/").status_code == 403
    assert "capture.txt" not in autre_visiteuse.lire("/dossiers/1/")


def la_derniere():
    return Signalement.objects.order_by("-date_creation", "-id").first()


def test_sans_fichier_choisi_la_page_dit_d_en_choisir_un(visiteuse):
    visiteuse.signaler()

    refus = visiteuse.envoyer("/fichiers/envoyer/", {"pour": f"1-{le_dossier().pk.hex}"})

    assert refus.status_code == 422
    assert "Choisissez un fichier." in texte_de(refus)
    assert not re.search(r"\bnul", texte_de(refus).partition("<main")[2])  # « canular » is one of the six words
    assert Fichier.objects.count() == 0


# --- What was done --------------------------------------------------------------------------------------------------


def test_fermer_partout_ailleurs_dit_que_c_est_fait(visiteuse):
    visiteuse.signaler()

    fait = visiteuse.envoyer("/acces/ailleurs/")

    assert (fait.status_code, fait.headers["Location"]) == (303, "/acces/?fait#fait")
    assert "messages" not in visiteuse.cookies
    assert 'id="fait" class="fait" tabindex="-1">C\'est fait : votre espace' in visiteuse.lire("/acces/?fait")
    assert 'id="fait"' not in visiteuse.lire("/acces/")


def test_fermer_son_compte_ailleurs_le_dit_aussi(visiteuse, etudiante):
    visiteuse.se_connecter(etudiante)
    visiteuse.envoyer("/acces/ailleurs/")

    assert "C'est fait : votre compte n'est plus ouvert ailleurs." in visiteuse.lire("/acces/?fait")


@pytest.mark.usefixtures("numero_exige")
def test_changer_son_numero_dit_que_c_est_fait(visiteuse):
    visiteuse.signaler()

    fait = visiteuse.envoyer("/acces/numero/", {"telephone": "+33 6 39 98 00 99"})

    page = visiteuse.lire(fait.headers["Location"].partition("#")[0])
    assert "C'est fait : votre numéro a changé." in page
    refus = visiteuse.envoyer("/acces/numero/?fait", {"telephone": "12"})
    assert "C'est fait" not in texte_de(refus)


# --- When somebody reads ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("page", ["/recu/", "/dossiers/1/"])
@pytest.mark.parametrize(
    ("lecture", "langue", "phrase"),
    [
        ({"fr": "sous deux jours ouvrés", "en": ""}, "fr", "Quelqu'un de l'équipe vous lit sous deux jours ouvrés."),
        ({"fr": "", "en": ""}, "fr", "Toute l'équipe qui traite les dossiers peut vous lire, et personne d'autre."),
        ({"fr": "sous <b>", "en": ""}, "fr", "Quelqu'un de l'équipe vous lit sous &lt;b&gt;."),
    ],
)
def test_le_recu_et_le_dossier_disent_quand_quelqu_un_lit_ou_ne_promettent_rien(
    visiteuse, settings, page, lecture, langue, phrase
):
    settings.PORTAIL_LECTURE = lecture
    visiteuse.signaler()

    lue = ordinaire(visiteuse.get(page).content.decode())

    assert phrase in lue
    assert lue.count("vous lit ") == (1 if lecture["fr"] else 0)


@pytest.mark.parametrize("page", ["/recu/", "/dossiers/1/"])
def test_un_delai_ne_se_dit_que_dans_la_langue_ou_il_est_ecrit(visiteuse, settings, page):
    settings.PORTAIL_LECTURE = {"fr": "sous deux jours ouvrés", "en": ""}
    visiteuse.signaler()
    visiteuse.envoyer("/langue/", {"langue": "en"})
    assert "jours ouvrés" not in visiteuse.lire(page)

    settings.PORTAIL_LECTURE = {"fr": "sous deux jours ouvrés", "en": "within two working days"}

    assert "within two working days." in visiteuse.lire(page)


def test_un_code_que_l_on_change_ne_promet_rien_sur_un_envoi(visiteuse):
    visiteuse.signaler()

    assert "peut vous lire" not in visiteuse.lire("/acces/code/")


# --- What is closed -------------------------------------------------------------------------------------------------


def test_sans_mode_invite_l_accueil_ne_promet_pas_d_ecrire_sans_compte(visiteuse, settings):
    settings.GUEST_MODE_ENABLED = False

    page = visiteuse.lire("/")

    assert "Écrivez sans compte" not in page
    assert page.count("On ne peut pas écrire ici sans compte pour le moment.") == 1


@pytest.mark.parametrize("adresse", ["/retrouver/", "/dossiers/", "/dossiers/1/", "/acces/", "/recu/"])
def test_qui_vient_lire_apprend_que_les_espaces_sont_fermes(visiteuse, settings, adresse):
    visiteuse.signaler()
    aide.contact(nom="Cellule d'écoute", telephone="+33 1 23 45 67 89")
    settings.GUEST_MODE_ENABLED = False

    refus = visiteuse.get(adresse)

    page = texte_de(refus)
    assert refus.status_code == 403
    assert FERMES in page
    assert "écrire ici" not in page
    assert 'href="tel:+33123456789"' in page
    settings.PORTAIL_AIDE_PUBLIQUE = False
    assert "Cellule" not in texte_de(visiteuse.get(adresse))


@pytest.mark.parametrize(("stade", "ecrire"), [("merge", True), ("read", False), ("off", False)])
def test_un_acces_que_l_equipe_a_ferme_ne_promet_d_ecrire_que_la_ou_on_le_peut(visiteuse, settings, stade, ecrire):
    visiteuse.signaler()
    desactiver(la_session())
    settings.GUEST_MODE_ENABLED, settings.GUEST_MODE_STAGE = stade != "off", stade if stade != "off" else "merge"

    page = texte_de(visiteuse.get("/dossiers/"))

    assert "Cet accès a été fermé." in page
    assert ("Vous pouvez écrire de nouveau." in page) == ecrire
    assert ("Pour parler à quelqu'un : « Besoin d'aide maintenant », en haut." in page) is not ecrire


def test_un_espace_ferme_pendant_qu_on_y_ecrit_ne_demande_pas_un_code_qui_n_ouvrirait_rien(visiteuse, settings):
    visiteuse.signaler()
    poste = {"contenu": "Il est revenu hier soir.", "dossier": visiteuse.montre(1)}
    Acces.objects.update(date_fin=timezone.now())
    settings.GUEST_MODE_ENABLED = False

    refus = visiteuse.envoyer("/dossiers/1/repondre/", poste)

    page = texte_de(refus)
    assert refus.status_code == 401
    assert "Sans compte, il ne se rouvre pas pour le moment : gardez vos six mots." in page
    assert "Entrez vos six mots" not in page
    assert "Il est revenu hier soir.</textarea>" in page


@pytest.mark.parametrize("stade", ["off", "read"])
def test_qui_vient_ecrire_apprend_qu_on_ne_le_peut_pas(visiteuse, settings, stade):
    visiteuse.signaler()
    settings.GUEST_MODE_ENABLED, settings.GUEST_MODE_STAGE = stade != "off", "read"

    phrases = [texte_de(visiteuse.get(adresse)) for adresse in ("/ecrire/", "/ecrire/faits/")]
    if stade == "read":
        phrases.append(texte_de(visiteuse.envoyer("/dossiers/1/repondre/", {"contenu": "Bonjour."})))

    assert all("On ne peut pas écrire ici sans compte pour le moment." in page for page in phrases)


# --- The receipt, the code, the way back ----------------------------------------------------------------------------


def test_le_recu_mene_a_la_suite_et_aux_fichiers_de_son_dossier(visiteuse):
    visiteuse.signaler()
    visiteuse.envoyer("/ecrire/faits/", FAITS)
    visiteuse.envoyer("/ecrire/details/", DETAILS)
    visiteuse.envoyer("/ecrire/verifier/", {"titre": "Encore"})

    page = visiteuse.lire("/recu/")

    assert 'href="/recu/verifier/"' in page
    assert 'href="/dossiers/2/fichier/"' in page
    assert "Encore" in visiteuse.lire("/dossiers/2/")
    assert 'id="copier" class="bouton clair" hidden' in page  # shown by the script alone
    assert la_derniere().reference in page


def test_au_stade_lecture_le_recu_n_offre_pas_d_ajouter(visiteuse, settings):
    visiteuse.signaler()
    settings.GUEST_MODE_STAGE = "read"

    assert "/fichier/" not in visiteuse.lire("/recu/")


@pytest.mark.parametrize("adresse", DE_LA_VISITE)
def test_le_code_reste_replie_sur_chaque_page_de_la_premiere_visite(visiteuse, autre_visiteuse, adresse):
    code = visiteuse.signaler()

    page = visiteuse.lire(adresse)

    assert six_mots(page.partition("<details")[2]) == code
    assert 'id="veille"' in page  # a page that holds the code leaves the screen too
    autre_visiteuse.revenir(code)
    assert six_mots(autre_visiteuse.lire(adresse)) == ""
    Acces.objects.update(date_fin=timezone.now())
    assert code not in texte_de(visiteuse.get(adresse))
    assert six_mots(texte_de(visiteuse.get(adresse))) == ""


def test_l_identifiant_d_une_application_ouvre_aussi(visiteuse):
    invite = ouvrir(telephone="+33639980099")

    ouvert = visiteuse.revenir(f" {str(invite.guest_id).upper()}\n")

    assert (ouvert.status_code, ouvert.headers["Location"]) == (303, "/dossiers/")
    acces = Acces.objects.get()
    assert acces.invite == invite
    assert acces.date_verification is None  # it does not tell that one has the six words
    assert str(invite.guest_id) not in visiteuse.lire("/dossiers/") + str(visiteuse.cookies)
    assert "Vérifiez d'abord" in visiteuse.lire("/acces/garder/")


def test_un_identifiant_inconnu_compte_comme_un_code_faux(visiteuse, settings):
    settings.THROTTLE_ENABLED = True
    settings.THROTTLES = {**settings.THROTTLES, "guest_unknown": Taux(2, 3600)}
    inconnu = "5f0c2a9e-6a7c-4c7e-9f6b-0a1b2c3d4e5f"

    refus = [visiteuse.revenir(inconnu) for _fois in range(3)]

    assert [un.status_code for un in refus] == [422, 422, 429]
    assert "Ces six mots n'ouvrent rien." in texte_de(refus[0])
    assert not Acces.objects.exists()


@pytest.mark.parametrize("statut", ["DISABLED", "MERGED"])
def test_l_identifiant_d_une_session_fermee_n_ouvre_rien(visiteuse, statut):
    invite = ouvrir(telephone="+33639980099")
    guest_id = invite.guest_id
    desactiver(invite) if statut == "DISABLED" else fusionner(invite, compte(email="awa@campus.test"))

    refus = visiteuse.revenir(str(guest_id))

    assert refus.status_code in (403, 409)
    assert not Acces.objects.exists()
    assert SessionInvitee.objects.get().statut == statut
    assert re.search("Cet accès a été fermé|Ce dossier est dans un compte", texte_de(refus))


def test_le_resume_d_un_mot_faux_peut_recevoir_le_foyer(visiteuse):
    visiteuse.signaler()

    refus = visiteuse.envoyer("/recu/verifier/", {"mot": "zzz"})

    assert '<div class="resume" role="alert" tabindex="-1">' in texte_de(refus)


@pytest.mark.parametrize(
    ("ecrit", "lien"),
    [
        ("112 ou 15", 'href="tel:112">112 ou 15</a>'),
        ("01 23 45 67 89 poste 4512", 'href="tel:0123456789">'),
        ("+33 (0)6 12 34 56 78", 'href="tel:+33612345678">'),
        ("à l'accueil", '<span class="numero">à l\'accueil</span>'),
    ],
)
def test_un_contact_appelle_son_premier_numero_ou_rien(visiteuse, ecrit, lien):
    aide.contact(nom="Cellule d'écoute", telephone=ecrit)

    page = visiteuse.lire("/aide/")

    assert lien in page
    assert page.count('href="tel:') == (2 if "href" in lien else 1)


@pytest.mark.parametrize("adresse", ["/", "/aide/"])
def test_le_112_est_un_lien_avant_tout_le_reste(visiteuse, adresse):
    page = visiteuse.lire(adresse).partition("</h1>")[2]

    assert page.index('<a href="tel:112">112</a>') < min(
        page.index(suite) for suite in ("<ul", "<form", "</main>") if suite in page
    )


def test_l_histoire_et_le_titre_sont_composes_sauf_ce_que_quelqu_un_a_tape(visiteuse, gestionnaire):
    visiteuse.signaler("Quelque chose s'est passé", type="AUTRE")
    dossier, equipe = le_dossier(), acteur_de(gestionnaire)
    noter_un_motif(dossier, TypeEntree.LECTURE_RENDUE, equipe, "L'un : non ?")
    changer_statut(signalement=dossier, statut="TRAITE", acteur=equipe)

    page = visiteuse.get("/dossiers/1/").content.decode()
    liste = visiteuse.get("/dossiers/").content.decode()

    assert dossier.titre == "Quelque chose s'est passé"  # as the API gives it
    assert '<h1 dir="auto">Quelque chose s’est passé</h1>' in page
    assert "<bdi>Quelque chose s’est passé</bdi>" in liste
    assert "L’équipe a terminé\u202f; vous pouvez encore écrire. <span" in page
    assert "L’administration est revenue" in page
    assert "ce dossier\u00a0: <bdi>L&#x27;un : non ?</bdi> <span" in page
