"""An account in the browser: what opens it, what it writes, what ends it, what it never tells."""

import logging
from datetime import timedelta

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Compte, DemandeMotDePasse, Session
from accounts.services import comptes, sessions
from accounts.tests import fabriques as gens
from accounts.tests.fabriques import MOT_DE_PASSE
from accounts.vocabulaire import MotifFin
from calendrier.models import FluxCalendrier
from calendrier.services import ouvrir_flux
from config.serveur.identites import televerse
from config.tests.outils import acteur_de, client_de
from portail.entretien import acces_laisses
from portail.models import Acces, Brouillon, CodeRetour
from portail.services import sceau
from portail.services.acces import ouvrir_au_compte
from portail.tests.outils import DETAILS, FAITS, PERSONNE, Visiteuse, cache, la_session, page_de, texte_de
from portail.tests.test_fichiers import envoyer as envoyer_un_fichier
from resources.models import Fichier
from signalements.models import Signalement
from socle.domaine.limites import Taux

pytestmark = pytest.mark.django_db
CONNEXION, INSCRIPTION, OUBLI = "/compte/connexion/", "/compte/inscription/", "/compte/oubli/"


def limiter(settings, **portees):
    settings.THROTTLE_ENABLED = True
    settings.THROTTLES = {**settings.THROTTLES, **{nom: Taux(nombre, 3600) for nom, nombre in portees.items()}}


# --- Opening --------------------------------------------------------------------------------------------------------


def test_s_inscrire_ouvre_le_compte_aussitot(visiteuse):
    inscrite = visiteuse.s_inscrire()

    assert (inscrite.status_code, inscrite.headers["Location"]) == (303, "/dossiers/")
    compte = Compte.objects.get()
    assert (compte.email, compte.nom_complet, compte.role) == ("awa.diop@campus.test", "Awa Diop", "UTILISATEUR")
    assert Acces.objects.get().session.compte == compte
    assert "Aucun dossier ici." in visiteuse.lire("/dossiers/")
    assert "sessionid" not in visiteuse.cookies  # of the admin site


def test_se_connecter_ouvre_ses_dossiers_et_rien_ne_le_nomme(visiteuse, etudiante, signalement):
    entree = visiteuse.se_connecter(etudiante)

    assert (entree.status_code, entree.headers["Location"]) == (303, "/dossiers/")
    assert entree.cookies["espace"]["max-age"] == ""
    assert entree.cookies["espace"]["samesite"] == "Strict"
    assert signalement.titre in visiteuse.lire("/dossiers/")
    assert signalement.description in visiteuse.lire("/dossiers/1/")
    for page in ("/dossiers/", "/dossiers/1/", "/acces/", "/acces/terminer/", "/recu/"):
        lue = visiteuse.lire(page)
        for secret in (str(etudiante.pk), etudiante.email, str(Session.objects.get().pk)):
            assert secret not in lue
        assert "<title>Espace · Campus</title>" in lue
        assert 'href="/acces/"' in lue


def test_une_adresse_et_un_mot_de_passe_faux_disent_la_meme_chose(visiteuse, etudiante):
    pages = [
        visiteuse.envoyer(CONNEXION, {"email": email, "mot_de_passe": "Faux-2026-essai"})
        for email in (etudiante.email, "inconnue@campus.test")
    ]

    assert {page.status_code for page in pages} == {401}
    assert {texte_de(page).count("E-mail ou mot de passe incorrect.") for page in pages} == {1}
    assert not Acces.objects.exists()
    assert not Session.objects.exists()


def test_un_compte_desactive_l_apprend_comme_de_l_api(visiteuse, etudiante):
    Compte.objects.filter(pk=etudiante.pk).update(est_actif=False)

    refus = visiteuse.se_connecter(etudiante)

    assert (refus.status_code, "Ce compte est désactivé." in texte_de(refus)) == (403, True)
    assert not Acces.objects.exists()


@pytest.mark.parametrize(
    ("corps", "phrase"),
    [
        ({}, "Écrivez votre adresse e-mail."),
        ({"email": "pas une adresse", "mot_de_passe": "x"}, "Une adresse e-mail valide est attendue."),
        ({"email": "a@campus.test"}, "Écrivez votre mot de passe."),
        ({"email": "a@campus.test", "mot_de_passe": "a\x1bb"}, "Les caractères de contrôle ne sont pas acceptés."),
        ({"email": "a" * 5_000 + "@campus.test", "mot_de_passe": "x" * 5_000}, "254"),
    ],
)
def test_une_connexion_mal_remplie_dit_quoi_corriger(visiteuse, corps, phrase):
    refus = visiteuse.envoyer(CONNEXION, corps)

    assert (refus.status_code, phrase in texte_de(refus)) == (422, True)


@pytest.mark.parametrize(
    ("champs", "statut", "phrase"),
    [
        ({"prenom": ""}, 422, "Écrivez votre prénom."),
        ({"mot_de_passe": "court"}, 422, "Ce mot de passe est trop court."),
        ({"mot_de_passe": "court", "nom": ""}, 422, "Ce mot de passe est trop court."),
        ({"email": "awa"}, 422, "Une adresse e-mail valide est attendue."),
        ({"nom": "x" * 300}, 422, "255"),
    ],
)
def test_une_inscription_mal_remplie_dit_quoi_corriger(visiteuse, champs, statut, phrase):
    refus = visiteuse.s_inscrire(**champs)

    assert (refus.status_code, phrase in texte_de(refus)) == (statut, True)
    assert not Compte.objects.exists()


def test_une_adresse_qui_a_un_compte_le_dit_comme_l_api(visiteuse):
    gens.compte(email=PERSONNE["email"])

    refus = visiteuse.s_inscrire(mot_de_passe="Un-autre-2026")

    phrase = "Un compte existe déjà avec cette adresse e-mail. Connectez-vous, ou demandez un autre mot de passe."
    assert (refus.status_code, phrase in texte_de(refus)) == (409, True)
    assert not Acces.objects.exists()


def test_s_inscrire_deux_fois_du_meme_mot_de_passe_ouvre_le_meme_compte(visiteuse, autre_visiteuse):
    visiteuse.s_inscrire()

    assert autre_visiteuse.s_inscrire(nom="Autre").status_code == 303

    assert Compte.objects.get().nom == "Diop"


def test_sur_invitation_seule_la_page_le_dit_avant_qu_on_ecrive(visiteuse, settings):
    settings.SIGNUP_INVITATION_ONLY = True

    page = visiteuse.lire(INSCRIPTION)
    refus = visiteuse.s_inscrire()

    assert "L'inscription se fait sur invitation" in page
    assert "<input" not in page.partition("<main")[2].partition("</main>")[0]
    assert (refus.status_code, "L'inscription se fait sur invitation" in texte_de(refus)) == (422, True)
    assert not Compte.objects.exists()


def test_un_domaine_refuse_l_est_dans_les_mots_de_l_api(visiteuse, settings):
    settings.SIGNUP_EMAIL_DOMAINS = ["univ.example"]

    refus = visiteuse.s_inscrire()

    assert (refus.status_code, "Utilisez votre adresse du campus (univ.example)." in texte_de(refus)) == (422, True)


def test_ouvrir_un_compte_ferme_l_espace_qui_etait_la_sous_un_autre_jeton(visiteuse, etudiante):
    visiteuse.signaler()
    ancien = visiteuse.cookies["espace"].value
    assert "vous connecter le ferme" in visiteuse.lire(CONNEXION)

    visiteuse.se_connecter(etudiante)

    assert visiteuse.cookies["espace"].value != ancien
    assert "vous connecter ferme cet espace" in visiteuse.lire(CONNEXION)
    assert Acces.objects.get(invite__isnull=False).date_fin is not None
    visiteuse.cookies["espace"] = ancien
    assert visiteuse.get("/dossiers/").status_code == 401


def test_un_cookie_pose_d_avance_n_est_jamais_repris(visiteuse, etudiante):
    visiteuse.cookies["espace"] = "un-jeton-que-quelqu-un-a-pose"

    entree = visiteuse.se_connecter(etudiante)

    assert entree.cookies["espace"].value != "un-jeton-que-quelqu-un-a-pose"


@pytest.mark.parametrize("page", [CONNEXION, INSCRIPTION])
@pytest.mark.parametrize("venue", [{"Origin": "https://ailleurs.example"}, {"Sec-Fetch-Site": "cross-site"}])
def test_un_autre_site_n_ouvre_a_personne_le_compte_d_un_autre(visiteuse, etudiante, page, venue):
    corps = {**PERSONNE, "email": etudiante.email}

    refus = visiteuse.post(page, corps, headers=venue)

    assert (refus.status_code, "<form" in texte_de(refus)) == (403, False)
    assert "espace" not in refus.cookies
    assert not Acces.objects.exists()


@pytest.mark.parametrize("invites", [True, False])
def test_la_porte_d_entree_propose_le_compte_ou_ce_qui_est_ouvert(visiteuse, etudiante, settings, invites):
    settings.GUEST_MODE_ENABLED = invites
    lien, siens = f'href="{CONNEXION}"', 'href="/dossiers/"'
    assert (lien in visiteuse.lire("/"), siens in visiteuse.lire("/")) == (True, False)

    visiteuse.se_connecter(etudiante)

    # Signing in again would close it; where the cookie opens nothing any more, its page offers to.
    assert (lien in visiteuse.lire("/"), siens in visiteuse.lire("/")) == (False, True)
    Acces.objects.update(date_fin=timezone.now())
    assert lien in texte_de(visiteuse.get("/acces/"))
    assert lien in visiteuse.lire("/")


@pytest.mark.parametrize("page", [CONNEXION, INSCRIPTION, OUBLI, "/rattacher/connexion/", "/rattacher/apercu/"])
def test_un_corps_demesure_ou_sans_rien_est_une_page_de_refus(visiteuse, page):
    visiteuse.signaler()
    champs = {f"choix-{rang}": "x" for rang in range(2_000)}

    statuts = {visiteuse.envoyer(page, champs).status_code, visiteuse.envoyer(page).status_code}
    statuts.add(visiteuse.envoyer(page, {"email": "x" * 3_000_000}).status_code)

    assert statuts <= {303, 400, 403, 413, 422}


# --- Silence and limits ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("panne", ["champ", "faux", "désactivé", "csrf", "limite", "base"])
def test_un_mot_de_passe_n_est_jamais_rendu(visiteuse, etudiante, settings, monkeypatch, panne):
    secret = "Baobab-penché-77"
    corps = {"email": "" if panne == "champ" else etudiante.email, "mot_de_passe": secret}
    visiteuse.get(CONNEXION)
    if panne == "désactivé":
        etudiante.set_password(secret)
        etudiante.est_actif = False
        etudiante.save()
    elif panne == "limite":
        limiter(settings, login=1)
        visiteuse.envoyer(CONNEXION, corps)
    elif panne == "base":
        monkeypatch.setattr("portail.pages.compte.se_connecter", lambda **_champs: 1 / 0)
        visiteuse.raise_request_exception = False
    refus = visiteuse.post(CONNEXION, corps) if panne == "csrf" else visiteuse.envoyer(CONNEXION, corps)

    assert (
        refus.status_code
        == {"champ": 422, "faux": 401, "désactivé": 403, "csrf": 403, "limite": 429, "base": 500}[panne]
    )
    assert "Baobab" not in texte_de(refus)


def test_les_essais_d_un_mot_de_passe_se_comptent_avec_ceux_de_l_api(visiteuse, etudiante, settings):
    limiter(settings, login=2)
    corps = {"email": etudiante.email, "motDePasse": "Faux-2026-essai"}
    client_de(None).post("/api/v1/auth/login", corps)

    faux = visiteuse.envoyer(CONNEXION, {"email": etudiante.email, "mot_de_passe": "Faux-2026-essai"})
    refus = visiteuse.se_connecter(etudiante)

    assert (faux.status_code, refus.status_code) == (401, 429)
    assert int(refus.headers["Retry-After"]) > 0
    assert "Trop de tentatives." in texte_de(refus)


def test_les_inscriptions_d_une_adresse_se_comptent(visiteuse, settings):
    limiter(settings, signup=1)
    visiteuse.s_inscrire(prenom="")

    refus = visiteuse.s_inscrire()

    assert (refus.status_code, Compte.objects.count()) == (429, 0)


def test_oublier_son_mot_de_passe_ne_dit_pas_si_l_adresse_a_un_compte(visiteuse, etudiante):
    reponses = [visiteuse.envoyer(OUBLI, {"email": e}) for e in (etudiante.email, "inconnue@campus.test")]

    assert {(r.status_code, r.headers["Location"]) for r in reponses} == {(303, "/compte/oubli/?envoye")}
    assert "Si un compte existe à cette adresse" in visiteuse.lire("/compte/oubli/?envoye")
    assert sorted(d.compte_id is None for d in DemandeMotDePasse.objects.all()) == [False, True]
    assert visiteuse.envoyer(OUBLI, {"email": "x"}).status_code == 422


@pytest.mark.parametrize("email", ["awa@campus.test", "inconnue@campus.test"])
def test_les_demandes_de_mot_de_passe_se_comptent_pour_tous(visiteuse, settings, email):
    gens.compte(email="awa@campus.test")
    limiter(settings, forgot_password_account=1)
    visiteuse.envoyer(OUBLI, {"email": email})

    refus = visiteuse.envoyer(OUBLI, {"email": email})

    assert (refus.status_code, int(refus.headers["Retry-After"]) > 0) == (429, True)


def test_rien_de_secret_ne_va_au_journal_ni_en_base(visiteuse, caplog):
    with caplog.at_level(logging.DEBUG):
        visiteuse.s_inscrire()
        visiteuse.lire("/dossiers/")

    dit = " ".join(f"{ligne.getMessage()} {vars(ligne)}" for ligne in caplog.records if ligne.name.startswith("campus"))
    jeton = visiteuse.cookies["espace"].value
    for secret in (jeton, MOT_DE_PASSE, PERSONNE["email"]):
        assert secret not in dit
    assert jeton not in str(vars(Acces.objects.get()))


# --- Writing --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("mode", "nomme"), [("ANONYME", False), ("IDENTIFIE", True)])
def test_un_compte_dit_si_l_equipe_voit_son_nom(visiteuse, etudiante, gestionnaire, mode, nomme):
    visiteuse.se_connecter(etudiante)

    envoye = visiteuse.ecrire_en_son_nom(mode=mode)

    assert (envoye.status_code, envoye.headers["Location"]) == (303, "/recu/")
    dossier = Signalement.objects.get()
    assert (dossier.compte, dossier.mode_identification) == (etudiante, mode)
    visiteuse.envoyer("/dossiers/1/repondre/", {"contenu": "Bonjour."})
    equipe = client_de(gestionnaire)
    discussion = dossier.discussions.get()
    lus = [
        equipe.get(f"/api/v1/signalements/{dossier.pk}").content.decode(),
        equipe.get(f"/api/v1/discussions/{discussion.pk}/messages").content.decode(),
    ]
    assert {str(etudiante.pk) in lu for lu in lus} == {nomme}
    recu = visiteuse.lire("/recu/")
    assert dossier.reference in recu
    assert 'class="mots"' not in recu


def test_sans_rien_dire_un_compte_reste_anonyme(visiteuse, etudiante):
    visiteuse.se_connecter(etudiante)
    visiteuse.envoyer("/ecrire/faits/", FAITS)

    page = visiteuse.lire("/ecrire/verifier/")
    invente = visiteuse.envoyer("/ecrire/verifier/", {"titre": "Vol", "mode_identification": "AUTRE"})
    visiteuse.envoyer("/ecrire/verifier/", {"titre": "Vol"})

    coche = page.partition('value="ANONYME"')[2].partition(">")[0]
    assert "checked" in coche
    assert invente.status_code == 422
    assert Signalement.objects.get().mode_identification == "ANONYME"


def test_le_choix_du_nom_est_celui_que_l_exploitant_admet(visiteuse, etudiante, settings):
    settings.VOCABULAIRES = {**settings.VOCABULAIRES, "mode_identification": ["IDENTIFIE"]}
    visiteuse.se_connecter(etudiante)
    visiteuse.envoyer("/ecrire/faits/", FAITS)

    page = visiteuse.lire("/ecrire/verifier/")
    visiteuse.envoyer("/ecrire/verifier/", {"titre": "Vol"})

    assert "Ne pas montrer mon nom" not in page
    assert Signalement.objects.get().mode_identification == "IDENTIFIE"


def test_un_invite_n_est_pas_interroge_sur_son_nom(visiteuse):
    visiteuse.remplir()

    assert "Montrer mon nom" not in visiteuse.lire("/ecrire/verifier/")
    visiteuse.envoyer("/ecrire/verifier/", {"titre": "Vol", "mode_identification": "IDENTIFIE"})

    assert Signalement.objects.get().mode_identification == "ANONYME"


def test_un_brouillon_ne_passe_pas_d_un_espace_a_un_autre(visiteuse, etudiante, gestionnaire):
    visiteuse.signaler()
    visiteuse.envoyer("/ecrire/faits/", {**FAITS, "description": "Le secret de l'invitée."})
    visiteuse.se_connecter(etudiante, laisser="1")
    assert "Le secret de l'invitée." not in visiteuse.lire("/ecrire/faits/")

    visiteuse.envoyer("/ecrire/faits/", {**FAITS, "description": "Le secret de l'étudiante."})
    assert "Le secret de l'étudiante." in visiteuse.lire("/ecrire/faits/")
    visiteuse.se_connecter(gestionnaire, laisser="1")

    assert "Le secret de l'étudiante." not in visiteuse.lire("/ecrire/faits/")
    assert visiteuse.envoyer("/ecrire/verifier/", {"titre": "Vol"}).status_code == 409
    assert Signalement.objects.count() == 1


def commencer(visiteuse, texte="Un second récit."):
    visiteuse.envoyer("/ecrire/faits/", {**FAITS, "description": texte})
    visiteuse.envoyer("/ecrire/details/", DETAILS)


def ouvrir(visiteuse, comment, etudiante, code, **champs):
    """By each of the ways into another space."""
    if comment == "compte/connexion":
        return visiteuse.se_connecter(etudiante, **champs)
    if comment == "compte/inscription":
        return visiteuse.s_inscrire(**champs)
    return visiteuse.revenir(code, **champs)


@pytest.mark.parametrize("comment", ["compte/connexion", "compte/inscription", "retrouver"])
@pytest.mark.parametrize("espace", ["d'invitée", "aucun"])
def test_un_brouillon_ne_se_laisse_pas_sans_le_savoir(visiteuse, autre_visiteuse, etudiante, comment, espace):
    code = autre_visiteuse.signaler()
    if espace == "d'invitée":
        visiteuse.signaler()
    commencer(visiteuse)

    page = visiteuse.lire(f"/{comment}/")
    refus = ouvrir(visiteuse, comment, etudiante, code)

    for lue in (page, texte_de(refus)):
        assert "Le texte que vous avez commencé n'est pas envoyé." in lue
        assert 'href="/ecrire/verifier/"' in lue
        assert cache(lue, "laisser") == "1"
    assert refus.status_code == 409
    assert not [nom for nom in refus.cookies if nom == "espace"]
    assert "Un second récit." in visiteuse.lire("/ecrire/faits/")
    assert ouvrir(visiteuse, comment, etudiante, code, laisser="1").headers["Location"] == "/dossiers/"
    assert "Un second récit." not in visiteuse.lire("/ecrire/faits/")


@pytest.mark.parametrize("comment", ["compte/connexion", "compte/inscription", "retrouver"])
def test_un_brouillon_s_emporte_dans_l_espace_que_l_on_ouvre(visiteuse, autre_visiteuse, etudiante, comment):
    code = autre_visiteuse.signaler()
    commencer(visiteuse)
    avant = visiteuse.cookies["brouillon"].value

    ouvert = ouvrir(visiteuse, comment, etudiante, code, laisser="1", emporter="1")

    assert ouvert.headers["Location"] == "/ecrire/verifier/"
    assert "Un second récit." in visiteuse.lire("/ecrire/verifier/")
    assert visiteuse.envoyer("/ecrire/verifier/", {"titre": "Vol", "mode_identification": "ANONYME"}).status_code == 303
    assert "Un second récit." in visiteuse.lire(f"/dossiers/{2 if comment == 'retrouver' else 1}/")
    assert Signalement.objects.count() == 2
    encore = Visiteuse()
    encore.cookies["brouillon"] = avant
    assert "Un second récit." not in encore.lire("/ecrire/faits/")


def test_sans_brouillon_personne_n_est_arrete_et_rien_ne_s_emporte(visiteuse, etudiante):
    assert "n'est pas envoyé" not in visiteuse.lire("/compte/connexion/")

    assert visiteuse.se_connecter(etudiante, emporter="1").headers["Location"] == "/dossiers/"


def test_un_espace_ferme_depuis_qu_on_y_ecrivait_est_dit_a_qui_se_connecte(visiteuse, etudiante):
    visiteuse.signaler()
    commencer(visiteuse)
    Acces.objects.update(date_activite=timezone.now() - timedelta(hours=1))

    assert "Un texte commencé dans un espace qui s'est fermé n'est pas envoyé." in visiteuse.lire("/compte/connexion/")
    assert visiteuse.se_connecter(etudiante, emporter="1").headers["Location"] == "/dossiers/"
    assert "Un second récit." not in visiteuse.lire("/ecrire/faits/")


def test_terminer_dit_ce_qu_il_efface(visiteuse):
    visiteuse.signaler()
    assert "fermer l'efface" not in visiteuse.lire("/acces/terminer/")

    commencer(visiteuse)

    assert "fermer l'efface" in visiteuse.lire("/acces/terminer/")


def test_deux_envois_d_un_compte_ne_font_qu_un_dossier(visiteuse, etudiante):
    visiteuse.se_connecter(etudiante)
    visiteuse.envoyer("/ecrire/faits/", FAITS)
    page = {"titre": "Vol", "mode_identification": "ANONYME", **page_de(visiteuse.lire("/ecrire/verifier/"))}
    visiteuse.envoyer("/ecrire/verifier/", page)
    brouillon = Brouillon.objects.get(date_envoi__isnull=False)

    encore = visiteuse.envoyer("/ecrire/verifier/", page)

    assert encore.headers["Location"] == "/recu/"
    assert brouillon.contenu_scelle == ""
    assert Signalement.objects.count() == 1


def test_un_compte_ne_garde_pas_un_code_dans_son_texte(visiteuse, autre_visiteuse, etudiante):
    code = autre_visiteuse.signaler()
    visiteuse.se_connecter(etudiante)

    refus = visiteuse.ecrire_en_son_nom(description=f"Mon code est {code}, gardez-le.")
    visiteuse.ecrire_en_son_nom(description="Autre récit.")
    reponse = visiteuse.envoyer("/dossiers/1/repondre/", {"contenu": f"Mon code est {code}."})

    assert (refus.status_code, reponse.status_code) == (422, 422)
    assert "Vos six mots sont dans ce texte." in texte_de(reponse)


def test_un_compte_envoie_des_fichiers_et_les_relit(visiteuse, autre_visiteuse, etudiante):
    visiteuse.se_connecter(etudiante)
    visiteuse.ecrire_en_son_nom()

    envoye = envoyer_un_fichier(visiteuse, b"Ce que j'ai vu.", nom="recit.txt")

    fichier = Fichier.objects.get()
    assert (envoye.status_code, fichier.compte) == (303, etudiante)
    assert visiteuse.get(f"/fichiers/{fichier.pk}/").status_code == 200
    autre_visiteuse.signaler()
    assert autre_visiteuse.get(f"/fichiers/{fichier.pk}/").status_code == 403


@pytest.mark.parametrize("reglages", [{"GUEST_MODE_STAGE": "read"}, {"GUEST_MODE_ENABLED": False}])
def test_le_mode_invite_ferme_n_arrete_pas_un_compte(visiteuse, etudiante, settings, reglages):
    for nom, valeur in reglages.items():
        setattr(settings, nom, valeur)
    visiteuse.se_connecter(etudiante)

    assert visiteuse.lire("/ecrire/")
    assert visiteuse.ecrire_en_son_nom().status_code == 303
    assert visiteuse.envoyer("/dossiers/1/repondre/", {"contenu": "Bonjour."}).status_code == 303
    assert "<textarea" in visiteuse.lire("/dossiers/1/")
    assert envoyer_un_fichier(visiteuse, b"Ce que j'ai vu.", nom="recit.txt").status_code == 303
    entetes = [(b"cookie", f"espace={visiteuse.cookies['espace'].value}".encode()), (b"host", b"testserver")]
    demande = {"type": "http", "path": "/fichiers/envoyer/", "method": "POST", "headers": entetes, "query_string": b""}
    assert televerse(demande) == f"compte:{etudiante.pk}"


def test_un_compte_n_a_pas_de_code(visiteuse, etudiante):
    visiteuse.se_connecter(etudiante)

    assert "Changer mes six mots" not in visiteuse.lire("/acces/")
    assert "six mots" not in visiteuse.lire("/ecrire/")
    reponses = [visiteuse.get("/acces/code/"), visiteuse.envoyer("/acces/code/")]
    reponses.append(visiteuse.envoyer("/recu/verifier/", {"mot": "abaisser"}))
    assert {(r.status_code, r.headers["Location"]) for r in reponses} == {(303, "/acces/"), (303, "/dossiers/")}
    assert not CodeRetour.objects.exists()


@pytest.mark.parametrize(("page", "plafond"), [("/dossiers/", 5), ("/dossiers/1/", 12)])
def test_une_page_d_un_compte_coute_autant_pour_un_dossier_que_pour_neuf(visiteuse, etudiante, page, plafond):
    visiteuse.se_connecter(etudiante)
    visiteuse.ecrire_en_son_nom()
    visiteuse.get(page)

    def compter():
        with CaptureQueriesContext(connection) as requetes:
            assert visiteuse.get(page).status_code == 200
        return len(requetes)

    un = compter()
    for rang in range(8):
        visiteuse.ecrire_en_son_nom(titre=f"Cas {rang}")

    assert compter() == un
    assert un <= plafond


# --- Ending ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("adresse", ["/acces/terminer/", "/quitter/"])
def test_finir_l_acces_finit_la_session_du_compte(visiteuse, etudiante, adresse):
    visiteuse.se_connecter(etudiante)

    visiteuse.envoyer(adresse) if adresse != "/quitter/" else visiteuse.get(adresse)

    session = Session.objects.get()
    assert (session.date_fin is not None, session.motif_fin) == (True, MotifFin.DECONNEXION)
    assert Acces.objects.get().date_fin is not None
    assert visiteuse.get("/dossiers/").status_code == 401


def mot_de_passe_change(compte, admin):
    acteur = acteur_de(compte)
    nouveau = "Un-nouveau-2026"
    comptes.changer_mot_de_passe(acteur=acteur, ancien_mot_de_passe=MOT_DE_PASSE, nouveau_mot_de_passe=nouveau)


def mot_de_passe_impose(compte, admin):
    comptes.imposer_mot_de_passe(compte=compte, nouveau_mot_de_passe="Un-nouveau-2026", acteur=acteur_de(admin))


def compte_desactive(compte, admin):
    comptes.desactiver(compte=compte, acteur=acteur_de(admin))


def session_terminee(compte, admin):
    sessions.terminer([Session.objects.get(compte=compte).pk], motif=MotifFin.REVOCATION)


def drapeau_seul(compte, admin):
    """A row that nobody announced: the access asks each time."""
    Compte.objects.filter(pk=compte.pk).update(est_actif=False)


def date_seule(compte, admin):
    Session.objects.filter(compte=compte).update(date_fin=timezone.now(), motif_fin=MotifFin.REVOCATION)


@pytest.mark.parametrize(
    "fin", [mot_de_passe_change, mot_de_passe_impose, compte_desactive, session_terminee, drapeau_seul, date_seule]
)
def test_un_compte_ferme_ailleurs_l_est_ici_aussitot(visiteuse, etudiante, admin, fin):
    visiteuse.se_connecter(etudiante)
    visiteuse.ecrire_en_son_nom()

    fin(etudiante, admin)

    for page in ("/dossiers/", "/dossiers/1/", "/acces/"):
        refus = visiteuse.get(page)
        assert (refus.status_code, 'href="/compte/connexion/"' in texte_de(refus)) == (401, True)
    visiteuse.envoyer("/dossiers/1/repondre/", {"contenu": "Bonjour."})
    assert not Signalement.objects.get().discussions.exists()
    if fin not in (drapeau_seul, date_seule):
        assert Acces.objects.get().date_fin is not None


@pytest.mark.parametrize(
    ("depuis", "statut"),
    [
        ({"date_activite": timedelta(minutes=29)}, 200),
        ({"date_activite": timedelta(minutes=31)}, 401),
        ({"date_creation": timedelta(hours=13), "date_activite": timedelta(minutes=1)}, 401),
    ],
)
def test_l_acces_d_un_compte_finit_comme_celui_d_un_invite(visiteuse, etudiante, depuis, statut):
    visiteuse.se_connecter(etudiante)
    Acces.objects.update(**{nom: timezone.now() - duree for nom, duree in depuis.items()})

    assert visiteuse.get("/dossiers/").status_code == statut

    acces_laisses()
    assert (Acces.objects.get().date_fin is None) is (statut == 200)
    assert (Session.objects.get().date_fin is None) is (statut == 200)


def test_l_entretien_laisse_les_acces_des_invites_a_leur_heure(visiteuse):
    visiteuse.signaler()
    Acces.objects.update(date_activite=timezone.now() - timedelta(hours=1))

    acces_laisses()

    assert Acces.objects.get().date_fin is None


def test_fermer_partout_ailleurs_ferme_tout_ce_qui_ouvre_le_compte(visiteuse, autre_visiteuse, etudiante):
    visiteuse.se_connecter(etudiante)
    autre_visiteuse.se_connecter(etudiante)
    ouvrir_flux(compte=etudiante)
    client = client_de(etudiante)

    assert visiteuse.envoyer("/acces/ailleurs/").status_code == 303

    assert (visiteuse.get("/dossiers/").status_code, autre_visiteuse.get("/dossiers/").status_code) == (200, 401)
    assert client.get("/api/v1/auth/validate").status_code == 401
    assert not FluxCalendrier.objects.exists()
    etudiante.refresh_from_db()
    assert etudiante.nb_coupures == 1  # the cookies of the admin site


def test_ce_qui_fut_tape_attend_que_le_compte_soit_rouvert(visiteuse, etudiante):
    visiteuse.se_connecter(etudiante)
    visiteuse.ecrire_en_son_nom()
    Acces.objects.update(date_activite=timezone.now() - timedelta(hours=1))

    refus = visiteuse.envoyer("/dossiers/1/repondre/", {"contenu": "Un long message."})
    page = texte_de(refus)
    assert (refus.status_code, "Un long message." in page, "Vos six mots" in page) == (401, True, False)
    assert 'action="/compte/connexion/"' in page
    faux = visiteuse.envoyer(CONNEXION, {"email": etudiante.email, "texte": "Un long message.", "rang": "1"})
    assert (faux.status_code, "Un long message." in texte_de(faux)) == (422, True)
    repris = visiteuse.se_connecter(etudiante, texte="Un long message.", rang="1")

    assert (repris.status_code, 'action="/dossiers/1/repondre/"' in texte_de(repris)) == (200, True)
    assert "Un long message." in texte_de(repris)


# --- What the base admits -------------------------------------------------------------------------------------------


def test_un_acces_est_a_un_invite_ou_a_un_compte(visiteuse, etudiante):
    visiteuse.signaler()
    Visiteuse().se_connecter(etudiante)
    invite, session = la_session(), Session.objects.get()
    de_l_invite, du_compte = Acces.objects.get(invite=invite), Acces.objects.get(session=session)

    for ligne, colonnes in (
        (de_l_invite, {"session": session}),
        (de_l_invite, {"invite": None}),
        (de_l_invite, {"a_rattacher": invite}),
        (du_compte, {"a_rattacher": invite, "date_fin": timezone.now()}),
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            Acces.objects.filter(pk=ligne.pk).update(**colonnes)


def test_rien_ne_lie_plus_le_compte_a_l_invite_quand_l_acces_finit(visiteuse, etudiante):
    visiteuse.signaler()
    session = sessions.connecter(email=etudiante.email, mot_de_passe=MOT_DE_PASSE, adresse="x").session
    ouvrir_au_compte(session=session, jeton=sceau.tirer_jeton(), a_rattacher=la_session())
    Acces.objects.filter(session=session).update(date_activite=timezone.now() - timedelta(hours=1))

    acces_laisses()

    assert Acces.objects.get(session=session).a_rattacher is None
